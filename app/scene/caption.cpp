#include "app/scene/caption.h"

#include "app/document/text_edit.h"
#include "app/scene/views.h"

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
  std::string words = "Model " + snapshot.model;
  if (const auto& config = snapshot.config)
    words +=
        " (" + std::to_string(config->layers) + " blocks of " + std::to_string(config->heads) + " heads)";
  return words;
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

std::string captionOf(const View& view, const Scene& scene, const SceneInput& input) {
  std::string caption = view.title;
  if (scene.title.starts_with(view.title))
    caption = scene.title;
  else if (!scene.title.empty())
    caption += ": " + scene.title;
  if (!scene.about.empty()) caption += ", " + scene.about;
  if (input.snapshot.model.empty()) return caption + ".";
  caption += ". " + modelWords(input.snapshot);
  if (input.snapshot.text.empty()) return caption + ".";
  const std::string text = shortened(input.snapshot.text, mostText);
  const bool ends = !text.empty() && std::string_view(".!?").find(text.back()) != std::string_view::npos;
  return caption + ", reading “" + text + (ends ? "”" : "”.");
}

}  // namespace glassformer
