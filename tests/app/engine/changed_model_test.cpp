#include "app/engine/changed_model.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/app/engine/latest_for.h"
#include "tests/small_model.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a weight that is typed over is the only one that changes, also where choices change besides") {
  const auto loaded = makeSmallModel("small").transformer;
  const ModelChanges typed{{"h.1.mlp.c_fc.weight[2, 5]", "0.75"}, {"ln_f.bias[3]", "-2"}};
  const auto changed = changedModel(loaded, typed);
  REQUIRE(changed);
  const Parameters &before = loaded->parameters(), &after = changed->transformer->parameters();
  int different = 0;
  for (int i = 0; i < before.count(); ++i) {
    const TensorView a = before.view(i), b = after.view(i);
    for (std::int64_t n = 0; n < a.size(); ++n) different += a.data[n] != b.data[n];
  }
  CHECK(different == 2);
  CHECK(after["h.1.mlp.c_fc.weight"](2, 5) == 0.75f);
  CHECK(after["ln_f.bias"](3) == -2);
  CHECK(changed->freshWeights.empty());
  ModelChanges more = typed;
  more.push_back({"activation_function", "relu"});
  const auto both = changedModel(loaded, more);
  REQUIRE(both);
  CHECK(both->transformer->config().activation == Activation::Relu);
  CHECK(both->transformer->parameters()["h.1.mlp.c_fc.weight"](2, 5) == 0.75f);
}

TEST_CASE("a weight that the model does not have is refused by its name") {
  const auto refusal = [](const char* field) {
    const auto changed = changedModel(makeSmallModel("small").transformer, {{field, "1"}});
    return changed ? "accepted" : changed.error().message();
  };
  CHECK_THAT(refusal("h.9.attn.c_attn.weight[0, 0]"), ContainsSubstring("h.9.attn.c_attn.weight[0, 0]"));
  CHECK_THAT(refusal("h.0.attn.c_attn.weight[0]"), ContainsSubstring("lies outside of"));
  CHECK_THAT(refusal("h.0.attn.c_attn.weight[0, 100000]"), ContainsSubstring("lies outside of"));
  CHECK_THAT(refusal("ln_f.bias[1, 1]"), ContainsSubstring("lies outside of"));
}

TEST_CASE(
    "changed to another kind, a model is compared with the one that was loaded, each with what it reads") {
  Workspace w = initialWorkspace();
  w.comparison.with = Comparison::asLoaded;
  w.source = "The dog sleeps.";
  w.changes = {{"stack", "encoder_decoder"}};
  const auto reads = latestFor(w);
  REQUIRE(reads->other);
  CHECK(reads->standing.error == "");
  CHECK(reads->pass->trace->source().size() > 0);
  CHECK(reads->other->pass->trace->source().empty());
  CHECK(reads->pass->tokens.size() == reads->other->pass->tokens.size() + 1);  // behind a start sign
  w.model = "translate", w.text = "Der Hund";
  w.changes = {{"stack", "decoder_only"}};
  const auto reread = latestFor(w);
  REQUIRE(reread->other);
  CHECK(reread->pass->trace->source().empty());
  REQUIRE(reread->other->pass->trace);
  CHECK(reread->other->pass->trace->source().size() > 0);
}
