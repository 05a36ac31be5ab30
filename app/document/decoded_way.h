#pragma once
#include <string>
#include <string_view>

#include "app/document/writing.h"

namespace glassformer {

struct Content;

/// A text that was decoded token by token: where that began, and how far it got. Every place between the two
/// can be gone to, and what was decoded behind it stays; as soon as the open text is none of these places any
/// more, it is not on the way.
struct DecodedWay {
  Writing from;    ///< before anything was decoded
  std::string to;  ///< with all that was decoded: from.text is how it begins
  /// While a hypothesis of a beam is looked at: the text that the tree grows from. Else it grows from the
  /// open text.
  std::string root;
  bool isRooted = false;

  /// Whether a text is one of its places, as far as bytes can tell.
  bool leadsThrough(std::string_view text, std::string_view source) const {
    return to.size() > from.text.size() && source == from.source && to.starts_with(text) &&
           text.starts_with(from.text);
  }
  /// The text that the tree grows from while this one is open.
  std::string_view searchedFrom(std::string_view text, std::string_view source) const {
    return isRooted && leadsThrough(text, source) && text.starts_with(root) ? std::string_view(root) : text;
  }
  bool operator==(const DecodedWay&) const = default;
};

/// Whether the open text is on its way.
bool isOnWay(const Content& content);
/// The open text goes on to `text`, which begins with it: what lies behind on the way stays, where it is the
/// same.
void decodeTo(Content& content, std::string text);
/// To another place of the way; the tree stays where it grows from, if that is still before the text.
void goAlongWay(Content& content, std::string text);
/// To a hypothesis of the tree that grows from `root`, which stays.
void lookAtHypothesis(Content& content, std::string root, std::string text);

}  // namespace glassformer
