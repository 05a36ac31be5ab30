#include "app/document/session.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/document/json_fields.h"
#include "app/document/view_settings_json.h"

namespace glassformer {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int formatVersion = 1;

// JSON strings are UTF-8; a text that is not is written as numbers.
Json bytesToJson(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return text;
  } catch (const Json::exception&) {
    return Json(std::vector<int>(reinterpret_cast<const unsigned char*>(text.data()),
                                 reinterpret_cast<const unsigned char*>(text.data()) + text.size()));
  }
}

std::string bytesFromJson(const Json& json) {
  if (!json.is_array()) return json.get<std::string>();
  std::string text;
  for (const int byte : json.get<std::vector<int>>()) text.push_back(static_cast<char>(byte));
  return text;
}

Json interventionToJson(const Intervention& i) {
  return {{"point", i.point}, {"kind", static_cast<int>(i.kind)}, {"index", i.index}, {"value", i.value}};
}

Intervention interventionFromJson(const Json& json) {
  Intervention i;
  i.point = json.at("point").get<std::string>();
  i.kind = static_cast<InterventionKind>(std::clamp(json.at("kind").get<int>(), 0, 3));
  i.index = json.at("index").get<std::array<int, maxRank>>();
  i.value = json.at("value").get<float>();
  return i;
}

void readDecoding(const Json& json, Decoding& d) {
  int strategy = static_cast<int>(d.strategy);
  readField(json, "strategy", strategy);
  d.strategy = static_cast<DecodingStrategy>(std::clamp(strategy, 0, 2));
  readField(json, "beamWidth", d.beamWidth);
  readField(json, "depth", d.depth);
  readField(json, "lengthPenalty", d.lengthPenalty);
  readField(json, "temperature", d.temperature);
  readField(json, "topK", d.topK);
  readField(json, "topP", d.topP);
  readField(json, "seed", d.seed);
  d.beamWidth = std::clamp(d.beamWidth, 1, 32);
  d.depth = std::clamp(d.depth, 1, 64);
}

void readAppearance(const Json& json, Appearance& a) {
  readField(json, "dark", a.dark);
  readField(json, "followsSystem", a.followsSystem);
  readField(json, "zoom", a.zoom);
  readField(json, "leftWidth", a.leftWidth);
  readField(json, "rightWidth", a.rightWidth);
  readField(json, "bottomHeight", a.bottomHeight);
  readField(json, "inspectorOpen", a.inspectorOpen);
  readField(json, "inputOpen", a.inputOpen);
  a.zoom = std::clamp(a.zoom, 0.75f, 3.0f);
}

void readSelection(const Json& json, Selection& s) {
  readField(json, "layer", s.layer);
  readField(json, "head", s.head);
  readField(json, "query", s.query);
  readField(json, "key", s.key);
  readField(json, "dimension", s.dimension);
  readChoice(json, "site", s.site, AttentionSite::Across);
  readField(json, "source", s.source);
  readField(json, "sourceKey", s.sourceKey);
}

Json toJson(HeadId head) {
  Json json = Json::array({head.layer, head.head});
  if (head.site != AttentionSite::Only) json.push_back(static_cast<int>(head.site));
  return json;
}
HeadId headFromJson(const Json& json) {
  const int site = json.size() > 2 ? json.at(2).get<int>() : 0;
  return {json.at(0).get<int>(), json.at(1).get<int>(), static_cast<AttentionSite>(std::clamp(site, 0, 3))};
}

Json attentionToJson(const AttentionSettings& s) {
  Json heads = Json::array();
  for (const HeadId head : s.heads) heads.push_back(toJson(head));
  return {{"layout", static_cast<int>(s.layout)},
          {"stage", static_cast<int>(s.stage)},
          {"fold", static_cast<int>(s.fold)},
          {"heads", heads},
          {"other", toJson(s.other)},
          {"pair", static_cast<int>(s.pair)},
          {"moreShown", s.moreShown},
          {"order", static_cast<int>(s.order)},
          {"normalized", s.normalized},
          {"leastPercent", s.leastPercent},
          {"window", {s.window.firstQuery, s.window.firstKey, s.window.count}}};
}

