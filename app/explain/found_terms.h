#pragma once
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "app/explain/provenance.h"

namespace glassformer {

/// What made a number of a pass, looked for on a thread beside the window: of a gradient in a large model
/// that takes longer than a frame, for the terms are found among all numbers that read it.
class FoundTerms {
 public:
  /// How long a frame waits for what is soon there, so that it is seen at once.
  static constexpr std::chrono::milliseconds patience{8};

  /// Null while they are looked for; else provenanceOf() the number, which is nothing where there is none.
  /// The last one that was asked for is kept.
  const std::optional<Provenance>* of(const std::shared_ptr<const Snapshot>& pass, const TensorRef& cell);

 private:
  using Found = std::optional<Provenance>;

  std::shared_ptr<const Snapshot> pass_;
  TensorRef cell_;
  std::future<Found> looking_;
  std::optional<Found> found_;
  std::vector<std::future<Found>> abandoned_;  // waiting for one would stop the window
};

}  // namespace glassformer
