#include "core/train/tasks/stories_evaluation.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/decode/next_token.h"
#include "core/lens/head_scores.h"
#include "core/model/live_pass.h"
#include "core/random.h"
#include "core/train/tasks/stories.h"
#include "core/train/tasks/stories_batches.h"

namespace glassformer {
namespace {

class Evaluation {
 public:
  Evaluation(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer, std::uint64_t seed,
             int threads, const ProgressCallback& watch)
      : model_(std::move(model)),
        config_(model_->config()),
        tokenizer_(tokenizer),
        pass_(model_, threads),
        seed_(seed),
        watch_(watch) {}

  StoriesMetrics run(const EvaluationSize& size) {
    measureLossAndAnswers(size);
    if (config_.hasAttention()) measureRepeats(size.repeats);
    return metrics_;
  }

 private:
  std::vector<int> encode(const std::string& text) const {
    auto ids = tokenizer_.encodeIds(text);
    ids.insert(ids.begin(), tokenizer_.endOfText());  // the sign before a story's first word
    return ids;
  }

  void measureLossAndAnswers(const EvaluationSize& size) {
    StoryGenerator generator(mix(seed_), Split::HeldOut);
    double loss = 0, entropy = 0;
    std::int64_t tokens = 0;
    while ((metrics_.stories < size.stories ||
            metrics_.answers[QuestionKind::WhatWasToo].asked < size.questions) &&
           watch_(std::min(metrics_.stories, size.stories), size.stories)) {
      const Story story = generator.next();
      const std::vector<int> ids = encode(story.text);
      if (static_cast<int>(ids.size()) > config_.context + 1) continue;
      const auto trace = pass_.run(std::span(ids).first(ids.size() - 1));
      for (int t = 0; t < trace->tokenCount(); ++t) {
        const std::vector<float> logits = (*trace)["logits"][t].copy();
        loss -= logSoftmax(logits)[static_cast<std::size_t>(ids[static_cast<std::size_t>(t) + 1])];
        ++tokens;
      }
      entropy -= story.logProbability;
      ++metrics_.stories;
      for (const StoryQuestion& question : story.questions) ask(question, *trace);
    }
    metrics_.loss = loss / static_cast<double>(tokens);
    metrics_.entropy = entropy / static_cast<double>(tokens);
    for (const auto& [kind, looks] : looks_)
      metrics_.reading[kind] = readingHead(looks, metrics_.answers[kind].asked);
  }

  void ask(const StoryQuestion& question, const Trace& trace) {
    const Tokenization prompt = tokenizer_.encode(question.prompt);
    const int answering = static_cast<int>(prompt.size());  // the end-of-text sign stands before
    const std::vector<float> logits = trace["logits"][answering].copy();
    const auto said = static_cast<int>(std::ranges::max_element(logits) - logits.begin());
    auto& answers = metrics_.answers[question.kind];
    ++answers.asked;
    answers.right += said == tokenizer_.encodeIds(question.answer).front();
    if (!config_.hasAttention()) return;

    const bool apart = question.rightSentence != question.wrongSentence;
    const auto toPlaces = [&](const std::vector<ByteRange>& places) {
      return attentionTo(trace, config_, answering, positions(prompt, places));
    };
    const Tensor right = toPlaces(apart ? std::vector{question.rightSentence} : question.rightMentions),
                 wrong = toPlaces(apart ? std::vector{question.wrongSentence} : question.wrongMentions);
    Looks& looks = looks_.try_emplace(question.kind, config_).first->second;
    for (std::size_t i = 0; i < right.values().size(); ++i) {
      looks.preferring.values()[i] += right.values()[i] > wrong.values()[i];
      looks.attention.values()[i] += right.values()[i];
    }
  }

  // Positions in the trace of the tokens that lie in any of the ranges.
  static std::vector<int> positions(const Tokenization& prompt, const std::vector<ByteRange>& ranges) {
    std::vector<int> found;
    for (std::size_t i = 0; i < prompt.size(); ++i)
      for (const ByteRange& range : ranges)
        if (static_cast<std::size_t>(prompt[i].end) > range.begin &&
            static_cast<std::size_t>(prompt[i].begin) < range.end)
          found.push_back(static_cast<int>(i) + 1);
    return found;
  }

  // Random words of the corpus, 12 to 30 of them, said twice.
  void measureRepeats(int texts) {
    const std::vector<int> words = corpusWords(tokenizer_);
    Random random(mix(seed_ + 1));
    Tensor previous({config_.layers, config_.heads}), induction({config_.layers, config_.heads});
    for (int n = 0; n < texts; ++n) {
      const int period = 12 + static_cast<int>(random.below(19));
      std::vector<int> ids{tokenizer_.endOfText()};
      for (int i = 0; i < period; ++i) ids.push_back(words[random.below(static_cast<int>(words.size()))]);
      for (int i = 1; i <= period; ++i) ids.push_back(ids[static_cast<std::size_t>(i)]);
      const auto trace = pass_.run(ids);
      add(previousTokenScores(*trace, config_), previous);
      add(inductionScores(*trace, config_, period + 1, period), induction);
    }
    metrics_.previousToken = best(previous, texts);
    metrics_.induction = best(induction, texts);
  }

  static void add(const Tensor& from, Tensor& to) {
    for (std::size_t i = 0; i < to.values().size(); ++i) to.values()[i] += from.values()[i];
  }
  HeadScore best(const Tensor& sums, int count) const {
    const auto i = static_cast<int>(std::ranges::max_element(sums.values()) - sums.values().begin());
    return {i / config_.heads, i % config_.heads, sums.values()[static_cast<std::size_t>(i)] / count};
  }

  // Of every head [N, M]: in how many questions it preferred what says the answer, and its attention to that,
  // summed.
  struct Looks {
    explicit Looks(const ModelConfig& config)
        : preferring({config.layers, config.heads}), attention({config.layers, config.heads}) {}
    Tensor preferring, attention;
  };

  // Where several prefer what says the answer equally often, the one that looks at it most.
  ReadingHead readingHead(const Looks& looks, int asked) const {
    const auto merit = [&](std::size_t head) {
      return std::pair(looks.preferring.values()[head], looks.attention.values()[head]);
    };
    std::size_t most = 0;
    for (std::size_t head = 1; head < looks.preferring.values().size(); ++head)
      if (merit(head) > merit(most)) most = head;
    const auto i = static_cast<int>(most);
    const auto [preferring, attention] = merit(most);
    return {{i / config_.heads, i % config_.heads, preferring / asked}, attention / asked};
  }

  std::shared_ptr<const Transformer> model_;
  const ModelConfig& config_;
  const Tokenizer& tokenizer_;
  LivePass pass_;
  std::uint64_t seed_;
  const ProgressCallback& watch_;
  StoriesMetrics metrics_;
  std::map<QuestionKind, Looks> looks_;
};

}  // namespace

StoriesMetrics evaluateStories(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                               const EvaluationSize& size, std::uint64_t seed, int threads,
                               const ProgressCallback& watch) {
  return Evaluation(std::move(model), tokenizer, seed, threads, watch).run(size);
}

}  // namespace glassformer
