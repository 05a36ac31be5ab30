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
bool canForce(const Ui& ui) { return hasTrace(ui) && writesOn(ui) && !ui.snapshot.model->hasNoWeights(); }
constexpr Condition looksAtHypothesis{
    [](const Ui& ui) { return ui.snapshot.decoded->root != ui.snapshot.pass->text; },
    "while a hypothesis is selected"};

constexpr Action decodeTable[] = {
    {"greedy", "Decode", "Use greedy decoding", ImGuiKey_G, 0, 0, false, decodeBy<DecodingStrategy::Greedy>,
     writesOn},
    {"sampling", "Decode", "Use sampling", ImGuiKey_S, 0, 0, false, decodeBy<DecodingStrategy::Sampling>,
     writesOn},
    {"beam-search", "Decode", "Use beam search", ImGuiKey_B, 0, 0, false, decodeBy<DecodingStrategy::Beam>,
     beams},
    {"back", "Decode", "Back one token", ImGuiKey_Backspace, 0, 0, false, goBeside<-1>, canGoBeside<-1>},
    {"forward", "Decode", "Forward one token", shift | ImGuiKey_Backspace, 0, 0, false, goBeside<1>,
     canGoBeside<1>},
    {"prompt-end", "Decode", "Go to prompt end", control | ImGuiKey_Backspace, 0, 0, false,
     goBeside<-toTheEnd>, canGoBeside<-1>},
    {"last-token", "Decode", "Go to last token", control | shift | ImGuiKey_Backspace, 0, 0, false,
     goBeside<toTheEnd>, canGoBeside<1>},
    {"force-token", "Decode", "Force next token…", 0, 0, 0, false, forceNext, canForce},
    {"restart-search", "Decode", "Restart search here", 0, 0, 0, false, searchFromHere, looksAtHypothesis},
};

}  // namespace

std::span<const Action> decodeActions() { return decodeTable; }

}  // namespace glassformer
