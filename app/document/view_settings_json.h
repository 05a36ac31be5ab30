#pragma once
#include <nlohmann/json.hpp>

#include "app/document/workspace.h"

namespace glassformer {

// How the settings of single views are written in the session file. Fields that are missing keep what they
// are; the readers throw where a field is of the wrong kind.

nlohmann::ordered_json residualToJson(const ResidualSettings& settings);
void readResidual(const nlohmann::ordered_json& json, ResidualSettings& settings);

nlohmann::ordered_json nextTokenToJson(const NextTokenSettings& settings);
void readNextToken(const nlohmann::ordered_json& json, NextTokenSettings& settings);

nlohmann::ordered_json positionsToJson(const PositionsSettings& settings);
/// Sessions of earlier days hold a number: 0 for the encodings, 1 for their similarity.
void readPositions(const nlohmann::ordered_json& json, PositionsSettings& settings);

}  // namespace glassformer
