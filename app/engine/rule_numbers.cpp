#include "app/engine/rule_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/engine/ragged_rows.h"
#include "app/engine/rule_terms.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

Tensor unknownNumbers(int rows, int columns) {
  return {{rows, columns}, std::vector<float>(static_cast<std::size_t>(rows * columns), NAN)};
}
Tensor unknownNumbers(int count) {
  return {{count}, std::vector<float>(static_cast<std::size_t>(count), NAN)};
}

float agreementOr(const RuleScores& scores, HeadId head) {
  const Agreement& all = scores.of(head);
  return all.texts() > 0 ? static_cast<float>(all.shared().mean()) : NAN;
}

float worthOf(const RecoveredLoss* loss) {
  return loss ? static_cast<float>(loss->ablated() - loss->clean()) : NAN;
}
float recoveredBy(const RecoveredLoss* loss) { return loss ? static_cast<float>(loss->recovered()) : NAN; }

// What texts said of a head, in their places in a row of all texts.
void placeByText(const RuleScores& scores, HeadId head, const std::vector<int>& texts,
                 const std::function<float&(int)>& at) {
  for (const RuleScores::OfText& each : scores.textsOf(head))
    at(static_cast<int>(std::ranges::lower_bound(texts, each.text) - texts.begin())) = each.agreement;
}

// The mean of what is known of these.
std::optional<Derivation> meanOfKnown(int count, const std::function<Cell(int)>& at) {
  std::vector<Cell> cells;
  for (int i = 0; i < count; ++i)
    if (std::isfinite(*at(i))) cells.push_back(at(i));
  return cells.empty() ? std::nullopt : std::optional(derivedMean(cells));
}

// What a rule in a head's place brings back, and what the head's pattern is worth, by its row of
// bench::gains.
std::optional<Derivation> recoveredIn(const TensorView& gains, int row) {
  if (row < 0) return std::nullopt;
  return Derivation{.form = Form::Quotient, .terms = {{&gains(row, 0)}, {&gains(row, 1)}}};
}
std::optional<Derivation> worthIn(const TensorView& gains, int row) {
  if (row < 0) return std::nullopt;
  return Derivation{.terms = {{&gains(row, 1)}}};
}
TensorView gainsIn(const TensorSet& set) {
  return set.contains(bench::gains) ? set[bench::gains] : TensorView();
}

// What every text said, of which agreements are the means.
void addAgreements(const RuleFindings& found, const RuleQuestion& asked, TensorSet& set) {
  const ModelConfig& config = found.model->config();
  const std::vector<BenchRule>& named = benchRules();
  std::vector<int> texts;
  for (int text = 0; text < found.texts->count(); ++text)
    if (found.texts->isWhole(text, config)) texts.push_back(text);
  const int C = static_cast<int>(texts.size()), Y = benchRows(config), Z = config.heads,
            N = static_cast<int>(named.size());
  if (C == 0) return;
  std::vector<TextAgain> again;
  for (const int text : texts) again.push_back(found.textAgain(text));
  std::vector<HeadId> heads;
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      for (int head = 0; head < Z; ++head) heads.push_back({layer, head, site});
  const RuleScores& scores = *found.scoresOf(asked.rule);
  Tensor ofHeads({C, Y, Z}, std::vector<float>(static_cast<std::size_t>(C * Y * Z), NAN));
  for (const HeadId head : heads)
    placeByText(scores, head, texts,
                [&](int c) -> float& { return ofHeads(c, benchRow(config, head), head.head); });
  set.addAcross({bench::ofTexts, "CYZ", "overlap of each head with the rule, for each text",
                 "Σ min(A, P), on average over rows"},
                std::move(ofHeads),
                [again, heads, Z, rule = scores.rule(), wording = found.wording](const auto& at) {
                  return [text = again[static_cast<std::size_t>(at[0])],
                          head = heads[static_cast<std::size_t>(at[1] * Z + at[2])], rule,
                          wording] { return agreementAcross(text, head, rule, *wording); };
                });
  Tensor ofNamed({N, C}, std::vector<float>(static_cast<std::size_t>(N * C), NAN));
  std::vector<AttentionRule> rules;
  for (int i = 0; i < N; ++i) {
    const RuleScores& own = *found.scoresOf(named[static_cast<std::size_t>(i)].id);
    placeByText(own, asked.head, texts, [&](int c) -> float& { return ofNamed(i, c); });
    rules.push_back(own.rule());
  }
  set.addAcross({bench::namedOfTexts, "YC", "overlap of the head with each known rule, for each text",
                 "Σ min(A, P), on average over rows"},
                std::move(ofNamed),
                [again = std::move(again), head = asked.head, rules = std::move(rules),
                 wording = found.wording](const auto& at) {
                  return [text = again[static_cast<std::size_t>(at[1])], head,
                          rule = rules[static_cast<std::size_t>(at[0])],
                          wording] { return agreementAcross(text, head, rule, *wording); };
                });
}

