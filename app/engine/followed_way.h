#pragma once
#include <memory>
#include <span>
#include <vector>

#include "app/engine/decoded.h"
#include "core/model/live_pass.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// The model that follows a way, and what it reads beside the text.
struct WayReader {
  LivePass& pass;
  std::shared_ptr<const Tokenizer> tokenizer;
  const Interventions& interventions;
  const std::vector<int>& source;
};

/// Every token of a way after all before it, also those behind the open text, by one pass over `read`, the
/// tokens of way.to. What was sampled has the probability that it was drawn with, by the settings noted then.
/// `known`: the same reader's path before, which lends those numbers as far as both ways are one; or null.
std::shared_ptr<const DecodedPath> followedWay(const WayReader& reader, const DecodeHistory& way,
                                               std::vector<int> read, const DecodedPath* known);

}  // namespace glassformer
