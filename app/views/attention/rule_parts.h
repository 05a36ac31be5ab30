#pragma once
#include <string>

#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// What pictures of rules over many texts share.

/// A rule that the selected head is compared with: a line with its name, what the head shares with it,
/// and how much of the loss it brings back in its place.
struct NamedRow {
  std::string id, meaning;
  TensorRef agreement, recovered;
  bool isChosen = false;
  Command click;
  const char* clickWords = "";  ///< what that does
};
inline constexpr float namedRowHeight = 26;
void addNamedRow(AttentionPicture& picture, const Box& row, const NamedRow& named);
/// What the numbers of such lines are, above them; 20 pixels high.
void addNamedHeads(AttentionPicture& picture, const Box& line);
/// "its pattern is worth 0.056 nats", as soon as that is known, ending at the right of a line; a click shows
/// what every head's is worth.
void addWorth(AttentionPicture& picture, const Box& line);

/// How much room a heading and lines of examples take: as many as a share of `height` has room for, or as are
/// said.
float examplesHeight(float height, float share);
float examplesOfLines(int lines);
/// The texts on which a rule fits the selected head least, below a heading with the choice of texts: a
/// click opens one in the matrix, at the row where both differ most.
void addHeadExamples(AttentionPicture& picture, Box area, const std::string& title);

/// What stands in the place of numbers that are not there.
void addRuleWaiting(AttentionPicture& picture, const Box& area);

}  // namespace glassformer
