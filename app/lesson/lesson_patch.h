#pragma once
#include <string>

#include "app/document/workspace.h"
#include "core/result.h"

namespace glassformer {

/// What a step of a lesson changes of what is looked at, as JSON with these fields, all of which may be left
/// out:
///
///   model, text, source       the model, what it reads; another model begins without changes of the old one
///   after                     of a run in training: the step whose weights are shown, or "newest"
///   view, picture, step       ids; `step` names a trace point
///   head                      "2.3", "cross.2.3", "enc.2.3": block and head, from 0
///   query, key, dimension     places, -1 for the last token; of the source where the head reads that
///   compare                   another text; or "as loaded", "without interventions", "off"
///   difference                true: as difference, false: side by side
///   off                       parts that are switched off: ["L2H0", "MLP of block 0"]
///   set                       choices of the model: {"norm": "none"}
///   strategy, width, depth, seed, stages   decoding: "sampling", 3, 8, 1, {"temperature": 1.5}
///   decoding, interventions, settings   as session files have them
///
/// An error names the field, and what is wrong with it.
Status applyLessonPatch(Workspace& workspace, const std::string& json);

/// The patch that makes one workspace of another, as far as a lesson can say it: of a state that is kept as a
/// step. YAML, one field a line.
std::string lessonPatchBetween(const Workspace& from, const Workspace& now);

/// The fields that a patch may have.
bool isPatchField(const std::string& field);
std::string patchFieldNames();

}  // namespace glassformer
