#include "core/train/training_task.h"

#include <catch2/catch_test_macros.hpp>

#include "core/model/choices.h"
#include "core/text/byte_pair_training.h"

using namespace glassformer;

namespace {

// Says the same few words again and again.
class Chorus final : public TrainingTask {
 public:
  Chorus()
      : TrainingTask(recipeOf(), trainBytePairEncoding("one two three one two three", 300, {{"<|end|>"}})) {}
  Batch batch(int step, int sequences) const override {
    Batch batch;
    for (int i = 0; i < sequences * 8; ++i) {
      batch.tokens.push_back((i + step) % 5);
      batch.targets.push_back((i + step + 1) % 5);
    }
    return batch;
  }
  Batch heldOut(int number, int sequences) const override { return batch(number, sequences); }
  std::vector<Example> examples(int) const override { return {}; }
  std::string purpose() const override { return "Counts to five."; }
  std::string measured(std::shared_ptr<const Transformer>, int, const ProgressCallback&) const override {
    return "";
  }

 private:
  static Recipe recipeOf() {
    Recipe recipe{.task = "chorus", .steps = 40};
    recipe.config = {.layers = 1, .heads = 2, .width = 16, .feedForward = 32, .vocabulary = 1, .context = 12};
    recipe.options = {.sequences = 2, .positions = 8, .shards = 2};
    recipe.options.schedule = {ScheduleKind::Cosine, 1e-2f, 5, 40, 0.1f};
    return recipe;
  }
};

ModelConfig with(ModelConfig config, std::vector<std::pair<std::string, std::string>> fields) {
  for (const auto& [id, value] : fields) REQUIRE(setField(config, id, value));
  return config;
}

}  // namespace

TEST_CASE("a task trains what stands in attention's place with everything else alike") {
  const auto task = std::make_shared<const Chorus>();
  for (const char* mixing : {"attention", "recurrence", "convolution"}) {
    const auto recipe = recipeFor(*task, with(task->recipe().config, {{"mixing", mixing}}));
    REQUIRE(recipe);
    CHECK(recipe->choices == (std::string(mixing) == "attention" ? "" : std::string("mixing=") + mixing));
    CHECK(recipe->description().at("choices") == recipe->choices);
    CHECK(recipe->options.schedule.peak == task->recipe().options.schedule.peak);
    TrainingRun run(task, *recipe, 1);
    const double first = run.advance().loss;
    double last = first;
    while (!run.finished()) last = run.advance().loss;
    INFO(mixing << " from " << first << " to " << last);
    CHECK(last < 0.3 * first);
    const std::string card = run.card("a machine", 1);
    CHECK((card.find("glassformer train chorus --set mixing=") != std::string::npos) ==
          (std::string(mixing) != "attention"));
    CHECK((card.find("2 heads") != std::string::npos) == (std::string(mixing) == "attention"));
  }
}

TEST_CASE("the choices of a run are told as they are set, one behind the other") {
  const Chorus task;
  const ModelConfig& usual = task.recipe().config;
  CHECK(recipeFor(task, usual)->choices == "");
  const auto recipe =
      recipeFor(task, with(usual, {{"n_layer", "2"}, {"kernel_width", "5"}, {"mixing", "convolution"}}));
  CHECK(recipe->choices == "mixing=convolution n_layer=2 kernel_width=5");
  CHECK(changedFields(usual, with(usual, {{"layer_norm_epsilon", "0.001"}, {"residual", "no"}})) ==
        "residual=no layer_norm_epsilon=0.001");
}

TEST_CASE("a model that does not fit the task's data is refused with the field's name") {
  const Chorus task;
  const auto refused = [&](const ModelConfig& config, const std::string& field) {
    const auto recipe = recipeFor(task, config);
    REQUIRE_FALSE(recipe);
    CHECK(recipe.error().message().find(field) != std::string::npos);
  };
  const ModelConfig& usual = task.recipe().config;
  refused(with(usual, {{"stack", "encoder_decoder"}}), "stack");
  refused(with(usual, {{"n_positions", "7"}}), "n_positions");
  refused(with(usual, {{"vocab_size", "20"}}), "vocab_size");
  refused(with(usual, {{"n_head", "3"}}), "n_head");
  refused(with(usual, {{"mixing", "recurrence"}, {"mask", "none"}}), "mask");
}
