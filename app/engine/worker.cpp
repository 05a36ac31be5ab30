#include "app/engine/worker.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/document/attention_planes.h"
#include "app/document/trace_file.h"
#include "app/engine/difference_snapshot.h"
#include "app/engine/measurements.h"
#include "app/engine/recorded_model.h"
#include "app/engine/shown_run.h"
#include "core/io/mapped_file.h"
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
  return a.context == b.context && a.kernel == b.kernel && a.openBorder == b.openBorder &&
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

// The place that is looked at while none is chosen: see Snapshot::positionOr.
Workspace withQuery(Workspace workspace, const Snapshot& snapshot) {
  int& query = workspace.selection.query;
  query = snapshot.positionOr(query, Stream::Text);
  return workspace;
}

void sayDeclined(const Declinable& work, Snapshot& snapshot) {
  snapshot.standing.cancelled = work.declined();
  if (!snapshot.difference) return;
  Standing standing = snapshot.difference->standing;
  standing.cancelled = work.declined();
  snapshot.difference = with(*snapshot.difference, &Snapshot::standing, standing);
}

// Weights that move on are shown with what decoding makes of them, where that is soon there: half as many
// frames have to be drawn.
constexpr double soonDecoded = 0.05;

}  // namespace

// What changes nothing that is computed.
bool Engine::Worker::sameComputation(const Workspace& a, const Workspace& b) const {
  return a.content() == b.content() && a.inquiry() == b.inquiry() &&
         sameMeasurements(engine_.needsOf_(a), a.settings, engine_.needsOf_(b), b.settings);
}

// The stream whose words are shown coming together.
std::optional<Stream> Engine::Worker::wordsShown(const Workspace& workspace) const {
  if (!isNeeded(needs::wordMerges, workspace)) return std::nullopt;
  return listedStream(workspace, model_->config());
}

bool Engine::Worker::isNeeded(const Need& need, const Workspace& workspace) const {
  return glassformer::isNeeded(need, engine_.needsOf_(workspace));
}

// As the model understands it: with a rule for every hypothesis that takes a pattern's place, and for every
// part that is held as it was at another step of training.
Workspace Engine::Worker::withRules(const Workspace& workspace) {
  Workspace bound = workspace;
  const auto run = engine_.training_ ? engine_.training_->report() : nullptr;
  if (model_)
    bound.interventions =
        rules_.bound(std::move(bound.interventions), model_->shown->tokenizer, model_->config(),
                     isRun(model_->asked) && run && run->name == model_->asked ? &run->side : nullptr);
  return bound;
}

void Engine::Worker::answer(const Asked& asked) {
  if (asked.resumed) resume();
  const std::optional<Workspace> now = answerable(asked);
  if (!now) return keepLatest(asked.revision);
  const Workspace& workspace = *now;
  if (answer_.isDeclined() && sameComputation(workspace, declinedFor_)) return keepLatest(asked.revision);
  answer_.accept();
  auto snapshot = std::make_shared<Snapshot>();
  const bool known = answered_ && sameComputation(workspace, *answered_) && followsRun(workspace);
  if (known) *snapshot = *engine_.latest();
  if (known && isRun(workspace.model))
    showRun(engine_.training_->report(), workspace, isNeeded(needs::pastOptimizer, workspace), *snapshot);
  snapshot->revision = asked.revision;
  snapshot->standing.cancelled.clear();
  bool whole = known;
  if (!known) {
    answered_.reset();
    compute(workspace, *snapshot);
    refuseCut(*snapshot);
    if (engine_.cancelled()) {
      answer_.decline(doing_), declinedFor_ = workspace;
      return keepLatest(asked.revision);
    }
    if (!snapshot->standing.refused.empty()) return keepModel(*snapshot);
    if (!snapshot->model->config && engine_.superseded()) return;  // nobody waits for the model any longer
    whole = !engine_.superseded();  // what was broken off for something newer is not there to be kept
  }
  const Workspace bound = withRules(workspace);
  const std::vector<KeptMeasurement*> kept = keptFor(bound);
  for (const KeptMeasurement* each : kept)
    each->show({bound, *model_, otherModel_, engine_.loader_}, *snapshot);
  const bool together = isMoving(workspace, *snapshot) && decodeSeconds_ < soonDecoded;
  if (!together) engine_.publish(snapshot);
  const auto before = Clock::now();
  decode(bound, *snapshot, together);
  if (whole) answered_ = workspace;  // only now: it says what the latest snapshot answers
  decodeSeconds_ = std::chrono::duration<double>(Clock::now() - before).count();
  for (KeptMeasurement* each : kept) goOn(*each, bound);
}

