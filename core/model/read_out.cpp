#include "core/model/read_out.h"

#include "core/model/point_names.h"

namespace glassformer {

ReadOut::ReadOut(const Transformer& model, int rows, int threads)
    : tape_(1, rows), team_(threads), stream_(tape_.rows(model.config().width)) {
  Pass pass(tape_, model.config(), model.parameters(), Pass::Differentiation{});
  logits_ = model.readOut(pass, stream_);
}

void ReadOut::put(int row, const TensorView& x) {
  for (int i = 0; i < stream_.width; ++i) stream_.data[row * stream_.stride + i] = x(i);
}

TensorView ReadOut::logits(int rows) {
  tape_.setPositions(rows);
  tape_.forward(team_);
  return {logits_.data, {rows, logits_.width}, {logits_.stride, 1}};
}

namespace {

struct ReadStream {
  ReadStream(const Transformer& model, int rows)
      : tape(1, rows), pass(tape, model.config(), model.parameters()) {}
  Tape tape;
  Pass pass;
};

// Found there instead of copied, so that whoever asks what made a number is led on into the pass.
Value valueAt(const TensorView& x, Value rows) {
  rows.data = const_cast<float*>(x.data);  // a forward pass only reads what it begins with
  rows.stride = x.stride[0];
  return rows;
}

}  // namespace

std::shared_ptr<const Trace> readOutOf(const Transformer& model, const Trace& pass, const TensorView& x) {
  const int T = x.extent[0];
  const auto read = std::make_shared<ReadStream>(model, T);
  model.readOut(read->pass, valueAt(x, read->tape.rows(model.config().width)));
  read->tape.setPositions(T);
  ThreadPool alone(1);
  read->tape.forward(alone);

  auto points = std::make_shared<TracePoints>();
  std::vector<TensorView> tensors;
  for (const NamedValue& point : read->pass.points()) {
    const bool isPlain = pass.contains(point.name);  // else of a decoder beside an encoder
    points->add(pass.point(pass.find(isPlain ? point.name : stackPoint(model.config(), point.name))));
    tensors.push_back(viewOf(point, read->tape));
  }
  auto trace =
      std::make_shared<Trace>(pass.tokens(), pass.source(), std::move(points), std::move(tensors), read);
  trace->cameFrom({read, &read->tape}, {read, pass.weights()});
  return trace;
}

}  // namespace glassformer
