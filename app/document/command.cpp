#include "app/document/command.h"

#include <algorithm>
#include <set>

namespace glassformer {

Workspace initialWorkspace() {
  Workspace workspace;
  workspace.text = "The animal didn't cross the street because it was too tired.";
  return workspace;
}

namespace {

std::vector<std::string> allTexts(const Workspace& w) {
  std::vector<std::string> texts;
  for (int i = 0; i < w.tabCount(); ++i) texts.push_back(w.textOfTab(i));
  return texts;
}

void setTexts(Workspace& w, std::vector<std::string> texts, int tab) {
  w.tab = std::clamp(tab, 0, static_cast<int>(texts.size()) - 1);
  w.text = std::move(texts[static_cast<std::size_t>(w.tab)]);
  texts.erase(texts.begin() + w.tab);
  w.aside = std::move(texts);
}

// A comparison follows the tabs it is about; opening the text compared with compares the other way round.
void openTabOf(Workspace& w, int tab) {
  if (tab < 0 || tab >= w.tabCount() || tab == w.tab) return;
  if (w.comparison.with == tab) w.comparison.with = w.tab;
  setTexts(w, allTexts(w), tab);
}

void closeTabOf(Workspace& w, int tab) {
  if (tab < 0 || tab >= w.tabCount()) return;
  if (w.tabCount() == 1) return w.text.clear();
  int& with = w.comparison.with;
  if (with == tab)
    with = Comparison::off;
  else if (with > tab)
    --with;
  auto texts = allTexts(w);
  texts.erase(texts.begin() + tab);
  setTexts(w, std::move(texts), tab < w.tab ? w.tab - 1 : w.tab);
  if (with == w.tab) with = Comparison::off;
}

}  // namespace

std::vector<int> comparables(const Workspace& w) {
  std::vector<int> with;
  if (!w.changes.empty()) with.push_back(Comparison::asLoaded);
  if (!w.interventions.empty()) with.push_back(Comparison::withoutInterventions);
  for (int tab = 0; tab < w.tabCount(); ++tab)
    if (tab != w.tab) with.push_back(tab);
  return with;
}

namespace commands {

Command setText(std::string text, std::string mergeKey) {
  return {[text = std::move(text)](Workspace& w) { w.text = text; }, "typing", std::move(mergeKey)};
}

Command appendText(std::string base, std::string added) {
  return {[base = std::move(base), added = std::move(added)](Workspace& w) {
            if (w.text == base) w.text += added;
          },
          "continuation", ""};
}

Command newTab(std::string text) {
  return {[text = std::move(text)](Workspace& w) {
            auto texts = allTexts(w);
            if (w.comparison.with > w.tab) ++w.comparison.with;
            texts.insert(texts.begin() + w.tab + 1, text);
            setTexts(w, std::move(texts), w.tab + 1);
          },
          "new text", ""};
}

Command openTab(int tab) {
  return {[tab](Workspace& w) { openTabOf(w, tab); }, "", ""};
}

Command closeTab(int tab) {
  return {[tab](Workspace& w) { closeTabOf(w, tab); }, "closing a text", ""};
}

Command compareWith(int with) {
  return {[with](Workspace& w) {
            const bool exists = with < w.tabCount() && with != w.tab && with >= Comparison::asLoaded;
            w.comparison.with = exists ? with : Comparison::off;
          },
          "", ""};
}

Command setComparisonView(ComparisonView view) {
  return {[view](Workspace& w) { w.comparison.view = view; }, "", ""};
}

Command setModel(std::string model) {
  return {[model = std::move(model)](Workspace& w) {
            if (w.model == model) return;
            w.model = model;
            w.changes.clear();
            if (w.comparison.with == Comparison::asLoaded) w.comparison.with = Comparison::off;
          },
          "model", ""};
}

Command setModelChanges(ModelChanges changes) {
  return {[changes = std::move(changes)](Workspace& w) {
            w.changes = changes;
            if (changes.empty() && w.comparison.with == Comparison::asLoaded)
              w.comparison.with = Comparison::off;
          },
          "changing the model", ""};
}

Command resetModel() { return setModelChanges({}); }

Command setDecoding(Decoding decoding) {
  return {[decoding](Workspace& w) { w.decoding = decoding; }, "decoding", "decoding"};
}

Command addIntervention(Intervention intervention) {
  return {[intervention = std::move(intervention)](Workspace& w) { w.interventions.push_back(intervention); },
          "intervention", ""};
}

Command clearInterventions() {
  return {[](Workspace& w) { w.interventions.clear(); }, "interventions", ""};
}

Command setView(std::string view) {
  return {[view = std::move(view)](Workspace& w) { w.view = view; }, "", ""};
}

Command setStep(int step) {
  return {[step](Workspace& w) { w.step = step, w.view = "step"; }, "", ""};
}

Command select(Selection selection) {
  return {[selection](Workspace& w) { w.selection = selection; }, "", ""};
}

Command selectHead(int layer, int head) {
  return {[=](Workspace& w) {
            w.selection.layer = layer, w.selection.head = head;
            w.settings.attention.heads.clear();
            w.settings.attention.fold = HeadFold::One;
          },
          "", ""};
}

Command selectCell(int query, int key) {
  return {[=](Workspace& w) { w.selection.query = query, w.selection.key = key; }, "", ""};
}

Command selectQuery(int position) {
  return {[=](Workspace& w) { w.selection.query = position; }, "", ""};
}

Command selectDimension(int dimension) {
  return {[=](Workspace& w) { w.selection.dimension = dimension; }, "", ""};
}

Command changeAttention(std::function<void(AttentionSettings&)> change) {
  return {[change = std::move(change)](Workspace& w) { change(w.settings.attention); }, "", ""};
}

Command toggleHead(HeadId head) {
  return {[=](Workspace& w) {
            AttentionSettings& settings = w.settings.attention;
            std::set<HeadId> heads(settings.heads.begin(), settings.heads.end());
            if (heads.empty()) heads.insert({w.selection.layer, w.selection.head});
            if (heads.contains(head) && heads.size() > 1)
              heads.erase(head);
            else
              heads.insert(head);
            settings.heads.assign(heads.begin(), heads.end());
            if (settings.fold == HeadFold::One) settings.fold = HeadFold::Average;
          },
          "", ""};
}

Command chooseHeads(std::vector<HeadId> heads) {
  return changeAttention([heads = std::move(heads)](AttentionSettings& settings) {
    settings.heads = heads;
    if (settings.fold == HeadFold::One) settings.fold = HeadFold::Average;
  });
}

Command compareWith(HeadId head) {
  return changeAttention([=](AttentionSettings& settings) { settings.other = head; });
}

Command zoomAttention(float notches, int total) {
  return changeAttention([=](AttentionSettings& settings) {
    settings.window = zoomed(settings.window, total, notches, 0.5f, 0.5f);
  });
}

Command setAttentionWindow(PositionWindow window) {
  return changeAttention([=](AttentionSettings& settings) { settings.window = window; });
}

Command changePositions(std::function<void(PositionsSettings&)> change) {
  return {[change = std::move(change)](Workspace& w) { change(w.settings.positions); }, "", ""};
}

Command changeResidual(std::function<void(ResidualSettings&)> change) {
  return {[change = std::move(change)](Workspace& w) { change(w.settings.residual); }, "", ""};
}

Command changeNextToken(std::function<void(NextTokenSettings&)> change) {
  return {[change = std::move(change)](Workspace& w) { change(w.settings.nextToken); }, "", ""};
}

Command togglePair(int pair, int width) {
  return changePositions([=](PositionsSettings& settings) {
    const std::vector<int> shown = shownPairs(settings, width);
    std::set<int> pairs(shown.begin(), shown.end());
    if (pairs.contains(pair) && pairs.size() > 1)
      pairs.erase(pair);
    else if (static_cast<int>(pairs.size()) < mostPairs)
      pairs.insert(pair);
    settings.pairs.assign(pairs.begin(), pairs.end());
  });
}

Command scrollTokens(ListWindow window) {
  return {[=](Workspace& w) { w.settings.tokens = window; }, "", ""};
}

Command changeBeamTree(std::function<void(BeamTreeSettings&)> change) {
  return {[change = std::move(change)](Workspace& w) { change(w.settings.beam); }, "", ""};
}

Command toggleFold(std::vector<int> path) {
  return changeBeamTree([path = std::move(path)](BeamTreeSettings& settings) {
    if (std::erase(settings.folded, path) == 0) settings.folded.push_back(path);
  });
}

Command setPrunedShown(int count) {
  return {[=](Workspace& w) { w.settings.prunedShown = count; }, "", ""};
}

Command setFigure(FigureSettings figure) {
  return {[figure = std::move(figure)](Workspace& w) { w.figure = figure; }, "", ""};
}

Command setAppearance(Appearance appearance) {
  return {[appearance](Workspace& w) { w.appearance = appearance; }, "", ""};
}

}  // namespace commands
}  // namespace glassformer
