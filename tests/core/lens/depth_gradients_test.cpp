// The gradient by depth: every place, skip and sublayer against PyTorch (the fixtures and how they were made:
// tests/reference/make_depth_reference.py), and what must hold of any model.
#include "core/lens/depth_gradients.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/io/formats/model_formats.h"
#include "core/lens/residual_stream.h"
#include "core/lens/token_losses.h"
#include "tests/core/model/family_members.h"
#include "tests/core/model/reference_values.h"

using namespace glassformer;
using Catch::Approx;

namespace {

std::vector<float> lengthsOf(const std::vector<float>& rows, int width) {
  std::vector<float> lengths;
  for (std::size_t begin = 0; begin < rows.size(); begin += static_cast<std::size_t>(width)) {
    double square = 0;
    for (int d = 0; d < width; ++d) square += std::pow(rows[begin + static_cast<std::size_t>(d)], 2.0);
    lengths.push_back(static_cast<float>(std::sqrt(square)));
  }
  return lengths;
}

}  // namespace

TEST_CASE("gradients by depth, with and without residual connections and norms, agree with PyTorch") {
  for (const std::string name : {"pre", "post", "from_norm", "sandwich", "bare"}) {
    const ReferenceValues values("depth_" + name + ".safetensors");
    const auto family = readFamilyConfig(values.stored().metadata().at("config"), name);
    REQUIRE(family);
    const ModelConfig& config = family->config;
    const auto model = std::make_shared<const Transformer>(config, values.weights(config));
    LivePass live(model, 1);
    const auto trace = live.run(values.integers("tokens"));
    TensorSet set;
    measureDepthGradients(*model, *trace, {}, {}, Stream::Text, set);
    const bool isBare = name == "bare";
    CHECK(set["lens.gradient_loss"].extent[0] == (isBare ? 2 : 4));
    const auto places = residualPlaces(*model);
    int compared = 0;
    for (int z = 0; z < set["lens.gradient_loss"].extent[0]; ++z) {
      const std::string variant =
          std::array{"own", "no_residual", "no_norms", "neither"}[static_cast<std::size_t>(z)];
      INFO(name << " " << variant);
      CHECK(set["lens.gradient_loss"](z) == Approx(values.values(variant + ".loss")[0]).epsilon(1e-5));
      for (std::size_t p = 0; p < places.size(); ++p) {
        INFO(places[p].point);
        const TensorView norms = set["lens.gradient_norm"][z][static_cast<int>(p)];
        CHECK(worst(norms.copy(), lengthsOf(values.values(variant + "." + places[p].point), config.width)) <
              1e-4);
        double mean = 0;
        for (int t = 0; t < norms.extent[0]; ++t) mean += norms(t) / norms.extent[0];
        CHECK(set["lens.gradient_mean"](z, static_cast<int>(p)) == Approx(mean).epsilon(1e-5));
        ++compared;
      }
    }
    CHECK(compared == (isBare ? 2 : 4) * (1 + 2 * config.layers));
    for (int p = 1; p < static_cast<int>(places.size()); ++p) {
      const std::string split = "own.blocks." + std::to_string((p - 1) / 2) + (p % 2 == 1 ? ".attn" : ".mlp");
      INFO(name << " " << split);
      for (const auto& [part, theirs] : {std::pair{depthGradient::whole, ".both"},
                                         {depthGradient::skip, ".skip"},
                                         {depthGradient::sublayer, ".through"}})
        CHECK(worst(set["lens." + std::string(part)][p].copy(),
                    lengthsOf(values.values(split + theirs), config.width)) < 1e-4);
    }
  }
}

TEST_CASE("of every model the skip hands on what arrives unchanged, and both parts sum to the gradient") {
  int measured = 0, split = 0;
  forEachMember([&](const ModelConfig& config) {
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(5, 1), {}, randomTokens(config.isEncoderDecoder() ? 4 : 0, 2));
    for (const Stream stream : {Stream::Text, Stream::Source}) {
      if (stream == Stream::Source && !config.isEncoderDecoder()) continue;
      TensorSet set;
      measureDepthGradients(*model, *trace, {}, {2, 7}, stream, set);
      const auto named = [&](const std::string& name) { return set[residualMeasurement(name, stream)]; };
      const TensorView norms = named(depthGradient::norms);
      CHECK(norms.extent[0] == static_cast<int>(depthVariants(config).size()));
      CHECK(norms.extent[1] == static_cast<int>(residualPlaces(*model, stream).size()));
      ++measured;
      CHECK(set.contains(residualMeasurement(depthGradient::skip, stream)) == config.residual);
      if (!config.residual) continue;
      ++split;
      for (int p = 1; p < norms.extent[1]; ++p)
        for (int t = 0; t < norms.extent[2]; ++t) {
          CHECK(named(depthGradient::skip)(p, t) == norms(0, p, t));  // to the last bit: times 1
          CHECK(named(depthGradient::rest)(p, t) <= 1e-6f * (1e-6f + named(depthGradient::whole)(p, t)));
        }
    }
  });
  CHECK(measured > 100);
  CHECK(split > 80);
}

TEST_CASE("the loss by depth is the text's own, and what nothing depends on has no gradient") {
  const auto model = makeModel(smallConfig());
  LivePass live(model, 1);
  const auto trace = live.run(randomTokens(8, 1));
  TensorSet set;
  measureDepthGradients(*model, *trace, {}, {}, Stream::Text, set);
  CHECK(set["lens.gradient_loss"](0) == Approx(tokenLossesOf(*trace).loss() / 7).epsilon(1e-5));
  for (int p = 0; p < 5; ++p) {
    CHECK(set["lens.gradient_norm"](0, p, 7) == 0);  // nobody knows what comes behind the last token
    CHECK(set["lens.gradient_norm"](0, p, 6) > 0);
  }
  const auto one = live.run(randomTokens(1, 1));
  TensorSet ofOne;
  measureDepthGradients(*model, *one, {}, {0, 3}, Stream::Text, ofOne);
  CHECK(ofOne["lens.gradient_loss"](0) > 0);
  TensorSet stopped;
  measureDepthGradients(*model, *trace, {}, {}, Stream::Text, stopped,
                        [](int done, int) { return done < 1; });
  CHECK(stopped.count() == 0);
}

TEST_CASE(
    "with weights as training starts, many blocks without residual connections let the gradient vanish") {
  ModelConfig config = smallConfig();
  config.layers = 12;
  const auto model = makeModel(config);
  LivePass live(model, 1);
  const auto trace = live.run(randomTokens(16, 1));
  TensorSet set;
  measureDepthGradients(*model, *trace, {}, {}, Stream::Text, set);
  const TensorView mean = set["lens.gradient_mean"];
  const auto kept = [&](int z) { return mean(z, 0) / mean(z, mean.extent[1] - 1); };
  INFO(kept(0) << " " << kept(1) << " " << kept(2) << " " << kept(3));
  CHECK(kept(0) > 0.3);
  CHECK(kept(3) < 1e-6);
}
