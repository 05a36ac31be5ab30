#include "app/cli/effect_table.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/percent_lines.h"
#include "app/document/edge_settings.h"
#include "app/document/switches.h"
#include "app/engine/corpus.h"
#include "app/engine/dataset_metrics.h"
#include "app/engine/edge_ablation.h"
#include "app/engine/open_model.h"
#include "app/scene/format.h"
#include "core/lens/edge_estimates.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

// The numbers of a measure over all texts, and of the one beside.
struct MeasuredCells {
  std::vector<Spread> cells;
  std::vector<float> here;

  float hereOf(std::size_t cell) const { return here.empty() ? NAN : here[cell]; }
  // Those of which a text says something, the largest first.
  std::vector<std::size_t> ranked() const {
    std::vector<std::size_t> all(cells.size());
    std::iota(all.begin(), all.end(), 0);
    std::erase_if(all, [&](std::size_t cell) { return cells[cell].texts() == 0; });
    std::ranges::stable_sort(all, std::greater<>(), [&](std::size_t i) { return std::abs(cells[i].mean()); });
    return all;
  }
};

Result<MeasuredCells> measureCells(const LoadedModel& model, LivePass& pass, const DatasetMetric& measure,
                                   const TextsRead& read) {
  const ModelConfig& config = pass.model().config();
  const std::vector<int> signs = leadingSpecialTokens(*model.tokenizer, config);
  const auto of = [&](const TokenText& text, const TokenText* partner, const ProgressCallback& watch) {
    const auto trace = pass.run(text.tokens, read.standing, text.source);
    return measure.of(
        {pass, *trace, read.standing, partner, signsBefore(text.tokens, signs), watch, text.counted});
  };
  MeasuredCells measured;
  measured.cells.resize(cellsOf(measure, config));
  const ProgressCallback watch = percentLines(stderr, "reading texts", std::chrono::seconds(1));
  const int count = static_cast<int>(read.texts.size());
  for (int i = 0; i < count; ++i) {
    const TokenText& text = read.texts[static_cast<std::size_t>(i)];
    if (Status fits = pass.checkMemory(text.tokens.size(), text.source.size()); !fits) return fits.error();
    const std::vector<float> numbers = of(text, read.partnerOf(i), partOf(watch, i, count));
    for (std::size_t cell = 0; cell < numbers.size(); ++cell)
      if (std::isfinite(numbers[cell])) measured.cells[cell].add(static_cast<double>(numbers[cell]));
  }
  if (read.beside) measured.here = of(*read.beside, read.partnerOfBeside(), noProgress);
  return measured;
}

}  // namespace

const TokenText* TextsRead::partnerOf(int i) const {
  const int other = i % 2 == 0 ? i + 1 : i - 1;
  return arePairs && other < static_cast<int>(texts.size()) ? &texts[static_cast<std::size_t>(other)]
                                                            : nullptr;
}

bool TextsRead::isAlone() const {
  return beside && texts.size() == 1 && texts.front().tokens == beside->tokens &&
         texts.front().source == beside->source;
}

const TokenText* TextsRead::partnerOfBeside() const {
  for (int i = 0; i < static_cast<int>(texts.size()); ++i)
    if (const TokenText& text = texts[static_cast<std::size_t>(i)];
        text.tokens == beside->tokens && text.source == beside->source)
      return partnerOf(i);
  return nullptr;
}

std::string measuresOfTexts() {
  std::string names;
  for (const DatasetMetric& each : datasetMetrics())
    if (each.of) names += (names.empty() ? "" : ", ") + each.id;
  return names;
}

Json spreadJson(const Spread& spread, float here) {
  Json json{{"mean", nullptr}, {"deviation", nullptr}, {"here", nullptr}};
  if (spread.texts() > 0) json["mean"] = spread.mean(), json["deviation"] = spread.deviation();
  if (std::isfinite(here)) json["here"] = here;
  return json;
}

void printSpread(const Spread& spread, std::optional<float> here) {
  if (spread.texts() > 1)
    std::printf("  %+8.3f +- %-6.3f", spread.mean(), spread.deviation());
  else if (spread.texts() == 1)
    std::printf("  %+8.3f %9s", spread.mean(), "");  // one text has no spread
  else
    std::printf("  %18s", "-");
  if (here && std::isfinite(*here))
    std::printf(" %+8.3f", static_cast<double>(*here));
  else if (here)
    std::printf(" %8s", "-");
}

namespace {

constexpr CsvColumn cellColumns[]{{"cell", "/cell"},
                                  {"mean", "/mean"},
                                  {"deviation", "/deviation"},
                                  {"here", "/here"},
                                  {"texts", "/texts"}};
constexpr CsvColumn edgeColumns[]{{"from", "/from"},           {"to", "/to"},     {"mean", "/mean"},
                                  {"deviation", "/deviation"}, {"here", "/here"}, {"often", "/often"}};

}  // namespace

