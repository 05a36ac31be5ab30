#include "app/engine/effect_bench.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/attention_planes.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/lens/recovered_loss.h"
#include "core/trace/every_text.h"

namespace glassformer {

namespace {

float meanOr(const Spread& spread) { return spread.texts() > 0 ? static_cast<float>(spread.mean()) : NAN; }
float deviationOr(const Spread& spread) {
  return spread.texts() > 1 ? static_cast<float>(spread.deviation()) : NAN;
}

Interventions withPartOff(Interventions standing, const Intervention& off) {
  standing.push_back(off);
  return standing;
}

// Whether a contribution is of the part.
bool belongsTo(const ContributionPart& contribution, const ModelPart& part) {
  using Kind = ContributionPart::Kind;
  const bool samePlace = contribution.head.layer == part.layer && contribution.head.site == part.site;
  switch (part.kind) {
    case ModelPart::Kind::Head:
      return contribution.kind == Kind::Head && samePlace && contribution.head.head == part.head;
    case ModelPart::Kind::Attention:
      return (contribution.kind == Kind::Head || contribution.kind == Kind::OutputBias) && samePlace;
    case ModelPart::Kind::Recurrence:
      return contribution.kind == Kind::Recurrence && contribution.head.layer == part.layer;
    case ModelPart::Kind::Convolution:
      return contribution.kind == Kind::Convolution && contribution.head.layer == part.layer;
    case ModelPart::Kind::Mlp:
      break;
  }
  return contribution.kind == Kind::Mlp && contribution.head.layer == part.layer &&
         part.site != AttentionSite::Encoder;
}

// Rows of different lengths one below the other; NaN where one has ended.
Tensor risesOf(const std::vector<std::vector<float>>& rows) {
  std::size_t longest = 1;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  Tensor all({static_cast<int>(rows.size()), static_cast<int>(longest)},
             std::vector<float>(rows.size() * longest, NAN));
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(rows[i], all.values().begin() + static_cast<std::ptrdiff_t>(i * longest));
  return all;
}

}  // namespace

std::vector<float> directOfCells(const Transformer& model, const std::vector<float>& contributions) {
  const ModelConfig& config = model.config();
  const auto named = contributionParts(model);
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < causalColumns(config); ++column) {
      const auto part = causalPart(config, row, column);
      float sum = NAN;
      for (std::size_t m = 0; part && m < contributions.size(); ++m)
        if (belongsTo(named[m], *part)) sum = (std::isnan(sum) ? 0 : sum) + contributions[m];
      cells.push_back(sum);
    }
  return cells;
}

bool EffectBench::isOf(const MeasuredModel& of) const {
  return model_ && model_ == of.model.shown->transformer && texts_.areAsked(of) &&
         standing_ == of.workspace.interventions;
}

bool EffectBench::isWhole(int text) const {
  return texts_.isWhole(text, model_->config()) && texts_[text].tokens.size() > 1;
}

// −1: the model has no heads.
int EffectBench::selectedCell(const MeasuredModel& of) const {
  const ModelConfig& config = model_->config();
  if (!config.attends()) return -1;
  const HeadId head = selectedHead(of.workspace, config);
  const auto rows = causalRows(config);
  const auto row = std::ranges::find_if(
      rows, [&](const CausalRow& each) { return each.site == head.site && each.layer == head.layer; });
  return static_cast<int>(row - rows.begin()) * causalColumns(config) + head.head;
}

