#include "core/model/read_out.h"

namespace glassformer {

ReadOut::ReadOut(const Transformer& model, int rows)
    : tape_(1, rows), stream_(tape_.rows(model.config().width)) {
  Pass pass(tape_, model.config(), model.parameters(), Pass::Differentiation{});
  logits_ = model.readOut(pass, stream_);
}

void ReadOut::put(int row, const TensorView& x) {
  for (int i = 0; i < stream_.width; ++i) stream_.data[row * stream_.stride + i] = x(i);
}

TensorView ReadOut::logits(int rows) {
  tape_.setPositions(rows);
  tape_.forward(alone_);
  return {logits_.data, {rows, logits_.width}, {logits_.stride, 1}};
}

}  // namespace glassformer
