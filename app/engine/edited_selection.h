#pragma once
#include "app/document/workspace.h"
#include "app/engine/snapshot.h"

namespace glassformer {

/// A selection in a text after that was edited: of the tokens that it was of, or of those in their place.
/// `before` and `after` are what was read then and is now.
Selection afterEdit(Selection selection, const Snapshot& before, const Snapshot& after);

}  // namespace glassformer