void EffectBench::addParts(bool isHere, TensorSet& set) const {
  const int columns = causalColumns(model_->config()), rows = static_cast<int>(parts_.size()) / columns;
  const auto add = [&](const char* name, const char* meaning, const char* equation, auto number) {
    Tensor values({rows, columns});
    std::ranges::transform(parts_, values.values().begin(), number);
    set.add({name, "YZ", meaning, equation}, std::move(values));
  };
  // Of all texts or of none: a mean over some would move.
  const auto known = [&](const Part& part, const Spread& spread, auto number) {
    return part.next == texts_.count() ? number(spread) : NAN;
  };
  const auto read = [&](const Spread& spread, auto number) {
    return static_cast<int>(whole_.size()) == texts_.count() ? number(spread) : NAN;
  };
  add(effects::loss, "by how much the loss rises without the part, on average over the texts",
      "L without − L", [&](const Part& part) { return known(part, part.effects.loss(), meanOr); });
  add(effects::lossSpread, "how far single texts lie from that", "the standard deviation over the texts",
      [&](const Part& part) { return known(part, part.effects.loss(), deviationOr); });
  add(effects::logit, "what the logits of the tokens that come change by without the part, on average",
      "z without − z", [&](const Part& part) { return known(part, part.effects.logit(), meanOr); });
  add(effects::logitSpread, "how far single texts lie from that", "the standard deviation over the texts",
      [&](const Part& part) { return known(part, part.effects.logit(), deviationOr); });
  add(effects::direct, "what the part itself adds to the logits of the tokens that come, on average",
      "γ ⊙ (x_m − mean(x_m)) / σ · W_U", [&](const Part& part) { return read(part.direct, meanOr); });
  add(effects::directSpread, "how far single texts lie from that", "the standard deviation over the texts",
      [&](const Part& part) { return read(part.direct, deviationOr); });
  const auto here = [&](const Part& part, float TextEffect::*number) {
    return isHere && part.here ? (*part.here).*number : NAN;
  };
  add(effects::lossHere, "by how much the loss of the open text rises without the part", "L without − L",
      [&](const Part& part) { return here(part, &TextEffect::loss); });
  add(effects::logitHere, "what the logits of the open text's tokens change by without the part",
      "z without − z", [&](const Part& part) { return here(part, &TextEffect::logit); });
  add(effects::directHere, "what the part itself adds to the logits of the open text's tokens",
      "γ ⊙ (x_m − mean(x_m)) / σ · W_U", [&](const Part& part) { return isHere ? part.directHere : NAN; });
  set.add({effects::read, "2", "how many texts were read, and of how many", ""},
          Tensor({2}, {static_cast<float>(whole_.size()), static_cast<float>(texts_.count())}));
  set.add({effects::interventions, "2",
           "interventions that every pass went through, and those that are of the open text alone", ""},
          Tensor({2}, {static_cast<float>(everywhere_.size()),
                       static_cast<float>(standing_.size() - everywhere_.size())}));
}

void EffectBench::addExamples(TensorSet& set) const {
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
           "by how much the loss rises without the head in the texts where it does most", "L without − L"},
          std::move(loss));
  set.add({effects::worst, "Y", "in front of which token it rises most", "argmax"}, std::move(worst));
  set.add(
      {effects::rises, "YZ", "by how much it rises of each token behind the first", "ln p − ln p without"},
      risesOf(rises));
  set.add({effects::tokens, "YZ", "the tokens of each text", ""}, texts_.tokens(texts));
  if (model_->config().reads())
    set.add({effects::source, "YZ", "the tokens of the source of each text", ""}, texts_.sources(texts));
}

Kept EffectBench::keptFor(const MeasuredModel& of, const Snapshot& snapshot) const {
  if (std::string why = whyNoRecoveredLoss(of.model.config()); !why.empty()) return {.missing = why};
  if (!isOf(of)) return {};
  if (!texts_.missing().empty()) return {.missing = texts_.missing()};
  auto set = std::make_shared<TensorSet>();
  addParts(open_ && open_ == snapshot.pass->trace, *set);
  if (exampleCell_ == selectedCell(of)) addExamples(*set);
  return {std::move(set)};
}

void EffectBench::show(const MeasuredModel& of, Snapshot& snapshot) const {
  put(snapshot, keptFor(of, snapshot), ofOpenTextAlone(),
      {.missing = "side by side shows what each part does over many texts"});
}

void EffectBench::beginAnew() {
  parts_.clear(), whole_.clear(), examples_.clear();
  exampleCell_ = -1, open_ = nullptr;
  for (std::optional<Intervention>& off : everyPartOff(model_->config())) parts_.push_back({std::move(off)});
}

// True where the passes over many texts go through others than before.
bool EffectBench::takeUpInterventions(const MeasuredModel& of, const Snapshot& snapshot) {
  standing_ = of.workspace.interventions;
  const Interventions before = std::exchange(everywhere_, ofEveryText(standing_, *snapshot.pass->trace));
  return before != everywhere_;
}

bool EffectBench::takeUpOpenText(const Snapshot& snapshot) {
  const auto& trace = snapshot.pass->trace;
  if (open_ == trace) return false;
  open_ = trace, openWhole_ = {};
  for (Part& part : parts_) part.here.reset(), part.directHere = NAN;
  return true;
}

