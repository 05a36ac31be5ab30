#include "app/document/model_changes.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/comparison_commands.h"
#include "app/document/history.h"
#include "app/document/model_commands.h"
#include "app/document/workspace_json.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a change back to what was loaded is none") {
  const ModelConfig loaded;
  ModelChanges changes = withChange({}, loaded, "norm", "rms");
  CHECK(changes == ModelChanges{{"norm", "rms"}});
  changes = withChange(changes, loaded, "mask", "window");
  CHECK(changes.size() == 2);
  CHECK(changedConfig(loaded, changes)->norm == NormKind::Rms);
  CHECK(changedConfig(loaded, changes)->mask.kind == MaskKind::Window);
  changes = withChange(changes, loaded, "norm", "layer");
  CHECK(changes == ModelChanges{{"mask", "window"}});
}

TEST_CASE("weights are trained or random from a seed") {
  const ModelConfig loaded;
  CHECK(weightsOf({}) == trainedWeights);
  CHECK_FALSE(randomWeights({}));
  const ModelChanges random = withChange({}, loaded, weightsField, "random 7");
  CHECK(randomWeights(random) == 7);
  CHECK(randomWeights({{weightsField, "random"}}) == 1);
  CHECK(*changedConfig(loaded, random) == loaded);
  CHECK(withChange(random, loaded, weightsField, trainedWeights).empty());
}

TEST_CASE("a single weight is a field of its own, typed over and taken back") {
  const ModelConfig loaded;
  const WeightCell cell{"h.0.attn.c_attn.weight", {3, 17}};
  CHECK(cell.field() == "h.0.attn.c_attn.weight[3, 17]");
  REQUIRE(weightAt(cell.field()));
  CHECK(weightAt(cell.field())->tensor == cell.tensor);
  CHECK(weightAt(cell.field())->index == cell.index);
  CHECK(weightAt("ln_f.bias[4]")->index == std::vector{4});
  for (const char* other : {"n_head", "[3]", "wte.weight[]", "wte.weight[-1]", "wte.weight[3",
                            "wte.weight[3,]", "wte.weight[3 4]", "wte.weight[99999999999]", ""})
    CHECK_FALSE(weightAt(other));
  ModelChanges changes = withChange({}, loaded, cell.field(), "0.25");
  CHECK(typedWeight(changes, cell.field()) == 0.25f);
  CHECK(*changedConfig(loaded, changes) == loaded);
  CHECK(changesInWords(changes, loaded, loaded) == "h.0.attn.c_attn.weight[3, 17] = 0.25");
  changes = withChange(changes, loaded, "ln_f.bias[4]", "-1");
  CHECK(changesInWords(changes, loaded, loaded) == "2 weights typed over");
  changes = withChange(changes, loaded, cell.field(), "");
  CHECK_FALSE(typedWeight(changes, cell.field()));
  CHECK(changes.size() == 1);
  for (const char* value : {"nan", "inf", "one", "1e99", "0.5 "})
    CHECK_FALSE(changedConfig(loaded, {{"ln_f.bias[4]", value}}));
}

TEST_CASE("impossible changes are refused with the field's name") {
  const ModelConfig loaded;  // D 128, H 4, V 1024
  const auto refusal = [&](const char* field, const char* value) {
    const auto config = changedConfig(loaded, {{field, value}});
    return config ? "accepted" : config.error().message();
  };
  CHECK_THAT(refusal("n_head", "5"), ContainsSubstring("n_embd 128 is not divisible by n_head 5"));
  CHECK_THAT(refusal("n_layer", "0"), ContainsSubstring("n_layer"));
  CHECK_THAT(refusal("n_positions", "0"), ContainsSubstring("n_positions"));
  CHECK_THAT(refusal("n_head_kv", "3"), ContainsSubstring("n_head_kv"));
  CHECK_THAT(refusal("vocab_size", "1000"), ContainsSubstring("vocab_size"));
  CHECK_THAT(refusal("norm", "batch"), ContainsSubstring("known are layer, rms"));
  CHECK_THAT(refusal("colour", "blue"), ContainsSubstring("no such field"));
  CHECK_THAT(refusal("weights", "wild"), ContainsSubstring("neither \"trained\" nor \"random\""));
  CHECK_THAT(refusal("weights", "random -1"), ContainsSubstring("weights"));
  CHECK_THAT(refusal("n_layer", "many"), ContainsSubstring("is not a whole number"));
}

TEST_CASE("values to try hold what is now, and divide where they must") {
  const ModelConfig config;
  for (const ConfigNumber& number : configNumbers()) {
    const auto values = valuesToTry(number, config);
    INFO(number.id);
    CHECK(std::ranges::find(values, valueOf(number, config)) != values.end());
    if (number.id != "n_head" && number.id != "n_head_kv") continue;
    for (const std::string& value : values) CHECK(changedConfig(config, {{number.id, value}}));
  }
}

TEST_CASE("changes are undone, kept by the session, and end with another model") {
  History history(initialWorkspace());
  history.apply(commands::setModelChanges({{"norm", "rms"}}), 0);
  history.apply(commands::compareWith(Comparison::asLoaded), 1);
  CHECK(comparables(history.current()) == std::vector<Compared>{Comparison::asLoaded});
  const auto read = workspaceFromJson(toJson(history.current()));
  REQUIRE(read);
  CHECK(read->changes == ModelChanges{{"norm", "rms"}});
  CHECK(read->comparison.with == Comparison::asLoaded);
  history.undo();
  CHECK(history.current().changes.empty());
  CHECK_FALSE(history.current().comparison.isOn());
  history.redo();
  history.apply(commands::setModel("another"), 2);
  CHECK(history.current().changes.empty());
}