// A run is opened by the thread that trains it. Where that fails it is tried again for the next request.
bool Engine::Worker::isBeingOpened(const Asked& asked) {
  const std::string& name = asked.workspace.model;
  if (!isRun(name) || !engine_.training_) return false;
  const auto report = engine_.training_->reportOf(name);
  if (report) return !*report;
  if (std::exchange(openedFor_, asked.revision) == asked.revision) return false;
  engine_.training_->open(name);
  return true;
}

// While a run is opened, the model that is open reads on what is written, if it reads texts of that kind.
std::optional<Workspace> Engine::Worker::answerable(const Asked& asked) {
  const bool waits = isBeingOpened(asked);
  {
    const std::lock_guard lock(engine_.mutex_);
    engine_.awaitsRun_ = waits;
  }
  if (!waits) return asked.workspace;
  Workspace meanwhile = asked.workspace;
  if (!model_ || isRun(model_->asked) || deskOf(model_->asked) != deskOf(meanwhile.model))
    return std::nullopt;
  meanwhile.model = model_->asked, meanwhile.changes = model_->changes;
  return meanwhile;
}

void Engine::Worker::resume() {
  openedFor_.reset();
  answer_.accept();
  if (decoder_) decoder_->accept();
  if (otherDecoder_) otherDecoder_->accept();
  for (auto& [need, kept] : kept_) kept->accept();
}

// What was cancelled is not tried again by itself: what there was stays.
void Engine::Worker::keepLatest(std::uint64_t revision) const {
  auto snapshot = std::make_shared<Snapshot>(*engine_.latest());
  snapshot->revision = revision;
  snapshot->standing.cancelled = answer_.declined();
  engine_.publish(std::move(snapshot));
}

// Beside a model that cannot be opened stays the one that is open, with all that is known of it.
void Engine::Worker::keepModel(const Snapshot& refusal) const {
  if (engine_.superseded()) return;
  auto snapshot = std::make_shared<Snapshot>(*engine_.latest());
  snapshot->revision = refusal.revision, snapshot->standing = refusal.standing;
  engine_.publish(std::move(snapshot));
}

// All long work is begun here, so that what was cancelled has a name.
Watch Engine::Worker::begin(std::string doing) {
  if (!engine_.cancelled()) doing_ = doing;
  return engine_.begin(std::move(doing));
}

void Engine::Worker::compute(const Workspace& wanted, Snapshot& snapshot) {
  otherModel_.reset();
  snapshot.standing.asked = wanted.model;
  if (!useModel(wanted, snapshot)) return;
  const Workspace workspace = withRules(wanted);
  snapshot.model = modelShown(workspace);
  const auto pass = model_->recorded ? passOf(*model_, workspace)
                                     : read(*pass_, {workspace.text, workspace.source}, workspace,
                                            workspace.interventions, snapshot.standing);
  snapshot.pass = pass;
  if (!pass->trace) return;
  const ModelConfig& config = model_->config();
  const Workspace asked = withQuery(workspace, snapshot);
  pass->attributedEntry = attributedEntry(asked, *pass->trace, config);
  pass->predicted = predictionAsked(asked, *pass->trace, config);
  pass->measurements = measure(asked, model_->shown->transformer, pass->trace);
  const auto latest = engine_.latest();
  if (latest->model->vocabulary == snapshot.model->vocabulary) snapshot.decoded = latest->decoded;
  const bool withTrace = model_->recorded || workspace.comparison.with == Comparison::elsewhere;
  withTrace ? compareWithTrace(workspace, snapshot) : compare(workspace, snapshot);
}