Status sayMeasure(const LoadedModel& model, LivePass& pass, const std::string& id, const TextsRead& read,
                  Printed printed) {
  const bool isWords = printed == Printed::Words;
  const DatasetMetric& measure = effectMeasure(id);
  const ModelConfig& config = pass.model().config();
  if (measure.id != id || !measure.of)
    return Error{"not a measure of single texts: " + measuresOfTexts(), "--measure " + id, ""};
  if (const std::string why = measure.whyNot(config); !why.empty()) return Error{why, "--measure " + id, ""};
  const auto measured = measureCells(model, pass, measure, read);
  if (!measured) return measured.error();
  const std::vector<std::size_t> ranked = measured->ranked();
  Json all{{"model", model.name},        {"texts", read.texts.size()},     {"measure", measure.id},
           {"meaning", measure.meaning}, {"interventions", Json::array()}, {"cells", Json::array()}};
  for (const Intervention& each : read.standing) all["interventions"].push_back(summaryOf(each));
  if (isWords)
    std::printf("%s, over %s: mean +- spread%s\n", measure.meaning.c_str(),
                countWords(static_cast<std::int64_t>(read.texts.size()), "text").c_str(),
                read.beside ? ", and in this text" : "");
  for (const std::size_t cell : ranked) {
    const std::string name = nameOfCell(measure, config, static_cast<int>(cell));
    const Spread& spread = measured->cells[cell];
    if (!isWords) {
      Json each = spreadJson(spread, measured->hereOf(cell));
      each["cell"] = name, each["texts"] = spread.texts();
      all["cells"].push_back(std::move(each));
      continue;
    }
    std::printf("%-28s", name.c_str());
    printSpread(spread, read.beside ? std::optional(measured->hereOf(cell)) : std::nullopt);
    std::printf("\n");
  }
  Question question = read.question;
  question.metric = measure.id, question.equation = measure.equation(config);
  question.norms = measure.id == "direct" ? normsFrozen : normsRecomputed;
  printTold(printed, all, all["cells"], cellColumns, question);
  return success();
}

namespace {

// What each text's own answer, or its loss, changes by.
std::string wordsOfTexts(const MetricChoice& metric, const ModelConfig& config) {
  if (metric.kind == Metric::Kind::Loss) return wordsOf({}, config);
  if (metric.kind == Metric::Kind::Divergence)
    return "KL divergence of the distribution at the end of a text";
  return metric.isDifference ? "change in the logit difference of a text's prediction and its second token"
                             : "change in a text's prediction, " + equationOf(AnswerMetric{.as = metric.as});
}

const char* unitOf(const MetricChoice& metric) {
  return metric.kind == Metric::Kind::Answer && metric.as != AnswerMetric::As::LogProbability ? "" : " nats";
}

// All edges of some texts.
class EdgesOfTexts {
 public:
  EdgesOfTexts(const LoadedModel& model, LivePass& pass, const TextsRead& read, const EdgesWanted& wanted)
      : pass_(pass),
        read_(read),
        mask_(model.tokenizer->mask()),
        metric_(*findMetric(wanted.metric)),
        threshold_(wanted.threshold > 0 ? wanted.threshold : usualThreshold()),
        over_(edgesOf(pass.model())) {}

  Status measure() {
    const int count = static_cast<int>(read_.texts.size());
    const ProgressCallback watch = percentLines(stderr, "ablating edges", std::chrono::seconds(1));
    for (int i = 0; i < count; ++i) {
      const TokenText& text = read_.texts[static_cast<std::size_t>(i)];
      if (Status fits = pass_.checkMemory(text.tokens.size(), text.source.size()); !fits) return fits;
      const auto trace = pass_.run(text.tokens, read_.standing, text.source);
      over_.add(i, *leaveOutEdges(pass_, over_.edges(), *trace, read_.standing,
                                  metric_.ofText(*trace, gapsOf(text.tokens, mask_), text.counted),
                                  partOf(watch, i, count)));
    }
    if (read_.beside) measureBeside(*read_.beside);
    return success();
  }

  const MetricChoice& metric() const { return metric_; }
  float threshold() const { return threshold_; }
  const EdgesOverTexts& over() const { return over_; }
  /// By the edges above the threshold, of the text beside.
  const std::optional<Reproduced>& alone() const { return alone_; }
  float here(std::size_t sender, std::size_t receiver) const { return at(here_, sender, receiver); }
  float estimate(std::size_t sender, std::size_t receiver) const { return at(estimates_, sender, receiver); }

