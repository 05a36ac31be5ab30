#pragma once
#include <optional>

#include "app/document/workspace.h"
#include "app/engine/edited_selection.h"
#include "app/engine/snapshot.h"

namespace glassformer {

/// Positions that were chosen are those of tokens: writing before them moves them along with these, as soon
/// as the edited text is read. Edits of tokens choose for themselves.
class EditFollower {
 public:
  /// The document was `before` and is `now`; `shown` is what was last computed, `writes` whether somebody
  /// types.
  void note(const Workspace& before, const Workspace& now, const Snapshot& shown, bool writes);
  /// What is selected from now on, once `shown` is of the edited text; nothing where it stays.
  std::optional<Selection> follow(const Workspace& now, const Snapshot& shown);

 private:
  std::optional<ReadTokens> from_;  // what the selection is of, until the edited text is read
};

}  // namespace glassformer
