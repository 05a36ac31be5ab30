// Recurrence and convolution: what the lecture says about them, held to.
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/path_length.h"
#include "core/model/named_blocks.h"
#include "core/model/positional/positional_encodings.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

ModelConfig mixedBy(Mixing mixing, int layers = 2) {
  ModelConfig config = smallConfig();
  config.mixing = mixing, config.layers = layers;
  return config;
}

// Whether a change of token s changes a single bit of what is predicted at t.
std::vector<std::vector<bool>> influences(const ModelConfig& config, int count) {
  LivePass live(makeModel(config), 1);
  const auto tokens = randomTokens(count, 3);
  const auto reference = live.run(tokens);
  std::vector<std::vector<bool>> changed(static_cast<std::size_t>(count));
  for (std::size_t s = 0; s < tokens.size(); ++s) {
    auto other = tokens;
    other[s] = (other[s] + 1) % 40;
    const auto trace = live.run(other);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      const auto row = static_cast<int>(t);
      changed[t].push_back((*trace)["logits"][row].copy() != (*reference)["logits"][row].copy());
    }
  }
  return changed;
}

Intervention cell(const char* point, InterventionKind kind, int t, int d, float value) {
  Intervention change{point, kind, {t, d, Intervention::every, Intervention::every}, value, nullptr};
  return change;
}

}  // namespace

TEST_CASE("a convolution of J taps reaches J − 1 tokens back in every block, and not a bit farther") {
  for (const int taps : {1, 2, 3, 5})
    for (const int layers : {1, 2}) {
      ModelConfig config = mixedBy(Mixing::Convolution, layers);
      config.kernelWidth = taps;
      const auto changed = influences(config, 13);
      for (int t = 0; t < 13; ++t)
        for (int s = 0; s < 13; ++s) {
          INFO(taps << " taps, " << layers << " layers, " << s << " -> " << t);
          const bool reaches = s <= t && t - s <= layers * (taps - 1);
          CHECK(changed[static_cast<std::size_t>(t)][static_cast<std::size_t>(s)] == reaches);
        }
    }
}

TEST_CASE("where nothing is masked, as many taps stand on either side, of every kind of filter") {
  for (const Filters filters : {Filters::Full, Filters::Depthwise, Filters::Bottleneck})
    for (const int taps : {1, 4, 5})
      for (const bool one : {false, true}) {
        ModelConfig config = mixedBy(Mixing::Convolution, 2);
        config.filters = filters, config.kernelWidth = taps, config.mask.kind = MaskKind::None;
        config.oneResidual = one;
        REQUIRE(validate(config));
        const int ahead = (taps - 1) / 2, before = taps - 1 - ahead;
        const auto changed = influences(config, 13);
        TensorSet set;
        measurePathLength(config, 13, set);
        for (int t = 0; t < 13; ++t)
          for (int s = 0; s < 13; ++s) {
            INFO(taps << " taps, filters " << static_cast<int>(filters) << ", " << s << " -> " << t);
            const bool reaches = t - s <= 2 * before && s - t <= 2 * ahead;
            CHECK(changed[static_cast<std::size_t>(t)][static_cast<std::size_t>(s)] == reaches);
            CHECK(std::isnan(set["lens.path_length"](t, s)) == !reaches);
          }
      }
}

TEST_CASE("in a recurrence every earlier token reaches every later one, and no later one any earlier") {
  const auto changed = influences(mixedBy(Mixing::Recurrence, 1), 13);
  for (std::size_t t = 0; t < 13; ++t)
    for (std::size_t s = 0; s < 13; ++s) CHECK(changed[t][s] == (s <= t));
}

