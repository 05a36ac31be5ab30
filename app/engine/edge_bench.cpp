#include "app/engine/edge_bench.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "app/document/edge_settings.h"
#include "app/document/workspace.h"
#include "app/engine/corpus.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/trace/every_text.h"

namespace glassformer {

float thresholdOfEdges(const ViewSettings& settings) {
  const std::string chosen(settings.chosen(edgeThreshold));
  const float number = std::strtof(chosen.empty() ? usualEdgeThreshold : chosen.c_str(), nullptr);
  return number > 0 ? number : std::strtof(usualEdgeThreshold, nullptr);
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

std::vector<std::pair<std::size_t, std::size_t>> EdgesOverTexts::strongest(std::size_t most) const {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t s = 0; s < edges_.senders.size(); ++s)
    for (std::size_t r = 0; r < edges_.receivers.size(); ++r)
      if (edges_.leads(s, r)) all.emplace_back(s, r);
  std::ranges::stable_sort(all, std::greater<>(), [&](const auto& each) {
    return std::abs(of(each.first, each.second, 0).spread.mean());
  });
  all.resize(std::min(all.size(), most));
  return all;
}

bool EdgeBench::isOf(const MeasuredModel& of) const {
  return model_ && model_ == of.model.shown->transformer && texts_.areAsked(of) &&
         standing_ == of.workspace.interventions;
}

bool EdgeBench::isWhole(int text) const {
  return texts_.isWhole(text, model_->config()) && texts_[text].tokens.size() > 1;
}

void EdgeBench::addEdges(float threshold, bool isHere, TensorSet& set) const {
  const int rows = static_cast<int>(edges_->edges().senders.size()),
            columns = static_cast<int>(edges_->edges().receivers.size());
  Tensor mean({rows, columns}), spread({rows, columns}), here({rows, columns}), often({rows, columns});
  const bool isKnown = next_ == count();  // a mean over some would move
  for (int s = 0; s < rows; ++s)
    for (int r = 0; r < columns; ++r) {
      const auto number = edges_->of(static_cast<std::size_t>(s), static_cast<std::size_t>(r), threshold);
      const int texts = isKnown ? number.spread.texts() : 0;
      mean(s, r) = texts > 0 ? static_cast<float>(number.spread.mean()) : NAN;
      spread(s, r) = texts > 1 ? static_cast<float>(number.spread.deviation()) : NAN;
      often(s, r) = texts > 0 ? number.often : NAN;
      here(s, r) = isHere && here_ ? here_->view()(s, r) : NAN;
    }
  const bool fillsGaps = model_->config().stack == Stack::EncoderOnly;
  const std::string what = std::string(fillsGaps ? "how far what is said in gaps moves"
                                                 : "what the loss rises by") +
                           " without what a sender made of queries, keys or values, ",
                    equation = fillsGaps ? "KL(p ‖ p without)" : "L without − L";
  set.add({edge::mean, "YZ", what + "on average over the texts", equation}, std::move(mean));
  set.add({edge::spread, "YZ", "how far single texts lie from that", "the standard deviation over the texts"},
          std::move(spread));
  set.add({edge::here, "YZ", what + "in the open text", equation}, std::move(here));
  set.add({edge::often, "YZ", "the share of texts in which that is as large as the threshold", "|·| ≥ θ"},
          std::move(often));
  set.add({edge::read, "2", "how many texts were read, and of how many", ""},
          Tensor({2}, {static_cast<float>(next_), static_cast<float>(count())}));
}

void EdgeBench::addListed(TensorSet& set) const {
  if (next_ != count() || edges_->texts() == 0) return;
  const auto listed = edges_->strongest(edge::listed);
  const int rows = static_cast<int>(listed.size());
  Tensor sender({rows}), receiver({rows});
  for (int i = 0; i < rows; ++i)
    sender(i) = static_cast<float>(listed[static_cast<std::size_t>(i)].first),
    receiver(i) = static_cast<float>(listed[static_cast<std::size_t>(i)].second);
  set.add({edge::sender, "Y", "who writes: a row of the table of edges", ""}, std::move(sender));
  set.add({edge::receiver, "Y", "who reads: a column of the table of edges", ""}, std::move(receiver));
}

Kept EdgeBench::keptFor(const MeasuredModel& of, const Snapshot& snapshot) const {
  if (std::string why = whyNoEdges(of.model.config()); !why.empty()) return {.missing = why};
  if (!isOf(of) || !edges_) return {};
  if (!texts_.missing().empty()) return {.missing = texts_.missing()};
  auto set = std::make_shared<TensorSet>();
  const bool isHere = open_ && open_ == snapshot.pass->trace;
  addEdges(thresholdOfEdges(of.workspace.settings), isHere, *set);
  addListed(*set);
  if (isHere && alone_ && threshold_ == thresholdOfEdges(of.workspace.settings))
    set->add(
        {edge::alone, "2",
         "what the open text comes to by the edges above the threshold alone: what is told of edges, and "
         "the share of places at which the likeliest token stays",
         ""},
        Tensor({2}, {alone_->loss, alone_->answers}));
  return {std::move(set)};
}

void EdgeBench::show(const MeasuredModel& of, Snapshot& snapshot) const {
  put(snapshot, keptFor(of, snapshot), ofOpenTextAlone(),
      {.missing = "side by side shows what each edge does over many texts"});
}

bool EdgeBench::prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin) {
  if (!snapshot.pass->hasTrace() || isMoving(of.workspace, snapshot) ||
      !whyNoEdges(of.model.config()).empty())
    return false;
  const bool isOther = model_ != of.model.shown->transformer;
  if (isOther) {
    model_ = of.model.shown->transformer;
    pass_ = std::make_unique<LivePass>(model_, threads_);
    mask_ = of.model.shown->tokenizer->mask();
    texts_.forget();
  }
  standing_ = of.workspace.interventions;
  const Interventions before = std::exchange(everywhere_, ofEveryText(standing_, *snapshot.pass->trace));
  const bool areOthers = texts_.takeUp(of, begin) || before != everywhere_ || isOther;
  if (areOthers) edges_.emplace(*model_), next_ = 0;
  const bool isOtherText = std::exchange(open_, snapshot.pass->trace) != snapshot.pass->trace;
  if (isOtherText || areOthers) here_.reset();
  const float threshold = thresholdOfEdges(of.workspace.settings);
  const bool isOtherGraph = std::exchange(threshold_, threshold) != threshold;
  if (isOtherText || areOthers || isOtherGraph) alone_.reset();
  return areOthers || isOtherText || isOtherGraph;
}

