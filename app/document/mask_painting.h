#pragma once
#include <string>
#include <vector>

#include "app/document/command.h"
#include "core/model/config.h"

namespace glassformer::commands {

/// Painting the mask of a model by hand, as changes of it (see model_changes.h). `loaded`: its config without
/// any. What the rule says anyway is no painted cell.

/// All of one stroke, which has a name of its own, is undone together; without a name it stands alone.
Command paintMask(const ModelConfig& loaded, std::vector<PaintedCell> cells, std::string stroke = "");
/// Hides what was seen and shows what was hidden, among so many tokens.
Command invertMask(const ModelConfig& loaded, int tokens);
/// As the rule says, and nothing else.
Command startMaskFrom(const ModelConfig& loaded, MaskKind rule);
Command clearPaintedMask(const ModelConfig& loaded);

}  // namespace glassformer::commands
