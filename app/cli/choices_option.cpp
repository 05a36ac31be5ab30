#include "app/cli/choices_option.h"

#include <chrono>
#include <cstdio>

#include "app/cli/percent_lines.h"
#include "app/engine/changed_model.h"
#include "app/engine/snapshot.h"
#include "core/text/utf8.h"

namespace glassformer {

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
  if (loaded && !loaded->hasHead) std::fprintf(stderr, "%s\n", noHeadWords);
  if (!loaded || settings.empty()) return loaded;
  const auto changes = parseChanges(settings);
  if (!changes) return changes.error();
  using namespace std::chrono_literals;
  auto changed =
      changedModel(loaded->transformer, *changes, percentLines(stderr, "making its random weights", 3s));
  if (!changed) return changed.error();
  if (changed->freshValues > 0) {
    const std::size_t others = changed->freshWeights.size() - 1;
    std::fprintf(stderr, "%lld weights are random: %s%s\n", static_cast<long long>(changed->freshValues),
                 changed->freshWeights.front().c_str(),
                 others ? (" and " + std::to_string(others) + " more").c_str() : "");
  }
  loaded->transformer = std::move(changed->transformer);
  return loaded;
}

}  // namespace glassformer
