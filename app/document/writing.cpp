#include "app/document/writing.h"

namespace glassformer {

namespace {

struct FirstWriting {
  std::string_view model;
  const char *text, *source;
};

constexpr FirstWriting table[] = {
    // The verb of the clause moves to the end: that is what comes next.
    {"translate", "Anna sagt, dass er das Fenster", "Anna says that he opened the window."},
    // Another adjective at the end, and it is the dog.
    {"fill",
     "The dog didn't cross the river because it was too deep. What was too deep? The <|mask|> was too deep.",
     ""},
};

// A built-in model's name, or that of its folder.
const FirstWriting* find(std::string_view model) {
  while (model.ends_with('/')) model.remove_suffix(1);
  model.remove_prefix(model.rfind('/') + 1);
  for (const FirstWriting& each : table)
    if (each.model == model) return &each;
  return nullptr;
}

}  // namespace

std::string deskOf(std::string_view model) {
  const FirstWriting* found = find(model);
  return found ? std::string(found->model) : "";
}

std::optional<Writing> firstWriting(std::string_view model) {
  const FirstWriting* found = find(model);
  if (!found) return std::nullopt;
  return Writing(found->text, found->source);
}

}  // namespace glassformer
