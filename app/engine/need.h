#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/document/view_settings.h"
#include "app/engine/cancellable.h"
#include "app/engine/loaded_model.h"
#include "app/engine/progress.h"
#include "app/engine/snapshot.h"
#include "core/lens/difference.h"
#include "core/lens/logit_lens.h"
#include "core/model/transformer.h"
#include "core/text/tokenizer.h"

namespace glassformer {

struct Workspace;

struct OpenModel;

/// A pass of a model, to measure on.
struct MeasuredPass {
  const Workspace& workspace;
  const Transformer& model;
  const Trace& trace;
  const std::shared_ptr<const Tokenizer>& tokenizer;
  /// Of its patterns, where that is known already or measured when it is asked for.
  std::function<std::shared_ptr<const TensorSet>()> overview = nullptr;
  /// The same of the logit lens of a position; null where there is none.
  std::function<std::shared_ptr<const LogitLens>(int)> lens = nullptr;

  const ModelConfig& config() const { return model.config(); }
};

/// Passes of two texts whose difference is shown, to measure on both together.
struct ComparedPasses {
  const MeasuredPass &here, &there;
  const Alignments& alignments;
};

/// The open model, to measure on.
struct MeasuredModel {
  const Workspace& workspace;
  OpenModel& model;
  const std::shared_ptr<const Transformer>& other;  ///< compared with, where it is another one; else null
  const ModelLoader& loader;                        ///< of further ones
};

/// What takes too long to be measured with every pass: it follows behind, is kept while it is not looked at,
/// and goes on where it was broken off.
class BackgroundJob : public Cancellable {
 public:
  virtual ~BackgroundJob() = default;

  /// Takes out of a snapshot, and of those it is compared with, what other pictures needed.
  static void clear(Snapshot& snapshot);
  /// Puts into them what is measured, or why nothing is.
  virtual void show(const MeasuredModel& of, Snapshot& snapshot) const = 0;
  /// Takes up what the snapshot lacks; true where that is something else than before.
  virtual bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) = 0;
  /// Measures that, until all is there or it is stopped; calls `more` whenever there is more to show.
  virtual void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                       const std::function<void()>& more) = 0;

 protected:
  /// Puts what is kept into a snapshot, into the one it is compared with, and into the difference of both,
  /// beside what other jobs of the picture have there.
  static void put(Snapshot& snapshot, const JobResult& here, const JobResult& there,
                  const JobResult& difference = {});
  /// Of a text that is compared with the open one, where nothing is measured for that.
  static JobResult ofOpenTextAlone() { return {.missing = "Only for the open text"}; }
};

/// What a pass has to have kept so that something can be shown of it without the model's weights: names of
/// trace points, or nothing where it takes the weights whatever is kept.
using PointsRead = std::optional<std::vector<std::string>> (*)(const Workspace& workspace,
                                                               const ModelConfig& config);

/// Something that pictures need, and that is there while one of them is looked at.
struct Need {
  const char* name;
  /// Measured with every pass.
  void (*onPass)(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) = nullptr;
  /// Measured on both passes of a difference, beside the differences of what is measured on each.
  void (*onBoth)(const ComparedPasses& passes, TensorSet& set) = nullptr;
  /// Measured on the model alone; `set` holds what is known of every model.
  void (*onModel)(const Workspace& workspace, const ModelConfig& config, TensorSet& set) = nullptr;
  std::unique_ptr<BackgroundJob> (*kept)(int threads) = nullptr;  ///< see keptAs()
  /// Copies those settings that decide what is measured; null: none does.
  void (*reads)(const ViewSettings& from, ViewSettings& to) = nullptr;
  PointsRead points = nullptr;  ///< null: it takes the weights
  /// Whether settings ask for it at all; null: whatever they are.
  bool (*isAsked)(const ViewSettings& settings) = nullptr;
};

/// Why something that reads these points cannot be had of a trace from elsewhere; empty: it can.
std::string whyNotOf(PointsRead points, const Workspace& workspace, const ModelConfig& config,
                     const Trace& trace);

template <typename Measurement>
std::unique_ptr<BackgroundJob> keptAs(int threads) {
  return std::make_unique<Measurement>(threads);
}

/// What Need::reads is of a need that these choices decide.
template <const char* const&... choices>
void readChoices(const ViewSettings& from, ViewSettings& to) {
  (to.choose(choices, from.chosen(choices)), ...);
}

using Needs = std::span<const Need* const>;
/// What the picture needs that a workspace shows. The table of pictures says it: the engine knows none.
using NeedsOf = std::function<Needs(const Workspace&)>;

}  // namespace glassformer
