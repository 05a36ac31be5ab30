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

void LibraryTokenizers::show(const MeasuredModel& of, Snapshot& snapshot) const {
  if (cutsByLearning(of.workspace.settings)) return;  // another's to show
  const bool isAsked = cutsTheLibrary(of.workspace.settings) && opened_ == of.model.shown->tokenizer;
  const JobResult kept{.tokenizers = isAsked ? tokenizers_ : std::vector<NamedTokenizer>{}};
  put(snapshot, kept, kept);
}

bool LibraryTokenizers::prepare(const MeasuredModel& of, const Snapshot&, const StartJob&) {
  if (!cutsTheLibrary(of.workspace.settings)) return false;
  std::vector<std::string> models = othersThan(of.model);
  if (opened_ == of.model.shown->tokenizer && models == models_) return false;
  models_ = std::move(models), opened_ = of.model.shown->tokenizer;
  read_ = 0, tokenizers_.clear();
  addTokenizer(tokenizers_, of.model.asked, opened_);
  return true;
}

// A model that cannot be read has no row: whoever opens it is told why.
void LibraryTokenizers::measure(const MeasuredModel& of, const Snapshot&, const StartJob& begin,
                                const std::function<void()>& more) {
  if (!cutsTheLibrary(of.workspace.settings) || read_ == models_.size()) return;
  const ProgressCallback watch = begin(doing);
  for (; read_ < models_.size(); ++read_) {
    if (!watch(static_cast<int>(read_), static_cast<int>(models_.size()))) return;
    if (const auto loaded = of.loader(models_[read_], watch))
      addTokenizer(tokenizers_, models_[read_], loaded->tokenizer);
    more();
  }
}

namespace needs {
const Need libraryTokenizers{
    .name = "tokenizers of the library", .kept = keptAs<LibraryTokenizers>, .reads = readChoices<cutsChoice>};
}  // namespace needs

}  // namespace glassformer
