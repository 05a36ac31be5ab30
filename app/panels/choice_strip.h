#pragma once
#include <vector>

#include "app/panels/ui.h"

namespace glassformer {

/// Groups of choices in one line: each whole where there is room, else as the one that is on, which opens its
/// group in place of the line until something is chosen.
class ChoiceStrip {
 public:
  using Group = std::vector<Choice>;
  /// The leading groups fold first, the others from the last on. Returns what is left of the row.
  Box show(Ui& ui, Box row, const std::vector<Group>& groups, std::size_t leading);
  bool isOpen() const { return open_ >= 0; }
  void close() { open_ = -1; }

 private:
  void showFolded(Ui& ui, Box& row, const Group& group, int index);
  void showOpen(Ui& ui, Box row, const Group& group);

  int open_ = -1;  // the group that stands there alone
};

}  // namespace glassformer
