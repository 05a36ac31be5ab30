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

}  // namespace

void PositionBench::show(const MeasuredModel& of, Snapshot& snapshot) const {
  if (models_.empty()) {
    const JobResult none{.missing =
                             of.model.shipped.empty() ? "The models of every encoding are not at hand." : ""};
    return put(snapshot, none, none, none);
  }
  JobResult kept{tensors()};
  for (const Measured& each : models_) kept.offered.push_back({each.name, ""});
  put(snapshot, kept, kept, kept);
}

bool PositionBench::prepare(const MeasuredModel& of, const Snapshot&, const StartJob&) {
  using namespace positionBench;
  const std::vector<std::string> names = familyOf(of.model.shipped);
  const int texts =
      std::clamp(chosenNumber(of.workspace.settings, textsChoice, usualBenchTexts), 1, mostBenchTexts);
  if (texts == texts_ && std::ranges::equal(names, models_, {}, {}, &Measured::name)) return false;
  if (!std::ranges::equal(names, models_, {}, {}, &Measured::name)) {
    models_.clear();
    for (const std::string& name : names) models_.push_back({name, nullptr, nullptr, {}});
  }
  for (Measured& each : models_) each.shares.clear();
  texts_ = texts;
  return true;
}

bool PositionBench::openModels(const MeasuredModel& of, const ProgressCallback& watch) {
  const auto all = static_cast<int>(models_.size());
  for (int i = 0; i < all; ++i) {
    if (!watch(i, all)) return false;
    Measured& each = models_[static_cast<std::size_t>(i)];
    if (each.model) continue;
    const auto loaded = of.loader(each.name, noProgress);
    if (loaded) each.model = loaded->transformer, each.tokenizer = loaded->tokenizer;
  }
  // A model that cannot be read has no line: whoever opens it is told why.
  std::erase_if(models_, [](const Measured& each) { return !each.model; });
  return true;
}

void PositionBench::measure(const MeasuredModel& of, const Snapshot&, const StartJob& begin,
                            const std::function<void()>& more) {
  const auto isDone = [](const Measured& each) { return each.shares.size() == lengthCount; };
  if (models_.empty() || std::ranges::all_of(models_, isDone)) return;
  if (!openModels(of, begin(opening))) return;
  const ProgressCallback watch = begin(measuring);
  const auto all = static_cast<int>(lengthCount * models_.size());
  int done = 0;
  for (std::size_t length = 0; length < lengthCount; ++length)
    for (Measured& each : models_) {
      if (each.shares.size() <= length) {
        bool stopped = false;
        const ProgressCallback part = partOf(watch, done, all);
        const double share = shareOfRepeats(each.model, *each.tokenizer, lettersOfLengths[length], benchSeed,
                                            texts_, threads_, [&](int at, int of) {
                                              stopped = stopped || !part(at, of);
                                              return !stopped;
                                            });
        if (stopped) return;
        each.shares.push_back(static_cast<float>(share));
        more();
      }
      ++done;
    }
}

std::shared_ptr<const TensorSet> PositionBench::tensors() const {
  using namespace positionBench;
  constexpr auto count = static_cast<int>(lengthCount);
  Tensor shares({static_cast<int>(models_.size()), count}), lengths({count}), number({1});
  for (int i = 0; i < count; ++i) {
    lengths(i) = static_cast<float>(2 * lettersOfLengths[static_cast<std::size_t>(i)]);
    for (int row = 0; row < shares.view().extent[0]; ++row) {
      const std::vector<float>& known = models_[static_cast<std::size_t>(row)].shares;
      const auto at = static_cast<std::size_t>(i);
      shares(row, i) = at < known.size() ? known[at] : std::numeric_limits<float>::quiet_NaN();
    }
  }
  number(0) = static_cast<float>(texts_);
  auto set = std::make_shared<TensorSet>();
  set->add({share, "EW", "accuracy of repeated letters, by encoding and length",
            "right / all, in texts that no model saw"},
           std::move(shares));
  set->add({tokens, "W", "number of tokens of a text", "2 · letters"}, std::move(lengths));
  set->add({texts, "1", "number of texts of each length", ""}, std::move(number));
  return set;
}

namespace needs {
const Need everyEncoding{.name = "encodings at every length",
                         .kept = keptAs<PositionBench>,
                         .reads = readChoices<positionBench::textsChoice>};
}  // namespace needs

}  // namespace glassformer
