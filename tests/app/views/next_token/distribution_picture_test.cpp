#include "app/views/next_token/distribution_picture.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

// The bars of a tensor, from top to bottom.
std::vector<const Bar*> barsOf(const SeenPicture& seen, std::string_view tensor) {
  std::vector<const Bar*> bars;
  for (const Shape& shape : seen.scene.shapes)
    if (const auto* bar = std::get_if<Bar>(&shape); bar && bar->value.tensor == tensor && !bar->vertical)
      bars.push_back(bar);
  return bars;
}

}  // namespace

TEST_CASE("beside each probability stands the logit that softmax made it of") {
  for (const char* model : {"stories", "translate", "fill"}) {
    INFO(model);
    Workspace workspace = openedOn("next_token", "distribution");
    commands::setModel(model).apply(workspace);
    const SeenPicture seen(workspace);
    const auto logits = barsOf(seen, "logits"), shares = barsOf(seen, "lens.next_token");
    REQUIRE(logits.size() > 3);
    REQUIRE(logits.size() == shares.size());
    for (std::size_t i = 1; i < logits.size(); ++i) {
      CHECK(logits[i]->track.y == shares[i]->track.y);
      CHECK(logits[i]->track.right() < shares[i]->track.x);
      CHECK(logits[i]->value.index.back() == shares[i]->value.index.back());  // of the same token
      // p / p' = exp(u − u')
      const double ratio = seen.at(shares[0]->value) / static_cast<double>(seen.at(shares[i]->value));
      const double difference =
          static_cast<double>(seen.at(logits[0]->value)) - static_cast<double>(seen.at(logits[i]->value));
      CHECK(std::abs(std::log(ratio) - difference) < 2e-3);
    }
    const bool tied = seen.snapshot->model->config->tiedUnembedding;
    CHECK(seen.says(tied ? "logit u = h Eᵀ" : "logit u = h W"));
    CHECK(seen.says("p = softmax(u)"));
  }
}

TEST_CASE("a narrow picture keeps to the probabilities") {
  SeenPicture seen(openedOn("next_token", "distribution"), {}, {560, 600});
  CHECK(barsOf(seen, "logits").empty());
  CHECK(barsOf(seen, "lens.next_token").size() > 3);
}
