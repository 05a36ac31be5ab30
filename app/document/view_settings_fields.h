#pragma once
#include <set>

#include "app/document/json_fields.h"
#include "app/document/metric_settings.h"
#include "app/document/view_settings.h"

namespace glassformer {

// How the settings of single views stand in the session file.

inline constexpr ChoiceNames siteNames{"only", "decoder", "encoder", "cross"};

// The attention that a head is in stands behind it where there are several.
inline void to_json(Json& json, const HeadId& head) {
  json = Json::array({head.layer, head.head});
  if (head.site != AttentionSite::Self)
    json.push_back(siteNames.begin()[static_cast<std::size_t>(head.site)]);
}
inline void from_json(const Json& json, HeadId& head) {
  const int site = json.size() > 2 ? placeAmong(json.at(2), siteNames) : 0;
  head = {readAs<int>(json.at(0)), readAs<int>(json.at(1)), static_cast<AttentionSite>(site)};
}

template <typename T>
void sortAndUnite(std::vector<T>& values) {
  const std::set<T> sorted(values.begin(), values.end());
  values.assign(sorted.begin(), sorted.end());
}

template <typename Fields>
void fieldsOf(Fields& fields, AttentionSettings& s) {
  fields.choice("stage", s.stage, {"scores", "masked", "pattern", "moved"});
  fields.choice("fold", s.fold, {"one", "average", "maximum"});
  fields.field("heads", s.heads);
  fields.field("other", s.other);
  fields.choice("pair", s.pair, {"patterns", "moved", "one head"});
  fields.field("moreShown", s.moreShown);
  fields.choice("order", s.order, {"text", "focus", "key"});
  fields.field("normalized", s.normalized);
  fields.choice("scale", s.scale, {"fitting", "linear", "logarithmic"});
  fields.field("leastPercent", s.leastPercent);
  fields.array("window", s.window.firstQuery, s.window.firstKey, s.window.count);
  fields.field("painting", s.painting);
  fields.field("pairing", s.pairing);
  sortAndUnite(s.heads);
  s.leastPercent = std::clamp(s.leastPercent, 1, 100);
}
/// The stage alone.
inline void fromNumber(const Json& json, AttentionSettings& s) {
  s.stage = static_cast<AttentionStage>(
      std::clamp(readAs<int>(json), 0, static_cast<int>(AttentionStage::Pattern)));
}

template <typename Fields>
void fieldsOf(Fields& fields, PositionsSettings& s) {
  fields.choice("table", s.table, {"model", "sinusoidal"});
  fields.field("dotProduct", s.dotProduct);
  fields.field("pairs", s.pairs);
  fields.field("distance", s.distance);
  fields.field("base", s.base);
  fields.field("taps", s.taps);
  sortAndUnite(s.pairs);
  s.distance = std::max(s.distance, 1);
  s.base = std::clamp(s.base, leastBase, mostBase);
  for (float& weight : s.taps) weight = std::clamp(weight, -mostTap, mostTap);
}
template <typename Fields>
void fieldsOf(Fields& fields, ResidualSettings& s) {
  fields.choice("to", s.to, {"final state", "length", "logit", "centred logit"});
  fields.field("entry", s.entry);
  s.entry = std::max(s.entry, -1);
}

template <typename Fields>
void fieldsOf(Fields& fields, NextTokenSettings& s) {
  fields.array("window", s.window.firstKey, s.window.count);
  s.window.firstQuery = s.window.firstKey;
}

template <typename Fields>
void fieldsOf(Fields& fields, InfluenceSettings& s) {
  fields.field("byInput", s.byInput);
  fields.field("logarithmic", s.logarithmic);
  fields.field("entry", s.entry);
  s.entry = std::max(s.entry, -1);
}

template <typename Fields>
void fieldsOf(Fields& fields, TrainingSettings& s) {
  fields.field("at", s.at);
  fields.field("weight", s.weight);
  s.at = std::max(s.at, TrainingSettings::newest);
}

template <typename Fields>
void fieldsOf(Fields& fields, LandscapeSettings& s) {
  fields.field("logarithmic", s.logarithmic);
  fields.array("view", s.angle.yaw, s.angle.pitch);
  fields.field("side", s.side);
  fields.field("radius", s.radius);
  fields.field("seed", s.seed);
  s.angle = s.angle.turned(0, 0);
  s.side = std::clamp(s.side, 3, 101) | 1;
  s.radius = std::clamp(s.radius, 0.01f, 10.0f);
}

template <typename Fields>
void fieldsOf(Fields& fields, BeamTreeSettings& s) {
  fields.choice("scores", s.scores, {"text", "length"});
  fields.field("leastPercent", s.leastPercent);
  fields.field("folded", s.folded);
  fields.array("view", s.section.zoom, s.section.x, s.section.y);
  s.leastPercent = std::clamp(s.leastPercent, 0, 100);
  s.section = s.section.inside();
}

// In files of earlier days, the settings of a view say which of its pictures is shown, by name or by place.
inline std::string layoutOf(const Json& settings, ChoiceNames names) {
  if (!settings.is_object() || !settings.contains("layout")) return "";
  std::string layout;
  readNamed("layout", settings["layout"],
            [&](const Json& json) { layout = names.begin()[placeAmong(json, names)]; });
  return layout;
}

template <typename Fields>
void earlierLayouts(Fields& fields, ViewSettings& s) {
  const auto view = [&](const char* part, const char* id, ChoiceNames names) {
    fields.earlier(part, [&](const Json& settings) {
      if (const std::string layout = layoutOf(settings, names); !layout.empty()) s.pictures[id] = layout;
    });
  };
  view("attention", "attention", {"matrix", "sentence", "arcs", "two heads"});
  fields.earlier("positions", [&](const Json& settings) {  // were a number once
    if (settings.is_number())
      s.pictures["positions"] = readAs<int>(settings) <= 0 ? "encoding" : "similarity";
  });
  view("positions", "positions", {"encoding", "similarity", "curves", "phasors", "differences", "scores"});
  view("residual", "residual", {"norms", "cosine", "contributions", "scales"});
  view("nextToken", "next_token", {"distribution", "text", "lens"});
  view("influence", "influence", {"sentence", "matrix", "distance"});
  view("training", "training", {"curves", "parts", "optimizer", "answers"});
  view("landscape", "landscape", {"surface", "map"});
}

// Each picture had a metric of its own once.
inline void earlierMetrics(ViewSettings& s) {
  for (const char* const earlier : {"influence.edge_telling", "influence.left_out"}) {
    const std::string_view metric = s.chosen(earlier);
    if (metric != "logit" && metric != "divergence") continue;
    s.choose(metricSetting, metric == "logit" ? "logit" : "kl");
    s.choose(earlier, "");
  }
}

template <typename Fields>
void fieldsOf(Fields& fields, ViewSettings& s) {
  earlierLayouts(fields, s);
  fields.field("pictures", s.pictures);
  fields.field("choices", s.choices);
  earlierMetrics(s);
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
