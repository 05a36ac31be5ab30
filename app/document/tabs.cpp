#include "app/document/tabs.h"

#include <algorithm>

namespace glassformer {

std::vector<TabText> allTabs(const Workspace& w) {
  std::vector<TabText> tabs;
  for (int i = 0; i < w.tabCount(); ++i) tabs.emplace_back(w.textOfTab(i), w.sourceOfTab(i));
  return tabs;
}

void setTabs(Workspace& w, std::vector<TabText> tabs, int open) {
  w.tab = std::clamp(open, 0, static_cast<int>(tabs.size()) - 1);
  TabText& writing = tabs[static_cast<std::size_t>(w.tab)];
  w.text = std::move(writing.text), w.source = std::move(writing.source);
  tabs.erase(tabs.begin() + w.tab);
  w.aside = std::move(tabs);
}

void leaveTab(Workspace& w) {
  const auto isWritten = [&, tabs = allTabs(w)](const LeftTab& each) {
    return std::ranges::find(tabs, each.writing) != tabs.end();
  };
  const TabText open{w.text, w.source};
  std::erase_if(w.left, [&](const LeftTab& each) { return each.writing == open || !isWritten(each); });
  w.left.push_back({open, w.decoding, w.way});
}

void returnToTab(Workspace& w) {
  const auto found = std::ranges::find(w.left, TabText(w.text, w.source), &LeftTab::writing);
  if (found == w.left.end()) return;
  w.decoding = std::move(found->decoding), w.way = std::move(found->way);
  w.left.erase(found);
}

}  // namespace glassformer
