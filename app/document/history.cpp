#include "app/document/history.h"

#include "app/document/comparison_commands.h"
#include "app/document/model_commands.h"
#include "app/document/trace_file.h"

namespace glassformer {

namespace {

// Whether undo would bring anything back.
bool isAnother(const Document& a, const Document& b) {
  return a.content() != b.content() || a.pins != b.pins;
}

}  // namespace

void History::apply(const Command& command, double seconds) {
  Workspace next = current_;
  command.apply(next);
  if (next == current_) return;
  if (std::string reason = whyTraceRefuses(current_, next); !reason.empty()) {
    refusal_ = std::move(reason);
    return;
  }
  if (!command.undoName.empty() && isAnother(next, current_)) {
    const bool merges = !command.mergeKey.empty() && command.mergeKey == lastMergeKey_ && redo_.empty() &&
                        (command.mergesLate || seconds - lastSeconds_ < mergeSeconds) && !undo_.empty();
    if (!merges) undo_.push_back({current_, ""});
    undo_.back().name = command.undoName;  // it may say how far it went
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

bool History::refuseModel(const std::string& first) {
  const std::string refused = current_.model;
  auto asked = undo_.end();
  while (asked != undo_.begin() && (asked - 1)->document.model == refused) --asked;
  if (asked == undo_.begin() && first == refused) return false;
  const bool known = asked != undo_.begin();
  if (known && asked == undo_.end() && undo_.back().name == commands::openingModel) {
    current_.document() = undo_.back().document;
    undo_.pop_back();
  } else {
    const std::string model = known ? (asked - 1)->document.model : first;
    const ModelChanges changes = known ? (asked - 1)->document.changes : ModelChanges{};
    const auto exchange = [&](Content& content) { content.model = model, content.changes = changes; };
    if (isTraceFile(refused)) commands::setModel(model).apply(current_);  // its tabs are files, no texts
    exchange(current_);
    for (; asked != undo_.end(); ++asked) exchange(asked->document);
  }
  keepComparison();
  lastMergeKey_.clear();
  ++revision_;
  return true;
}

// As far as there is something to compare with.
void History::keepComparison() {
  const Compared& with = current_.comparison.with;
  if (!exists(with, current_) || (with == Comparison::asLoaded && current_.changes.empty()) ||
      (with == Comparison::otherRun && !isRun(current_.model)))
    current_.comparison.with = Comparison::off;
}

void History::restore(std::vector<Step>& from, std::vector<Step>& to) {
  if (from.empty()) return;
  to.push_back({current_, from.back().name});
  const Document& stored = from.back().document;
  if (current_.model != stored.model) current_.selection = stored.selection;
  current_.content() = stored.content();
  current_.pins = stored.pins;
  keepComparison();
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
  return ahead > 0 ? redo_[redo_.size() - static_cast<std::size_t>(ahead)].document.text
                   : undo_[static_cast<std::size_t>(i)].document.text;
}

void History::goTo(int wanted) {
  while (state() > wanted && canUndo()) undo();
  while (state() < wanted && canRedo()) redo();
}

}  // namespace glassformer
