#include "core/lens/detection_patterns.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace glassformer {
namespace {

using Row = std::vector<int>;

int countOf(std::span<const int> tokens) { return static_cast<int>(tokens.size()); }

// Keys that were read before query t.
std::span<const int> earlierKeys(const AttendedTokens& tokens, int t) {
  return tokens.across ? tokens.keys : tokens.keys.first(static_cast<std::size_t>(t));
}

Row keyAt(const AttendedTokens& tokens, int s) { return s >= 0 && s < countOf(tokens.keys) ? Row{s} : Row{}; }

bool hasChoice(const AttendedTokens& tokens, int t) { return tokens.across || t > 0; }

Row sameTokens(const AttendedTokens& tokens, int t) {
  const std::span<const int> earlier = earlierKeys(tokens, t);
  Row same;
  for (int s = 0; s < countOf(earlier); ++s)
    if (earlier[static_cast<std::size_t>(s)] == tokens.queries[static_cast<std::size_t>(t)])
      same.push_back(s);
  return same;
}

Row behindLastSame(const AttendedTokens& tokens, int t) {
  const Row same = sameTokens(tokens, t);
  return same.empty() ? Row{} : keyAt(tokens, same.back() + 1);
}

}  // namespace

bool claimsAnything(const ExpectedPattern& claims) {
  return std::ranges::any_of(claims, [](const Row& row) { return !row.empty(); });
}

std::vector<double> claimedAttention(const TensorView& patterns, const ExpectedPattern& claims) {
  assert(claimsAnything(claims));
  const auto silent = std::ranges::count_if(claims, &Row::empty);
  const auto claiming = static_cast<double>(claims.size()) - static_cast<double>(silent);
  std::vector<double> shares;
  for (int head = 0; head < patterns.extent[0]; ++head) {
    double sum = 0;
    for (int t = 0; t < static_cast<int>(claims.size()); ++t)
      for (const int s : claims[static_cast<std::size_t>(t)]) sum += patterns(head, t, s);
    shares.push_back(sum / claiming);
  }
  return shares;
}

AttendedTokens attendedTokens(const Trace& trace, AttentionSite site) {
  const auto of = [&](Stream stream) -> std::span<const int> {
    return stream == Stream::Source ? trace.source() : trace.tokens();
  };
  return {of(queriesOf(site)), of(keysOf(site)), site == AttentionSite::Cross};
}

std::span<const DetectionPattern> detectionPatterns() {
  static constexpr std::array all{
      DetectionPattern{
          {"previous", "previous token", "Attends to the token before.", "C[t, s] = [s = t - 1]"},
          [](const AttendedTokens& tokens, int t) { return keyAt(tokens, t - 1); }},
      DetectionPattern{
          {"induction", "induction", "Attends to the token after the last occurrence of this one.",
           "C[t, s] = [s - 1 = max {r < t : x_r = x_t}]"},
          behindLastSame},
      DetectionPattern{{"duplicate", "duplicate token", "Attends to earlier occurrences of this token.",
                        "C[t, s] = [s < t and x_s = x_t]"},
                       sameTokens},
      DetectionPattern{{"first", "first token", "Attends to the first token.", "C[t, s] = [s = 0 < t]"},
                       [](const AttendedTokens& tokens, int t) {
                         return hasChoice(tokens, t) ? keyAt(tokens, 0) : Row{};
                       }},
      DetectionPattern{{"itself", "current token", "Attends to the token itself.", "C[t, s] = [0 < s = t]"},
                       [](const AttendedTokens& tokens, int t) {
                         return hasChoice(tokens, t) ? keyAt(tokens, t) : Row{};
                       }},
  };
  return all;
}

const DetectionPattern& detectionPattern(std::string_view id) {
  const auto found = std::ranges::find(detectionPatterns(), id, &DetectionPattern::id);
  assert(found != detectionPatterns().end());
  return *found;
}

ExpectedPattern claimsOf(const DetectionPattern& rule, const AttendedTokens& tokens) {
  ExpectedPattern claims;
  for (int t = 0; t < countOf(tokens.queries); ++t) claims.push_back(rule.row(tokens, t));
  return claims;
}

}  // namespace glassformer
