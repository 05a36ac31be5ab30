#include "app/document/list_window.h"

#include <algorithm>

namespace glassformer {

int firstShown(const ListWindow& window, int selected, int rows, int total) {
  int first = window.first;
  if (selected != window.selected) first = std::clamp(first, selected - rows + 1, std::max(selected, 0));
  return std::clamp(first, 0, std::max(total - rows, 0));
}

}  // namespace glassformer
