#include "app/document/trace_file.h"

#include <algorithm>

#include "app/document/model_commands.h"
#include "app/document/tabs.h"
#include "app/document/text_commands.h"

namespace glassformer {

namespace {

// What of a document makes a model compute otherwise: all of decoding, but for the stages of sampling, which
// the logits alone are sent through.
bool computesOtherwise(const Workspace& before, const Workspace& after) {
  Decoding decoding = after.decoding;
  decoding.stages = before.decoding.stages, decoding.seed = before.decoding.seed;
  return decoding != before.decoding || before.changes != after.changes ||
         before.interventions != after.interventions || before.branches != after.branches ||
         before.way != after.way;
}

bool isText(const TabText& tab) {
  return !tab.source.empty() || !(tab.text.empty() || isTraceFile(tab.text));
}

}  // namespace

bool isTraceFile(std::string_view model) {
  return model.ends_with(".npz") || model.ends_with(".safetensors");
}

std::string traceInTab(const std::string& model, const std::string& text) {
  return isTraceFile(text) ? text : model;
}

std::string whyTraceRefuses(const Workspace& before, const Workspace& after) {
  if (!isTraceFile(before.model) || after.model != before.model) return "";
  const std::vector<TabText> tabs = allTabs(after);
  if (std::ranges::any_of(tabs, isText))
    return "Recorded activations have no model: their text cannot be edited.";
  if (std::ranges::count(tabs, TabText("")) > 1)
    return "Recorded activations are compared with others: drop a second file onto the window.";
  if (computesOtherwise(before, after)) return needsWeightsWords;
  return "";
}

Command commands::openTrace(const std::filesystem::path& file) {
  const std::string name = std::filesystem::absolute(file).lexically_normal().string();
  return {[name](Workspace& w) {
            if (!isTraceFile(w.model)) return setModel(name).apply(w);
            const std::vector<TabText> tabs = allTabs(w);
            const auto known = std::ranges::find_if(
                tabs, [&](const TabText& tab) { return traceInTab(w.model, tab.text) == name; });
            if (known != tabs.end())
              openTab(static_cast<int>(known - tabs.begin())).apply(w);
            else
              newTab(TabText(name)).apply(w);
          },
          openingModel, ""};
}

}  // namespace glassformer
