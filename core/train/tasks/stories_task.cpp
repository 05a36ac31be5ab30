#include "core/train/tasks/stories_task.h"

#include <cstdio>

#include "core/train/tasks/stories.h"
#include "core/train/tasks/stories_batches.h"
#include "core/train/tasks/stories_evaluation.h"

namespace glassformer {
namespace {

template <typename... Values>
std::string format(const char* pattern, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

const char* describe(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::WhatWasToo:
      return "What was too tired / too wide?";
    case QuestionKind::WhoGave:
      return "Who gave it?";
    case QuestionKind::WhatGift:
      return "What was given?";
    case QuestionKind::WhatColour:
      return "What colour was it?";
    case QuestionKind::WhoHas:
      return "Who has it now?";
    case QuestionKind::WhoHid:
      return "Who hid it?";
    case QuestionKind::WhatWasThere:
      return "What was there?";
    case QuestionKind::WhoDid:
      return "Who did it?";
  }
  return "";
}

std::string tableOf(const StoriesMetrics& metrics) {
  std::string text = format(
      "## Measured on %d held-out stories\n\n| | |\n|---|---|\n| next-token loss | %.4f nats |\n"
      "| the generator's own entropy | %.4f nats |\n| difference | %.4f nats |\n",
      metrics.stories, metrics.loss, metrics.entropy, metrics.excess());
  for (const auto& [kind, answers] : metrics.answers)
    text += format("| %s | %d of %d right |\n", describe(kind), answers.right, answers.asked);
  return text;
}

std::string headsOf(const StoriesMetrics& metrics) {
  std::string text = "\n## Heads\n\nLayers and heads count from 0.\n\n| head | what it does |\n|---|---|\n";
  const auto head = [&](const char* what, const HeadScore& h, const char* unit) {
    text += format("| layer %d head %d | %s: %.3f%s |\n", h.layer, h.head, what, h.score, unit);
  };
  head(
      "at the answer to \"What was too ...?\" looks more at the right noun than at the other, share of "
      "questions",
      metrics.rightNoun,
      format("; mean attention to the right noun %.3f", metrics.rightNounAttention).c_str());
  head("attends to the previous token, mean attention on repeated random words", metrics.previousToken, "");
  head("induction: attends to what followed last time, mean attention on repeated random words",
       metrics.induction, "");
  return text;
}

class StoriesTask final : public TrainingTask {
 public:
  StoriesTask(std::uint64_t seed, int steps)
      : TrainingTask(storiesRecipe(seed, steps), trainStoriesTokenizer(seed, 1024)),
        batches_(tokenizer(), seed, recipe().options.positions),
        heldOut_(tokenizer(), heldOutSeed(seed), recipe().options.positions, 8, Split::HeldOut) {}

  Batch batch(int step, int sequences) const override { return batches_.batch(step, sequences); }
  Batch heldOut(int number, int sequences) const override { return heldOut_.batch(number, sequences); }
  std::vector<Example> examples(int count) const override {
    std::vector<Example> examples;
    StoryGenerator generator(heldOutSeed(recipe().seed), Split::HeldOut);
    while (static_cast<int>(examples.size()) < count) {
      const Story story = generator.next();
      const auto room = static_cast<std::size_t>(recipe().config.context);
      for (const Question& question : story.questions)
        if (static_cast<int>(examples.size()) < count &&
            tokenizer().encode(question.prompt + question.answer).size() <= room)
          examples.push_back({"", question.prompt, question.answer});
    }
    return examples;
  }
  std::string purpose() const override {
    return "Tells short stories and answers questions about them.\n\n## Data\n\n"
           "Stories written by Glassformer's own grammar (`core/train/tasks/stories.h`), endlessly many and "
           "seeded; a tenth of the combinations of words (animal, obstacle and adjective; giver, thing and "
           "receiver; ...) never appears in training and is what the numbers below are measured on. One "
           "sequence in eight is an echo: random words of the corpus said again and again.\n";
  }

 private:
  std::string measured(std::shared_ptr<const Transformer> model, int threads,
                       const Watch& watch) const override {
    const bool attends = model->config().attends();
    const StoriesMetrics metrics =
        evaluateStories(std::move(model), tokenizer(), {}, recipe().seed + 1000, threads, watch);
    return tableOf(metrics) + (attends ? headsOf(metrics) : "");
  }

  StoriesBatches batches_, heldOut_;
};

}  // namespace

Recipe storiesRecipe(std::uint64_t seed, int steps) {
  Recipe recipe{
      .task = "stories", .seed = seed, .steps = steps > 0 ? steps : 6500};  // 4 layers, 4 heads, D 128, F 512
  recipe.config.tiedUnembedding = false;  // large embeddings would make the first logits large as well
  // Embeddings and positions start large, and positions as sinusoids: with GPT-2's 0.02 attention stays
  // uniform for thousands of steps.
  recipe.scale = {.embedding = 0.3f, .position = 0.3f, .sinusoidalStart = true};
  recipe.options = {.sequences = 16, .positions = 128, .shards = 2};
  recipe.options.schedule = {ScheduleKind::Cosine, 3e-3f, 200, recipe.steps, 0.02f};
  recipe.options.seed = seed;
  return recipe;
}

std::shared_ptr<const TrainingTask> storiesTask(std::uint64_t seed, int steps) {
  return std::make_shared<const StoriesTask>(seed, steps);
}

}  // namespace glassformer
