#pragma once
#include "app/panels/ui.h"

namespace glassformer {

/// A model at a glance, as large as fits: from below a row of its heads for each block, with a bar where the
/// block has an MLP. An encoder stands to the left of its decoder.
void drawModelGlyph(const Ui& ui, const Box& box, const ModelConfig& config);

}  // namespace glassformer
