#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/document/command.h"
#include "app/document/model_changes.h"
#include "app/document/positions_settings.h"
#include "core/lens/position_shift.h"

namespace glassformer {

/// Which sines and cosines the positions view reads in a table of positions, and how they are shifted.

/// N of the sinusoids that the model itself adds to its embeddings; nothing where it has no such number.
std::optional<float> ownBase(const ModelConfig& config);
/// That of the sinusoids beside the model's table: the model's own, else the chosen one.
float shownBase(const PositionsSettings& settings, const ModelConfig& config);
/// Those of the table that is drawn. A learned one is read as sinusoids would stand in it.
SinusoidPairs shownHands(const PositionsSettings& settings, const ModelConfig& config);
/// The shifts that have a weight.
std::vector<PositionTap> shownTaps(const PositionsSettings& settings);

namespace commands {
/// Another base N: of the model, where it has one (which can be undone, with a `gesture` at once), else of
/// the sinusoids that are drawn beside its table.
Command setPositionBase(const ModelConfig& config, const ModelConfig& loaded, const ModelChanges& changes,
                        float base, std::string gesture = "");
}  // namespace commands

}  // namespace glassformer
