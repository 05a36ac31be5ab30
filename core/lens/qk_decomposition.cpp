#include "core/lens/qk_decomposition.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/lens/attention_stages.h"
#include "core/lens/contributions.h"
#include "core/lens/equation_words.h"
#include "core/lens/head_matrices.h"
#include "core/lens/head_reading.h"
#include "core/lens/largest_parts.h"
#include "core/lens/scores.h"
#include "core/model/positional/positional_encoding.h"
#include "core/shortest_text.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

ModelConfig configAt(const ModelConfig& config, HeadId head) {
  return head.site == AttentionSite::Encoder ? config.ofEncoderLayer(head.layer) : config.ofLayer(head.layer);
}

// What is compared with the source stands in another text: its position turns nothing.
bool isTurned(const ModelConfig& config, HeadId head) {
  return head.site != AttentionSite::Cross && config.positions->rotates();
}

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

// What a head's query or key is multiplied with where it is normalized, its own root mean square held fixed,
// [K]; empty where it is not.
std::vector<float> normFactors(const Transformer& model, const Trace& trace, HeadId head, const char* which,
                               int token) {
  const ModelConfig& config = model.config();
  if (!hasNormedQueries(config, head.site)) return {};
  const TensorView x = headRows(trace[attentionPoint(head.layer, head.site, std::string("hook_") + which)],
                                head.head, config.heads)[token];
  const TensorView gamma =
      model.parameters()[attentionWeights(head.layer, head.site) + which + "_norm.weight"];
  double squares = 0;
  for (int k = 0; k < x.extent[0]; ++k) squares += static_cast<double>(x(k)) * x(k);
  const double rms = std::sqrt(squares / x.extent[0] + static_cast<double>(config.normEpsilon));
  std::vector<float> factors;
  for (int k = 0; k < x.extent[0]; ++k) factors.push_back(static_cast<float>(gamma(k) / rms));
  return factors;
}

// One token's query or key: who wrote it.
struct ScoreSide {
  HeadReading reading;
  HeadId head;
  int token;
  std::vector<float> norm;  // see normFactors()

  // What each part makes of it [O, K], turned by the token's position where positions turn.
  Tensor shares(const ModelConfig& config, const Tensor& parts) const {
    const std::vector<int> alone{token};
    std::vector<float> all = reading.ofBiases(alone).values();
    std::vector<HeadReading::Row> whose;
    for (int part = 0; part < reading.parts(); ++part) whose.push_back({part, token});
    std::ranges::copy(reading.of(parts.view(), whose).values(), std::back_inserter(all));
    for (std::size_t i = 0; i < all.size() && !norm.empty(); ++i) all[i] *= norm[i % norm.size()];
    Tensor side({reading.writers(), reading.width()}, std::move(all));
    return isTurned(config, head) ? turnedAt(configAt(config, head), token, side) : side;
  }
  // What is turned is no sum over what was written.
  TensorSet::DerivationOf derivation(const ModelConfig& config, const AlongParts& along) const {
    if (isTurned(config, head)) return nullptr;
    return [=, *this](const Index& at) {
      auto made = at[0] == 0 ? std::optional(reading.madeOfBiases(token, at[1]))
                             : reading.madeOf(along, at[0] - 1, token, at[1]);
      if (made && !norm.empty())
        for (Term& term : made->terms) term.coefficient *= norm[static_cast<std::size_t>(at[1])];
      return made;
    };
  }
  // "q_i = R_t · (norm(x_i) · W_Q)".
  std::string equation(const ModelConfig& config, const std::string& made, const std::string& part,
                       const std::string& weights, const std::string& turn) const {
    const std::string read = reading.equation(part, weights),
                      share = norm.empty() ? read : "γ ⊙ (" + read + ") / ρ_" + made.front();
    return made + " = " + (isTurned(config, head) ? turn + " · (" + share + ")" : share);
  }
};

// The vectors of the parts that both sides read, [O − 1, D] each.
std::array<Tensor, 2> partsOfSides(const Transformer& model, const Trace& trace, const ScoreSide& query,
                                   const ScoreSide& key) {
  const auto of = [&](const ScoreSide& side, const std::vector<int>& tokens) {
    return partsOfTokens(model, trace, tokens, side.reading.parts(), side.reading.stream());
  };
  if (query.reading.stream() != key.reading.stream())
    return {of(query, {query.token}).front(), of(key, {key.token}).front()};
  std::vector<Tensor> both = of(query, {query.token, key.token});
  return {std::move(both[0]), std::move(both[1])};
}

