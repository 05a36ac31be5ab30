#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/decoder.h"
#include "app/engine/engine.h"
#include "app/engine/measurements.h"
#include "app/engine/open_model.h"
#include "app/engine/past_answers.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/training.h"
#include "core/io/files.h"

namespace glassformer {

/// Everything that lives on the engine's thread: what is open, and what was computed last.
class Engine::Worker {
 public:
  explicit Worker(Engine& engine) : engine_(engine) {}

  void answer(const Asked& asked);

 private:
  /// What was measured last on the model alone: as it is `of`, for these needs and settings.
  struct MeasuredOfModel {
    std::shared_ptr<const ShownModel> of, shown;
    std::vector<const Need*> needs;
    ViewSettings settings;
  };

  /// A trace from elsewhere as a pass of the open model, whose config and words it was read with.
  struct TraceBeside {
    std::shared_ptr<const ShownModel> of;
    FileStamps stamps;
    OpenModel trace;
  };

  bool sameComputation(const Workspace& a, const Workspace& b) const;
  bool isNeeded(const Need& need, const Workspace& workspace) const;
  Workspace withRules(const Workspace& workspace);
  static Workspace withQuery(Workspace workspace, const Snapshot& snapshot);
  std::optional<Stream> wordsShown(const Workspace& workspace) const;
  void resume();
  bool isBeingOpened(const Asked& asked);
  std::optional<Workspace> answerable(const Asked& asked);
  void keepLatest(std::uint64_t revision) const;
  void keepModel(const Snapshot& refusal) const;
  ProgressCallback begin(std::string doing);
  StartJob beginner() {
    return [this](std::string doing) { return begin(std::move(doing)); };
  }

  void compute(const Workspace& wanted, Snapshot& snapshot);
  bool useModel(const Workspace& workspace, Snapshot& snapshot);
  bool useRun(const Workspace& workspace, Snapshot& snapshot);
  bool followsRun(const Workspace& workspace) const;
  bool changeModel(const Workspace& workspace, Snapshot& snapshot);
  bool openAnother(const std::string& name, Snapshot& snapshot);
  Result<OpenModel> traceAt(const std::string& file);
  std::shared_ptr<ShownPass> passOf(const OpenModel& trace, const Workspace& workspace) const;
  Result<OpenModel> traceBeside(const std::string& file);
  Snapshot asRecorded(const Snapshot& snapshot, const OpenModel& trace, const Workspace& workspace);
  void compareWithTrace(const Workspace& workspace, Snapshot& snapshot);
  std::shared_ptr<const ShownModel> modelShown(const Workspace& workspace);
  std::shared_ptr<ShownPass> read(LivePass& pass, const TabText& writing, const Workspace& workspace,
                                  const Interventions& interventions, WorkStatus& standing);
  /// What made its numbers points into the trace and the weights, which live as long as it.
  std::shared_ptr<const TensorSet> measure(const Workspace& workspace,
                                           const std::shared_ptr<const Transformer>& model,
                                           const std::shared_ptr<const Trace>& trace);
  std::shared_ptr<const TensorSet> overviewOf(const std::shared_ptr<const Trace>& trace,
                                              const ModelConfig& config);
  std::shared_ptr<const LogitLens> lensOf(const std::shared_ptr<const Trace>& trace, const Transformer& model,
                                          int t);
  /// What the open text and model are compared with, to be read.
  struct Against {
    std::shared_ptr<const Transformer> transformer;
    TabText writing;
    Interventions interventions;     ///< see interventionsBeside()
    std::shared_ptr<Snapshot> side;  ///< all but its pass
  };
  std::optional<Against> against(const Workspace& workspace, const Snapshot& snapshot);
  void putBeside(const Against& other, std::shared_ptr<ShownPass> pass, const Workspace& workspace,
                 Snapshot& snapshot);
  void compare(const Workspace& workspace, Snapshot& snapshot);

  PassMemory memory() const;
  void decode(const Workspace& workspace, const Snapshot& snapshot, bool publishesAll);
  void decodeOther(const Workspace& workspace, const Snapshot& snapshot);
  void keepDeclined(Decoder& decoder, const Snapshot& snapshot);

  std::vector<BackgroundJob*> keptFor(const Workspace& workspace);
  void goOn(BackgroundJob& kept, const Workspace& workspace);
  bool isDeclined(Cancellable& work) const;

  Engine& engine_;
  std::optional<Workspace> answered_;       // whose numbers the latest snapshot has
  double limit_ = 0;                        // of a pass, that it was answered with
  Cancellable answer_;                      // all that the next snapshot begins with
  Workspace declinedFor_;                   // for which that was cancelled
  std::optional<std::uint64_t> openedFor_;  // the last request for which a run was to be opened
  std::string doing_;
  double decodeSeconds_ = 0;  // that decoding took last
  std::optional<OpenModel> model_;
  FileStamps stamps_;  // of its files, as they were opened
  MeasuredOfModel measured_;
  // Of the traces that are held.
  std::vector<std::pair<std::weak_ptr<const Trace>, std::shared_ptr<const TensorSet>>> overviews_;
  std::vector<std::pair<std::weak_ptr<const Trace>, std::shared_ptr<const LogitLens>>> lenses_;
  std::map<std::string, std::pair<FileStamps, OpenModel>> traces_;  // from elsewhere, of all tabs looked at
  std::optional<TraceBeside> beside_;              // read last, to be compared with the open model
  TextRules rules_;                                // of its interventions
  StepRing::Values runWeights_;                    // which ones of a run the model has
  std::shared_ptr<const Transformer> otherModel_;  // that the open one is compared with; null: itself
  std::map<const Need*, std::unique_ptr<BackgroundJob>> kept_;  // that were ever needed
  std::unique_ptr<LivePass> pass_, otherPass_;
  std::unique_ptr<Decoder> decoder_, otherDecoder_;  // they use the passes
};

}  // namespace glassformer
