#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// Where the query under the pointer, else the selected one, looks most in this plane: its row as sorted
/// bars, as many as the box holds.
struct StrongestKeysList {
  AttentionPlane plane;
  std::string whose = {};  ///< names the head where there are several
  /// What stands before a key's token; empty: nothing does.
  std::function<std::string(int key)> mark = {};
  std::function<Command(int key)> extend = {};  ///< what a click with Ctrl does; empty: as any other click
};
void addStrongestKeys(AttentionPicture& picture, Box box, const StrongestKeysList& list);

}  // namespace glassformer
