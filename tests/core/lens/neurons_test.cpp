// Neurons: what they read and write against passes, and their strongest examples against all of them.
#include "core/lens/neurons.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/neuron_examples.h"
#include "core/model/point_names.h"
#include "core/model/positional/none.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// A block whose MLP reads embeddings and nothing else.
ModelConfig bareConfig(NormPlacement placement, NormKind norm, Activation activation) {
  ModelConfig config = smallConfig();
  config.layers = 1, config.positions = &noPositions();
  config.normPlacement = placement, config.norm = norm, config.activation = activation;
  if (norm == NormKind::Rms) config.biases = Biases::None;
  return config;
}

// With norms that are not all 1 and 0.
std::shared_ptr<const Transformer> makeUneven(const ModelConfig& config) {
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, 5);
  Random random(11);
  for (int i = 0; i < parameters.count(); ++i) {
    if (parameters.spec(i).name.find("ln_") == std::string::npos) continue;
    const auto begin = parameters.values().begin() + static_cast<std::ptrdiff_t>(parameters.offset(i));
    for (auto value = begin; value != begin + parameters.view(i).extent[0]; ++value)
      *value += static_cast<float>(0.5 * random.normal());
  }
  return std::make_shared<const Transformer>(config, std::move(parameters));
}

const Interventions withoutAttention{{"blocks.0.hook_attn_out"}};

}  // namespace

TEST_CASE("what a neuron reads of two tokens is what sets its inputs apart") {
  for (const NormPlacement placement : {NormPlacement::Pre, NormPlacement::None})
    for (const NormKind norm : {NormKind::Layer, NormKind::Rms})
      for (const Activation activation : {Activation::GeluTanh, Activation::SwiGlu, Activation::GeGlu})
        for (const bool scaled : {false, true}) {
          ModelConfig config = bareConfig(placement, norm, activation);
          config.scaledEmbedding = scaled;
          const auto model = makeUneven(config);
          LivePass live(model, 1);
          const std::vector<int> tokens{3, 17, 30};
          const auto trace = live.run(tokens, withoutAttention);
          const std::string scale = neuronScalePoint(config, 0, Stream::Text);
          CHECK(scale.empty() == (placement == NormPlacement::None));
          const auto sigma = [&](int t) { return scale.empty() ? 1 : (*trace)[scale](t, 0); };
          for (const int f : {0, 7, config.feedForward - 1}) {
            TensorSet set;
            measureNeuronWeights(*model, {0, f}, set);
            CHECK(set.contains(neurons::readsLinear) == config.hasGatedMlp());
            for (const auto& [reads, point] : {std::pair{neurons::reads, "blocks.0.mlp.hook_pre"},
                                               {neurons::readsLinear, "blocks.0.mlp.hook_pre_linear"}}) {
              if (!set.contains(reads)) continue;
              const auto part = [&](int t) {
                return set[reads](tokens[static_cast<std::size_t>(t)]) / sigma(t);
              };
              const TensorView input = (*trace)[point];
              for (int t = 1; t < 3; ++t)
                CHECK(input(t, f) - input(0, f) == Approx(part(t) - part(0)).epsilon(1e-3).margin(1e-5));
            }
          }
        }
}

TEST_CASE("what a neuron writes is what every logit changes by when it does") {
  for (const NormKind norm : {NormKind::Layer, NormKind::Rms})
    for (const bool finalNorm : {true, false}) {
      ModelConfig config = bareConfig(NormPlacement::Pre, norm, Activation::GeluTanh);
      config.finalNorm = finalNorm, config.tiedUnembedding = false;
      const auto model = makeUneven(config);
      LivePass live(model, 1);
      const std::vector<int> tokens{3, 17, 30};
      constexpr int f = 5;
      constexpr float by = 2.5f;
      TensorSet set;
      measureNeuronWeights(*model, {0, f}, set);
      const auto plain = live.run(tokens);
      const auto more = live.run(
          tokens,
          {{"blocks.0.mlp.hook_post", InterventionKind::Add, {Intervention::every, f, -1, -1}, by, {}}});
      INFO("norm " << static_cast<int>(norm) << ", final " << finalNorm);
      const bool hasBeta = finalNorm && norm == NormKind::Layer;
      for (int v = 0; v < config.vocabulary; v += 3) {
        double beta = 0;  // β · W_U, which no σ divides
        for (int d = 0; hasBeta && d < config.width; ++d)
          beta += model->parameters()["ln_f.bias"](d) * model->unembedding()(v, d);
        const auto undivided = [&](const Trace& trace) {
          return (trace["logits"](2, v) - beta) * (finalNorm ? trace["ln_final.hook_scale"](2, 0) : 1);
        };
        CHECK(undivided(*more) - undivided(*plain) ==
              Approx(by * set[neurons::writes](v)).epsilon(2e-3).margin(2e-5));
      }
    }
}

