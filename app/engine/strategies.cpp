#include "app/engine/strategies.h"

#include <algorithm>
#include <cmath>

#include "app/document/strategies_settings.h"
#include "app/engine/decoder.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/decode/beam_search.h"

namespace glassformer {

namespace {

// All that decides what is computed: which of the strategies is chosen does not.
bool decodesAlike(Decoding a, const Decoding& b) {
  a.strategy = b.strategy;
  return a == b;
}

Tensor nothing(int rows, int columns) {
  return {{rows, columns},
          std::vector<float>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), NAN)};
}

}  // namespace

bool StrategyComparison::isOf(const MeasuredModel& of, const Snapshot& snapshot) const {
  return model_ == of.model.transformer && trace_ == snapshot.trace &&
         decodesAlike(decoding_, of.workspace.decoding) && drawn_ == samplesDrawn(of.workspace.settings) &&
         interventions_ == of.workspace.interventions;
}

void StrategyComparison::show(const MeasuredModel& of, Snapshot& snapshot) const {
  showNothing(snapshot);
  if (!trace_ || !isOf(of, snapshot)) return;
  auto set = std::make_shared<TensorSet>();
  addStrategies(*set);
  addSamples(*set);
  snapshot.kept = std::move(set);
}

void StrategyComparison::addStrategies(TensorSet& set) const {
  const int count = static_cast<int>(comparedStrategies.size());
  Tensor tokens = nothing(count, decoding_.depth), probabilities = nothing(count, decoding_.depth);
  Tensor totals({count}, std::vector<float>(comparedStrategies.size(), NAN));
  for (int row = 0; row < static_cast<int>(rows_.size()); ++row) {
    const Row& done = rows_[static_cast<std::size_t>(row)];
    double total = 0;
    for (int i = 0; i < static_cast<int>(done.tokens.size()); ++i) {
      const double logProbability = done.logProbabilities[static_cast<std::size_t>(i)];
      tokens(row, i) = static_cast<float>(done.tokens[static_cast<std::size_t>(i)]);
      probabilities(row, i) = static_cast<float>(std::exp(logProbability));
      total += logProbability;
    }
    totals(row) = static_cast<float>(total);
  }
  set.add({strategies::token, "YZ", "what each strategy goes on with", ""}, std::move(tokens));
  set.add({strategies::probability, "YZ", "how probable the model finds it, whatever drew it",
           "p = softmax(z) after all before it"},
          std::move(probabilities));
  set.add({strategies::total, "Y", "how probable the whole continuation is", "Σ ln p"}, std::move(totals));
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
  set.add({strategies::sampled, "YZ", "what samples go on with, the most frequent first", ""},
          std::move(tokens));
  set.add({strategies::count, "Y", "how many of the samples are this one", ""}, std::move(counts));
  set.add({strategies::expected, "Y", "how many should be, by its probability",
           "all samples · Π p, after the stages"},
          std::move(expected));
  set.add({strategies::first, "Y", "the first sample that is this one, counted from the seed", ""},
          std::move(firsts));
  set.add({strategies::found, "2", "how many samples there are, and how many different ones", ""},
          std::move(found));
}

bool StrategyComparison::prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin&) {
  const ModelConfig& config = of.model.config();
  const bool isThere = snapshot.hasTrace() && !snapshot.isDifference() && snapshot.continues() &&
                       snapshot.trace->tokenCount() < config.context;
  if (!isThere || isMoving(of.workspace, snapshot) || isOf(of, snapshot)) return false;
  if (model_ != of.model.transformer) {
    model_ = of.model.transformer;
    pass_ = std::make_unique<LivePass>(model_, threads_);
  }
  trace_ = snapshot.trace, interventions_ = of.workspace.interventions, decoding_ = of.workspace.decoding;
  drawn_ = samplesDrawn(of.workspace.settings);
  endOfText_ = of.model.tokenizer->endOfText();
  constraint_ = constraintOn(decoding_, of.model.tokenizer, snapshot.text);
  rows_.clear();
  samples_ = std::make_unique<ManySamples>(
      trace_->tokens(),
      SamplingSettings{.stages = decoding_.stages, .seed = decoding_.seed, .constraint = constraint_}, drawn_,
      decoding_.depth, config.context, endOfText_);
  return true;
}

std::vector<int> StrategyComparison::continuedBy(const ComparedStrategy& strategy,
                                                 const NextTokenLogits& logits) const {
  const int context = model_->config().context;
  if (strategy.strategy == DecodingStrategy::Beam) {
    const BeamTree tree = beamSearch(logits, trace_->tokens(),
                                     {.width = decoding_.beamWidth,
                                      .depth = decoding_.depth,
                                      .lengthPenalty = decoding_.lengthPenalty,
                                      .endOfText = endOfText_,
                                      .context = context,
                                      .constraint = constraint_});
    return tree.path(tree.best);
  }
  const SamplingSettings settings{.greedy = strategy.strategy == DecodingStrategy::Greedy,
                                  .stages = strategy.narrowed ? decoding_.stages : StageNumbers{},
                                  .seed = decoding_.seed,
                                  .constraint = constraint_};
  return generate(logits, trace_->tokens(), decoding_.depth, settings, context, endOfText_);
}

// A strategy's tokens, with what the model itself makes of them.
void StrategyComparison::note(const std::vector<int>& tokens, const NextTokenLogits& logits) {
  Row row{tokens, {}};
  std::vector<int> text = trace_->tokens();
  for (const int token : tokens) {
    row.logProbabilities.push_back(logSoftmax(logits(text))[static_cast<std::size_t>(token)]);
    text.push_back(token);
  }
  rows_.push_back(std::move(row));
}

void StrategyComparison::measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
                                 const std::function<void()>& more) {
  if (!trace_ || !isOf(of, snapshot)) return;
  const int all = static_cast<int>(comparedStrategies.size());
  if (static_cast<int>(rows_.size()) == all && samples_->isDone()) return;
  const Watch watch = begin(doing);
  const NextTokenLogits logits = nextTokenLogits(*pass_, interventions_, trace_->source());
  while (static_cast<int>(rows_.size()) < all || !samples_->isDone()) {
    if (!watch(static_cast<int>(rows_.size()) + samples_->ended(), all + drawn_)) return;
    if (static_cast<int>(rows_.size()) < all)
      note(continuedBy(comparedStrategies[rows_.size()], logits), logits);
    else
      samples_->advance(logits);
    more();
  }
}

}  // namespace glassformer
