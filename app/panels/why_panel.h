#pragma once
#include <vector>

#include "app/explain/provenance.h"
#include "app/panels/overlay.h"

namespace glassformer {

/// Where a number comes from: its terms, largest first, and of each the numbers it is made of. Every one of
/// these opens in turn, across blocks, down to embeddings and weights; back and forward go along that way.
class WhyPanel : public Overlay {
 public:
  WhyPanel() : Overlay("Why") {}

  /// What its field is called in which the number is changed.
  static constexpr const char* changeField = "Change it";
  /// Opens on the number of this target.
  void ask(const Target& target);

 protected:
  Box place(const Ui& ui, Point window) const override;
  bool veils() const override { return false; }
  void content(Ui& ui, const Box& area) override;

 private:
  void showTitle(Ui& ui, Box& rest);
  void showNumber(Ui& ui, const NamedNumber& number, Box& rest);
  /// True where it is held at another number than the model has there.
  bool showChange(Ui& ui, Box& rest);
  void showTerms(Ui& ui, const Provenance& provenance, Box rest);
  void showTerm(Ui& ui, const Term& term, double share, int row, Box box);
  /// `factor`: what stands before its name.
  void showOperand(Ui& ui, Cell cell, const std::string& factor, const std::string& id, Box box);
  void follow(const TensorRef& cell);
  void step(int by);
  const Snapshot& asked(const Ui& ui) const;

  Target::Source source_ = Target::Source::This;
  std::vector<TensorRef> trail_;
  int at_ = 0;     // in the trail
  int first_ = 0;  // term on top
};

}  // namespace glassformer
