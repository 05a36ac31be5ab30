#include "app/document/prepared_texts.h"

#include <algorithm>
#include <array>

#include "app/document/cuts_settings.h"
#include "app/document/intervention_list.h"
#include "app/document/model_commands.h"
#include "app/document/tabs.h"
#include "app/document/text_commands.h"
#include "app/document/workspace.h"

namespace glassformer {

namespace {

// The tab where this stands, or a new one.
void openWriting(Workspace& w, const TabText& writing) {
  const std::vector<TabText> tabs = allTabs(w);
  const auto there = std::ranges::find(tabs, writing);
  if (there == tabs.end()) return commands::newTab(writing).apply(w);
  commands::openTab(static_cast<int>(there - tabs.begin())).apply(w);
}

void arrangeGreedyLosing(Workspace& w) {
  constexpr int sentence = 16;  // tokens, with its end
  w.decoding = {.strategy = DecodingStrategy::Beam, .beamWidth = 3, .depth = sentence};
  w.view = "beam", w.settings.pictures["beam"] = "search";
  w.settings.beam = {}, w.settings.prunedShown = 1;
  w.way = {};
}

// In the encoder every token sees the whole sentence: one head looks from "it" at what it stands for.
void arrangeMeaningsOfIt(Workspace& w) {
  constexpr int it = 8, sentence = 24;  // the token, and how long its translation may be
  const int tired = w.tab;
  openWriting(w, TabText("", "The animal didn't cross the street because it was too wide."));
  const int wide = w.tab;
  commands::openTab(tired).apply(w);
  w.comparison = {OtherText{wide}, ComparisonMode::SideBySide};
  w.decoding = {.strategy = DecodingStrategy::Beam, .beamWidth = 3, .depth = sentence};
  w.view = "attention", w.settings.pictures["attention"] = "arcs", w.settings.attention = {};
  w.selection = {.layer = 1, .head = 2, .site = AttentionSite::Encoder, .source = it};
}

// Cut in several ways, as the text that is written.
void arrangeLongWord(Workspace& w) {
  w.selection.site = AttentionSite::Decoder;
  w.view = "tokens", w.settings.pictures["tokens"] = "cuts";
  w.settings.choose(cutsChoice, ""), w.settings.choose(mergesChoice, "");
}

// Read causally, it knows nothing of what comes behind it: every difference there is 0.
void arrangeItBeforeItsWord(Workspace& w) {
  constexpr int it = 8;  // the token
  const int tired = w.tab;
  openWriting(w, TabText("The animal didn't cross the street because it was too wide.", ""));
  const int wide = w.tab;
  commands::openTab(tired).apply(w);
  w.comparison = {OtherText{wide}, ComparisonMode::Difference};
  w.view = "residual", w.settings.pictures["residual"] = "norms", w.settings.residual = {};
  w.selection = {.query = it};
}

// The scores of one head are ten times as far apart: what it looks for comes later and takes all of a row, so
// that what the mask leaves of that is 0 in single precision. Beside it the mask acts first.
void arrangeNothingLeft(Workspace& w) {
  constexpr int layer = 1, head = 0, row = 4;
  w.changes = {{"mask_time", "after_softmax"}};
  Intervention gain;
  gain.point = "blocks.1.attn.hook_attn_scores", gain.kind = InterventionKind::Scale, gain.index[0] = head,
  gain.value = 10;
  w.interventions = {gain};
  w.comparison = {Comparison::asLoaded, ComparisonMode::SideBySide};
  w.view = "attention", w.settings.pictures["attention"] = "matrix", w.settings.attention = {};
  w.selection = {.layer = layer, .head = head, .query = row};
}

constexpr std::array all{
    PreparedText{"Greedy vs beam",
                 "Greedy decoding chooses the most probable word of each step; beam search finds a more "
                 "probable sentence. Greedy loses.",
                 "translate", "People say that the dog sleeps.", "", arrangeGreedyLosing},
    PreparedText{"Gesundheitsforschungsinstitute",
                 "One unknown word in bytes, characters, merges, and as UNK", "translate",
                 "Anna says that he has opened the window.", "Gesundheitsforschungsinstitute",
                 arrangeLongWord},
    PreparedText{
        "Ambiguous “it”",
        "Both meanings of it, with tired and with wide: the encoder's head 1.2 attends from it to the "
        "animal or to the street, and German has es or sie",
        "translate", "The animal didn't cross the street because it was too tired.", "", arrangeMeaningsOfIt},
    PreparedText{
        "Causal mask",
        "It cannot know yet: in a causal model, tired minus wide is exactly 0 at it in every block, for "
        "the deciding word comes later",
        "stories", "", "The animal didn't cross the street because it was too tired.",
        arrangeItBeforeItsWord},
    PreparedText{"Empty mask row",
                 "A mask after the softmax: some rows are 0 in single precision, and 0 / 0 stays at 0. "
                 "Compared with a mask before it.",
                 "induction", "", "qmbxzfqmb", arrangeNothingLeft},
};

}  // namespace

std::span<const PreparedText> preparedTexts() { return all; }
const PreparedText& whereGreedyLoses() { return all.front(); }

Command commands::openPrepared(const PreparedText& text) {
  return {[text](Workspace& w) {
            setModel(std::string(text.model)).apply(w);
            w.changes = {}, w.comparison.with = Comparison::off;
            removeInterventions(w);
            const TabText writing{std::string(text.text), std::string(text.source)};
            if (TabText(w.text, w.source) != writing) leaveTab(w);
            openWriting(w, writing);
            text.arrange(w);
          },
          std::string(text.label), ""};
}

}  // namespace glassformer