TEST_CASE("paths are as long as the lecture says") {
  const auto measured = [](const ModelConfig& config) {
    TensorSet set;
    measurePathLength(config, 9, set);
    return set["lens.path_length"].copy();
  };
  const auto expect = [&](const ModelConfig& config, auto length) {
    const auto lengths = measured(config);
    for (int t = 0; t < 9; ++t)
      for (int s = 0; s < 9; ++s) {
        const float found = lengths[static_cast<std::size_t>(t * 9 + s)];
        const int expected = length(t, s);  // -1: there is no way
        INFO(s << " -> " << t);
        CHECK(std::isnan(found) == (expected < 0));
        if (expected >= 0) CHECK(found == static_cast<float>(expected));
      }
  };
  expect(smallConfig(), [](int t, int s) { return s > t ? -1 : s == t ? 0 : 1; });
  expect(mixedBy(Mixing::Recurrence, 1), [](int t, int s) { return s > t ? -1 : t - s; });
  expect(mixedBy(Mixing::Recurrence, 4), [](int t, int s) { return s > t ? -1 : t - s; });
  for (const int layers : {1, 2, 3}) {
    ModelConfig config = mixedBy(Mixing::Convolution, layers);
    config.kernelWidth = 4;
    expect(config, [&](int t, int s) {
      const int steps = (t - s + 2) / 3;  // ⌈(t − s) / 3⌉
      return s > t || steps > layers ? -1 : steps;
    });
    ModelConfig window = smallConfig();
    window.layers = layers, window.mask = {MaskKind::Window, 4, {}};
    expect(window, [&](int t, int s) {
      const int steps = (t - s + 2) / 3;
      return s > t || steps > layers ? -1 : steps;
    });
  }
  ModelConfig detour = smallConfig();  // 5 may not look at 1, but 3 may
  detour.mask.painted = {{5, 1, false}};
  expect(detour, [](int t, int s) { return s > t ? -1 : s == t ? 0 : t == 5 && s == 1 ? 2 : 1; });
  ModelConfig forgetful = smallConfig();  // a token that may neither keep itself nor look at itself
  forgetful.residual = false, forgetful.mask.painted = {{0, 0, false}};
  expect(forgetful, [](int t, int s) { return s > t || (s == 0 && t == 0) ? -1 : s == t ? 0 : 1; });
}

TEST_CASE("where there is no way there is no influence, not even in a bit; where there is one, there is") {
  std::vector<ModelConfig> configs{smallConfig(), mixedBy(Mixing::Recurrence), mixedBy(Mixing::Convolution)};
  for (const MaskKind kind : {MaskKind::None, MaskKind::Prefix, MaskKind::Window}) {
    configs.push_back(smallConfig());
    configs.back().mask = {kind, kind == MaskKind::None ? 0 : 3, {{9, 4, false}, {2, 6, true}}};
  }
  for (std::size_t i = configs.size(); i-- > 0;) {
    configs.push_back(configs[i]);
    configs.back().residual = false;
  }
  for (const ModelConfig& config : configs) {
    TensorSet set;
    measurePathLength(config, 12, set);
    const auto changed = influences(config, 12);
    for (std::size_t t = 0; t < 12; ++t)
      for (std::size_t s = 0; s < 12; ++s) {
        INFO("mixing " << static_cast<int>(config.mixing) << ", mask " << static_cast<int>(config.mask.kind)
                       << ", residual " << config.residual << ", " << s << " -> " << t);
        const float length = set["lens.path_length"](static_cast<int>(t), static_cast<int>(s));
        CHECK(changed[t][s] == !std::isnan(length));
      }
  }
}

TEST_CASE("over a distance of d tokens attention takes one step, recurrence d, a convolution its share") {
  ModelConfig config;
  config.layers = 3;
  const auto curve = [&](Mixing mixing) {
    config.mixing = mixing;
    TensorSet set;
    measurePathLength(config, 12, set);
    measurePathLengthByDistance(16, set);
    return set["lens.path_length_by_distance"].copy();
  };
  const auto attention = curve(Mixing::Attention), recurrence = curve(Mixing::Recurrence),
             convolution = curve(Mixing::Convolution);
  for (std::size_t d = 0; d < 12; ++d) {
    CHECK(attention[d] == (d == 0 ? 0 : 1));
    CHECK(recurrence[d] == static_cast<float>(d));
    if (d <= 6)
      CHECK(convolution[d] == static_cast<float>((d + 1) / 2));  // three taps: two tokens per step
    else
      CHECK(std::isnan(convolution[d]));
  }
  CHECK(std::isnan(attention[12]));  // the text is too short
}

