#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/document/figure_recipe.h"
#include "app/engine/snapshot.h"

namespace glassformer {

/// Where a figure's numbers come from, held until its checksums are taken: for a large model that takes long.
struct FigureSources {
  struct Trace {
    std::string name;
    std::shared_ptr<const glassformer::Trace> trace;
  };
  std::string name;                          ///< the model's
  std::shared_ptr<const Transformer> model;  ///< whose weights these are; null: there are none
  std::vector<Trace> traces;                 ///< from elsewhere: that which is shown, that compared with
};
FigureSources figureSources(const Snapshot& snapshot);

FigureOrigin originOf(const FigureSources& sources);
/// What is no longer what a figure was made from, in words: "stories has other weights (0a1b2c3d) than this
/// figure was made with (...): its numbers may differ". "" where nothing is.
std::string otherSince(const FigureOrigin& made, const FigureSources& now);

}  // namespace glassformer
