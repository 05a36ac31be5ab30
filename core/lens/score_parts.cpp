#include "core/lens/score_parts.h"

#include <cmath>
#include <numeric>

#include "core/lens/attention_stages.h"
#include "core/lens/equation_words.h"
#include "core/lens/residual_stream.h"
#include "core/lens/scores.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

// One token's side of a score: its query or its key, part by part.
class ScoreSide {
 public:
  ScoreSide(const Transformer& model, const Trace& trace, HeadId head, int token, bool isQuery)
      : model_(model),
        config_(model.config()),
        trace_(trace),
        head_(head),
        token_(token),
        isQuery_(isQuery) {}

  // [O, K], turned by the token's position where positions turn.
  Tensor shares(const Tensor& parts) const {
    const int D = config_.width, K = config_.headWidth(), count = parts.view().extent[0];
    Tensor shares({count + 1, K});
    std::vector<float> biases(static_cast<std::size_t>(D), 0.0f);
    if (config_.hasNorms() && config_.norm == NormKind::Layer) biases = norm("bias").copy();
    project(biases.data(), &shares(0, 0));
    if (config_.biases != Biases::None)
      for (int k = 0; k < K; ++k) shares(0, k) += weights("bias")(firstColumn() + k);
    for (int part = 0; part < count; ++part)
      project(normalized(&parts.view()(part, 0)).data(), &shares(part + 1, 0));
    return config_.positions->rotates() ? turned(shares) : shares;
  }

 private:
  TensorView weights(const char* kind) const {
    return model_.parameters()[attentionWeights(head_.layer, head_.site) + "c_attn." + kind];
  }
  TensorView norm(const char* kind) const {
    return model_.parameters()["h." + std::to_string(head_.layer) + ".ln_1." + kind];
  }
  int firstColumn() const {
    const int K = config_.headWidth();
    const int shared = head_.head * config_.valueHeads() / config_.heads;
    return isQuery_ ? head_.head * K : selfAttentionColumns(config_).query + shared * K;
  }

  // γ ⊙ (x_m − mean(x_m)) / σ, with the σ of all of x; no mean where the norm takes none.
  std::vector<float> normalized(const float* part) const {
    const int D = config_.width;
    std::vector<float> row(part, part + D);
    if (!config_.hasNorms()) return row;
    const float mean =
        config_.norm == NormKind::Rms ? 0 : std::accumulate(part, part + D, 0.0f) / static_cast<float>(D);
    const TensorView gamma = norm("weight");
    const float sigma = trace_[blockPoint(config_, head_.layer, "ln1.hook_scale")](token_, 0);
    for (int d = 0; d < D; ++d) row[static_cast<std::size_t>(d)] = gamma(d) * (part[d] - mean) / sigma;
    return row;
  }
  // y += x · W of this head's columns.
  void project(const float* x, float* y) const {
    const TensorView w = weights("weight");
    const int K = config_.headWidth(), first = firstColumn();
    for (int d = 0; d < config_.width; ++d)
      for (int k = 0; k < K; ++k) y[k] += x[d] * w(d, first + k);
  }
  // All parts side by side, as if they were heads, in the row of the token's position.
  Tensor turned(const Tensor& shares) const {
    const int count = shares.view().extent[0], K = shares.view().extent[1];
    Tape tape(1, token_ + 1, 0);
    const Value x = tape.rows(count * K, Stream::Text);
    std::ranges::copy(shares.values(), x.data + token_ * x.stride);
    const Value y = config_.positions->rotate(tape, config_.ofLayer(head_.layer), x);
    tape.forward();
    const float* row = y.data + token_ * y.stride;
    return Tensor({count, K}, std::vector<float>(row, row + count * K));
  }

  const Transformer& model_;
  const ModelConfig& config_;
  const Trace& trace_;
  HeadId head_;
  int token_;
  bool isQuery_;
};

// How many parts are in the stream when a block begins.
int partsBefore(const Transformer& model, int layer) {
  int count = 0;
  for (const ContributionPart& part : contributionParts(model)) {
    using Kind = ContributionPart::Kind;
    const bool isInput =
        part.kind == Kind::Embedding || part.kind == Kind::Position || part.kind == Kind::TokenType;
    count += isInput || part.head.layer < layer;
  }
  return count;
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
  if (!isSumOfParts(config))
    return "the residual stream is no sum of what its sublayers add: norms come after the sum, or there is "
           "none";
  return "";
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
  const TensorView q = add(score::queries, "OK", "what each part that was written makes of the query",
                           "q_i = " + shareOf("x_i", "W_Q", "R_t"),
                           ScoreSide(model, trace, head, query, true).shares(parts[0]));
  const TensorView k = add(score::keys, "OK", "what each part that was written makes of the key",
                           "k_j = " + shareOf("x_j", "W_K", "R_s"),
                           ScoreSide(model, trace, head, key, false).shares(parts[1]));
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
  add(score::fromKey, "O", "what a part does on the key's side, over all queries' parts",
      "Σ_i q_i · k_j" + scaled, std::move(columns), ofColumn);
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

std::string writerName(const Transformer& model, int writer) {
  return writer == 0 ? "biases" : nameOf(contributionPart(model, writer - 1));
}

}  // namespace glassformer