// What texts come to, of which the loss is the mean over all their tokens, and what it rises and falls by.
void addLosses(const RuleFindings& found, TensorSet& set) {
  const std::vector<RuleReplacement> known = found.knownLosses();
  if (known.empty()) return;
  const auto lossIn = [&](int row) {
    const auto& [rule, head] = known[static_cast<std::size_t>(row)];
    return found.lossOf(rule, head);
  };
  const int Y = static_cast<int>(known.size()), C = lossIn(0)->texts();
  Tensor ofTexts({Y, C, 3}), losses({Y, 3}), gains({Y, 2});
  std::vector<float> shares;  // of all tokens, text by text
  std::vector<TextAgain> again;
  for (const RecoveredLoss::OfText& each : lossIn(0)->ofTexts()) {
    shares.push_back(static_cast<float>(each.tokens) / static_cast<float>(lossIn(0)->tokens()));
    again.push_back(found.textAgain(each.text));
  }
  std::vector<std::array<std::optional<Intervention>, 3>> replaced;
  for (int row = 0; row < Y; ++row) {
    const RecoveredLoss& loss = *lossIn(row);
    for (int c = 0; c < C; ++c) {
      const RecoveredLoss::OfText& own = loss.ofTexts()[static_cast<std::size_t>(c)];
      ofTexts(row, c, 0) = own.clean, ofTexts(row, c, 1) = own.ablated, ofTexts(row, c, 2) = own.replaced;
    }
    const double all[] = {loss.clean(), loss.ablated(), loss.replaced()};
    for (int k = 0; k < 3; ++k) losses(row, k) = static_cast<float>(all[k]);
    gains(row, 0) = static_cast<float>(all[1] - all[2]), gains(row, 1) = static_cast<float>(all[1] - all[0]);
    replaced.push_back({std::nullopt, loss.even(), loss.replacement()});
  }
  set.addAcross(
      {bench::textLosses, "YC3", "loss of each text: by the head, with uniform attention, and by the rule",
       "−ln p, on average over tokens"},
      std::move(ofTexts), [again = std::move(again), replaced = std::move(replaced)](const auto& at) {
        return [text = again[static_cast<std::size_t>(at[1])],
                in = replaced[static_cast<std::size_t>(at[0])][static_cast<std::size_t>(at[2])]] {
          return lossOfText(text, in);
        };
      });
  set.add({bench::losses, "Y3", "loss of all texts: by the head, with uniform attention, and by the rule",
           "−ln p, on average over tokens"},
          std::move(losses), [ofTexts = set[bench::textLosses], shares = std::move(shares)](const auto& at) {
            Derivation mean;
            for (std::size_t c = 0; c < shares.size(); ++c)
              mean.terms.push_back({&ofTexts(at[0], static_cast<int>(c), at[1]), nullptr, shares[c]});
            return mean;
          });
  set.add({bench::gains, "Y2", "loss with uniform attention minus the loss: by the rule, and by the head",
           "L_u − L"},
          std::move(gains), [losses = set[bench::losses]](const auto& at) {
            return derivedDifference(&losses(at[0], 1), &losses(at[0], at[1] == 0 ? 2 : 0));
          });
}

