#include "app/document/command.h"

#include <algorithm>
#include <set>

namespace glassformer {

Workspace initialWorkspace() {
  Workspace workspace;
  workspace.text = "The animal didn't cross the street because it was too tired.";
  return workspace;
}

std::string nameOf(DecodingStrategy strategy) {
  switch (strategy) {
    case DecodingStrategy::Greedy:
      return "greedy decoding";
    case DecodingStrategy::Sampling:
      return "sampling";
    case DecodingStrategy::Beam:
      return "beam search";
  }
  return "";
}

namespace {

std::vector<Writing> allTabs(const Workspace& w) {
  std::vector<Writing> tabs;
  for (int i = 0; i < w.tabCount(); ++i) tabs.emplace_back(w.textOfTab(i), w.sourceOfTab(i));
  return tabs;
}

void setTabs(Workspace& w, std::vector<Writing> tabs, int open) {
  w.tab = std::clamp(open, 0, static_cast<int>(tabs.size()) - 1);
  Writing& writing = tabs[static_cast<std::size_t>(w.tab)];
  w.text = std::move(writing.text), w.source = std::move(writing.source);
  tabs.erase(tabs.begin() + w.tab);
  w.aside = std::move(tabs);
}

// A comparison follows the tabs it is about; opening the text compared with compares the other way round.
void openTabOf(Workspace& w, int tab) {
  if (tab < 0 || tab >= w.tabCount() || tab == w.tab) return;
  if (w.comparison.with == tab) w.comparison.with = w.tab;
  setTabs(w, allTabs(w), tab);
}

void closeTabOf(Workspace& w, int tab) {
  if (tab < 0 || tab >= w.tabCount()) return;
  if (w.tabCount() == 1) return w.text.clear(), w.source.clear();
  int& with = w.comparison.with;
  if (with == tab)
    with = Comparison::off;
  else if (with > tab)
    --with;
  auto tabs = allTabs(w);
  tabs.erase(tabs.begin() + tab);
  setTabs(w, std::move(tabs), tab < w.tab ? w.tab - 1 : w.tab);
  if (with == w.tab) with = Comparison::off;
}

// A desk where nobody has worked yet: the model's first text, and what suits it.
void beginDesk(Workspace& w, const std::string& model) {
  setTabs(w, {firstWriting(model).value_or(Writing(initialWorkspace().text))}, 0);
  w.decoding = {}, w.selection = {};
  if (const auto head = firstHead(model)) w.selection.layer = head->first, w.selection.head = head->second;
  if (w.source.empty()) return;
  constexpr int sentence = 24;  // tokens: what is written from a source is written to its end
  w.selection.site = AttentionSite::Across;
  w.decoding.depth = sentence;
}

// The desk of the model that is left is kept; that of the new one comes back, or a fresh one.
void exchangeDesks(Workspace& w, const std::string& model) {
  const std::string before = deskOf(w.model), after = deskOf(model);
  if (before == after) return;
  w.desks[before] = {allTabs(w), w.tab, w.decoding, w.selection};
  w.comparison.with = Comparison::off;
  const auto kept = w.desks.find(after);
  if (kept == w.desks.end()) return beginDesk(w, model);
  const Desk desk = std::move(kept->second);
  w.desks.erase(kept);
  w.decoding = desk.decoding, w.selection = desk.selection;
  setTabs(w, desk.tabs, desk.open);
}

}  // namespace

std::vector<int> comparables(const Workspace& w) {
  std::vector<int> with;
  if (isRun(w.model) && w.plan.two) with.push_back(Comparison::otherRun);
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

Command setSource(std::string source, std::string mergeKey) {
  return {[source = std::move(source)](Workspace& w) { w.source = source; }, "typing the source",
          std::move(mergeKey)};
}

Command appendText(std::string base, std::string added) {
  return {[base = std::move(base), added = std::move(added)](Workspace& w) {
            if (w.text == base) w.text += added;
          },
          "continuation", ""};
}

Command newTab(Writing writing) {
  return {[writing = std::move(writing)](Workspace& w) {
            auto tabs = allTabs(w);
            if (w.comparison.with > w.tab) ++w.comparison.with;
            tabs.insert(tabs.begin() + w.tab + 1, writing);
            setTabs(w, std::move(tabs), w.tab + 1);
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
            const bool exists = with < w.tabCount() && with != w.tab && with >= Comparison::otherRun;
            w.comparison.with = exists ? with : Comparison::off;
          },
          "", ""};
}

Command setComparisonView(ComparisonView view) {
  return {[view](Workspace& w) { w.comparison.view = view; }, "", ""};
}

Command setModel(std::string model, ModelChanges changes) {
  return {[model = std::move(model), changes = std::move(changes)](Workspace& w) {
            if (w.model == model) return;
            exchangeDesks(w, model);
            w.model = model;
            w.changes = changes;
            w.interventions.clear();  // they name parts of the model that was open
            w.settings.training.at = TrainingSettings::newest, w.schedules = {};
            const int with = w.comparison.with;
            if (with == Comparison::asLoaded || with == Comparison::otherRun)
              w.comparison.with = Comparison::off;
          },
          openingModel, ""};
}

Command setModelChanges(ModelChanges changes, std::string gesture) {
  return {[changes = std::move(changes)](Workspace& w) {
            w.changes = changes;
            if (changes.empty() && w.comparison.with == Comparison::asLoaded)
              w.comparison.with = Comparison::off;
          },
          "changing the model", std::move(gesture), true};
}

Command resetModel() { return setModelChanges({}); }

Command setDecoding(Decoding decoding, std::string undoName, std::string gesture) {
  return {[decoding](Workspace& w) { w.decoding = decoding; }, std::move(undoName), std::move(gesture), true};
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

Command setStep(std::string step) {
  return {[step = std::move(step)](Workspace& w) { w.step = step, w.view = "step"; }, "", ""};
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

Command selectHead(HeadId head) {
  return {[=, alone = selectHead(head.layer, head.head).apply](Workspace& w) {
            w.selection.site = head.site;
            alone(w);
          },
          "", ""};
}

Command selectSite(AttentionSite site) {
  return {[=](Workspace& w) {
            w.selection.site = site;
            w.settings.attention.heads.clear();
            w.settings.attention.window = {};
          },
          "", ""};
}

Command selectCell(int query, int key, AttentionSite site) {
  return {[=](Workspace& w) {
            Selection& chosen = w.selection;
            (queriesOf(site) == Stream::Text ? chosen.query : chosen.source) = query;
            (keysOf(site) == Stream::Text    ? chosen.key
             : site == AttentionSite::Across ? chosen.source
                                             : chosen.sourceKey) = key;
          },
          "", ""};
}

Command selectQuery(int position, Stream stream) {
  return {[=](Workspace& w) { (stream == Stream::Text ? w.selection.query : w.selection.source) = position; },
          "", ""};
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
            std::erase_if(heads, [&](HeadId other) { return other.site != head.site; });
            if (heads.empty()) heads.insert({w.selection.layer, w.selection.head, head.site});
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

Command changeInfluence(std::function<void(InfluenceSettings&)> change) {
  return {[change = std::move(change)](Workspace& w) { change(w.settings.influence); }, "", ""};
}

Command changeTraining(std::function<void(TrainingSettings&)> change) {
  return {[change = std::move(change)](Workspace& w) { change(w.settings.training); }, "", ""};
}

Command showStepOfRun(int step) {
  return changeTraining([step](TrainingSettings& s) { s.at = step; });
}

Command setSchedule(int side, std::string schedule, std::string mergeKey) {
  return {[side, schedule = std::move(schedule)](Workspace& w) {
            for (int i = 0; i < static_cast<int>(w.schedules.size()); ++i)
              if (side == bothSides || side == i) w.schedules[static_cast<std::size_t>(i)] = schedule;
          },
          "changing the schedule", std::move(mergeKey)};
}

Command setPlan(TrainingPlan plan) {
  return {[plan = std::move(plan)](Workspace& w) { w.plan = plan; }, "", ""};
}

Command changeLandscape(std::function<void(LandscapeSettings&)> change) {
  return {[change = std::move(change)](Workspace& w) { change(w.settings.landscape); }, "", ""};
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
