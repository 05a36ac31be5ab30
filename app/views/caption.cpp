#include "app/views/caption.h"

#include "app/document/text_edit.h"
#include "app/drawing/place_names.h"
#include "app/engine/question.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

constexpr std::size_t mostText = 100;

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

// Bytes of the first `count` characters.
std::size_t bytesOf(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && count-- == 0) break;
  return at;
}

std::string modelWords(const Snapshot& snapshot) {
  std::string words = "Model " + snapshot.model->name;
  if (const auto& config = snapshot.model->config) words += " (" + blocksWords(*config) + ")";
  if (const ShownTraining& shown = *snapshot.training; shown.run)
    words += " after step " + std::to_string(shown.step) + " of " + std::to_string(shown.run->steps);
  return words;
}

constexpr std::string_view quote = "”";

std::string quoted(const std::string& text) { return "“" + shortened(text, mostText) + std::string(quote); }

bool isSubtracted(const SceneInput& input) { return showsDifference(input.workspace, input.snapshot); }

// Which models are compared; empty where it is one.
std::string modelsWords(const SceneInput& input) {
  const Compared& with = input.workspace.comparison.with;
  const auto &config = input.snapshot.model->config, &loaded = input.snapshot.model->loadedConfig;
  if (with == Comparison::asLoaded && config && loaded)
    return "the model with " + changesInWords(input.workspace.changes, *loaded, *config) +
           (isSubtracted(input) ? " minus as loaded" : " and as loaded");
  if (with == Comparison::recordedTrace)
    return (isSubtracted(input) ? "the model minus " : "the model and by ") +
           input.snapshot.other->model->name + ", recorded";
  const auto& run = input.snapshot.training->run;
  if (with == Comparison::otherRun && run && run->other)
    return "the model with " + run->side.words +
           (isSubtracted(input) ? " minus that with " : " and that with ") + run->other->words;
  return "";
}

// The text, and what it is compared with.
std::string textWords(const SceneInput& input) {
  const Comparison& comparison = input.workspace.comparison;
  const ShownPass& shown = *input.snapshot.pass;
  const std::string written = shown.text.empty() ? "" : ", writing " + quoted(shown.text);
  std::string mine = shown.source.empty() ? quoted(shown.text) : quoted(shown.source) + written;
  if (!comparison.isOn() || !input.snapshot.other) return mine;
  const bool subtracted = isSubtracted(input);
  if (comparison.with == Comparison::withoutInterventions)
    return mine + (subtracted ? " with interventions minus without" : " with interventions and without");
  const std::string& theirs = input.snapshot.other->pass->text;
  const bool readOther = comparison.with == Comparison::recordedTrace && theirs != shown.text;
  if (const std::string models = modelsWords(input); !models.empty())
    return mine + " by " + models + (readOther ? " from " + quoted(theirs) : "");
  return mine + (subtracted ? " minus " : " next to ") + quoted(input.snapshot.other->pass->text);
}

}  // namespace

std::string shortened(const std::string& text, std::size_t most) {
  std::string line = displayable(text);
  for (char& c : line)
    if (c == '\n') c = ' ';
  if (characters(line) <= most) return line;
  const std::size_t end = bytesOf(line, most - 1);
  const std::size_t space = line.rfind(' ', end);
  return line.substr(0, space == std::string::npos || space == 0 ? end : space) + " …";
}

namespace {

std::string captionWithout(const View& view, const Scene& scene, const SceneInput& input) {
  std::string caption = view.title;
  if (scene.title.starts_with(view.title))
    caption = scene.title;
  else if (!scene.title.empty())
    caption += ": " + scene.title;
  if (!scene.about.empty()) caption += ", " + scene.about;
  if (caption.ends_with('.')) caption.pop_back();  // an empty scene's reason is a sentence
  if (input.snapshot.model->name.empty()) return caption + ".";
  caption += ". " + modelWords(input.snapshot);
  if (view.reads == Reads::Nothing) {
    const bool compares = input.workspace.comparison.isOn() && input.snapshot.other;
    const std::string models = compares ? modelsWords(input) : "";
    return caption + (models.empty() ? "" : ": " + models) + ".";
  }
  if (input.snapshot.pass->text.empty() && input.snapshot.pass->source.empty()) return caption + ".";
  const std::string words = textWords(input);
  const std::string_view last = std::string_view(words).substr(0, words.size() - quote.size());
  const bool ends = words.ends_with(quote) && !last.empty() &&
                    std::string_view(".!?").find(last.back()) != std::string_view::npos;
  return caption + ", reading " + words + (ends ? "" : ".");
}

}  // namespace

std::string captionOf(const View& view, const Scene& scene, const SceneInput& input) {
  const std::string asked =
      questionSentence(questionOf(input.workspace, input.snapshot, neededFor(input.workspace)));
  return captionWithout(view, scene, input) + (asked.empty() ? "" : " " + asked);
}

}  // namespace glassformer
