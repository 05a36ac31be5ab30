#include "app/engine/figure_origin.h"

#include "core/io/checksum.h"

namespace glassformer {

namespace {

std::string otherWords(const std::string& name, const char* what, const std::string& made,
                       const std::string& now) {
  return name + " has other " + what + " (" + now + ") than this figure was made with (" + made +
         "): its numbers may differ";
}

}  // namespace

FigureSources figureSources(const Snapshot& snapshot) {
  FigureSources sources{snapshot.model->name, nullptr, {}};
  if (snapshot.model->transformer && !snapshot.model->hasNoWeights())
    sources.model = snapshot.model->transformer;
  for (const Snapshot* side : {&snapshot, snapshot.other.get()})
    if (side && side->model->hasNoWeights() && side->pass->hasTrace())
      sources.traces.push_back({side->model->name, side->pass->trace});
  return sources;
}

FigureOrigin originOf(const FigureSources& sources) {
  FigureOrigin origin;
  if (sources.model) origin.weights = checksumOf(sources.model->parameters());
  for (const FigureSources::Trace& each : sources.traces) origin.traces.push_back(checksumOf(*each.trace));
  return origin;
}

std::string otherSince(const FigureOrigin& made, const FigureSources& sources) {
  const FigureOrigin now = originOf(sources);
  if (sources.model && !made.weights.empty() && now.weights != made.weights)
    return otherWords(sources.name, "weights", made.weights, now.weights);
  for (std::size_t i = 0; i < std::min(made.traces.size(), now.traces.size()); ++i)
    if (now.traces[i] != made.traces[i])
      return otherWords(sources.traces[i].name, "numbers", made.traces[i], now.traces[i]);
  return "";
}

}  // namespace glassformer