// With what is measured on it for the picture that is looked at.
std::shared_ptr<const ShownModel> Engine::Worker::modelShown(const Workspace& workspace) {
  const auto& shown = model_->shown;
  if (model_->recorded) return shown;
  const Needs needs = engine_.needsOf_(workspace);
  if (measured_.of == shown &&
      sameMeasurements(needs, workspace.settings, measured_.needs, measured_.settings))
    return measured_.shown;
  auto measured = modelMeasurementsFor(needs, workspace, model_->config(), shown->measurements);
  if (measured == shown->measurements) return shown;
  auto model = std::make_shared<ShownModel>(*shown);
  model->measurements = std::move(measured);
  measured_ = {shown, model, {needs.begin(), needs.end()}, workspace.settings};
  return model;
}

// Whether the model has the weights that the workspace asks for.
bool Engine::Worker::followsRun(const Workspace& workspace) const {
  if (!isRun(workspace.model)) return true;
  const auto report = engine_.training_ ? engine_.training_->report() : nullptr;
  return report && report->name == workspace.model && weightsAsked(workspace, *report) == runWeights_;
}

bool Engine::Worker::useRun(const Workspace& workspace, Snapshot& snapshot) {
  const Result<std::shared_ptr<const RunReport>> report =
      engine_.training_ ? engine_.training_->reportOf(workspace.model)
                        : Error{"there is nowhere to keep runs", workspace.model, ""};
  if (!report) {
    snapshot.standing.error = report.error().message();
    return false;
  }
  assert(*report);  // else there is no answer yet
  const RunReport& run = **report;
  showRun(*report, workspace, isNeeded(needs::pastOptimizer, workspace), snapshot);
  const StepRing::Values weights = weightsAsked(workspace, run);
  const bool open = model_ && model_->asked == workspace.model;
  if (open && weights == runWeights_ && model_->changes == workspace.changes) return true;
  const auto model = run.side.modelAt(workspace.settings.training.at);
  if (open)
    model_->loaded = model;
  else
    model_ = openModel(workspace.model,
                       {workspace.model.substr(runPrefix.size()), model, run.tokenizer, run.task});
  runWeights_ = weights;
  return changeModel(workspace, snapshot);
}

bool Engine::Worker::useModel(const Workspace& workspace, Snapshot& snapshot) {
  const std::string name =
      isTraceFile(workspace.model) ? traceInTab(workspace.model, workspace.text) : workspace.model;
  if (isRun(name)) return useRun(workspace, snapshot);
  const bool known = model_ && name == model_->asked;
  const bool open = known && stampsOf(name) == stamps_;  // else it was written anew, and is read anew
  if (open && workspace.changes == model_->changes) return true;
  if (!open && !openAnother(name, snapshot)) {
    const bool waits = known || name != workspace.model;  // for its files to be whole, or for another tab
    if (waits) snapshot.standing.refused.clear();
    return false;
  }
  return changeModel(workspace, snapshot);
}

// Makes the changes that the workspace asks for.
bool Engine::Worker::changeModel(const Workspace& workspace, Snapshot& snapshot) {
  if (const Status status = model_->change(workspace.changes, begin("drawing random weights")); !status) {
    snapshot.standing.error = status.error().message();
    const ModelConfig& config = model_->loaded->config();
    snapshot.model = std::make_shared<ShownModel>(
        ShownModel{.config = config, .loadedConfig = config, .transformer = model_->loaded});
    return false;
  }
  rules_.clear();
  measured_ = {};
  decoder_.reset(), otherDecoder_.reset(), otherPass_.reset(), pass_.reset();
  if (model_->recorded) return true;
  pass_ = std::make_unique<LivePass>(model_->shown->transformer, engine_.threads_);
  decoder_ = std::make_unique<Decoder>(*pass_, model_->shown->tokenizer);
  return true;
}

