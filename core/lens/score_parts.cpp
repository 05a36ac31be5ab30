#include "core/lens/score_parts.h"

#include <algorithm>
#include <iterator>

#include "core/lens/attention_stages.h"
#include "core/lens/contributions.h"
#include "core/lens/equation_words.h"
#include "core/lens/head_reading.h"
#include "core/lens/scores.h"
#include "core/model/positional/positional_encoding.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

// All parts side by side, as if they were heads, in the row of the token's position.
Tensor turnedAt(const ModelConfig& config, int token, const Tensor& shares) {
  const int count = shares.view().extent[0], K = shares.view().extent[1];
  Tape tape(1, token + 1, 0);
  const Value x = tape.rows(count * K, Stream::Text);
  std::ranges::copy(shares.values(), x.data + token * x.stride);
  const Value y = config.positions->rotate(tape, config, x);
  tape.forward();
  const float* row = y.data + token * y.stride;
  return Tensor({count, K}, std::vector<float>(row, row + count * K));
}

// One token's side of a score, its query or its key, part by part [O, K], turned by the token's position
// where positions turn.
Tensor sideOfScore(const Transformer& model, const HeadReading& reading, int layer, int token,
                   const Tensor& parts) {
  const int count = parts.view().extent[0], K = reading.width();
  std::vector<float> shares = reading.ofBiases().values();
  const std::vector<int> tokens(static_cast<std::size_t>(count), token);
  std::ranges::copy(reading.of(parts.view(), tokens).values(), std::back_inserter(shares));
  Tensor side({count + 1, K}, std::move(shares));
  const ModelConfig& config = model.config();
  return config.positions->rotates() ? turnedAt(config.ofLayer(layer), token, side) : side;
}

// The table and its sums with all that a block wrote as one.
void addBlocks(const std::vector<WriterGroup>& blocks, const TensorView& cells, const TensorView& fromQuery,
               const TensorView& fromKey, const std::string& scaled, TensorSet& set) {
  const int count = static_cast<int>(blocks.size());
  const auto groupAt = [blocks](int b) { return blocks[static_cast<std::size_t>(b)]; };
  addDerived(
      set,
      {score::blockTable, "bb", "what the score is made of: what wrote the query times what wrote the key",
       "Σ_{i,j} q_i · k_j" + scaled},
      {count, count}, [=](const Index& at) {
        const WriterGroup asks = groupAt(at[0]), answers = groupAt(at[1]);
        Derivation d;
        for (int i = asks.first; i < asks.first + asks.count; ++i)
          for (int j = answers.first; j < answers.first + answers.count; ++j)
            d.terms.push_back({&cells(i, j)});
        return d;
      });
  const auto addSide = [&](const char* name, const char* meaning, const TensorView& parts) {
    addDerived(set, {name, "b", meaning, "Σ_{i,j} q_i · k_j" + scaled}, {count},
               [=](const Index& at) { return derivedSum(parts, groupAt(at[0])); });
  };
  addSide(score::fromQueryBlock, "what a block does on the query's side, over all keys' parts", fromQuery);
  addSide(score::fromKeyBlock, "what a block does on the key's side, over all queries' parts", fromKey);
}

}  // namespace

std::string whyNoScoreTable(const ModelConfig& config, AttentionSite site) {
  if (!config.attends()) return "this model has no attention";
  if (site == AttentionSite::Across || site == AttentionSite::Encoder)
    return "only a text's attention to itself is taken apart; choose a head of the text's own";
  if (config.similarity != Similarity::QueriesAndKeys || !hasProducts(config, site))
    return "its scores are no product of queries and keys";
  if (hasNormedQueries(config)) return "its queries and keys are normalized, each by a factor of its own";
  if (config.scoreCap > 0) return "its scores are capped, and so no sum of what parts make of them";
  return whyNoSumOfParts(config);
}

