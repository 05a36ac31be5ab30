#pragma once
#include <string>
#include <vector>

#include "app/document/command.h"

namespace glassformer {

struct Decoding;

namespace commands {

/// `undoName` says what of it: "temperature 0.8"; with a `gesture` of its own, however long that takes, it is
/// undone at once.
Command setDecoding(Decoding decoding, std::string undoName, std::string gesture = "");
/// Shows the branches of a node, named by its tokens from the text on, or leaves them out.
Command toggleFold(std::vector<int> path);

}  // namespace commands
}  // namespace glassformer
