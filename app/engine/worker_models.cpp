// How the worker opens what a workspace asks for: a model, a run, a trace from elsewhere; and changes it.
#include <cassert>
#include <filesystem>
#include <utility>

#include "app/document/trace_file.h"
#include "app/engine/measurements.h"
#include "app/engine/needs.h"
#include "app/engine/shown_run.h"
#include "app/engine/worker.h"

namespace glassformer {

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
  if (Status status = model_->change(workspace.changes, begin("drawing random weights")); !status) {
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

}  // namespace glassformer
