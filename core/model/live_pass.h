#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/model/transformer.h"
#include "core/tensor/thread_pool.h"
#include "core/trace/interventions.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Forward passes to look at, keystroke after keystroke. Every trace point is kept. In a causal model an edit
/// at position t leaves the rows before t as they were: those are reused. Used by one thread at a time; the
/// traces it hands out may be read anywhere and stay as they are for as long as they are held.
class LivePass {
 public:
  /// A pass that takes more than `limit` bytes drops the squares of attention, which are made again when they
  /// are looked at (Tape::dropSquares()): the same bits. Without a limit that is passLimit(), whatever it is
  /// when a pass is run.
  explicit LivePass(std::shared_ptr<const Transformer> model, int threads = 2,
                    std::optional<double> limit = std::nullopt);
  ~LivePass();

  const Transformer& model() const { return *model_; }
  /// The same for whatever outlives the passes.
  const std::shared_ptr<const Transformer>& sharedModel() const { return model_; }
  /// Whether there is memory for a text and a source of these lengths; if not, the error has the numbers,
  /// and run() would go beyond the limit. Memory is taken as texts need it, for at least twice as many tokens
  /// whenever it grows.
  Status checkMemory(std::size_t tokens, std::size_t source = 0) const;
  /// The trace of 1 to `context` tokens, each in the vocabulary; of an encoder-decoder with the source it
  /// reads. The same one again for as long as somebody holds it.
  std::shared_ptr<const Trace> run(std::span<const int> tokens, const Interventions& interventions = {},
                                   std::span<const int> source = {});
  /// What the passes take that there is memory for, and whether the last one drops its squares.
  struct Memory {
    double bytes = 0;
    bool dropsSquares = false;
  };
  Memory memory() const;
  /// How many rows of the text the last run took over from an earlier one.
  int rowsReused() const { return rowsReused_; }
  /// How many operations it left out: other interventions change nothing before the first of them.
  int operationsReused() const { return operationsReused_; }

 private:
  struct Frame;
  double limit() const;
  void dropOutdated();
  void dropSpare(const Frame* used);
  std::shared_ptr<const Trace> known(std::span<const int> tokens, const Interventions& interventions,
                                     std::span<const int> source) const;
  const Frame* mostAlike(std::span<const int> tokens, const Interventions& interventions,
                         std::span<const int> source) const;
  std::shared_ptr<Frame> newFrame(std::span<const int> tokens, const Interventions& interventions,
                                  std::span<const int> source);
  std::shared_ptr<Frame> freeFrame(std::span<const int> tokens, const Interventions& interventions,
                                   std::span<const int> source);
  void describe(const Frame& frame);
  std::shared_ptr<const Trace> traceOf(const std::shared_ptr<Frame>& frame,
                                       const std::shared_ptr<const void>& owner);

  std::shared_ptr<const Transformer> model_;
  ThreadPool team_;
  std::optional<double> limit_;
  // Memory of passes: traces hand out a frame whole, the next run takes another. Which one matters: the frame
  // whose own tokens share the longest prefix needs the fewest new rows, and nothing is copied between
  // frames.
  std::vector<std::shared_ptr<Frame>> frames_;
  std::shared_ptr<const TensorSet> weights_;  // like the next, known from the first run on
  std::shared_ptr<TracePoints> described_;    // the trace's points
  int rowsReused_ = 0, operationsReused_ = 0;
};

}  // namespace glassformer
