#include "core/lens/output_parts.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/lens/attention_stages.h"
#include "core/lens/contributions.h"
#include "core/lens/equation_words.h"
#include "core/lens/head_reading.h"
#include "core/lens/residual_stream.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

constexpr std::int64_t mostShares = 1 << 24;

// What everybody who wrote makes of the value at every key [S, O, K]; nothing where the watch stopped it.
std::optional<Tensor> sharesOfValues(const Transformer& model, const Trace& trace, HeadId head,
                                     const HeadReading& reading, const Watch& watch) {
  const int S = trace.tokenCount(), parts = partsBefore(model, head.layer), K = reading.width();
  Tensor shares({S, parts + 1, K});
  std::vector<int> keys(static_cast<std::size_t>(S));
  std::iota(keys.begin(), keys.end(), 0);
  const Tensor biases = reading.ofBiases();
  for (const int key : keys) std::copy_n(&biases.view()(0, 0), K, &shares(key, 0, 0));
  const bool whole = visitParts(model, trace, parts, watch, [&](int part, const TensorView& x_w) {
    const Tensor values = reading.of(x_w, keys);
    for (const int key : keys) std::copy_n(&values.view()(key, 0), K, &shares(key, part + 1, 0));
  });
  return whole ? std::optional(std::move(shares)) : std::nullopt;
}

// The equations, with what the config makes of them.
struct OutputWords {
  explicit OutputWords(const ModelConfig& config) {
    const std::string read = config.hasNorms() ? normWords(config, "x_w") : "x_w";
    share = "v_w = " + read + (config.readout == Readout::Rows ? "" : " · W_V");
    const std::string written = config.sumsHeads() ? "I" : "W_O";
    worth = "u = " +
            logitShareWords(config, config.normsBehind() ? "(" + normWords(config, written) + ")" : written);
  }
  std::string share, worth;
  std::string cell = "A[t,s] · v_w · u";
};

// What each of the head's numbers is worth for a logit, and what that is made of.
struct Worth {
  Worth(const Transformer& model, const Trace& trace, HeadId head, int entry, int query)
      : ofWritten(worthOfWritten(model, trace, head, entry, query)),
        inHead(worthInHead(model, head, ofWritten)) {
    const int K = static_cast<int>(inHead.size()), D = model.config().width;
    if (model.config().sumsHeads()) return;
    const TensorView all = model.parameters()[attentionWeights(head.layer, head.site) + "c_proj.weight"];
    output = TensorView(&all(head.head * K, 0), {K, D});
  }
  // The weights W_O, each times what the final norm and W_U make of its dimension; there may be none.
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
};

