#include "core/lens/depth_gradients.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lens/chain_rule.h"
#include "core/lens/gradient_pass.h"
#include "core/lens/residual_stream.h"
#include "core/model/point_names.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

ModelConfig without(ModelConfig config, const DepthVariant& variant) {
  if (!variant.residual) config.residual = false;
  if (!variant.norms) config.normPlacement = NormPlacement::None;
  return config;
}

// The sublayer in front of each sum, as its split is named: "blocks.0.attn"; empty at the embedding.
std::vector<std::string> splitsOf(const ModelConfig& config, Stream stream) {
  std::vector<std::string> parts;
  if (config.hasSingleResidualAdd() && config.hasFeedForward()) {
    parts = {"block"};
  } else {
    const std::string mixed = mixedOut(config.mixing);  // "hook_attn_out"
    parts = {mixed.substr(5, mixed.size() - 9)};
    if (config.isEncoderDecoder() && stream == Stream::Text) parts.emplace_back("cross_attn");
    if (config.hasFeedForward()) parts.emplace_back("mlp");
  }
  std::vector<std::string> splits{""};
  for (int layer = 0; layer < blocksOf(config, stream); ++layer)
    for (const std::string& part : parts) splits.push_back(blockPoint(config, layer, part, stream));
  return splits;
}

double lengthOf(const TensorView& rows, int t) {
  double square = 0;
  for (int d = 0; d < rows.extent[1]; ++d) square += static_cast<double>(rows(t, d)) * rows(t, d);
  return std::sqrt(square);
}

Tensor meansOf(const TensorView& norms) {  // over T, the last dimension
  const int T = norms.extent[norms.rank - 1], P = norms.extent[norms.rank - 2];
  const bool isOfVariants = norms.rank == 3;
  Tensor means = isOfVariants ? Tensor({norms.extent[0], P}) : Tensor({P});
  const auto mean = [&](const TensorView& places, int p) {
    double sum = 0;
    for (int t = 0; t < T; ++t) sum += places(p, t);
    return static_cast<float>(sum / T);
  };
  for (int p = 0; p < P; ++p) {
    if (!isOfVariants) means(p) = mean(norms, p);
    for (int z = 0; isOfVariants && z < norms.extent[0]; ++z) means(z, p) = mean(norms[z], p);
  }
  return means;
}

Derivation meanOfRow(const TensorView& row) {
  std::vector<Cell> numbers;
  for (int t = 0; t < row.extent[0]; ++t) numbers.push_back(&row(t));
  return derivedMean(numbers);
}

// The length of a token's gradient in front of a sublayer, behind it, or of the one less the other.
OpenPasses lengthAcross(const BackwardPass& backward, bool takesFront, const std::string& before,
                        bool takesBehind, const std::string& behind, int t) {
  return backward.opened([=](const Trace&, TensorSet& gradients) {
    constexpr const char* through = "gradient.through_sublayer";
    if (!takesFront) return derivedLength(gradients[gradientName(behind)][t]);
    const TensorView front = gradients[gradientName(before)][t];
    if (!takesBehind) return derivedLength(front);
    addDerived(gradients,
               {through, "D", "part of the gradient before the sublayer that came through the sublayer",
                "f'(x)ᵀ · ∂L / ∂x'"},
               {front.extent[0]}, [=, skipped = gradients[gradientName(behind)][t]](const Index& at) {
                 return derivedDifference(&front(at[0]), &skipped(at[0]));
               });
    return derivedLength(gradients[through]);
  });
}

// A sublayer's split: the gradient in front of it, and behind it, where the sublayer is added.
struct SplitPlace {
  std::string split, before, behind;
  int token;
};

// What of ∂L/∂x comes by any other way than by the sum behind the sublayer.
TensorSet::DerivationOf throughSublayer(const TensorSet& gradients, const SplitPlace& place) {
  const int skip = gradients.find(gradientName(place.behind));
  return [&gradients, place, skip](const Index& at) -> std::optional<Derivation> {
    auto made = gradients.derive(gradientName(place.before), {place.token, at[0]});
    if (made)
      std::erase_if(made->terms, [&](const Term& term) {
        const auto found = gradients.locate(term.factor);
        return found && found->tensor == skip;
      });
    return made;
  };
}

