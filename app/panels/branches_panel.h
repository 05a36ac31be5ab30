#pragma once
#include <string>
#include <vector>

#include "app/panels/overlay.h"

namespace glassformer {

/// The branches that are kept: their names and colours, and what can be done with each.
class BranchesPanel : public Overlay {
 public:
  BranchesPanel() : Overlay("Branches") {}

 protected:
  Box place(const Ui& ui, Point window) const override;
  void content(Ui& ui, const Box& area) override;

 private:
  void showBranch(Ui& ui, int branch, Box row);
  void showName(Ui& ui, int branch, const Box& box);
  void showActions(Ui& ui, Box row);

  std::string typed_;  // the name that is being typed
  int naming_ = -1;    // whose it is; -1: nobody's
};

}  // namespace glassformer
