#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// A text in Unicode's composed form (NFC), and where its bytes come from. Where composing changes something,
/// the bytes from one plain ASCII character to the next come from all of that stretch together.
class ComposedText {
 public:
  explicit ComposedText(std::string_view text);

  const std::string& text() const { return text_; }
  /// Where in the original the first `bytes` of the composed text end; within what was changed, behind it.
  std::size_t originOf(std::size_t bytes) const;

 private:
  struct Change {  // a stretch of the composed text, and of the original
    std::size_t begin, end, from, to;
  };
  std::string text_;
  std::vector<Change> changes_;
};

}  // namespace glassformer
