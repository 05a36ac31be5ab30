// The words of labels and tooltips are the field's, and plain. Rows of banned words that are still to come,
// for their strings are not data here: panels, status lines, errors and the command line's help.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <regex>
#include <string>
#include <vector>

#include "app/document/metric_settings.h"
#include "app/document/patch_settings.h"
#include "app/document/training_presets.h"
#include "app/engine/dataset_metrics.h"
#include "app/panels/action.h"
#include "app/panels/decoding_controls.h"
#include "app/panels/palette_words.h"
#include "app/views/views.h"
#include "core/model/choices.h"
#include "core/train/training_numbers.h"
#include "tests/app/banned_words.h"

using namespace glassformer;

namespace {

struct Words {
  std::string where, text;
};

std::vector<Words> labels() {
  std::vector<Words> all;
  for (const View& view : views()) {
    all.push_back({view.id, view.title});
    if (view.shortTitle) all.push_back({view.id, view.shortTitle});
    for (const Picture& picture : view.pictures)
      all.push_back({view.id + ("/" + std::string(picture.id)), picture.label});
  }
  for (const PatchKind& kind : patchKinds) all.push_back({"patch", kind.label});
  for (const MetricChoice& metric : metricChoices) all.push_back({"metric", metric.label});
  return all;
}

std::vector<Words> tips() {
  std::vector<Words> all;
  for (const View& view : views()) {
    all.push_back({view.id, view.about});
    for (const Picture& picture : view.pictures)
      all.push_back({view.id + ("/" + std::string(picture.id)), picture.tip});
  }
  for (const PatchKind& kind : patchKinds) all.push_back({"patch", kind.tip});
  for (const MetricChoice& metric : metricChoices) all.push_back({"metric", metric.tip});
  for (const DatasetMetric& measure : datasetMetrics())
    all.push_back({"measure " + std::string(measure.id), measure.meaning});
  for (const TrainingPreset& preset : trainingPresets())
    all.push_back({"preset", std::string(preset.meaning)});
  for (const ConfigChoice& choice : configChoices()) {
    all.push_back({choice.id, choice.meaning});
    for (const ConfigOption& option : choice.options)
      all.push_back({choice.id + "=" + option.id, option.meaning});
  }
  for (const ConfigNumber& number : configNumbers()) all.push_back({number.id, number.meaning});
  for (const TrainingNumber& number : trainingNumbers()) all.push_back({number.id, number.meaning});
  return all;
}

std::vector<Words> names() {
  std::vector<Words> all;
  for (const Action& action : actions()) {
    all.push_back({action.id, action.title});
    all.push_back({action.id, action.available.until});
  }
  for (const ConfigChoice& choice : configChoices()) {
    all.push_back({choice.id, choice.name});
    for (const ConfigOption& option : choice.options)
      all.push_back({choice.id + "=" + option.id, option.name});
  }
  for (const ConfigNumber& number : configNumbers()) all.push_back({number.id, number.name});
  for (const TrainingNumber& number : trainingNumbers()) all.push_back({number.id, number.name});
  for (const DatasetMetric& measure : datasetMetrics()) all.push_back({measure.id, measure.family});
  return all;
}

std::ptrdiff_t letters(const std::string& text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

void checkBanned(const std::vector<Words>& all) {
  for (const auto& [pattern, use] : bannedAnywhere) {
    const std::regex banned(pattern, std::regex::icase);
    for (const Words& words : all) {
      INFO(words.where << ": " << words.text << "\nuse: " << use);
      CHECK_FALSE(std::regex_search(words.text, banned));
    }
  }
  const std::regex former(formerNames), questions(questionWords, std::regex::icase);
  for (const Words& words : all) {
    INFO(words.where << ": " << words.text);
    CHECK_FALSE(std::regex_search(words.text, former));
    CHECK_FALSE(std::regex_search(words.text, questions));
  }
}

}  // namespace

TEST_CASE("labels of views, pictures and their choices are short, and no sentences") {
  constexpr std::ptrdiff_t longestLabel = 16;
  for (const Words& label : labels()) {
    INFO(label.where << ": " << label.text);
    CHECK(letters(label.text) <= longestLabel);
    CHECK_FALSE(label.text.ends_with('.'));
    CHECK_FALSE(label.text.empty());
  }
}

TEST_CASE("a tooltip of a view, a picture or a choice is one line") {
  constexpr std::ptrdiff_t longestTip = 160;
  for (const Words& tip : tips()) {
    INFO(tip.where << ": " << tip.text);
    CHECK(letters(tip.text) <= longestTip);
  }
}

TEST_CASE("labels, names and tooltips use the words of the field") {
  checkBanned(labels());
  checkBanned(tips());
  checkBanned(names());
}

TEST_CASE("every action has an id of its own, and other names are of actions that exist") {
  std::vector<std::string_view> ids;
  for (const Action& action : actions()) ids.emplace_back(action.id);
  for (const ActionNames& other : actionsWithOtherNames()) {
    INFO(other.id);
    CHECK(std::ranges::count(ids, other.id) == 1);
    CHECK(otherWordsOfAction(other.id).find(other.formerly) != std::string::npos);
  }
  std::ranges::sort(ids);
  CHECK(std::ranges::adjacent_find(ids) == ids.end());
}
