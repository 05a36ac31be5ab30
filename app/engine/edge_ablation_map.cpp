#include "app/engine/edge_ablation_map.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <utility>

#include "app/document/edge_settings.h"
#include "app/document/workspace.h"
#include "app/engine/ablation_map.h"
#include "app/engine/asked_metric.h"
#include "app/engine/corpus.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/lens/ablation.h"
#include "core/lens/across_changes.h"
#include "core/trace/derived.h"
#include "core/trace/every_text.h"

namespace glassformer {

namespace {
// "L0H1 to L1H2.k left out".
std::string edgeWords(const ModelEdges& edges, std::size_t sender, std::size_t receiver) {
  return nameOf(edges.senders[sender]) + " to " + nameOf(edges.receivers[receiver]) + " ablated";
}
}  // namespace

float thresholdOfEdges(const ViewSettings& settings) {
  const std::string chosen(settings.chosen(edgeThreshold));
  const float number = std::strtof(chosen.c_str(), nullptr);
  return number > 0 ? number : std::strtof(usualThresholdOfEdges(settings), nullptr);
}

const char* usualThresholdOfEdges(const ViewSettings& settings) {
  return metricOfEdges(settings).isLogit() ? usualEdgeLogitThreshold : usualEdgeThreshold;
}

bool tellsOfOpenText(const ViewSettings& settings) { return settings.chosen(edgeTexts).empty(); }

const MetricChoice& metricOfEdges(const ViewSettings& settings) {
  return chosenMetric(settings, usualEdgeMetric);
}

EdgesOverTexts::Number EdgesOverTexts::of(std::size_t sender, std::size_t receiver, float threshold) const {
  Number number;
  int often = 0;
  for (const Tensor& text : rises_)
    if (const float rise = text.view()(static_cast<int>(sender), static_cast<int>(receiver));
        std::isfinite(rise))
      number.spread.add(static_cast<double>(rise)), often += std::abs(rise) >= threshold;
  if (number.spread.texts() > 0)
    number.often = static_cast<float>(often) / static_cast<float>(number.spread.texts());
  return number;
}

Tensor EdgesOverTexts::all() const {
  Tensor all({texts(), static_cast<int>(edges_.senders.size()), static_cast<int>(edges_.receivers.size())});
  auto next = all.values().begin();
  for (const Tensor& each : rises_) next = std::ranges::copy(each.values(), next).out;
  return all;
}

std::vector<std::pair<std::size_t, std::size_t>> EdgesOverTexts::strongest(std::size_t most) const {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t s = 0; s < edges_.senders.size(); ++s)
    for (std::size_t r = 0; r < edges_.receivers.size(); ++r)
      if (of(s, r, 0).spread.texts() > 0) all.emplace_back(s, r);
  std::ranges::stable_sort(all, std::greater<>(), [&](const auto& each) {
    return std::abs(of(each.first, each.second, 0).spread.mean());
  });
  all.resize(std::min(all.size(), most));
  return all;
}

Metric EdgeAblationMap::asked(const MeasuredModel& of, const Snapshot& snapshot) const {
  const ViewSettings& settings = of.workspace.settings;
  return askedMetric(settings, *snapshot.pass, metricOfEdges(settings), mask_);
}

bool EdgeAblationMap::isOf(const MeasuredModel& of) const {
  return model_ && model_ == of.model.shown->transformer && standing_ == of.workspace.interventions &&
         ofOpenText_ == tellsOfOpenText(of.workspace.settings) &&
         (ofOpenText_ || (texts_.areAsked(of) && ofEachText_ == &metricOfEdges(of.workspace.settings)));
}

bool EdgeAblationMap::isWhole(int text) const {
  return texts_.isWhole(text, model_->config()) && texts_[text].tokens.size() > 1;
}

std::string EdgeAblationMap::whatIsTold(bool ofTexts) const {
  const bool fillsGaps = model_->config().stack == Stack::EncoderOnly;
  const std::string where = fillsGaps ? "at its first mask" : "at its end",
                    without = " with a component removed from queries, keys or values, ";
  if (ofTexts && metric_.kind == Metric::Kind::Answer)
    return "change in " +
           std::string(ofEachText_->isDifference
                           ? "the logit difference of each text's prediction"
                           : "the prediction of each text (" + equationOf(metric_.of) + ")") +
           ", " + where + "," + without;
  if (ofTexts && metric_.kind == Metric::Kind::Divergence)
    return "KL divergence of each text's distributions, " + where + "," + without;
  return wordsOf(metric_, model_->config()) + without;
}

