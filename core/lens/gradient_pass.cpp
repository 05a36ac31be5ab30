#include "core/lens/gradient_pass.h"

#include <algorithm>

#include "core/lens/answer_metric.h"
#include "core/model/intervention_step.h"
#include "core/model/memory_need.h"
#include "core/model/pass_limit.h"

namespace glassformer {
namespace {

std::map<std::string, std::vector<float>> noneYet(const std::vector<std::string>& points) {
  std::map<std::string, std::vector<float>> gradients;
  for (const std::string& point : points) gradients[point];
  return gradients;
}

}  // namespace

GradientPass::GradientPass(const Transformer& model, const Trace& trace, const Interventions& interventions,
                           const std::vector<std::string>& points)
    : gradients_(noneYet(points)),
      tape_(1, trace.tokenCount(), static_cast<int>(trace.source().size())),
      pass_(tape_, model.config(), model.parameters(),
            {resolved(interventions, trace.tokens(), trace.source()), placesOf(gradients_)}) {
  keepWithinLimit(model.config(), trace);
  differentiate(tape_, model.forward(pass_), entry_);
  start(trace, interventions);
}

GradientPass::GradientPass(const Transformer& model, const Trace& trace, const Interventions& interventions,
                           const std::vector<std::string>& points, const std::string& of)
    : gradients_(noneYet(points)),
      tape_(1, trace.tokenCount(), static_cast<int>(trace.source().size())),
      pass_(tape_, model.config(), model.parameters(),
            {resolved(interventions, trace.tokens(), trace.source()), placesOf(gradients_)}) {
  keepWithinLimit(model.config(), trace);
  model.forward(pass_);
  differentiate(tape_, std::ranges::find(pass_.points(), of, &NamedValue::name)->value, entry_);
  start(trace, interventions);
}

GradientPass::GradientPass(const Transformer& model, const Trace& trace, const Interventions& interventions,
                           const std::vector<std::string>& points, std::vector<int> targets)
    : gradients_(noneYet(points)),
      targets_{std::move(targets)},
      tape_(1, trace.tokenCount(), static_cast<int>(trace.source().size())),
      pass_(tape_, model.config(), model.parameters(),
            {resolved(interventions, trace.tokens(), trace.source()), placesOf(gradients_)}) {
  const auto none = std::ranges::count(targets_.token, Targets::none);
  targets_.weight = 1 / static_cast<float>(static_cast<std::ptrdiff_t>(targets_.token.size()) - none);
  keepWithinLimit(model.config(), trace);
  crossEntropy(tape_, model.forward(pass_), targets_);
  start(trace, interventions);
}

void GradientPass::keepWithinLimit(const ModelConfig& config, const Trace& trace) {
  const Tape::Bytes bytes = passBytes(config, 1, trace.tokenCount(), static_cast<int>(trace.source().size()));
  if (dropsSquares(bytes, passLimit())) tape_.dropSquares();
}

void GradientPass::start(const Trace& trace, const Interventions& interventions) {
  tape_.planBackward();
  std::ranges::copy(trace.tokens(), tape_.tokens().begin());
  std::ranges::copy(trace.source(), tape_.tokens(Stream::Source).begin());
  if (mayLookAhead(interventions)) tape_.setWholeRows(0);
  tape_.forward();
}

std::map<std::string, std::vector<float>*> GradientPass::placesOf(Gradients& gradients) {
  std::map<std::string, std::vector<float>*> places;
  for (auto& [point, gradient] : gradients) places[point] = &gradient;
  return places;
}

std::unique_ptr<GradientPass> GradientPass::ran(const Transformer& model, const Trace& trace,
                                                const Interventions& interventions,
                                                const std::vector<std::string>& points,
                                                const BackwardFrom& from) {
  if (from.targets.empty()) {
    auto pass = std::make_unique<GradientPass>(model, trace, interventions, points);
    pass->run(from.answer);
    return pass;
  }
  auto pass = std::make_unique<GradientPass>(model, trace, interventions, points, from.targets);
  pass->run();
  return pass;
}

void GradientPass::run(const AnswerMetric& of) {
  const auto [position, entry] = of.prediction;
  if (of.as == AnswerMetric::As::Logit) return runFrom({position, entry, of.against});
  const TensorView z = value("logits")[position];
  const std::span<const float> row(z.data, static_cast<std::size_t>(z.extent[0]));
  runFrom({.row = position, .slopes = slopesOf(of, row)});
}

void GradientPass::runFrom(const TableEntry& of) {
  entry_ = of;
  tape_.backward();
}

double GradientPass::run() {
  tape_.backward();
  return targets_.loss;
}

TensorView GradientPass::rowGradient(const std::string& name, int width) const {
  const std::vector<float>& rows = gradients_.at(name);
  return {rows.data(), {static_cast<int>(rows.size()) / width, width}};
}

TensorView GradientPass::value(const std::string& point) const {
  const TensorView value = viewOf(*std::ranges::find(pass_.points(), point, &NamedValue::name), tape_);
  tape_.materialize(value.data);
  return value;
}

TensorView GradientPass::gradient(const std::string& point) const {
  const TensorView shape = value(point);
  return TensorView(gradients_.at(point).data(),
                    std::span(shape.extent.data(), static_cast<std::size_t>(shape.rank)));
}

}  // namespace glassformer
