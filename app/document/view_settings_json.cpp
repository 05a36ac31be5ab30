#include "app/document/view_settings_json.h"

#include <set>

#include "app/document/json_fields.h"

namespace glassformer {

using Json = nlohmann::ordered_json;

Json residualToJson(const ResidualSettings& s) {
  return {{"layout", static_cast<int>(s.layout)}, {"to", static_cast<int>(s.to)}, {"entry", s.entry}};
}

void readResidual(const Json& json, ResidualSettings& s) {
  readChoice(json, "layout", s.layout, ResidualLayout::Scales);
  readChoice(json, "to", s.to, ContributionTo::Logit);
  readField(json, "entry", s.entry);
  s.entry = std::max(s.entry, -1);
}

Json nextTokenToJson(const NextTokenSettings& s) {
  return {{"layout", static_cast<int>(s.layout)}, {"window", {s.window.firstKey, s.window.count}}};
}

void readNextToken(const Json& json, NextTokenSettings& s) {
  readChoice(json, "layout", s.layout, NextTokenLayout::Lens);
  std::array<int, 2> window{s.window.firstKey, s.window.count};
  readField(json, "window", window);
  s.window = {window[0], window[0], window[1]};
}

Json positionsToJson(const PositionsSettings& s) {
  return {{"layout", static_cast<int>(s.layout)},
          {"table", static_cast<int>(s.table)},
          {"dotProduct", s.dotProduct},
          {"pairs", s.pairs},
          {"distance", s.distance}};
}

void readPositions(const Json& json, PositionsSettings& s) {
  if (json.is_number())
    return readChoice(Json{{"layout", json}}, "layout", s.layout, PositionsLayout::Similarity);
  readChoice(json, "layout", s.layout, PositionsLayout::Scores);
  readChoice(json, "table", s.table, PositionTable::Sinusoidal);
  readField(json, "dotProduct", s.dotProduct);
  readField(json, "pairs", s.pairs);
  const std::set<int> sorted(s.pairs.begin(), s.pairs.end());
  s.pairs.assign(sorted.begin(), sorted.end());
  readField(json, "distance", s.distance);
  s.distance = std::max(s.distance, 1);
}

}  // namespace glassformer
