#pragma once
#include <functional>
#include <string>

namespace glassformer {

struct Workspace;

/// One change of the Workspace. Panels emit commands; they take effect together at the end of the frame. What
/// commands there are, the files `*_commands.h` say by topic, and files whose topic is more than commands.
struct Command {
  std::function<void(Workspace&)> apply;
  std::string undoName;     ///< "typing": what Undo calls it; empty: undo skips it (views, selection, look)
  std::string mergeKey;     ///< commands in a row with the same key are undone together; empty: never
  bool mergesLate = false;  ///< however much later they come
};

}  // namespace glassformer
