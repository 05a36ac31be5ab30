#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config.h"
#include "core/model/parameters.h"
#include "core/tensor/operations/elementwise.h"
#include "core/tensor/tape.h"
#include "core/trace/interventions.h"

namespace glassformer {

class InterventionStep;

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

  struct Differentiation {
    Interventions interventions;                         ///< known beforehand: they are part of the function
    std::map<std::string, std::vector<float>*> byPoint;  ///< where ∂/∂x of these points goes, row by row
  };

  /// A pass to look at: every named value is kept and can be intervened on.
  Pass(Tape& tape, const ModelConfig& config, const Parameters& parameters)
      : tape_(tape), parameters_(parameters), purpose_(Purpose::Look), dropout_(config.dropout) {}
  /// A pass to train: gradients of the weights, dropout, no interventions.
  Pass(Tape& tape, const ModelConfig& config, const Parameters& parameters, const Training& training)
      : tape_(tape),
        parameters_(parameters),
        purpose_(Purpose::Train),
        dropout_(config.dropout),
        training_(training) {}
  /// A pass to differentiate by its points: the same function as the one to look at, the weights constant.
  Pass(Tape& tape, const ModelConfig& config, const Parameters& parameters, Differentiation differentiation)
      : tape_(tape),
        parameters_(parameters),
        purpose_(Purpose::Differentiate),
        dropout_(config.dropout),
        differentiation_(std::move(differentiation)) {}

  /// Whether nobody looks at the numbers of the pass, only at the gradients.
  bool trains() const { return purpose_ == Purpose::Train; }
  Tape& tape() { return tape_; }
  const Tape& tape() const { return tape_; }
  Weight weight(const std::string& name) const;
  /// Of a bias that the model may be without: nothing then.
  Weight bias(const std::string& name) const;

  /// Names `value`; from here on everybody sees what interventions made of it. `heads`: of a table [R, H·K].
  Value point(std::string_view name, const Value& value, int heads = 0);
  /// Names what is only looked at, such as a norm's scale.
  void watch(std::string_view name, const Value& value, int heads = 0);
  /// A way that a value takes from here on, such as a skip or the sublayer beside it: the gradient that comes
  /// back through it alone can be asked for by this name. It is no point: nothing is recorded.
  Value way(std::string_view name, const Value& value);
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
  /// Of a pass to look at: from now on the tape applies these; interventions at points the model does not
  /// have do nothing.
  void setInterventions(const Interventions& interventions);
  /// From which operation on the tape is to run when these interventions take the others' place.
  std::size_t firstChanged(const Interventions& before, const Interventions& after) const;
  /// The first operation whose result may have a token attend to a later one; else the number of operations.
  std::size_t firstLookingAhead(const Interventions& interventions) const;

 private:
  enum class Purpose { Look, Train, Differentiate };
  void makeChangeable(const NamedValue& point);
  Value differentiable(const NamedValue& point);

  Tape& tape_;
  const Parameters& parameters_;
  Purpose purpose_;
  float dropout_;
  Training training_;
  Differentiation differentiation_;
  std::string prefix_;
  std::vector<NamedValue> points_;
  struct Changeable {
    std::string point;
    InterventionStep* step;
    std::size_t made, changed;  // by which operations: the value's first one, and the step
  };
  std::vector<Changeable> changeable_;
};

/// How a named value of the first sequence lies in memory: [T, width], [T, H, K] or [H, T, S].
TensorView viewOf(const NamedValue& point, const Tape& tape);

}  // namespace glassformer
