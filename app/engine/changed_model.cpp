#include "app/engine/changed_model.h"

#include "core/model/carry_over.h"
#include "core/model/choices.h"
#include "core/model/initialization.h"
#include "core/model/memory_need.h"
#include "core/tensor/available_memory.h"

namespace glassformer {
namespace {

ChangedModel randomModel(const ModelConfig& config, std::uint64_t seed) {
  const std::vector<ParameterSpec> specs = parameterSpecs(config);
  Parameters parameters(specs);
  initialize(config, parameters, {}, seed);
  ChangedModel model{nullptr, {}, parameters.valueCount()};
  for (const ParameterSpec& spec : specs) model.freshWeights.push_back(spec.name);
  model.transformer = std::make_shared<const Transformer>(config, std::move(parameters));
  return model;
}

}  // namespace

Result<ChangedModel> changedModel(std::shared_ptr<const Transformer> loaded, const ModelChanges& changes) {
  constexpr std::uint64_t seed = 1;
  const Result<ModelConfig> config = changedConfig(loaded->config(), changes);
  if (!config) return config.error();
  if (*config != loaded->config())
    if (const Status fits = checkWeightMemory(*config, availableMemory()); !fits)
      return Error{fits.error().what, changedFields(loaded->config(), *config), fits.error().hint};
  if (const auto drawn = randomWeights(changes)) return randomModel(*config, *drawn);
  if (*config == loaded->config()) return ChangedModel{std::move(loaded), {}, 0};
  CarriedOver carried = carryOver(*loaded, *config, seed);
  return ChangedModel{std::make_shared<const Transformer>(*config, std::move(carried.parameters)),
                      std::move(carried.fresh), carried.freshValues};
}

}  // namespace glassformer
