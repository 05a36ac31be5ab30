#include "app/document/comparison_commands.h"

#include "app/document/text_commands.h"
#include "app/document/trace_file.h"

namespace glassformer {

std::vector<Compared> comparables(const Workspace& w) {
  std::vector<Compared> with;
  if (isRun(w.model) && w.plan.two) with.push_back(Comparison::otherRun);
  if (!w.changes.empty()) with.push_back(Comparison::asLoaded);
  if (!w.interventions.empty()) with.push_back(Comparison::withoutInterventions);
  if (exists(Comparison::recordedTrace, w)) with.push_back(Comparison::recordedTrace);
  for (int tab = 0; tab < w.tabCount(); ++tab)
    if (tab != w.tab) with.push_back(OtherText{tab});
  return with;
}

bool exists(const Compared& with, const Workspace& w) {
  if (with == Comparison::recordedTrace) return !w.recordedTrace.empty() && !isTraceFile(w.model);
  const auto* text = std::get_if<OtherText>(&with);
  return !text || (text->tab >= 0 && text->tab < w.tabCount() && text->tab != w.tab);
}

namespace commands {

Command compareWith(Compared with) {
  return {[with](Workspace& w) { w.comparison.with = exists(with, w) ? with : Comparison::off; }, "", ""};
}

Command compareWithTrace(const std::filesystem::path& file) {
  const std::string name = std::filesystem::absolute(file).lexically_normal().string();
  return {[name](Workspace& w) {
            if (!isTraceFile(w.model)) {
              w.recordedTrace = name, w.comparison.with = Comparison::recordedTrace;
              return;
            }
            const int open = w.tab;
            openTrace(name).apply(w);
            const Compared with = OtherText{w.tab};
            openTab(open).apply(w);
            if (exists(with, w)) w.comparison.with = with;
          },
          "comparing with a trace", ""};
}

Command forgetTrace() {
  return {[](Workspace& w) {
            w.recordedTrace.clear();
            if (!exists(w.comparison.with, w)) w.comparison.with = Comparison::off;
          },
          "letting go of the trace", ""};
}

Command setComparisonMode(ComparisonMode mode) {
  return {[mode](Workspace& w) { w.comparison.mode = mode; }, "", ""};
}

}  // namespace commands
}  // namespace glassformer
