#include "core/train/tasks/stories_training.h"

#include <cstdio>

namespace glassformer {
namespace {

Parameters freshParameters(const StoriesRecipe& recipe, const ModelConfig& config) {
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, recipe.scale, recipe.seed);
  return parameters;
}

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

}  // namespace

ModelConfig StoriesRecipe::model(int vocabularySize) const {
  ModelConfig config;  // 4 layers, 4 heads, D 128, F 512
  config.vocabulary = vocabularySize;
  config.context = positions;
  config.tiedUnembedding = false;  // large embeddings would make the first logits large as well
  return config;
}

TrainingOptions StoriesRecipe::training() const {
  TrainingOptions options{.sequences = sequences, .positions = positions, .shards = 2};
  options.schedule = {ScheduleKind::Cosine, learningRate, warmup, steps, 0.02f};
  options.seed = seed;
  return options;
}

std::map<std::string, std::string> StoriesRecipe::description() const {
  return {{"task", "stories"},
          {"seed", std::to_string(seed)},
          {"steps", std::to_string(steps)},
          {"vocabulary", std::to_string(vocabulary)},
          {"batch", std::to_string(sequences) + "x" + std::to_string(positions)},
          {"learning_rate", format("%g", static_cast<double>(learningRate))},
          {"warmup", std::to_string(warmup)}};
}

StoriesTraining::StoriesTraining(const StoriesRecipe& recipe, int threads)
    : recipe_(recipe),
      tokenizer_(trainStoriesTokenizer(recipe.seed, recipe.vocabulary)),
      batches_(tokenizer_, recipe.seed, recipe.sequences, recipe.positions),
      trainer_(recipe.model(tokenizer_.vocabularySize()),
               freshParameters(recipe, recipe.model(tokenizer_.vocabularySize())), recipe.training(),
               threads) {}

StoriesMetrics StoriesTraining::evaluate(const EvaluationSize& size, int threads) const {
  const Transformer& model = trainer_.model();
  return evaluateStories(std::make_shared<const Transformer>(model.config(), model.parameters()), tokenizer_,
                         size, recipe_.seed + 1000, threads);
}

std::string storiesCard(const StoriesRecipe& recipe, const ModelConfig& config, std::int64_t parameters,
                        const StoriesMetrics& metrics, const std::string& machine, double minutes) {
  std::string card = "# stories\n\n";
  card += format(
      "A decoder-only transformer of %lld parameters that tells short stories: %d layers, %d heads, width "
      "%d, "
      "feed-forward width %d, vocabulary %d (byte-level BPE), context %d, learned positions, GELU, pre-norm, "
      "untied unembedding.\n\n",
      static_cast<long long>(parameters), config.layers, config.heads, config.width, config.feedForward,
      config.vocabulary, config.context);
  card +=
      "## Data\n\nStories written by Glassformer's own grammar (`core/train/tasks/stories.h`), endlessly "
      "many and seeded; "
      "a tenth of the combinations of words (animal, obstacle and adjective; giver, thing and receiver; ...) "
      "never "
      "appears in training and is what the numbers below are measured on. One sequence in eight is an echo: "
      "random "
      "words of the corpus said again and again.\n\n";
  card += format(
      "## Recipe\n\n`glassformer train stories --seed %llu --steps %d`: AdamW (0.9, 0.98), weight decay "
      "0.01, "
      "clipping at 1, batches of %d x %d tokens, learning rate %g after %d steps of warm-up, then half a "
      "cosine; "
      "embeddings start at deviation %g, positions as sinusoids of that size. %.1f minutes on %s.\n\n",
      static_cast<unsigned long long>(recipe.seed), recipe.steps, recipe.sequences, recipe.positions,
      static_cast<double>(recipe.learningRate), recipe.warmup, static_cast<double>(recipe.scale.embedding),
      minutes, machine.c_str());
  card += format(
      "## Measured on %d held-out stories\n\n| | |\n|---|---|\n| next-token loss | %.4f nats |\n"
      "| the generator's own entropy | %.4f nats |\n| difference | %.4f nats |\n",
      metrics.stories, metrics.loss, metrics.entropy, metrics.excess());
  for (const auto& [kind, answers] : metrics.answers)
    card += format("| %s | %d of %d right |\n", describe(kind), answers.right, answers.asked);
  const auto head = [&](const char* what, const HeadScore& h, const char* unit) {
    card += format("| layer %d head %d | %s: %.3f%s |\n", h.layer, h.head, what, h.score, unit);
  };
  card += "\n## Heads\n\nLayers and heads count from 0.\n\n| head | what it does |\n|---|---|\n";
  head(
      "at the answer to \"What was too ...?\" looks more at the right noun than at the other, share of "
      "questions",
      metrics.rightNoun,
      format("; mean attention to the right noun %.3f", metrics.rightNounAttention).c_str());
  head("attends to the previous token, mean attention on repeated random words", metrics.previousToken, "");
  head("induction: attends to what followed last time, mean attention on repeated random words",
       metrics.induction, "");
  return card;
}

}  // namespace glassformer
