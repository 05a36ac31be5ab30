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
  returnToTab(w);
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
  returnToTab(w);
  if (!exists(with, w)) with = Comparison::off;
}

bool isAppended(const std::string& text, const std::string& before) {
  return text.size() > before.size() && text.starts_with(before);
}

// Who writes on looks at what is new, and no longer at what was chosen before.
void writeText(Workspace& w, const std::string& text) {
  if (isAppended(text, w.text)) w.selection.query = w.selection.key = -1;
  w.text = text;
}
// What the model wrote from another source, or what stood there at first, says nothing of this one.
void forgetWritten(Workspace& w) {
  if (isOnWay(w))
    w.text = w.way.from.text;
  else if (firstWriting(w.model) == TabText(w.text, w.source))
    w.text.clear();
}
void writeSource(Workspace& w, const std::string& source) {
  if (source != w.source) forgetWritten(w);
  if (isAppended(source, w.source)) w.selection.source = w.selection.sourceKey = -1;
  w.source = source;
}

}  // namespace

namespace commands {

Command setText(std::string text, std::string mergeKey) {
  return {[text = std::move(text)](Workspace& w) { writeText(w, text); }, "typing", std::move(mergeKey)};
}

Command setSource(std::string source, std::string mergeKey) {
  return {[source = std::move(source)](Workspace& w) { writeSource(w, source); }, "typing the source",
          std::move(mergeKey)};
}

Command appendText(std::string base, std::string added, ChosenBy by) {
  return {[base = std::move(base), added = std::move(added), by](Workspace& w) {
            if (w.text != base || added.empty()) return;
            w.selection.query = w.selection.key = -1;
            decodeTo(w, base + added, by);
          },
          "continuation", ""};
}

Command newTab(TabText writing) {
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
