#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/model/transformer.h"
#include "core/tensor/aligned_vector.h"
#include "core/tensor/kernels.h"
#include "core/tensor/operations/loss.h"
#include "core/tensor/thread_pool.h"
#include "core/train/parameter_groups.h"
#include "core/train/schedule.h"

namespace glassformer {

/// B sequences of T tokens, and for each the token that the model should predict there (Targets::none where
/// none counts). [B · T] each.
struct Batch {
  std::vector<int> tokens, targets;
  /// Of an encoder-decoder: the sources, padded to S tokens [B · S], and how long each is without padding
  /// [B].
  std::vector<int> source, sourceLengths;
};

enum class OptimizerKind {
  AdamW,  ///< Loshchilov & Hutter 2019
  Sgd,    ///< stochastic gradient descent with momentum: m ← μ m + g, w ← w − η m
};

struct TrainingOptions {
  int sequences = 16;       ///< B
  int growth = 1;           ///< a batch is so many times as large ...
  int growthStep = 0;       ///< ... behind this step (Smith et al. 2018)
  int positions = 128;      ///< T
  int sourcePositions = 0;  ///< S, of an encoder-decoder
  /// Parts of the batch with gradients of their own, summed in a fixed order: part of the recipe, not of the
  /// machine, so that weights do not depend on how many threads share the work. Divides B.
  int shards = 4;
  Schedule schedule;
  OptimizerKind optimizer = OptimizerKind::AdamW;
  float momentum = 0.9f;  ///< μ, of SGD
  float beta1 = 0.9f, beta2 = 0.98f, epsilon = 1e-8f;
  int beta1FromStep = 0;  ///< behind which step β1 counts: up to it a step follows its own gradient alone
  float weightDecay = 0.01f;  ///< of matrices; vectors (norms, biases) are left alone. SGD's is part of g
  float clip = 1;             ///< largest norm of the whole gradient; 0: no clipping
  std::uint64_t seed = 1;     ///< of dropout, whose probability is the config's

  /// How many sequences a step takes.
  int sequencesAt(int step) const { return step > growthStep ? sequences * growth : sequences; }
};

/// What a step did to one of the parameterGroups().
struct GroupReport {
  double gradientNorm = 0;  ///< ‖g‖, before clipping
  double updateRatio = 0;   ///< ‖Δw‖ / ‖w‖
};

struct StepReport {
  int step = 0;
  double loss = 0;          ///< mean cross-entropy in nats, see core/train/training_loss.h
  double gradientNorm = 0;  ///< before clipping
  float learningRate = 0;
  std::vector<GroupReport> groups = {};  ///< where the trainer watches them
  double headsApart = 0;                 ///< after the step, likewise: see core/model/head_slices.h
};

/// Trains a transformer: the same forward code as everywhere, read
/// backward. Everything random is a function of (seed, step), so a run continued from its state equals one
/// that never stopped.
class Trainer {
 public:
  /// What has to be kept to go on later; the moments are laid out like Parameters::values().
  struct State {
    int step = 0;
    AlignedVector firstMoment, secondMoment;
  };

  Trainer(const ModelConfig& config, Parameters parameters, const TrainingOptions& options, int threads = 2);
  ~Trainer();

  /// Of a batch of several times B sequences, B after B, the gradients are summed.
  StepReport step(const Batch& batch);
  /// Mean cross-entropy of a batch in nats, without dropout; changes nothing.
  double loss(const Batch& batch);
  /// Whether reports say what became of every group.
  void watchGroups(bool on) { watchesGroups_ = on; }
  const ParameterGroups& groups() const { return groups_; }
  /// Of the steps that come.
  void setSchedule(const Schedule& schedule) { options_.schedule = schedule; }
  /// Of the last step, unclipped, laid out like Parameters::values().
  std::span<const float> gradient() const;
  /// Gradients only, summed over the shards and unclipped: what step() would apply. Laid out like
  /// Parameters::values().
  double gradients(const Batch& batch, AlignedVector& result);

  Transformer& model() { return *model_; }
  const Transformer& model() const { return *model_; }
  const TrainingOptions& options() const { return options_; }
  const State& state() const { return state_; }
  void restore(const State& state);

 private:
  struct Shard;
  struct Chunk {  // of one parameter
    std::size_t begin;
    int size;
    bool decays;
    std::size_t group;
    double gradient = 0, update = 0, weight = 0;  // sums of squares, in the last step
  };
  enum class Direction { Forward, Both };
  void runShards(const Batch& batch, Direction direction);
  double lossOfShards() const;
  void shareChunks(const std::function<void(Chunk&)>& visit);
  void sumGradients(const Chunk& chunk);
  void update(Chunk& chunk, AdamWStep adamW);
  void apply(const Chunk& chunk, const AdamWStep& adamW, float* values);
  std::vector<GroupReport> reportGroups() const;

  TrainingOptions options_;
  std::unique_ptr<Transformer> model_;
  ThreadPool team_;
  std::vector<std::unique_ptr<Shard>> shards_;
  ParameterGroups groups_;
  bool watchesGroups_ = false;
  std::vector<Chunk> chunks_;
  State state_;
};

}  // namespace glassformer
