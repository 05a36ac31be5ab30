#pragma once
#include <set>

#include "app/document/json_fields.h"
#include "app/document/workspace.h"

namespace glassformer {

// How the settings of single views stand in the session file.

// The attention that a head is in stands behind it where there are several.
inline void to_json(Json& json, const HeadId& head) {
  json = Json::array({head.layer, head.head});
  if (head.site != AttentionSite::Only) json.push_back(static_cast<int>(head.site));
}
inline void from_json(const Json& json, HeadId& head) {
  const int site = json.size() > 2 ? json.at(2).get<int>() : 0;
  head = {json.at(0).get<int>(), json.at(1).get<int>(), static_cast<AttentionSite>(std::clamp(site, 0, 3))};
}

template <typename T>
void sortAndUnite(std::vector<T>& values) {
  const std::set<T> sorted(values.begin(), values.end());
  values.assign(sorted.begin(), sorted.end());
}

template <typename Fields>
void fieldsOf(Fields& fields, AttentionSettings& s) {
  fields.choice("layout", s.layout, AttentionLayout::TwoHeads);
  fields.choice("stage", s.stage, AttentionStage::Moved);
  fields.choice("fold", s.fold, HeadFold::Maximum);
  fields.field("heads", s.heads);
  fields.field("other", s.other);
  fields.choice("pair", s.pair, AttentionPair::OneHead);
  fields.field("moreShown", s.moreShown);
  fields.choice("order", s.order, RowOrder::Key);
  fields.field("normalized", s.normalized);
  fields.field("leastPercent", s.leastPercent);
  fields.array("window", s.window.firstQuery, s.window.firstKey, s.window.count);
  fields.field("painting", s.painting);
  sortAndUnite(s.heads);
  s.leastPercent = std::clamp(s.leastPercent, 1, 100);
}
/// The stage alone.
inline void fromNumber(const Json& json, AttentionSettings& s) {
  s.stage =
      static_cast<AttentionStage>(std::clamp(json.get<int>(), 0, static_cast<int>(AttentionStage::Pattern)));
}

template <typename Fields>
void fieldsOf(Fields& fields, PositionsSettings& s) {
  fields.choice("layout", s.layout, PositionsLayout::Scores);
  fields.choice("table", s.table, PositionTable::Sinusoidal);
  fields.field("dotProduct", s.dotProduct);
  fields.field("pairs", s.pairs);
  fields.field("distance", s.distance);
  sortAndUnite(s.pairs);
  s.distance = std::max(s.distance, 1);
}
/// The encodings, or their similarity.
inline void fromNumber(const Json& json, PositionsSettings& s) {
  s.layout = json.get<int>() <= 0 ? PositionsLayout::Encoding : PositionsLayout::Similarity;
}

template <typename Fields>
void fieldsOf(Fields& fields, ResidualSettings& s) {
  fields.choice("layout", s.layout, ResidualLayout::Scales);
  fields.choice("to", s.to, ContributionTo::Logit);
  fields.field("entry", s.entry);
  s.entry = std::max(s.entry, -1);
}

template <typename Fields>
void fieldsOf(Fields& fields, NextTokenSettings& s) {
  fields.choice("layout", s.layout, NextTokenLayout::Lens);
  fields.array("window", s.window.firstKey, s.window.count);
  s.window.firstQuery = s.window.firstKey;
}

template <typename Fields>
void fieldsOf(Fields& fields, InfluenceSettings& s) {
  fields.choice("layout", s.layout, InfluenceLayout::Distance);
  fields.field("byInput", s.byInput);
  fields.field("logarithmic", s.logarithmic);
  fields.field("entry", s.entry);
  s.entry = std::max(s.entry, -1);
}

template <typename Fields>
void fieldsOf(Fields& fields, TrainingSettings& s) {
  fields.choice("layout", s.layout, TrainingLayout::Answers);
  fields.field("at", s.at);
  fields.field("weight", s.weight);
  s.at = std::max(s.at, TrainingSettings::newest);
}

template <typename Fields>
void fieldsOf(Fields& fields, LandscapeSettings& s) {
  fields.choice("layout", s.layout, LandscapeLayout::Map);
  fields.field("logarithmic", s.logarithmic);
  fields.array("view", s.yaw, s.pitch);
  fields.field("side", s.side);
  fields.field("radius", s.radius);
  fields.field("seed", s.seed);
  s = turned(s, 0, 0);
  s.side = std::clamp(s.side, 3, 101) | 1;
  s.radius = std::clamp(s.radius, 0.01f, 10.0f);
}

template <typename Fields>
void fieldsOf(Fields& fields, BeamTreeSettings& s) {
  fields.choice("scores", s.scores, BeamScores::Length);
  fields.field("leastPercent", s.leastPercent);
  fields.field("folded", s.folded);
  fields.array("view", s.view.zoom, s.view.x, s.view.y);
  s.leastPercent = std::clamp(s.leastPercent, 0, 100);
  s.view = {std::max(s.view.zoom, 0.0f), std::clamp(s.view.x, 0.0f, 1.0f), std::clamp(s.view.y, 0.0f, 1.0f)};
}

template <typename Fields>
void fieldsOf(Fields& fields, ViewSettings& s) {
  fields.part("attention", s.attention);
  fields.part("positions", s.positions);
  fields.part("residual", s.residual);
  fields.part("nextToken", s.nextToken);
  fields.part("influence", s.influence);
  fields.part("training", s.training);
  fields.part("landscape", s.landscape);
  fields.part("beam", s.beam);
  fields.array("tokens", s.tokens.first, s.tokens.selected);
  fields.field("prunedShown", s.prunedShown);
  s.prunedShown = std::clamp(s.prunedShown, 0, 16);
}

}  // namespace glassformer
