#pragma once
#include "core/tensor/tape.h"
#include "core/trace/interventions.h"

namespace glassformer {

/// Overrides parts of a value where the pass computes it: y is x but for what the interventions say. -inf (a
/// masked score) stays masked under scaling and adding.
///
/// With y = x it writes over x. That has no derivative, for operations before may look at their own result
/// when they run backward; with a y of its own it has.
class InterventionStep final : public Operation {
 public:
  /// `heads`: of a table whose columns are heads side by side, else 0.
  InterventionStep(const Tape& tape, Value x, Value y, int heads);

  /// A recurrent row is changed before the next one is made of it.
  Domain domain() const override {
    if (dy_.value.recurrent) return Domain::Time;
    return dy_.value.square ? Domain::Heads : Domain::Rows;
  }
  void forward(const Work& work) override;
  void backward() override { backwardRows({0, extent_.positions}); }
  void backwardOf(int sequence, int head) override { backwardRows({0, extent_.positions, sequence, head}); }
  void backwardAt(int position) override { backwardRows({position, position + 1}); }
  std::vector<Gradient*> operands() override;
  Gradient* result() override { return inPlace() ? nullptr : &dy_; }
  const Value* changed() const override { return inPlace() ? &dy_.value : nullptr; }

  Interventions active;

 private:
  bool inPlace() const { return dx_.value.id == dy_.value.id; }
  void backwardRows(const Work& work);
  void copyRows(const Work& work);
  void passRowOn(const float* dy, float* dx, int n) const;
  template <typename Visit>
  void eachSelected(const Intervention& intervention, const Work& work, Visit visit) const;
  template <typename Visit>
  void eachSelectedRow(const Intervention& intervention, const Work& work, Visit visit) const;
  template <typename Visit>
  void eachSelectedInRows(const Intervention& intervention, const Work& work, Visit visit) const;
  template <typename Visit>
  void eachSelectedInSquare(const Intervention& intervention, const Work& work, Visit visit) const;
  std::ptrdiff_t at(const Value& square, int head, int t) const {
    return (static_cast<std::ptrdiff_t>(head) * extent_.capacity + t) * square.stride;
  }
  int keys(int rowEnd) const { return dy_.value.triangular && !wholeRows_ ? rowEnd : keyExtent_.positions; }

  const Extent& keyExtent_;
  int headWidth_;
  Gradient dx_, dy_;
};

/// Interventions that can make a token attend to a later one: then no row is independent of what follows.
bool mayLookAhead(const Interventions& interventions);

}  // namespace glassformer