std::string EdgeAblationMap::equation() const { return equationOf(metric_, model_->config()); }

void EdgeAblationMap::addHere(bool isHere, TensorSet& set) const {
  const std::size_t rows = edges_->edges().senders.size(), columns = edges_->edges().receivers.size();
  Tensor here = isHere && here_ ? here_->told()
                                : Tensor({static_cast<int>(rows), static_cast<int>(columns)},
                                         std::vector<float>(rows * columns, NAN));
  set.addAcross({edge::here, "YZ", whatIsTold(false) + "in the open text", equation()}, std::move(here),
                acrossOpenText());
}

// What the gradient says, and how far it is off of those that were left out.
void EdgeAblationMap::addEstimates(TensorSet& set) const {
  if (!hasEdgeEstimates(model_->config(), metric_.kind)) return;
  Tensor errors = here_->estimated();
  std::ranges::transform(errors.values(), here_->told().values(), errors.values().begin(), std::minus<>());
  const std::string gradient =
      "−Σ q_i · ∂" + std::string(metric_.kind == Metric::Kind::Loss ? "L" : "y") + " / ∂q";
  set.addAcross(
      {edge::estimate, "YZ", "estimate by the gradient: " + whatIsTold(false) + "in the open text", gradient},
      here_->estimated(),
      [model = model_, edges = edges_->edges(), whole = open_, standing = standing_,
       metric = metric_](const Index& at) -> OpenPasses {
        const auto sender = static_cast<std::size_t>(at[0]), receiver = static_cast<std::size_t>(at[1]);
        if (!edges.leads(sender, receiver)) return {};
        return edgeEstimateAcross(model, edges, *whole, standing, sender, receiver, metric);
      });
  set.add({edge::error, "YZ", "error of the gradient's estimate", gradient + " − (" + equation() + ")"},
          std::move(errors), [estimate = set[edge::estimate], here = set[edge::here]](const Index& at) {
            return derivedDifference(&estimate(at[0], at[1]), &here(at[0], at[1]));
          });
}

void EdgeAblationMap::addEdges(float threshold, TensorSet& set) const {
  const int rows = static_cast<int>(edges_->edges().senders.size()),
            columns = static_cast<int>(edges_->edges().receivers.size());
  Tensor mean({rows, columns}), spread({rows, columns}), often({rows, columns});
  const bool isKnown = next_ == count() && ofTexts_;  // a mean over some would move
  for (int s = 0; s < rows; ++s)
    for (int r = 0; r < columns; ++r) {
      const auto number = edges_->of(static_cast<std::size_t>(s), static_cast<std::size_t>(r), threshold);
      const int texts = isKnown ? number.spread.texts() : 0;
      mean(s, r) = texts > 0 ? static_cast<float>(number.spread.mean()) : NAN;
      spread(s, r) = texts > 1 ? static_cast<float>(number.spread.deviation()) : NAN;
      often(s, r) = texts > 0 ? number.often : NAN;
    }
  const std::string what = whatIsTold(true), told = equation();
  // Of every text that was read, where the edge leads anywhere.
  std::vector<TensorView> texts;
  if (isKnown && edges_->texts() > 0) {
    set.addAcross({edge::ofTexts, "CYZ", what + "in each text", told}, Tensor(*ofTexts_), acrossTexts());
    for (int i = 0; i < edges_->texts(); ++i) texts.push_back(set[edge::ofTexts][i]);
  }
  const auto cellsOf = [texts](const Index& at) {
    std::vector<Cell> cells;
    for (const TensorView& text : texts)
      if (std::isfinite(text(at[0], at[1]))) cells.push_back(&text(at[0], at[1]));
    return cells;
  };
  set.add({edge::mean, "YZ", what + "on average over the texts", told}, std::move(mean),
          [cellsOf](const Index& at) { return derivedMean(cellsOf(at)); });
  set.add({edge::spread, "YZ", "spread of single texts around that", "the standard deviation over the texts"},
          std::move(spread), [cellsOf, mean = set[edge::mean]](const Index& at) {
            return derivedDeviation(cellsOf(at), &mean(at[0], at[1]));
          });
  if (!texts.empty()) addMattering(threshold, set);
  set.add({edge::often, "YZ", "the share of texts in which that is as large as the threshold", "|·| ≥ θ"},
          std::move(often),
          [matters = texts.empty() ? TensorView()
                                   : set[edge::matters]](const Index& at) -> std::optional<Derivation> {
            std::vector<Cell> cells;
            for (int i = 0; matters.data && i < matters.extent[0]; ++i)
              if (std::isfinite(matters(i, at[0], at[1]))) cells.push_back(&matters(i, at[0], at[1]));
            return cells.empty() ? std::nullopt : std::optional(derivedMean(cells));
          });
  set.add({edge::read, "2", "number of texts read, and of all texts", ""},
          Tensor({2}, {static_cast<float>(next_), static_cast<float>(count())}));
}

