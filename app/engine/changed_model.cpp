#include "app/engine/changed_model.h"

#include "core/model/carry_over.h"
#include "core/model/choices.h"
#include "core/model/initialization.h"
#include "core/model/memory_need.h"
#include "core/tensor/available_memory.h"

namespace glassformer {
namespace {

ChangedModel randomModel(const ModelConfig& config, std::uint64_t seed, const ProgressCallback& watch) {
  const std::vector<ParameterSpec> specs = parameterSpecs(config);
  Parameters parameters(specs);
  initialize(config, parameters, {}, seed, watch);
  ChangedModel model{nullptr, {}, parameters.valueCount()};
  for (const ParameterSpec& spec : specs) model.freshWeights.push_back(spec.name);
  model.transformer = std::make_shared<const Transformer>(config, std::move(parameters));
  return model;
}

std::string shapeWords(const TensorView& weights) {
  std::string words;
  for (int d = 0; d < weights.rank; ++d)
    words += (d ? " × " : "") + std::to_string(weights.extent[static_cast<std::size_t>(d)]);
  return words;
}

// The model's own weights, but for those that are typed over.
Result<std::shared_ptr<const Transformer>> withTyped(std::shared_ptr<const Transformer> model,
                                                     const ModelChanges& changes) {
  std::optional<Parameters> typed;
  const Parameters& own = model->parameters();
  for (const ModelChange& change : changes) {
    const auto place = weightAt(change.field);
    if (!place) continue;
    const int found = own.find(place->tensor);
    if (found < 0) return Error{"the model has no such weights", change.field, ""};
    const TensorView weights = own.view(found);
    std::size_t at = 0;
    bool isInside = static_cast<int>(place->index.size()) == weights.rank;
    for (std::size_t d = 0; isInside && d < place->index.size(); ++d) {
      isInside = place->index[d] < weights.extent[d];
      at = at * static_cast<std::size_t>(weights.extent[d]) + static_cast<std::size_t>(place->index[d]);
    }
    if (!isInside) return Error{"lies outside of " + shapeWords(weights), change.field, ""};
    if (!typed) typed = own.copy();
    typed->values()[typed->offset(found) + at] = *typedWeight(changes, change.field);
  }
  if (!typed) return model;
  return std::make_shared<const Transformer>(model->config(), std::move(*typed));
}

}  // namespace

Result<ChangedModel> changedModel(std::shared_ptr<const Transformer> loaded, const ModelChanges& changes,
                                  const ProgressCallback& watch) {
  constexpr std::uint64_t seed = 1;
  const Result<ModelConfig> config = changedConfig(loaded->config(), changes);
  if (!config) return config.error();
  if (*config != loaded->config())
    if (Status fits = checkWeightMemory(*config, availableMemory()); !fits)
      return Error{fits.error().what, changedFields(loaded->config(), *config), fits.error().hint};
  ChangedModel model{loaded, {}, 0};
  if (const auto drawn = randomWeights(changes)) {
    model = randomModel(*config, *drawn, watch);
  } else if (*config != loaded->config()) {
    CarriedOver carried = carryOver(*loaded, *config, seed, watch);
    model = {std::make_shared<const Transformer>(*config, std::move(carried.parameters)),
             std::move(carried.fresh), carried.freshValues};
  }
  auto typed = withTyped(model.transformer, changes);
  if (!typed) return typed.error();
  model.transformer = std::move(*typed);
  return model;
}

}  // namespace glassformer
