#pragma once
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <memory>
#include <vector>

#include "core/model/choices.h"
#include "core/model/initialization.h"
#include "core/model/live_pass.h"
#include "core/model/named_blocks.h"
#include "core/random.h"

namespace glassformer {

inline ModelConfig smallConfig() {
  return {.layers = 2, .heads = 4, .width = 32, .feedForward = 48, .vocabulary = 40, .context = 24};
}

inline std::shared_ptr<const Transformer> makeModel(const ModelConfig& config, std::uint64_t seed = 5) {
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, seed);
  return std::make_shared<const Transformer>(config, std::move(parameters));
}

inline std::vector<int> randomTokens(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> tokens(static_cast<std::size_t>(count));
  for (int& t : tokens) t = random.below(40);
  return tokens;
}

/// Of fifty tokens, one draw after the other.
inline std::vector<int> drawnTokens(Random& random, int count) {
  std::vector<int> tokens(static_cast<std::size_t>(count));
  for (int& t : tokens) t = random.below(50);
  return tokens;
}

inline constexpr double noRoom = 0;       ///< a limit beyond which every pass drops its squares
inline constexpr double muchRoom = 1e15;  ///< one within which every pass keeps all

inline std::shared_ptr<const Trace> traceOf(const ModelConfig& config, const std::vector<int>& tokens,
                                            const std::vector<int>& source = {}) {
  LivePass live(makeModel(config), 1);
  return live.run(tokens, {}, source);
}

/// Of all numbers of two tensors, also where they are none. Compared where they lie: copies of all that a
/// pass keeps take longer than the pass.
inline bool sameBits(const TensorView& a, const TensorView& b) {
  if (a.rank != b.rank || a.extent != b.extent) return false;
  if (a.contiguous() && b.contiguous())
    return std::memcmp(a.data, b.data, static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
  if (a.rank == 0) return std::memcmp(a.data, b.data, sizeof(float)) == 0;
  for (int i = 0; i < a.extent[0]; ++i)
    if (!sameBits(a[i], b[i])) return false;
  return true;
}
inline bool sameBits(const Trace& a, const Trace& b) {
  if (a.count() != b.count()) return false;
  for (int i = 0; i < a.count(); ++i)
    if (!sameBits(a.tensor(i), b.tensor(i))) return false;
  return true;
}

// Every single option of every choice that a model of the small size can have, types of tokens, and every
// kind of block that has a name.
template <typename Check>
void forEachMember(Check check) {
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderOnly, Stack::EncoderDecoder})
    for (const ConfigChoice& choice : configChoices())
      for (std::size_t option = 0; option < choice.options.size(); ++option) {
        if (choice.id == "stack") continue;
        ModelConfig config = smallConfig();
        config.stack = stack;
        if (stack == Stack::EncoderOnly) config.mask.kind = MaskKind::None;
        choice.set(config, static_cast<int>(option));
        if (!validate(config)) continue;
        INFO("stack " << static_cast<int>(stack) << ", " << choice.id << " " << choice.options[option].id);
        check(config);
      }
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderOnly}) {
    ModelConfig config = smallConfig();
    config.stack = stack, config.tokenTypes = 2, config.separator = 7;
    if (stack == Stack::EncoderOnly) config.mask.kind = MaskKind::None;
    INFO("types of tokens, stack " << static_cast<int>(stack));
    check(config);
    config.tokenTypes = 0;
    for (const NamedBlock& block : namedBlocks()) {
      INFO(block.name << ", stack " << static_cast<int>(stack));
      check(withBlock(config, block));
    }
  }
}

}  // namespace glassformer
