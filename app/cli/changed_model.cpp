#include "app/cli/changed_model.h"

#include <cstdio>

#include "core/model/carry_over.h"

namespace glassformer {

Result<ModelChanges> parseChanges(const std::vector<std::string>& settings) {
  ModelChanges changes;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
      return Error{"\"" + setting + "\" is not of the form field=value", "--set", "such as norm=rms"};
    changes.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return changes;
}

Result<LoadedModel> loadChanged(const ModelLibrary& library, const std::string& model,
                                const std::vector<std::string>& settings) {
  auto loaded = library.load(model);
  if (!loaded || settings.empty()) return loaded;
  const auto changes = parseChanges(settings);
  if (!changes) return changes.error();
  const auto config = changedConfig(loaded->transformer->config(), *changes);
  if (!config) return config.error();
  CarriedOver carried = carryOver(*loaded->transformer, *config, 1);
  if (carried.freshValues > 0)
    std::fprintf(stderr, "%lld weights are random: %s and %zu more\n",
                 static_cast<long long>(carried.freshValues), carried.fresh.front().c_str(),
                 carried.fresh.size() - 1);
  loaded->transformer = std::make_shared<const Transformer>(*config, std::move(carried.parameters));
  return loaded;
}

}  // namespace glassformer