// Of weights or a trace whose file was cut short since they were opened nothing is shown.
void Engine::Worker::refuseCut(Snapshot& snapshot) const {
  std::optional<std::filesystem::path> cut;
  const auto look = [&](const void* number) {
    if (!cut) cut = MappedFile::cutAt(number);
  };
  if (model_ && model_->loaded && model_->loaded->hasWeights())
    for (int i = 0; i < model_->loaded->parameters().count(); ++i)
      look(model_->loaded->parameters().stored(i).address());
  if (const auto& trace = snapshot.pass->trace; trace && !trace->weights())  // from elsewhere
    for (int i = 0; i < trace->count(); ++i) look(trace->tensor(i).data);
  if (!cut) return;
  snapshot.standing.error = cutShort(*cut).message();
  auto pass = std::make_shared<ShownPass>(*snapshot.pass);
  pass->trace.reset(), pass->measurements.reset();
  snapshot.pass = std::move(pass);
  snapshot.other.reset(), snapshot.difference.reset();
}

bool Engine::Worker::openAnother(const std::string& name, Snapshot& snapshot) {
  const std::string shown = std::filesystem::path(name).filename().string();
  if (!isTraceFile(name)) traces_.clear();
  FileStamps stamps = stampsOf(name);
  Result<OpenModel> opened =
      isTraceFile(name) ? traceAt(name) : openModel(engine_.loader_, name, begin("opening " + shown));
  if (!opened) {
    snapshot.standing.error = opened.error().message();
    snapshot.standing.refused = name;
    return false;
  }
  decoder_.reset(), otherDecoder_.reset(), otherPass_.reset(), pass_.reset();
  model_ = std::move(*opened), stamps_ = std::move(stamps);
  kept_.clear();
  return true;
}

// Opened once, however often tabs change, unless it is written anew.
Result<OpenModel> Engine::Worker::traceAt(const std::string& file) {
  const FileStamps stamps = stampsOf(file);
  if (const auto known = traces_.find(file); known != traces_.end() && known->second.first == stamps)
    return known->second.second;
  Result<OpenModel> opened =
      openModel(engine_.loader_, file, begin("reading " + std::filesystem::path(file).filename().string()));
  if (opened) traces_.insert_or_assign(file, std::pair(stamps, *opened));
  return opened;
}

std::shared_ptr<ShownPass> Engine::Worker::passOf(const OpenModel& trace, const Workspace& workspace) const {
  auto pass = std::make_shared<ShownPass>(recordedPass(*trace.recorded, *trace.shown));
  if (const auto stream = wordsShown(workspace)) {
    pass->wordsOf = *stream;
    pass->words = std::make_shared<const std::vector<WordMerges>>(
        mergesOfWords(*trace.shown->tokenizer, pass->textOf(*stream)));
  }
  return pass;
}

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
                                 : traceBeside(workspace.elsewhere);
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

// A pass over a text and its source; without a trace where the model cannot read them, and the standing says
// why. The model as loaded may take fewer tokens than as changed, and be of another kind.
std::shared_ptr<ShownPass> Engine::Worker::read(LivePass& pass, const Writing& writing,
                                                const Workspace& workspace,
                                                const Interventions& interventions, Standing& standing) {
  const ModelConfig& config = pass.model().config();
  auto shown = std::make_shared<ShownPass>(model_->encode(config, writing, wordsShown(workspace)));
  standing.incomplete = config.reads() && shown->sourceTokens.empty();
  if (standing.incomplete)
    standing.error = "The source is empty: write the sentence that the model shall read into it.";
  if (!standing.error.empty() || shown->tokens.empty()) return shown;
  const std::vector<int> tokens = tokensRead(config, shown->tokens),
                         source = tokensRead(config, shown->sourceTokens);
  if (const Status fits = pass.checkMemory(tokens.size(), source.size()); !fits) {
    standing.error = fits.error().message();
    return shown;
  }
  begin("running the model");
  shown->trace = pass.run(tokens, interventions, source);
  return shown;
}