// The length of what both ways miss of a token's gradient. The pass has to split where the measured one does,
// for what it misses is rounding: `ways` are all that were asked for.
OpenPasses restAcross(const BackwardPass& backward, const std::vector<std::string>& ways,
                      const SplitPlace& place) {
  return backward.opened([=](const Trace& trace, TensorSet& gradients) {
    GradientPass pass(*backward.model, trace, backward.interventions, ways, backward.from.targets);
    pass.run();
    const TensorView before = gradients[gradientName(place.before)][place.token],
                     behind = gradients[gradientName(place.behind)][place.token];
    const int D = before.extent[0];
    const auto add = [&](const char* name, const char* way, const char* meaning, const char* equation,
                         TensorSet::DerivationOf made) {
      const TensorView rows = pass.rowGradient(place.split + way, D);
      gradients.add({name, "D", meaning, equation}, Tensor({D}, rows[place.token].copy()), std::move(made));
      return gradients[name];
    };
    const auto asItIs = [](const TensorView& vector) {
      return [vector](const Index& at) { return Derivation{.terms = {{&vector(at[0])}}}; };
    };
    const TensorView both = add("gradient.of_both_ways", ".way_both", "gradient before the sublayer",
                                "∂L / ∂x", asItIs(before)),
                     skip = add("gradient.of_skip", ".way_skip", "part of it through the skip",
                                "1 · ∂L / ∂x'", asItIs(behind)),
                     through = add("gradient.of_sublayer", ".way_through", "part of it through the sublayer",
                                   "f'(x)ᵀ · ∂L / ∂x'", throughSublayer(gradients, place));
    addDerived(gradients,
               {"gradient.of_neither", "D", "difference of the gradient and its two parts: rounding",
                "∂L / ∂x − (skip + sublayer)"},
               {D}, [=](const Index& at) {
                 return Derivation{
                     .terms = {{&both(at[0])}, {&skip(at[0]), nullptr, -1}, {&through(at[0]), nullptr, -1}}};
               });
    return derivedLength(gradients["gradient.of_neither"]);
  });
}

// What comes through skips and sublayers of the model itself.
struct Parts {
  Parts(int places, int tokens)
      : whole({places, tokens}), skip({places, tokens}), sublayer({places, tokens}), rest({places, tokens}) {
    for (Tensor* part : {&whole, &skip, &sublayer, &rest})
      for (int t = 0; t < tokens; ++t) (*part)(0, t) = std::numeric_limits<float>::quiet_NaN();
  }

  void take(const GradientPass& pass, const std::string& split, int place, int width) {
    const TensorView both = pass.rowGradient(split + ".way_both", width),
                     kept = pass.rowGradient(split + ".way_skip", width),
                     through = pass.rowGradient(split + ".way_through", width);
    for (int t = 0; t < both.extent[0]; ++t) {
      double square = 0;
      for (int d = 0; d < width; ++d)
        square += std::pow(static_cast<double>(both(t, d)) - kept(t, d) - through(t, d), 2);
      whole(place, t) = static_cast<float>(lengthOf(both, t));
      skip(place, t) = static_cast<float>(lengthOf(kept, t));
      sublayer(place, t) = static_cast<float>(lengthOf(through, t));
      rest(place, t) = static_cast<float>(std::sqrt(square));
    }
  }

  // `backward` is the pass of the model itself, `places` where its stream is looked at, `splits` how it
  // splits in front of each, and `ways` what was asked of it.
  void addTo(TensorSet& set, Stream stream, const BackwardPass& backward,
             const std::vector<ResidualPlace>& places, const std::vector<std::string>& splits,
             const std::vector<std::string>& ways) {
    using namespace depthGradient;
    const auto add = [&](Tensor& norms, const std::string& name, const std::string& meaning,
                         const char* equation, bool takesFront, bool takesBehind) {
      const auto across = [=](const Index& at) -> OpenPasses {
        if (at[0] == 0) return nullptr;  // nothing comes before the embedding
        const auto p = static_cast<std::size_t>(at[0]);
        return lengthAcross(backward, takesFront, places[p - 1].passedOn, takesBehind, places[p].point,
                            at[1]);
      };
      addNorms(norms, name, meaning, equation, set, stream, across);
    };
    add(whole, depthGradient::whole, "norm of the gradient before the sublayer", "‖∂L / ∂x‖", true, false);
    add(skip, depthGradient::skip, "part of the gradient before the sublayer that came through the skip",
        "‖1 · ∂L / ∂x'‖", false, true);
    add(sublayer, depthGradient::sublayer,
        "part of the gradient before the sublayer that came through the sublayer", "‖f'(x)ᵀ · ∂L / ∂x'‖",
        true, true);
    addNorms(rest, depthGradient::rest, "difference of the gradient and its two parts: 0 but for rounding",
             "‖∂L / ∂x − (skip + sublayer)‖", set, stream, [=](const Index& at) -> OpenPasses {
               if (at[0] == 0) return nullptr;
               const auto p = static_cast<std::size_t>(at[0]);
               return restAcross(backward, ways, {splits[p], places[p - 1].passedOn, places[p].point, at[1]});
             });
  }

  Tensor whole, skip, sublayer, rest;

 private:
  static void addNorms(Tensor& norms, const std::string& name, const std::string& meaning,
                       const char* equation, TensorSet& set, Stream stream, TensorSet::AcrossOf across) {
    Tensor means = meansOf(norms.view());
    set.addAcross({residualMeasurement(name, stream), "PT", meaning, equation, stream}, std::move(norms),
                  std::move(across));
    set.add({residualMeasurement(depthGradient::meanOf(name), stream), "P",
             meaning + ", mean over the tokens", std::string("mean of ") + equation, stream},
            std::move(means), [each = set[residualMeasurement(name, stream)]](const Index& at) {
              return meanOfRow(each[at[0]]);
            });
  }
};

}  // namespace