// One score's table and its sums.
class ScoreTable {
 public:
  ScoreTable(const Transformer& model, const Trace& trace, HeadId head, int query, int key, TensorSet& set)
      : model_(model),
        trace_(trace),
        config_(model.config()),
        head_(head),
        query_{HeadReading(model, trace, head, HeadReading::Of::Query), head, query,
               normFactors(model, trace, head, "q", query)},
        key_{HeadReading(model, trace, head, HeadReading::Of::Key), head, key,
             normFactors(model, trace, head, "k", key)},
        scale_(configAt(config_, head).scoreScale()),
        scaled_(scaledWords(config_, head.layer)),
        set_(set) {}

  void measure() {
    addSides();
    addCells();
    addOthers(set_, score::table, score::fromQuery, score::fromKey);
    addBlocks();
    addDimensions();
    addSum();
  }

 private:
  // T counts the query's tokens where both are, else those of the side.
  TensorView add(const char* name, const char* letters, Stream rows, const std::string& meaning,
                 std::string equation, Tensor values, TensorSet::DerivationOf derivation = nullptr) {
    set_.add({name, letters, meaning, std::move(equation), rows, key_.reading.stream()}, std::move(values),
             std::move(derivation));
    return set_[name];
  }
  // A tensor whose every number is the sum that its derivation says.
  TensorView addSum(const char* name, const char* letters, Stream rows, std::initializer_list<int> extents,
                    const char* meaning, const std::string& equation,
                    const TensorSet::DerivationOf& derivation) {
    addDerived(set_, {name, letters, meaning, equation, rows, key_.reading.stream()}, extents, derivation);
    return set_[name];
  }
  Stream asking() const { return query_.reading.stream(); }
  Stream answering() const { return key_.reading.stream(); }

  void addSides() {
    const auto parts = partsOfSides(model_, trace_, query_, key_);
    const auto side = [&](const char* name, const ScoreSide& of, const Tensor& written,
                          const std::string& meaning, std::string equation) {
      return add(name, "OK", of.reading.stream(), meaning + of.reading.normsWords(), std::move(equation),
                 of.shares(config_, written),
                 of.derivation(config_, alongParts(model_, trace_, of.reading.stream())));
    };
    q_ = side(score::queries, query_, parts[0], "contribution of each component to the query",
              query_.equation(config_, "q_i", "x_i", "W_Q", "R_t"));
    k_ = side(score::keys, key_, parts[1], "contribution of each component to the key",
              key_.equation(config_, "k_j", "x_j", "W_K", "R_s"));
  }

  void addCells() {
    const int asks = q_.extent[0], answers = k_.extent[0], K = q_.extent[1];
    Tensor cells({asks, answers});
    for (int i = 0; i < asks; ++i)
      for (int j = 0; j < answers; ++j)
        cells(i, j) =
            static_cast<float>(std::inner_product(&q_(i, 0), &q_(i, 0) + K, &k_(j, 0), 0.0) * scale_);
    cells_ = add(score::table, "OO", asking(),
                 "contributions to the score: component of the query times component of the key",
                 "q_i · k_j" + scaled_, std::move(cells), [q = q_, k = k_, scale = scale_](const Index& at) {
                   return derivedDot(q[at[0]], k[at[1]], scale);
                 });
    fromQuery_ = addSum(score::fromQuery, "O", asking(), {asks},
                        "a component on the query's side, summed over all components of the key",
                        "Σ_j q_i · k_j" + scaled_, [cells = cells_](const Index& at) {
                          Derivation d;
                          for (int j = 0; j < cells.extent[1]; ++j) d.terms.push_back({&cells(at[0], j)});
                          return d;
                        });
    fromKey_ = addSum(score::fromKey, "O", answering(), {answers},
                      "a component on the key's side, summed over all components of the query",
                      "Σ_i q_i · k_j" + scaled_, [cells = cells_](const Index& at) {
                        Derivation d;
                        for (int i = 0; i < cells.extent[0]; ++i) d.terms.push_back({&cells(i, at[0])});
                        return d;
                      });
  }

