#include "app/engine/head_circuits.h"

#include <algorithm>
#include <numeric>

#include "app/document/attention_planes.h"

namespace glassformer {

namespace {

HeadId headOf(const JobSide& side) { return selectedHead(side.workspace(), side.config()); }

std::vector<int> tokensAsked(const SearchedTexts& texts, Stream stream, const ModelConfig& config) {
  std::vector<int> tokens = texts.tokensThatOccur(stream);
  if (!tokens.empty()) return tokens;
  tokens.resize(static_cast<std::size_t>(std::min(config.vocabulary, HeadCircuits::tokensWithoutTexts)));
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

}  // namespace

std::string HeadCircuits::missing(const JobSide& side) const {
  return side.config().hasAttention() ? whyNoCircuits(side.config(), headOf(side).site) : "";
}

std::optional<HeadCircuitsKey> HeadCircuits::key(const JobSide& side) const {
  const auto texts = side.corpus();
  if (!texts || !side.config().hasAttention() || !missing(side).empty()) return std::nullopt;
  return HeadCircuitsKey{*texts, headOf(side)};
}

HeadCircuits::Result HeadCircuits::measureAll(const HeadCircuitsKey& key, const JobSide& side,
                                              const StartJob& begin) {
  const auto texts = textsRead(key.texts.corpus, side.of.model, begin);
  if (!texts) return std::nullopt;
  const auto tokensOf = [&](Stream stream) { return tokensAsked(*texts, stream, side.config()); };
  auto set = std::make_shared<TensorSet>();
  measureHeadCircuits(*key.texts.model, key.head,
                      {tokensOf(queriesOf(key.head.site)), tokensOf(keysOf(key.head.site))}, *set,
                      begin(doing));
  if (set->count() == 0) return std::nullopt;
  return JobResult{std::move(set)};
}

}  // namespace glassformer
