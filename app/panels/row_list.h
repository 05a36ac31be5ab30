#pragma once
#include <functional>

#include "app/panels/ui.h"

namespace glassformer {

/// The rows of a list that are in sight, from the first of them down: the arrow keys, Home and End choose one
/// and bring it into sight, the wheel moves them.
class RowList {
 public:
  /// From the top, with the first one chosen.
  void begin() { chosen_ = first_ = 0; }
  int chosen() const { return chosen_; }
  /// As many of `count` rows as there is room for; `row` draws each at its place. How many more there are
  /// below stands at the end of `foot`. `hasKeys`: the keys of this frame are this list's.
  void show(Ui& ui, Box area, Point foot, int count, float height, bool hasKeys,
            const std::function<void(int, const Box&)>& row);

 private:
  int chosen_ = 0;
  int first_ = 0;  // of those in sight
};

}  // namespace glassformer
