#include "core/lens/scores.h"

#include <algorithm>

#include "core/model/attention.h"
#include "core/model/catalogue.h"

namespace glassformer {
namespace {

// One attention's scores on a tape of their own.
class ScoresAgain {
 public:
  ScoresAgain(const Transformer& model, const Trace& trace, int layer, AttentionSite site)
      : trace_(trace),
        config_(model.config()),
        point_(attentionPoint(layer, site, "hook_attn_scores")),
        tape_(1, rows(site, Stream::Text), rows(site, Stream::Source)),
        pass_(tape_, config_, model.parameters()) {
    const auto table = [&](const char* turned, const char* plain, Stream stream) {
      const std::string name = attentionPoint(layer, site, turned);
      return copied(trace.contains(name) ? name : attentionPoint(layer, site, plain), stream);
    };
    scores_ = glassformer::unmaskedScores(
        pass_, config_, attentionWeights(layer, site),
        {table("hook_rot_q", "hook_q", queriesOf(site)), table("hook_rot_k", "hook_k", keysOf(site)),
         table("hook_v", "hook_v", keysOf(site)), site == AttentionSite::Across});
  }

  std::string equation() const {
    return Catalogue(pass_, *trace_.weights(), config_).equation(scores_, point_);
  }
  Tensor values() {
    tape_.forward();
    const TensorView scores = viewOf({point_, scores_, 0}, tape_);
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
  const ModelConfig& config_;
  std::string point_;
  Tape tape_;
  Pass pass_;
  Value scores_;
};

}  // namespace

Tensor unmaskedScores(const Transformer& model, const Trace& trace, int layer, AttentionSite site) {
  return ScoresAgain(model, trace, layer, site).values();
}

std::string scoresEquation(const Transformer& model, const Trace& trace, int layer, AttentionSite site) {
  return ScoresAgain(model, trace, layer, site).equation();
}

}  // namespace glassformer
