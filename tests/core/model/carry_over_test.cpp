#include "core/model/carry_over.h"

#include <algorithm>
#include <cmath>

#include "core/model/model_size.h"
#include "core/model/positional/positional_encodings.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

std::shared_ptr<const Transformer> carried(const Transformer& from, const ModelConfig& to,
                                           std::int64_t expectedFresh) {
  CarriedOver result = carryOver(from, to, 3);
  CHECK(result.freshValues == expectedFresh);
  CHECK(result.fresh.empty() == (expectedFresh == 0));
  return std::make_shared<const Transformer>(to, std::move(result.parameters));
}

double logitsApart(std::shared_ptr<const Transformer> a, std::shared_ptr<const Transformer> b) {
  LivePass one(std::move(a), 1), other(std::move(b), 1);
  const auto tokens = randomTokens(11, 4);
  const auto x = one.run(tokens), y = other.run(tokens);
  double most = 0;
  (*x)["logits"].forEach([&](const auto& index, float logit) {
    most = std::max(most, std::abs(static_cast<double>(logit) - (*y)["logits"].at(index)));
  });
  return most;
}

}  // namespace

TEST_CASE("what changes no weights keeps them all; exact conversions keep the function") {
  const auto model = makeModel(smallConfig());
  CHECK(logitsApart(model, carried(*model, model->config(), 0)) == 0);
  ModelConfig to = model->config();
  to.tiedUnembedding = false;
  CHECK(logitsApart(model, carried(*model, to, 0)) == 0);
  to = model->config(), to.readout = Readout::OneMatrix;
  CHECK(logitsApart(model, carried(*model, to, 0)) < 2e-5);
  ModelConfig rows = model->config();
  rows.readout = Readout::Rows, to = rows, to.readout = Readout::OneMatrix;
  const auto means = carried(*model, rows, 0);  // its own bias behind the sum is 0 at first
  CHECK(logitsApart(means, std::make_shared<const Transformer>(to, carryOver(*means, to, 3).parameters)) <
        1e-6);
  to = model->config(), to.mask.kind = MaskKind::Window, to.mask.size = 3;
  CHECK(logitsApart(model, carried(*model, to, 0)) > 1e-3);
  to = model->config(), to.norm = NormKind::Rms;
  CHECK(logitsApart(model, carried(*model, to, 0)) > 1e-3);
  to = model->config(), to.positions = findPositionalEncoding("sinusoidal");
  const auto sinusoidal = carried(*model, to, 0);
  CHECK(logitsApart(sinusoidal, carried(*sinusoidal, model->config(), 0)) == 0);
}

TEST_CASE("what does not fit is initialized and named, the rest stays") {
  const auto model = makeModel(smallConfig());  // D 32, F 48, V 40
  ModelConfig to = model->config();
  to.activation = Activation::SwiGlu;
  const CarriedOver gated = carryOver(*model, to, 3);
  CHECK(gated.fresh == std::vector<std::string>{"h.0.mlp.c_fc.weight", "h.0.mlp.c_fc.bias",
                                                "h.1.mlp.c_fc.weight", "h.1.mlp.c_fc.bias"});
  CHECK(gated.freshValues == 2 * (32 * 96 + 96));
  CHECK(gated.parameters["h.1.mlp.c_proj.weight"].copy() ==
        model->parameters()["h.1.mlp.c_proj.weight"].copy());

  to = model->config(), to.layers = 3;
  for (const std::string& name : carryOver(*model, to, 3).fresh) CHECK(name.starts_with("h.2."));
  to = model->config(), to.context = 30;
  CHECK(carryOver(*model, to, 3).freshValues == 6 * 32);

  // Queries go, keys and values stay where they belong.
  to = model->config(), to.similarity = Similarity::Shared;
  const CarriedOver shared = carryOver(*model, to, 3);
  CHECK(shared.freshValues == 0);
  const TensorView fused = shared.parameters["h.0.attn.c_attn.weight"],
                   given = model->parameters()["h.0.attn.c_attn.weight"];
  CHECK(fused(5, 7) == given(5, 7));
  CHECK(fused(5, 32 + 7) == given(5, 64 + 7));
}

TEST_CASE("heads that are to share keys and values get the mean of their own") {
  const auto model = makeModel(smallConfig());
  ModelConfig to = model->config();
  to.keyValueHeads = 2;
  const CarriedOver grouped = carryOver(*model, to, 3);
  CHECK(grouped.freshValues == 0);
  const TensorView fused = grouped.parameters["h.1.attn.c_attn.weight"],
                   given = model->parameters()["h.1.attn.c_attn.weight"];
  // Key column 3 of shared head 1 is the mean of heads 2 and 3, each 8 wide.
  CHECK(fused(9, 32 + 8 + 3) == (given(9, 32 + 16 + 3) + given(9, 32 + 24 + 3)) / 2);
}

