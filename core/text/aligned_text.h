#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// A text while it is rewritten, and where in the original each of its bytes comes from: token ranges refer
/// to the original, however often it was rewritten.
class AlignedText {
 public:
  /// Bytes of the original, from one up to another.
  struct Origin {
    std::uint32_t begin = 0, end = 0;
    bool operator==(const Origin&) const = default;
  };
  explicit AlignedText(std::string text = "") : text_(std::move(text)) {}

  const std::string& text() const { return text_; }
  std::size_t size() const { return text_.size(); }
  Origin originOf(std::size_t byte) const {
    return origins_.empty() ? Origin{static_cast<std::uint32_t>(byte), static_cast<std::uint32_t>(byte + 1)}
                            : origins_[byte];
  }
  /// Byte of the original at which the first `bytes` end.
  std::size_t endOf(std::size_t bytes) const { return bytes == 0 ? 0 : originOf(bytes - 1).end; }
  /// Bytes from one up to another; they keep their origins.
  AlignedText part(std::size_t begin, std::size_t end) const;

 private:
  friend class Rewriting;
  std::string text_;
  std::vector<Origin> origins_;  // empty: every byte is at its own place
};

/// Writes the next form of a text, from left to right. What is removed belongs to the character before it.
class Rewriting {
 public:
  explicit Rewriting(const AlignedText& from) : from_(from) {
    made_.text_.reserve(from.size());
    made_.origins_.reserve(from.size());
  }
  /// First byte of the text that has not been rewritten yet.
  std::size_t at() const { return at_; }
  /// The bytes up to `end` stay.
  void keep(std::size_t end);
  /// The bytes up to `end` become `by`.
  void replace(std::size_t end, std::string_view by);
  /// Leaves out the bytes up to `end`, which belong to no token.
  void skip(std::size_t end) { at_ = end; }
  void insert(std::string_view added) { replace(at_, added); }
  std::size_t size() const { return made_.size(); }
  AlignedText done() && { return std::move(made_); }

 private:
  AlignedText::Origin originOf(std::size_t end) const;

  const AlignedText& from_;
  AlignedText made_;
  std::size_t at_ = 0;
};

}  // namespace glassformer
