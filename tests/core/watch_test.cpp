// Every long measurement says how far it is, part by part to the end, and leaves nothing behind once it is
// stopped.
#include "core/watch.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/lens/attention_plane.h"
#include "core/lens/contributions.h"
#include "core/lens/lens_grid.h"
#include "core/lens/next_tokens.h"
#include "core/lens/residual_cosines.h"
#include "core/lens/token_probability.h"
#include "core/model/initialization.h"
#include "core/model/live_pass.h"

using namespace glassformer;

namespace {

struct Fixture {
  ModelConfig config{
      .layers = 2, .heads = 2, .width = 16, .feedForward = 32, .vocabulary = 30, .context = 16};
  std::shared_ptr<const Transformer> model;
  std::shared_ptr<const Trace> trace;

  Fixture() {
    Parameters parameters(parameterSpecs(config));
    initialize(config, parameters, {}, 5);
    model = std::make_shared<const Transformer>(config, std::move(parameters));
    trace = LivePass(model).run(std::vector{3, 1, 4, 1, 5, 9});
  }
};

struct Measurement {
  const char* name;
  void (*measure)(const Fixture&, TensorSet&, const ProgressCallback&);
};

constexpr Measurement all[] = {
    {"surprise", [](const Fixture& f, TensorSet& set,
                    const ProgressCallback& watch) { measureNextTokens(*f.trace, set, watch); }},
    {"lens grid", [](const Fixture& f, TensorSet& set,
                     const ProgressCallback& watch) { measureLensGrid(*f.model, *f.trace, set, watch); }},
    {"token probability",
     [](const Fixture& f, TensorSet& set, const ProgressCallback& watch) {
       measureTokenProbability(*f.trace, set, watch);
     }},
    {"cosines",
     [](const Fixture& f, TensorSet& set, const ProgressCallback& watch) {
       measureResidualCosines(*f.model, *f.trace, set, Stream::Text, watch);
     }},
    {"contributions",
     [](const Fixture& f, TensorSet& set, const ProgressCallback& watch) {
       measureContributions(*f.model, *f.trace, set, watch);
     }},
    {"logit attribution",
     [](const Fixture& f, TensorSet& set, const ProgressCallback& watch) {
       measureLogitAttribution(*f.model, *f.trace, 7, set, watch);
     }},
    {"average of moved",
     [](const Fixture& f, TensorSet& set, const ProgressCallback& watch) {
       const AttentionPlane plane{.quantity = AttentionQuantity::ValueWeighted,
                                  .fold = HeadFold::Average,
                                  .heads = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}};
       measureAttention(*f.model, *f.trace, plane, set, watch);
     }},
};

}  // namespace

TEST_CASE("long measurements count their parts up to the last") {
  const Fixture f;
  for (const Measurement& m : all) {
    INFO(m.name);
    TensorSet set;
    int last = -1, parts = 0;
    m.measure(f, set, [&](int done, int total) {
      CHECK(done > last);
      last = done, parts = total;
      return true;
    });
    CHECK(parts >= 4);
    CHECK(last == parts);
    CHECK(set.count() > 0);
  }
}

TEST_CASE("a stopped measurement goes no part further and adds nothing") {
  const Fixture f;
  for (const Measurement& m : all)
    for (const int stopAt : {1, 3}) {
      INFO(m.name << " at the " << stopAt << ". part");
      TensorSet set;
      int asked = 0;
      m.measure(f, set, [&](int, int) { return ++asked < stopAt; });
      CHECK(asked == stopAt);
      CHECK(set.count() == 0);
    }
}

TEST_CASE("parts of a whole are counted as far as they reach") {
  int reached = -1, of = -1;
  const ProgressCallback whole = [&](int done, int total) { return reached = done, of = total, true; };
  partOf(whole, 1, 4)(5, 10);
  CHECK(reached * 8 == of * 3);
  partOf(whole, 1, 4, 2)(10, 10);
  CHECK(reached * 4 == of * 3);
}
