#pragma once
#include <string>
#include <vector>

#include "core/model/transformer.h"

namespace glassformer {

/// Where the forward pass reads a weight, by points that it has: "blocks.1.attn.hook_q" of
/// "h.1.attn.c_attn.weight"; several of an embedding that both stacks read, or that is the unembedding, too.
std::vector<std::string> pointsReading(const Transformer& model, const std::string& weight);

}  // namespace glassformer
