#pragma once
#include <vector>

#include "app/document/workspace.h"
#include "app/engine/snapshot.h"

namespace glassformer {

/// What a pass read, by ids: all that a selection is followed by, without the pass, which may be large.
struct ReadTokens {
  std::vector<int> text, source;
};
ReadTokens tokensRead(const Snapshot& snapshot);

/// A selection in a text after that was edited: of the tokens that it was of, or of those in their place.
/// `before` and `after` are what was read then and is now.
Selection afterEdit(Selection selection, const ReadTokens& before, const ReadTokens& after);

}  // namespace glassformer