TEST_CASE("neurons are ordered by where they are strongest") {
  const auto trace = traceOf(smallConfig(), randomTokens(9, 4));
  TensorSet set;
  measureNeurons(smallConfig(), *trace, 1, Stream::Text, set);
  const TensorView a = (*trace)["blocks.1.mlp.hook_post"], order = set[neurons::order];
  std::vector<int> seen;
  for (int i = 0; i < order.extent[0]; ++i) {
    const int f = static_cast<int>(order(i));
    seen.push_back(f);
    float most = 0;
    for (int t = 0; t < 9; ++t) most = std::max(most, std::abs(a(t, f)));
    CHECK(std::abs(set[neurons::peak](f)) == most);
    CHECK(a(static_cast<int>(set[neurons::peakToken](f)), f) == set[neurons::peak](f));
    if (i > 0) CHECK(most <= std::abs(set[neurons::peak](static_cast<int>(order(i - 1)))));
  }
  std::ranges::sort(seen);
  for (int f = 0; f < order.extent[0]; ++f) CHECK(seen[static_cast<std::size_t>(f)] == f);
}

TEST_CASE("differences order neurons by their largest one, whatever is no number") {
  const Tensor a({3, 4}, {0, -5, NAN, 1, 2, 0, NAN, 3, NAN, NAN, NAN, -7});
  CHECK(strongestFirst(a.view()) == std::vector{3, 1, 0, 2});
}

TEST_CASE("the strongest examples are those of all texts, in every stack") {
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderDecoder}) {
    ModelConfig config = smallConfig();
    config.stack = stack;
    LivePass live(makeModel(config), 1);
    NeuronExamples examples(config);
    std::vector<std::shared_ptr<const Trace>> traces;
    for (int text = 0; text < 30; ++text) {
      const auto source =
          randomTokens(config.isEncoderDecoder() ? 3 + text % 4 : 0, 100 + static_cast<std::uint64_t>(text));
      traces.push_back(live.run(randomTokens(2 + text % 20, static_cast<std::uint64_t>(text)), {}, source));
      examples.add(*traces.back(), text);
    }
    for (const Stream stream : {Stream::Text, Stream::Source}) {
      if (stream == Stream::Source && !config.isEncoderDecoder()) continue;
      for (int f = 0; f < config.feedForward; f += 5) {
        std::vector<float> all;
        for (const auto& trace : traces) {
          const TensorView a = (*trace)[neuronPoint(config, 1, stream)];
          float most = 0;
          for (int t = 0; t < a.extent[0]; ++t) most = std::max(most, std::abs(a(t, f)));
          all.push_back(most);
        }
        const std::vector<NeuronExamples::Example> found = examples.of({1, f, stream});
        REQUIRE(found.size() == NeuronExamples::kept);
        for (const auto& example : found) {
          const TensorView a =
              (*traces[static_cast<std::size_t>(example.text)])[neuronPoint(config, 1, stream)];
          CHECK(a(example.token, f) == example.activation);
          CHECK(all[static_cast<std::size_t>(example.text)] == std::abs(example.activation));
          for (int i = 0; i < NeuronExamples::window; ++i) {
            const int t = example.token - NeuronExamples::before + i;
            const float around = example.around[static_cast<std::size_t>(i)];
            if (t < 0 || t >= a.extent[0])
              CHECK(std::isnan(around));
            else
              CHECK(around == a(t, f));
          }
        }
        std::ranges::sort(all, std::greater<>());
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i].activation) == all[i]);
      }
    }
  }
}
