#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/decoder.h"
#include "app/engine/engine.h"
#include "app/engine/landscapes.h"
#include "app/engine/open_model.h"
#include "app/engine/past_answers.h"

namespace glassformer {

/// Everything that lives on the engine's thread: what is open, and what was computed last.
class Engine::Worker {
 public:
  explicit Worker(Engine& engine)
      : engine_(engine), landscapes_(engine.threads_), pastAnswers_(engine.threads_) {}

  void answer(const Asked& asked);

 private:
  struct Declined {
    Workspace workspace;
    std::string doing;
  };

  void resume();
  void keepLatest(std::uint64_t revision) const;
  void keepModel(const Snapshot& refusal) const;
  Watch begin(std::string doing);
  Begin beginner() {
    return [this](std::string doing) { return begin(std::move(doing)); };
  }

  void compute(const Workspace& workspace, Snapshot& snapshot);
  bool useModel(const Workspace& workspace, Snapshot& snapshot);
  bool useRun(const Workspace& workspace, Snapshot& snapshot);
  bool followsRun(const Workspace& workspace) const;
  bool changeModel(const Workspace& workspace, Snapshot& snapshot);
  bool openAnother(const std::string& name, Snapshot& snapshot);
  bool isReadable(Snapshot& snapshot) const;
  bool hasRoom(const LivePass& pass, Snapshot& snapshot) const;
  std::shared_ptr<const Trace> run(LivePass& pass, const Snapshot& snapshot,
                                   const Interventions& interventions);
  std::shared_ptr<const TensorSet> measure(const Workspace& workspace, const Transformer& model,
                                           const Trace& trace);
  void compare(const Workspace& workspace, Snapshot& snapshot);

  void decode(const Workspace& workspace, const Snapshot& snapshot, bool publishesAll);
  void decodeOther(const Workspace& workspace, const Snapshot& snapshot);
  bool looksAtLandscape(const Workspace& workspace) const;
  void showLandscape(const Workspace& workspace, Snapshot& snapshot) const;
  void surveyLandscape(const Workspace& workspace);
  void askPast(const Workspace& workspace);
  void keepDeclined(Decoder& decoder, std::shared_ptr<Snapshot> snapshot);

  Engine& engine_;
  std::optional<Workspace> answered_;  // whose numbers the latest snapshot has
  std::optional<Declined> declined_;   // what was cancelled before it had any
  std::string doing_;
  double decodeSeconds_ = 0;  // that decoding took last
  std::optional<OpenModel> model_;
  StepRing::Values runWeights_;                    // which ones of a run the model has
  std::shared_ptr<const Transformer> otherModel_;  // that the open one is compared with; null: itself
  Landscapes landscapes_;
  PastAnswers pastAnswers_;
  bool declinesPast_ = false;  // to ask was cancelled, for the workspace answered last
  std::unique_ptr<LivePass> pass_, otherPass_;
  std::unique_ptr<Decoder> decoder_, otherDecoder_;  // they use the passes
};

}  // namespace glassformer
