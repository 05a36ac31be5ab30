#include "app/shell/opened_figure.h"

#include <chrono>
#include <utility>

#include "app/engine/figure_origin.h"

namespace glassformer {

void OpenedFigure::expect(FigureOrigin made, std::uint64_t revision) {
  made_ = std::move(made), revision_ = revision, differs_ = {};
}

std::string OpenedFigure::update(const Snapshot& snapshot) {
  if (!isWaiting()) return "";
  if (!differs_.valid()) {
    if (snapshot.revision < revision_ || !snapshot.model->transformer) return "";
    differs_ = std::async(std::launch::async, otherSince, made_, figureSources(snapshot));
  }
  if (differs_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return "";
  made_ = {};
  return differs_.get();
}

}  // namespace glassformer
