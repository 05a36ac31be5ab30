#pragma once
#include <span>
#include <string_view>

#include "app/document/command.h"

namespace glassformer {

/// A text that shows something of a model that ships, with the picture that it is seen in. What `meaning`
/// says becomes of it, a test computes.
struct PreparedText {
  std::string_view label, meaning;
  std::string_view model;         ///< a built-in one's name
  std::string_view source, text;  ///< what it reads, and goes on with
  void (*arrange)(Workspace&);
};

std::span<const PreparedText> preparedTexts();
/// Greedy decoding ends in a sentence that is less probable than the one that a beam finds.
const PreparedText& whereGreedyLoses();

namespace commands {

/// Opens the model as it was loaded, and the text in a tab of its own, or where it stands already.
Command openPrepared(const PreparedText& text);

}  // namespace commands
}  // namespace glassformer