void measureScoreTable(const Transformer& model, const Trace& trace, HeadId head, int query, int key,
                       TensorSet& set) {
  const ModelConfig& config = model.config();
  const std::vector<Tensor> parts = partsOfTokens(model, trace, {query, key}, partsBefore(model, head.layer));
  const auto add = [&](const char* name, const char* letters, const char* meaning, std::string equation,
                       Tensor values, TensorSet::DerivationOf derivation = nullptr) {
    set.add({name, letters, meaning, std::move(equation)}, std::move(values), std::move(derivation));
    return set[name];
  };
  const std::string scaled = scaledWords(config, head.layer);
  const auto shareOf = [&](const std::string& part, const std::string& weights, const std::string& turn) {
    const std::string share = (config.hasNorms() ? normWords(config, part) : part) + " · " + weights;
    return config.positions->rotates() ? turn + " · (" + share + ")" : share;
  };
  const AlongParts along = alongParts(model, trace);
  const auto addSide = [&](const char* name, HeadReading::Of what, int token, const Tensor& of,
                           const char* meaning, std::string equation) {
    const HeadReading reading(model, trace, head, what);
    TensorSet::DerivationOf derivation;
    if (!config.positions->rotates())
      derivation = [=](const std::array<int, maxRank>& at) {
        return at[0] == 0 ? reading.madeOfBiases(at[1]) : reading.madeOf(along, at[0] - 1, token, at[1]);
      };
    return add(name, "OK", meaning, std::move(equation), sideOfScore(model, reading, head.layer, token, of),
               std::move(derivation));
  };
  const TensorView q =
      addSide(score::queries, HeadReading::Of::Query, query, parts[0],
              "what each part that was written makes of the query", "q_i = " + shareOf("x_i", "W_Q", "R_t"));
  const TensorView k =
      addSide(score::keys, HeadReading::Of::Key, key, parts[1],
              "what each part that was written makes of the key", "k_j = " + shareOf("x_j", "W_K", "R_s"));
  const int count = q.extent[0], K = q.extent[1];
  const float scale = config.ofLayer(head.layer).scoreScale();
  Tensor table({count, count}), rows({count}), columns({count}), dimensions({K}), positions({1}), sum({1});
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      double products = 0;
      for (int d = 0; d < K; ++d) products += static_cast<double>(q(i, d)) * k(j, d);
      table(i, j) = static_cast<float>(products * scale);
      rows(i) += table(i, j), columns(j) += table(i, j), sum(0) += table(i, j);
    }
  for (int d = 0; d < K; ++d) {
    double wholeQuery = 0, wholeKey = 0;
    for (int i = 0; i < count; ++i) wholeQuery += q(i, d), wholeKey += k(i, d);
    dimensions(d) = static_cast<float>(wholeQuery * wholeKey * scale);
  }
  if (hasPositionBias(config, head.site))
    positions(0) = positionBias(model, trace, head.layer, head.site).view()(head.head, query, key);
  sum(0) += positions(0);
  const TensorView cells =
      add(score::table, "OO", "what the score is made of: who wrote the query times who wrote the key",
          "q_i · k_j" + scaled, std::move(table), [=](const std::array<int, maxRank>& at) {
            Derivation d;
            for (int i = 0; i < K; ++i) d.terms.push_back({&q(at[0], i), &k(at[1], i), scale});
            return d;
          });
  const auto ofRow = [=](const std::array<int, maxRank>& at) {
    Derivation d;
    for (int j = 0; j < count; ++j) d.terms.push_back({&cells(at[0], j)});
    return d;
  };
  const auto ofColumn = [=](const std::array<int, maxRank>& at) {
    Derivation d;
    for (int i = 0; i < count; ++i) d.terms.push_back({&cells(i, at[0])});
    return d;
  };
  const TensorView fromQuery =
      add(score::fromQuery, "O", "what a part does on the query's side, over all keys' parts",
          "Σ_j q_i · k_j" + scaled, std::move(rows), ofRow);
  const TensorView fromKey =
      add(score::fromKey, "O", "what a part does on the key's side, over all queries' parts",
          "Σ_i q_i · k_j" + scaled, std::move(columns), ofColumn);
  addBlocks(writersByBlock(model, head.layer), cells, fromQuery, fromKey, scaled, set);
  add(score::dimensions, "K", "each dimension's product of query and key", "q ⊙ k" + scaled,
      std::move(dimensions));
  const TensorView bias =
      add(score::positions, "1", "what positions add to the score", "bias", std::move(positions));
  add(score::sum, "1", "the score before the mask, put together again",
      "Σ_i Σ_j q_i · k_j" + scaled + (hasPositionBias(config, head.site) ? " + bias" : ""), std::move(sum),
      [=](const std::array<int, maxRank>&) {
        Derivation d;
        for (int i = 0; i < count; ++i) d.terms.push_back({&fromQuery(i)});
        d.terms.push_back({&bias(0)});
        return d;
      });
}

}  // namespace glassformer