// Sessions of earlier days hold the stage alone.
void readAttention(const Json& json, AttentionSettings& s) {
  if (json.is_number()) return readChoice(Json{{"stage", json}}, "stage", s.stage, AttentionStage::Pattern);
  readChoice(json, "layout", s.layout, AttentionLayout::TwoHeads);
  readChoice(json, "stage", s.stage, AttentionStage::Moved);
  readChoice(json, "fold", s.fold, HeadFold::Maximum);
  readChoice(json, "pair", s.pair, AttentionPair::OneHead);
  readChoice(json, "order", s.order, RowOrder::Key);
  readField(json, "moreShown", s.moreShown);
  readField(json, "normalized", s.normalized);
  readField(json, "leastPercent", s.leastPercent);
  s.leastPercent = std::clamp(s.leastPercent, 1, 100);
  std::set<HeadId> heads;
  if (json.contains("heads"))
    for (const Json& head : json["heads"]) heads.insert(headFromJson(head));
  s.heads.assign(heads.begin(), heads.end());
  if (json.contains("other")) s.other = headFromJson(json["other"]);
  std::array<int, 3> window{s.window.firstQuery, s.window.firstKey, s.window.count};
  readField(json, "window", window);
  s.window = {window[0], window[1], window[2]};
}

Json beamTreeToJson(const BeamTreeSettings& s) {
  return {{"scores", static_cast<int>(s.scores)},
          {"leastPercent", s.leastPercent},
          {"folded", s.folded},
          {"view", {s.view.zoom, s.view.x, s.view.y}}};
}

void readBeamTree(const Json& json, BeamTreeSettings& s) {
  readChoice(json, "scores", s.scores, BeamScores::Length);
  readField(json, "leastPercent", s.leastPercent);
  s.leastPercent = std::clamp(s.leastPercent, 0, 100);
  readField(json, "folded", s.folded);
  std::array<float, 3> view{s.view.zoom, s.view.x, s.view.y};
  readField(json, "view", view);
  s.view = {std::max(view[0], 0.0f), std::clamp(view[1], 0.0f, 1.0f), std::clamp(view[2], 0.0f, 1.0f)};
}

void readSettings(const Json& json, ViewSettings& s) {
  if (json.contains("attention")) readAttention(json["attention"], s.attention);
  if (json.contains("positions")) readPositions(json["positions"], s.positions);
  if (json.contains("residual")) readResidual(json["residual"], s.residual);
  if (json.contains("nextToken")) readNextToken(json["nextToken"], s.nextToken);
  if (json.contains("beam")) readBeamTree(json["beam"], s.beam);
  std::array<int, 2> tokens{s.tokens.first, s.tokens.selected};
  readField(json, "tokens", tokens);
  s.tokens = {tokens[0], tokens[1]};
  readField(json, "prunedShown", s.prunedShown);
  s.prunedShown = std::clamp(s.prunedShown, 0, 16);
}

// A tab without a source is its text alone.
Json toJson(const Writing& tab) {
  if (tab.source.empty()) return bytesToJson(tab.text);
  return {{"text", bytesToJson(tab.text)}, {"source", bytesToJson(tab.source)}};
}
Writing tabFromJson(const Json& json) {
  if (!json.is_object()) return bytesFromJson(json);
  return {bytesFromJson(json.at("text")), bytesFromJson(json.at("source"))};
}

Json toJson(const std::vector<Writing>& tabs) {
  Json json = Json::array();
  for (const Writing& tab : tabs) json.push_back(toJson(tab));
  return json;
}
std::vector<Writing> tabsFromJson(const Json& json) {
  std::vector<Writing> tabs;
  for (const Json& tab : json) tabs.push_back(tabFromJson(tab));
  return tabs;
}

