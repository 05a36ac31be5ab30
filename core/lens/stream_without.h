#pragma once
#include <string>
#include <vector>

#include "core/lens/contributions.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Whether it is there before the first block: embedding, position, token type.
bool beginsStream(const ContributionPart& part);

/// [T, D], one row behind the other; in doubles, for all these norms on the way.
using StreamRows = std::vector<double>;

/// What somebody has written.
struct WrittenBy {
  ContributionPart sender;
  StreamRows rows;
};

/// One place of a stream behind norms after the sums, without what some have written.
struct StageWithout {
  std::string added;  ///< the point of what its sublayer adds; of the first, the stream as it begins
  std::vector<ContributionPart> lost;  ///< of these it lacks here what they wrote
  std::string norm;                    ///< "h.0.ln_1"; empty: the sum is the stream
  StreamRows sum, stream;              ///< [T, D]: the stage before + added − lost; behind the norm
};
/// All the way to where a block reads, the last: its norms computed anew, each sublayer adding what it did.
std::vector<StageWithout> streamWithout(const Transformer& model, const Trace& trace,
                                        const std::vector<WrittenBy>& written, int layer);

}  // namespace glassformer
