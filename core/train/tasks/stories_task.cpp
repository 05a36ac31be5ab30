#include "core/train/tasks/stories_task.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/train/tasks/stories.h"
#include "core/train/tasks/stories_batches.h"
#include "core/train/tasks/stories_evaluation.h"
#include "core/train/tasks/story_drills.h"

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
  for (const auto& [kind, reading] : metrics.reading)
    head(format("reads the answer to \"%s\": looks more at what says it than at what says another, share of "
                "questions",
                describe(kind))
             .c_str(),
         reading, format("; mean attention to it %.3f", reading.attention).c_str());
  head("attends to the previous token, mean attention on repeated random words", metrics.previousToken, "");
  head("induction: attends to what followed last time, mean attention on repeated random words",
       metrics.induction, "");
  return text;
}

const QuestionKinds drilled{QuestionKind::WhoGave, QuestionKind::WhatGift,     QuestionKind::WhatColour,
                            QuestionKind::WhoHid,  QuestionKind::WhatWasThere, QuestionKind::WhoDid};

const QuestionKinds noDrills;

// What is shown up to a step, by turns, and the highest rate: drills in these kinds of question, or stories
// where there are none.
struct Lesson {
  int last;
  float peak;
  std::vector<QuestionKinds> turns;
};

// The curriculum (Bengio et al. 2009). Whoever gave a kite, and its colour, stand before the kite: having
// read stories alone for 6500 steps a model answers such questions at chance, and drilled in all of them at
// once it still does 2000 steps later. Drilled in one of them first it learns it in about a thousand steps,
// and most others in a few hundred; in the end it reads stories again, and is drilled in between. At a rate
// above 1e-3 the first drills undo what stories have taught before they use it.
const QuestionKinds colours{QuestionKind::WhatColour}, gifts{QuestionKind::WhatGift},
    things{QuestionKind::WhatGift, QuestionKind::WhatWasThere};
const std::vector<Lesson> curriculum{
    {6500, 3e-3f, {noDrills}},
    {7750, 1e-3f, {colours, gifts, colours, colours}},
    {9250, 1e-3f, {drilled}},
    {10750, 1e-3f, {things, things, things, drilled}},
    {12500, 1.5e-3f, {gifts, gifts, gifts, drilled}},
    {16000, 2e-3f, {drilled, noDrills}},
};

const QuestionKinds& drillsAt(int step) {
  const auto lesson =
      std::ranges::lower_bound(curriculum, std::min(step, curriculum.back().last), {}, &Lesson::last);
  return lesson->turns[static_cast<std::size_t>(step) % lesson->turns.size()];
}

class StoriesTask final : public TrainingTask {
 public:
  StoriesTask(std::uint64_t seed, int steps)
      : TrainingTask(storiesRecipe(seed, steps), trainStoriesTokenizer(seed, 1024)),
        batches_(tokenizer(), seed, recipe().options.positions),
        drills_(tokenizer(), seed, recipe().options.positions),
        heldOut_(tokenizer(), heldOutSeed(seed), recipe().options.positions, 8, Split::HeldOut) {}

  Batch batch(int step, int sequences) const override {
    const QuestionKinds& kinds = drillsAt(step);
    return kinds.empty() ? batches_.batch(step, sequences) : drills_.batch(step, sequences, kinds);
  }
  Batch heldOut(int number, int sequences) const override { return heldOut_.batch(number, sequences); }
  std::vector<Example> examples(int count) const override {
    std::vector<Example> examples;
    StoryGenerator generator(heldOutSeed(recipe().seed), Split::HeldOut);
    while (static_cast<int>(examples.size()) < count) {
      const Story story = generator.next();
      const auto room = static_cast<std::size_t>(recipe().config.context);
      for (const StoryQuestion& question : story.questions)
        if (static_cast<int>(examples.size()) < count &&
            tokenizer().encode(question.prompt + question.answer).size() <= room)
          examples.push_back({"", question.prompt, question.answer});
    }
    return examples;
  }
  std::string purpose() const override {
    return "Tells short stories and answers questions about them.\n\n## Data\n\nStories written by "
           "Glassformer's own grammar (`core/train/tasks/stories.h`), generated from a seed; a tenth of the "
           "combinations of words (animal, obstacle and adjective; giver, thing and receiver; ...) is held "
           "out from training; the numbers below are measured on these. One sequence in eight is an echo: "
           "random words of the corpus, repeated. After step " +
           std::to_string(curriculum.front().last) +
           " come drills: stories up to their last answer, with the loss of the answers alone. They begin "
           "with one kind of question, then more, then every other step. At *it* the model cannot know the "
           "noun: the reason comes later, and this model reads from left to right. `translate`'s encoder "
           "sees both.\n";
  }

 private:
  std::string measured(std::shared_ptr<const Transformer> model, int threads,
                       const ProgressCallback& watch) const override {
    const bool attends = model->config().hasAttention();
    const StoriesMetrics metrics =
        evaluateStories(std::move(model), tokenizer(), {}, recipe().seed + 1000, threads, watch);
    return tableOf(metrics) + (attends ? headsOf(metrics) : "");
  }

  StoriesBatches batches_;
  StoryDrills drills_;
  StoriesBatches heldOut_;
};

}  // namespace

Recipe storiesRecipe(std::uint64_t seed, int steps) {
  Recipe recipe{.task = "stories",
                .seed = seed,
                .steps = steps > 0 ? steps : curriculum.back().last};  // 4 layers, 4 heads, D 128, F 512
  recipe.config.tiedUnembedding = false;  // large embeddings would make the first logits large as well
  // Embeddings and positions start large, and positions as sinusoids: with GPT-2's 0.02 attention stays
  // uniform for thousands of steps.
  recipe.scale = {.embedding = 0.3f, .position = 0.3f, .sinusoidalStart = true};
  recipe.options = {.sequences = 16, .positions = 128, .shards = 2};
  recipe.options.schedule = {ScheduleKind::Cosine, curriculum.front().peak, 200, recipe.steps, 0.02f};
  float peak = curriculum.front().peak;
  int last = 0;
  for (const Lesson& lesson : curriculum) {
    if (lesson.peak != peak && recipe.steps > last)
      recipe.options.schedule.later.push_back({last, lesson.peak});
    peak = lesson.peak;
    last = lesson.last;
  }
  // Drills find more to build on in heads that were learned without momentum: with it from the start "What
  // was there?" is answered in 39 of 43 held-out questions in the end, and the induction head looks at 0.69.
  if (const int stories = curriculum.front().last; recipe.steps > stories)
    recipe.options.beta1FromStep = stories;
  recipe.options.seed = seed;
  return recipe;
}

std::shared_ptr<const TrainingTask> storiesTask(std::uint64_t seed, int steps) {
  return std::make_shared<const StoriesTask>(seed, steps);
}

}  // namespace glassformer
