#include "app/engine/library_tokenizers.h"

#include <algorithm>

#include "app/document/cuts_settings.h"
#include "app/document/workspace.h"
#include "app/engine/needs.h"
#include "app/engine/open_model.h"

namespace glassformer {

namespace {

std::vector<std::string> othersThan(const OpenModel& open) {
  std::vector<std::string> models = open.shipped;
  std::erase(models, open.asked);
  return models;
}

}  // namespace

void addTokenizer(std::vector<NamedTokenizer>& list, const std::string& model,
                  const std::shared_ptr<const Tokenizer>& tokenizer) {
  const auto same =
      std::ranges::find_if(list, [&](const NamedTokenizer& entry) { return *entry.tokenizer == *tokenizer; });
  if (same == list.end()) return list.push_back({{model}, tokenizer});
  same->models.push_back(model);
}

std::optional<LibraryTokenizersKey> LibraryTokenizers::key(const JobSide& side) const {
  const OpenModel& open = side.of.model;
  if (!cutsTheLibrary(side.workspace().settings)) return std::nullopt;
  return LibraryTokenizersKey{open.shown->tokenizer, open.asked, othersThan(open)};
}

std::unique_ptr<LibraryTokenizersState> LibraryTokenizers::start(const LibraryTokenizersKey& key,
                                                                 const JobSide&, const StartJob&) {
  auto state = std::make_unique<LibraryTokenizersState>();
  addTokenizer(state->tokenizers, key.name, key.opened);
  return state;
}

// A model that cannot be read has no row: whoever opens it is told why.
bool LibraryTokenizers::goOn(const LibraryTokenizersKey& key, LibraryTokenizersState& state,
                             const JobSide& side, const StartJob& begin, const std::function<void()>& more) {
  if (state.read == key.others.size()) return true;
  const ProgressCallback watch = begin(doing);
  for (; state.read < key.others.size(); ++state.read, more()) {
    if (!watch(static_cast<int>(state.read), static_cast<int>(key.others.size()))) return false;
    const std::string& name = key.others[state.read];
    if (const auto loaded = side.of.loader(name, watch))
      addTokenizer(state.tokenizers, name, loaded->tokenizer);
  }
  return true;
}

namespace needs {
const Need libraryTokenizers{
    .name = "tokenizers of the library", .kept = keptAs<LibraryTokenizers>, .reads = readChoices<cutsChoice>};
}  // namespace needs

}  // namespace glassformer
