#pragma once
#include <vector>

#include "app/cli/json_lines.h"
#include "app/engine/loaded_model.h"
#include "core/lens/head_id.h"
#include "core/result.h"
#include "core/train/held_out_texts.h"

namespace glassformer {

/// Prints what the weights of a head say (see core/lens/head_circuits.h), of each kind the `best`, as JSON
/// or CSV all that is kept: of pairs of tokens that occur in texts, and of heads of other blocks.
Status sayWeights(const LoadedModel& model, HeadId head, const std::vector<TokenText>& texts, int best,
                  Printed printed, const Question& question);

}  // namespace glassformer
