#include "app/engine/dataset_stats.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/document/attention_planes.h"
#include "app/document/effect_settings.h"
#include "app/engine/corpus.h"
#include "app/engine/open_model.h"
#include "app/engine/ragged_rows.h"
#include "app/engine/shown_run.h"
#include "core/lens/recovered_loss.h"
#include "core/trace/derived.h"
#include "core/trace/every_text.h"

namespace glassformer {

namespace {

float meanOr(const Spread& spread) { return spread.texts() > 0 ? static_cast<float>(spread.mean()) : NAN; }
float deviationOr(const Spread& spread) {
  return spread.texts() > 1 ? static_cast<float>(spread.deviation()) : NAN;
}

std::size_t numberOf(const DatasetMetric& measure) {
  return static_cast<std::size_t>(&measure - datasetMetrics().data());
}
const DatasetMetric& measureNumber(std::size_t i) { return datasetMetrics()[i]; }
std::size_t directMeasure() { return numberOf(effectMeasure("direct")); }
std::size_t measureShown(const Workspace& workspace) {
  return numberOf(effectMeasure(workspace.settings.chosen(effectNumber)));
}

bool isContinued(const SearchedTexts& texts, int text, const ModelConfig& config) {
  return texts.isWhole(text, config) && texts[text].tokens.size() > 1;
}

// The other text of a pair; null: there is no such text.
const TokenText* pairedWith(const SearchedTexts& texts, int text, const ModelConfig& config) {
  const int partner = texts.partnerOf(text);
  return partner >= 0 && isContinued(texts, partner, config) ? &texts[partner] : nullptr;
}

// Of the line that a text is, where it is one.
const TokenText* partnerOfLine(const SearchedTexts& texts, const Trace& trace, const ModelConfig& config) {
  for (int i = 0; i < texts.count(); ++i)
    if (texts[i].tokens == trace.tokens() && texts[i].source == trace.source())
      return pairedWith(texts, i, config);
  return nullptr;
}

// The change of a text's loss, or of its tokens' logits, without each part; NaN where there is none. Empty
// where it was stopped.
std::vector<float> effectsOfParts(LivePass& pass, const TextStatsKey& key, const ProgressCallback& watch) {
  const auto& [model, trace, interventions] = key.pass;
  const TokenLosses whole = tokenLossesOf(*trace);
  std::vector<float> cells;
  const auto parts = everyPartOff(model->config());
  for (const std::optional<Intervention>& off : parts) {
    if (!watch(static_cast<int>(cells.size()), static_cast<int>(parts.size()))) return {};
    const auto without =
        off ? pass.run(trace->tokens(), withOneMore(interventions, *off), trace->source()) : nullptr;
    const TextEffect effect = off ? effectOn(whole, tokenLossesOf(*without)) : TextEffect{NAN, NAN};
    cells.push_back(key.measure == 0 ? effect.loss : effect.logit);
  }
  return cells;
}

Tensor valuesOf(const DatasetMetric& measure, const ModelConfig& config,
                const std::function<float(std::size_t cell)>& number) {
  Tensor values(
      {static_cast<int>(rowNames(config).size()), static_cast<int>(columnNames(measure, config).size())});
  for (std::size_t cell = 0; cell < values.values().size(); ++cell) values.values()[cell] = number(cell);
  return values;
}

}  // namespace

StatsOverTexts::StatsOverTexts(const DatasetStatsKey& key, std::shared_ptr<const SearchedTexts> texts,
                               const JobSide& side, int threads)
    : model_(key.model),
      everywhere_(key.everywhere),
      texts_(std::move(texts)),
      pass_(key.model, threads),
      signs_(leadingSpecialTokens(*side.of.model.shown->tokenizer, model_->config())),
      readings_(datasetMetrics().size()) {
  for (std::optional<Intervention>& off : everyPartOff(model_->config())) parts_.push_back({std::move(off)});
}

bool StatsOverTexts::isWhole(int text) const { return isContinued(*texts_, text, model_->config()); }
const TokenText* StatsOverTexts::partnerOf(int text) const {
  return pairedWith(*texts_, text, model_->config());
}

// −1: the model has no heads.
int StatsOverTexts::selectedCell(const JobSide& side) const {
  const ModelConfig& config = model_->config();
  if (!config.hasAttention()) return -1;
  const HeadId head = selectedHead(side.workspace(), config);
  const auto rows = causalRows(config);
  const auto row = std::ranges::find_if(
      rows, [&](const CausalRow& each) { return each.site == head.site && each.layer == head.layer; });
  return static_cast<int>(row - rows.begin()) * causalColumns(config) + head.head;
}

// How many texts everything is known of that a measure says.
int StatsOverTexts::textsTold(std::size_t i) const {
  if (measureNumber(i).of) return readings_[i].next;
  int told = texts_->count();
  for (const Part& part : parts_)
    if (part.off) told = std::min(told, part.next);
  return told;
}

// Over the first texts.
Spread StatsOverTexts::spreadOver(int texts, std::size_t i, std::size_t cell) const {
  Spread spread;
  const auto add = [&](int text, float number) {
    if (text < texts && std::isfinite(number)) spread.add(static_cast<double>(number));
  };
  if (measureNumber(i).of)
    for (const auto& [text, cells] : readings_[i].texts) add(text, cells[cell]);
  else
    for (const PartEffects::OfText& each : parts_[cell].effects.texts())
      add(each.text, i == 0 ? each.effect.loss : each.effect.logit);
  return spread;
}

// Of each of the first texts.
StatsOverTexts::OfTexts StatsOverTexts::ofTexts(int told, std::size_t i, int rows, int columns) const {
  OfTexts all;
  std::vector<std::vector<float>> cells;
  if (measureNumber(i).of) {
    for (const auto& [number, own] : readings_[i].texts) all.numbers.push_back(number), cells.push_back(own);
  } else {
    for (int text = 0; text < told; ++text)
      if (isWhole(text)) all.numbers.push_back(text);
    cells.assign(all.numbers.size(), std::vector<float>(parts_.size(), NAN));
    for (std::size_t cell = 0; cell < parts_.size(); ++cell)
      for (const PartEffects::OfText& each : parts_[cell].effects.texts()) {
        if (each.text >= told) break;
        const auto row = std::ranges::lower_bound(all.numbers, each.text) - all.numbers.begin();
        cells[static_cast<std::size_t>(row)][cell] = i == 0 ? each.effect.loss : each.effect.logit;
      }
  }
  all.cells = Tensor({static_cast<int>(cells.size()), rows, columns});
  auto next = all.cells.values().begin();
  for (const std::vector<float>& each : cells) next = std::ranges::copy(each, next).out;
  return all;
}

TensorSet::AcrossOf StatsOverTexts::acrossTexts(const DatasetMetric& measure, std::vector<int> numbers,
                                                int columns) const {
  if (!measure.made) return nullptr;
  std::vector<TextAgain> texts;
  for (const int number : numbers) {
    const TokenText* const partner = partnerOf(number);
    texts.push_back({"text " + std::to_string(number + 1), model_, (*texts_)[number], everywhere_,
                     partner ? std::optional(*partner) : std::nullopt,
                     signsBefore((*texts_)[number].tokens, signs_)});
  }
  return [&measure, columns, texts = std::move(texts)](const auto& at) {
    return measure.made(texts[static_cast<std::size_t>(at[0])], at[1] * columns + at[2]);
  };
}

void StatsOverTexts::addMeasure(std::size_t i, TensorSet& set) const {
  const DatasetMetric& measure = measureNumber(i);
  const int rows = static_cast<int>(rowNames(model_->config()).size()),
            columns = static_cast<int>(columnNames(measure, model_->config()).size());
  const int told = textsTold(i);
  const auto known = [&](auto number) {
    return [=, this](std::size_t cell) { return number(spreadOver(told, i, cell)); };
  };
  const std::string equation = measure.equation(model_->config());
  // Of the measure that is shown each text's own, of which the others are made.
  std::vector<TensorView> texts;
  if (i == shown_) {
    OfTexts all = ofTexts(told, i, rows, columns);
    if (!all.numbers.empty()) {
      set.addAcross({measure.texts(), "CYZ", measure.meaning + ", in each text", equation},
                    std::move(all.cells), acrossTexts(measure, all.numbers, columns));
      for (std::size_t text = 0; text < all.numbers.size(); ++text)
        texts.push_back(set[measure.texts()][static_cast<int>(text)]);
    }
  }
  const auto cells = [texts](const auto& at) {
    std::vector<Cell> all;
    for (const TensorView& text : texts)
      if (std::isfinite(text(at[0], at[1]))) all.push_back(&text(at[0], at[1]));
    return all;
  };
  set.add({measure.mean(), "YZ", measure.meaning + ", on average over the texts", equation},
          valuesOf(measure, model_->config(), known(meanOr)),
          [cells](const auto& at) -> std::optional<Derivation> {
            const auto all = cells(at);
            return all.empty() ? std::nullopt : std::optional(derivedMean(all));
          });
  set.add(
      {measure.spread(), "YZ", "spread of single texts around that", "the standard deviation over the texts"},
      valuesOf(measure, model_->config(), known(deviationOr)),
      [cells, mean = set[measure.mean()]](const auto& at) -> std::optional<Derivation> {
        const auto all = cells(at);
        return all.size() < 2 ? std::nullopt : std::optional(derivedDeviation(all, &mean(at[0], at[1])));
      });
}

void StatsOverTexts::addCounts(std::size_t standing, TensorSet& set) const {
  set.add({effects::read, "2", "number of texts read, and of all texts", ""},
          Tensor({2}, {static_cast<float>(textsTold(shown_)), static_cast<float>(texts_->count())}));
  float counted = 0, tokens = 0;
  for (int text = 0; text < texts_->count(); ++text) {
    const std::size_t behindFirst = std::max<std::size_t>((*texts_)[text].tokens.size(), 1) - 1;
    const CountedTokens& some = (*texts_)[text].counted;
    tokens += static_cast<float>(behindFirst);
    counted += static_cast<float>(some.empty() ? behindFirst : std::ranges::count(some, true));
  }
  set.add({effects::counted, "2", "number of tokens in the means, and of all tokens of these texts", ""},
          Tensor({2}, {counted, tokens}));
  set.add({effects::interventions, "2",
           "interventions in every pass, and interventions of the open text alone", ""},
          Tensor({2}, {static_cast<float>(everywhere_.size()),
                       static_cast<float>(standing - everywhere_.size())}));
}

void StatsOverTexts::addExamples(TensorSet& set) const {
  if (examples_.empty()) return;
  const int count = static_cast<int>(examples_.size());
  Tensor loss({count}), worst({count});
  std::vector<std::vector<float>> rises;
  std::vector<int> texts;
  for (int i = 0; i < count; ++i) {
    const auto& [of, each] = examples_[static_cast<std::size_t>(i)];
    loss(i) = of.effect.loss, worst(i) = static_cast<float>(of.effect.worst);
    rises.push_back(each), texts.push_back(of.text);
  }
  set.add({effects::example, "Y",
           "rise of the loss when the head is ablated, in the texts where it is largest", "L without − L"},
          std::move(loss));
  set.add({effects::worst, "Y", "position before the token whose loss rises most", "argmax"},
          std::move(worst));
  set.add({effects::rises, "YZ", "rise of the loss at each token after the first", "ln p − ln p without"},
          raggedRows(rises));
  set.add({effects::tokens, "YZ", "the tokens of each text", ""}, texts_->tokens(texts));
  if (model_->config().isEncoderDecoder())
    set.add({effects::source, "YZ", "the tokens of the source of each text", ""}, texts_->sources(texts));
}

JobResult StatsOverTexts::result(const JobSide& side) const {
  if (!texts_->missing().empty()) return {.missing = texts_->missing()};
  auto set = std::make_shared<TensorSet>();
  for (std::size_t i = 0; i < datasetMetrics().size(); ++i) addMeasure(i, *set);
  addCounts(side.interventions.size(), *set);
  if (exampleCell_ == selectedCell(side)) addExamples(*set);
  return {std::move(set)};
}

bool StatsOverTexts::follow(const JobSide& side) {
  const int before = std::exchange(askedCell_, selectedCell(side));
  const std::size_t shown = measureShown(side.workspace());
  return std::exchange(shown_, shown) != shown || before != askedCell_;
}

// What a pass has to tell that is not known: of the measure that is shown, and, for the order in which parts
// are left out, what each adds.
std::vector<std::size_t> StatsOverTexts::readingsLeft() const {
  std::vector<std::size_t> left;
  for (const std::size_t i : std::set{directMeasure(), shown_}) {
    const DatasetMetric& measure = measureNumber(i);
    if (measure.of && measure.whyNot(model_->config()).empty() && readings_[i].next < texts_->count())
      left.push_back(i);
  }
  return left;
}

bool StatsOverTexts::isKnown(int first, int upTo) const {
  const auto isRead = [&](std::size_t i) { return readings_[i].next >= upTo; };
  return static_cast<int>(whole_.size()) >= upTo && std::ranges::all_of(readingsLeft(), isRead) &&
         partsLeft(first, upTo).empty() && hasExamples(first);
}

// Of all texts in which the head was left out.
bool StatsOverTexts::hasExamples(int cell) const {
  return cell < 0 || (exampleCell_ == cell && exampleTexts_ == parts_[static_cast<std::size_t>(cell)].next);
}

// The first texts; false where it was stopped.
bool StatsOverTexts::readTexts(int upTo, const StartJob& begin, const std::function<void()>& more) {
  const int count = texts_->count();
  const auto left = readingsLeft();
  int first = static_cast<int>(whole_.size());
  for (const std::size_t i : left) first = std::min(first, readings_[i].next);
  if (first >= upTo) return true;
  const ProgressCallback watch = begin(DatasetStats::readingWhole);
  for (int text = first; text < upTo; ++text) {
    if (!watch(text, count)) return false;
    const auto trace =
        isWhole(text) ? pass_.run((*texts_)[text].tokens, everywhere_, (*texts_)[text].source) : nullptr;
    if (static_cast<int>(whole_.size()) == text)
      whole_.push_back(trace ? tokenLossesOf(*trace) : TokenLosses());
    for (const std::size_t i : left) {
      Reading& reading = readings_[i];
      if (reading.next != text) continue;
      if (trace) {
        const ProgressCallback own = partOf(watch, text, count);
        auto cells =
            measureNumber(i).of({pass_, *trace, everywhere_, partnerOf(text),
                                 signsBefore(trace->tokens(), signs_), own, (*texts_)[text].counted});
        if (cells.empty()) return false;
        reading.texts.emplace_back(text, std::move(cells));
      }
      ++reading.next;
    }
    if (measureNumber(shown_).of) more();
  }
  return true;
}

// What is not known over the first texts: one of them first, then those that add most.
std::vector<int> StatsOverTexts::partsLeft(int first, int upTo) const {
  std::vector<int> left;
  for (int cell = 0; cell < static_cast<int>(parts_.size()); ++cell)
    if (const Part& part = parts_[static_cast<std::size_t>(cell)]; part.off && part.next < upTo)
      left.push_back(cell);
  std::ranges::stable_sort(left, std::greater<>(), [&](int cell) {
    const Spread direct = spreadOver(upTo, directMeasure(), static_cast<std::size_t>(cell));
    return cell == first ? INFINITY : static_cast<float>(std::abs(direct.mean()));
  });
  return left;
}

bool StatsOverTexts::leaveOut(Part& part, int upTo, const ProgressCallback& watch) {
  for (; part.next < upTo; ++part.next) {
    if (!watch(part.next, texts_->count())) return false;
    if (!isWhole(part.next)) continue;
    const TokenText& text = (*texts_)[part.next];
    const auto without =
        tokenLossesOf(*pass_.run(text.tokens, withOneMore(everywhere_, *part.off), text.source));
    part.effects.add(part.next, effectOn(whole_[static_cast<std::size_t>(part.next)], without, text.counted));
  }
  return true;
}

// Of every part, over the first texts.
bool StatsOverTexts::leaveOut(int first, int upTo, const StartJob& begin) {
  const std::vector<int> left = partsLeft(first, upTo);
  if (left.empty()) return true;
  const ProgressCallback watch = begin(DatasetStats::leavingOut);
  const auto total = static_cast<int>(parts_.size()) * texts_->count();
  const auto told = [&](int, int) {
    int done = 0;
    for (const Part& part : parts_) done += part.off ? part.next : texts_->count();
    return watch(done, total);
  };
  return std::ranges::all_of(
      left, [&](int cell) { return leaveOut(parts_[static_cast<std::size_t>(cell)], upTo, told); });
}

void StatsOverTexts::findExamples(int cell) {
  const Part& part = parts_[static_cast<std::size_t>(cell)];
  exampleCell_ = cell, exampleTexts_ = part.next, examples_.clear();
  for (const PartEffects::OfText& of : part.effects.strongestFirst(DatasetStats::examplesKept)) {
    const TokenText& text = (*texts_)[of.text];
    const auto without =
        tokenLossesOf(*pass_.run(text.tokens, withOneMore(everywhere_, *part.off), text.source));
    examples_.push_back({of, lossRises(whole_[static_cast<std::size_t>(of.text)], without)});
  }
}

bool StatsOverTexts::goOn(const JobSide&, const StartJob& begin, const std::function<void()>& more) {
  const int count = texts_->count(), first = askedCell_;
  for (int upTo = measureNumber(shown_).of ? count : DatasetStats::firstTexts;; upTo *= 2) {
    upTo = std::min(upTo, count);
    if (!isKnown(first, upTo)) {
      if (!readTexts(upTo, begin, more) || !leaveOut(first, upTo, begin)) return false;
      if (!hasExamples(first)) findExamples(first);
      more();
    }
    if (upTo == count) return true;
  }
}

std::string DatasetStats::missing(const JobSide& side) const { return whyNoRecoveredLoss(side.config()); }

std::optional<DatasetStatsKey> DatasetStats::key(const JobSide& side) const {
  const auto texts = side.corpus();
  if (!texts || !side.snapshot.pass->hasTrace() || !missing(side).empty()) return std::nullopt;
  return DatasetStatsKey{*texts, ofEveryText(side.interventions, *side.snapshot.pass->trace)};
}

std::optional<TextStatsKey> TextStats::key(const JobSide& side) const {
  const auto pass = side.pass();
  const auto texts = side.corpus();
  const std::size_t measure = measureShown(side.workspace());
  if (!pass || !texts || !whyNoRecoveredLoss(side.config()).empty() ||
      !measureNumber(measure).whyNot(side.config()).empty() ||
      (!measureNumber(measure).of && pass->trace->tokenCount() < 2))
    return std::nullopt;
  return TextStatsKey{*pass, texts->corpus, measure};
}

TextStats::Result TextStats::measureAll(const TextStatsKey& key, const JobSide& side, const StartJob& begin) {
  const auto texts = textsRead(key.corpus, side.of.model, begin);
  if (!texts) return std::nullopt;
  const ProgressCallback watch = begin(doing);
  const auto& [model, trace, interventions] = key.pass;
  const DatasetMetric& measure = measureNumber(key.measure);
  const TokenText* const partner = partnerOfLine(*texts, *trace, model->config());
  const int signs =
      signsBefore(trace->tokens(), leadingSpecialTokens(*side.of.model.shown->tokenizer, model->config()));
  LivePass pass(model, threads_);
  const CountedTokens all;
  const std::vector<float> cells = measure.of
                                       ? measure.of({pass, *trace, interventions, partner, signs, watch, all})
                                       : effectsOfParts(pass, key, watch);
  if (cells.empty()) return std::nullopt;
  Tensor values = valuesOf(measure, model->config(), [&](std::size_t cell) { return cells[cell]; });
  TensorSet::AcrossOf across;
  if (measure.made) {
    TextAgain text{"",
                   model,
                   {trace->tokens(), trace->source()},
                   interventions,
                   partner ? std::optional(*partner) : std::nullopt,
                   signs};
    across = [&measure, columns = values.view().extent[1], text = std::move(text)](const auto& at) {
      return measure.made(text, at[0] * columns + at[1]);
    };
  }
  auto set = std::make_shared<TensorSet>();
  set->addAcross(
      {measure.here(), "YZ", measure.meaning + ", in the open text", measure.equation(model->config())},
      std::move(values), std::move(across));
  return JobResult{std::move(set)};
}

}  // namespace glassformer
