#include "core/train/answers.h"

#include <algorithm>
#include <cassert>

#include "core/model/head.h"
#include "core/model/live_pass.h"

namespace glassformer {
namespace {

class Answering {
 public:
  Answering(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer, int threads)
      : tokenizer_(tokenizer), pass_(std::move(model), threads) {}

  Answered classified(const Example& example) {
    const std::vector<int> prompt = promptTokens(example.prompt),
                           source = tokenizer_.encodeIds(example.source);
    const auto trace = pass_.run(prompt, {}, source);
    const int likeliest = mostProbable((*trace)[classLogits], trace->tokenCount() - 1);
    const std::vector<int> given{config().firstClass + likeliest};
    return {example, tokenizer_.decode(given), given == tokenizer_.encodeIds(example.answer)};
  }

  Answered operator()(const Example& example) {
    const std::vector<int> prompt = promptTokens(example.prompt);
    std::vector<int> answer = tokenizer_.encodeIds(example.answer);
    assert(!answer.empty() && "an answer is at least one token");
    if (example.ends) answer.push_back(tokenizer_.endOfText());
    const std::vector<int> given = config().stack == Stack::EncoderOnly
                                       ? filled(prompt)
                                       : continued(prompt, answer, tokenizer_.encodeIds(example.source));
    return {example, withoutEnd(given), given == answer};
  }

 private:
  const ModelConfig& config() const { return pass_.model().config(); }

  // Encoders, and the decoders that read what they write, see the start sign before a text.
  std::vector<int> promptTokens(const std::string& text) const {
    std::vector<int> tokens = tokenizer_.encodeIds(text);
    if (config().stack != Stack::DecoderOnly) tokens.insert(tokens.begin(), tokenizer_.endOfText());
    return tokens;
  }

  static int mostProbable(const TensorView& logits, int t) {
    int best = 0;
    for (int v = 1; v < logits.extent[1]; ++v)
      if (logits(t, v) > logits(t, best)) best = v;
    return best;
  }

  // What the prompt and the right answer behind it predict is what greedy decoding writes, up to its first
  // slip. So a right answer costs one pass; a wrong one, one more for each token behind the slip.
  std::vector<int> continued(const std::vector<int>& prompt, const std::vector<int>& answer,
                             const std::vector<int>& source) {
    std::vector<int> tokens = prompt, given;
    tokens.insert(tokens.end(), answer.begin(), answer.end() - 1);
    const auto first = static_cast<int>(prompt.size()) - 1;
    bool slipped = false;
    for (auto trace = pass_.run(tokens, {}, source); given.size() < answer.size();) {
      const std::size_t i = given.size();
      given.push_back(mostProbable((*trace)["logits"], first + static_cast<int>(i)));
      if (given.back() == tokenizer_.endOfText() || given.size() == answer.size()) break;
      slipped = slipped || given.back() != answer[i];
      if (!slipped) continue;
      tokens.resize(prompt.size() + i);
      tokens.push_back(given.back());
      trace = nullptr;  // its memory, and the rows in it, are for the next pass
      trace = pass_.run(tokens, {}, source);
    }
    return given;
  }

  std::vector<int> filled(const std::vector<int>& prompt) {
    const auto trace = pass_.run(prompt);
    std::vector<int> given;
    for (std::size_t t = 0; t < prompt.size(); ++t)
      if (prompt[t] == tokenizer_.mask())
        given.push_back(mostProbable((*trace)["logits"], static_cast<int>(t)));
    return given;
  }

  std::string withoutEnd(std::vector<int> tokens) const {
    if (!tokens.empty() && tokens.back() == tokenizer_.endOfText()) tokens.pop_back();
    return tokenizer_.decode(tokens);
  }

  const Tokenizer& tokenizer_;
  LivePass pass_;
};

template <typename Say>
std::vector<Answered> eachAnswered(std::span<const Example> examples, const ProgressCallback& watch,
                                   Say say) {
  std::vector<Answered> answered;
  const auto total = static_cast<int>(examples.size());
  for (const Example& example : examples) {
    if (!watch(static_cast<int>(answered.size()), total)) return answered;
    answered.push_back(say(example));
  }
  if (total > 0) watch(total, total);
  return answered;
}

}  // namespace

std::vector<Answered> answer(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                             std::span<const Example> examples, int threads, const ProgressCallback& watch) {
  Answering answering(std::move(model), tokenizer, threads);
  return eachAnswered(examples, watch, [&](const Example& example) { return answering(example); });
}

std::vector<Answered> classified(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                                 std::span<const Example> examples, int threads,
                                 const ProgressCallback& watch) {
  assert(model->config().hasClassHead());
  Answering answering(std::move(model), tokenizer, threads);
  return eachAnswered(examples, watch, [&](const Example& example) { return answering.classified(example); });
}

double shareRight(std::span<const Answered> answered) {
  if (answered.empty()) return 0;
  return static_cast<double>(std::ranges::count_if(answered, &Answered::right)) /
         static_cast<double>(answered.size());
}

}  // namespace glassformer