// Text by text, [|·| − θ ≥ 0].
void EdgeAblationMap::addMattering(float threshold, TensorSet& set) const {
  const TensorView rises = set[edge::ofTexts];
  Tensor matters = *ofTexts_;
  for (float& value : matters.values())
    value = std::isfinite(value) ? (std::abs(value) >= threshold ? 1.0f : 0.0f) : NAN;
  set.add(
      {edge::matters, "CYZ", "1 in a text in which that is as large as the threshold, else 0", "[|·| ≥ θ]"},
      std::move(matters), [rises, threshold](const Index& at) {
        const float& rise = rises(at[0], at[1], at[2]);
        return Derivation{
            .form = Form::Function,
            .terms = {{&rise, nullptr, rise < 0 ? -1.0f : 1.0f}, {nullptr, nullptr, -threshold}},
            .function = [](double over) { return over >= 0 ? 1.0 : 0.0; },
            .functionName = "step"};
      });
}

// What the picture tells of: as if the open text were the one text there is.
EdgesOverTexts EdgeAblationMap::toldOf() const {
  if (!ofOpenText_) return *edges_;
  EdgesOverTexts open(*model_);
  open.add(0, here_->told());
  return open;
}

void EdgeAblationMap::addListed(TensorSet& set) const {
  const auto listed = toldOf().strongest(edge::listed);
  if (listed.empty()) return;
  const int rows = static_cast<int>(listed.size());
  Tensor sender({rows}), receiver({rows});
  for (int i = 0; i < rows; ++i)
    sender(i) = static_cast<float>(listed[static_cast<std::size_t>(i)].first),
    receiver(i) = static_cast<float>(listed[static_cast<std::size_t>(i)].second);
  set.add({edge::sender, "Y", "the component that writes: a row of the table of edges", ""},
          std::move(sender));
  set.add({edge::receiver, "Y", "the input that reads: a column of the table of edges", ""},
          std::move(receiver));
}

void EdgeAblationMap::addAlone(TensorSet& set) const {
  set.addAcross({edge::alone, "2",
                 "the open text with the edges above the threshold alone: the metric of edges, and the share "
                 "of positions with the same top token",
                 ""},
                Tensor({2}, {alone_->told, alone_->answers}),
                [graph = acrossGraph()](const auto& at) { return at[0] == 0 ? graph : OpenPasses(); });
}

std::shared_ptr<TensorSet> EdgeAblationMap::keptOfOpenText(bool isHere) const {
  if (!isHere || !here_) return nullptr;
  auto set = std::make_shared<TensorSet>();
  addHere(isHere, *set);
  addEstimates(*set);
  addListed(*set);
  set->add({edge::tried, "2", "number of edges ablated, and of all edges", ""},
           Tensor({2}, {static_cast<float>(here_->tried()), static_cast<float>(here_->count())}));
  return set;
}

std::shared_ptr<TensorSet> EdgeAblationMap::keptOfTexts(float threshold, bool isHere) const {
  auto set = std::make_shared<TensorSet>();
  addEdges(threshold, *set);
  addHere(isHere, *set);
  if (next_ == count() && edges_->texts() > 0) addListed(*set);
  return set;
}

JobResult EdgeAblationMap::keptFor(const MeasuredModel& of, const Snapshot& snapshot) const {
  if (std::string why = whyNoEdges(of.model.config()); !why.empty()) return {.missing = why};
  if (snapshot.pass->trace && snapshot.pass->trace->tokenCount() < 2 &&
      tellsOfOpenText(of.workspace.settings))
    return {.missing = "edge ablation needs a text of at least two tokens"};
  if (!isOf(of) || !edges_) return {};
  if (!ofOpenText_ && !texts_.missing().empty()) return {.missing = texts_.missing()};
  const float threshold = thresholdOfEdges(of.workspace.settings);
  const bool isHere = open_ && open_ == snapshot.pass->trace && metric_ == asked(of, snapshot);
  auto set = ofOpenText_ ? keptOfOpenText(isHere) : keptOfTexts(threshold, isHere);
  if (set && isHere && alone_ && threshold_ == threshold) addAlone(*set);
  return {std::move(set)};
}