void addHeads(const RuleFindings& found, const RuleQuestion& asked, TensorSet& set) {
  const ModelConfig& config = found.model->config();
  Tensor agreement = agreementOfHeads(*found.scoresOf(asked.rule), config);
  Tensor recovered = unknownNumbers(agreement.view().extent[0], config.heads), worth = recovered;
  std::vector<int> rows;  // of losses, head by head
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      for (int head = 0; head < config.heads; ++head) {
        const RecoveredLoss* const loss = found.lossOf(asked.rule, {layer, head, site});
        const int row = benchRow(config, {layer, head, site});
        recovered(row, head) = recoveredBy(loss), worth(row, head) = worthOf(loss);
        rows.push_back(found.rowOfLoss(asked.rule, {layer, head, site}));
      }
  const auto rowAt = [rows = std::move(rows), Z = config.heads](const auto& at) {
    return rows[static_cast<std::size_t>(at[0] * Z + at[1])];
  };
  const TensorView gains = gainsIn(set),
                   ofTexts = set.contains(bench::ofTexts) ? set[bench::ofTexts] : TensorView();
  set.add({bench::agreement, "YZ", "overlap of each head with the rule",
           "Σ min(A, P), on average over rows and texts"},
          std::move(agreement), [ofTexts](const auto& at) {
            return meanOfKnown(ofTexts.data ? ofTexts.extent[0] : 0,
                               [&](int c) { return &ofTexts(c, at[0], at[1]); });
          });
  set.add({bench::recovered, "YZ", "share of the loss that the rule recovers for each head",
           "(L_u − L_r) / (L_u − L)"},
          std::move(recovered), [gains, rowAt](const auto& at) { return recoveredIn(gains, rowAt(at)); });
  set.add(
      {bench::worth, "YZ", "loss with uniform attention minus the loss, for each head", "L_u − L, in nats"},
      std::move(worth), [gains, rowAt](const auto& at) { return worthIn(gains, rowAt(at)); });
  set.add(
      {bench::read, "2", "number of texts read, and of all texts", ""},
      Tensor({2}, {static_cast<float>(found.own.scores.empty() ? found.named.next
                                                               : std::min(found.named.next, found.own.next)),
                   static_cast<float>(found.texts->count())}));
}

// Whether agreement · agreementBins − bin is that of the bin; of the last one 1 is, too.
double isInBin(double x) { return x >= 0 && x < 1; }
double isInLastBin(double x) { return x >= 0; }

Derivation inBinOf(Cell agreement, int bin) {
  const bool isLast = bin == agreementBins - 1;
  return {.form = Form::Function,
          .terms = {{agreement, nullptr, agreementBins}, {nullptr, nullptr, -static_cast<float>(bin)}},
          .function = isLast ? isInLastBin : isInBin,
          .functionName = isLast ? "[0 ≤ x]" : "[0 ≤ x < 1]"};
}

// How many texts lie in each bin of agreement, and which ones these are, once that is known of all.
void addAgreementBins(TensorSet& set, const std::vector<int>& counts, int row, int column) {
  const TensorView ofTexts = set.contains(bench::ofTexts) ? set[bench::ofTexts] : TensorView();
  const int texts = ofTexts.data ? ofTexts.extent[0] : 0;
  if (texts > 0)
    addDerived(set,
               {bench::inBin, "CY", "1 for a text with its overlap in this interval, else 0",
                "⌊" + std::to_string(agreementBins) + " Σ min(A, P)⌋ = bin"},
               {texts, agreementBins}, [ofTexts, row, column](const Index& at) {
                 return inBinOf(&ofTexts(at[0], row, column), at[1]);
               });
  const TensorView inBin = texts > 0 ? set[bench::inBin] : TensorView();
  set.add({bench::distribution, "Y", "number of texts by overlap, from 0 to 1", ""},
          Tensor({agreementBins}, std::vector<float>(counts.begin(), counts.end())),
          [inBin, texts](const Index& at) -> std::optional<Derivation> {
            if (texts == 0) return std::nullopt;
            Derivation sum;
            for (int c = 0; c < texts; ++c) sum.terms.push_back({&inBin(c, at[0])});
            return sum;
          });
}

void addSelected(const RuleFindings& found, const RuleQuestion& asked, TensorSet& set) {
  const HeadId head = asked.head;
  const int count = static_cast<int>(benchRules().size());
  Tensor named = unknownNumbers(count), recovered = unknownNumbers(count);
  std::vector<int> rows;
  for (int i = 0; i < count; ++i) {
    const std::string& id = benchRules()[static_cast<std::size_t>(i)].id;
    named(i) = agreementOr(*found.scoresOf(id), head), recovered(i) = recoveredBy(found.lossOf(id, head));
    rows.push_back(found.rowOfLoss(id, head));
  }
  const TensorView gains = gainsIn(set),
                   ofTexts = set.contains(bench::namedOfTexts) ? set[bench::namedOfTexts] : TensorView();
  set.add({bench::named, "Y", "overlap of the head with each known rule",
           "Σ min(A, P), on average over rows and texts"},
          std::move(named), [ofTexts](const auto& at) {
            return meanOfKnown(ofTexts.data ? ofTexts.extent[1] : 0,
                               [&](int c) { return &ofTexts(at[0], c); });
          });
  set.add({bench::namedRecovered, "Y", "share of the loss that each of them recovers for the head",
           "(L_u − L_r) / (L_u − L)"},
          std::move(recovered), [gains, rows = std::move(rows)](const auto& at) {
            return recoveredIn(gains, rows[static_cast<std::size_t>(at[0])]);
          });
  const RecoveredLoss* const loss = found.lossOf(asked.rule, head);
  const Cell agreement = &set[bench::agreement](benchRow(found.model->config(), head), head.head);
  set.add({bench::own, "3", "the selected head: overlap, loss recovered, and uniform loss", ""},
          Tensor({3}, {agreementOr(*found.scoresOf(asked.rule), head), recoveredBy(loss), worthOf(loss)}),
          [gains, agreement,
           row = found.rowOfLoss(asked.rule, head)](const auto& at) -> std::optional<Derivation> {
            if (at[0] == 0) return Derivation{.terms = {{agreement}}};
            return at[0] == 1 ? recoveredIn(gains, row) : worthIn(gains, row);
          });
  addAgreementBins(set, found.scoresOf(asked.rule)->distribution(head), benchRow(found.model->config(), head),
                   head.head);
}