std::shared_ptr<const TensorSet> Engine::Worker::measure(const Workspace& workspace,
                                                         const std::shared_ptr<const Transformer>& model,
                                                         const std::shared_ptr<const Trace>& trace) {
  struct Measured {
    std::shared_ptr<const Transformer> model;
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const TensorSet> set;
  };
  const MeasuredPass pass{workspace, *model, *trace, model_->shown->tokenizer};
  const auto measured = std::make_shared<const Measured>(
      model, trace, measurementsFor(engine_.needsOf_(workspace), pass, beginner()));
  return {measured, measured->set.get()};
}

// The text compared with, by the same model, or the same text by the model as it was loaded; and the
// difference.
void Engine::Worker::compare(const Workspace& workspace, Snapshot& snapshot) {
  if (!workspace.comparison.isOn()) return;
  const Compared& to = workspace.comparison.with;
  const bool plain = to == Comparison::withoutInterventions, asLoaded = to == Comparison::asLoaded;
  const bool besides = to == Comparison::otherRun;
  const auto& run = snapshot.training->run;
  if (besides && !(run && run->other)) return;
  const auto transformer = besides    ? run->other->modelAt(snapshot.training->step)
                           : asLoaded ? model_->loaded
                                      : model_->shown->transformer;
  auto other = std::make_shared<Snapshot>(snapshot);
  if (besides)
    other->training = trainingShown(run, *run->other, workspace, isNeeded(needs::pastOptimizer, workspace));
  if (transformer != model_->shown->transformer) {
    otherModel_ = transformer;
    auto model = std::make_shared<ShownModel>(*snapshot.model);
    model->config = transformer->config(), model->transformer = transformer;
    other->model = std::move(model);
  }
  if (!otherPass_ || &otherPass_->model() != transformer.get()) {
    otherDecoder_.reset();
    otherPass_ = std::make_unique<LivePass>(transformer, engine_.threads_);
  }
  const int tab = workspace.comparison.otherTab().value_or(workspace.tab);
  const auto pass = read(*otherPass_, {workspace.textOfTab(tab), workspace.sourceOfTab(tab)}, workspace,
                         plain ? Interventions{} : workspace.interventions, other->standing);
  other->pass = pass;
  if (pass->trace) {
    const auto sides = sidesOf(snapshot, other);
    Workspace asked = withQuery(withSelectionOf(withQuery(workspace, snapshot), *sides), *other);
    if (plain) asked.interventions.clear();
    // The same logit in both.
    pass->attributedEntry = asked.settings.residual.entry = snapshot.pass->attributedEntry;
    asked.settings.influence.entry = snapshot.pass->predicted.entry;
    pass->predicted = predictionAsked(asked, *pass->trace, transformer->config());
    pass->measurements = measure(asked, transformer, pass->trace);
    const bool subtracts = workspace.comparison.mode == ComparisonMode::Difference;
    if (subtracts && sameShape(*snapshot.model->config, transformer->config()))
      snapshot.difference = differenceOf(sides, [&](TensorSet& set) {
        const auto& tokenizer = model_->shown->tokenizer;
        const MeasuredPass here{workspace, *model_->shown->transformer, *snapshot.pass->trace, tokenizer},
            there{asked, *transformer, *pass->trace, tokenizer};
        addMeasuredOnBoth(engine_.needsOf_(workspace), {here, there, sides->alignments}, set);
      });
  }
  snapshot.other = std::move(other);
}