void EdgeAblationMap::show(const MeasuredModel& of, Snapshot& snapshot) const {
  put(snapshot, keptFor(of, snapshot), ofOpenTextAlone());
}

// The texts of which many are told; true where they, or how many of them are read, are others than before.
bool EdgeAblationMap::takeUpTexts(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) {
  const ViewSettings& settings = of.workspace.settings;
  const Interventions before = std::exchange(everywhere_, ofEveryText(standing_, *snapshot.pass->trace));
  const bool readsAll = settings.chosen(edgeTexts) == allEdgeTexts;
  const bool areMore = readsAll && !readsAll_;  // goes on behind those that are read
  const bool areFewer = std::exchange(readsAll_, readsAll) && !readsAll;
  const MetricChoice* const metric = &metricOfEdges(settings);
  const bool isOtherMetric = std::exchange(ofEachText_, metric) != metric;
  const bool areOthers = texts_.takeUp(of, begin) || before != everywhere_ || areFewer || isOtherMetric;
  if (areMore || areOthers) ofTexts_ = nullptr;
  if (areOthers) edges_.emplace(*model_), next_ = 0;
  return areMore || areOthers;
}

bool EdgeAblationMap::prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) {
  if (!snapshot.pass->hasTrace() || isMoving(of.workspace, snapshot) ||
      !whyNoEdges(of.model.config()).empty())
    return false;
  const bool isOther = model_ != of.model.shown->transformer;
  if (isOther) {
    model_ = of.model.shown->transformer;
    pass_ = std::make_unique<LivePass>(model_, threads_);
    mask_ = of.model.shown->tokenizer->mask();
    texts_.forget();
    edges_.emplace(*model_), ofTexts_ = nullptr, next_ = 0;
  }
  const bool isChanged = std::exchange(standing_, of.workspace.interventions) != of.workspace.interventions;
  const bool ofOpenText = tellsOfOpenText(of.workspace.settings),
             isOtherKind = std::exchange(ofOpenText_, ofOpenText) != ofOpenText;
  const bool areOthers = !ofOpenText && takeUpTexts(of, snapshot, begin);
  const bool isOtherText = std::exchange(open_, snapshot.pass->trace) != snapshot.pass->trace;
  const Metric metric = asked(of, snapshot);
  const bool isOtherMetric = std::exchange(metric_, metric) != metric;
  if (isOther || isChanged || isOtherText || isOtherMetric) here_.reset();
  const float threshold = thresholdOfEdges(of.workspace.settings);
  const bool isOtherGraph = std::exchange(threshold_, threshold) != threshold;
  const bool isNew =
      isOther || isChanged || isOtherKind || areOthers || isOtherText || isOtherMetric || isOtherGraph;
  if (isNew) alone_.reset();
  return isNew;
}

Metric EdgeAblationMap::metricOfText(const Trace& trace, const CountedTokens& counted) const {
  return ofEachText_->ofText(trace, gapsOf(trace.tokens(), mask_), counted);
}

// So many of the parts of all the work; false where the watch stopped it.
bool EdgeAblationMap::readTexts(const ProgressCallback& watch, int part, int parts) {
  for (; next_ < count(); ++next_) {
    const ProgressCallback own = partOf(watch, part + next_, parts);
    if (!isWhole(next_)) continue;
    const TokenText& text = texts_[next_];
    const auto trace = pass_->run(text.tokens, everywhere_, text.source);
    auto rises =
        leaveOutEdges(*pass_, edges_->edges(), *trace, everywhere_, metricOfText(*trace, text.counted), own);
    if (!rises) return false;
    edges_->add(next_, *std::move(rises));
  }
  if (!ofTexts_) ofTexts_ = std::make_shared<const Tensor>(edges_->all());
  return true;
}

