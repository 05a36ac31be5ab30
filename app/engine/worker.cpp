#include "app/engine/worker.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/document/attention_planes.h"
#include "app/engine/measurements.h"
#include "app/engine/needs.h"
#include "app/engine/recorded_model.h"
#include "app/engine/shown_run.h"
#include "app/engine/token_ids.h"
#include "core/lens/pattern_overview.h"
#include "core/model/pass_limit.h"

namespace glassformer {

namespace {

void sayDeclined(const Cancellable& work, Snapshot& snapshot) {
  snapshot.standing.cancelled = work.declined();
  if (!snapshot.difference) return;
  WorkStatus standing = snapshot.difference->standing;
  standing.cancelled = work.declined();
  snapshot.difference = with(*snapshot.difference, &Snapshot::standing, standing);
}

// Weights that move on are shown with what decoding makes of them, where that is soon there: half as many
// frames have to be drawn.
constexpr double soonDecoded = 0.05;

// What follows behind the picture leaves the other processors to passes of what is typed, and to the window.
constexpr int threadsBehind = 1;

constexpr const char* runningModel = "running the model";
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

// The place that is looked at while none is chosen: see Snapshot::positionOr.
Workspace Engine::Worker::withQuery(Workspace workspace, const Snapshot& snapshot) {
  int& query = workspace.selection.query;
  query = snapshot.positionOr(query, Stream::Text);
  return workspace;
}

// As the model understands it: with a rule for every rule that takes a pattern's place, and for every
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
  const double limitBefore = std::exchange(limit_, passLimit());
  const bool sameLimit = limit_ == limitBefore;
  const bool known =
      answered_ && sameLimit && sameComputation(workspace, *answered_) && followsRun(workspace);
  if (known) *snapshot = *engine_.latest();
  if (known && isRun(workspace.model))
    showRun(engine_.training_->report(), workspace, isNeeded(needs::pastOptimizer, workspace), *snapshot);
  snapshot->revision = asked.revision;
  snapshot->standing.cancelled.clear();
  bool whole = known;
  if (!known) {
    answered_.reset();
    compute(workspace, *snapshot);
    snapshot->memory = memory();
    if (engine_.cancelled()) {
      answer_.decline(doing_), declinedFor_ = workspace;
      return keepLatest(asked.revision);
    }
    if (!snapshot->standing.refused.empty()) return keepModel(*snapshot);
    if (!snapshot->model->config && engine_.superseded()) return;  // nobody waits for the model any longer
    whole = !engine_.superseded();  // what was broken off for something newer is not there to be kept
  }
  const Workspace bound = withRules(workspace);
  const std::vector<BackgroundJob*> kept = keptFor(bound);
  BackgroundJob::clear(*snapshot);
  for (const BackgroundJob* each : kept)
    each->show({bound, *model_, otherModel_, engine_.loader_}, *snapshot);
  const bool together = isMoving(workspace, *snapshot) && decodeSeconds_ < soonDecoded;
  if (!together) engine_.publish(snapshot);
  const auto before = Clock::now();
  decode(bound, *snapshot, together);
  if (whole) answered_ = workspace;  // only now: it says what the latest snapshot answers
  decodeSeconds_ = std::chrono::duration<double>(Clock::now() - before).count();
  for (BackgroundJob* each : kept) goOn(*each, bound);
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
ProgressCallback Engine::Worker::begin(std::string doing) {
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
  const bool withTrace = model_->recorded || workspace.comparison.with == Comparison::recordedTrace;
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

std::shared_ptr<ShownPass> Engine::Worker::passOf(const OpenModel& trace, const Workspace& workspace) const {
  auto pass = std::make_shared<ShownPass>(recordedPass(*trace.recorded, *trace.shown));
  if (const auto stream = wordsShown(workspace)) {
    pass->wordsOf = *stream;
    pass->words = std::make_shared<const std::vector<WordMerges>>(
        mergesOfWords(*trace.shown->tokenizer, pass->textOf(*stream)));
  }
  return pass;
}

// A pass over a text and its source; without a trace where the model cannot read them, and the standing says
// why. The model as loaded may take fewer tokens than as changed, and be of another kind.
std::shared_ptr<ShownPass> Engine::Worker::read(LivePass& pass, const TabText& writing,
                                                const Workspace& workspace,
                                                const Interventions& interventions, WorkStatus& standing) {
  const ModelConfig& config = pass.model().config();
  auto shown = std::make_shared<ShownPass>(model_->encode(config, writing, wordsShown(workspace)));
  standing.incomplete = config.isEncoderDecoder() && shown->sourceTokens.empty();
  if (standing.incomplete) standing.error = "The source is empty. Type the sentence to translate.";
  if (!standing.error.empty() || shown->tokens.empty()) return shown;
  const std::vector<int> tokens = tokensRead(config, shown->tokens),
                         source = tokensRead(config, shown->sourceTokens);
  const std::size_t decoded = config.causal() ? static_cast<std::size_t>(workspace.decoding.depth) : 0,
                    longest = std::min(tokens.size() + decoded, static_cast<std::size_t>(config.context));
  const Tokenizer& tokenizer = *model_->shown->tokenizer;
  for (const Status& status :
       {checkRows(tokens, tokenizer, config, "text"), checkRows(source, tokenizer, config, "source"),
        pass.checkMemory(longest, source.size())})
    if (standing.error.empty() && !status) standing.error = status.error().message();
  if (!standing.error.empty()) return shown;
  begin(runningModel);
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
  const MeasuredPass pass{workspace,
                          *model,
                          *trace,
                          model_->shown->tokenizer,
                          [&] { return overviewOf(trace, model->config()); },
                          [&](int t) { return lensOf(trace, *model, t); }};
  const auto measured = std::make_shared<const Measured>(
      Measured{model, trace, measurementsFor(engine_.needsOf_(workspace), pass, beginner())});
  return {measured, measured->set.get()};
}

// It reads all patterns, and depends on nothing that is selected.
std::shared_ptr<const TensorSet> Engine::Worker::overviewOf(const std::shared_ptr<const Trace>& trace,
                                                            const ModelConfig& config) {
  std::erase_if(overviews_, [](const auto& known) { return known.first.expired(); });
  for (const auto& [of, overview] : overviews_)
    if (of.lock() == trace) return overview;
  const auto overview = std::make_shared<TensorSet>();
  measurePatternOverview(*trace, config, *overview);
  overviews_.emplace_back(trace, overview);
  return overview;
}

// It reads a whole table of embeddings for every place that it asks at: as long as a quarter of a pass.
std::shared_ptr<const LogitLens> Engine::Worker::lensOf(const std::shared_ptr<const Trace>& trace,
                                                        const Transformer& model, int t) {
  std::erase_if(lenses_, [](const auto& known) { return known.first.expired(); });
  const auto known =
      std::ranges::find_if(lenses_, [&](const auto& lens) { return lens.first.lock() == trace; });
  if (known != lenses_.end() && known->second->position == t) return known->second;
  auto measured = logitLensOf(model, *trace, t);
  if (!measured) return nullptr;
  auto lens = std::make_shared<const LogitLens>(std::move(*measured));
  known != lenses_.end() ? void(known->second = lens) : void(lenses_.emplace_back(trace, lens));
  return lens;
}

PassMemory Engine::Worker::memory() const {
  PassMemory memory{.limit = limit_};
  for (const LivePass* pass : {otherPass_.get(), pass_.get()}) {
    if (!pass) continue;
    const LivePass::Memory own = pass->memory();
    memory.taken += own.bytes, memory.dropsSquares |= own.dropsSquares;
  }
  return memory;
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
  if (decoded) complete->decoded = decoded, complete->memory = memory();
  if (publishesAll || *complete->decoded != *snapshot.decoded) engine_.publish(complete);
  if (decoded) return decodeOther(workspace, *complete);
  if (decodes) keepDeclined(*decoder_, *complete);
}

// What is kept for the picture that is looked at, of a model that is open.
std::vector<BackgroundJob*> Engine::Worker::keptFor(const Workspace& workspace) {
  std::vector<BackgroundJob*> kept;
  if (!model_ || model_->recorded || workspace.model != model_->asked || workspace.changes != model_->changes)
    return kept;
  for (const Need* need : engine_.needsOf_(workspace)) {
    if (!need->kept) continue;
    auto& own = kept_[need];
    if (!own) own = need->kept(threadsBehind);
    kept.push_back(own.get());
  }
  return kept;
}

// Takes longest of all: it is gone on with whenever nothing else is asked for.
void Engine::Worker::goOn(BackgroundJob& kept, const Workspace& workspace) {
  if (engine_.superseded() || engine_.cancelled()) return;
  using namespace std::chrono_literals;
  const MeasuredModel of{workspace, *model_, otherModel_, engine_.loader_};
  const auto asked = engine_.latest();
  bool isNew = false;
  Clock::time_point shown;
  const auto shownLatest = [&] {
    auto snapshot = std::make_shared<Snapshot>(*engine_.latest());
    kept.show(of, *snapshot);
    snapshot->memory = memory();
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
bool Engine::Worker::isDeclined(Cancellable& work) const {
  if (engine_.cancelled()) work.decline(doing_);
  return work.isDeclined();
}

}  // namespace glassformer
