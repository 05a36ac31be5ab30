#pragma once
#include <string>
#include <string_view>

#include "app/document/command.h"
#include "app/document/tokenized_text.h"

namespace glassformer {

/// Edits by token are edits of the text's bytes, spliced exactly: a token may be part of a character, and so
/// may what is left of it. The text is then cut into tokens anew, and neighbours may come together
/// differently than before ("·wa" in front of "rm" becomes "·warm"); that is what the model reads, so it is
/// what is shown.
///
/// Places between tokens are gaps: gap i is before token i, the last one at the end of the text. A token or
/// gap that does not exist leaves the text as it is.

std::string withTokenReplaced(const TokenizedText& text, int token, std::string_view bytes);
std::string withBytesInserted(const TokenizedText& text, int gap, std::string_view bytes);
/// Takes the token out and puts it into a gap; its own two gaps change nothing.
std::string withTokenMoved(const TokenizedText& text, int token, int gap);

namespace commands {

/// Each selects the token that it changed, as far as the new tokens are those one expects, and does nothing
/// where the text is no longer the one whose tokens are meant.
Command replaceToken(const TokenizedText& text, int token, std::string_view bytes);
Command insertToken(const TokenizedText& text, int gap, std::string_view bytes);
Command deleteToken(const TokenizedText& text, int token);
Command moveToken(const TokenizedText& text, int token, int gap);

}  // namespace commands
}  // namespace glassformer
