#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/tensor/derivation.h"

namespace glassformer {

class TensorSet;
class Trace;

/// A pass that was not kept, run again because a number of it is asked for; the same to the bit.
struct ReplayedPass {
  std::string name;  ///< "head L2H0 left out"
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const TensorSet> measured;  ///< on it; null: nothing
};

/// What made a number that compares passes: its terms lie in these, each of which opens in its own.
struct MultiPassDerivation {
  Derivation derivation;
  std::vector<ReplayedPass> passes;
};

/// Runs the passes behind one number; empty where a number is none of several passes.
using OpenPasses = std::function<MultiPassDerivation()>;

}  // namespace glassformer
