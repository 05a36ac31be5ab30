#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace glassformer {

/// What is written in one tab.
struct TabText {
  TabText() = default;
  TabText(std::string words, std::string read = "") : text(std::move(words)), source(std::move(read)) {}
  TabText(const char* words) : text(words) {}

  std::string text;    ///< what the model writes on, or all it reads
  std::string source;  ///< what an encoder-decoder reads beside it
  bool operator==(const TabText&) const = default;
};

/// Models of the same kind of text share their tabs; a translation is no text to go on with for a model of
/// stories. The name of the desk of a model, "" for all that have none of their own.
std::string deskOf(std::string_view model);
/// What lies on a desk, the prompt of the task it was made for, when a model is opened for the first time;
/// empty: what is written stays.
std::optional<TabText> firstWriting(std::string_view model);
/// What is looked at then.
struct FirstHead {
  int layer = 0, head = 0;
  int query = -1;  ///< as Selection has it
};
/// Empty: what was looked at before.
std::optional<FirstHead> firstHead(std::string_view model);

}  // namespace glassformer