void addExamples(const RuleFindings& found, const RuleQuestion& asked, TensorSet& set) {
  if (!found.examples || found.examples->empty()) return;
  const int count = static_cast<int>(found.examples->size());
  Tensor agreement({count}), query({count});
  std::vector<std::vector<float>> attention, said;
  std::vector<int> texts;
  for (int i = 0; i < count; ++i) {
    const RuleExample& example = (*found.examples)[static_cast<std::size_t>(i)];
    agreement(i) = example.of.agreement, query(i) = static_cast<float>(example.of.worst);
    attention.push_back(example.attention), said.push_back(example.said);
    texts.push_back(example.of.text);
  }
  std::vector<TextAgain> again;
  for (const int text : texts) again.push_back(found.textAgain(text));
  set.addAcross({bench::example, "Y", "overlap of head and rule on the texts where it is smallest",
                 "Σ min(A, P), on average over rows"},
                std::move(agreement),
                [again, head = asked.head, rule = found.scoresOf(asked.rule)->rule(),
                 wording = found.wording](const auto& at) {
                  return [text = again[static_cast<std::size_t>(at[0])], head, rule, wording] {
                    return agreementAcross(text, head, rule, *wording);
                  };
                });
  set.add({bench::query, "Y", "query of each of them with the smallest overlap", "argmin Σ min(A, P)"},
          std::move(query));
  std::vector<int> queries;
  for (const RuleExample& each : *found.examples) queries.push_back(each.of.worst);
  set.addAcross({bench::attention, "YZ", "attention of the head to each key there", "A"},
                raggedRows(attention),
                [again = std::move(again), head = asked.head, queries = std::move(queries)](const auto& at) {
                  const auto example = static_cast<std::size_t>(at[0]);
                  return [text = again[example], head, query = queries[example], key = at[1]] {
                    return attentionAcross(text, head, query, key);
                  };
                });
  set.add({bench::said, "YZ", "attention of the rule to each key there", "P"}, raggedRows(said));
  set.add({bench::tokens, "YZ", "the tokens of each text", ""}, found.texts->tokens(texts));
  if (found.model->config().isEncoderDecoder())
    set.add({bench::source, "YZ", "the tokens of the source of each text", ""}, found.texts->sources(texts));
}

}  // namespace

int benchRow(const ModelConfig& config, HeadId head) {
  int row = head.layer;
  for (const AttentionSite site : sitesOf(config)) {
    if (site == head.site) break;
    row += blocksAt(config, site);
  }
  return row;
}

int benchRows(const ModelConfig& config) {
  int rows = 0;
  for (const AttentionSite site : sitesOf(config)) rows += blocksAt(config, site);
  return rows;
}

CausalRow benchAttention(const ModelConfig& config, int row) {
  for (const AttentionSite site : sitesOf(config)) {
    if (row < blocksAt(config, site)) return {site, row};
    row -= blocksAt(config, site);
  }
  return {};
}

Tensor agreementOfHeads(const RuleScores& scores, const ModelConfig& config) {
  Tensor agreement = unknownNumbers(benchRows(config), config.heads);
  for (const HeadId head : scores.ranked())
    agreement(benchRow(config, head), head.head) = agreementOr(scores, head);
  return agreement;
}

std::shared_ptr<const TensorSet> ruleNumbers(const RuleFindings& found, const RuleQuestion& asked,
                                             bool withExamples) {
  auto set = std::make_shared<TensorSet>();
  if (found.isRead()) addAgreements(found, asked, *set);
  addLosses(found, *set);
  addHeads(found, asked, *set), addSelected(found, asked, *set);
  if (withExamples) addExamples(found, asked, *set);
  return set;
}

}  // namespace glassformer
