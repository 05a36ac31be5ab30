#include "app/engine/changed_model.h"

#include "core/model/carry_over.h"

namespace glassformer {

Result<ChangedModel> changedModel(std::shared_ptr<const Transformer> loaded, const ModelChanges& changes) {
  constexpr std::uint64_t seed = 1;
  const Result<ModelConfig> config = changedConfig(loaded->config(), changes);
  if (!config) return config.error();
  if (*config == loaded->config()) return ChangedModel{std::move(loaded), {}, 0};
  CarriedOver carried = carryOver(*loaded, *config, seed);
  return ChangedModel{std::make_shared<const Transformer>(*config, std::move(carried.parameters)),
                      std::move(carried.fresh), carried.freshValues};
}

}  // namespace glassformer
