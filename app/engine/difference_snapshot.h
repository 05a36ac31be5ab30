#pragma once
#include <functional>
#include <memory>

#include "app/engine/snapshot.h"

namespace glassformer {

/// One text minus another as a snapshot of its own: every tensor of the traces and of their measurements
/// holds a − b, its positions are the columns of the alignment. So every picture of a text is a picture of
/// the difference of two. `measureBoth` adds what is measured on both together.
std::shared_ptr<const Snapshot> differenceOf(const std::shared_ptr<const Snapshot::Sides>& sides,
                                             const std::function<void(TensorSet&)>& measureBoth);

/// The difference that a snapshot has, with both beam trees where they are grown.
std::shared_ptr<const Snapshot> withBeams(const Snapshot& snapshot);

}  // namespace glassformer
