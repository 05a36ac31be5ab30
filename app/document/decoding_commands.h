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
/// Without what the continuation has to be.
Command liftConstraint(Decoding decoding);
/// Takes a token out of all that may come, by its label, or takes that back.
Command banOrAllow(int token, const std::string& label, Decoding decoding);
/// To a prefix of the text that was decoded.
Command goToPrefix(std::string text);
/// Ends the text at this prefix of it, so that it is gone on with by the settings of now.
Command decodeAgainFrom(std::string text);
/// Another token than the one that decoding would take: cuts the text at this prefix of it, and puts it
/// there.
Command forceToken(std::string prefix, std::string bytes, const std::string& label);
/// To a hypothesis of the tree that grows from `root`: that and what it adds. The tree stays.
Command lookAt(const std::string& root, const std::string& added);
/// The tree grows from the open text again.
Command searchFromHere();
/// Shows the branches of a node, named by its tokens from the text on, or leaves them out.
Command toggleFold(std::vector<int> path);

}  // namespace commands
}  // namespace glassformer
