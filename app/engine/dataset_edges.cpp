#include "app/engine/dataset_edges.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/edge_settings.h"
#include "app/document/workspace.h"
#include "app/engine/ablation_map.h"
#include "app/engine/corpus.h"
#include "app/engine/open_model.h"
#include "core/lens/ablation.h"
#include "core/lens/across_changes.h"
#include "core/trace/derived.h"
#include "core/trace/every_text.h"

namespace glassformer {

namespace {
using Index = std::array<int, maxRank>;
}  // namespace

DatasetEdges::DatasetEdges(const DatasetEdgesKey& key, std::shared_ptr<const SearchedTexts> texts,
                           const JobSide& side, int threads)
    : key_(key),
      texts_(std::move(texts)),
      pass_(key.model, threads),
      mask_(side.of.model.shown->tokenizer->mask()),
      edges_(edgesOf(*key.model)) {}

int DatasetEdges::count() const {
  return key_.readsAll ? texts_->count() : std::min(texts_->count(), DatasetEdgeAblation::usualTexts);
}

Metric DatasetEdges::metricOf(const Trace& trace, const CountedTokens& counted) const {
  return key_.metric->ofText(trace, gapsOf(trace.tokens(), mask_), counted);
}

bool DatasetEdges::follow(const JobSide& side) {
  const float threshold = thresholdOfEdges(side.workspace().settings);
  return std::exchange(threshold_, threshold) != threshold;
}

std::string DatasetEdges::meaning(const JobSide& side) const {
  const Metric metric = edgeMetricAsked(side);
  const bool fillsGaps = key_.model->config().stack == Stack::EncoderOnly;
  const std::string where = fillsGaps ? "at its first mask," : "at its end,";
  if (metric.kind == Metric::Kind::Answer)
    return "change in " +
           std::string(key_.metric->isDifference
                           ? "the logit difference of each text's prediction"
                           : "the prediction of each text (" + equationOf(metric.of) + ")") +
           ", " + where + withoutEdge;
  if (metric.kind == Metric::Kind::Divergence)
    return "KL divergence of each text's distributions, " + where + withoutEdge;
  return wordsOf(metric, key_.model->config()) + withoutEdge;
}

void DatasetEdges::addEdges(float threshold, const JobSide& side, TensorSet& set) const {
  const int rows = static_cast<int>(edges_.edges().senders.size()),
            columns = static_cast<int>(edges_.edges().receivers.size());
  Tensor mean({rows, columns}), spread({rows, columns}), often({rows, columns});
  for (int s = 0; s < rows; ++s)
    for (int r = 0; r < columns; ++r) {
      const auto number = edges_.of(static_cast<std::size_t>(s), static_cast<std::size_t>(r), threshold);
      const int texts = isRead() ? number.spread.texts() : 0;  // a mean over some would move
      mean(s, r) = texts > 0 ? static_cast<float>(number.spread.mean()) : NAN;
      spread(s, r) = texts > 1 ? static_cast<float>(number.spread.deviation()) : NAN;
      often(s, r) = texts > 0 ? number.often : NAN;
    }
  const std::string what = meaning(side), told = equationOf(edgeMetricAsked(side), key_.model->config());
  // Of every text that was read, where the edge leads anywhere.
  std::vector<TensorView> texts;
  if (isRead() && edges_.texts() > 0) {
    set.addAcross({edge::ofTexts, "CYZ", what + "in each text", told}, Tensor(*ofTexts_), acrossTexts());
    for (int i = 0; i < edges_.texts(); ++i) texts.push_back(set[edge::ofTexts][i]);
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
void DatasetEdges::addMattering(float threshold, TensorSet& set) const {
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

TensorSet::AcrossOf DatasetEdges::acrossTexts() const {
  std::vector<TokenText> texts;
  std::vector<std::string> names;
  for (int i = 0; i < edges_.texts(); ++i) {
    texts.push_back((*texts_)[edges_.number(i)]);
    names.push_back("text " + std::to_string(edges_.number(i) + 1));
  }
  return [key = key_, edges = edges_.edges(), mask = mask_, texts, names](const Index& at) -> OpenPasses {
    const auto text = static_cast<std::size_t>(at[0]), sender = static_cast<std::size_t>(at[1]),
               receiver = static_cast<std::size_t>(at[2]);
    if (!edges.leads(sender, receiver)) return {};
    return [=, read = texts[text], name = names[text]] {
      ReplayedPass whole =
          passAgain(name + " as it is", key.model, Trace(read.tokens, read.source), key.everywhere);
      const Metric own = key.metric->ofText(*whole.trace, gapsOf(read.tokens, mask), read.counted);
      return edgeAcross(key.model, edges, std::move(whole), name + ", " + edgeWords(edges, sender, receiver),
                        key.everywhere, sender, receiver, own);
    };
  };
}

const EdgeGraph* DatasetEdges::graphOf(const EdgesKey& asked, float threshold) const {
  const auto found =
      std::ranges::find_if(graphs_, [&](const EdgeGraph& graph) { return graph.answers(asked, threshold); });
  return found == graphs_.end() ? nullptr : &*found;
}

JobResult DatasetEdges::result(const JobSide& side) const {
  if (!texts_->missing().empty()) return {.missing = texts_->missing()};
  const float threshold = thresholdOfEdges(side.workspace().settings);
  auto set = std::make_shared<TensorSet>();
  addEdges(threshold, side, *set);
  if (isRead() && edges_.texts() > 0) addStrongestEdges(edges_, *set);
  const auto asked = edgesAsked(side);
  const EdgeGraph* const graph = asked ? graphOf(*asked, threshold) : nullptr;
  if (graph) addGraph(*graph, edges_.edges(), *set);
  return {std::move(set)};
}

// False where it was stopped.
bool DatasetEdges::readTexts(const StartJob& begin) {
  const ProgressCallback watch = begin(DatasetEdgeAblation::doing);
  for (; next_ < count(); ++next_) {
    const TokenText& text = (*texts_)[next_];
    if (!texts_->isWhole(next_, key_.model->config()) || text.tokens.size() < 2) continue;
    const auto trace = pass_.run(text.tokens, key_.everywhere, text.source);
    auto rises = leaveOutEdges(pass_, edges_.edges(), *trace, key_.everywhere, metricOf(*trace, text.counted),
                               partOf(watch, next_, count()));
    if (!rises) return false;
    edges_.add(next_, *std::move(rises));
  }
  ofTexts_ = std::make_shared<const Tensor>(edges_.all());
  return true;
}

bool DatasetEdges::goOn(const JobSide& side, const StartJob& begin, const std::function<void()>& more) {
  const auto asked = edgesAsked(side);
  const bool isGraphLeft = asked && !graphOf(*asked, threshold_);
  if (isRead() && !isGraphLeft) return true;
  if (!isRead() && !readTexts(begin)) return false;
  if (isGraphLeft) {
    if (graphs_.size() == 2) graphs_.erase(graphs_.begin());  // of two texts that are compared
    graphs_.push_back(graphOfEdges(*asked, edges_, threshold_, pass_));
  }
  more();
  return true;
}

std::optional<DatasetEdgesKey> DatasetEdgeAblation::key(const JobSide& side) const {
  const ViewSettings& settings = side.workspace().settings;
  const auto texts = side.corpus();
  if (!texts || !side.snapshot.pass->hasTrace() || tellsOfOpenText(settings) ||
      !whyNoEdges(side.config()).empty())
    return std::nullopt;
  return DatasetEdgesKey{*texts, ofEveryText(side.interventions, *side.snapshot.pass->trace),
                         &metricOfEdges(settings), settings.chosen(edgeTexts) == allEdgeTexts};
}

}  // namespace glassformer
