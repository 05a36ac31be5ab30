// What the lectures say about the members of the family, held to.
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "core/model/choices.h"
#include "core/model/initialization.h"
#include "core/model/live_pass.h"
#include "core/model/positional/bucketed.h"
#include "core/model/positional/positional_encodings.h"
#include "core/model/positional/sinusoidal.h"
#include "core/random.h"
#include "core/tensor/operations/attention.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

double farthest(TensorView a, TensorView b) {
  double most = 0;
  a.forEach([&](const auto& index, float x) {
    const float y = b.at(index);
    if (x != y) most = std::max(most, std::abs(static_cast<double>(x) - y));
  });
  return most;
}

}  // namespace

TEST_CASE("rows of every pattern of every member sum to one, and forbidden weights are exactly 0") {
  forEachMember([](const ModelConfig& config) {
    const auto source = randomTokens(config.isEncoderDecoder() ? 6 : 0, 2);
    const auto trace = traceOf(config, randomTokens(12, 1), source);
    int patterns = 0;
    for (int i = 0; i < trace->count(); ++i) {
      const TracePoint& point = trace->point(i);
      if (!point.name.ends_with("hook_pattern")) continue;
      ++patterns;
      const bool masked = point.rows == Stream::Text && point.keys == Stream::Text;
      const TensorView pattern = trace->tensor(i);
      for (int h = 0; h < pattern.extent[0]; ++h)
        for (int t = 0; t < pattern.extent[1]; ++t) {
          double sum = 0;
          for (int s = 0; s < pattern.extent[2]; ++s) {
            sum += pattern(h, t, s);
            if (masked && !config.mask.allows(t, s)) CHECK(pattern(h, t, s) == 0);
          }
          CHECK(sum == Approx(1).margin(1e-5));
        }
    }
    CHECK(patterns == (config.hasAttention() ? config.layers * (config.isEncoderDecoder() ? 3 : 1) : 0));
  });
}

TEST_CASE("no token is influenced by one that it may not see, not even in a bit") {
  ModelConfig config = smallConfig();
  config.layers = 1;  // over layers, influence goes on from token to token
  for (const MaskKind kind : {MaskKind::None, MaskKind::Causal, MaskKind::Prefix, MaskKind::Window})
    for (const AttentionKernel kernel :
         {AttentionKernel::Softmax, AttentionKernel::HardArgmax, AttentionKernel::Linear}) {
      config.mask = {kind, 4, {{9, 3, false}, {2, 7, true}}};
      config.kernel = kernel;
      LivePass live(makeModel(config), 1);
      const auto tokens = randomTokens(12, 3);
      const auto reference = live.run(tokens);
      for (int s = 0; s < 12; ++s) {
        auto changed = tokens;
        changed[static_cast<std::size_t>(s)] = (changed[static_cast<std::size_t>(s)] + 1) % 40;
        const auto trace = live.run(changed);
        for (int t = 0; t < 12; ++t) {
          INFO("mask " << static_cast<int>(kind) << ", kernel " << static_cast<int>(kernel) << ", " << s
                       << " -> " << t);
          const bool same = (*trace)["logits"][t].copy() == (*reference)["logits"][t].copy();
          if (t != s && !config.mask.allows(t, s)) CHECK(same);
          if (t == s) CHECK_FALSE(same);
          if (kernel == AttentionKernel::Softmax && config.mask.allows(t, s)) CHECK_FALSE(same);
        }
      }
    }
}

TEST_CASE("masking before the softmax and renormalizing after it give the same weights") {
  for (const MaskKind kind : {MaskKind::Causal, MaskKind::Prefix, MaskKind::Window}) {
    ModelConfig config = smallConfig();
    config.mask = {kind, 3, {{8, 2, false}}};
    const auto before = traceOf(config, randomTokens(14, 4));
    config.maskTime = MaskTime::AfterSoftmax;
    const auto after = traceOf(config, randomTokens(14, 4));
    for (const char* point : {"blocks.0.attn.hook_pattern", "blocks.1.attn.hook_pattern", "logits"})
      CHECK(farthest((*before)[point], (*after)[point]) < 8e-6);  // other sums: 2.4e-6 with SSE alone
  }
}

