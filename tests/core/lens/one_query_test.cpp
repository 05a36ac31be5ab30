#include "core/lens/one_query.h"

#include <catch2/catch_approx.hpp>
#include <numeric>

#include "core/lens/attention_stages.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

constexpr int asked = 5;

// The row of one query in every attention of a member's second block.
template <typename Check>
void forEachRow(Check check) {
  forEachMember([&](const ModelConfig& config) {
    if (!config.hasAttention()) return;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(9, 1), {}, randomTokens(config.isEncoderDecoder() ? 6 : 0, 2));
    std::vector<AttentionSite> sites{AttentionSite::Self};
    if (config.isEncoderDecoder())
      sites = {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Cross};
    for (const AttentionSite site : sites) {
      const HeadId head{1, 2, site};
      TensorSet set;
      measureAttentionStages(*model, *trace, head, set);
      measureOneQuery(*model, *trace, head, asked, {asked}, set);
      check(*model, *trace, head, set);
    }
  });
}

}  // namespace

TEST_CASE("weighted values of one query come to its z, and so do those of some keys and the rest") {
  int rows = 0;
  forEachRow([&](const Transformer& model, const Trace& trace, HeadId head, const TensorSet& set) {
    const auto of = [&](const char* name) { return set[stageTensor(name, head)]; };
    const TensorView weights = trace[attentionPoint(1, head.site, "hook_pattern")][head.head][asked],
                     z = trace[attentionPoint(1, head.site, "hook_z")][asked][head.head],
                     weighted = of(oneQuery::weighted), order = of(oneQuery::order);
    CHECK(of(oneQuery::query)(0) == asked);
    CHECK(order(0) == asked);
    const int S = weights.extent[0];
    for (int count = 0; count < S; ++count) {
      float sum = of(oneQuery::restOfWeights)(count), all = 0;
      for (int i = 0; i < count; ++i) sum += weights(static_cast<int>(order(i)));
      for (int s = 0; s < S; ++s) all += weights(s);
      CHECK(sum == Approx(all).epsilon(1e-5).margin(1e-6));
    }
    for (int k = 0; k < z.extent[0]; ++k) {
      CHECK(of(oneQuery::restOfValues)(0, k) == Approx(z(k)).epsilon(1e-4).margin(1e-5));
      const auto last = static_cast<int>(order(S - 1));
      CHECK(of(oneQuery::restOfValues)(S - 1, k) == weighted(last, k));
    }
    CHECK(set.contains(stageTensor(oneQuery::restOfExponentials, head)) == hasSoftmax(model.config()));
    ++rows;
  });
  CHECK(rows > 20);
}

TEST_CASE("what heads write together is what their attention makes, but for its bias") {
  forEachRow([&](const Transformer& model, const Trace& trace, HeadId head, const TensorSet& set) {
    const ModelConfig& config = model.config();
    CHECK(set.contains(stageTensor(oneQuery::output, head)) == !config.headsOutputFullWidth());
    if (config.headsOutputFullWidth()) return;
    TensorSet all;
    for (int h = 0; h < config.heads; ++h) measureOneQuery(model, trace, {1, h, head.site}, asked, {}, all);
    const std::string raw = attentionPoint(1, head.site, "hook_out");
    const TensorView made = trace[config.hasSandwichNorm() ? raw : attentionOutPoint(1, head.site)];
    const std::string weights = attentionWeights(1, head.site) + "c_proj.bias";
    for (int d = 0; d < config.width; ++d) {
      double sum = config.biases == Biases::All ? model.parameters()[weights](d) : 0;
      for (int h = 0; h < config.heads; ++h) sum += all[stageTensor(oneQuery::output, {1, h, head.site})](d);
      CHECK(made(asked, d) == Approx(sum).epsilon(1e-4).margin(1e-5));
    }
  });
}

TEST_CASE("every number of one query's row is what its derivation gives") {
  forEachRow([&](const Transformer&, const Trace&, HeadId head, const TensorSet& set) {
    for (const char* name : {oneQuery::weighted, oneQuery::restOfWeights, oneQuery::restOfValues,
                             oneQuery::restOfExponentials, oneQuery::output}) {
      const int i = set.find(stageTensor(name, head));
      if (i < 0) continue;
      INFO(set.point(i).name);
      set.tensor(i).forEach([&](const std::array<int, maxRank>& index, float value) {
        CHECK(set.derive(set.point(i).name, index)->value() == Approx(value).epsilon(1e-4).margin(1e-5));
      });
    }
  });
}

TEST_CASE("keys stand in the order of their weights behind those that come first") {
  const Tensor weights({5}, {0.1f, 0.4f, 0.1f, 0.4f, 0});
  CHECK(keysInOrder(weights.view(), {}) == std::vector{1, 3, 0, 2, 4});
  CHECK(keysInOrder(weights.view(), {4, -1, 2, 4, 9}) == std::vector{4, 2, 1, 3, 0});
}
