#include "app/engine/position_bench.h"

#include <algorithm>
#include <array>
#include <limits>

#include "app/document/chosen_number.h"
#include "app/document/workspace.h"
#include "app/engine/measurements.h"
#include "app/engine/open_model.h"
#include "core/model/positional/positional_encodings.h"
#include "core/train/tasks/positions_task.h"

namespace glassformer {

namespace {

constexpr const char* familyName = "positions/";
constexpr std::uint64_t benchSeed = 1001;  // that of the models' cards
constexpr std::array lettersOfLengths{6, 12, 18, 24, 36, 48};
constexpr auto lengthCount = lettersOfLengths.size();

// In the order in which encodings are listed.
std::vector<std::string> familyOf(const std::vector<std::string>& shipped) {
  std::vector<std::string> names;
  for (const PositionalEncoding* encoding : positionalEncodings())
    if (const std::string name = familyName + std::string(encoding->description().id);
        std::ranges::find(shipped, name) != shipped.end())
      names.push_back(name);
  return names;
}

bool openModels(std::vector<EncodingScores>& models, const ModelLoader& loader,
                const ProgressCallback& watch) {
  const auto all = static_cast<int>(models.size());
  for (int i = 0; i < all; ++i) {
    if (!watch(i, all)) return false;
    EncodingScores& each = models[static_cast<std::size_t>(i)];
    if (each.model) continue;
    const auto loaded = loader(each.name, noProgress);
    if (loaded) each.model = loaded->transformer, each.tokenizer = loaded->tokenizer;
  }
  // A model that cannot be read has no line: whoever opens it is told why.
  std::erase_if(models, [](const EncodingScores& each) { return !each.model; });
  return true;
}

}  // namespace

std::optional<PositionBenchKey> PositionBench::key(const JobSide& side) const {
  using namespace positionBench;
  std::vector<std::string> names = familyOf(side.of.model.shipped);
  if (names.empty()) return std::nullopt;
  const int texts = chosenNumber(side.workspace().settings, textsChoice, usualBenchTexts);
  return PositionBenchKey{std::move(names), std::clamp(texts, 1, mostBenchTexts)};
}

std::string PositionBench::missing(const JobSide& side) const {
  return side.of.model.shipped.empty() ? "The models of every encoding are not at hand." : "";
}

std::unique_ptr<PositionBench::Scores> PositionBench::start(const PositionBenchKey& key, const JobSide&,
                                                            const StartJob&) {
  auto models = std::make_unique<Scores>();
  for (const std::string& name : key.models) models->push_back({name});
  return models;
}

bool PositionBench::goOn(const PositionBenchKey& key, Scores& models, const JobSide& side,
                         const StartJob& begin, const std::function<void()>& more) {
  const auto isDone = [](const EncodingScores& each) { return each.shares.size() == lengthCount; };
  if (std::ranges::all_of(models, isDone)) return true;
  if (!openModels(models, side.of.loader, begin(opening))) return false;
  const ProgressCallback watch = begin(measuring);
  const auto all = static_cast<int>(lengthCount * models.size());
  int done = 0;
  for (std::size_t length = 0; length < lengthCount; ++length)
    for (EncodingScores& each : models) {
      if (each.shares.size() <= length) {
        bool stopped = false;
        const ProgressCallback part = partOf(watch, done, all);
        const double share = shareOfRepeats(each.model, *each.tokenizer, lettersOfLengths[length], benchSeed,
                                            key.texts, threads_, [&](int at, int of) {
                                              stopped = stopped || !part(at, of);
                                              return !stopped;
                                            });
        if (stopped) return false;
        each.shares.push_back(static_cast<float>(share));
        more();
      }
      ++done;
    }
  return true;
}

JobResult PositionBench::result(const PositionBenchKey& key, const Scores& models, const JobSide&) const {
  using namespace positionBench;
  constexpr auto count = static_cast<int>(lengthCount);
  Tensor shares({static_cast<int>(models.size()), count}), lengths({count}), number({1});
  for (int i = 0; i < count; ++i) {
    lengths(i) = static_cast<float>(2 * lettersOfLengths[static_cast<std::size_t>(i)]);
    for (int row = 0; row < shares.view().extent[0]; ++row) {
      const std::vector<float>& known = models[static_cast<std::size_t>(row)].shares;
      const auto at = static_cast<std::size_t>(i);
      shares(row, i) = at < known.size() ? known[at] : std::numeric_limits<float>::quiet_NaN();
    }
  }
  number(0) = static_cast<float>(key.texts);
  auto set = std::make_shared<TensorSet>();
  set->add({share, "EW", "accuracy of repeated letters, by encoding and length",
            "right / all, in texts that no model saw"},
           std::move(shares));
  set->add({tokens, "W", "number of tokens of a text", "2 · letters"}, std::move(lengths));
  set->add({texts, "1", "number of texts of each length", ""}, std::move(number));
  JobResult result{std::move(set)};
  for (const EncodingScores& each : models) result.offered.push_back({each.name, ""});
  return result;
}

namespace needs {
const Need everyEncoding{.name = "encodings at every length",
                         .kept = keptAs<PositionBench>,
                         .reads = readChoices<positionBench::textsChoice>};
}  // namespace needs

}  // namespace glassformer