TEST_CASE("a convolution keeps the taps that it had, and attention's weights are not its own") {
  const auto model = makeModel(smallConfig());
  ModelConfig to = model->config();
  to.mixing = Mixing::Convolution;
  const CarriedOver three = carryOver(*model, to, 3);
  CHECK(three.fresh.size() == 4);
  CHECK(three.freshValues == 2 * (32 * 3 * 32 + 32));
  CHECK(three.parameters["h.1.mlp.c_fc.weight"].copy() == model->parameters()["h.1.mlp.c_fc.weight"].copy());
  ModelConfig wider = to;
  wider.kernelWidth = 5;
  const CarriedOver five = carryOver(Transformer(to, three.parameters), wider, 3);
  CHECK(five.freshValues == 2 * 32 * 2 * 32);
  const TensorView before = three.parameters["h.1.convolution.c_taps.weight"],
                   after = five.parameters["h.1.convolution.c_taps.weight"];
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 3 * 32; ++j) CHECK(after(i, j) == before(i, j));
}

TEST_CASE("made of a transformer, a ConvNeXt keeps its MLP, and with more taps the filters that it has") {
  const auto model = makeModel(smallConfig());
  const ModelConfig to = withBlock(model->config(), *findNamedBlock("convnext"));
  const CarriedOver three = carryOver(*model, to, 3);
  CHECK(three.fresh.size() == 4);  // the filters of both blocks and their biases
  CHECK(three.freshValues == 2 * (3 * 32 + 32));
  CHECK(three.parameters["h.1.ln_2.weight"].copy() == model->parameters()["h.1.ln_2.weight"].copy());
  ModelConfig wider = to;
  wider.kernelWidth = 5;
  const CarriedOver five = carryOver(Transformer(to, three.parameters), wider, 3);
  CHECK(five.freshValues == 2 * 2 * 32);
  const TensorView before = three.parameters["h.1.convolution.c_depthwise.weight"],
                   after = five.parameters["h.1.convolution.c_depthwise.weight"];
  for (int j = 0; j < 3; ++j) CHECK(after[j].copy() == before[j].copy());
}

TEST_CASE("every member can be made of every other, and its size is known beforehand") {
  const auto model = makeModel(smallConfig());
  forEachMember([&](const ModelConfig& config) {
    const CarriedOver result = carryOver(*model, config, 3);
    CHECK(result.parameters.valueCount() == parameterCount(config));
    const CarriedOver back = carryOver(Transformer(config, result.parameters), model->config(), 3);
    CHECK(back.parameters.valueCount() == parameterCount(model->config()));
  });
}

TEST_CASE("multiply-adds are those of the products of one pass") {
  // One layer, counted by hand: D 8, F 12, V 5, T 3.
  ModelConfig config{.layers = 1, .heads = 2, .width = 8, .feedForward = 12, .vocabulary = 5, .context = 6};
  const int projections = 3 * (8 * 24 + 8 * 8 + 8 * 12 + 12 * 8), attention = 3 * 3 * (8 + 8),
            unembedding = 3 * 8 * 5;
  CHECK(multiplyAdds(config, 3) == projections + attention + unembedding);
  config.activation = Activation::None;
  CHECK(multiplyAdds(config, 3) == projections - 3 * 2 * 8 * 12 + attention + unembedding);
  config.stack = Stack::EncoderDecoder;
  const int decoder = 3 * (8 * 24 + 64) + attention + 3 * (64 + 64) + 3 * 2 * 16, memory = 2 * 8 * 16;
  const int encoder = 2 * (8 * 24 + 64) + 2 * 2 * 16;
  CHECK(multiplyAdds(config, 3, 2) == decoder + memory + encoder + unembedding);
  // In attention's place, with the MLP: the states of 3 tokens are made in 2 products.
  config.stack = Stack::DecoderOnly, config.activation = Activation::Relu;
  const int mlp = 3 * 2 * 8 * 12;
  config.mixing = Mixing::Recurrence;
  CHECK(multiplyAdds(config, 3) == 3 * 2 * 64 + 2 * 64 + mlp + unembedding);
  config.mixing = Mixing::Convolution, config.kernelWidth = 4;
  CHECK(multiplyAdds(config, 3) == 3 * 4 * 64 + mlp + unembedding);
}
