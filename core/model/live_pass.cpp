#include "core/model/live_pass.h"

#include <algorithm>
#include <atomic>
#include <cassert>

#include "core/trace/catalogue.h"

namespace glassformer {

struct LivePass::Frame {
  Frame(std::shared_ptr<const Transformer> transformer)
      : model(std::move(transformer)),
        tape(1, model->config().context),
        pass(tape, model->config(), model->parameters()) {
    model->forward(pass);
    for (const NamedValue& point : pass.points()) descriptions.push_back(describeTracePoint(point.name));
  }

  std::shared_ptr<const Transformer> model;
  Tape tape;
  Pass pass;
  std::vector<TracePoint> descriptions;
  std::vector<int> tokens;      // whose rows the tape holds
  Interventions interventions;  // that these rows went through
  bool squaresChanged = false;  // an intervention may have written above the diagonal
};

namespace {

// Interventions that can make a token attend to a later one: then no row is independent of what follows.
bool mayBreakCausality(const Interventions& interventions) {
  return std::ranges::any_of(interventions, [](const Intervention& i) {
    const bool square = i.point.ends_with("hook_pattern") || i.point.ends_with("hook_attn_scores");
    return square && (i.kind == InterventionKind::Add || i.kind == InterventionKind::Replace);
  });
}

int commonPrefix(std::span<const int> a, std::span<const int> b) {
  return static_cast<int>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

LivePass::LivePass(std::shared_ptr<const Transformer> model, int threads)
    : model_(std::move(model)), team_(threads) {}
LivePass::~LivePass() = default;

std::shared_ptr<LivePass::Frame> LivePass::freeFrame(std::span<const int> tokens,
                                                     const Interventions& interventions) {
  std::shared_ptr<Frame>* best = nullptr;
  int most = -1;
  for (auto& frame : frames_) {
    if (frame.use_count() > 1) continue;  // somebody still looks at it; only we could hand it out again
    const int shared = frame->interventions == interventions ? commonPrefix(frame->tokens, tokens) : 0;
    if (shared > most) best = &frame, most = shared;
  }
  std::atomic_thread_fence(std::memory_order_acquire);  // what the last holder read happened before we write
  if (best) return *best;
  return frames_.emplace_back(std::make_shared<Frame>(model_));
}

std::shared_ptr<const Trace> LivePass::run(std::span<const int> tokens, const Interventions& interventions) {
  assert(!tokens.empty() && static_cast<int>(tokens.size()) <= model_->config().context);
  assert(std::ranges::all_of(tokens, [&](int t) { return t >= 0 && t < model_->config().vocabulary; }));
  const auto frame = freeFrame(tokens, interventions);
  Tape& tape = frame->tape;

  const bool wholeRows = mayBreakCausality(interventions);
  int first = 0;
  if (frame->interventions == interventions && !wholeRows) first = commonPrefix(frame->tokens, tokens);
  if (frame->squaresChanged) tape.refillSquares(), first = 0;
  frame->squaresChanged = wholeRows;
  if (frame->interventions != interventions)
    frame->pass.setInterventions(frame->interventions = interventions);

  frame->tokens.assign(tokens.begin(), tokens.end());
  std::ranges::copy(tokens, tape.tokens().begin());
  tape.setPositions(static_cast<int>(tokens.size()));
  tape.setWholeRows(wholeRows);
  tape.forward(team_, first);
  rowsReused_ = first;

  auto trace = std::make_shared<Trace>(frame->tokens);
  for (std::size_t i = 0; i < frame->descriptions.size(); ++i) {
    const TracePoint& description = frame->descriptions[i];
    trace->add(description,
               viewOf(frame->pass.points()[i].value, description.letters, tape.extent(),
                      model_->config().headWidth()),
               frame);
  }
  return trace;
}

}  // namespace glassformer
