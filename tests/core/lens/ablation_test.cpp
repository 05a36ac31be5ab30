// How long leaving out takes, in whole passes of the same run and by processor time: machines are noisy.
#include "core/lens/ablation.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <ctime>
#include <functional>

#include "tests/core/model/family_members.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

constexpr int textTokens = 64;

// What a turn takes of a processor, the median of several by turns with whole passes over other texts.
struct Turns {
  explicit Turns(const ModelConfig& config) : model(makeModel(config)), live(model, 1) {}

  double inPasses(int count, const std::function<void(const Trace& whole)>& turn) {
    std::vector<double> wholes, turns;
    for (int i = 0; i < count; ++i) {
      const std::clock_t begin = std::clock();
      const auto whole = live.run(randomTokens(textTokens, ++salt));
      const std::clock_t between = std::clock();
      turn(*whole);
      wholes.push_back(static_cast<double>(between - begin));
      turns.push_back(static_cast<double>(std::clock() - between));
    }
    return median(turns) / median(wholes);
  }
  static double median(std::vector<double> times) {
    std::ranges::sort(times);
    return times[times.size() / 2];
  }

  std::shared_ptr<const Transformer> model;
  LivePass live;
  int salt = 0;
};

}  // namespace

TEST_CASE("leaving out every head and MLP, the first answer, and a gain that is turned take few whole passes",
          "[accuracy]") {
  if (isSanitized) return;
  ModelConfig config = smallConfig();  // of the shape of stories
  config.vocabulary = 1024, config.context = 128, config.width = 128, config.heads = 4, config.layers = 4;
  config.feedForward = 512;
  Turns turns(config);
  std::vector<std::optional<Intervention>> parts;
  for (int layer = 0; layer < config.layers; ++layer) {
    const std::string block = "blocks." + std::to_string(layer) + ".";
    for (int head = 0; head < config.heads; ++head) {
      parts.emplace_back(Intervention{.point = block + "attn.hook_z"});
      parts.back()->index[1] = head;
    }
    parts.emplace_back(Intervention{.point = block + "hook_mlp_out"});
  }
  const AnswerMetric of{{textTokens - 1, 0}};
  const double all = turns.inPasses(9, [&](const Trace& whole) {
    for (const auto& part : parts) leaveOut(turns.live, whole, {}, *part, of);
  });
  const double first = turns.inPasses(9, [&](const Trace& whole) {
    TensorSet gradients;
    estimateLeftOut(*turns.model, whole, {}, parts, {.kind = Metric::Kind::Answer, .of = of}, gradients);
    leaveOut(turns.live, whole, {}, *parts.front(), of);
  });
  const double gain = turns.inPasses(9, [&](const Trace& whole) {
    Intervention turned = *parts.front();
    turned.kind = InterventionKind::Scale, turned.value = 0.5f;
    turns.live.run(whole.tokens(), {turned});
  });
  const double byToken = turns.inPasses(3, [&](const Trace& whole) {
    for (int token = 0; token < textTokens; ++token)
      for (const auto& part : parts) {
        Intervention at = *part;
        at.index[0] = token;
        leaveOut(turns.live, whole, {}, at, of);
      }
  });
  INFO("in whole passes: all " << all << ", first " << first << ", gain " << gain << ", by token "
                               << byToken);
  // What comes before a part is not computed again, neither blocks nor tokens: a part takes less than a pass,
  // and at one token less than four fifths of one.
  CHECK(all < static_cast<double>(parts.size()));
  CHECK(byToken < 0.8 * static_cast<double>(textTokens) * static_cast<double>(parts.size()));
  // The first answer waits for one pass backward, which promises most; a gain for the blocks behind it.
  CHECK(first < 12);
  CHECK(gain < 2);
}
