#pragma once
#include <cstdint>
#include <vector>

namespace glassformer {

/// "left followed by right becomes one token". A merge's place in the list is its rank; lower ranks go first.
struct Merge {
  int left = 0;
  int right = 0;
  bool operator==(const Merge&) const = default;
};

/// What a pair of tokens is joined to.
struct RankedMerge {
  int rank = 0;
  int id = 0;
};

/// Merges by their pairs: a hash table with open addresses, which every pair of neighbors of a text is looked
/// up in.
class MergeTable {
 public:
  /// Room for `count` merges.
  void reserve(std::size_t count);
  /// False where the pair is there already.
  bool add(Merge pair, RankedMerge merge);
  /// Null where the pair is not joined.
  const RankedMerge* find(int left, int right) const;

 private:
  struct Slot {
    std::uint64_t pair = none;
    RankedMerge merge;
  };
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::size_t slotOf(std::uint64_t pair) const;
  std::vector<Slot> slots_;  // a power of two, more than there are merges
};

}  // namespace glassformer
