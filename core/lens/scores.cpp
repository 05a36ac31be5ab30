#include "core/lens/scores.h"

#include <algorithm>
#include <cmath>

#include "core/log_sum_exp.h"
#include "core/model/attention.h"
#include "core/model/catalogue.h"
#include "core/model/positional/positional_encoding.h"
#include "core/tensor/operations/attention.h"

namespace glassformer {
namespace {

// One attention's queries, keys and values on a tape of their own, to compute scores from.
class AttentionAgain {
 public:
  AttentionAgain(const Transformer& model, const Trace& trace, int layer, AttentionSite site)
      : trace_(trace),
        config_(model.config().ofLayer(layer)),
        point_(attentionPoint(layer, site, "hook_attn_scores")),
        weights_(attentionWeights(layer, site)),
        tape_(1, rows(site, Stream::Text), rows(site, Stream::Source)),
        pass_(tape_, config_, model.parameters()) {
    qkv_ = {copied(comparedPoint(trace, layer, site, "q"), queriesOf(site)),
            copied(comparedPoint(trace, layer, site, "k"), keysOf(site)),
            copied(attentionPoint(layer, site, "hook_v"), keysOf(site)), site == AttentionSite::Cross};
  }

  Value unmasked() { return glassformer::unmaskedScores(pass_, config_, weights_, qkv_); }
  Value uncapped() {
    config_.scoreCap = 0;
    return unmasked();
  }
  Value products() { return scaledScores(tape_, qkv_.q, qkv_.k, config_.heads, 1, false, 0); }
  // What is added to zeros.
  Value bias() {
    const Value zeros = scaledScores(tape_, qkv_.q, qkv_.k, config_.heads, 0, false, 0);
    return config_.positions->bias(pass_, config_, weights_, qkv_.q, zeros);
  }

  std::string equation(const Value& scores) const {
    return Catalogue(pass_, *trace_.weights(), config_).equation(scores, point_);
  }
  Tensor values(const Value& squares) {
    tape_.forward();
    const TensorView scores = viewOf({point_, squares, 0}, tape_);
    return Tensor(std::span(scores.extent.data(), 3), scores.copy());
  }

 private:
  // How many tokens of the stream the attention looks at, or from.
  int rows(AttentionSite site, Stream stream) const {
    const TensorView scores = trace_[point_];
    return stream == queriesOf(site) ? scores.extent[1] : stream == keysOf(site) ? scores.extent[2] : 0;
  }
  // A table of the trace [T, H, K]; nothing where the trace has none.
  Value copied(const std::string& name, Stream stream) {
    if (!trace_.contains(name)) return {};
    const TensorView from = trace_[name];
    const int H = from.extent[1], K = from.extent[2];
    const Value table = tape_.rows(H * K, stream);
    for (int t = 0; t < from.extent[0]; ++t)
      std::copy_n(&from(t, 0, 0), H * K, table.data + t * table.stride);
    pass_.watch(name, table, H);
    return table;
  }

  const Trace& trace_;
  ModelConfig config_;
  std::string point_, weights_;
  Tape tape_;
  Pass pass_;
  QueriesKeysValues qkv_;
};

}  // namespace

Tensor unmaskedScores(const Transformer& model, const Trace& trace, int layer, AttentionSite site) {
  AttentionAgain again(model, trace, layer, site);
  return again.values(again.unmasked());
}

Tensor uncappedScores(const Transformer& model, const Trace& trace, int layer, AttentionSite site) {
  AttentionAgain again(model, trace, layer, site);
  return again.values(again.uncapped());
}

Tensor productsOfQueriesAndKeys(const Transformer& model, const Trace& trace, int layer, AttentionSite site) {
  AttentionAgain again(model, trace, layer, site);
  return again.values(again.products());
}

Tensor positionBias(const Transformer& model, const Trace& trace, int layer, AttentionSite site) {
  AttentionAgain again(model, trace, layer, site);
  return again.values(again.bias());
}

std::optional<float> scoreForWeight(const TensorView& scores, int key, float weight) {
  std::vector<float> others;
  for (int s = 0; s < scores.extent[0]; ++s)
    if (s != key && std::isfinite(scores(s))) others.push_back(scores(s));
  if (others.empty()) return std::nullopt;
  return static_cast<float>(std::log(weight / (1.0 - weight)) + logSumExp(others));
}

std::string scoresEquation(const Transformer& model, const Trace& trace, int layer, AttentionSite site) {
  AttentionAgain again(model, trace, layer, site);
  return again.equation(again.unmasked());
}

std::string uncappedEquation(const Transformer& model, const Trace& trace, int layer, AttentionSite site) {
  AttentionAgain again(model, trace, layer, site);
  return again.equation(again.uncapped());
}

}  // namespace glassformer
