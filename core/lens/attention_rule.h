#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lens/rule_context.h"
#include "core/result.h"

namespace glassformer {

/// What a head does, said in a small language: for every query the keys that it looks at.
///
///     hypothesis = clause { "+" clause }
///     clause     = [ weight "*" ] either
///     either     = both { "or" both }
///     both       = unit { "and" unit }
///     unit       = "not" unit | "latest" unit | "earliest" unit | "(" either ")"
///                | place relation place | said relation said | said "in" "{" word { "," word } "}"
///                | "pairs" "{" [ query ":" key { "," query ":" key } ] "}" | name
///     place      = "query" | "key" | number, with + or − a number behind it
///     said       = ( "token" | "text" | "word" ) "[" place "]" | word, in quotes or without
///     relation   = "=" | "==" | "!=" | "<" | "<=" | ">" | ">="; of what is said the first three
///     name       = "any", every key, or one of stockHypotheses(): "previous", "induction", ...
///
/// A place outside of the text says nothing, and nothing that is compared with it holds. "latest" and
/// "earliest" are one key: the last or first of those that fit and are seen.
///
/// In row t a clause c spreads its weight w_c evenly over the keys C_c[t] that fit and that the mask allows,
/// and the row is a distribution: P[t, s] = Σ_c w_c [s ∈ C_c[t]] / |C_c[t]| / Σ_c w_c, over the clauses with
/// any such key. A row without any is 0: the hypothesis says nothing there.
class AttentionRule {
 public:
  /// An error says at which character what was meant.
  static Result<AttentionRule> read(std::string_view text);

  const std::string& text() const { return text_; }
  /// P [T, S].
  Tensor pattern(const RuleContext& over) const;

 private:
  using Row = std::vector<char>;  // [S]: whether a key fits
  using RowOf = std::function<Row(const RuleContext& over, int t)>;
  struct Clause {
    float weight = 1;
    RowOf row;
  };
  friend class HypothesisReader;

  std::string text_;
  std::vector<Clause> clauses_;
};

/// headHypotheses(), which compare tokens, and the subject, which is told by words: what stands behind the
/// article, English or German, that begins a sentence, in the latest such sentence.
std::span<const StockHypothesis> stockHypotheses();
/// Nothing where none has that id.
const StockHypothesis* findStockHypothesis(std::string_view id);

/// "pairs {2:0, 3:1}": the hypothesis that query 2 looks at key 0, and 3 at 1.
std::string pairsText(const std::vector<std::pair<int, int>>& queriesAndKeys);
/// The pairs of a hypothesis that is nothing but them, sorted; of any other one none.
std::vector<std::pair<int, int>> pairsOf(std::string_view text);

/// Fills the rows of P that say nothing evenly, with what each may see: what stands for not knowing.
void fillSilentRows(const RuleContext& over, Tensor& pattern);
/// Every row so: the ablation, 1 / |{s : t sees s}|.
Tensor uniformPattern(const RuleContext& over);

}  // namespace glassformer
