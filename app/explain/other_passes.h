#pragma once
#include <memory>
#include <vector>

#include "app/explain/provenance.h"

namespace glassformer {

/// A number that compares passes, opened: the pass that is shown, and others that were run again for it. Its
/// terms lie in any of them.
struct OpenedAcross {
  Provenance provenance;
  /// One for each pass, its name in `pass->name`; they hold all that is looked up in them.
  std::vector<std::shared_ptr<const Snapshot>> passes;
};

/// Whether a number compares passes, so that opening it runs them.
bool comparesPasses(const Snapshot& shown, const TensorRef& cell);
/// Runs them: as long as the passes take. Of a number that compares passes.
OpenedAcross openedAcross(const Snapshot& shown, const TensorRef& cell);

/// A number, and the pass that it is of.
struct OperandOfPass {
  Operand operand;
  int pass = -1;  ///< among the opened passes; −1: that which is shown
};
/// Looked for in a pass first, and then in all others: −1 is the shown one.
OperandOfPass operandOf(const Snapshot& shown, const OpenedAcross& opened, int pass, Cell cell);

}  // namespace glassformer
