#pragma once
#include <string>

#include "app/panels/overlay.h"
#include "core/decode/candidates.h"

namespace glassformer {

/// What can be done with a token that may come next: take it, whatever decoding would choose, ban it or allow
/// it again, and ask how its probability is computed. Any other token can be chosen from a list, or typed.
class CandidateMenu : public Overlay {
 public:
  CandidateMenu() : Overlay("Candidate menu") {}
  /// Opens for a token behind the place that sampling is shown for; closes when the text becomes another.
  void begin(const CandidatePlace& candidate, const Snapshot& snapshot);

 protected:
  Box place(const Ui& ui, Point window) const override;
  bool veils() const override { return false; }
  void content(Ui& ui, const Box& area) override;

 private:
  void showList(Ui& ui, Box& rest);
  void showActions(Ui& ui, Box row);
  void handleKeys(Ui& ui);
  void take(Ui& ui);
  void ban(Ui& ui);
  void explain(Ui& ui);
  bool isBanned(const Ui& ui, int token) const;
  std::string labelOf(const Ui& ui) const;

  CandidatePlace asked_;
  std::string text_, prefix_;  // the open text; as far as it is kept when a token is taken
  std::string typed_;          // in place of a token of the list
  int token_ = -1;             // what is chosen; −1: what is typed
  Candidates listed_;          // the most probable ones, and the one that was asked for
};

}  // namespace glassformer
