#include "core/train/tasks/translation/translation_task.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/model/positional/sinusoidal.h"
#include "core/train/tasks/translation/translation_batches.h"
#include "core/train/tasks/translation/translation_evaluation.h"
#include "core/train/tasks/translation/translator.h"

namespace glassformer {
namespace {

constexpr int sentences = 1000, hearsay = 100, aligned = 300, references = 500;  // held out, measured on

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

std::string row(const std::string& what, const std::string& value) {
  return "| " + what + " | " + value + " |\n";
}

// What a trained model does on held-out sentences.
class Examination {
 public:
  Examination(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer, std::uint64_t seed,
              int threads, const ProgressCallback& watch)
      : tokenizer_(tokenizer),
        seed_(seed),
        watch_(watch),
        translator_(std::move(model), tokenizer, threads) {}

  std::string results() {
    const auto pairs = heldOutPairs(seed_, sentences),
               rumours = heldOutPairs(seed_ + 1, hearsay, SentenceKind::Hearsay);
    const auto greedily = [this](std::span<const int> source) { return translator_.translate(source, 1); };
    const auto withBeam = [this](std::span<const int> source) { return translator_.translate(source, 4); };
    TranslationExactness greedy = measureExactness(greedily, tokenizer_, pairs, next(2)),
                         beam = measureExactness(withBeam, tokenizer_, pairs, next(10)),
                         greedyRumours = measureExactness(greedily, tokenizer_, rumours, next(1)),
                         beamRumours = measureExactness(withBeam, tokenizer_, rumours, next(1));
    std::string text =
        "## Measured on " + std::to_string(sentences) + " held-out sentences\n\n| | |\n|---|---|\n";
    text += row("whole sentences exact, beam of 4", percent(beam.all().value()));
    text += row("whole sentences exact, greedy", percent(greedy.all().value()));
    text +=
        row("sentences with one translation, greedy", percent(greedy.byKind[SentenceKind::Settled].value()));
    text += row("\"People say that ...\", greedy (the locally most probable word leads astray)",
                percent(greedyRumours.all().value()));
    text += row("\"People say that ...\", beam of 4", percent(beamRumours.all().value()));
    return text + "\n" + whatItMeans() + alignment(next(2)) + missed(beam);
  }

 private:
  // The watch of what is measured next, which takes about so many of all parts.
  ProgressCallback next(int parts) {
    constexpr int all = 18;
    return partOf(watch_, std::exchange(part_, part_ + parts), all, parts);
  }

  std::string whatItMeans() {
    const auto pairs = heldOutReferences(seed_ + 3, references);
    const auto translate = [this](std::span<const int> source) { return translator_.translate(source, 1); };
    const auto attention = [this](std::span<const int> source) {
      return translator_.encoderAttention(source);
    };
    const PronounAgreement pronouns = measurePronouns(translate, tokenizer_, pairs, next(1));
    const auto heads = measureReferenceHeads(attention, tokenizer_, pairs, next(1));
    if (heads.empty()) return "";
    const ReferenceHead& best = *std::ranges::max_element(heads, {}, &ReferenceHead::share);
    const std::string name = "encoder head " + std::to_string(best.layer) + "." + std::to_string(best.head);
    return "## What *it* means\n\n\"The animal did not cross the street because it was too tired\": German "
           "has to choose a gender, that of the animal or of the street. On " +
           std::to_string(references) +
           " held-out sentences, whose two things and reason never stand together in training. Of all "
           "encoder heads the one is named that resolves *it* most often.\n\n| | |\n|---|---|\n" +
           row("pronoun right, greedy", percent(pronouns.share())) +
           row("at least half of the attention from *it* falls on the right noun, " + name,
               percent(best.share())) +
           row("its attention from *it* on the right noun, on average", percent(best.meanWeight())) + "\n";
  }

  std::string alignment(const ProgressCallback& watch) {
    const auto pairs = heldOutPairs(seed_ + 2, aligned, SentenceKind::Settled);
    std::string text =
        "## Alignment\n\nThe word of the source that gets most of the averaged cross-attention, against the "
        "grammar's own alignment of words, on " +
        std::to_string(aligned) +
        " held-out sentences. Layers count from 0.\n\n| layer | where the word is predicted | where it is "
        "read |\n|---|---|---|\n";
    const int layers = translator_.model().config().layers;
    for (int layer = 0; layer < layers; ++layer) {
      const ProgressCallback predicting = partOf(watch, 2 * layer, 2 * layers),
                             reading = partOf(watch, 2 * layer + 1, 2 * layers);
      const auto attention = [&](std::span<const int> source, std::span<const int> tokens) {
        return translator_.attention(layer, source, tokens);
      };
      text +=
          "| " + std::to_string(layer) + " | " +
          percent(
              measureAlignment(attention, AlignmentRow::Predicting, tokenizer_, pairs, predicting).share()) +
          " | " +
          percent(measureAlignment(attention, AlignmentRow::Reading, tokenizer_, pairs, reading).share()) +
          " |\n";
    }
    return text;
  }

