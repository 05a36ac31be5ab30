#include "core/text/token_index.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace glassformer {
namespace {

std::uint32_t tokenHash(std::string_view token) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(token));
}

}  // namespace

void TokenIndex::reserve(std::size_t count) { slots_.assign(std::bit_ceil(2 * count + 1), {}); }

// Where the token is, or would be.
std::size_t TokenIndex::slotOf(std::string_view token, std::uint32_t hash,
                               const std::vector<std::string>& tokens) const {
  std::size_t at = hash & (slots_.size() - 1);
  const auto isOther = [&](const Slot& slot) {
    return slot.id >= 0 && (slot.hash != hash || tokens[static_cast<std::size_t>(slot.id)] != token);
  };
  while (isOther(slots_[at])) at = (at + 1) & (slots_.size() - 1);
  return at;
}

int TokenIndex::find(std::string_view token, const std::vector<std::string>& tokens) const {
  return slots_.empty() ? -1 : slots_[slotOf(token, tokenHash(token), tokens)].id;
}

int TokenIndex::add(int id, const std::vector<std::string>& tokens) {
  const std::string& token = tokens[static_cast<std::size_t>(id)];
  const std::uint32_t hash = tokenHash(token);
  Slot& slot = slots_[slotOf(token, hash, tokens)];
  if (slot.id >= 0) return slot.id;
  slot = {hash, id};
  return -1;
}

void WrittenTexts::add(std::string text, int id) {
  if (text.empty()) return;
  begins_[static_cast<unsigned char>(text.front())] = true;
  const auto place = std::ranges::lower_bound(texts_, text, {}, &std::pair<std::string, int>::first);
  if (place == texts_.end() || place->first != text) texts_.emplace(place, std::move(text), id);
}

// Of all texts with the same beginning the shortest comes first, and is done once it has been seen.
WrittenTexts::Found WrittenTexts::longestAt(std::string_view text, std::size_t at) const {
  Found longest;
  if (!begins_[static_cast<unsigned char>(text[at])]) return longest;
  auto first = texts_.begin(), last = texts_.end();
  for (std::size_t length = 0; first != last; ++length) {
    if (first->first.size() == length) longest = {first->second, length}, ++first;
    if (at + length == text.size()) break;
    const auto next = [length](const auto& one) { return static_cast<unsigned char>(one.first[length]); };
    const auto same =
        std::ranges::equal_range(first, last, static_cast<unsigned char>(text[at + length]), {}, next);
    first = same.begin(), last = same.end();
  }
  return longest;
}

}  // namespace glassformer
