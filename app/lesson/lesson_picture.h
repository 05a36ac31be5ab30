#pragma once
#include "app/document/workspace.h"
#include "app/engine/snapshot.h"
#include "app/lesson/lesson.h"
#include "app/scene/scene.h"

namespace glassformer {

/// A picture as the open step shows it: while it waits for a prediction without the numbers or cells that it
/// covers, and what the pointer would say of these; afterwards with outlines around the cells that it speaks
/// of.
void adaptToStep(Scene& scene, const Lesson& lesson, const Workspace& workspace, const Snapshot& snapshot,
                 const Theme& theme);

}  // namespace glassformer
