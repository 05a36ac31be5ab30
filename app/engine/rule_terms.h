#pragma once
#include <optional>

#include "app/engine/dataset_metrics.h"
#include "core/lens/attention_rule.h"

namespace glassformer {

/// What a head shares with a rule in a text, down to its pattern A and what the rule says, P:
/// Σ_s min(A[t, s], P[t, s]), on average over the rows t that TextAgreement counts.
MultiPassDerivation agreementAcross(const TextAgain& text, HeadId head, const AttentionRule& rule,
                                    const Wording& wording);

/// A cell of the head's pattern in a text.
MultiPassDerivation attentionAcross(const TextAgain& text, HeadId head, int query, int key);

/// The mean loss of a text's tokens behind the first, as it is or with what is put in a head's place.
MultiPassDerivation lossOfText(const TextAgain& text, const std::optional<Intervention>& replaced);

}  // namespace glassformer
