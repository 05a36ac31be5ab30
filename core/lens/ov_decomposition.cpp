#include "core/lens/ov_decomposition.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/lens/attention_stages.h"
#include "core/lens/contributions.h"
#include "core/lens/equation_words.h"
#include "core/lens/head_reading.h"
#include "core/lens/largest_parts.h"
#include "core/lens/written_parts.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

constexpr std::int64_t mostShares = 1 << 24;

// What everybody who wrote makes of the value at every key [S, O, K]; nothing where the watch stopped it.
std::optional<Tensor> sharesOfValues(const Transformer& model, const Trace& trace, int S,
                                     const HeadReading& reading, const ProgressCallback& watch) {
  const int K = reading.width();
  Tensor shares({S, reading.writers(), K});
  std::vector<int> keys(static_cast<std::size_t>(S));
  std::iota(keys.begin(), keys.end(), 0);
  const auto keep = [&](int writer, const Tensor& values) {
    for (const int key : keys) std::copy_n(&values.view()(key, 0), K, &shares(key, writer, 0));
  };
  keep(0, reading.ofBiases(keys));
  const auto visit = [&](int part, const TensorView& x_w) {
    std::vector<HeadReading::Row> whose;
    for (const int key : keys) whose.push_back({part, key});
    keep(part + 1, reading.of(x_w, whose));
  };
  return visitParts(model, trace, reading.stream(), reading.parts(), watch, visit)
             ? std::optional(std::move(shares))
             : std::nullopt;
}

// The equations, with what the config makes of them.
struct OutputWords {
  OutputWords(const ModelConfig& config, const HeadReading& reading, int normsBehind, bool isDifference)
      : towards(isDifference ? "the logit difference" : "the logit") {
    share = "v_w = " + reading.equation("x_w", "W_V");
    shareNorms = reading.normsWords(), worthNorms = severalNormsWords(config, normsBehind);
    worth = "u = " + throughNormsWords(config, config.headsOutputFullWidth() ? "I" : "W_O", normsBehind) +
            (config.scaledUnembedding ? " / √D" : "") + (isDifference ? " · (W_U,v − W_U,v′)" : " · W_U");
  }
  std::string share, worth;            // equations
  std::string shareNorms, worthNorms;  // of several norms what they are
  std::string towards;                 // "the logit"
  std::string cell = "A[t,s] · v_w · u";
};

// The norms that what a head writes goes through on its way to a logit, in their order.
std::vector<FixedNorm> normsBehindHead(const Transformer& model, const Trace& trace, HeadId head) {
  std::vector<FixedNorm> norms;
  if (model.config().hasSandwichNorm()) norms.push_back(normBehind(model, trace, head.layer, head.site));
  const WrittenParts written = writtenParts(model, Stream::Text);
  const auto part = std::ranges::find(written.parts, ContributionPart{ContributionPart::Kind::Head, head});
  for (std::size_t n = written.from[static_cast<std::size_t>(part - written.parts.begin())];
       n < written.norms.size(); ++n)
    norms.emplace_back(model, trace, written.norms[n]);
  return norms;
}

// What each of the head's numbers is worth for a logit, and what that is made of.
struct Worth {
  Worth(const Transformer& model, const Trace& trace, HeadId head, const AnswerMetric& logit) {
    const ModelConfig& config = model.config();
    const std::vector<FixedNorm> norms = normsBehindHead(model, trace, head);
    normsBehind = static_cast<int>(norms.size());
    ofWritten = model.unembedding()[logit.prediction.entry].copy();
    if (logit.against >= 0)
      for (int d = 0; d < config.width; ++d)
        ofWritten[static_cast<std::size_t>(d)] -= model.unembedding()(logit.against, d);
    for (float& value : ofWritten) value *= config.unembeddingScale();
    for (std::size_t n = norms.size(); n-- > 0;)
      ofWritten = norms[n].before(std::move(ofWritten), logit.prediction.position);
    if (config.headsOutputFullWidth()) {
      inHead = ofWritten;
      return;
    }
    const int K = config.headWidth(), D = config.width;
    const TensorView all = model.parameters()[attentionWeights(head.layer, head.site) + "c_proj.weight"];
    output = TensorView(&all(head.head * K, 0), {K, D});
    for (int k = 0; k < K; ++k)
      inHead.push_back(
          static_cast<float>(std::inner_product(&output(k, 0), &output(k, 0) + D, ofWritten.data(), 0.0)));
  }
  // The weights W_O, each times what the norms behind and W_U make of its dimension; there may be none.
  TensorSet::DerivationOf derivation() const {
    if (!output.data) return nullptr;
    return [u = ofWritten, rows = output](const Index& at) {
      Derivation sum;
      for (int d = 0; d < rows.extent[1]; ++d)
        sum.terms.push_back({&rows(at[0], d), nullptr, u[static_cast<std::size_t>(d)]});
      return sum;
    };
  }