TEST_CASE("without positions and mask, permuted tokens give permuted rows; with positions they do not") {
  const auto tokens = randomTokens(10, 6);
  const std::vector<int> order{3, 7, 0, 9, 1, 8, 2, 5, 4, 6};
  std::vector<int> permuted;
  for (const int i : order) permuted.push_back(tokens[static_cast<std::size_t>(i)]);
  for (const PositionalEncoding* positions : positionalEncodings()) {
    ModelConfig config = smallConfig();
    config.stack = Stack::EncoderOnly, config.mask.kind = MaskKind::None, config.positions = positions;
    const auto a = traceOf(config, tokens), b = traceOf(config, permuted);
    double most = 0;
    for (std::size_t row = 0; row < order.size(); ++row)
      most = std::max(most, farthest((*a)["logits"][order[row]], (*b)["logits"][static_cast<int>(row)]));
    INFO(positions->description().id);
    if (positions->description().id == "none")
      CHECK(most < 1e-5);
    else
      CHECK(most > 1e-3);
  }
}

TEST_CASE("moving on by a distance turns every pair of a sinusoidal encoding by the same angle") {
  const int D = 32, distance = 5;
  const Tensor p = sinusoids(40, {.width = D});
  for (int t = 0; t + distance < 40; ++t)
    for (int i = 0; i < D; i += 2) {
      const double w = distance / std::pow(10000.0, i / static_cast<double>(D));
      CHECK(p(t + distance, i) == Approx(p(t, i) * std::cos(w) + p(t, i + 1) * std::sin(w)).margin(1e-5));
      CHECK(p(t + distance, i + 1) == Approx(p(t, i + 1) * std::cos(w) - p(t, i) * std::sin(w)).margin(1e-5));
    }
}

TEST_CASE("rotary, ALiBi, relative, bucketed and distance-only scores depend on the distance alone") {
  const std::vector<int> tokens(16, 11);  // the same token everywhere: only positions differ
  for (const char* id : {"rotary", "alibi", "relative", "bucketed", "none"}) {
    ModelConfig config = smallConfig();
    config.mask.kind = MaskKind::None, config.positions = findPositionalEncoding(id);
    if (config.positions->description().id == "relative") config.positionParameter = 6;
    if (config.positions->description().id == "none") config.kernel = AttentionKernel::Distance;
    const auto trace = traceOf(config, tokens);
    const TensorView scores = (*trace)["blocks.0.attn.hook_attn_scores"];
    double spread = 0;
    for (int h = 0; h < 4; ++h)
      for (int t = 1; t < 16; ++t)
        for (int s = 1; s < 16; ++s) {
          CHECK(scores(h, t, s) == Approx(scores(h, t - 1, s - 1)).margin(2e-5));
          spread = std::max(spread, std::abs(static_cast<double>(scores(h, t, s)) - scores(h, 0, 0)));
        }
    INFO(id);
    CHECK(spread > 1e-3);
  }
}

TEST_CASE("near distances have buckets of their own, far ones share") {
  // Worked out by hand: 16 + ⌊16 ln(away / 16) / ln(128 / 16)⌋.
  for (const auto& [away, bucket] :
       {std::pair{0, 0}, {15, 15}, {16, 16}, {20, 17}, {64, 26}, {127, 31}, {900, 31}})
    CHECK(DistanceBuckets{32, 128, true}.of(-away) == bucket);
  CHECK(DistanceBuckets{32, 128, true}.of(5) == 0);
  const DistanceBuckets both{32, 128, false};
  CHECK(both.of(-7) == 7);
  CHECK(both.of(7) == 16 + 7);
  CHECK(both.of(40) == 16 + 12);  // 8 + ⌊8 ln(40 / 8) / ln(128 / 8)⌋
  // Of 9 the first 4 are exact, and each of the others begins at a power of 2: 4 · 32^(i / 5).
  for (int i = 0; i < 5; ++i) {
    CHECK(DistanceBuckets{9, 128, true}.of(-(4 << i)) == 4 + i);
    CHECK(DistanceBuckets{9, 128, true}.of(-(8 << i) + 1) == 4 + i);
  }
}

TEST_CASE("buckets of any number hold the distances that T5 puts there") {
  std::ifstream file(SOURCE_FOLDER "/tests/reference/distance_buckets.json");
  for (const auto& side : nlohmann::json::parse(file)) {
    const int count = side["count"], farthest = side["farthest"];
    INFO(count << " buckets up to " << farthest);
    for (int away = 0; away < static_cast<int>(side["buckets"].size()); ++away) {
      const int bucket = side["buckets"][static_cast<std::size_t>(away)];
      CHECK(DistanceBuckets{count, farthest, true}.of(-away) == bucket);
      for (const int all : {2 * count, 2 * count + 1}) {  // an odd one stays empty
        CHECK(DistanceBuckets{all, farthest, false}.of(-away) == bucket);
        CHECK(DistanceBuckets{all, farthest, false}.of(away) == (away > 0 ? count : 0) + bucket);
      }
    }
  }
}