void Engine::Worker::keepDeclined(Decoder& decoder, const Snapshot& snapshot) {
  if (!isDeclined(decoder)) return;
  auto kept = std::make_shared<Snapshot>(snapshot);
  sayDeclined(decoder, *kept);
  engine_.publish(std::move(kept));
}

// Decoding takes longer than everything else: it follows in a snapshot of its own, and is given up as soon
// as something newer is asked for.
void Engine::Worker::decode(const Workspace& workspace, const Snapshot& snapshot, bool publishesAll) {
  auto complete = std::make_shared<Snapshot>(snapshot);
  const bool decodes = snapshot.pass->hasTrace() && decoder_ && snapshot.model->continues();
  const auto decoded = decodes ? decoder_->decode(*snapshot.pass, workspace, beginner()) : nullptr;
  if (decoded) complete->decoded = decoded;
  if (publishesAll || *complete->decoded != *snapshot.decoded) engine_.publish(complete);
  if (decoded) return decodeOther(workspace, *complete);
  if (decodes) keepDeclined(*decoder_, *complete);
}

// The text compared with has a tree of its own.
void Engine::Worker::decodeOther(const Workspace& workspace, const Snapshot& snapshot) {
  if (!snapshot.other || !snapshot.other->pass->hasTrace() || snapshot.other->model->isRecorded()) return;
  if (!otherDecoder_) otherDecoder_ = std::make_unique<Decoder>(*otherPass_, model_->shown->tokenizer);
  Workspace asked = workspace;
  if (workspace.comparison.with == Comparison::withoutInterventions) asked.interventions.clear();
  const auto decoded = otherDecoder_->decode(*snapshot.other->pass, asked, beginner());
  if (!decoded) return keepDeclined(*otherDecoder_, snapshot);
  auto complete = std::make_shared<Snapshot>(snapshot);
  complete->other = with(*snapshot.other, &Snapshot::decoded, decoded);
  complete->difference = withBeams(*complete);
  engine_.publish(std::move(complete));
}

// What is kept for the picture that is looked at, of a model that is open.
std::vector<KeptMeasurement*> Engine::Worker::keptFor(const Workspace& workspace) {
  std::vector<KeptMeasurement*> kept;
  if (!model_ || model_->recorded || workspace.model != model_->asked || workspace.changes != model_->changes)
    return kept;
  for (const Need* need : engine_.needsOf_(workspace)) {
    if (!need->kept) continue;
    auto& own = kept_[need];
    if (!own) own = need->kept(engine_.threads_);
    kept.push_back(own.get());
  }
  return kept;
}

// Takes longest of all: it is gone on with whenever nothing else is asked for.
void Engine::Worker::goOn(KeptMeasurement& kept, const Workspace& workspace) {
  if (engine_.superseded() || engine_.cancelled()) return;
  using namespace std::chrono_literals;
  const MeasuredModel of{workspace, *model_, otherModel_, engine_.loader_};
  const auto asked = engine_.latest();
  bool isNew = false;
  Clock::time_point shown;
  const auto shownLatest = [&] {
    auto snapshot = std::make_shared<Snapshot>(*engine_.latest());
    kept.show(of, *snapshot);
    shown = Clock::now();
    return snapshot;
  };
  const auto more = [&] {
    isNew = true;
    if (Clock::now() - shown > 100ms) engine_.publish(shownLatest());
  };
  if (kept.prepare(of, *asked, beginner())) kept.accept(), more();
  if (!kept.isDeclined()) kept.measure(of, *asked, beginner(), more);
  const bool declined = isDeclined(kept);
  if (!isNew && !declined) return;
  const auto snapshot = shownLatest();
  if (declined) sayDeclined(kept, *snapshot);
  engine_.publish(snapshot);
}

// Now or earlier; what was only broken off for something newer is not.
bool Engine::Worker::isDeclined(Declinable& work) const {
  if (engine_.cancelled()) work.decline(doing_);
  return work.isDeclined();
}

}  // namespace glassformer