TEST_CASE("without norms, MLP and residual a recurrent layer is Elman's network, number by number") {
  ModelConfig config = mixedBy(Mixing::Recurrence, 1);
  config.residual = false, config.normPlacement = NormPlacement::None, config.activation = Activation::None;
  config.positions = findPositionalEncoding("none");
  const auto model = makeModel(config);
  LivePass live(model, 1);
  const auto tokens = randomTokens(11, 4);
  const auto trace = live.run(tokens);
  const auto weight = [&](const char* name) { return model->parameters()[name]; };
  const TensorView E = weight("wte.weight"), Wx = weight("h.0.recurrence.c_input.weight"),
                   bx = weight("h.0.recurrence.c_input.bias"), Wh = weight("h.0.recurrence.c_state.weight"),
                   Wo = weight("h.0.recurrence.c_proj.weight"), bo = weight("h.0.recurrence.c_proj.bias");
  std::vector<double> h(32);
  for (int t = 0; t < 11; ++t) {
    std::vector<double> next(32), y(32);
    for (int j = 0; j < 32; ++j) {
      double z = bx(j);
      for (int i = 0; i < 32; ++i)
        z += E(tokens[static_cast<std::size_t>(t)], i) * static_cast<double>(Wx(i, j)) +
             h[static_cast<std::size_t>(i)] * Wh(i, j);
      next[static_cast<std::size_t>(j)] = std::tanh(z);
    }
    h = next;
    for (int j = 0; j < 32; ++j) {
      y[static_cast<std::size_t>(j)] = bo(j);
      for (int i = 0; i < 32; ++i)
        y[static_cast<std::size_t>(j)] += h[static_cast<std::size_t>(i)] * Wo(i, j);
      CHECK((*trace)["blocks.0.recurrence.hook_state"](t, j) ==
            Approx(h[static_cast<std::size_t>(j)]).margin(1e-5));
      CHECK((*trace)["blocks.0.hook_resid_post"](t, j) ==
            Approx(y[static_cast<std::size_t>(j)]).margin(1e-5));
    }
    for (int v = 0; v < 40; ++v) {
      double logit = 0;
      for (int d = 0; d < 32; ++d) logit += y[static_cast<std::size_t>(d)] * E(v, d);
      CHECK((*trace)["logits"](t, v) == Approx(logit).margin(1e-4));
    }
  }
}

TEST_CASE("a state that is changed goes on changed, and is where it was before") {
  const ModelConfig config = mixedBy(Mixing::Recurrence, 1);
  const auto model = makeModel(config);
  LivePass live(model, 2);
  const auto tokens = randomTokens(10, 5);
  const auto plain = live.run(tokens);
  const Intervention change = cell("blocks.0.recurrence.hook_state", InterventionKind::Replace, 4, 7, 0.9f);
  const auto changed = live.run(tokens, {change});
  const TensorView h = (*changed)["blocks.0.recurrence.hook_state"],
                   before = (*plain)["blocks.0.recurrence.hook_state"],
                   u = (*changed)["blocks.0.recurrence.hook_input"],
                   W = model->parameters()["h.0.recurrence.c_state.weight"];
  CHECK(h(4, 7) == 0.9f);
  for (int t = 0; t < 10; ++t)
    for (int j = 0; j < 32; ++j) {
      if (t < 4 || (t == 4 && j != 7)) CHECK(h(t, j) == before(t, j));
      if (t <= 4) continue;
      double z = u(t, j);  // from the changed state
      for (int i = 0; i < 32; ++i) z += static_cast<double>(h(t - 1, i)) * W(i, j);
      CHECK(h(t, j) == Approx(std::tanh(z)).margin(1e-5));
    }
  CHECK(h[9].copy() != before[9].copy());
  CHECK(sameBits(*live.run(tokens), *plain));  // and nothing of it stays
}

TEST_CASE("with nothing carried on at one token, the text begins there") {
  ModelConfig config = mixedBy(Mixing::Recurrence, 1);
  config.positions = findPositionalEncoding("none");
  LivePass live(makeModel(config), 1);
  const auto tokens = randomTokens(10, 6);
  Intervention cut{"blocks.0.recurrence.hook_carried", InterventionKind::Zero};
  cut.index[0] = 6;
  const auto whole = live.run(tokens, {cut});
  const auto rest = live.run(std::vector<int>(tokens.begin() + 6, tokens.end()));
  for (int t = 6; t < 10; ++t) CHECK((*whole)["logits"][t].copy() == (*rest)["logits"][t - 6].copy());
}