Json desksToJson(const std::map<std::string, Desk>& desks) {
  Json json = Json::array();
  for (const auto& [name, desk] : desks)
    json.push_back({{"of", name}, {"tabs", toJson(desk.tabs)}, {"open", desk.open}});
  return json;
}
void readDesks(const Json& json, Workspace& w) {
  for (const Json& each : json) {
    Desk desk{tabsFromJson(each.at("tabs")), 0};
    readField(each, "open", desk.open);
    if (!desk.tabs.empty()) w.desks[each.at("of").get<std::string>()] = std::move(desk);
  }
}

void readComparison(const Json& json, Workspace& w) {
  int view = static_cast<int>(w.comparison.view);
  readField(json, "with", w.comparison.with);
  readField(json, "view", view);
  w.comparison.view = static_cast<ComparisonView>(std::clamp(view, 0, 1));
  const int with = w.comparison.with;
  if (with < Comparison::off || with >= w.tabCount() || with == w.tab) w.comparison.with = Comparison::off;
}

// Paths and captions are the user's bytes, like the text.
void readBytes(const Json& json, const char* field, std::string& value) {
  if (json.contains(field)) value = bytesFromJson(json[field]);
}

Json figureToJson(const FigureSettings& f) {
  return {{"format", f.format},
          {"size", f.size},
          {"scale", f.scale},
          {"look", static_cast<int>(f.look)},
          {"caption", f.caption},
          {"allNumbers", f.allNumbers},
          {"folder", bytesToJson(f.folder)},
          {"editedCaption", bytesToJson(f.editedCaption)},
          {"captionReplaced", bytesToJson(f.captionReplaced)}};
}

void readFigure(const Json& json, FigureSettings& f) {
  int look = static_cast<int>(f.look);
  readField(json, "format", f.format);
  readField(json, "size", f.size);
  readField(json, "scale", f.scale);
  readField(json, "look", look);
  readField(json, "caption", f.caption);
  readField(json, "allNumbers", f.allNumbers);
  readBytes(json, "folder", f.folder);
  readBytes(json, "editedCaption", f.editedCaption);
  readBytes(json, "captionReplaced", f.captionReplaced);
  f.look = static_cast<FigureLook>(std::clamp(look, 0, 2));
  f.scale = std::clamp(f.scale, leastFigureScale, greatestFigureScale);
}

Error cannotWrite(const fs::path& file, const std::string& why) {
  return {"cannot write the session: " + why, file.string(),
          "your text stays here until you close the window"};
}

}  // namespace

std::string toJson(const Workspace& w) {
  Json interventions = Json::array();
  for (const Intervention& i : w.interventions)
    if (!i.tensor) interventions.push_back(interventionToJson(i));
  const Decoding& d = w.decoding;
  const Appearance& a = w.appearance;
  const Selection& s = w.selection;
  const Json json = {
      {"glassformer session", formatVersion},
      {"model", bytesToJson(w.model)},
      {"text", bytesToJson(w.text)},
      {"source", bytesToJson(w.source)},
      {"aside", toJson(w.aside)},
      {"tab", w.tab},
      {"desks", desksToJson(w.desks)},
      {"comparison", {{"with", w.comparison.with}, {"view", static_cast<int>(w.comparison.view)}}},
      {"interventions", interventions},
      {"decoding",
       {{"strategy", static_cast<int>(d.strategy)},
        {"beamWidth", d.beamWidth},
        {"depth", d.depth},
        {"lengthPenalty", d.lengthPenalty},
        {"temperature", d.temperature},
        {"topK", d.topK},
        {"topP", d.topP},
        {"seed", d.seed}}},
      {"view", w.view},
      {"step", w.step},
      {"selection",
       {{"layer", s.layer},
        {"head", s.head},
        {"query", s.query},
        {"key", s.key},
        {"dimension", s.dimension},
        {"site", static_cast<int>(s.site)},
        {"source", s.source},
        {"sourceKey", s.sourceKey}}},
      {"settings",
       {{"attention", attentionToJson(w.settings.attention)},
        {"positions", positionsToJson(w.settings.positions)},
        {"residual", residualToJson(w.settings.residual)},
        {"nextToken", nextTokenToJson(w.settings.nextToken)},
        {"beam", beamTreeToJson(w.settings.beam)},
        {"tokens", {w.settings.tokens.first, w.settings.tokens.selected}},
        {"prunedShown", w.settings.prunedShown}}},
      {"appearance",
       {{"dark", a.dark},
        {"followsSystem", a.followsSystem},
        {"zoom", a.zoom},
        {"leftWidth", a.leftWidth},
        {"rightWidth", a.rightWidth},
        {"bottomHeight", a.bottomHeight},
        {"inspectorOpen", a.inspectorOpen},
        {"inputOpen", a.inputOpen}}},
      {"figure", figureToJson(w.figure)}};
  return json.dump(2) + "\n";
}

