#include "app/document/history.h"

namespace glassformer {

void History::apply(const Command& command, double seconds) {
  Workspace next = current_;
  command.apply(next);
  if (next == current_) return;
  if (!command.undoName.empty()) {
    const bool merges = !command.mergeKey.empty() && command.mergeKey == lastMergeKey_ && redo_.empty() &&
                        (command.mergesLate || seconds - lastSeconds_ < mergeSeconds) && !undo_.empty();
    if (!merges) undo_.push_back({current_, command.undoName});
    if (undo_.size() > limit) undo_.erase(undo_.begin());
    redo_.clear();
    lastMergeKey_ = command.mergeKey;
    lastSeconds_ = seconds;
  }
  current_ = std::move(next);
  ++revision_;
}

void History::undo() { restore(undo_, redo_); }
void History::redo() { restore(redo_, undo_); }

void History::restore(std::vector<Step>& from, std::vector<Step>& to) {
  if (from.empty()) return;
  to.push_back({current_, from.back().name});
  const Workspace& stored = from.back().workspace;
  current_.model = stored.model;
  current_.changes = stored.changes;
  current_.text = stored.text;
  current_.source = stored.source;
  current_.aside = stored.aside;
  current_.tab = stored.tab;
  current_.desks = stored.desks;
  const int with = current_.comparison.with;
  if (with >= current_.tabCount() || with == current_.tab ||
      (with == Comparison::asLoaded && current_.changes.empty()) ||
      (with == Comparison::otherRun && !isRun(current_.model)))
    current_.comparison.with = Comparison::off;
  current_.interventions = stored.interventions;
  current_.decoding = stored.decoding;
  current_.schedules = stored.schedules;
  from.pop_back();
  lastMergeKey_.clear();
  ++revision_;
}

std::string History::stateName(int i) const {
  const int ahead = i - state();
  if (i == 0) return "start";
  return ahead > 0 ? redo_[redo_.size() - static_cast<std::size_t>(ahead)].name
                   : undo_[static_cast<std::size_t>(i - 1)].name;
}

const std::string& History::stateText(int i) const {
  const int ahead = i - state();
  if (ahead == 0) return current_.text;
  return ahead > 0 ? redo_[redo_.size() - static_cast<std::size_t>(ahead)].workspace.text
                   : undo_[static_cast<std::size_t>(i)].workspace.text;
}

void History::goTo(int wanted) {
  while (state() > wanted && canUndo()) undo();
  while (state() < wanted && canRedo()) redo();
}

}  // namespace glassformer