  // The table and its sums with all that a block wrote as one.
  void addBlocks() {
    const auto asks = writersByBlock(model_, asking(), q_.extent[0]),
               answers = writersByBlock(model_, answering(), k_.extent[0]);
    const auto groupAt = [](const std::vector<WriterGroup>& groups, int b) {
      return groups[static_cast<std::size_t>(b)];
    };
    const int down = static_cast<int>(asks.size()), across = static_cast<int>(answers.size());
    const std::string equation = "Σ_{i,j} q_i · k_j" + scaled_;
    addSum(score::blockTable, "bb", asking(), {down, across},
           "contributions to the score: component of the query times component of the key", equation,
           [=, cells = cells_](const Index& at) {
             const WriterGroup queries = groupAt(asks, at[0]), keys = groupAt(answers, at[1]);
             Derivation d;
             for (int i = queries.first; i < queries.first + queries.count; ++i)
               for (int j = keys.first; j < keys.first + keys.count; ++j) d.terms.push_back({&cells(i, j)});
             return d;
           });
    addSum(score::fromQueryBlock, "b", asking(), {down},
           "a block on the query's side, summed over all components of the key", equation,
           [=, from = fromQuery_](const Index& at) { return derivedSum(from, groupAt(asks, at[0])); });
    addSum(score::fromKeyBlock, "b", answering(), {across},
           "a block on the key's side, summed over all components of the query", equation,
           [=, from = fromKey_](const Index& at) { return derivedSum(from, groupAt(answers, at[0])); });
  }

  void addDimensions() {
    const auto whole = [](const TensorView& side, int d) {
      double sum = 0;
      for (int i = 0; i < side.extent[0]; ++i) sum += static_cast<double>(side(i, d));
      return sum;
    };
    const int K = q_.extent[1];
    Tensor dimensions({K});
    for (int d = 0; d < K; ++d) dimensions(d) = static_cast<float>(whole(q_, d) * whole(k_, d) * scale_);
    add(score::dimensions, "K", asking(), "each dimension's product of query and key", "q ⊙ k" + scaled_,
        std::move(dimensions), [q = q_, k = k_, scale = scale_](const Index& at) {
          Derivation products;  // (Σ_i q_i) · (Σ_j k_j)
          for (int i = 0; i < q.extent[0]; ++i)
            for (int j = 0; j < k.extent[0]; ++j)
              products.terms.push_back({&q(i, at[0]), &k(j, at[0]), static_cast<float>(scale)});
          return products;
        });
  }

  void addSum() {
    const bool isShifted = hasPositionBias(config_, head_.site);
    Tensor positions({1});
    if (isShifted)
      positions(0) =
          positionBias(model_, trace_, head_.layer, head_.site).view()(head_.head, query_.token, key_.token);
    const TensorView bias = add(score::positions, "1", asking(), "contribution of positions to the score",
                                "bias", std::move(positions));
    const TensorView byHand = addByHand();
    const float cap = hasCap(config_, head_.site) ? config_.scoreCap : 0;
    const TensorView sum = addSum(score::sum, "1", asking(), {1},
                                  cap > 0 ? "the score before cap and mask, put together again"
                                          : "the score before the mask, put together again",
                                  "Σ_i Σ_j q_i · k_j" + scaled_ + (isShifted ? " + bias" : ""),
                                  [=, from = fromQuery_](const Index&) {
                                    Derivation d;
                                    for (int i = 0; i < from.extent[0]; ++i) d.terms.push_back({&from(i)});
                                    d.terms.push_back({&bias(0)});
                                    if (byHand(0) != 0) d.terms.push_back({&byHand(0)});
                                    return d;
                                  });
    if (cap > 0)
      addSum(score::capped, "1", asking(), {1}, "score after the soft cap, before the mask",
             "c · tanh(s / c), c = " + shortestText(cap), [=](const Index&) {
               return Derivation{.form = Form::Capped, .terms = {{&sum(0)}}, .constant = cap};
             });
  }