  static std::string missed(const TranslationExactness& result) {
    if (result.misses.empty()) return "";
    std::string text = "\n## Missed\n\n| English | expected | said |\n|---|---|---|\n";
    for (std::size_t i = 0; i < std::min<std::size_t>(8, result.misses.size()); ++i) {
      const auto& miss = result.misses[i];
      text += "| " + miss.english + " | " + miss.expected + " | " + miss.translated + " |\n";
    }
    return text;
  }

  const Tokenizer& tokenizer_;
  std::uint64_t seed_;
  const ProgressCallback& watch_;
  int part_ = 0;
  Translator translator_;
};

class TranslationTask final : public TrainingTask {
 public:
  TranslationTask(std::uint64_t seed, int steps)
      : TrainingTask(translationRecipe(seed, steps), trainTranslationTokenizer(seed, 1296)),
        batches_(tokenizer(), seed, recipe().options.sourcePositions, recipe().options.positions),
        heldOut_(tokenizer(), heldOutSeed(seed), recipe().options.sourcePositions, recipe().options.positions,
                 Split::HeldOut) {}

  Batch batch(int step, int sequences) const override { return batches_.batch(step, sequences); }
  Batch heldOut(int number, int sequences) const override { return heldOut_.batch(number, sequences); }
  std::vector<Example> examples(int count) const override {
    std::vector<Example> examples;
    for (const SentencePair& pair : heldOutPairs(heldOutSeed(recipe().seed), count, SentenceKind::Settled))
      examples.push_back({.source = pair.english, .prompt = "", .answer = pair.german, .ends = true});
    return examples;
  }
  std::string purpose() const override {
    return "Translates English into German, in the sentences of its own grammar.\n\n## Data\n\nPairs of "
           "sentences written by Glassformer's own grammars of both languages "
           "(`core/train/tasks/translation/`), generated from a seed: verbs at the end of subordinate "
           "clauses, separable verbs, cases, adjective endings, and *it* with two possible nouns. A tenth of "
           "the combinations of words (subject and verb, verb and object, adjective and noun; both nouns "
           "that *it* could refer to, and their predicates) is held out from training; the numbers below are "
           "measured on these. \"People say that ...\" has several translations: the most probable whole "
           "sentence does not begin with the most probable word.\n";
  }

 private:
  std::string measured(std::shared_ptr<const Transformer> model, int threads,
                       const ProgressCallback& watch) const override {
    return Examination(std::move(model), tokenizer(), recipe().seed + 1000, threads, watch).results();
  }

  TranslationBatches batches_, heldOut_;
};

}  // namespace

Recipe translationRecipe(std::uint64_t seed, int steps) {
  Recipe recipe{.task = "translate", .seed = seed, .steps = steps > 0 ? steps : 8000};
  ModelConfig& config = recipe.config;
  config.stack = Stack::EncoderDecoder;
  config.layers = 2, config.heads = 4, config.width = 128, config.feedForward = 512;
  config.context = 64;
  config.positions = &sinusoidalPositions(), config.scaledEmbedding = true;
  config.normPlacement = NormPlacement::Post, config.finalNorm = false;
  config.activation = Activation::Relu, config.tiedUnembedding = true;
  // Times √D, embeddings begin as long as the sinusoids.
  recipe.scale.embedding = 1 / std::sqrt(static_cast<float>(config.width));
  recipe.options = {.sequences = 48, .positions = 36, .sourcePositions = 30, .shards = 2};
  recipe.options.schedule = {ScheduleKind::Cosine, 2e-3f, 400, recipe.steps, 0.02f};
  recipe.options.seed = seed;
  return recipe;
}

std::shared_ptr<const TrainingTask> translationTask(std::uint64_t seed, int steps) {
  return std::make_shared<const TranslationTask>(seed, steps);
}

}  // namespace glassformer
