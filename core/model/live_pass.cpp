#include "core/model/live_pass.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <iterator>

#include "core/model/catalogue.h"
#include "core/model/intervention_step.h"
#include "core/model/memory_need.h"
#include "core/model/pass_limit.h"
#include "core/tensor/available_memory.h"

namespace glassformer {

struct LivePass::Frame {
  Frame(std::shared_ptr<const Transformer> transformer, int capacity, int sourceCapacity, double most)
      : limit(most),
        model(std::move(transformer)),
        tape(1, capacity, sourceCapacity),
        pass(tape, model->config(), model->parameters()) {
    if (dropsSquares(passBytes(model->config(), 1, capacity, sourceCapacity), limit)) tape.dropSquares();
    model->forward(pass);
    setPositions(0, 0);
  }

  double limit;  // of bytes, that it was made within
  std::shared_ptr<const Transformer> model;
  Tape tape;
  Pass pass;
  std::vector<int> tokens;      // whose rows the tape holds
  std::vector<int> source;      // and which source these rows have read
  Interventions interventions;  // that these rows went through
  std::atomic<bool> held{false};
  std::weak_ptr<const Trace> trace;  // of these rows, for as long as it is held

  // Somebody still looks at it. What the last holder read happened before it let go, and so before we write.
  bool isHeld() const { return held.load(std::memory_order_acquire); }
  // What a trace keeps for as long as it is looked at.
  static std::shared_ptr<const void> handOut(const std::shared_ptr<Frame>& frame) {
    frame->held.store(true, std::memory_order_relaxed);
    return {frame.get(), [frame](const void*) { frame->held.store(false, std::memory_order_release); }};
  }

  Tape::Bytes bytes() const {
    return tape.bytesFor(1, tape.extent(Stream::Text).capacity, tape.extent(Stream::Source).capacity);
  }
  bool holds(std::size_t text, std::size_t read) const {
    const auto capacity = [&](Stream stream) {
      return static_cast<std::size_t>(tape.extent(stream).capacity);
    };
    return text <= capacity(Stream::Text) && read <= capacity(Stream::Source);
  }
  // What the rows from now on are of.
  void take(std::span<const int> text, std::span<const int> read) {
    tokens.assign(text.begin(), text.end());
    source.assign(read.begin(), read.end());
    std::ranges::copy(text, tape.tokens(Stream::Text).begin());
    std::ranges::copy(read, tape.tokens(Stream::Source).begin());
    setPositions(text.size(), read.size());
  }
  void setPositions(std::size_t text, std::size_t read) {
    tape.setPositions(static_cast<int>(text), Stream::Text);
    tape.setPositions(static_cast<int>(read), Stream::Source);
  }
  // The rows that this text would find the same in another frame, and not yet here.
  void takeOver(const Frame& other, std::span<const int> text, const Interventions& changes,
                std::span<const int> read) {
    if (other.tape.dropsSquares() && !tape.dropsSquares()) return;
    const int known = reusable(text, changes, read), rows = other.reusable(text, changes, read);
    if (rows <= known) return;
    tape.copyRows(other.tape, {known, known > 0 ? static_cast<int>(read.size()) : 0},
                  {rows, static_cast<int>(read.size())});
    tokens.assign(text.begin(), text.begin() + rows);
    source = other.source;
    setPositions(tokens.size(), source.size());
    prepare({}, changes);
  }

  bool hasRead(std::span<const int> text, std::span<const int> read) const {
    return std::ranges::equal(tokens, text) && std::ranges::equal(source, read);
  }

  // How many rows of the text would be the same again.
  int reusable(std::span<const int> text, const Interventions& changes, std::span<const int> read) const {
    if (interventions != changes || !std::ranges::equal(source, read)) return 0;
    const auto shared = static_cast<int>(std::ranges::mismatch(tokens, text).in1 - tokens.begin());
    const bool same = tokens.size() == text.size() && shared == static_cast<int>(text.size());
    return (model->config().causal() && !mayLookAhead(interventions)) || same ? shared : 0;
  }

