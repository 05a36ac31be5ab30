#pragma once
#include <string>
#include <vector>

#include "core/model/named_blocks.h"

namespace glassformer {

/// What stands beside each other in blocks of different kinds, from below, in the order in which a block
/// computes it: a projection of every token by itself, what mixes tokens, a projection back, what adds that
/// to the stream, and the MLP; norms stand wherever the config has them.
enum class BlockRow {
  NormFirst,
  In,
  RampIn,
  Mix,
  RampMixed,
  Out,
  NormOut,
  Skip,
  NormBetween,
  Up,
  Ramp,
  Down,
  NormDown,
  SkipMlp,
  NormLast
};
inline constexpr int blockRowCount = static_cast<int>(BlockRow::NormLast) + 1;

/// One or more steps of a block that are one box of its diagram.
struct BlockPart {
  BlockRow row = BlockRow::Mix;
  std::string name, size;  ///< "W_Q, W_K, W_V", "128 → 384"; no size where nothing is multiplied with
  std::string step;        ///< the first of its steps in block 0, as the workspace calls it
};

/// A block of that kind, as wide as the model, as its forward pass computes it.
struct ParallelBlock {
  const NamedBlock* kind = nullptr;
  std::string source;            ///< who wrote of it; of another transformer what it is: "pre-norm, GELU"
  ModelConfig config;            ///< of a model of one such block
  std::vector<BlockPart> parts;  ///< from below
};

/// The block of every kind that has a name, in their order; of a model that reads a source the text's
/// attention to itself and the MLP.
std::vector<ParallelBlock> parallelBlocks(const ModelConfig& model);

/// Whether two parts of different kinds of blocks correspond: those of one row, and, as a ConvNeXt's
/// convolution and norm do what a transformer does before its MLP, those and all of that.
bool areCounterparts(const NamedBlock& a, BlockRow rowOfA, const NamedBlock& b, BlockRow rowOfB);

/// What is said of a part, in one sentence.
std::string wordsOf(const ParallelBlock& block, const BlockPart& part);

}  // namespace glassformer
