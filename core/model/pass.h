#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config.h"
#include "core/model/parameters.h"
#include "core/tensor/operations/elementwise.h"
#include "core/tensor/tape.h"
#include "core/trace/interventions.h"

namespace glassformer {

/// A value of the forward pass that has a name.
struct NamedValue {
  std::string name;
  Value value;
  int heads = 0;  ///< of a table whose columns are heads side by side; 0: they are not
};

/// What the model's forward code writes onto: the tape, the weights, and the one call that names an
/// intermediate. That call is the only place where recording and interventions happen.
class Pass {
 public:
  struct Training {
    float* gradients = nullptr;  ///< laid out as Parameters::values(); null: weights are not trained
    const DropoutSource* dropoutSource = nullptr;
  };

  /// A pass to look at: every named value is kept and can be intervened on.
  Pass(Tape& tape, const ModelConfig& config, const Parameters& parameters)
      : Pass(tape, config, parameters, Training{}, true) {}
  /// A pass to train: gradients, dropout, no interventions.
  Pass(Tape& tape, const ModelConfig& config, const Parameters& parameters, const Training& training)
      : Pass(tape, config, parameters, training, false) {}

  Tape& tape() { return tape_; }
  Weight weight(const std::string& name) const;

  /// Names `value`; from here on everybody sees what interventions made of it. `heads`: of a table [R, H·K].
  Value point(std::string_view name, const Value& value, int heads = 0);
  /// Names what is only looked at, such as a norm's scale.
  void watch(std::string_view name, const Value& value, int heads = 0);
  /// Dropout on what goes into the residual stream; nothing outside training.
  Value drop(const Value& value);

  /// Names inside are prefixed: "blocks.0." and then "attn.".
  template <typename Body>
  auto within(const std::string& prefix, Body body) {
    const std::string outer = prefix_;
    prefix_ += prefix;
    auto result = body();
    prefix_ = outer;
    return result;
  }

  const std::vector<NamedValue>& points() const { return points_; }
  /// From now on the tape applies these; interventions at points the model does not have do nothing.
  void setInterventions(const Interventions& interventions);

 private:
  class InterventionStep;
  Pass(Tape& tape, const ModelConfig& config, const Parameters& parameters, const Training& training,
       bool interventions)
      : tape_(tape),
        dropout_(config.dropout),
        parameters_(parameters),
        training_(training),
        interventions_(interventions) {}

  Tape& tape_;
  float dropout_;
  const Parameters& parameters_;
  Training training_;
  bool interventions_;
  std::string prefix_;
  std::vector<NamedValue> points_;
  std::vector<std::pair<std::string, InterventionStep*>> steps_;
};

/// How a named value of the first sequence lies in memory: [T, width], [T, H, K] or [H, T, S].
TensorView viewOf(const NamedValue& point, const Tape& tape);

}  // namespace glassformer
