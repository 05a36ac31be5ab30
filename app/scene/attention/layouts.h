#pragma once
#include <span>

#include "app/scene/attention/attention_view.h"

namespace glassformer {

/// One way to draw attention.
struct AttentionLayoutEntry {
  AttentionLayout layout;
  const char *label, *tip;
  void (*draw)(AttentionView& view, Box area);  ///< header and all, into `area`
};

/// Every layout, in the order of their choice: a new one is a file pair and a line here.
std::span<const AttentionLayoutEntry> attentionLayouts();

}  // namespace glassformer