TEST_CASE("after an edit only rows behind it are made again, interventions included, with the same bits") {
  for (const Mixing mixing : {Mixing::Recurrence, Mixing::Convolution}) {
    const auto model = makeModel(mixedBy(mixing));
    const char* point =
        mixing == Mixing::Recurrence ? "blocks.1.recurrence.hook_state" : "blocks.1.convolution.hook_taps";
    for (const Interventions& interventions :
         {Interventions{}, Interventions{cell(point, InterventionKind::Scale, 3, 1, 2.5f)}})
      for (const int edited : {3, 4, 15, 22}) {
        LivePass live(model, 2), fresh(model, 1);
        auto tokens = randomTokens(23, 7);
        live.run(tokens, interventions);
        tokens[static_cast<std::size_t>(edited)] = (tokens[static_cast<std::size_t>(edited)] + 1) % 40;
        const auto after = live.run(tokens, interventions);
        CHECK(live.rowsReused() == edited);
        CHECK(sameBits(*after, *fresh.run(tokens, interventions)));
      }
  }
}

TEST_CASE("bits do not depend on how many threads share a pass, few rows or many") {
  for (const Mixing mixing : {Mixing::Recurrence, Mixing::Convolution}) {
    ModelConfig config = mixedBy(mixing);
    config.width = 128, config.feedForward = 512, config.context = 96;
    const auto model = makeModel(config);
    const auto tokens = randomTokens(96, 8);
    LivePass one(model, 1);
    for (const int threads : {2, 3, 5})
      for (const int reused : {0, 84, 92}) {
        LivePass several(model, threads);
        auto earlier = tokens;
        if (reused > 0) {
          earlier[static_cast<std::size_t>(reused)] = (earlier[static_cast<std::size_t>(reused)] + 1) % 40;
          several.run(earlier);
        }
        const auto trace = several.run(tokens);
        CHECK(several.rowsReused() == reused);
        CHECK(sameBits(*trace, *one.run(tokens)));
      }
  }
}

TEST_CASE("attention by distance alone is this convolution, where the whole window is there") {
  constexpr int J = 4, H = 4, K = 8, D = 32;
  ModelConfig distance = smallConfig();
  distance.layers = 1, distance.kernel = AttentionKernel::Distance, distance.mask = {MaskKind::Window, J, {}};
  const auto attending = makeModel(distance);
  ModelConfig config = distance;
  config.mixing = Mixing::Convolution, config.kernelWidth = J, config.mask = {};
  Parameters weights(parameterSpecs(config));
  const auto values = [&](const std::string& name) {
    return weights.values().subspan(weights.offset(weights.find(name)));
  };
  for (int i = 0; i < weights.count(); ++i)
    if (const std::string& name = weights.spec(i).name; name.find("convolution") == std::string::npos)
      std::ranges::copy(attending->parameters()[name].copy(), values(name).begin());
  const TensorView b = attending->parameters()["h.0.attn.distance"],
                   V = attending->parameters()["h.0.attn.c_attn.weight"],
                   O = attending->parameters()["h.0.attn.c_proj.weight"];
  // W_j = Σ_h A_h[j] V_h O_h, with the shares A_h of the distances.
  for (int h = 0; h < H; ++h) {
    double sum = 0;
    for (int j = 0; j < J; ++j) sum += std::exp(static_cast<double>(b(h, distance.context - 1 - j)));
    for (int j = 0; j < J; ++j) {
      const double share = std::exp(static_cast<double>(b(h, distance.context - 1 - j))) / sum;
      for (int from = 0; from < D; ++from)
        for (int to = 0; to < D; ++to) {
          double product = 0;
          for (int k = 0; k < K; ++k) product += static_cast<double>(V(from, h * K + k)) * O(h * K + k, to);
          values("h.0.convolution.c_taps.weight")[static_cast<std::size_t>((from * J + j) * D + to)] +=
              static_cast<float>(share * product);
        }
    }
  }
  LivePass a(attending, 1), c(std::make_shared<const Transformer>(config, std::move(weights)), 1);
  const auto tokens = randomTokens(14, 9);
  const auto attended = a.run(tokens), convolved = c.run(tokens);
  for (int t = J - 1; t < 14; ++t)
    for (int d = 0; d < D; ++d)
      CHECK((*convolved)["blocks.0.hook_convolution_out"](t, d) ==
            Approx((*attended)["blocks.0.hook_attn_out"](t, d)).margin(1e-5));
}

