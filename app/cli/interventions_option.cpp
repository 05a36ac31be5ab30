#include "app/cli/interventions_option.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <optional>

#include "app/cli/cell_words.h"
#include "app/document/switches.h"
#include "app/engine/ablation_map.h"
#include "app/engine/kept_step.h"
#include "app/engine/pattern_rules.h"
#include "core/model/catalogue.h"
#include "core/shortest_text.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr const char* changeOption = "--intervene";

// "L2H3", "L2 MLP", "L2 mlp"
bool isShortNameOf(const ModelPart& part, const std::string& name) {
  const bool hasOne = part.kind == ModelPart::Kind::Head || part.kind == ModelPart::Kind::Mlp;
  const auto isSame = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return hasOne && part.site != AttentionSite::Encoder && std::ranges::equal(shortNameOf(part), name, isSame);
}

// The part that is called so: "L2H3" is the head L2H3, too.
Result<ModelPart> partCalled(const ModelConfig& config, const std::string& name, const char* option) {
  std::string known;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < causalColumns(config); ++column) {
      const auto part = causalPart(config, row, column);
      if (!part) continue;
      const std::string own = nameOf(*part);
      if (own == name || own == "head " + name || isShortNameOf(*part, name)) return *part;
      known += (known.empty() ? "" : ", ") + own;
    }
  return Error{"the model has no " + inQuotes(name), option, "one of " + excerpt(known, 160)};
}

// The numbers [INDEX] of a trace point.
Result<Intervention> cellsCalled(const ModelConfig& config, const std::string& words) {
  const auto cell = parsedCell(words, changeOption);
  if (!cell) return cell.error();
  for (const auto& [point, extent] : describedPoints(config, config.context, config.context)) {
    if (point.name != cell->tensor) continue;
    bool fits = cell->given == static_cast<int>(extent.size());
    for (int d = 0; fits && d < cell->given; ++d)
      fits = cell->index[static_cast<std::size_t>(d)] < extent[static_cast<std::size_t>(d)];
    if (fits) return Intervention{.point = point.name, .index = cell->index};
    return Error{inQuotes(words) + " is outside of its range", changeOption,
                 point.name + " has " + std::to_string(extent.size()) + " dimensions, " + point.letters};
  }
  return Error{"the pass has no " + inQuotes(cell->tensor), changeOption,
               "`glassformer trace` writes all of its trace points"};
}

Result<Intervention> placeCalled(const ModelConfig& config, const std::string& words, InterventionKind kind) {
  if (words.ends_with(']')) return cellsCalled(config, words);
  const auto part = partCalled(config, words, changeOption);
  if (!part) return part.error();
  if (kind != InterventionKind::Argmax) return zeroAblation(*part);
  if (part->kind == ModelPart::Kind::Head) return hardened({part->layer, part->head, part->site});
  return Error{"only heads have rows to take the largest of", changeOption, "such as \"L0H0 argmax\""};
}

// "scale NUMBER"
std::string usageOf(const InterventionDescription& kind) {
  return kind.id + std::string(kind.takesNumber ? " NUMBER" : "");
}

Result<float> numberOf(const InterventionDescription& kind, const std::string& words) {
  float number = 0;
  const auto [rest, error] = std::from_chars(words.data(), words.data() + words.size(), number);
  const bool isRead = error == std::errc() && rest == words.data() + words.size();
  if (isRead && number >= kind.least && number <= kind.most) return number;
  return Error{inQuotes(words) + " is not a " + kind.number, changeOption,
               "from " + shortestText(kind.least) + " to " + shortestText(kind.most)};
}

// The last word of `words`, which loses it.
std::string takeLast(std::string& words) {
  const std::size_t space = words.find_last_of(' ');
  std::string last = space == std::string::npos ? words : words.substr(space + 1);
  words.resize(space == std::string::npos ? 0 : words.find_last_not_of(' ', space) + 1);
  return last;
}

// "400"
std::optional<int> stepCalled(const std::string& words) {
  int step = -1;
  const auto [rest, error] = std::from_chars(words.data(), words.data() + words.size(), step);
  if (error != std::errc() || rest != words.data() + words.size() || step < 0) return {};
  return step;
}

