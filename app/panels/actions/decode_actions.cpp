#include "app/document/decoding_commands.h"
#include "app/panels/actions/action_groups.h"
#include "app/panels/actions/conditions.h"
#include "app/panels/timeline_panel.h"

namespace glassformer {
namespace {

template <DecodingStrategy strategy>
void decodeBy(Ui& ui) {
  Decoding decoding = ui.workspace().decoding;
  decoding.strategy = strategy;
  ui.emit(commands::setDecoding(decoding, nameOf(strategy)));
}

// To another place of what was decoded.
template <int by>
void goBeside(Ui& ui) {
  ui.emit(commands::goToPrefix(*prefixBeside(ui, by)));
}

// Opens in the middle, where nothing is pointed at.
void forceNext(Ui& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ui.candidate = CandidatePlace{-1, {}, {display.x / ui.scale / 2, display.y / ui.scale / 3, 0, 0}};
}

void searchFromHere(Ui& ui) { ui.emit(commands::searchFromHere()); }

// In a presentation its key makes the screen black, as everywhere.
bool beams(const Ui& ui) { return !ui.presenting && (!hasModel(ui) || ui.snapshot.model->continues()); }
template <int by>
bool canGoBeside(const Ui& ui) {
  return prefixBeside(ui, by).has_value();
}
bool canForce(const Ui& ui) { return hasTrace(ui) && writesOn(ui) && !ui.snapshot.model->isRecorded(); }
constexpr Condition looksAtHypothesis{
    [](const Ui& ui) { return ui.snapshot.decoded->root != ui.snapshot.pass->text; },
    "while a hypothesis is looked at"};

constexpr Action decodeTable[] = {
    {"Decode", "Decode greedily", ImGuiKey_G, 0, 0, false, decodeBy<DecodingStrategy::Greedy>, writesOn},
    {"Decode", "Decode by sampling", ImGuiKey_S, 0, 0, false, decodeBy<DecodingStrategy::Sampling>, writesOn},
    {"Decode", "Decode by beam search", ImGuiKey_B, 0, 0, false, decodeBy<DecodingStrategy::Beam>, beams},
    {"Decode", "Back in the decoded text", ImGuiKey_Backspace, 0, 0, false, goBeside<-1>, canGoBeside<-1>},
    {"Decode", "Forward in the decoded text", shift | ImGuiKey_Backspace, 0, 0, false, goBeside<1>,
     canGoBeside<1>},
    {"Decode", "To where decoding began", control | ImGuiKey_Backspace, 0, 0, false, goBeside<-toTheEnd>,
     canGoBeside<-1>},
    {"Decode", "To the end of the decoded text", control | shift | ImGuiKey_Backspace, 0, 0, false,
     goBeside<toTheEnd>, canGoBeside<1>},
    {"Decode", "Force the next token", 0, 0, 0, false, forceNext, canForce},
    {"Decode", "Let the tree grow from the open text", 0, 0, 0, false, searchFromHere, looksAtHypothesis},
};

}  // namespace

std::span<const Action> decodeActions() { return decodeTable; }

}  // namespace glassformer
