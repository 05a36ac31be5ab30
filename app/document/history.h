#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/document/command.h"
#include "app/document/workspace.h"

namespace glassformer {

/// The current Workspace and how it came to be. Undo and redo are stored copies; they bring back the content
/// and the pins, and leave what of it is looked at, and how, as it is. What leaves both as they are cannot be
/// undone.
class History {
 public:
  explicit History(Workspace initial) : current_(std::move(initial)) {}

  const Workspace& current() const { return current_; }
  /// Grows with every change, also by undo and redo.
  std::uint64_t revision() const { return revision_; }

  /// `seconds` is any clock; commands with the same merge key become one step, where they are less than a
  /// second apart or merge late.
  void apply(const Command& command, double seconds);
  /// Why the last command that changed nothing was refused: see whyTraceRefuses(). Empty: none was since.
  std::string takeRefusal() { return std::exchange(refusal_, ""); }
  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  void undo();
  void redo();
  /// Takes back that the current model was asked for, which cannot be opened: nothing else has changed since,
  /// then all is as before; or the texts stay, with the model before it, or `first` where there was none.
  /// False where that is the one that cannot be opened.
  bool refuseModel(const std::string& first);

  /// All states that undo and redo reach, the oldest first; `state` is where we are.
  int stateCount() const { return static_cast<int>(undo_.size() + redo_.size()) + 1; }
  int state() const { return static_cast<int>(undo_.size()); }
  /// What led to a state: "typing"; the oldest is "start".
  std::string stateName(int i) const;
  const std::string& stateText(int i) const;
  void goTo(int state);

 private:
  struct Step {
    Document document;
    std::string name;  ///< of the change between it and the state that came after it
  };
  void restore(std::vector<Step>& from, std::vector<Step>& to);
  void keepComparison();

  static constexpr std::size_t limit = 500;  // copies kept
  static constexpr double mergeSeconds = 1;

  Workspace current_;
  std::vector<Step> undo_, redo_;  // the last one is the nearest
  std::string lastMergeKey_, refusal_;
  double lastSeconds_ = 0;
  std::uint64_t revision_ = 0;
};

}  // namespace glassformer
