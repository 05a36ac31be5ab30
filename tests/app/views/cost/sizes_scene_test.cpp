#include "app/views/cost/sizes_scene.h"

#include <catch2/catch_approx.hpp>

#include "app/document/model_commands.h"
#include "core/model/model_size.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;
using Catch::Approx;

namespace {

Workspace sizedTo(const char* model, int T, int M, int D) {
  Workspace workspace = openedOn("cost", "sizes");
  commands::setModel(model).apply(workspace);
  workspace.settings.choose("cost.text", std::to_string(T));
  workspace.settings.choose("cost.source", std::to_string(M));
  workspace.settings.choose("cost.width", std::to_string(D));
  return workspace;
}

}  // namespace

TEST_CASE("the cost at any size is what the block's products are, part by part") {
  for (const auto& [T, M, D] : {std::array{1, 1, 8}, {37, 19, 48}, {512, 128, 256}, {4096, 16384, 1024}})
    for (const char* model : {"stories", "translate"}) {
      const SeenPicture seen(sizedTo(model, T, M, D));
      const ModelConfig& config = *seen.snapshot->model->config;
      const double t = T, m = config.isEncoderDecoder() ? M : 0, d = D, L = config.layers,
                   F = std::lround(d * config.feedForward / config.width);
      const double crossing = config.isEncoderDecoder() ? 1 : 0;
      const std::array parts{4 * t * d * d, t * (t + 1) * d, 2 * t * d * F, 2 * t * d * d + 2 * m * d * d,
                             2 * t * m * d};
      const int count = config.isEncoderDecoder() ? 5 : 3;
      INFO(model << " " << T << " " << M << " " << D);
      CHECK(seen.scene.sources.find("cost.parts")->extent[0] == count);
      double all = 0;
      for (int i = 0; i < count; ++i) {
        INFO(i);
        CHECK(seen.at({"cost.parts", {i}}) == Approx(L * parts[static_cast<std::size_t>(i)]).epsilon(1e-6));
        all += L * parts[static_cast<std::size_t>(i)];
      }
      CHECK(seen.at({"cost.ways", {0}}) == Approx(all).epsilon(1e-6));
      CHECK(seen.at({"cost.ways", {1}}) == seen.at({"cost.ways", {0}}));
      double anew = 0;  // Σ over 1 to T, by the sums of t and t²
      const double sum = t * (t + 1) / 2, squares = t * (t + 1) * (2 * t + 1) / 6;
      anew = L * (sum * ((4 + 2 * crossing) * d * d + 2 * d * F + 2 * m * d) + (squares + sum) * d +
                  t * 2 * m * d * d);
      CHECK(seen.at({"cost.ways", {2}}) == Approx(anew).epsilon(1e-5));
      CHECK(seen.at({"cost.serial", {0}}) == L);
      CHECK(seen.at({"cost.serial", {1}}) == t * L);
      CHECK(seen.says("T · M = ") == config.isEncoderDecoder());
      if (config.isEncoderDecoder()) seen.hit("cross pairs, M × N");
    }
}

TEST_CASE("sizes that are not chosen are the model's") {
  const SeenPicture seen(openedOn("cost", "sizes"));
  const ModelConfig& config = *seen.snapshot->model->config;
  CHECK(seen.at({"cost.size_T", {}}) == config.context);
  CHECK(seen.at({"cost.size_D", {}}) == config.width);
  CHECK(seen.at({"cost.size_F", {}}) == config.feedForward);
}