TEST_CASE("distance-only attention is a convolution") {
  ModelConfig config = smallConfig();
  config.kernel = AttentionKernel::Distance;
  for (const MaskKind kind : {MaskKind::None, MaskKind::Causal, MaskKind::Window}) {
    config.mask = {kind, kind == MaskKind::Window ? 5 : 0, {}};
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(15, 8));
    const TensorView b = model->parameters()["h.0.attn.distance"];  // [H, 2C - 1]
    const TensorView v = (*trace)["blocks.0.attn.hook_v"], z = (*trace)["blocks.0.attn.hook_z"];
    for (int h = 0; h < 4; ++h)
      for (int t = 0; t < 15; ++t)
        for (int k = 0; k < 8; ++k) {
          // The kernel e^b slides over the values; so does it over ones, which is what is divided by.
          double values = 0, ones = 0;
          for (int d = -14; d <= 14; ++d) {
            const int s = t + d;
            if (s < 0 || s >= 15 || !config.mask.allows(t, s)) continue;
            const double weight = std::exp(static_cast<double>(b(h, d + config.context - 1)));
            values += weight * v(s, h, k), ones += weight;
          }
          CHECK(z(t, h, k) == Approx(values / ones).margin(1e-5));
        }
  }
}

TEST_CASE("linear attention equals its running state") {
  ModelConfig config = smallConfig();
  config.kernel = AttentionKernel::Linear;
  const auto trace = traceOf(config, randomTokens(18, 9));
  const TensorView q = (*trace)["blocks.1.attn.hook_q"], k = (*trace)["blocks.1.attn.hook_k"],
                   v = (*trace)["blocks.1.attn.hook_v"], z = (*trace)["blocks.1.attn.hook_z"];
  const auto phi = [](float x) { return x > 0 ? x + 1.0 : std::exp(static_cast<double>(x)); };
  for (int h = 0; h < 4; ++h) {
    double state[8][8] = {}, sum[8] = {};  // Σ φ(k) vᵀ and Σ φ(k) so far
    for (int t = 0; t < 18; ++t) {
      for (int i = 0; i < 8; ++i) {
        sum[i] += phi(k(t, h, i));
        for (int j = 0; j < 8; ++j) state[i][j] += phi(k(t, h, i)) * v(t, h, j);
      }
      for (int j = 0; j < 8; ++j) {
        double above = 0, below = 0;
        for (int i = 0; i < 8; ++i) above += phi(q(t, h, i)) * state[i][j], below += phi(q(t, h, i)) * sum[i];
        CHECK(z(t, h, j) == Approx(above / below).margin(1e-5));
      }
    }
  }
}

TEST_CASE("per-head values and outputs equal their product as one matrix") {
  const ModelConfig two = smallConfig();
  ModelConfig one = two;
  one.readout = Readout::OneMatrix;
  const auto model = makeModel(two);
  Parameters joined(parameterSpecs(one));
  const int D = 32, K = 8, H = 4;
  const auto put = [&](const std::string& name, int row, int column, double value) {
    const int i = joined.find(name);
    const TensorView view = joined.view(i);
    const int columns = view.extent[view.rank - 1];
    joined.values()[joined.offset(i) + static_cast<std::size_t>(row * columns + column)] =
        static_cast<float>(value);
  };
  for (int i = 0; i < joined.count(); ++i) {
    const std::string& name = joined.spec(i).name;
    const TensorView given = model->parameters()[name];
    const auto values = given.copy();
    if (name.find("c_attn") == std::string::npos) {
      std::ranges::copy(values, joined.values().begin() + static_cast<std::ptrdiff_t>(joined.offset(i)));
      continue;
    }
    const std::string block = name.substr(0, name.find("c_attn"));
    const TensorView output = model->parameters()[block + "c_proj.weight"];
    const int rows = given.rank == 2 ? D : 1;
    for (int row = 0; row < rows; ++row) {
      const auto at = [&](int column) { return given.rank == 2 ? given(row, column) : given(column); };
      for (int column = 0; column < 2 * D; ++column) put(name, row, column, at(column));
      for (int h = 0; h < H; ++h)
        for (int d = 0; d < D; ++d) {
          double sum = 0;
          for (int k = 0; k < K; ++k)
            sum += static_cast<double>(at(2 * D + h * K + k)) * output(h * K + k, d);
          put(name, row, 2 * D + h * D + d, sum);
        }
    }
  }
  LivePass a(model, 1), b(std::make_shared<const Transformer>(one, std::move(joined)), 1);
  const auto tokens = randomTokens(16, 12);
  CHECK(farthest((*a.run(tokens))["logits"], (*b.run(tokens))["logits"]) < 2e-5);
}

