#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// Decoding as a strip: the tokens of the text with their positions; those that were decoded, with the
/// model's probability and the one that they were drawn with; then the tokens that the chosen strategy would
/// append, with theirs; between them ln P of all of these. Forced and banned tokens are marked, and where a
/// constraint lets none follow, that. A click on a token of the text selects its position, on one that was
/// decoded goes back there, and what was decoded behind it stays in the strip to be gone to again; on one to
/// come it accepts everything up to it. Where room is short the beginning of the text is left out.
Scene timelineScene(const SceneInput& input);

}  // namespace glassformer
