#include "app/scene/compared_side.h"

namespace glassformer {

namespace {

const Snapshot& sideOf(const Snapshot& snapshot, Target::Source source) {
  if (source == Target::Source::Other && snapshot.other) return *snapshot.other;
  if (source == Target::Source::Difference && snapshot.difference) return *snapshot.difference;
  return snapshot;
}

template <typename Map>
Target withPositions(Target target, Map map) {
  for (int* position : {&target.query, &target.key, &target.token})
    if (*position != Target::none) *position = map(*position);
  return target;
}

}  // namespace

const Snapshot& snapshotOf(const Snapshot& snapshot, const Target& target) {
  return sideOf(snapshot, target.source);
}

ComparedSide::ComparedSide(const Snapshot& snapshot, Target::Source source)
    : source_(source), shown_(&sideOf(snapshot, source)) {
  if (shown_ == &snapshot) source_ = Target::Source::This;
  if (source_ == Target::Source::Difference) alignment_ = shown_->sides->alignment;
  if (source_ == Target::Source::Other && snapshot.hasTrace() && shown_->hasTrace())
    alignment_ = align(snapshot.trace->tokens(), shown_->trace->tokens());
}

int ComparedSide::toSide(int position) const {
  if (source_ == Target::Source::This || position < 0) return position;
  const int column = alignment_.columnOfA(position);
  if (column < 0 || source_ == Target::Source::Difference) return column;
  return alignment_[column].b;
}

int ComparedSide::fromSide(int position) const {
  if (source_ == Target::Source::This || position < 0) return position;
  const int column = source_ == Target::Source::Difference ? position : alignment_.columnOfB(position);
  return column < 0 || column >= alignment_.count() ? -1 : alignment_[column].a;
}

Workspace ComparedSide::seen(Workspace workspace) const {
  workspace.selection.query = toSide(workspace.selection.query);
  workspace.selection.key = toSide(workspace.selection.key);
  return workspace;
}

Target ComparedSide::seen(Target target) const {
  return withPositions(std::move(target), [this](int position) { return toSide(position); });
}

Target ComparedSide::told(Target target) const {
  target.source = source_;
  return withPositions(std::move(target), [this](int position) { return fromSide(position); });
}

void ComparedSide::adapt(Scene& scene) const {
  if (source_ == Target::Source::This) return;
  for (HitRegion& hit : scene.hits) {
    hit.isToken = false;  // only the open text is edited
    for (auto* click : {&hit.click, &hit.extend})
      if (*click)
        *click = [own = std::move(*click), side = *this](const Target& target) {
          return side.told(own(target));
        };
  }
}

Command ComparedSide::told(Command command) const {
  command.apply = [apply = std::move(command.apply), side = *this](Workspace& workspace) {
    Workspace shown = side.seen(workspace);
    apply(shown);
    shown.selection.query = side.fromSide(shown.selection.query);
    shown.selection.key = side.fromSide(shown.selection.key);
    workspace = std::move(shown);
  };
  return command;
}

}  // namespace glassformer
