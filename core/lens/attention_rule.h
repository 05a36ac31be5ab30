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

/// Where a head looks, as a matrix P [T, S] that its pattern is compared with: a rule with a name, one of
/// namedRules() or "any", every key that the query sees; or pairs of query and key, "pairs {2:0, 3:1}",
/// as somebody draws them.
///
/// With C[t], the keys that the rule names for query t and that the mask allows: P[t, s] = [s ∈ C[t]] /
/// |C[t]|. Where C[t] is empty the row is 0: the rule says nothing there.
class AttentionRule {
 public:
  /// An error names the rules that there are.
  static Result<AttentionRule> read(std::string_view text);

  const std::string& text() const { return text_; }
  /// P [T, S].
  Tensor pattern(const RuleContext& over) const;

 private:
  using KeysOf = std::function<std::vector<int>(const RuleContext& over, int t)>;
  AttentionRule(std::string_view text, KeysOf keys) : text_(text), keys_(std::move(keys)) {}

  std::string text_;
  KeysOf keys_;
};

/// detectionPatterns(), which compare tokens, and the subject, which takes words: what follows the article,
/// English or German, that begins a sentence, in the last such sentence.
std::span<const NamedRule> namedRules();
/// Nothing where none has that id.
const NamedRule* findNamedRule(std::string_view id);

/// "pairs {2:0, 3:1}": query 2 looks at key 0, and 3 at 1.
std::string pairsText(const std::vector<std::pair<int, int>>& queriesAndKeys);
/// The pairs of such a rule, sorted; of any other one none.
std::vector<std::pair<int, int>> pairsOf(std::string_view text);

/// Fills the rows of P that say nothing evenly, with what each may see: what stands for not knowing.
void fillSilentRows(const RuleContext& over, Tensor& pattern);
/// Every row so: the ablation, 1 / |{s : t sees s}|.
Tensor uniformPattern(const RuleContext& over);

}  // namespace glassformer
