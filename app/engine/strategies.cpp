#include "app/engine/strategies.h"

#include <algorithm>
#include <cmath>

#include "app/document/strategies_settings.h"

namespace glassformer {

namespace {

Tensor nothing(int rows, int columns) {
  return {{rows, columns},
          std::vector<float>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), NAN)};
}

}  // namespace

void StrategyComparison::read(const ViewSettings& from, ViewSettings& to) {
  readChoices<samplesChoice>(from, to);
}

StrategyComparison::StrategyComparison(const ContinuationKey& key, const JobSide& side, int threads)
    : ContinuedText(key, side, threads),
      drawn_(samplesDrawn(settings_)),
      exact_(std::make_unique<ExactSearch>(trace_->tokens(), beam())),
      samples_(std::make_unique<ManySamples>(trace_->tokens(), sampling(DecodingStrategy::Sampling), drawn_,
                                             decoding_.depth, config().context, endOfText_)) {}

JobResult StrategyComparison::result() const {
  auto set = std::make_shared<TensorSet>();
  addStrategies(*set);
  addSamples(*set);
  return {std::move(set)};
}

void StrategyComparison::addStrategies(TensorSet& set) const {
  const int count = static_cast<int>(comparedStrategies.size());
  Tensor tokens = nothing(count, decoding_.depth), probabilities = nothing(count, decoding_.depth);
  Tensor totals({count}, std::vector<float>(comparedStrategies.size(), NAN));
  const int before = trace_->tokenCount();
  std::vector<std::vector<int>> texts(comparedStrategies.size());  // with what each goes on with
  for (int row = 0; row < count; ++row) {
    if (!rows_[static_cast<std::size_t>(row)]) continue;
    const Row& done = *rows_[static_cast<std::size_t>(row)];
    std::vector<int>& text = texts[static_cast<std::size_t>(row)] = trace_->tokens();
    text.insert(text.end(), done.tokens.begin(), done.tokens.end());
    double total = 0;
    for (int i = 0; i < static_cast<int>(done.tokens.size()); ++i) {
      const double logProbability = done.logProbabilities[static_cast<std::size_t>(i)];
      tokens(row, i) = static_cast<float>(done.tokens[static_cast<std::size_t>(i)]);
      probabilities(row, i) = static_cast<float>(std::exp(logProbability));
      total += logProbability;
    }
    totals(row) = static_cast<float>(total);
  }
  set.add({strategies::token, "YZ", "continuation by each strategy", ""}, std::move(tokens));
  set.addAcross({strategies::probability, "YZ", "probability of each token by the model",
                 "p = softmax(z) after all before it"},
                std::move(probabilities), [passes = passes(), texts, before](const auto& at) {
                  const std::vector<int>& text = texts[static_cast<std::size_t>(at[0])];
                  const auto end = static_cast<std::size_t>(before + at[1] + 1);
                  if (text.size() < end) return OpenPasses();
                  return passes.probability({text.begin(), text.begin() + before + at[1] + 1});
                });
  set.addAcross({strategies::total, "Y", "log probability of the whole continuation", "Σ ln p"},
                std::move(totals), [passes = passes(), texts, before](const auto& at) {
                  return passes.logProbability(texts[static_cast<std::size_t>(at[0])], before);
                });
  Tensor searched({2});
  searched(0) = static_cast<float>(exact_->calls()), searched(1) = exact_->isDone();
  set.add(
      {strategies::exact, "2", "number of forward passes of the exact search, and 1 if its result is proved",
       "proved: no other continuation scores as high"},
      std::move(searched));
}

