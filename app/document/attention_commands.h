#pragma once
#include <vector>

#include "app/document/command.h"
#include "core/lens/head_id.h"

namespace glassformer {

struct PositionWindow;

namespace commands {

/// Adds the head to the set that is shown together, or takes it out; the first one added joins the selected
/// head, and a matrix then shows their average.
Command toggleHead(HeadId head);
/// Makes these the set.
Command chooseHeads(std::vector<HeadId> heads);
/// The second of the two heads that are compared.
Command compareWith(HeadId head);
/// Closer or further away by steps, in a text of `total` tokens, around the middle of what is shown.
Command zoomAttention(float notches, int total);
/// Shows this part of the text; the whole of it for an empty window.
Command setAttentionWindow(PositionWindow window);

}  // namespace commands
}  // namespace glassformer
