#pragma once
#include "app/scene/attention/attention_view.h"

namespace glassformer {

/// Where the query under the pointer, else the selected one, looks most in this plane: its row as sorted
/// bars, as many as the box holds.
void addStrongestKeys(AttentionView& view, Box box, const AttentionPlane& plane);

}  // namespace glassformer
