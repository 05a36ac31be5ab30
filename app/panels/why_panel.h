#pragma once
#include <vector>

#include "app/document/pin.h"
#include "app/explain/found_terms.h"
#include "app/explain/other_passes.h"
#include "app/panels/overlay.h"

namespace glassformer {

/// Where a number comes from: its terms, largest first, and of each the numbers it is made of. Every one of
/// these opens in turn, across blocks, down to embeddings and weights; back and forward go along that way. A
/// number that compares passes runs them again, beside the window, and its terms open each in its own.
class WhyPanel : public Overlay {
 public:
  WhyPanel() : Overlay("Why") {}

  /// What its field is called in which the number is changed.
  static constexpr const char* changeField = "Change it";
  /// Opens on the number of this target.
  void ask(const Target& target);
  /// The same of a pinned number of another pass: one step behind the number that compares passes.
  void ask(const Pin& pin);
  /// The tensors that the number it shows is made of, of a weight its own; none where it is closed.
  std::vector<std::string> made() const { return isOpen() ? made_ : std::vector<std::string>(); }

 protected:
  Box place(const Ui& ui, Point window) const override;
  bool veils() const override { return false; }
  void content(Ui& ui, const Box& area) override;

 private:
  /// A number on the way, of the shown pass or of one that the number at `origin` was opened into.
  struct Place {
    TensorRef cell;
    int origin = -1, pass = -1;
  };
  const Place& current() const { return trail_[static_cast<std::size_t>(at_)]; }
  /// Null while the passes run, or where the shown one has no such number any more.
  const OpenedAcross* openedFor(Ui& ui, int origin);
  /// The pass of the place that is looked at; null while it runs.
  const Snapshot* here(Ui& ui);
  /// The same, where it is another one than the shown one.
  std::shared_ptr<const Snapshot> openedHere(Ui& ui);
  Target targetIn(const Ui& ui, const Snapshot& snapshot, const TensorRef& cell) const;
  void showMade(Ui& ui, const Snapshot& snapshot, float value, Box& rest);
  void showTitle(Ui& ui, Box& rest);
  void showNumber(Ui& ui, const Snapshot& snapshot, const NamedNumber& number, Box& rest);
  /// True where it is held at another number than the model has there.
  bool showChange(Ui& ui, Box& rest);
  /// Of a score or share of attention in the open text: what makes that head look elsewhere from there, or
  /// here.
  void offerFlip(Ui& ui, const Snapshot& snapshot, Box& rest);
  void noteMade(Ui& ui, const Derivation& derivation);
  void showTerms(Ui& ui, const Provenance& provenance, float value, Box rest);
  struct TermLook {
    double share;    ///< how long its bar is, of the longest; none where it is no number
    bool isCounted;  ///< a factor of a count
  };
  void showTerm(Ui& ui, const Term& term, TermLook look, int row, Box box);
  /// `factor`: what stands before its name.
  void showOperand(Ui& ui, Cell cell, const std::string& factor, const std::string& id, Box box);
  void follow(const TensorRef& cell, int pass);
  void step(int by);
  const Snapshot& asked(const Ui& ui) const;
  Pin pinOfCurrent() const;

  Target::Source source_ = Target::Source::This;
  std::vector<Place> trail_;
  int at_ = 0;             // in the trail
  int first_ = 0;          // term on top
  float factorWidth_ = 0;  // of what stands before the names of these terms
  FoundTerms terms_;
  std::vector<std::string> made_;
};

}  // namespace glassformer