 private:
  float usualThreshold() const {
    return std::strtof(metric_.isLogit() ? usualEdgeLogitThreshold : usualEdgeThreshold, nullptr);
  }
  static float at(const std::optional<Tensor>& all, std::size_t sender, std::size_t receiver) {
    return all ? all->view()(static_cast<int>(sender), static_cast<int>(receiver)) : NAN;
  }
  void measureBeside(const TokenText& text) {
    const ModelEdges& edges = over_.edges();
    const auto trace = pass_.run(text.tokens, read_.standing, text.source);
    const Metric metric = metric_.ofText(*trace, gapsOf(text.tokens, mask_), text.counted);
    here_ = leaveOutEdges(pass_, edges, *trace, read_.standing, metric);
    if (hasEdgeEstimates(pass_.model().config(), metric_.kind))
      estimates_ = EdgeAblation(pass_.model(), edges, *trace, read_.standing, metric).estimates();
    const auto graph = passOfEdges(pass_, edges, *trace, read_.standing, [&](std::size_t s, std::size_t r) {
      return std::abs(over_.of(s, r, threshold_).spread.mean()) >= static_cast<double>(threshold_);
    });
    alone_ = reproducedBy(pass_.model().config(), *trace, *graph, metric);
  }

  LivePass& pass_;
  const TextsRead& read_;
  int mask_;
  const MetricChoice& metric_;
  float threshold_;
  EdgesOverTexts over_;
  std::optional<Tensor> here_, estimates_;
  std::optional<Reproduced> alone_;
};

}  // namespace

Status sayEdges(const LoadedModel& model, LivePass& pass, const TextsRead& read, const EdgesWanted& wanted,
                Printed printed) {
  if (const std::string why = whyNoEdges(pass.model().config()); !why.empty())
    return Error{why, "--measure edges", ""};
  const bool isWords = printed == Printed::Words, isAlone = read.isAlone();
  EdgesOfTexts edges(model, pass, read, wanted);
  if (Status measured = edges.measure(); !measured) return measured;
  const MetricChoice& metric = edges.metric();
  const EdgesOverTexts& over = edges.over();
  Json all{{"model", model.name}, {"texts", over.texts()},          {"measure", "edges"},
           {"metric", metric.id}, {"threshold", edges.threshold()}, {"edges", Json::array()}};
  const bool isEstimated = read.beside && hasEdgeEstimates(pass.model().config(), metric.kind);
  if (isWords)
    std::printf("%s when an edge is ablated, %s%s\n", wordsOfTexts(metric, pass.model().config()).c_str(),
                isAlone ? "in this text"
                        : ("over " + countWords(over.texts(), "text") + ": mean +- spread" +
                           (read.beside ? ", in this text" : "") + ", frequency")
                              .c_str(),
                isEstimated ? ", by the gradient" : "");
  for (const auto& [sender, receiver] : over.strongest(static_cast<std::size_t>(wanted.best))) {
    const auto number = over.of(sender, receiver, edges.threshold());
    const std::string from = nameOf(over.edges().senders[sender]),
                      to = nameOf(over.edges().receivers[receiver]);
    const float here = edges.here(sender, receiver), estimate = edges.estimate(sender, receiver);
    if (!isWords) {
      Json each = spreadJson(number.spread, here);
      each["from"] = from, each["to"] = to, each["often"] = number.often;
      if (isEstimated) each["estimate"] = estimate, each["error"] = estimate - here;
      all["edges"].push_back(std::move(each));
      continue;
    }
    std::printf("%-28s", (from + " -> " + to).c_str());
    if (isAlone)
      std::printf("  %+8.3f", static_cast<double>(here));
    else
      printSpread(number.spread, read.beside ? std::optional(here) : std::nullopt);
    if (!isAlone) std::printf("  %3.0f %%", static_cast<double>(100 * number.often));
    if (isEstimated) std::printf("  %+8.3f", static_cast<double>(estimate));
    std::printf("\n");
  }
  if (const auto& alone = edges.alone(); alone && !isWords)
    all["alone"] = {{metric.id, alone->told}, {"answers", alone->answers}};
  else if (alone)
    std::printf("this text with the edges above the threshold alone: %+.3f%s, %.0f %% of predictions stay\n",
                static_cast<double>(alone->told), unitOf(metric), static_cast<double>(100 * alone->answers));
  Question question = read.question;
  question.metric = metric.id,
  question.equation = equationOf(Metric{metric.kind, {.as = metric.as}}, pass.model().config());
  question.norms = pass.model().config().normPlacement == NormPlacement::Post ? normsRecomputed : normsFrozen;
  printTold(printed, all, all["edges"], edgeColumns, question);
  return success();
}

}  // namespace glassformer
