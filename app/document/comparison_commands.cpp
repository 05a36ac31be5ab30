#include "app/document/comparison_commands.h"

namespace glassformer {

std::vector<Compared> comparables(const Workspace& w) {
  std::vector<Compared> with;
  if (isRun(w.model) && w.plan.two) with.push_back(Comparison::otherRun);
  if (!w.changes.empty()) with.push_back(Comparison::asLoaded);
  if (!w.interventions.empty()) with.push_back(Comparison::withoutInterventions);
  for (int tab = 0; tab < w.tabCount(); ++tab)
    if (tab != w.tab) with.push_back(OtherText{tab});
  return with;
}

bool exists(const Compared& with, const Workspace& w) {
  const auto* text = std::get_if<OtherText>(&with);
  return !text || (text->tab >= 0 && text->tab < w.tabCount() && text->tab != w.tab);
}

namespace commands {

Command compareWith(Compared with) {
  return {[with](Workspace& w) { w.comparison.with = exists(with, w) ? with : Comparison::off; }, "", ""};
}

Command setComparisonView(ComparisonView view) {
  return {[view](Workspace& w) { w.comparison.view = view; }, "", ""};
}

}  // namespace commands
}  // namespace glassformer
