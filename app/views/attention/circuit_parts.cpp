#include "app/views/attention/circuit_parts.h"

#include <algorithm>
#include <cmath>

#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "core/lens/head_circuits.h"

namespace glassformer {

namespace {

constexpr float circuitNumber = 56, leastCircuitBar = 24, narrowPair = 340;

float circuitValue(const AttentionPicture& picture, const TensorRef& ref) {
  return valueOf(picture.scene.sources, ref).value_or(NAN);
}

}  // namespace

const CircuitPairs comparedPairs{
    circuit::query,
    circuit::key,
    circuit::score,
    "matches",
    "→",
    ": score of the first as a query with the second as a key, minus the mean over keys"};
const CircuitPairs promotedPairs{circuit::promoting,
                                 circuit::promoted,
                                 circuit::promotion,
                                 "raises",
                                 "↑",
                                 ": rise of the logit of the second token when attending to the first "
                                 "instead of the average token, before the scales of later norms"};
const CircuitPairs suppressedPairs{circuit::suppressing,
                                   circuit::suppressed,
                                   circuit::suppression,
                                   "lowers",
                                   "↓",
                                   ": fall of the logit of the second token when attending to the first "
                                   "instead of the average token, before the scales of later norms"};

int countOf(const AttentionPicture& picture, const CircuitPairs& pairs) {
  const auto found = picture.scene.sources.find(pairs.number);
  return found ? found->extent[0] : 0;
}

void addCircuitPair(AttentionPicture& picture, const Box& line, const CircuitPairs& pairs, int place,
                    std::function<Command(const Target&)> click) {
  const auto label = [&](const char* tensor) {
    return "“" + picture.input.entryLabel(static_cast<int>(circuitValue(picture, {tensor, {place}}))) + "”";
  };
  const TensorRef number{pairs.number, {place}};
  const float words = std::max(line.width - circuitNumber - leastCircuitBar, 0.0f) *
                      (line.width < narrowPair ? 1.0f : 0.8f),
              most = std::abs(circuitValue(picture, {pairs.number, {0}}));
  const std::string said = label(pairs.a) + " " + pairs.verb + " " + label(pairs.b);
  const bool isNarrow = line.width < narrowPair;
  const float value = circuitValue(picture, number);
  HitRegion& hit = addBarRow(
      picture.scene, picture.input, {value < 0 ? Range{-most, 0} : Range{0, most}, words, circuitNumber},
      {line, number, isNarrow ? label(pairs.a) + " " + pairs.sign + " " + label(pairs.b) : said,
       signColor(value, picture.theme.dark)},
      std::string(pairs.number) + " " + std::to_string(place));
  hit.target.text = said + pairs.words;
  hit.click = std::move(click);
  hit.tabStop = hit.click != nullptr;
}

const std::vector<Composition>& compositions() {
  static const std::vector<Composition> all{{circuit::byQueries, "queries", "into queries"},
                                            {circuit::byKeys, "keys", "into keys"},
                                            {circuit::byValues, "values", "into values"}};
  return all;
}

std::optional<Composed> strongestComposition(const AttentionPicture& picture) {
  std::optional<Composed> best;
  for (const Composition& by : compositions()) {
    const AttentionSite site = composedSite(picture.config, picture.site, by.tensor);
    for (int layer = 0; layer < blocksAt(picture.config, site); ++layer)
      for (int head = 0; head < picture.config.heads; ++head) {
        const TensorRef number{by.tensor, {layer, head}};
        const float value = circuitValue(picture, number);
        if (std::isfinite(value) && (!best || value > circuitValue(picture, best->number)))
          best = Composed{&by, {layer, head, site}, number};
      }
  }
  return best;
}

std::string wordsOf(const AttentionPicture& picture, const Composition& by, HeadId head) {
  return picture.site == AttentionSite::Cross || head.layer < picture.selected.layer
             ? std::string("its ") + by.name + " read what " + nameOf(head) + " writes"
             : nameOf(head) + "’s " + by.name + " read its output";
}

}  // namespace glassformer
