#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// Ids of tokens by their text, which lies in a list beside it: a hash table with open addresses, for
/// vocabularies of hundreds of thousands are built and asked at every keystroke.
class TokenIndex {
 public:
  /// Room for `count` tokens.
  void reserve(std::size_t count);
  /// Id of a token, −1 where there is none. `tokens` is always the same list.
  int find(std::string_view token, const std::vector<std::string>& tokens) const;
  /// Adds tokens[id]. The id of the same text that was added before; −1: there was none.
  int add(int id, const std::vector<std::string>& tokens);

 private:
  struct Slot {
    std::uint32_t hash = 0;
    int id = -1;
  };
  std::size_t slotOf(std::string_view token, std::uint32_t hash,
                     const std::vector<std::string>& tokens) const;
  std::vector<Slot> slots_;  // a power of two, at least twice as many as tokens
};

/// Texts that are recognised wherever they are written out, with their ids.
class WrittenTexts {
 public:
  struct Found {
    int id = -1;
    std::size_t length = 0;
  };
  void add(std::string text, int id);
  /// The longest that begins at a byte; the id is −1 where none does.
  Found longestAt(std::string_view text, std::size_t at) const;
  bool isEmpty() const { return texts_.empty(); }

 private:
  std::vector<std::pair<std::string, int>> texts_;  // in order
  bool begins_[256] = {};                           // whether one begins with a byte
};

}  // namespace glassformer
