// What the worker compares with: another text, the model without what was changed, another run, a trace from
// elsewhere.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/document/trace_file.h"
#include "app/engine/compared_interventions.h"
#include "app/engine/difference_snapshot.h"
#include "app/engine/measurements.h"
#include "app/engine/needs.h"
#include "app/engine/recorded_model.h"
#include "app/engine/shown_run.h"
#include "app/engine/worker.h"
#include "core/model/catalogue.h"

namespace glassformer {

namespace {

std::shared_ptr<const Snapshot::Sides> sidesOf(const Snapshot& a, const std::shared_ptr<const Snapshot>& b) {
  auto sides = std::make_shared<Snapshot::Sides>();
  sides->a = std::make_shared<Snapshot>(a);
  sides->b = b;
  sides->alignments = {align(a.pass->trace->tokens(), b->pass->trace->tokens()),
                       align(a.pass->trace->source(), b->pass->trace->source())};
  return sides;
}

// Whether every picture of the one is a picture of the other: the same trace points with the same extents, as
// many positions that could be, and what is measured of one kernel alone.
bool sameShape(const ModelConfig& a, const ModelConfig& b) {
  if (a == b) return true;
  constexpr int tokens = 2;  // any number: extents that follow the text do so in both
  const auto shape = [](const DescribedPoint& each) { return std::pair(each.point.name, each.extent); };
  return a.context == b.context && a.kernel == b.kernel && a.zeroPadded == b.zeroPadded &&
         std::ranges::equal(describedPoints(a, tokens, tokens), describedPoints(b, tokens, tokens), {}, shape,
                            shape);
}

// The same place is looked at in the other text: that of the corresponding token.
Workspace withSelectionOf(const Workspace& workspace, const Snapshot::Sides& sides) {
  Workspace other = workspace;
  const Alignment& alignment = sides.alignments.text;
  const int column = alignment.columnOfA(workspace.selection.query);
  other.selection.query = column < 0 ? -1 : alignment[column].b;
  return other;
}

}  // namespace

// Read once, until it is written anew or the model has another shape.
Result<OpenModel> Engine::Worker::traceBeside(const std::string& file) {
  FileStamps stamps = stampsOf(file);
  const auto isOf = [&](const ShownModel& model) {
    return model.config == model_->shown->config && model.tokenizer == model_->shown->tokenizer;
  };
  if (beside_ && beside_->trace.asked == file && isOf(*beside_->of) && beside_->stamps == stamps)
    return beside_->trace;
  beside_.reset();
  Result<OpenModel> opened =
      openBeside(file, *model_, begin("reading " + std::filesystem::path(file).filename().string()));
  if (opened) beside_ = TraceBeside{model_->shown, std::move(stamps), *opened};
  return opened;
}

// The open model's pass as a trace from elsewhere would have it, without weights and with the points of this
// one: what is measured on one is then measured on the other.
Snapshot Engine::Worker::asRecorded(const Snapshot& snapshot, const OpenModel& trace,
                                    const Workspace& workspace) {
  if (model_->recorded) return snapshot;
  const std::shared_ptr<const Trace>& all = snapshot.pass->trace;
  auto some = std::make_shared<Trace>(all->tokens(), all->source());
  for (const std::string& point : trace.recorded->points)
    if (const int i = all->find(point); i >= 0) some->add(all->point(i), all->tensor(i), all);
  auto pass = std::make_shared<ShownPass>(*snapshot.pass);
  pass->measurements = measure(workspace, trace.shown->transformer, some);
  pass->trace = std::move(some);
  auto model = std::make_shared<ShownModel>(*trace.shown);
  model->name = snapshot.model->name;
  Snapshot here = snapshot;
  here.model = std::move(model), here.pass = std::move(pass), here.kept = {};
  return here;
}

// The trace in another tab, or that of the open model. A difference is there where both have the same points
// of models of one shape, or the open model has all points and the shape is its own.
void Engine::Worker::compareWithTrace(const Workspace& workspace, Snapshot& snapshot) {
  const auto tab = workspace.comparison.otherTab();
  if (model_->recorded && !tab) return;
  auto opened = model_->recorded ? traceAt(traceInTab(workspace.model, workspace.textOfTab(*tab)))
                                 : traceBeside(workspace.recordedTrace);
  if (!opened) {
    snapshot.standing.error = opened.error().message();
    return;
  }
  auto other = std::make_shared<Snapshot>(snapshot);
  const auto pass = passOf(*opened, workspace);
  other->model = opened->shown, other->pass = pass;
  other->decoded = emptyPart<Decoded>(), other->training = emptyPart<ShownTraining>();
  const bool subtracts = workspace.comparison.mode == ComparisonMode::Difference;
  const auto sides =
      sidesOf(subtracts ? asRecorded(snapshot, *opened, withQuery(workspace, snapshot)) : snapshot, other);
  Workspace asked = withQuery(withSelectionOf(withQuery(workspace, snapshot), *sides), *other);
  const Transformer& there = *opened->shown->transformer;
  pass->attributedEntry = asked.settings.residual.entry = snapshot.pass->attributedEntry;
  pass->predicted = predictionAsked(asked, *pass->trace, there.config());
  pass->measurements = measurementsFor(engine_.needsOf_(workspace),
                                       {asked, there, *pass->trace, opened->shown->tokenizer}, beginner());
  ModelConfig shape = model_->config();  // how long texts may be, and be called, is no part of a picture
  shape.context = there.config().context;
  if (!pass->trace->contains("logits")) shape.vocabulary = there.config().vocabulary;
  const bool isAlike = !model_->recorded || (sameShape(shape, there.config()) &&
                                             model_->recorded->points == opened->recorded->points);
  if (subtracts && isAlike)
    snapshot.difference = differenceOf(sides, [&](TensorSet& set) {
      const MeasuredPass a{workspace, *sides->a->model->transformer, *sides->a->pass->trace,
                           model_->shown->tokenizer},
          b{asked, there, *pass->trace, opened->shown->tokenizer};
      addMeasuredOnBoth(engine_.needsOf_(workspace), {a, b, sides->alignments}, set);
    });
  else if (subtracts)
    snapshot.standing.error =
        "These two traces have no difference: their models' shapes or their points differ.";
  snapshot.other = std::move(other);
}

// Another text, for the same model, or the same text for the model as it was loaded.
std::optional<Engine::Worker::Against> Engine::Worker::against(const Workspace& workspace,
                                                               const Snapshot& snapshot) {
  if (!workspace.comparison.isOn()) return std::nullopt;
  const Compared& to = workspace.comparison.with;
  const bool asLoaded = to == Comparison::asLoaded, besides = to == Comparison::otherRun;
  const auto& run = snapshot.training->run;
  if (besides && !(run && run->other)) return std::nullopt;
  const auto transformer = besides    ? run->other->modelAt(snapshot.training->step)
                           : asLoaded ? model_->loaded
                                      : model_->shown->transformer;
  auto side = std::make_shared<Snapshot>(snapshot);
  if (besides)
    side->training = trainingShown(run, *run->other, workspace, isNeeded(needs::pastOptimizer, workspace));
  if (transformer != model_->shown->transformer) {
    otherModel_ = transformer;
    auto model = std::make_shared<ShownModel>(*snapshot.model);
    model->config = transformer->config(), model->transformer = transformer;
    side->model = std::move(model);
  }
  if (!otherPass_ || &otherPass_->model() != transformer.get()) {
    otherDecoder_.reset();
    otherPass_ = std::make_unique<LivePass>(transformer, engine_.threads_);
  }
  const int tab = workspace.comparison.otherTab().value_or(workspace.tab);
  return Against{transformer,
                 {workspace.textOfTab(tab), workspace.sourceOfTab(tab)},
                 interventionsBeside(workspace, *snapshot.pass->trace),
                 std::move(side)};
}

// Makes the pass the other side of the snapshot, with the difference of both.
void Engine::Worker::putBeside(const Against& other, std::shared_ptr<ShownPass> pass,
                               const Workspace& workspace, Snapshot& snapshot) {
  auto side = std::make_shared<Snapshot>(*other.side);
  side->pass = pass;
  if (pass->trace) {
    const ModelConfig& config = other.transformer->config();
    const Needs needs = engine_.needsOf_(workspace);
    const auto sides = sidesOf(snapshot, side);
    Workspace asked = withQuery(withSelectionOf(withQuery(workspace, snapshot), *sides), *side);
    asked.interventions = other.interventions;
    // The same logit in both.
    pass->attributedEntry = asked.settings.residual.entry = snapshot.pass->attributedEntry;
    asked.settings.influence.entry = snapshot.pass->predicted.entry;
    pass->predicted = predictionAsked(asked, *pass->trace, config);
    pass->measurements = measure(asked, other.transformer, pass->trace);
    const bool subtracts = workspace.comparison.mode == ComparisonMode::Difference;
    if (subtracts && sameShape(*snapshot.model->config, config)) {
      const auto measureBoth = [&](TensorSet& set) {
        const auto& tokenizer = model_->shown->tokenizer;
        const MeasuredPass here{workspace, *model_->shown->transformer, *snapshot.pass->trace, tokenizer},
            there{asked, *other.transformer, *pass->trace, tokenizer};
        addMeasuredOnBoth(needs, {here, there, sides->alignments}, set);
      };
      snapshot.difference = differenceOf(sides, measureBoth);
    }
  }
  snapshot.other = std::move(side);
}

void Engine::Worker::compare(const Workspace& workspace, Snapshot& snapshot) {
  const auto other = against(workspace, snapshot);
  if (!other) return;
  auto pass = read(*otherPass_, other->writing, workspace, other->interventions, other->side->standing);
  putBeside(*other, std::move(pass), workspace, snapshot);
}

// The text compared with has a tree of its own.
void Engine::Worker::decodeOther(const Workspace& workspace, const Snapshot& snapshot) {
  if (!snapshot.other || !snapshot.other->pass->hasTrace() || snapshot.other->model->hasNoWeights()) return;
  if (!otherDecoder_) otherDecoder_ = std::make_unique<Decoder>(*otherPass_, model_->shown->tokenizer);
  Workspace asked = workspace;
  asked.interventions = interventionsBeside(workspace, *snapshot.pass->trace);
  const auto decoded = otherDecoder_->decode(*snapshot.other->pass, asked, beginner());
  if (!decoded) return keepDeclined(*otherDecoder_, snapshot);
  auto complete = std::make_shared<Snapshot>(snapshot);
  complete->other = with(*snapshot.other, &Snapshot::decoded, decoded);
  complete->difference = withBeams(*complete);
  engine_.publish(std::move(complete));
}

}  // namespace glassformer