std::string depthGradient::meanOf(const std::string& part) { return part + "_mean"; }

std::vector<DepthVariant> depthVariants(const ModelConfig& config) {
  std::vector<DepthVariant> variants{{"unchanged"}};
  for (const DepthVariant variant :
       {DepthVariant{"no residual", false, true}, {"no norms", true, false}, {"neither", false, false}}) {
    const bool isThere = (variant.residual || config.residual) && (variant.norms || config.hasNorms());
    if (isThere && validate(without(config, variant))) variants.push_back(variant);
  }
  return variants;
}

std::vector<int> depthTargets(const ModelConfig& config, const Trace& trace, Prediction asked) {
  const std::vector<int>& tokens = trace.tokens();
  std::vector<int> targets(tokens.size(), Targets::none);
  if (config.stack != Stack::EncoderOnly && tokens.size() > 1)
    std::copy(tokens.begin() + 1, tokens.end(), targets.begin());
  else
    targets[static_cast<std::size_t>(asked.position)] = asked.entry;
  return targets;
}

void measureDepthGradients(const Transformer& model, const Trace& trace, const Interventions& interventions,
                           Prediction asked, Stream stream, TensorSet& set, const ProgressCallback& watch) {
  const ModelConfig& config = model.config();
  const std::vector<DepthVariant> variants = depthVariants(config);
  const auto Z = static_cast<int>(variants.size());
  const int P = static_cast<int>(residualPlaces(model, stream).size()), D = config.width,
            T = static_cast<int>((stream == Stream::Source ? trace.source() : trace.tokens()).size());
  const std::vector<std::string> splits = splitsOf(config, stream);
  const std::vector<int> targets = depthTargets(config, trace, asked);
  Tensor losses({Z}), norms({Z, P, T});
  Parts parts(P, T);
  std::vector<BackwardPass> backward;            // of each variant
  std::vector<std::vector<std::string>> points;  // where its stream is looked at
  std::vector<std::string> ways;                 // asked of the model itself
  for (int z = 0; z < Z; ++z) {
    if (!watch(z, Z)) return;
    const Transformer changed(without(config, variants[static_cast<std::size_t>(z)]), model.parameters());
    const std::vector<ResidualPlace> places = residualPlaces(changed, stream);
    std::vector<std::string> asks;
    for (const ResidualPlace& place : places) asks.push_back(place.point);
    const bool isSplit = z == 0 && config.residual;
    if (isSplit)
      for (std::size_t i = 1; i < splits.size(); ++i)
        for (const char* way : {".way_both", ".way_skip", ".way_through"}) asks.push_back(splits[i] + way);
    if (z == 0) ways = asks;
    backward.push_back({std::string(variants[static_cast<std::size_t>(z)].words) + ", forward and backward",
                        std::make_shared<const Transformer>(changed),
                        Trace(trace.tokens(), trace.source()),
                        interventions,
                        {{}, targets}});
    points.emplace_back();
    for (const ResidualPlace& place : places) points.back().push_back(place.point);
    GradientPass pass(changed, trace, interventions, asks, targets);
    losses(z) = static_cast<float>(pass.run());
    for (int p = 0; p < P; ++p) {
      const TensorView gradient = pass.rowGradient(places[static_cast<std::size_t>(p)].point, D);
      for (int t = 0; t < T; ++t) norms(z, p, t) = static_cast<float>(lengthOf(gradient, t));
      if (isSplit && p > 0) parts.take(pass, splits[static_cast<std::size_t>(p)], p, D);
    }
  }
  const auto add = [&](const char* name, const char* letters, const char* meaning, const char* equation,
                       Tensor tensor) {
    set.add({residualMeasurement(name, stream), letters, meaning, equation, stream}, std::move(tensor));
  };
  add(depthGradient::loss, "Z", "the loss that is differentiated, of the model and of the changed models",
      "L = mean of −ln p", std::move(losses));
  Tensor means = meansOf(norms.view());
  const std::string each = residualMeasurement(depthGradient::norms, stream);
  set.addAcross({each, "ZPT", "gradient of the loss by each token's residual after every sublayer",
                 "‖∂L / ∂x‖", stream},
                std::move(norms), [backward, points](const Index& at) {
                  const auto variant = static_cast<std::size_t>(at[0]);
                  const std::string& point = points[variant][static_cast<std::size_t>(at[1])];
                  return lengthAcross(backward[variant], true, point, false, point, at[2]);
                });
  set.add({residualMeasurement(depthGradient::mean, stream), "ZP",
           "gradient of the loss by the residual stream, mean over the tokens", "mean of ‖∂L / ∂x‖", stream},
          std::move(means), [all = set[each]](const Index& at) { return meanOfRow(all[at[0]][at[1]]); });
  if (config.residual)
    parts.addTo(set, stream, backward.front(), residualPlaces(model, stream), splits, ways);
}

}  // namespace glassformer
