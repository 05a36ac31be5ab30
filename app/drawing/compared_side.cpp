#include "app/drawing/compared_side.h"

#include <algorithm>

namespace glassformer {

namespace {

const Snapshot& sideOf(const Snapshot& snapshot, Target::Source source) {
  if (source == Target::Source::Other && snapshot.other) return *snapshot.other;
  if (source == Target::Source::Difference && snapshot.difference) return *snapshot.difference;
  return snapshot;
}

template <typename Map>
Target withPositions(Target target, Map map) {
  for (const auto& [position, stream] :
       {std::pair{&target.query, target.queries}, {&target.key, target.keys}, {&target.token, target.tokens}})
    if (*position != Target::none) *position = map(*position, stream);
  return target;
}

template <typename Map>
void mapPositions(Selection& selection, Map map) {
  selection.query = map(selection.query, Stream::Text), selection.key = map(selection.key, Stream::Text);
  selection.source = map(selection.source, Stream::Source);
  selection.sourceKey = map(selection.sourceKey, Stream::Source);
}

}  // namespace

const Snapshot& snapshotOf(const Snapshot& snapshot, const Target& target) {
  return sideOf(snapshot, target.source);
}

ComparedSide::ComparedSide(const Snapshot& snapshot, Target::Source source)
    : source_(source), shown_(&sideOf(snapshot, source)) {
  if (shown_ == &snapshot) source_ = Target::Source::This;
  if (source_ == Target::Source::Difference) alignments_ = shown_->sides->alignments;
  if (source_ == Target::Source::Other && snapshot.pass->hasTrace() && shown_->pass->hasTrace())
    alignments_ = {align(snapshot.pass->trace->tokens(), shown_->pass->trace->tokens()),
                   align(snapshot.pass->trace->source(), shown_->pass->trace->source())};
}

int ComparedSide::toSide(int position, Stream stream) const {
  if (source_ == Target::Source::This || position < 0) return position;
  const Alignment& alignment = alignments_.of(stream);
  const int column = alignment.columnOfA(position);
  if (column < 0 || source_ == Target::Source::Difference) return column;
  return alignment[column].b;
}

int ComparedSide::fromSide(int position, Stream stream) const {
  if (source_ == Target::Source::This || position < 0) return position;
  const Alignment& alignment = alignments_.of(stream);
  const int column = source_ == Target::Source::Difference ? position : alignment.columnOfB(position);
  return column < 0 || column >= alignment.count() ? -1 : alignment[column].a;
}

Workspace ComparedSide::seen(Workspace workspace) const {
  mapPositions(workspace.selection, [this](int i, Stream stream) { return toSide(i, stream); });
  return workspace;
}

Target ComparedSide::seen(Target target) const {
  return withPositions(std::move(target), [this](int i, Stream stream) { return toSide(i, stream); });
}

Target ComparedSide::told(Target target) const {
  target.source = source_;
  return withPositions(std::move(target), [this](int i, Stream stream) { return fromSide(i, stream); });
}

void ComparedSide::adapt(Scene& scene) const {
  if (source_ == Target::Source::This) return;
  const auto tell = [this](std::vector<Choice>& choices) {
    for (Choice& choice : choices)
      for (Command* command : {&choice.command, &choice.extended})
        if (command->apply) *command = told(std::move(*command));
  };
  tell(scene.choices.pictures);
  std::ranges::for_each(scene.choices.groups, tell);
  for (HitRegion& hit : scene.hits) {
    hit.isToken = false, hit.draw = nullptr;  // only the open text and its model are edited
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
    mapPositions(shown.selection, [&](int i, Stream stream) { return side.fromSide(i, stream); });
    workspace = std::move(shown);
  };
  return command;
}

}  // namespace glassformer