// "FOLDER@400", or "FOLDER" with the newest step that is kept there.
Result<KeptStep> stepCalledIn(const std::string& from) {
  std::error_code error;
  const std::size_t at = from.rfind('@');
  if (at == std::string::npos || std::filesystem::exists(from, error)) return keptStep(from, {});
  const std::string digits = from.substr(at + 1);
  if (const auto step = stepCalled(digits)) return keptStep(from.substr(0, at), step);
  return Error{inQuotes(digits) + " is not a step", changeOption, "such as \"L2H3 as FOLDER@400\""};
}

// A part held as it was after a step of a training, as in the window, by its weights alone.
Result<Intervention> heldCalled(const ModelConfig& config, const std::string& name, const std::string& from) {
  const auto part = partCalled(config, name, changeOption);
  if (!part) return part.error();
  const auto kept = stepCalledIn(from);
  if (!kept) return kept.error();
  if (kept->model->config() != config)
    return Error{"is of a model of another shape", from, "only its own components can be patched so"};
  Intervention held = heldAsAtStep(*part, kept->step);
  held.rule = ruleOfModel(kept->model, held.point);
  return held;
}

// A part, or numbers of a table at every token: of one token alone there is no mean, nor of where it looks.
Result<Intervention> meanCalled(const std::shared_ptr<const Transformer>& model, const std::string& place,
                                const Interventions& before) {
  const ModelConfig& config = model->config();
  auto part = placeCalled(config, place, InterventionKind::Zero);
  if (!part) return part.error();
  for (const auto& [point, extent] : describedPoints(config, config.context, config.context))
    if (point.name == part->point &&
        (point.letters.find('S') != std::string::npos || part->index[0] != Intervention::every))
      return Error{"mean ablation needs an activation of every token", changeOption,
                   "such as \"L2H3 mean\", \"L2 MLP mean\" or \"blocks.2.mlp.hook_post[*, 44] mean\""};
  return heldAtItsMean(model, *std::move(part), before);
}

Result<Intervention> changeCalled(const std::shared_ptr<const Transformer>& model, const std::string& words,
                                  const Interventions& before) {
  const ModelConfig& config = model->config();
  constexpr std::string_view atMean = " mean";
  if (words.ends_with(atMean))
    return meanCalled(model, words.substr(0, words.size() - atMean.size()), before);
  constexpr std::string_view heldAs = " as ";
  if (const std::size_t as = words.find(heldAs); as != std::string::npos)
    return heldCalled(config, words.substr(0, as), words.substr(as + heldAs.size()));
  std::string known;
  for (const InterventionDescription& kind : interventionKinds()) {
    known += (known.empty() ? "" : ", ") + usageOf(kind);
    std::string place = words;
    const std::string number = kind.takesNumber ? takeLast(place) : "";
    if (const std::string id = takeLast(place); id != kind.id && id != kind.sign) continue;
    const auto itsKind = static_cast<InterventionKind>(&kind - interventionKinds().data());
    auto change = placeCalled(config, place, itsKind);
    if (!change) return change.error();
    change->kind = itsKind;
    if (!kind.takesNumber) return change;
    const auto value = numberOf(kind, number);
    if (!value) return value.error();
    change->value = *value;
    return change;
  }
  return Error{inQuotes(words) + " does nothing", changeOption,
               "a component or POINT[INDEX], then one of " + known + ", mean, or \"as FOLDER@STEP\""};
}

}  // namespace

Result<Interventions> InterventionOptions::of(const std::shared_ptr<const Transformer>& model) const {
  const ModelConfig& config = model->config();
  Interventions all;
  for (const std::string& name : off) {
    const auto part = partCalled(config, name, "--ablate");
    if (!part) return part.error();
    all.push_back(zeroAblation(*part));
  }
  for (const std::string& words : changes) {
    auto change = changeCalled(model, words, all);
    if (!change) return change.error();
    all.push_back(*std::move(change));
  }
  return all;
}

}  // namespace glassformer
