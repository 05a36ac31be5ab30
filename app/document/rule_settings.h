#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/document/command.h"
#include "app/document/workspace.h"

namespace glassformer {

/// What ViewSettings::choices calls the number that is shown of every head: what it shares with the
/// rule, or how much of the loss that brings back in its place, or what its pattern is worth.
inline constexpr const char *benchNumber = "attention.hypothesis_number", *benchRecovered = "recovered",
                            *benchWorth = "worth";

/// The rule that heads are compared with: the last one chosen, else the first that has a name.
std::string ruleAsked(const Workspace& workspace);

namespace commands {

/// Chooses an attention rule. All of one gesture is undone together.
Command sayRule(std::string text, std::string gesture = "");
/// The same, and compares every head with it over many texts.
Command testRule(std::string text);
/// Makes queries look at keys in a rule of pairs, or no longer; any other rule makes place for one. All of
/// one stroke is undone together.
Command paintPairs(std::vector<std::pair<int, int>> queriesAndKeys, bool on, std::string stroke = "");
/// Shows the matrix, whose cells are then painted as pairs, and the mask is not.
Command paintRule(bool on);

}  // namespace commands
}  // namespace glassformer