// One head's table, row by row, from the shares of its values.
class OutputTable {
 public:
  OutputTable(const Transformer& model, const Trace& trace, HeadId head, int query, TensorSet& set)
      : words_(model.config()),
        set_(set),
        pattern_(trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head][query]),
        z_(headRows(trace[attentionPoint(head.layer, head.site, "hook_z")], head.head,
                    model.config().heads)[query]) {
    const TensorView output = trace[attentionOutPoint(head.layer, head.site)][query];
    isOff_ = kernels().sumOfSquares(output.data, output.extent[0]) == 0;
  }

  void measure(Tensor shares, const HeadReading& reading, const AlongParts& along, const Worth& worth,
               const std::vector<WriterGroup>& blocks) {
    v_ = add(output::values, "SOK", "what each part that was written makes of the value of each key",
             words_.share, std::move(shares), [=](const Index& at) {
               return at[1] == 0 ? reading.madeOfBiases(at[2])
                                 : reading.madeOf(along, at[1] - 1, at[0], at[2]);
             });
    u_ = add(output::worth, "K", "what each of the head's numbers is worth for the logit", words_.worth,
             Tensor({static_cast<int>(worth.inHead.size())}, worth.inHead), worth.derivation());
    addCells();
    addSums();
    addBlocks(blocks);
    addDimensions();
    addRest();
  }

 private:
  TensorView add(const char* name, const char* letters, const char* meaning, std::string equation,
                 Tensor values, TensorSet::DerivationOf derivation = nullptr) {
    set_.add({name, letters, meaning, std::move(equation)}, std::move(values), std::move(derivation));
    return set_[name];
  }
  // A tensor whose every number is the sum that its derivation says.
  TensorView addSum(const char* name, const char* letters, int count, const char* meaning,
                    std::string equation, const TensorSet::DerivationOf& derivation) {
    addDerived(set_, {name, letters, meaning, std::move(equation)}, {count}, derivation);
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
                 "what the head adds to the logit: from which key, times who wrote the value there",
                 words_.cell, std::move(cells), [v = v_, u = u_, A = pattern_](const Index& at) {
                   return derivedDot(v[at[0]][at[1]], u, A(at[0]));
                 });
  }

  void addSums() {
    fromKey_ = addSum(output::fromKey, "S", table_.extent[0],
                      "what the head adds to the logit from one key, whoever wrote there",
                      "Σ_w " + words_.cell, [cells = table_](const Index& at) {
                        Derivation d;
                        for (int w = 0; w < cells.extent[1]; ++w) d.terms.push_back({&cells(at[0], w)});
                        return d;
                      });
    fromWriter_ = addSum(output::fromWriter, "O", table_.extent[1],
                         "what the head adds to the logit of what one part wrote, at whatever key",
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
                "what the head adds to the logit: from which key, times what wrote the value there",
                "Σ_w " + words_.cell},
               {table_.extent[0], count},
               [=, cells = table_](const Index& at) { return derivedSum(cells[at[0]], groupAt(at[1])); });
    addSum(output::fromBlock, "b", count,
           "what the head adds to the logit of what one block wrote, at whatever key",
           "Σ_s Σ_w " + words_.cell,
           [=, from = fromWriter_](const Index& at) { return derivedSum(from, groupAt(at[0])); });
  }

  // A head whose attention is switched off adds nothing, whatever z is.
  void addDimensions() {
    addSum(output::dimensions, "K", u_.extent[0], "what each of the head's numbers adds to the logit",
           isOff_ ? "0" : "z ⊙ u", [z = z_, u = u_, isOff = isOff_](const Index& at) {
             return Derivation{.terms = {{&z(at[0]), &u(at[0]), isOff ? 0.0f : 1.0f}}};
           });
  }

  // What the pass has of the head, and what of it the table lacks.
  void addRest() {
    const TensorView written = set_[output::dimensions];
    const TensorView rest =
        addSum(output::interventions, "1", 1, "what interventions add to what the head computed",
               "z · u − Σ_s Σ_w " + words_.cell, [=, from = fromKey_](const Index&) {
                 Derivation d;
                 for (int k = 0; k < written.extent[0]; ++k) d.terms.push_back({&written(k)});
                 for (int s = 0; s < from.extent[0]; ++s) d.terms.push_back({&from(s), nullptr, -1});
                 return d;
               });
    addSum(output::sum, "1", 1, "what the head adds to the logit, put together again",
           "Σ_s Σ_w " + words_.cell, [=, from = fromWriter_](const Index&) {
             Derivation d;
             for (int w = 0; w < from.extent[0]; ++w) d.terms.push_back({&from(w)});
             d.terms.push_back({&rest(0)});
             return d;
           });
  }

  OutputWords words_;
  TensorSet& set_;
  TensorView pattern_, z_;  // [S] and [K], at the query
  bool isOff_;
  TensorView v_, u_, table_, fromKey_, fromWriter_;
};

}  // namespace

std::string whyNoOutputTable(const ModelConfig& config, AttentionSite site) {
  if (!config.attends()) return "this model has no attention";
  if (site == AttentionSite::Across || site == AttentionSite::Encoder)
    return "only a text's attention to itself is taken apart; choose a head of the text's own";
  if (!isSumOfParts(config)) return whyNoSumOfParts(config);
  if (!isLogitSumOfParts(config))
    return "a layer with a nonlinearity stands before the unembedding, so a logit is no sum of parts";
  return "";
}

std::string whyNoOutputTable(const Transformer& model, HeadId head, int tokens) {
  const ModelConfig& config = model.config();
  if (std::string reason = whyNoOutputTable(config, head.site); !reason.empty()) return reason;
  const int K = config.sumsHeads() ? config.width : config.headWidth();
  const std::int64_t writers = partsBefore(model, head.layer) + 1;
  if (writers * K * tokens <= mostShares) return "";
  return "this text is too long for it: in block " + std::to_string(head.layer) + " at most " +
         std::to_string(mostShares / (writers * K)) + " tokens, of which there are " + std::to_string(tokens);
}

void measureOutputTable(const Transformer& model, const Trace& trace, HeadId head, int query, int entry,
                        TensorSet& set, const Watch& watch) {
  const HeadReading reading(model, trace, head, HeadReading::Of::Value);
  std::optional<Tensor> shares = sharesOfValues(model, trace, head, reading, watch);
  if (shares)
    OutputTable(model, trace, head, query, set)
        .measure(*std::move(shares), reading, alongParts(model, trace),
                 Worth(model, trace, head, entry, query), writersByBlock(model, head.layer));
}

}  // namespace glassformer
