#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/model/point_names.h"
#include "core/tensor/tensor.h"
#include "core/trace/trace.h"

namespace glassformer {

/// A matrix C [T, S] of zeros and ones, row by row: claims[t] are the keys s with C[t, s] = 1. An empty row
/// claims nothing.
using ExpectedPattern = std::vector<std::vector<int>>;

/// Whether any row claims something.
bool claimsAnything(const ExpectedPattern& claims);

/// How much of the attention falls where it is claimed to, on average over the set Q of the rows that claim
/// something: 1 / |Q| Σ_{t ∈ Q} Σ_s C[t, s] A[t, s], for each head of A [H, T, S]. At least one row claims
/// something.
std::vector<double> claimedAttention(const TensorView& patterns, const ExpectedPattern& claims);

/// The tokens that ask, [T], and those that are looked at, [S]: the same ones inside a text; across, the
/// source's.
struct AttendedTokens {
  std::span<const int> queries, keys;
  bool across = false;
};
AttendedTokens attendedTokens(const Trace& trace, AttentionSite site);

/// Where a head may be found to look, by its name.
struct NamedRule {
  std::string_view id;        ///< as it is said, and in files
  std::string_view name;      ///< on screen
  std::string_view meaning;   ///< one sentence
  std::string_view equation;  ///< of C, or how it is said at length
};

/// One that compares tokens alone: a line of the table below.
struct DetectionPattern : NamedRule {
  /// Row t of C.
  std::vector<int> (*row)(const AttendedTokens& tokens, int t);
};

/// The stock ones: previous token (Elhage et al. 2021), induction (Olsson et al. 2022), duplicate token (Wang
/// et al. 2022), first token (Xiao et al. 2023: the attention sink), the token itself. Earlier is s < t, and
/// across every token of the source, which has been read before; places across count in both from 0. Where a
/// text begins, a causal head has nothing but that token to look at, and nothing is claimed.
std::span<const DetectionPattern> detectionPatterns();
/// One of them; there is one of that id.
const DetectionPattern& detectionPattern(std::string_view id);

ExpectedPattern claimsOf(const DetectionPattern& rule, const AttendedTokens& tokens);

}  // namespace glassformer
