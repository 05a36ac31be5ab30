#include "core/model/block.h"

#include "core/model/attention.h"
#include "core/model/convolution.h"
#include "core/model/feed_forward.h"
#include "core/model/recurrence.h"
#include "core/tensor/operations/normalization.h"

namespace glassformer {
namespace {

// A norm with its scale to look at, `name`.hook_scale.
Value normed(Pass& pass, const ModelConfig& config, const std::string& weights, const std::string& name,
             const Value& x) {
  const Weight gamma = pass.weight(weights + ".weight");
  const auto [scale, normalized] =
      config.norm == NormKind::Rms
          ? rmsNorm(pass.tape(), x, gamma, config.normEpsilon)
          : layerNorm(pass.tape(), x, gamma, pass.weight(weights + ".bias"), config.normEpsilon);
  pass.watch(name + ".hook_scale", scale);
  return normalized;
}

// Where the stream splits into a skip and the sublayer beside it: what goes which way, and both together.
struct Split {
  Value skip, through;
};
Split split(Pass& pass, const std::string& part, const Value& x) {
  const Value both = pass.way(part + ".way_both", x);
  const Value skip = pass.way(part + ".way_skip", both);
  return {skip, pass.way(part + ".way_through", both)};
}

struct SublayerNames {
  std::string weights;   // of its norm: "h.0.ln_1"
  std::string norm;      // "ln1"
  std::string part;      // "attn"
  std::string residual;  // what the stream is called afterwards: "hook_resid_mid"
};

// What is added to the stream: what f has made, or LN of that.
Value handedOn(Pass& pass, const ModelConfig& config, const SublayerNames& names, const Value& made) {
  const std::string out = "hook_" + names.part + "_out";
  if (!config.hasSandwichNorm()) return pass.point(out, made);
  const Value raw = pass.point(names.part + ".hook_out", made);
  return pass.point(out, normed(pass, config, names.weights + "_post", names.norm + "_post", raw));
}

// A sublayer f on the residual stream x: x + f(LN(x)), LN(x + f(x)), x + f(x), LN(x) + f(LN(x)) or
// x + LN'(f(LN(x))); without a residual connection what f makes of it alone.
template <typename Sublayer>
Value withResidual(Pass& pass, const ModelConfig& config, const SublayerNames& names, const Value& x,
                   Sublayer f) {
  const auto norm = [&](const Value& value) {
    return normalize(pass, config, names.weights, names.norm, value);
  };
  const NormPlacement placement = config.normPlacement;
  const bool fromNorm = placement == NormPlacement::Residual;  // the residual is taken from there
  if (!config.residual) {
    const Value n = config.normalizesInputs() || fromNorm ? norm(x) : x;
    const Value made = pass.drop(handedOn(pass, config, names, f(n)));
    const Value alone = pass.point(names.residual, copy(pass.tape(), made));
    return placement == NormPlacement::Post ? norm(alone) : alone;
  }
  const auto [kept, read] = split(pass, names.part, fromNorm ? norm(x) : x);
  const Value n = config.normalizesInputs() ? norm(read) : read;
  const Value made = pass.drop(handedOn(pass, config, names, f(n)));
  const Value sum = pass.point(names.residual, add(pass.tape(), kept, made));
  return placement == NormPlacement::Post ? norm(sum) : sum;
}

const char* mixingPart(Mixing mixing) {
  return mixing == Mixing::Recurrence ? "recurrence" : mixing == Mixing::Convolution ? "convolution" : "attn";
}

// What lets the rows of a text exchange information.
Value mixed(Pass& pass, const ModelConfig& config, const std::string& weights, const AttentionMask& mask,
            const Value& x) {
  switch (config.mixing) {
    case Mixing::Recurrence:
      return recurrence(pass, weights + "recurrence.", x);
    case Mixing::Convolution:
      return convolution(pass, config, weights + "convolution.", x);
    case Mixing::Attention:
      break;
  }
  return selfAttention(pass, config, weights + "attn.", mask, x);
}

// x + mlp(LN(conv(x))): one residual around everything, and one norm, behind what mixes (Liu et al. 2022).
Value blockOfOneResidual(Pass& pass, const ModelConfig& config, const std::string& weights,
                         const AttentionMask& mask, const Value& x) {
  const auto [kept, read] = split(pass, "block", x);
  const Value c = pass.point("hook_convolution_out", mixed(pass, config, weights, mask, read));
  const Value n = config.hasNorms() ? normalize(pass, config, weights + "ln_2", "ln2", c) : c;
  const Value m = pass.drop(pass.point("hook_mlp_out", feedForward(pass, config, weights + "mlp.", n)));
  return pass.point("hook_resid_post", add(pass.tape(), kept, m));
}

// x + mixed(LN_1(x)) + mlp(LN_2(x)): both read the stream as the block finds it, so that they can be computed
// side by side (Wang and Komatsuzaki 2021, GPT-J).
Value parallelBlock(Pass& pass, const ModelConfig& config, const std::string& weights,
                    const AttentionMask& mask, const Value& x) {
  const auto [kept, through] = split(pass, "block", x);
  const auto read = [&, through = through](const char* norm, const char* name) {
    return config.hasNorms() ? normalize(pass, config, weights + norm, name, through) : through;
  };
  const auto made = [&](const char* part, const Value& value) {
    return pass.drop(handedOn(pass, config, {"", "", part, ""}, value));
  };
  const Value a = made(mixingPart(config.mixing), mixed(pass, config, weights, mask, read("ln_1", "ln1")));
  if (!config.hasFeedForward()) return pass.point("hook_resid_post", add(pass.tape(), kept, a));
  const Value m = made("mlp", feedForward(pass, config, weights + "mlp.", read("ln_2", "ln2")));
  return pass.point("hook_resid_post", add(pass.tape(), add(pass.tape(), kept, a), m));
}

}  // namespace

Value block(Pass& pass, const ModelConfig& config, const std::string& weights, const BlockContext& context,
            const Value& input) {
  Value x = pass.point("hook_resid_pre", input);
  if (config.parallel) return parallelBlock(pass, config, weights, context.mask, x);
  if (config.oneResidual) return blockOfOneResidual(pass, config, weights, context.mask, x);
  const bool crosses = context.memory, fed = config.hasFeedForward();
  const char* afterMixing = crosses || fed ? "hook_resid_mid" : "hook_resid_post";
  x = withResidual(pass, config, {weights + "ln_1", "ln1", mixingPart(config.mixing), afterMixing}, x,
                   [&](const Value& n) { return mixed(pass, config, weights, context.mask, n); });
  if (crosses) {
    const char* crossed = fed ? "hook_resid_mid_cross" : "hook_resid_post";
    x = withResidual(pass, config, {weights + "ln_cross_attn", "ln2", "cross_attn", crossed}, x,
                     [&](const Value& n) {
                       return crossAttention(pass, config, weights + "crossattention.", n, *context.memory);
                     });
  }
  if (fed)
    x = withResidual(pass, config, {weights + "ln_2", crosses ? "ln3" : "ln2", "mlp", "hook_resid_post"}, x,
                     [&](const Value& n) { return feedForward(pass, config, weights + "mlp.", n); });
  return x;
}

Value normalize(Pass& pass, const ModelConfig& config, const std::string& weights, const std::string& name,
                const Value& x) {
  return pass.point(name + ".hook_normalized", normed(pass, config, weights, name, x));
}

}  // namespace glassformer