  std::vector<float> ofWritten, inHead;  // [D] and [K]
  TensorView output;                     // [K, D]; empty where heads are added up as they are
  int normsBehind = 0;
};

// One head's table, row by row, from the shares of its values.
class OutputTable {
 public:
  OutputTable(const Transformer& model, const Trace& trace, HeadId head, int query, OutputWords words,
              TensorSet& set)
      : keys_(keysOf(head.site)),
        words_(std::move(words)),
        set_(set),
        pattern_(trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head][query]),
        z_(headRows(trace[attentionPoint(head.layer, head.site, "hook_z")], head.head,
                    model.config().heads)[query]) {
    const TensorView output = trace[attentionOutPoint(head.layer, head.site)][query];
    isOff_ = kernels().sumOfSquares(output.data, output.extent[0]) == 0;
  }

  void measure(Tensor shares, const HeadReading& reading, const AlongParts& along, const Worth& worth,
               const std::vector<WriterGroup>& blocks) {
    v_ = add(output::values, "SOK",
             "contribution of each component to the value of each key" + words_.shareNorms, words_.share,
             std::move(shares), [=](const Index& at) {
               return at[1] == 0 ? std::optional(reading.madeOfBiases(at[0], at[2]))
                                 : reading.madeOf(along, at[1] - 1, at[0], at[2]);
             });
    u_ = add(output::worth, "K", "factor of each number of the head in " + words_.towards + words_.worthNorms,
             words_.worth, Tensor({static_cast<int>(worth.inHead.size())}, worth.inHead), worth.derivation());
    addCells();
    addSums();
    addOthers(set_, output::table, output::fromKey, output::fromWriter);
    addBlocks(blocks);
    addDimensions();
    addRest();
  }

 private:
  TensorView add(const char* name, const char* letters, const std::string& meaning, std::string equation,
                 Tensor values, TensorSet::DerivationOf derivation = nullptr) {
    set_.add({name, letters, meaning, std::move(equation), keys_, keys_}, std::move(values),
             std::move(derivation));
    return set_[name];
  }
  // A tensor whose every number is the sum that its derivation says.
  TensorView addSum(const char* name, const char* letters, int count, const std::string& meaning,
                    std::string equation, const TensorSet::DerivationOf& derivation) {
    addDerived(set_, {name, letters, meaning, std::move(equation), keys_, keys_}, {count}, derivation);
    return set_[name];
  }

  void addCells() {
    const int S = v_.extent[0], O = v_.extent[1], K = v_.extent[2];
    Tensor cells({S, O});
    for (int s = 0; s < S; ++s)
      for (int w = 0; w < O; ++w)
        cells(s, w) = static_cast<float>(pattern_(s) *
                                         std::inner_product(&v_(s, w, 0), &v_(s, w, 0) + K, u_.data, 0.0));
    table_ = add(output::table, "SO",
                 "contribution of the head to " + words_.towards + ": key times component of its value",
                 words_.cell, std::move(cells), [v = v_, u = u_, A = pattern_](const Index& at) {
                   return derivedDot(v[at[0]][at[1]], u, A(at[0]));
                 });
  }

  void addSums() {
    fromKey_ = addSum(output::fromKey, "S", table_.extent[0],
                      "contribution of the head to " + words_.towards +
                          " from one key, summed over the components of its value",
                      "Σ_w " + words_.cell, [cells = table_](const Index& at) {
                        Derivation d;
                        for (int w = 0; w < cells.extent[1]; ++w) d.terms.push_back({&cells(at[0], w)});
                        return d;
                      });
    fromWriter_ = addSum(
        output::fromWriter, "O", table_.extent[1],
        "contribution of the head to " + words_.towards + " by one component of the values, summed over keys",
        "Σ_s " + words_.cell, [cells = table_](const Index& at) {
          Derivation d;
          for (int s = 0; s < cells.extent[0]; ++s) d.terms.push_back({&cells(s, at[0])});
          return d;
        });
  }

  // With all that a block wrote as one.
  void addBlocks(const std::vector<WriterGroup>& blocks) {
    const int count = static_cast<int>(blocks.size());
    const auto groupAt = [blocks](int b) { return blocks[static_cast<std::size_t>(b)]; };
    addDerived(set_,
               {output::blockTable, "Sb",
                "contribution of the head to " + words_.towards + ": key times block of its value",
                "Σ_w " + words_.cell, keys_, keys_},
               {table_.extent[0], count},
               [=, cells = table_](const Index& at) { return derivedSum(cells[at[0]], groupAt(at[1])); });
    addSum(output::fromBlock, "b", count,
           "contribution of the head to " + words_.towards + " by one block of the values, summed over keys",
           "Σ_s Σ_w " + words_.cell,
           [=, from = fromWriter_](const Index& at) { return derivedSum(from, groupAt(at[0])); });
  }

  // A head whose attention is switched off adds nothing, whatever z is.
  void addDimensions() {
    addSum(output::dimensions, "K", u_.extent[0],
           "contribution of each number of the head to " + words_.towards, isOff_ ? "0" : "z ⊙ u",
           [z = z_, u = u_, isOff = isOff_](const Index& at) {
             return Derivation{.terms = {{&z(at[0]), &u(at[0]), isOff ? 0.0f : 1.0f}}};
           });
  }

  // What the pass has of the head, and what of it the table lacks.
  void addRest() {
    const TensorView written = set_[output::dimensions];
    const TensorView rest =
        addSum(output::interventions, "1", 1, "change of the head's output by interventions",
               "z · u − Σ_s Σ_w " + words_.cell, [=, from = fromKey_](const Index&) {
                 Derivation d;
                 for (int k = 0; k < written.extent[0]; ++k) d.terms.push_back({&written(k)});
                 for (int s = 0; s < from.extent[0]; ++s) d.terms.push_back({&from(s), nullptr, -1});
                 return d;
               });
    addSum(output::sum, "1", 1, "contribution of the head to " + words_.towards + ", put together again",
           "Σ_s Σ_w " + words_.cell, [=, from = fromWriter_](const Index&) {
             Derivation d;
             for (int w = 0; w < from.extent[0]; ++w) d.terms.push_back({&from(w)});
             d.terms.push_back({&rest(0)});
             return d;
           });
  }

  Stream keys_;  // whose tokens are looked at, and whose parts wrote
  OutputWords words_;
  TensorSet& set_;
  TensorView pattern_, z_;  // [S] and [K], at the query
  bool isOff_;
  TensorView v_, u_, table_, fromKey_, fromWriter_;
};

