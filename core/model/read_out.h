#pragma once
#include <memory>

#include "core/model/transformer.h"
#include "core/tensor/thread_pool.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What the model makes of a stream that is given instead of computed: its read-out alone, the same
/// operations that its forward pass ends with, on a tape of their own.
class ReadOut {
 public:
  /// `rows`: how many are read at a time, at most; by `threads` where that is worth it. The model outlives
  /// it, and has weights.
  ReadOut(const Transformer& model, int rows, int threads = 1);

  /// Row `row` is the stream x [D], as the last block would leave it.
  void put(int row, const TensorView& x);
  /// The logits of the first rows [rows, V], valid until the next call.
  TensorView logits(int rows);

 private:
  Tape tape_;
  ThreadPool team_;
  Value stream_, logits_;
};

/// What the model makes of the stream x [T, D] that a pass has somewhere, were it the last block's, to be
/// looked into: the pass's own points from the final norm on, whose numbers are made of those of x where they
/// lie. Borrows the pass, which outlives it; the model has weights.
std::shared_ptr<const Trace> readOutOf(const Transformer& model, const Trace& pass, const TensorView& x);

}  // namespace glassformer
