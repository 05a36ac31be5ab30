#include "app/document/model_commands.h"

#include "app/document/intervention_list.h"
#include "app/document/tabs.h"
#include "app/document/trace_file.h"

namespace glassformer {

namespace {

// A desk where nobody has worked yet: the model's first text, and what suits it.
void beginDesk(Workspace& w, const std::string& model) {
  setTabs(w, {firstWriting(model).value_or(TabText(initialWorkspace().text))}, 0);
  w.decoding = {}, w.selection = {}, w.branches.clear(), w.way = {}, w.left.clear();
  if (const auto first = firstHead(model))
    w.selection.layer = first->layer, w.selection.head = first->head, w.selection.query = first->query;
  if (w.source.empty()) return;
  constexpr int sentence = 24;  // tokens: what is written from a source is written to its end
  w.selection.site = AttentionSite::Cross;
  w.decoding.depth = sentence;
}

// The desk of the model that is left is kept; that of the new one comes back, or a fresh one.
void exchangeDesks(Workspace& w, const std::string& model) {
  const std::string before = deskOf(w.model), after = deskOf(model);
  if (isTraceFile(w.model) && isTraceFile(model)) return beginDesk(w, model);
  if (before == after) return;
  if (!isTraceFile(w.model))
    w.desks[before] = {allTabs(w), w.tab, w.decoding, w.selection, w.branches, w.way, w.left};
  w.comparison.with = Comparison::off;
  const auto kept = w.desks.find(after);
  if (kept == w.desks.end()) return beginDesk(w, model);
  const TabGroup desk = std::move(kept->second);
  w.desks.erase(kept);
  w.decoding = desk.decoding, w.selection = desk.selection, w.branches = desk.branches;
  w.way = desk.way, w.left = desk.left;
  setTabs(w, desk.tabs, desk.open);
}

}  // namespace

namespace commands {

Command setModel(std::string model, ModelChanges changes) {
  return {[model = std::move(model), changes = std::move(changes)](Workspace& w) {
            if (w.model == model) return;
            exchangeDesks(w, model);
            w.model = model;
            w.changes = changes;
            removeInterventions(w);  // they name parts of the model that was open
            w.settings.training.at = TrainingSettings::newest, w.schedules = {};
            const Compared with = w.comparison.with;
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

}  // namespace commands
}  // namespace glassformer
