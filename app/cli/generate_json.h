#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/decode/beam_search.h"
#include "core/decode/sampling.h"
#include "core/decode/speculative.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What `glassformer generate --json` says of its parts. Heavy: include in .cpp files only.

nlohmann::json tokensJson(const Tokenizer& tokenizer, std::span<const int> tokens);
/// Where nothing leads on, in parts and in words.
nlohmann::json deadEndJson(const DeadEnd& end);
nlohmann::json treeJson(const Tokenizer& tokenizer, const BeamTree& tree);
/// Each token with what every stage of sampling left when it was drawn, and the number that drew it;
/// `answers` are the logits that it was drawn from.
nlohmann::json stepsJson(const Tokenizer& tokenizer, std::span<const std::vector<float>> answers,
                         std::span<const int> prompt, std::span<const int> added,
                         const SamplingSettings& settings);
/// What one pass of the model made of what was proposed.
nlohmann::json roundJson(const Tokenizer& tokenizer, const SpeculativeRound& round);

}  // namespace glassformer
