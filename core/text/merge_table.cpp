#include "core/text/merge_table.h"

#include <bit>

namespace glassformer {
namespace {

std::uint64_t pairOf(int left, int right) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) |
         static_cast<std::uint32_t>(right);
}

}  // namespace

void MergeTable::reserve(std::size_t count) { slots_.assign(std::bit_ceil(count + count / 2 + 1), {}); }

// Where the pair is, or would be (Fibonacci hashing, Knuth 1973, section 6.4).
std::size_t MergeTable::slotOf(std::uint64_t pair) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = ((pair ^ pair >> 29) * 0x9E3779B97F4A7C15ull >> 20) & mask;
  while (slots_[at].pair != none && slots_[at].pair != pair) at = (at + 1) & mask;
  return at;
}

bool MergeTable::add(Merge pair, RankedMerge merge) {
  const std::uint64_t key = pairOf(pair.left, pair.right);
  Slot& slot = slots_[slotOf(key)];
  if (slot.pair == key) return false;
  slot = {key, merge};
  return true;
}

const RankedMerge* MergeTable::find(int left, int right) const {
  if (slots_.empty()) return nullptr;
  const std::uint64_t key = pairOf(left, right);
  const Slot& slot = slots_[slotOf(key)];
  return slot.pair == key ? &slot.merge : nullptr;
}

}  // namespace glassformer
