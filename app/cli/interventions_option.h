#pragma once
#include <string>
#include <vector>

#include "core/model/config.h"
#include "core/result.h"
#include "core/trace/interventions.h"

namespace glassformer {

/// What the model is to do without, `--off L2H3 --off "MLP of block 0"` as the window names parts, and which
/// heads are to look at one token alone, `--argmax L2H3`. An error lists what there is.
Result<Interventions> parseInterventions(const ModelConfig& config, const std::vector<std::string>& off,
                                         const std::vector<std::string>& argmax);

}  // namespace glassformer
