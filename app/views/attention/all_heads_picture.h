#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// The patterns of all heads, each as large as fits, layers down and heads across, with the tokens at the
/// outer edges. A click on a head opens its matrix.
void drawAllHeadsPicture(AttentionPicture& picture, Box area);

/// It reads every pattern, and no weights.
std::optional<std::vector<std::string>> readAllPatterns(const Workspace& workspace,
                                                        const ModelConfig& config);

}  // namespace glassformer
