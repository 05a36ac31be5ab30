#include "app/engine/edge_bench.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "app/document/edge_settings.h"
#include "app/document/workspace.h"
#include "app/engine/causal_map.h"
#include "app/engine/corpus.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/lens/across_changes.h"
#include "core/trace/derived.h"
#include "core/trace/every_text.h"

namespace glassformer {

namespace {
// "L0H1 to L1H2.k left out".
std::string edgeWords(const ModelEdges& edges, std::size_t sender, std::size_t receiver) {
  return nameOf(edges.senders[sender]) + " to " + nameOf(edges.receivers[receiver]) + " left out";
}
}  // namespace

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
  const bool isKnown = next_ == count() && ofTexts_;  // a mean over some would move
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
  // Of every text that was read, where the edge leads anywhere.
  std::vector<TensorView> texts;
  if (isKnown && edges_->texts() > 0) {
    set.addAcross({edge::ofTexts, "CYZ", what + "in each text", equation}, Tensor(*ofTexts_), acrossTexts());
    for (int i = 0; i < edges_->texts(); ++i) texts.push_back(set[edge::ofTexts][i]);
  }
  const auto cellsOf = [texts](const Index& at) {
    std::vector<Cell> cells;
    for (const TensorView& text : texts)
      if (std::isfinite(text(at[0], at[1]))) cells.push_back(&text(at[0], at[1]));
    return cells;
  };
  set.add({edge::mean, "YZ", what + "on average over the texts", equation}, std::move(mean),
          [cellsOf](const Index& at) { return derivedMean(cellsOf(at)); });
  set.add({edge::spread, "YZ", "how far single texts lie from that", "the standard deviation over the texts"},
          std::move(spread), [cellsOf, mean = set[edge::mean]](const Index& at) {
            return derivedDeviation(cellsOf(at), &mean(at[0], at[1]));
          });
  set.addAcross({edge::here, "YZ", what + "in the open text", equation}, std::move(here), acrossOpenText());
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
  set.add({edge::read, "2", "how many texts were read, and of how many", ""},
          Tensor({2}, {static_cast<float>(next_), static_cast<float>(count())}));
}

// Text by text, [|·| − θ ≥ 0].
void EdgeBench::addMattering(float threshold, TensorSet& set) const {
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
    set->addAcross(
        {edge::alone, "2",
         "what the open text comes to by the edges above the threshold alone: what is told of edges, and "
         "the share of places at which the likeliest token stays",
         ""},
        Tensor({2}, {alone_->loss, alone_->answers}),
        [graph = acrossGraph()](const auto& at) { return at[0] == 0 ? graph : OpenPasses(); });
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
  const bool readsAll = of.workspace.settings.chosen(edgeTexts) == allEdgeTexts;
  const bool areMore = readsAll && !readsAll_;  // goes on behind those that are read
  const bool areFewer = std::exchange(readsAll_, readsAll) && !readsAll;
  const bool areOthers = texts_.takeUp(of, begin) || before != everywhere_ || isOther || areFewer;
  if (areMore) ofTexts_ = nullptr;
  if (areOthers) edges_.emplace(*model_), ofTexts_ = nullptr, next_ = 0;
  const bool isOtherText = std::exchange(open_, snapshot.pass->trace) != snapshot.pass->trace;
  if (isOtherText || areOthers) here_.reset();
  const float threshold = thresholdOfEdges(of.workspace.settings);
  const bool isOtherGraph = std::exchange(threshold_, threshold) != threshold;
  if (isOtherText || areOthers || areMore || isOtherGraph) alone_.reset();
  return areOthers || areMore || isOtherText || isOtherGraph;
}

void EdgeBench::measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
                        const std::function<void()>& more) {
  if (isMoving(of.workspace, snapshot) || !isOf(of) || !edges_) return;
  const bool isHereLeft = !here_ && open_ && open_->tokenCount() > 1;
  const bool isGraphLeft = !alone_ && open_ && open_->tokenCount() > 1;
  if (!isHereLeft && !isGraphLeft && next_ == count() && ofTexts_) return;
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
    edges_->add(next_, *std::move(rises));
  }
  if (!ofTexts_) ofTexts_ = std::make_shared<const Tensor>(edges_->all());
  if (isGraphLeft) reproduce();
  more();
}

// Those that matter as much as the threshold says.
KeptEdges EdgeBench::keptEdges() const {
  std::vector<bool> kept;
  for (std::size_t s = 0; s < edges_->edges().senders.size(); ++s)
    for (std::size_t r = 0; r < edges_->edges().receivers.size(); ++r)
      kept.push_back(std::abs(edges_->of(s, r, threshold_).spread.mean()) >= static_cast<double>(threshold_));
  return [kept, columns = edges_->edges().receivers.size()](std::size_t sender, std::size_t receiver) {
    return static_cast<bool>(kept[sender * columns + receiver]);
  };
}

TensorSet::AcrossOf EdgeBench::acrossOpenText() const {
  return [model = model_, edges = edges_->edges(), whole = open_, standing = standing_,
          gaps = gapsOf(open_->tokens(), mask_)](const Index& at) -> OpenPasses {
    const auto sender = static_cast<std::size_t>(at[0]), receiver = static_cast<std::size_t>(at[1]);
    if (!edges.leads(sender, receiver)) return {};
    return [=] {
      return edgeAcross(model, edges, passAtHand(asItIsWords, whole), edgeWords(edges, sender, receiver),
                        standing, sender, receiver, gaps);
    };
  };
}

TensorSet::AcrossOf EdgeBench::acrossTexts() const {
  std::vector<TokenText> texts;
  std::vector<std::string> names;
  for (int i = 0; i < edges_->texts(); ++i) {
    texts.push_back(texts_[edges_->number(i)]);
    names.push_back("text " + std::to_string(edges_->number(i) + 1));
  }
  return [model = model_, edges = edges_->edges(), standing = everywhere_, mask = mask_, texts,
          names](const Index& at) -> OpenPasses {
    const auto text = static_cast<std::size_t>(at[0]), sender = static_cast<std::size_t>(at[1]),
               receiver = static_cast<std::size_t>(at[2]);
    if (!edges.leads(sender, receiver)) return {};
    return [=, read = texts[text], name = names[text]] {
      PassAgain whole = passAgain(name + " as it is", model, Trace(read.tokens, read.source), standing);
      return edgeAcross(model, edges, std::move(whole), name + ", " + edgeWords(edges, sender, receiver),
                        standing, sender, receiver, gapsOf(read.tokens, mask));
    };
  };
}

OpenPasses EdgeBench::acrossGraph() const {
  return [model = model_, edges = edges_->edges(), whole = open_, standing = standing_, isKept = keptEdges(),
          gaps = gapsOf(open_->tokens(), mask_)] {
    LivePass pass(model);
    PassAgain alone =
        passAtHand("the graph of edges alone", passOfEdges(pass, edges, *whole, standing, isKept));
    return riseAcross(model->config(), passAtHand(asItIsWords, whole), std::move(alone), gaps);
  };
}

void EdgeBench::reproduce() {
  const auto graph = passOfEdges(*pass_, edges_->edges(), *open_, standing_, keptEdges());
  alone_ = reproducedBy(model_->config(), *open_, *graph, gapsOf(open_->tokens(), mask_));
}

}  // namespace glassformer
