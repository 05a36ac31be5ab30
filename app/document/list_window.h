#pragma once

namespace glassformer {

/// Where a list that is longer than its place has been scrolled to, and what was selected then: another
/// selection comes into sight by itself.
struct ListWindow {
  int first = 0;
  int selected = -1;

  bool operator==(const ListWindow&) const = default;
};

/// The first of `rows` entries to show of `total`.
int firstShown(const ListWindow& window, int selected, int rows, int total);

}  // namespace glassformer