TEST_CASE("as many key and value heads as heads is what there is without groups; groups share") {
  ModelConfig config = smallConfig();
  config.keyValueHeads = 4;
  CHECK(farthest((*traceOf(config, randomTokens(9, 13)))["logits"],
                 (*traceOf(smallConfig(), randomTokens(9, 13)))["logits"]) == 0);
  config.keyValueHeads = 2;
  const auto trace = traceOf(config, randomTokens(9, 13));
  CHECK((*trace)["blocks.0.attn.hook_k"].extent[1] == 2);
  CHECK((*trace)["blocks.0.attn.hook_q"].extent[1] == 4);
}

TEST_CASE("an encoder-decoder sees all of its source and none of its padding") {
  ModelConfig config = smallConfig();
  config.stack = Stack::EncoderDecoder;
  LivePass live(makeModel(config), 2);
  const auto text = randomTokens(5, 1), source = randomTokens(7, 2);
  const auto reference = live.run(text, {}, source);
  for (std::size_t s = 0; s < source.size(); ++s) {
    auto changed = source;
    changed[s] = (changed[s] + 1) % 40;
    const auto trace = live.run(text, {}, changed);
    for (int t = 0; t < 5; ++t) CHECK((*trace)["logits"][t].copy() != (*reference)["logits"][t].copy());
  }
  // Reused rows have the bits of a fresh pass: another text on the same source, the same text on another.
  auto longer = text;
  longer.push_back(3);
  live.run(text, {}, source);
  const auto again = live.run(longer, {}, source);
  CHECK(live.rowsReused() == 5);
  LivePass fresh(makeModel(config), 1);
  const auto whole = fresh.run(longer, {}, source);
  for (int i = 0; i < again->count(); ++i) CHECK(again->tensor(i).copy() == whole->tensor(i).copy());
  live.run(longer, {}, text);
  CHECK(live.rowsReused() == 0);
}

TEST_CASE("a model that looks ahead reuses nothing after an edit, and has the bits of a fresh pass") {
  forEachMember([](const ModelConfig& config) {
    const auto model = makeModel(config);
    LivePass live(model, 2), fresh(model, 1);
    const auto source = randomTokens(config.isEncoderDecoder() ? 6 : 0, 2);
    auto tokens = randomTokens(10, 1);
    live.run(tokens, {}, source);
    tokens.back() = (tokens.back() + 1) % 40;
    const auto after = live.run(tokens, {}, source), whole = fresh.run(tokens, {}, source);
    CHECK(live.rowsReused() == (config.causal() ? 9 : 0));
    for (int i = 0; i < after->count(); ++i) {
      INFO(after->point(i).name);
      CHECK(after->tensor(i).copy() == whole->tensor(i).copy());
    }
  });
}

TEST_CASE("the worked example of the lectures: We wash our cats") {
  // Scores of "cats" with the four words, in heads of width 64. Printed there: 1.63, 3.0, 2.5, 1.5 and
  // weights 0.12, 0.48, 0.29, 0.10. Exact: 13 / 8 is 1.625; the weights are 0.1214, 0.4802, 0.2913, 0.1071,
  // the last of which rounds to 0.11, not to the printed 0.10.
  const double scores[] = {13, 24, 20, 12}, divided[] = {1.625, 3.0, 2.5, 1.5};
  Tape tape(1, 4);
  const Value square = tape.squares(1, 0, false), pattern = softmax(tape, square);
  for (int s = 0; s < 4; ++s) {
    square.data[s] = static_cast<float>(scores[s] / std::sqrt(64.0));
    CHECK(square.data[s] == Approx(divided[s]));
  }
  tape.forward();
  const double exact[] = {0.12141, 0.48019, 0.29125, 0.10715}, printed[] = {0.12, 0.48, 0.29, 0.10};
  double sum = 0;
  for (const double x : divided) sum += std::exp(x);
  for (int s = 0; s < 4; ++s) {
    CHECK(pattern.data[s] == Approx(std::exp(divided[s]) / sum).epsilon(1e-5));
    CHECK(pattern.data[s] == Approx(exact[s]).margin(1e-5));
    CHECK(std::abs(static_cast<double>(pattern.data[s]) - printed[s]) < 0.008);
  }
}
