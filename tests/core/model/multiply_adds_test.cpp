#include <catch2/catch_test_macros.hpp>

#include "core/model/named_blocks.h"
#include "core/model/pass.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

constexpr int T = 5, D = 8, H = 2, K = 4, F = 32, V = 10;

struct Counted {
  double alone, between, inTurn;
};

// A pass over T tokens of a model of one block, written down and run.
struct Recorded {
  explicit Recorded(const std::function<void(ModelConfig&)>& change = [](ModelConfig&) {}) {
    config.layers = 1, config.heads = H, config.width = D, config.feedForward = F, config.vocabulary = V,
    config.context = 16;
    change(config);
    model = makeModel(config);
    pass.emplace(tape, config, model->parameters());
    model->forward(*pass);
    tape.tokens() = {1, 2, 3, 4, 5, 0, 0, 0};
    tape.setPositions(T);
    ThreadPool team(1);
    tape.forward(team);
  }
  Counted counted() const {
    using enum Operation::Domain;
    return {tape.multiplyAdds(Rows), tape.multiplyAdds(Heads), tape.multiplyAdds(Time)};
  }

  ModelConfig config;
  Tape tape{1, 8};
  std::shared_ptr<const Transformer> model;
  std::optional<Pass> pass;
};

// Products of two numbers that made those of a named value.
double productsIn(const Recorded& recorded, const char* name) {
  double products = 0;
  for (const NamedValue& named : recorded.pass->points()) {
    if (named.name != name) continue;
    const Value& value = named.value;
    const std::ptrdiff_t heads = value.square ? value.width : 1, columns = value.square ? T : value.width;
    for (std::ptrdiff_t h = 0; h < heads; ++h)
      for (int t = 0; t < T; ++t)
        for (std::ptrdiff_t i = 0; i < (value.square ? t + 1 : columns); ++i) {
          const auto made = recorded.tape.derive(value.data + (h * 8 + t) * value.stride + i);
          for (const Term& term : made->terms) products += term.factor && term.other;
        }
  }
  return products;
}

}  // namespace

TEST_CASE("the multiply-adds of a GPT-2 block are those worked out by hand") {
  const Counted counted = Recorded().counted();
  const int fused = T * D * 3 * D, output = T * D * D, mlp = 2 * T * D * F, logits = T * D * V;
  CHECK(counted.alone == fused + output + mlp + logits);
  CHECK(counted.between == 2 * H * K * T * (T + 1) / 2);  // scores, and what they weigh: of keys up to t
  CHECK(counted.inTurn == 0);
  const Counted unmasked = Recorded([](ModelConfig& c) { c.mask.kind = MaskKind::None; }).counted();
  CHECK(unmasked.between == 2 * H * K * T * T);
  CHECK(unmasked.alone == counted.alone);
}

TEST_CASE("a recurrence multiplies from token to token, a convolution each token by all of its taps") {
  const int rest = 2 * T * D * F + T * D * V;
  const Counted recurrence = Recorded([](ModelConfig& c) { c.mixing = Mixing::Recurrence; }).counted();
  CHECK(recurrence.alone == 2 * T * D * D + rest);
  CHECK(recurrence.between == 0);
  CHECK(recurrence.inTurn == (T - 1) * D * D);
  const Counted convolution = Recorded([](ModelConfig& c) { c.mixing = Mixing::Convolution; }).counted();
  CHECK(convolution.alone == 3 * T * D * D + rest);
  CHECK(convolution.between + convolution.inTurn == 0);
}

TEST_CASE("a bottleneck multiplies a sixteenth as much with its taps, a depthwise convolution a D-th") {
  const auto counted = [](const char* block) {
    return Recorded([&](ModelConfig& c) { c = withBlock(c, *findNamedBlock(block)); }).counted();
  };
  constexpr int B = D / 4;
  const Counted resnet = counted("resnet"), convnext = counted("convnext");
  CHECK(resnet.alone == 2 * T * D * B + 3 * T * B * B + T * D * V);
  CHECK(convnext.alone == 3 * T * D + 2 * T * D * F + T * D * V);
  for (const Counted& each : {resnet, convnext}) CHECK(each.between + each.inTurn == 0);
}

TEST_CASE("what is counted is what the numbers were made of") {
  const Recorded recorded;
  const auto in = [&](const char* name) { return productsIn(recorded, name); };
  CHECK(in("blocks.0.attn.hook_attn_scores") == H * K * T * (T + 1) / 2);
  CHECK(in("blocks.0.attn.hook_q") == T * D * D);
  CHECK(in("blocks.0.mlp.hook_pre") == T * D * F);
  CHECK(in("logits") == T * D * V);
}