void StrategyComparison::addSamples(TensorSet& set) const {
  const std::vector<Continuation> all = samples_->continuations();
  const int listed = std::min(strategies::mostListed, static_cast<int>(all.size()));
  const int rows = std::max(listed, 1);
  Tensor tokens = nothing(rows, decoding_.depth), counts({rows}), expected({rows}), firsts({rows}),
         found({2});
  for (int row = 0; row < listed; ++row) {
    const Continuation& c = all[static_cast<std::size_t>(row)];
    for (int i = 0; i < static_cast<int>(c.tokens.size()); ++i)
      tokens(row, i) = static_cast<float>(c.tokens[static_cast<std::size_t>(i)]);
    counts(row) = static_cast<float>(c.count);
    expected(row) = static_cast<float>(drawn_ * std::exp(c.drawn));
    firsts(row) = static_cast<float>(c.seed - decoding_.seed);
  }
  found(0) = static_cast<float>(samples_->ended()), found(1) = static_cast<float>(all.size());
  set.add({strategies::sampled, "YZ", "continuations of the samples, the most frequent first", ""},
          std::move(tokens));
  set.add({strategies::count, "Y", "number of samples equal to this one", ""}, std::move(counts));
  std::vector<std::vector<int>> texts;  // with what each goes on with
  for (int row = 0; row < listed; ++row) {
    const std::vector<int>& more = all[static_cast<std::size_t>(row)].tokens;
    texts.push_back(trace_->tokens());
    texts.back().insert(texts.back().end(), more.begin(), more.end());
  }
  set.addAcross({strategies::expected, "Y", "expected number, by its probability",
                 "all samples · Π p, after the filters"},
                std::move(expected),
                [passes = passes(), texts, before = trace_->tokenCount(), drawn = drawn_,
                 settings = sampling(DecodingStrategy::Sampling)](const auto& at) -> OpenPasses {
                  const auto row = static_cast<std::size_t>(at[0]);
                  if (row >= texts.size()) return nullptr;
                  return passes.drawnProbability(texts[row], before, settings, static_cast<float>(drawn));
                });
  set.add({strategies::first, "Y", "the first sample that is this one, counted from the seed", ""},
          std::move(firsts));
  // Those that are not listed are told by how many they are alone.
  const int unlisted = static_cast<int>(all.size()) - listed;
  set.add({strategies::found, "2", "number of samples, and of different ones", ""}, std::move(found),
          [counted = set[strategies::count], listed, unlisted, ended = samples_->ended()](const auto& at) {
            Derivation made{.form = at[0] == 0 ? Form::Sum : Form::Count};
            float others = static_cast<float>(ended);
            for (int row = 0; row < listed; ++row)
              made.terms.push_back({&counted(row)}), others -= counted(row);
            if (at[0] == 0 && others != 0) made.terms.push_back({nullptr, nullptr, others});
            if (at[0] == 1) made.terms.resize(made.terms.size() + static_cast<std::size_t>(unlisted));
            return made;
          });
}

std::vector<int> StrategyComparison::rowOf(const ComparedStrategy& strategy,
                                           const NextTokenLogits& logits) const {
  if (strategy.strategy != DecodingStrategy::Sampling || strategy.narrowed)
    return continuedBy(strategy.strategy, logits);
  SamplingSettings plain = sampling(DecodingStrategy::Sampling);
  plain.stages = {};
  return generate(logits, trace_->tokens(), decoding_.depth, plain, config().context, endOfText_);
}

// What a row goes on with, with what the model itself makes of it.
void StrategyComparison::note(int row, const std::vector<int>& tokens, const NextTokenLogits& logits) {
  Row noted{tokens, {}};
  std::vector<int> text = trace_->tokens();
  double total = 0;
  for (const int token : tokens) {
    noted.logProbabilities.push_back(logSoftmax(logits(text))[static_cast<std::size_t>(token)]);
    total += noted.logProbabilities.back();
    text.push_back(token);
  }
  // The better what is known, the less is left to try.
  if (comparedStrategies[static_cast<std::size_t>(row)].strategy == DecodingStrategy::Beam)
    exact_->know(tokens, total);
  rows_[static_cast<std::size_t>(row)] = std::move(noted);
}

bool StrategyComparison::goOn(const StartJob& begin, const std::function<void()>& more) {
  const int all = static_cast<int>(comparedStrategies.size());
  const auto rowOfExact = static_cast<int>(
      std::ranges::find_if(comparedStrategies, &ComparedStrategy::isExact) - comparedStrategies.begin());
  if (rows_[static_cast<std::size_t>(rowOfExact)]) return true;  // it comes last
  const ProgressCallback watch = begin(doing);
  const NextTokenLogits logits = this->logits();
  const auto goesOn = [&] {
    const auto rows = static_cast<int>(std::ranges::count_if(rows_, [](const auto& row) { return !!row; }));
    return watch(rows + samples_->ended() + exact_->calls(), all + drawn_ + bestContinuation::mostCalls);
  };
  for (int row = 0; row < all; ++row) {
    const ComparedStrategy& strategy = comparedStrategies[static_cast<std::size_t>(row)];
    if (strategy.isExact || rows_[static_cast<std::size_t>(row)]) continue;
    if (!goesOn()) return false;
    note(row, rowOf(strategy, logits), logits);
    more();
  }
  while (!samples_->isDone()) {
    if (!goesOn()) return false;
    samples_->advance(logits);
    more();
  }
  constexpr int callsShown = 64;
  while (!isSearched()) {
    if (!goesOn()) return false;
    exact_->advance(logits);
    if (exact_->calls() % callsShown == 0) more();
  }
  note(rowOfExact, exact_->best(), logits);
  more();
  return true;
}

}  // namespace glassformer
