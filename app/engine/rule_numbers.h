#pragma once
#include <memory>

#include "app/engine/dataset_metrics.h"
#include "app/engine/rule_findings.h"

namespace glassformer {

namespace bench {
// Of every head, a row for each block of each attention, in the order of sitesOf(); NaN: not known, or no
// such number.
inline constexpr const char *agreement = "hypothesis.agreement",  ///< [Y, Z]
    *recovered = "hypothesis.recovered",                          ///< [Y, Z]: the share of the loss
        *worth = "hypothesis.worth";                              ///< [Y, Z]: in nats, of the pattern
// Of the selected head.
inline constexpr const char *named = "hypothesis.named",  ///< [Y]: agreement of every named rule
    *namedRecovered = "hypothesis.named_recovered",       ///< [Y]
        *own = "hypothesis.own",                          ///< [3]: agreement, recovered and worth
            *distribution = "hypothesis.distribution",    ///< [Y]: texts by agreement
                *inBin = "hypothesis.in_bin";  ///< [C, Y]: 1 where a text is one of these, once all are read
// The texts on which it fits the selected head least, the worst first.
inline constexpr const char *example = "hypothesis.example",  ///< [Y]: agreement
    *query = "hypothesis.query",                              ///< [Y]: where it is least
        *attention = "hypothesis.attention",                  ///< [Y, Z]: the head's row there; NaN: no key
            *said = "hypothesis.said",                        ///< [Y, Z]: the rule's
                *tokens = "hypothesis.tokens",                ///< [Y, Z]: what each text says
                    *source = "hypothesis.source",            ///< [Y, Z]: what was read beside it
                        *read = "hypothesis.read";  ///< [2]: how many texts were read, and of how many
// What those are made of, once all texts are read: what every text said, and what it comes to with each
// rule that was put in a head's place (a row each), as it is, evenly and so.
inline constexpr const char *ofTexts = "hypothesis.of_texts",  ///< [C, Y, Z]: of bench::agreement
    *namedOfTexts = "hypothesis.named_of_texts",               ///< [Y, C]: of bench::named
        *textLosses = "hypothesis.text_losses",                ///< [Y, C, 3]: nats per token
            *losses = "hypothesis.losses",                     ///< [Y, 3]: their means over all tokens
                *gains = "hypothesis.gains";                   ///< [Y, 2]: L even − L so, L even − L
}  // namespace bench

/// The row of bench::agreement that a head is in.
int benchRow(const ModelConfig& config, HeadId head);
int benchRows(const ModelConfig& config);
/// The attention of a row.
CausalRow benchAttention(const ModelConfig& config, int row);
/// bench::agreement of scores: NaN where nothing was said of a head.
Tensor agreementOfHeads(const RuleScores& scores, const ModelConfig& config);

/// All of the numbers above that are known by now, each with what made it. `withExamples`: those of the texts
/// where the rule fits least, which were looked for for this very question.
std::shared_ptr<const TensorSet> ruleNumbers(const RuleFindings& found, const RuleQuestion& asked,
                                             bool withExamples);

}  // namespace glassformer
