#include "core/lens/attention_rule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>
#include <set>

namespace glassformer {

namespace {

using Pairs = std::set<std::pair<int, int>>;  // of query and key

constexpr NamedRule subject{
    "subject", "subject",
    "Attends to the word after the article that began the sentence, or the last that had one.",
    "C[t, s] = [s = max {r <= t : word r - 1 is an article that begins a sentence}]"};

// The last key that t sees behind an article which begins the text or follows the end of a sentence.
std::vector<int> subjectOf(const RuleContext& over, int t) {
  constexpr std::array articles{"the", "a", "an", "der", "die", "das", "ein", "eine"};
  constexpr std::array ends{".", "!", "?", "<|endoftext|>"};
  const auto has = [](const auto& list, const std::string& word) {
    return std::ranges::find(list, word) != list.end();
  };
  for (int s = over.keyCount() - 1; s > 0; --s) {
    const auto at = static_cast<std::size_t>(s);
    if (over.sees(t, s) && has(articles, over.keys.words[at - 1]) &&
        (s == 1 || has(ends, over.keys.texts[at - 2])))
      return {s};
  }
  return {};
}

std::vector<int> everyKey(const RuleContext& over, int /*t*/) {
  std::vector<int> keys(static_cast<std::size_t>(over.keyCount()));
  std::iota(keys.begin(), keys.end(), 0);
  return keys;
}

// Nothing where the text is not of that form.
std::optional<Pairs> readPairs(std::string_view text) {
  const auto took = [&](std::string_view sign) {
    text = trimmed(text);
    const bool isNext = text.starts_with(sign);
    if (isNext) text.remove_prefix(sign.size());
    return isNext;
  };
  const auto number = [&]() -> std::optional<int> {
    text = trimmed(text);
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  };
  Pairs pairs;
  if (!took("pairs") || !took("{")) return std::nullopt;
  if (!took("}")) {
    do {
      const auto query = number();
      const auto key = query && took(":") ? number() : std::nullopt;
      if (!key) return std::nullopt;
      pairs.emplace(*query, *key);
    } while (took(","));
    if (!took("}")) return std::nullopt;
  }
  return trimmed(text).empty() ? std::optional(pairs) : std::nullopt;
}

}  // namespace

std::span<const NamedRule> namedRules() {
  static const std::vector<NamedRule> all = [] {
    std::vector<NamedRule> stock(detectionPatterns().begin(), detectionPatterns().end());
    stock.push_back(subject);
    return stock;
  }();
  return all;
}

const NamedRule* findNamedRule(std::string_view id) {
  const auto found = std::ranges::find(namedRules(), id, &NamedRule::id);
  return found == namedRules().end() ? nullptr : &*found;
}

Result<AttentionRule> AttentionRule::read(std::string_view written) {
  const std::string_view text = trimmed(written);
  if (text == "any" || text == "uniform") return AttentionRule(text, everyKey);
  if (text == subject.id) return AttentionRule(text, subjectOf);
  const std::string_view id = text == "current" ? "itself" : text;
  if (const auto named = std::ranges::find(detectionPatterns(), id, &DetectionPattern::id);
      named != detectionPatterns().end())
    return AttentionRule(
        text, [rule = named->row](const RuleContext& over, int t) { return rule(over.tokens(), t); });
  if (const auto pairs = readPairs(text))
    return AttentionRule(text, [pairs = *pairs](const RuleContext&, int t) {
      std::vector<int> keys;
      for (auto at = pairs.lower_bound({t, 0}); at != pairs.end() && at->first == t; ++at)
        keys.push_back(at->second);
      return keys;
    });
  std::string known;
  for (const NamedRule& each : namedRules()) known += std::string(each.id) + ", ";
  return Error{"“" + std::string(text) + "” is not an attention rule", "",
               "give " + known + "any, or pairs {QUERY:KEY, …}"};
}

Tensor AttentionRule::pattern(const RuleContext& over) const {
  Tensor pattern({over.queryCount(), over.keyCount()});
  for (int t = 0; t < over.queryCount(); ++t) {
    std::vector<int> keys = keys_(over, t);
    std::erase_if(keys, [&](int s) { return s >= over.keyCount() || !over.sees(t, s); });
    for (const int s : keys) pattern(t, s) = 1 / static_cast<float>(keys.size());
  }
  return pattern;
}

std::string pairsText(const std::vector<std::pair<int, int>>& queriesAndKeys) {
  std::string text = "pairs {";
  for (const auto& [query, key] : queriesAndKeys)
    text += (text.back() == '{' ? "" : ", ") + std::to_string(query) + ":" + std::to_string(key);
  return text + "}";
}

std::vector<std::pair<int, int>> pairsOf(std::string_view text) {
  const Pairs pairs = readPairs(text).value_or(Pairs());
  return {pairs.begin(), pairs.end()};
}

void fillSilentRows(const RuleContext& over, Tensor& pattern) {
  const int S = over.keyCount();
  for (int t = 0; t < over.queryCount(); ++t) {
    float* row = &pattern(t, 0);
    if (std::accumulate(row, row + S, 0.0f) > 0) continue;
    int seen = 0;
    for (int s = 0; s < S; ++s) seen += over.sees(t, s) ? 1 : 0;
    for (int s = 0; s < S; ++s) row[s] = over.sees(t, s) ? 1 / static_cast<float>(seen) : 0;
  }
}

Tensor uniformPattern(const RuleContext& over) {
  Tensor pattern({over.queryCount(), over.keyCount()});
  fillSilentRows(over, pattern);
  return pattern;
}

}  // namespace glassformer