  // q · k of the pass, less all that parts make of it: 0 but for rounding where no one has put anything in.
  TensorView addByHand() {
    const auto compared = [&](const char* which, int token) {
      return headRows(trace_[comparedPoint(trace_, head_.layer, head_.site, which)], head_.head,
                      config_.heads)[token];
    };
    const TensorView q = compared("q", query_.token), k = compared("k", key_.token);
    Derivation missed = derivedDot(q, k, scale_);
    const double score = missed.value();
    for (int i = 0; i < fromQuery_.extent[0]; ++i) missed.terms.push_back({&fromQuery_(i), nullptr, -1});
    const char* const meaning = "interventions on stream, query or key";
    const std::string equation = "q · k" + scaled_ + " − Σ_i Σ_j q_i · k_j" + scaled_;
    if (std::abs(missed.value()) <= score::leastByHand(score))
      return add(score::byHand, "1", asking(), meaning, equation, Tensor({1}));
    const std::vector<TensorView> sides = addSidesByHand(q, k);
    return addSum(score::byHand, "1", asking(), {1}, meaning, equation, [sides](const Index&) {
      Derivation d;
      for (const TensorView& side : sides) d.terms.push_back({&side(0)});
      return d;
    });
  }

  // With q = Q + δq and k = K + δk, of which parts have written Q and K:
  // q · k − Q · K = δq · K + Q · δk + δq · δk.
  std::vector<TensorView> addSidesByHand(const TensorView& q, const TensorView& k) {
    const auto written = [&](const char* name, Stream rows, const TensorView& shares, const char* meaning,
                             const std::string& equation) {
      return addSum(name, "K", rows, {shares.extent[1]}, meaning, equation, [shares](const Index& at) {
        Derivation d;
        for (int i = 0; i < shares.extent[0]; ++i) d.terms.push_back({&shares(i, at[0])});
        return d;
      });
    };
    const auto putIn = [&](const char* name, Stream rows, const TensorView& whole, const TensorView& parts,
                           const char* meaning, const std::string& equation) {
      return addSum(name, "K", rows, {whole.extent[0]}, meaning, equation, [whole, parts](const Index& at) {
        return derivedDifference(&whole(at[0]), &parts(at[0]));
      });
    };
    const TensorView Q = written(score::queryWritten, asking(), q_, "sum of all components of the query",
                                 "Σ_i q_i"),
                     K = written(score::keyWritten, answering(), k_, "sum of all components of the key",
                                 "Σ_j k_j"),
                     dq = putIn(score::queryPutIn, asking(), q, Q,
                                "part of the query that no component wrote", "δq = q − Σ_i q_i"),
                     dk = putIn(score::keyPutIn, answering(), k, K, "part of the key that no component wrote",
                                "δk = k − Σ_j k_j");
    const auto product = [&](const char* name, const TensorView& a, const TensorView& b, const char* meaning,
                             const char* equation) {
      return addSum(name, "1", asking(), {1}, meaning, equation + scaled_,
                    [=, scale = scale_](const Index&) { return derivedDot(a, b, scale); });
    };
    return {
        product(score::byHandQuery, dq, K, "change by interventions on the query's side alone",
                "δq · Σ_j k_j"),
        product(score::byHandKey, Q, dk, "change by interventions on the key's side alone", "Σ_i q_i · δk"),
        product(score::byHandBoth, dq, dk, "change by interventions on both sides together", "δq · δk")};
  }

  const Transformer& model_;
  const Trace& trace_;
  const ModelConfig& config_;
  HeadId head_;
  ScoreSide query_, key_;
  float scale_;
  std::string scaled_;
  TensorSet& set_;
  TensorView q_, k_, cells_, fromQuery_, fromKey_;
};

}  // namespace

std::string whyNoScoreTable(const ModelConfig& config, AttentionSite site) {
  if (!config.hasAttention()) return "this model has no attention";
  if (config.kernel == AttentionKernel::Linear)
    return "linear attention compares φ(q) with φ(k), and φ of a sum is not the sum of φ of its components";
  if (!hasProducts(config, site)) return "its scores come from distance alone, not from queries and keys";
  return "";
}

void measureScoreTable(const Transformer& model, const Trace& trace, HeadId head, int query, int key,
                       TensorSet& set) {
  ScoreTable(model, trace, head, query, key, set).measure();
}

}  // namespace glassformer