TEST_CASE("what recurrence and convolution cannot be is refused, with the field's name") {
  const auto refused = [](ModelConfig config, const char* field) {
    const Status status = validate(config);
    REQUIRE_FALSE(status);
    INFO(status.error().message());
    CHECK(status.error().what.find(field) != std::string::npos);
  };
  for (const Mixing mixing : {Mixing::Recurrence, Mixing::Convolution}) {
    ModelConfig config = mixedBy(mixing);
    CHECK(validate(config));
    config.stack = Stack::EncoderDecoder;
    refused(config, "stack");
    for (const MaskKind kind : {MaskKind::Prefix, MaskKind::Window}) {
      config = mixedBy(mixing), config.mask = {kind, 3, {}};
      refused(config, "mask");
    }
    config = mixedBy(mixing), config.mask.painted = {{3, 1, false}};
    refused(config, "mask");
    config = mixedBy(mixing), config.positions = findPositionalEncoding("rotary");
    refused(config, "position_embedding_type");
    config = mixedBy(mixing), config.heads = 5;  // there are none
    CHECK(validate(config));
  }
  ModelConfig config = mixedBy(Mixing::Recurrence);
  config.stack = Stack::EncoderOnly;
  refused(config, "stack");
  config = mixedBy(Mixing::Recurrence), config.mask.kind = MaskKind::None;
  refused(config, "mask");
  config = mixedBy(Mixing::Convolution);
  config.kernelWidth = 0;
  refused(config, "kernel_width");
  config.kernelWidth = config.context + 1;
  refused(config, "kernel_width");
  const auto one = [](auto change) {
    ModelConfig changed = withBlock(smallConfig(), *findNamedBlock("convnext"));
    REQUIRE(validate(changed));
    change(changed);
    return changed;
  };
  refused(one([](ModelConfig& c) { c.mixing = Mixing::Attention; }), "mixing");
  refused(one([](ModelConfig& c) { c.activation = Activation::None; }), "activation_function");
  refused(one([](ModelConfig& c) { c.residual = false; }), "residual");
  refused(one([](ModelConfig& c) { c.parallel = true; }), "parallel_residual");
  refused(one([](ModelConfig& c) { c.normPlacement = NormPlacement::Post; }), "norm_placement");
}

TEST_CASE("every kind of block with a name can be made of any model of one text, and is known again") {
  forEachMember([](const ModelConfig& config) {
    if (config.isEncoderDecoder()) return;
    for (const NamedBlock& block : namedBlocks()) {
      const ModelConfig made = withBlock(config, block);
      INFO("as " << block.name);
      CHECK(validate(made));
      CHECK(namedBlockOf(made) == &block);
      ModelConfig asked = config;
      REQUIRE(setField(asked, blockField, block.id));
      CHECK(asked == made);
    }
  });
  ModelConfig config = smallConfig();
  const Status unknown = setField(config, blockField, "lstm");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message().find("known are resnet, convnext, transformer") != std::string::npos);
  CHECK(namedBlockOf(mixedBy(Mixing::Recurrence)) == nullptr);
  CHECK(namedBlockOf(mixedBy(Mixing::Convolution)) == nullptr);
}

TEST_CASE("what is said of attention does not matter where nothing attends") {
  const ModelConfig config = mixedBy(Mixing::Convolution);
  for (const ConfigChoice& choice : configChoices())
    for (const char* id : {"similarity", "attention_kernel", "mask_time", "readout", "scale_attn_weights"})
      if (choice.id == id) {
        CHECK_FALSE(choice.matters(config));
        CHECK(choice.matters(smallConfig()));
      }
  for (const ConfigNumber& number : configNumbers()) {
    if (number.id == "n_head" || number.id == "n_head_kv") CHECK_FALSE(number.matters(config));
    if (number.id == "kernel_width") CHECK(number.matters(config));
    if (number.id == "kernel_width") CHECK_FALSE(number.matters(mixedBy(Mixing::Recurrence)));
  }
}