void EdgeBench::measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
                        const std::function<void()>& more) {
  if (isMoving(of.workspace, snapshot) || !isOf(of) || !edges_) return;
  const bool isHereLeft = !here_ && open_ && open_->tokenCount() > 1;
  const bool isGraphLeft = !alone_ && open_ && open_->tokenCount() > 1;
  if (!isHereLeft && !isGraphLeft && next_ == count()) return;
  const Watch watch = begin(leavingOut);
  const int whole = count() + (isHereLeft ? 1 : 0);
  int done = next_;
  const auto part = [&] { return partOf(watch, done++, whole); };
  if (isHereLeft) {
    here_ = leaveOutEdges(*pass_, edges_->edges(), *open_, standing_, gapsOf(open_->tokens(), mask_), part());
    if (!here_) return;
    more();
  }
  for (; next_ < count(); ++next_) {
    const Watch own = part();
    if (!isWhole(next_)) continue;
    const TokenText& text = texts_[next_];
    const auto trace = pass_->run(text.tokens, everywhere_, text.source);
    auto rises = leaveOutEdges(*pass_, edges_->edges(), *trace, everywhere_, gapsOf(text.tokens, mask_), own);
    if (!rises) return;
    edges_->add(*std::move(rises));
  }
  if (isGraphLeft) reproduce();
  more();
}

void EdgeBench::reproduce() {
  const auto isKept = [&](std::size_t sender, std::size_t receiver) {
    return std::abs(edges_->of(sender, receiver, threshold_).spread.mean()) >=
           static_cast<double>(threshold_);
  };
  const auto graph = passOfEdges(*pass_, edges_->edges(), *open_, standing_, isKept);
  alone_ = reproducedBy(model_->config(), *open_, *graph, gapsOf(open_->tokens(), mask_));
}

}  // namespace glassformer