// Whether without residual connections another sublayer's output takes the place of the head's.
bool isWrittenOver(const ModelConfig& config, HeadId head) {
  const bool isLast = head.layer + 1 == config.layers && !config.hasFeedForward() &&
                      (!config.isEncoderDecoder() || head.site == AttentionSite::Cross);
  return !config.residual && !isLast;
}

}  // namespace

std::string whyNoOutputTable(const ModelConfig& config, HeadId head) {
  if (!config.hasAttention()) return "this model has no attention";
  if (head.site == AttentionSite::Encoder)
    return "an encoder's head adds to no logit: later blocks and cross-attention read its output";
  if (config.headTransform)
    return "a nonlinear layer stands before the unembedding, so a logit is not a sum of components";
  if (isWrittenOver(config, head))
    return "it adds to no logit: without residual connections only the next sublayer reads its output";
  return "";
}

std::string whyNoOutputTable(const Transformer& model, HeadId head, int keys) {
  const ModelConfig& config = model.config();
  if (std::string reason = whyNoOutputTable(config, head); !reason.empty()) return reason;
  const int K = config.headsOutputFullWidth() ? config.width : config.headWidth();
  const std::int64_t writers = HeadReading::writersOf(model, head, HeadReading::Of::Value);
  if (writers * K * keys <= mostShares) return "";
  return "this text is too long for it: in block " + std::to_string(head.layer) + " at most " +
         std::to_string(mostShares / (writers * K)) + " tokens, of which there are " + std::to_string(keys);
}

void measureOutputTable(const Transformer& model, const Trace& trace, HeadId head, const AnswerMetric& logit,
                        TensorSet& set, const ProgressCallback& watch) {
  const HeadReading reading(model, trace, head, HeadReading::Of::Value);
  const int keys = trace[attentionPoint(head.layer, head.site, "hook_pattern")].extent[2];
  std::optional<Tensor> shares = sharesOfValues(model, trace, keys, reading, watch);
  if (!shares) return;
  const Worth worth(model, trace, head, logit);
  OutputTable(model, trace, head, logit.prediction.position,
              {model.config(), reading, worth.normsBehind, logit.against >= 0}, set)
      .measure(*std::move(shares), reading, alongParts(model, trace, reading.stream()), worth,
               writersByBlock(model, reading.stream(), reading.writers()));
}

}  // namespace glassformer
