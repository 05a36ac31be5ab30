#include "app/explain/found_terms.h"

#include "app/drawing/scene_input.h"

namespace glassformer {
namespace {

bool isReady(const std::future<std::optional<Provenance>>& looking, std::chrono::milliseconds within = {}) {
  return looking.wait_for(within) == std::future_status::ready;
}

}  // namespace

const std::optional<Provenance>* FoundTerms::of(const std::shared_ptr<const Snapshot>& pass,
                                                const TensorRef& cell) {
  std::erase_if(abandoned_, [](const auto& looking) { return isReady(looking); });
  const bool isSame = pass == pass_ && cell.tensor == cell_.tensor && cell.index == cell_.index;
  if (!isSame) {
    if (looking_.valid()) abandoned_.push_back(std::move(looking_));
    pass_ = pass, cell_ = cell, found_.reset();
    looking_ = std::async(std::launch::async, [pass, cell] { return provenanceOf(sourcesOf(*pass), cell); });
  }
  if (!found_ && isReady(looking_, isSame ? std::chrono::milliseconds(0) : patience)) found_ = looking_.get();
  return found_ ? &*found_ : nullptr;
}

}  // namespace glassformer