  // From where on this is to be computed; before that everything is as it would be again.
  TapeStart startOf(std::span<const int> text, const Interventions& changes,
                    std::span<const int> read) const {
    if (hasRead(text, read) && interventions != changes)
      return {.operation = pass.firstChanged(interventions, changes)};
    const int rows = reusable(text, changes, read);
    const bool sourceStays = interventions == changes && std::ranges::equal(source, read) &&
                             (!mayLookAhead(interventions) || hasRead(text, read));
    return {.position = {rows, sourceStays ? static_cast<int>(read.size()) : 0}};
  }

  // What an intervention has written above the diagonal is gone, where it is not computed again as it was.
  void prepare(const TapeStart& start, const Interventions& changes) {
    if (mayLookAhead(interventions) && start.position[0] == 0) tape.refillSquares(start.operation);
    if (interventions == changes) return;
    pass.setInterventions(interventions = changes);
    tape.setWholeRows(pass.firstLookingAhead(changes));
  }
};

namespace {

[[maybe_unused]] bool readable(std::span<const int> tokens, const ModelConfig& config) {
  return !tokens.empty() && static_cast<int>(tokens.size()) <= config.context &&
         std::ranges::all_of(tokens, [&](int t) { return t >= 0 && t < config.vocabulary; });
}

// Rows for a text of so many tokens: most texts need no more than at first, and what a growing one needs
// besides is so seldom that it does not matter.
int capacityFor(std::size_t tokens, const ModelConfig& config) {
  std::size_t capacity = 64;
  while (capacity < tokens) capacity *= 2;
  return std::min(static_cast<int>(capacity), config.context);
}

int sourceCapacityFor(std::size_t tokens, const ModelConfig& config) {
  return config.isEncoderDecoder() ? capacityFor(tokens, config) : 0;
}

// Moves the frame that the trace lies in behind all others.
template <typename Frames>
void makeLast(Frames& frames, const std::shared_ptr<const Trace>& trace) {
  const auto at =
      std::ranges::find_if(frames, [&](const auto& frame) { return frame->trace.lock() == trace; });
  std::rotate(at, std::next(at), frames.end());
}

}  // namespace

LivePass::LivePass(std::shared_ptr<const Transformer> model, int threads, std::optional<double> limit)
    : model_(std::move(model)), team_(threads), limit_(limit) {}
LivePass::~LivePass() = default;

double LivePass::limit() const { return limit_.value_or(passLimit()); }

// Of those that nobody holds any more, what was made within another limit.
void LivePass::dropOutdated() {
  std::erase_if(frames_, [&](const std::shared_ptr<Frame>& frame) {
    return !frame->isHeld() && frame->limit != limit();
  });
}

// Of those that nobody holds any more, which were there while passes followed each other fast, the long ones.
void LivePass::dropSpare(const Frame* used) {
  std::erase_if(frames_, [&](const std::shared_ptr<Frame>& frame) {
    return frame.get() != used && !frame->isHeld() && frame->tape.dropsSquares();
  });
}

// What is looked at is not computed again while nothing of it changes.
std::shared_ptr<const Trace> LivePass::known(std::span<const int> tokens, const Interventions& interventions,
                                             std::span<const int> source) const {
  for (const auto& frame : frames_)
    if (frame->hasRead(tokens, source) && frame->interventions == interventions && frame->limit == limit())
      if (auto trace = frame->trace.lock()) return trace;
  return nullptr;
}

const LivePass::Frame* LivePass::mostAlike(std::span<const int> tokens, const Interventions& interventions,
                                           std::span<const int> source) const {
  const auto best = std::ranges::max_element(frames_, {}, [&](const std::shared_ptr<Frame>& frame) {
    return frame->reusable(tokens, interventions, source);
  });
  return best == frames_.end() ? nullptr : best->get();
}

std::shared_ptr<LivePass::Frame> LivePass::freeFrame(std::span<const int> tokens,
                                                     const Interventions& interventions,
                                                     std::span<const int> source) {
  std::shared_ptr<Frame>* best = nullptr;
  int most = -1;
  for (auto& frame : frames_) {
    if (frame->isHeld()) continue;
    if (!frame->holds(tokens.size(), source.size())) continue;
    const int rows = frame->reusable(tokens, interventions, source);
    // The same text, changed elsewhere, is as good where no row is the same.
    const int shared = 2 * rows + (rows == 0 && frame->hasRead(tokens, source) ? 1 : 0);
    if (shared > most) best = &frame, most = shared;
  }
  if (!best) return newFrame(tokens, interventions, source);
  if ((*best)->interventions == interventions && !mayLookAhead(interventions))
    if (const Frame* alike = mostAlike(tokens, interventions, source))
      (*best)->takeOver(*alike, tokens, interventions, source);
  return *best;
}

// What a text has outgrown goes, but for the rows that stay the same.
std::shared_ptr<LivePass::Frame> LivePass::newFrame(std::span<const int> tokens,
                                                    const Interventions& interventions,
                                                    std::span<const int> source) {
  const ModelConfig& config = model_->config();
  const int capacity = capacityFor(tokens.size(), config),
            sourceCapacity = sourceCapacityFor(source.size(), config);
  const auto made = std::make_shared<Frame>(model_, capacity, sourceCapacity, limit());
  if (const Frame* alike = mostAlike(tokens, interventions, source))
    made->takeOver(*alike, tokens, interventions, source);
  std::erase_if(frames_, [&](const std::shared_ptr<Frame>& frame) {
    return !frame->isHeld() && !frame->holds(tokens.size(), source.size());
  });
  return frames_.emplace_back(made);
}

Status LivePass::checkMemory(std::size_t tokens, std::size_t source) const {
  const bool there = std::ranges::any_of(frames_, [&](const std::shared_ptr<Frame>& frame) {
    return !frame->isHeld() && frame->holds(tokens, source) && frame->limit == limit();
  });
  const ModelConfig& config = model_->config();
  return there ? success()
               : checkPassMemory(config, capacityFor(tokens, config), sourceCapacityFor(source, config),
                                 limit(), availableMemory());
}

std::shared_ptr<const Trace> LivePass::run(std::span<const int> tokens, const Interventions& interventions,
                                           std::span<const int> source) {
  assert(readable(tokens, model_->config()));
  assert(model_->config().isEncoderDecoder() ? readable(source, model_->config()) : source.empty());
  const Interventions changes = resolved(interventions, tokens, source);
  if (auto trace = known(tokens, changes, source)) {
    rowsReused_ = static_cast<int>(tokens.size()), operationsReused_ = 0;
    makeLast(frames_, trace);
    return trace;
  }
  dropOutdated();
  const auto frame = freeFrame(tokens, changes, source);
  dropSpare(frame.get());
  const TapeStart start = frame->startOf(tokens, changes, source);
  frame->prepare(start, changes);
  frame->take(tokens, source);
  rowsReused_ = start.position[0], operationsReused_ = static_cast<int>(start.operation);
  frame->tape.forward(team_, start);
  auto trace = traceOf(frame, Frame::handOut(frame));
  makeLast(frames_, trace);
  return trace;
}

LivePass::Memory LivePass::memory() const {
  Memory memory;
  for (const auto& frame : frames_) {
    const Tape::Bytes bytes = frame->bytes();
    memory.dropsSquares = frame->tape.dropsSquares();
    memory.bytes += memory.dropsSquares ? bytes.tables + frame->tape.madeBytes() : bytes.all();
  }
  return memory;
}

void LivePass::describe(const Frame& frame) {
  if (described_) return;
  weights_ = namedWeights(model_);
  described_ = std::make_shared<TracePoints>();
  const Catalogue catalogue(frame.pass, *weights_, model_->config());
  for (const NamedValue& point : frame.pass.points()) described_->add(catalogue.describe(point));
}

std::shared_ptr<const Trace> LivePass::traceOf(const std::shared_ptr<Frame>& frame,
                                               const std::shared_ptr<const void>& owner) {
  describe(*frame);
  std::vector<TensorView> tensors;
  for (const NamedValue& point : frame->pass.points()) tensors.push_back(viewOf(point, frame->tape));
  auto trace = std::make_shared<Trace>(frame->tokens, frame->source, described_, std::move(tensors), owner);
  trace->cameFrom({owner, &frame->tape}, weights_);
  frame->trace = trace;
  return trace;
}

}  // namespace glassformer
