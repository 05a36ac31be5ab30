#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/train/tasks/story.h"
#include "core/train/tasks/translation/clause.h"

namespace glassformer::translation {

/// A sentence written down: its text, and for each word where it stands and what it expresses. Signs are no
/// words.
struct Text {
  std::string text;
  std::vector<ByteRange> words;
  std::vector<Meanings> meanings;
};

/// Words put one after the other. Spaces, the first capital and commas that two clauses share are its work.
class Wording {
 public:
  void say(std::string_view word, Meanings meanings);
  /// All words of the text mean the same: "next to", "nach Hause".
  void sayAll(std::string_view words, Meanings meanings);
  /// One of the languages of a Phrase, piece by piece: the first has `meanings`, the second the next bit.
  void sayPieces(std::string_view pieces, Meanings meanings);
  /// A comma before the next word; none at the beginning or the end of the sentence, and never two.
  void comma() { comma_ = !result_.text.empty(); }
  Text finish(char sign) &&;

 private:
  Text result_;
  bool comma_ = false;
};

}  // namespace glassformer::translation
