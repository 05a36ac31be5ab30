#pragma once
#include <string>
#include <vector>

#include "app/document/command.h"

namespace glassformer {

/// One of a few alternatives that stand side by side: the one that is on, and what choosing it does.
struct Choice {
  std::string label;
  std::string tip;
  bool on;
  Command command;
  Command extended = {};             ///< what a click with Ctrl does; without one the same
  bool isSubtracted = false;         ///< outlined, with a minus before it
  std::string missing = {};          ///< why it cannot be chosen: then it is gray, and this is its tip
  std::vector<Choice> members = {};  ///< of a group that is on: the choice inside it
};

/// What can be chosen of a picture: another one of its view, and how it is drawn.
struct PictureChoices {
  std::vector<Choice> pictures;
  std::vector<std::vector<Choice>> groups;
};

}  // namespace glassformer
