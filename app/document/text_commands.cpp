#include "app/document/text_commands.h"

#include "app/document/comparison_commands.h"
#include "app/document/tabs.h"

namespace glassformer {

namespace {

// A comparison follows the tabs it is about; opening the text compared with compares the other way round.
void openTabOf(Workspace& w, int tab) {
  if (tab < 0 || tab >= w.tabCount() || tab == w.tab) return;
  if (w.comparison.otherTab() == tab) w.comparison.with = OtherText{w.tab};
  setTabs(w, allTabs(w), tab);
}

void closeTabOf(Workspace& w, int tab) {
  if (tab < 0 || tab >= w.tabCount()) return;
  if (w.tabCount() == 1) return w.text.clear(), w.source.clear();
  Compared& with = w.comparison.with;
  if (with == Compared(OtherText{tab})) with = Comparison::off;
  if (auto* text = std::get_if<OtherText>(&with); text && text->tab > tab) --text->tab;
  auto tabs = allTabs(w);
  tabs.erase(tabs.begin() + tab);
  setTabs(w, std::move(tabs), tab < w.tab ? w.tab - 1 : w.tab);
  if (!exists(with, w)) with = Comparison::off;
}

}  // namespace

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
            if (w.text == base && !added.empty()) decodeTo(w, base + added);
          },
          "continuation", ""};
}

Command newTab(Writing writing) {
  return {[writing = std::move(writing)](Workspace& w) {
            auto tabs = allTabs(w);
            if (auto* text = std::get_if<OtherText>(&w.comparison.with); text && text->tab > w.tab)
              ++text->tab;
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

}  // namespace commands
}  // namespace glassformer