Result<Workspace> workspaceFromJson(const std::string& text) try {
  const Json json = Json::parse(text);
  if (!json.contains("glassformer session")) return Error{"not a Glassformer session", "", ""};
  Workspace w = initialWorkspace();
  readField(json, "view", w.view);
  readField(json, "step", w.step);
  if (json.contains("model")) w.model = bytesFromJson(json["model"]);
  if (json.contains("text")) w.text = bytesFromJson(json["text"]);
  readField(json, "tab", w.tab);
  if (json.contains("source")) w.source = bytesFromJson(json["source"]);
  if (json.contains("aside")) w.aside = tabsFromJson(json["aside"]);
  if (json.contains("desks")) readDesks(json["desks"], w);
  w.tab = std::clamp(w.tab, 0, w.tabCount() - 1);
  if (json.contains("comparison")) readComparison(json["comparison"], w);
  if (json.contains("decoding")) readDecoding(json["decoding"], w.decoding);
  if (json.contains("selection")) readSelection(json["selection"], w.selection);
  if (json.contains("settings")) readSettings(json["settings"], w.settings);
  if (json.contains("appearance")) readAppearance(json["appearance"], w.appearance);
  if (json.contains("figure")) readFigure(json["figure"], w.figure);
  if (json.contains("interventions"))
    for (const Json& i : json["interventions"]) w.interventions.push_back(interventionFromJson(i));
  return w;
} catch (const std::exception& e) {
  return Error{e.what(), "", ""};
}

fs::path defaultSessionPath() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
#ifdef _WIN32
  const fs::path base = variable("LOCALAPPDATA");
#else
  fs::path base = variable("XDG_STATE_HOME");
  if (base.empty() && !variable("HOME").empty()) base = variable("HOME") / ".local" / "state";
#endif
  return base.empty() ? base : base / "glassformer" / "session.json";
}

Status saveSession(const fs::path& file, const Workspace& workspace) {
  if (file.empty())
    return Error{"there is no home folder to keep the session in", "", "set HOME or XDG_STATE_HOME"};
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return cannotWrite(file, error.message());
  const fs::path part = file.string() + ".part";
  {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out << toJson(workspace);
    if (!out.flush()) return cannotWrite(part, "no permission, or the disk is full");
  }
  fs::rename(part, file, error);
  if (error) return cannotWrite(file, error.message());
  return success();
}

RestoredSession restoreSession(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (file.empty() || !in) return {initialWorkspace(), ""};
  std::ostringstream text;
  text << in.rdbuf();
  Result<Workspace> workspace = workspaceFromJson(text.str());
  if (workspace) return {std::move(*workspace), ""};
  const fs::path kept = file.string() + ".unreadable";
  std::error_code error;
  fs::rename(file, kept, error);
  return {initialWorkspace(),
          "The last session could not be read: " + workspace.error().message() + ". " +
              (error ? "It is still in " + file.string() : "It is kept as " + kept.string())};
}

}  // namespace glassformer
