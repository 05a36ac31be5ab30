#include "app/document/tabs.h"

#include <algorithm>

namespace glassformer {

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

}  // namespace glassformer