bool EffectBench::prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin) {
  if (!snapshot.pass->hasTrace() || isMoving(of.workspace, snapshot) ||
      !whyNoRecoveredLoss(of.model.config()).empty())
    return false;
  const bool isOther = model_ != of.model.shown->transformer;
  if (isOther) {
    model_ = of.model.shown->transformer;
    pass_ = std::make_unique<LivePass>(model_, threads_);
    texts_.forget();
  }
  const bool isChanged = takeUpInterventions(of, snapshot), areOthers = texts_.takeUp(of, begin) || isChanged;
  if (!isOf(of)) return isOther;
  if (areOthers) beginAnew();
  const int before = std::exchange(askedCell_, selectedCell(of));
  const bool isAnotherHead = before != askedCell_;
  return takeUpOpenText(snapshot) || isOther || areOthers || isAnotherHead;
}

bool EffectBench::readTexts(const Watch& watch, const std::function<void()>& more) {
  const int count = texts_.count();
  for (int i = static_cast<int>(whole_.size()); i < count; ++i) {
    if (!watch(i, count)) return false;
    whole_.emplace_back();
    if (!isWhole(i)) continue;
    const auto trace = pass_->run(texts_[i].tokens, everywhere_, texts_[i].source);
    whole_.back() = tokenLossesOf(*trace);
    const std::vector<float> direct = directOfCells(*model_, contributionsToNext(*model_, *trace));
    for (std::size_t cell = 0; cell < direct.size(); ++cell)
      if (std::isfinite(direct[cell])) parts_[cell].direct.add(static_cast<double>(direct[cell]));
  }
  more();
  return true;
}

// What is not known over all texts: one of them first, then those that add most.
std::vector<int> EffectBench::partsLeft(int first) const {
  std::vector<int> left;
  for (int cell = 0; cell < static_cast<int>(parts_.size()); ++cell)
    if (const Part& part = parts_[static_cast<std::size_t>(cell)]; part.off && part.next < texts_.count())
      left.push_back(cell);
  std::ranges::stable_sort(left, std::greater<>(), [&](int cell) {
    return cell == first ? INFINITY
                         : static_cast<float>(std::abs(parts_[static_cast<std::size_t>(cell)].direct.mean()));
  });
  return left;
}

bool EffectBench::leaveOut(Part& part, const Watch& watch, int done, int whole) {
  const int count = texts_.count();
  for (; part.next < count; ++part.next) {
    if (!watch(done * count + part.next, whole * count)) return false;
    if (!isWhole(part.next)) continue;
    const TokenText& text = texts_[part.next];
    const auto without =
        tokenLossesOf(*pass_->run(text.tokens, withPartOff(everywhere_, *part.off), text.source));
    part.effects.add(part.next, effectOn(whole_[static_cast<std::size_t>(part.next)], without));
  }
  return true;
}

void EffectBench::leaveOutHere(Part& part) {
  part.here = effectOn(openWhole_, tokenLossesOf(*pass_->run(
                                       open_->tokens(), withPartOff(standing_, *part.off), open_->source())));
}

void EffectBench::findExamples(int cell) {
  const Part& part = parts_[static_cast<std::size_t>(cell)];
  exampleCell_ = cell, examples_.clear();
  for (const PartEffects::OfText& of : part.effects.strongestFirst(examplesKept)) {
    const TokenText& text = texts_[of.text];
    const auto without =
        tokenLossesOf(*pass_->run(text.tokens, withPartOff(everywhere_, *part.off), text.source));
    examples_.push_back({of, lossRises(whole_[static_cast<std::size_t>(of.text)], without)});
  }
}

void EffectBench::measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
                          const std::function<void()>& more) {
  if (isMoving(of.workspace, snapshot) || !isOf(of) || parts_.empty()) return;
  if (open_ && open_->tokenCount() > 1 && openWhole_.tokens() == 0) {
    openWhole_ = tokenLossesOf(*open_);
    const std::vector<float> direct = directOfCells(*model_, contributionsToNext(*model_, *open_));
    for (std::size_t cell = 0; cell < parts_.size(); ++cell) {
      parts_[cell].directHere = direct[cell];
      if (parts_[cell].off) leaveOutHere(parts_[cell]);
    }
    more();
  }
  if (static_cast<int>(whole_.size()) < texts_.count() && !readTexts(begin(readingWhole), more)) return;
  const int first = selectedCell(of);
  const std::vector<int> left = partsLeft(first);
  const int whole = static_cast<int>(left.size());
  if (whole == 0 && (first < 0 || exampleCell_ == first)) return;
  const Watch watch = begin(leavingOut);
  for (int i = 0; i < whole; ++i) {
    const int cell = left[static_cast<std::size_t>(i)];
    if (!leaveOut(parts_[static_cast<std::size_t>(cell)], watch, i, whole)) return;
    if (cell == first) findExamples(first);
    more();
  }
  if (first >= 0 && exampleCell_ != first) findExamples(first), more();
}

}  // namespace glassformer
