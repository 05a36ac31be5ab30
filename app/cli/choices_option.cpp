#include "app/cli/choices_option.h"

#include <chrono>
#include <cstdio>

#include "app/engine/changed_model.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

// Says every few seconds how far a model of many weights is.
Watch toldInTime() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience{3};
  return [patience, said = Clock::now()](int done, int total) mutable {
    if (Clock::now() - said < patience) return true;
    said = Clock::now();
    std::fprintf(stderr, "making its random weights: %d %%\n",
                 static_cast<int>(std::int64_t{100} * done / total));
    return true;
  };
}

}  // namespace

Result<ModelChanges> parseChanges(const std::vector<std::string>& settings) {
  ModelChanges changes;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
      return Error{inQuotes(setting) + " is not of the form field=value", "--set", "such as norm=rms"};
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
  auto changed = changedModel(loaded->transformer, *changes, toldInTime());
  if (!changed) return changed.error();
  if (changed->freshValues > 0)
    std::fprintf(stderr, "%lld weights are random: %s and %zu more\n",
                 static_cast<long long>(changed->freshValues), changed->freshWeights.front().c_str(),
                 changed->freshWeights.size() - 1);
  loaded->transformer = std::move(changed->transformer);
  return loaded;
}

}  // namespace glassformer