void EdgeAblationMap::measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                              const std::function<void()>& more) {
  if (isMoving(of.workspace, snapshot) || !isOf(of) || !edges_ || !open_) return;
  const Prediction predicted = metric_.of.prediction;
  const bool isPredicted = predicted.entry >= 0 &&
                           predicted.position<open_->tokenCount(), isThere = open_->tokenCount()> 1 &&
                           (metric_.kind == Metric::Kind::Loss || isPredicted);
  const bool isHereLeft = isThere && !(here_ && here_->isWhole()), isGraphLeft = isThere && !alone_;
  const bool areTextsLeft = !ofOpenText_ && !(next_ == count() && ofTexts_);
  if (!isHereLeft && !isGraphLeft && !areTextsLeft) return;
  const ProgressCallback watch = begin(ofOpenText_ ? leavingOutHere : leavingOut);
  const int parts = count() + (isHereLeft ? 1 : 0);
  if (isHereLeft) {
    if (!here_) here_ = std::make_unique<EdgesHere>(model_, open_, edges_->edges(), standing_, metric_);
    if (!here_->leaveOut(*pass_, partOf(watch, next_, parts), more)) return;
  }
  if (areTextsLeft && !readTexts(watch, isHereLeft ? 1 : 0, parts)) return;
  if (isGraphLeft) reproduce();
  more();
}

// Those that matter as much as the threshold says.
KeptEdges EdgeAblationMap::keptEdges() const {
  const EdgesOverTexts told = toldOf();
  std::vector<bool> kept;
  for (std::size_t s = 0; s < edges_->edges().senders.size(); ++s)
    for (std::size_t r = 0; r < edges_->edges().receivers.size(); ++r)
      kept.push_back(std::abs(told.of(s, r, threshold_).spread.mean()) >= static_cast<double>(threshold_));
  return [kept, columns = edges_->edges().receivers.size()](std::size_t sender, std::size_t receiver) {
    return static_cast<bool>(kept[sender * columns + receiver]);
  };
}

TensorSet::AcrossOf EdgeAblationMap::acrossOpenText() const {
  return [model = model_, edges = edges_->edges(), whole = open_, standing = standing_,
          metric = metric_](const Index& at) -> OpenPasses {
    const auto sender = static_cast<std::size_t>(at[0]), receiver = static_cast<std::size_t>(at[1]);
    if (!edges.leads(sender, receiver)) return {};
    return [=] {
      return edgeAcross(model, edges, passAtHand(asItIsWords, whole), edgeWords(edges, sender, receiver),
                        standing, sender, receiver, metric);
    };
  };
}

TensorSet::AcrossOf EdgeAblationMap::acrossTexts() const {
  std::vector<TokenText> texts;
  std::vector<std::string> names;
  for (int i = 0; i < edges_->texts(); ++i) {
    texts.push_back(texts_[edges_->number(i)]);
    names.push_back("text " + std::to_string(edges_->number(i) + 1));
  }
  return [model = model_, edges = edges_->edges(), standing = everywhere_, metric = ofEachText_, mask = mask_,
          texts, names](const Index& at) -> OpenPasses {
    const auto text = static_cast<std::size_t>(at[0]), sender = static_cast<std::size_t>(at[1]),
               receiver = static_cast<std::size_t>(at[2]);
    if (!edges.leads(sender, receiver)) return {};
    return [=, read = texts[text], name = names[text]] {
      ReplayedPass whole = passAgain(name + " as it is", model, Trace(read.tokens, read.source), standing);
      const Metric own = metric->ofText(*whole.trace, gapsOf(read.tokens, mask), read.counted);
      return edgeAcross(model, edges, std::move(whole), name + ", " + edgeWords(edges, sender, receiver),
                        standing, sender, receiver, own);
    };
  };
}

OpenPasses EdgeAblationMap::acrossGraph() const {
  return [model = model_, edges = edges_->edges(), whole = open_, standing = standing_, isKept = keptEdges(),
          metric = metric_] {
    LivePass pass(model);
    ReplayedPass alone =
        passAtHand("the graph of edges alone", passOfEdges(pass, edges, *whole, standing, isKept));
    return metricAcross(model->config(), passAtHand(asItIsWords, whole), std::move(alone), metric);
  };
}

void EdgeAblationMap::reproduce() {
  const auto graph = passOfEdges(*pass_, edges_->edges(), *open_, standing_, keptEdges());
  alone_ = reproducedBy(model_->config(), *open_, *graph, metric_);
}

}  // namespace glassformer
