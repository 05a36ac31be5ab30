#include "app/shell/figure_weights.h"

#include <chrono>
#include <utility>

#include "app/document/figure_recipe.h"
#include "core/io/checksum.h"
#include "core/model/transformer.h"

namespace glassformer {

void FigureWeights::expect(std::string made, std::uint64_t revision) {
  made_ = std::move(made), revision_ = revision, now_ = {};
}

std::string FigureWeights::update(const Snapshot& snapshot) {
  if (!isWaiting()) return "";
  if (!now_.valid()) {
    if (snapshot.revision < revision_ || !snapshot.model->transformer) return "";
    now_ = std::async(std::launch::async,
                      [model = snapshot.model->transformer] { return checksumOf(model->parameters()); });
  }
  if (now_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return "";
  const std::string now = now_.get(), made = std::exchange(made_, "");
  return now == made ? "" : otherWeightsWords(snapshot.model->name, made, now);
}

}  // namespace glassformer
