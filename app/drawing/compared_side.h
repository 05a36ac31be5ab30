#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// One of the pictures of a comparison. Its positions are those of its own text, or columns of the
/// difference; the selection and the pointer live in the open text. This class stands between the two.
class ComparedSide {
 public:
  /// The side of `snapshot` that `source` names; This where there is no such side.
  ComparedSide(const Snapshot& snapshot, Target::Source source);

  const Snapshot& snapshot() const { return *shown_; }
  /// The workspace and the pointer with positions of this side.
  Workspace seen(Workspace workspace) const;
  Target seen(Target target) const;
  /// What the pointer is on here, with positions of the open text. Its cell stays as it is: `source` says
  /// whose it is.
  Target told(Target target) const;
  /// Makes every click of a picture of this side, and every choice, act on the open text.
  void adapt(Scene& scene) const;

 private:
  Command told(Command command) const;
  int toSide(int position, Stream stream) const;
  int fromSide(int position, Stream stream) const;

  Target::Source source_;
  const Snapshot* shown_;
  Alignments alignments_;
};

/// The snapshot whose numbers a target points at.
const Snapshot& snapshotOf(const Snapshot& snapshot, const Target& target);

}  // namespace glassformer
