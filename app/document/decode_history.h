#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/document/decoding.h"
#include "app/document/tab_text.h"

namespace glassformer {

struct Content;

/// Who chose a token: a strategy, in the order of DecodingStrategy, or a person.
enum class ChosenBy { Greedy, Sampling, Beam, Hand };
inline ChosenBy chosenBy(DecodingStrategy strategy) { return static_cast<ChosenBy>(strategy); }

/// Tokens in a row that were decoded alike: from the end of the stretch before.
struct DecodedStretch {
  std::size_t end = 0;  ///< in bytes of the text
  ChosenBy by = ChosenBy::Greedy;
  Decoding decoding;  ///< the settings at that time
  bool operator==(const DecodedStretch&) const = default;
};

/// A text that was decoded token by token: where that began, and how far it got. Every place between the two
/// can be gone to, and what was decoded behind it stays; as soon as the open text is none of these places any
/// more, it is not on the way.
struct DecodeHistory {
  TabText from;    ///< before anything was decoded
  std::string to;  ///< with all that was decoded: from.text is how it begins
  /// While a hypothesis of a beam is looked at: the text that the tree grows from. Else it grows from the
  /// open text.
  std::string root;
  bool isRooted = false;
  std::vector<DecodedStretch> stretches = {};  ///< of from.text to `to`, in order

  /// How the byte at this place was decoded; null: it was not, or nobody noted it.
  const DecodedStretch* stretchAt(std::size_t byte) const;
  /// Notes how the text from `begin` to `end` was decoded; later stretches stay as far as `to` reaches.
  void note(std::size_t begin, const DecodedStretch& stretch);
  /// Whether a text is one of its places, as far as bytes can tell.
  bool leadsThrough(std::string_view text, std::string_view source) const {
    return to.size() > from.text.size() && source == from.source && to.starts_with(text) &&
           text.starts_with(from.text);
  }
  /// How this text went on; null: it is no place of the way, it is the last one, or nobody noted it.
  const DecodedStretch* goneOnBehind(std::string_view text, std::string_view source) const {
    return leadsThrough(text, source) && text.size() < to.size() ? stretchAt(text.size()) : nullptr;
  }
  /// The text that the tree grows from while this one is open.
  std::string_view searchedFrom(std::string_view text, std::string_view source) const {
    return isRooted && leadsThrough(text, source) && text.starts_with(root) ? std::string_view(root) : text;
  }
  bool operator==(const DecodeHistory&) const = default;
};

/// Whether the open text is on its way.
bool isOnWay(const Content& content);
/// The open text goes on to `text`, which begins with it. The settings of now are noted for what is new; what
/// lies behind on the way stays, where it is the same.
void decodeTo(Content& content, std::string text, ChosenBy by);
/// To another place of the way; the tree stays where it grows from, if that is still before the text.
void goAlongWay(Content& content, std::string text);
/// The text ends at `text`, a place of the way, and nothing lies behind it any more.
void endWayAt(Content& content, std::string text);
/// To a hypothesis of the tree that grows from `root`, which stays.
void lookAtHypothesis(Content& content, std::string root, std::string text);

}  // namespace glassformer
