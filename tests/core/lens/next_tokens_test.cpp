#include "core/lens/next_tokens.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "tests/core/lens/reference_pass.h"

using namespace glassformer;
using Catch::Approx;

namespace {
constexpr int V = 23;
}  // namespace

TEST_CASE("surprise is minus the logarithm of PyTorch's probability of what follows") {
  const ReferencePass f("transformer_relu.safetensors");
  TensorSet set;
  measureNextTokens(*f.trace, set);
  const auto logits = f.reference.values("trace.logits");
  for (int t = 0; t < 8; ++t) {
    double sum = 0;
    for (int v = 0; v < V; ++v)
      sum += std::exp(static_cast<double>(logits[static_cast<std::size_t>(t * V + v)]));
    const int next = f.tokens[static_cast<std::size_t>(t) + 1];
    const double p = std::exp(static_cast<double>(logits[static_cast<std::size_t>(t * V + next)])) / sum;
    CHECK(set["lens.surprise"](t) == Approx(-std::log(p)).epsilon(1e-4));
    CHECK(set["lens.actual_probability"](t) == Approx(p).epsilon(1e-4));
  }
  CHECK(std::isnan(set["lens.surprise"](8)));
  CHECK(std::isnan(set["lens.actual_probability"](8)));
}

TEST_CASE("the listed tokens are the likeliest, in order, with their probabilities") {
  const ReferencePass f("transformer_relu.safetensors");
  TensorSet set;
  measureNextTokens(*f.trace, set);
  const TensorView tokens = set["lens.top_token"], p = set["lens.top_probability"],
                   logits = (*f.trace)["logits"];
  REQUIRE(tokens.extent[1] == listedTokens);
  for (int t = 0; t < 9; ++t) {
    for (int rank = 0; rank + 1 < listedTokens; ++rank) CHECK(p(t, rank) >= p(t, rank + 1));
    const float least = logits(t, static_cast<int>(tokens(t, listedTokens - 1)));
    int larger = 0;
    double sum = 0;
    for (int v = 0; v < V; ++v)
      larger += logits(t, v) > least, sum += std::exp(static_cast<double>(logits(t, v)));
    CHECK(larger == listedTokens - 1);
    for (int rank = 0; rank < listedTokens; ++rank)
      CHECK(p(t, rank) ==
            Approx(std::exp(static_cast<double>(logits(t, static_cast<int>(tokens(t, rank))))) / sum)
                .epsilon(1e-4));
  }
}
