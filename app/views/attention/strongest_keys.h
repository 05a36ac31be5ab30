#pragma once
#include "app/views/attention/attention_view.h"

namespace glassformer {

/// Where the query under the pointer, else the selected one, looks most in this plane: its row as sorted
/// bars, as many as the box holds. `whose` names the head where there are several.
void addStrongestKeys(AttentionView& view, Box box, const AttentionPlane& plane,
                      const std::string& whose = "");

}  // namespace glassformer
