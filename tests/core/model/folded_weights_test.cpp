#include "core/model/folded_weights.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/model/live_pass.h"
#include "tests/core/io/formats/format_fixture.h"

using namespace glassformer;

namespace {

std::shared_ptr<const Transformer> openedModel(const char* name) {
  auto read = readModelDirectory(formats / name);
  if (!read) FAIL(read.error().message());
  return std::make_shared<const Transformer>(read->config, std::move(read->parameters));
}

double meanOf(const TensorView& rows, int t, int power) {
  double sum = 0;
  for (int d = 0; d < rows.extent[1]; ++d) sum += std::pow(static_cast<double>(rows(t, d)), power);
  return sum / rows.extent[1];
}

// The largest |a - b - c| where c is a number of each row's own, the mean of a where it is subtracted.
double apart(const TensorView& a, const TensorView& b, bool lessMean) {
  double most = 0;
  for (int t = 0; t < a.extent[0]; ++t) {
    const double mean = lessMean ? meanOf(a, t, 1) : 0;
    for (int d = 0; d < a.extent[1]; ++d)
      most = std::max(most, std::abs(static_cast<double>(a(t, d)) - static_cast<double>(b(t, d)) - mean));
  }
  return most;
}

}  // namespace

TEST_CASE("folded weights predict the same from rows that norms neither scale nor shift", "[accuracy]") {
  const std::vector<int> tokens{84, 104, 101, 220, 99, 97, 116, 257, 13};
  for (const char* name : {"gpt2_gguf", "pythia", "phi", "opt", "llama", "qwen2", "qwen3"})
    for (const Folding how : {Folding::Norms, Folding::All}) {
      INFO(name << (how == Folding::All ? ", all" : ", norms"));
      const auto model = openedModel(name);
      auto other = folded(*model, how);
      REQUIRE(other);
      const bool isLayer = model->config().norm == NormKind::Layer, isAll = how == Folding::All;
      const auto a = LivePass(model).run(tokens, {}, {}),
                 b = LivePass(std::make_shared<const Transformer>(*std::move(other))).run(tokens, {}, {});
      CHECK(apart((*a)["logits"], (*b)["logits"], isAll) < 1e-4);
      CHECK(apart((*a)["blocks.1.hook_resid_post"], (*b)["blocks.1.hook_resid_post"], isAll && isLayer) <
            1e-4);
      for (int t = 0; t < 9; ++t) {
        const TensorView n = (*b)["ln_final.hook_normalized"];
        CHECK(std::abs(meanOf(n, t, 2) - 1) < 1e-2);
        if (isLayer) CHECK(std::abs(meanOf(n, t, 1)) < 1e-4);
      }
      const TensorView v = (*a)["blocks.1.attn.hook_v"], w = (*b)["blocks.1.attn.hook_v"];
      for (int head = 0; head < v.extent[1]; ++head)
        for (int k = 0; k < v.extent[2]; ++k) {  // values lose what is the same for all tokens
          const float step = v(3, head, k) - v(4, head, k);
          CHECK(std::abs(step - (w(3, head, k) - w(4, head, k))) < 1e-4f);
          if (!isAll) CHECK(std::abs(v(3, head, k) - w(3, head, k)) < 1e-4f);
        }
    }
}

TEST_CASE("models whose norms stand elsewhere, or that have two stacks, have no folded form") {
  for (const char* name : {"bert", "t5", "gemma2", "opt_narrow"}) {
    INFO(name);
    CHECK_FALSE(folded(*openedModel(name), Folding::Norms));
  }
}
