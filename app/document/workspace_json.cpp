#include "app/document/workspace_json.h"

#include <set>

#include "app/document/comparison_commands.h"
#include "app/document/decoding_numbers.h"
#include "app/document/intervention_list.h"
#include "app/document/training_plan_fields.h"
#include "app/document/view_settings_fields.h"
#include "core/decode/sampling.h"
#include "core/text/expression.h"
#include "core/text/json_text.h"

namespace glassformer {

// Those that are not off, by their ids; and their order, where it is another than the usual one.
inline void to_json(Json& json, const StageNumbers& numbers) {
  json = Json::object();
  for (const SamplingStage& stage : samplingStages())
    if (numbers.of(stage) != stage.off) json[std::string(stage.id)] = numbers.of(stage);
  if (!numbers.order().empty()) json["order"] = numbers.order();
}
const SamplingStage& stageNamed(const std::string& id) {
  if (const SamplingStage* stage = findSamplingStage(id)) return *stage;
  throw std::runtime_error("no filter \"" + excerpt(id, 40) + "\"");
}
void setStage(StageNumbers& numbers, const std::string& id, float number) {
  const SamplingStage& stage = stageNamed(id);
  if (!accepts(stage, number)) throw std::runtime_error(id + " cannot be " + Json(number).dump());
  numbers.set(stage, number);
}
void setOrder(StageNumbers& numbers, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) stageNamed(id);
  numbers.setOrder(ids);
}
inline void from_json(const Json& json, StageNumbers& numbers) {
  numbers = {};
  for (const auto& [id, value] : json.items())
    if (id == "order")
      setOrder(numbers, value.get<std::vector<std::string>>());
    else
      setStage(numbers, id, value.get<float>());
}

// Templates outside of the unnamed namespace, where fields of their own are looked for.

template <typename Fields>
void fieldsOf(Fields& fields, Constraint& c) {
  fields.name("match", c.pattern);
  fields.bytes("behind", c.behind);
  fields.field("banned", c.banned);
  const std::set<int> ascending(c.banned.begin(), c.banned.end());
  c.banned.assign(ascending.begin(), ascending.end());
  if (c.pattern.empty()) return;
  if (const auto expression = Expression::compile(c.pattern); !expression)
    throw std::runtime_error("match: " + expression.error().message());
}

template <typename Fields>
void fieldsOf(Fields& fields, Decoding& d) {
  fields.choice("strategy", d.strategy, strategyNames);
  for (const DecodingNumber& number : decodingNumbers())
    std::visit([&](auto member) { fields.field(number.field, d.*member); }, number.member);
  fields.field("stopsEarly", d.stopsEarly);
  fields.field("stages", d.stages);
  fields.part("constraint", d.constraint);
  fields.earlier("temperature", [&](const Json& n) { setStage(d.stages, "temperature", n.get<float>()); });
  fields.earlier("topK", [&](const Json& n) { setStage(d.stages, "top-k", n.get<float>()); });
  fields.earlier("topP", [&](const Json& n) { setStage(d.stages, "top-p", n.get<float>()); });
  holdToLimits(d);
}

template <typename Fields>
void fieldsOf(Fields& fields, DecodedStretch& stretch) {
  fields.field("end", stretch.end);
  fields.choice("by", stretch.by, {"greedy", "sampling", "beam", "hand"});
  fields.part("decoding", stretch.decoding);
}

// One that ends before the one before it, or behind the text, says nothing.
void holdToText(DecodeHistory& way) {
  std::size_t before = way.from.text.size();
  std::erase_if(way.stretches, [&](const DecodedStretch& stretch) {
    if (stretch.end <= before || stretch.end > way.to.size()) return true;
    before = stretch.end;
    return false;
  });
}

template <typename Fields>
void fieldsOf(Fields& fields, DecodeHistory& way) {
  fields.bytes("from", way.from.text);
  fields.bytes("source", way.from.source);
  fields.bytes("to", way.to);
  fields.bytes("root", way.root);
  fields.field("rooted", way.isRooted);
  fields.parts("stretches", way.stretches);
  holdToText(way);
}

template <typename Fields>
void fieldsOf(Fields& fields, LeftTab& left) {
  fields.bytes("text", left.writing.text);
  fields.bytes("source", left.writing.source);
  fields.part("decoding", left.decoding);
  fields.part("decoded", left.way);
}

// In files a tab is its number, and the rest has names; files of earlier days number them up to -1.
constexpr std::array numberedToMinusOne{Comparison::recordedTrace, Comparison::otherRun, Comparison::asLoaded,
                                        Comparison::off, Comparison::withoutInterventions};

int numberOf(const Comparison& c) {
  const auto found = std::ranges::find(numberedToMinusOne, c.with);
  return c.otherTab().value_or(static_cast<int>(found - numberedToMinusOne.end()));
}
Compared comparedOf(int number) {
  if (number >= 0) return OtherText{number};
  const int place = number + static_cast<int>(numberedToMinusOne.size());
  return place < 0 ? Comparison::off : numberedToMinusOne[static_cast<std::size_t>(place)];
}

template <typename Fields>
void fieldsOf(Fields& fields, Comparison& c) {
  int with = numberOf(c);
  fields.numberOrName("with", with, {"elsewhere", "other run", "as loaded", "off", "without interventions"});
  c.with = comparedOf(with);
  fields.choice("view", c.mode, {"side by side", "difference"});
}

template <typename Fields>
void fieldsOf(Fields& fields, Selection& s) {
  fields.field("layer", s.layer);
  fields.field("head", s.head);
  fields.field("query", s.query);
  fields.field("key", s.key);
  fields.field("dimension", s.dimension);
  fields.choice("site", s.site, siteNames);
  fields.field("source", s.source);
  fields.field("sourceKey", s.sourceKey);
}

template <typename Fields>
void fieldsOf(Fields& fields, Look& a) {
  fields.field("dark", a.dark);
  fields.field("followsSystem", a.followsSystem);
  fields.field("contrast", a.contrast);
  fields.field("speaker", a.speaker);
  fields.field("zoom", a.zoom);
  fields.field("leftWidth", a.leftWidth);
  fields.field("rightWidth", a.rightWidth);
  fields.field("bottomHeight", a.bottomHeight);
  fields.field("inspectorOpen", a.inspectorOpen);
  fields.field("inputOpen", a.inputOpen);
  fields.field("inspectorClosed", a.inspectorClosed);
  fields.field("inputClosed", a.inputClosed);
  fields.field("timelineClosed", a.timelineClosed);
  fields.field("allControls", a.allControls);
  fields.field("reached", a.reached);
  a.zoom = std::clamp(a.zoom, 0.75f, 3.0f);
}

template <typename Fields>
void fieldsOf(Fields& fields, Machine& m) {
  fields.field("passLimit", m.memory);  // "memory" was of two passes, which gave it back
  if (m.memory != 0) m.memory = std::clamp(m.memory, Machine::leastMemory, Machine::mostMemory);
}

template <typename Fields>
void fieldsOf(Fields& fields, FigureSettings& f) {
  fields.field("format", f.format);
  fields.field("size", f.size);
  fields.field("scale", f.scale);
  fields.choice("look", f.look, {"as the window", "light", "dark", "paper"});
  fields.field("millimetres", f.millimetres);
  fields.field("points", f.points);
  fields.field("heads", f.heads);
  fields.field("bars", f.bars);
  fields.field("colorScale", f.colorScale);
  fields.field("headsFirst", f.headsFirst);
  fields.field("caption", f.caption);
  fields.field("captionAbove", f.captionAbove);
  fields.field("allNumbers", f.allNumbers);
  fields.field("each", f.each);
  fields.field("moves", f.moves);
  fields.field("seconds", f.seconds);
  fields.bytes("folder", f.folder);
  fields.bytes("editedCaption", f.editedCaption);
  fields.bytes("captionReplaced", f.captionReplaced);
  f.scale = std::clamp(f.scale, leastFigureScale, greatestFigureScale);
  f.millimetres = std::clamp(f.millimetres, 0.0f, mostMillimetres);
  f.points = f.points > 0 ? std::clamp(f.points, leastPoints, mostPoints) : 0;
  f.seconds = std::clamp(f.seconds, leastFrameSeconds, mostFrameSeconds);
}

inline void to_json(Json& json, const Guess& p) { json = {{"values", p.values}, {"made", p.isMade}}; }
inline void from_json(const Json& json, Guess& p) {
  p = {json.at("values").get<std::vector<float>>(), json.at("made").get<bool>()};
}

template <typename Fields>
void fieldsOf(Fields& fields, LessonProgress& l) {
  fields.bytes("lesson", l.lesson);
  fields.field("step", l.step);
  fields.field("guesses", l.guesses);
  fields.field("hints", l.hints);
  fields.field("votes", l.votes);
  fields.field("room", l.room);
  for (auto& [step, answers] : l.room)
    std::erase_if(
        answers, [](const auto& values) { return values.empty() || !std::ranges::all_of(values, isAnswer); });
  fields.bytes("before", l.before);
  fields.field("done", l.done);
  l.step = std::max(l.step, 0);
}

// What is no list stands apart: the other texts, the interventions.
template <typename Fields>
void fieldsOf(Fields& fields, Workspace& w) {
  fields.bytes("model", w.model);
  fields.bytes("text", w.text);
  fields.bytes("source", w.source);
  fields.field("tab", w.tab);
  fields.bytes("hypothesis", w.rule);
  fields.bytes("elsewhere", w.recordedTrace);
  fields.part("comparison", w.comparison);
  fields.part("decoding", w.decoding);
  fields.part("decoded", w.way);
  fields.parts("left", w.left);
  fields.field("view", w.view);
  fields.name("step", w.step);
  fields.part("selection", w.selection);
  fields.part("settings", w.settings);
  fields.part("appearance", w.look);
  fields.part("machine", w.machine);
  fields.part("figure", w.figure);
  fields.field("schedule", w.schedules[0]);
  fields.field("otherSchedule", w.schedules[1]);
  fields.part("plan", w.plan);
  fields.optionalPart("setUp", w.setUp);
  fields.part("lesson", w.lesson);
}

namespace {

// 1: choices and steps were numbers, interventions lost their tensors.
constexpr int formatVersion = 2;
constexpr const char* formatField = "glassformer session";

InterventionKind kindNamed(const Json& json) {
  std::vector<const char*> names;
  for (const InterventionDescription& kind : interventionKinds()) names.push_back(kind.id);
  return static_cast<InterventionKind>(placeAmong(json, names));
}

Json interventionToJson(const Intervention& i) {
  Json json{{"point", i.point}, {"kind", described(i.kind).id}, {"index", i.index}, {"value", i.value}};
  if (i.tensor) {
    const TensorView values = i.tensor->view();
    json["extent"] = std::vector<int>(values.extent.begin(), values.extent.begin() + values.rank);
    json["values"] = i.tensor->values();
  }
  if (!i.origin.empty()) json["origin"] = bytesToJson(i.origin);
  if (!i.ruleText.empty()) json["hypothesis"] = bytesToJson(i.ruleText);
  if (i.step >= 0) json["step"] = i.step;
  return json;
}

std::shared_ptr<const Tensor> tensorFromJson(const Json& json) {
  const auto extent = readAs<std::vector<int>>(json.at("extent"));
  auto values = json.at("values").get<std::vector<float>>();
  std::size_t count = 1;
  for (const int e : extent) count *= e < 0 ? 0 : static_cast<std::size_t>(e);
  if (extent.empty() || extent.size() > maxRank || count != values.size())
    throw std::runtime_error("extent " + json.at("extent").dump() + " does not have " +
                             std::to_string(values.size()) + " values");
  return std::make_shared<const Tensor>(extent, std::move(values));
}

Intervention interventionFromJson(const Json& json) {
  Intervention i;
  i.point = json.at("point").get<std::string>();
  i.kind = kindNamed(json.at("kind"));
  i.index = readAs<std::array<int, maxRank>>(json.at("index"));
  i.value = json.at("value").get<float>();
  if (json.contains("values")) i.tensor = tensorFromJson(json);
  if (json.contains("origin")) i.origin = bytesFromJson(json.at("origin"));
  if (json.contains("hypothesis")) i.ruleText = bytesFromJson(json.at("hypothesis"));
  if (json.contains("step")) i.step = readAs<int>(json.at("step"));
  return i;
}

Json toJson(const std::vector<PausedIntervention>& paused) {
  Json json = Json::array();
  for (const PausedIntervention& each : paused) {
    json.push_back(interventionToJson(each.intervention));
    json.back()["place"] = each.place;
  }
  return json;
}
std::vector<PausedIntervention> pausedFromJson(const Json& json) {
  std::vector<PausedIntervention> paused;
  for (const Json& each : json)
    paused.push_back(
        {interventionFromJson(each), static_cast<std::size_t>(std::max(0, readAs<int>(each.at("place"))))});
  std::ranges::stable_sort(paused, {}, &PausedIntervention::place);
  return paused;
}

// A tab without a source is its text alone.
Json toJson(const TabText& tab) {
  if (tab.source.empty()) return bytesToJson(tab.text);
  return {{"text", bytesToJson(tab.text)}, {"source", bytesToJson(tab.source)}};
}
TabText tabFromJson(const Json& json) {
  if (!json.is_object()) return bytesFromJson(json);
  return {bytesFromJson(json.at("text")), bytesFromJson(json.at("source"))};
}

Json toJson(const std::vector<TabText>& tabs) {
  Json json = Json::array();
  for (const TabText& tab : tabs) json.push_back(toJson(tab));
  return json;
}
std::vector<TabText> tabsFromJson(const Json& json) {
  std::vector<TabText> tabs;
  for (const Json& tab : json) tabs.push_back(tabFromJson(tab));
  return tabs;
}

Json toJson(const std::vector<Branch>& branches) {
  Json json = Json::array();
  for (const Branch& branch : branches)
    json.push_back({{"name", bytesToJson(branch.name)},
                    {"color", branch.color},
                    {"text", bytesToJson(branch.writing.text)},
                    {"source", bytesToJson(branch.writing.source)}});
  return json;
}
std::vector<Branch> branchesFromJson(const Json& json) {
  std::vector<Branch> branches;
  for (const Json& each : json) {
    if (branches.size() == mostBranches) break;
    branches.push_back({bytesFromJson(each.at("name")),
                        {bytesFromJson(each.at("text")), bytesFromJson(each.at("source"))},
                        std::clamp(readAs<int>(each.at("color")), 0, branchColors - 1)});
  }
  return branches;
}

Json toJson(const std::vector<Pin>& pins) {
  Json json = Json::array();
  for (const Pin& pin : pins) {
    json.push_back({{"point", pin.point}, {"index", pin.index}});
    if (pin.in)
      json.back()["in"] = {{"point", pin.in->point}, {"index", pin.in->index}, {"pass", pin.in->pass}};
  }
  return json;
}
std::vector<Pin> pinsFromJson(const Json& json) {
  std::vector<Pin> pins;
  for (const Json& each : json) {
    if (pins.size() == mostPins) break;
    const auto point = [](const Json& of) { return of.at("point").get<std::string>(); };
    const auto index = [](const Json& of) { return readAs<std::array<int, maxRank>>(of.at("index")); };
    pins.push_back({point(each), index(each)});
    if (const auto in = each.find("in"); in != each.end())
      pins.back().in = {point(*in), index(*in), std::max(readAs<int>(in->at("pass")), 0)};
  }
  return pins;
}

Json desksToJson(const std::map<std::string, TabGroup>& desks) {
  Json json = Json::array();
  for (auto [name, desk] : desks) {
    FieldWriter fields;
    fields.field("of", name);
    fields.field("open", desk.open);
    fields.part("decoding", desk.decoding);
    fields.part("selection", desk.selection);
    fields.part("decoded", desk.way);
    fields.parts("left", desk.left);
    fields.json()["tabs"] = toJson(desk.tabs);
    fields.json()["branches"] = toJson(desk.branches);
    json.push_back(std::move(fields.json()));
  }
  return json;
}
void readDesks(const Json& json, Workspace& w) {
  for (const Json& each : json) {
    TabGroup desk{tabsFromJson(each.at("tabs")), each.value("open", 0), {}, {}, {}, {}, {}};
    const FieldReader fields(each);
    fields.part("decoding", desk.decoding);
    fields.part("selection", desk.selection);
    fields.part("decoded", desk.way);
    fields.parts("left", desk.left);
    if (each.contains("branches")) desk.branches = branchesFromJson(each["branches"]);
    if (!desk.tabs.empty()) w.desks[each.at("of").get<std::string>()] = std::move(desk);
  }
}

void readLists(const Json& json, Workspace& w) {
  const auto read = [&](const char* name, auto reading) {
    if (json.contains(name)) readNamed(name, json[name], reading);
  };
  read("aside", [&](const Json& tabs) { w.aside = tabsFromJson(tabs); });
  read("branches", [&](const Json& branches) { w.branches = branchesFromJson(branches); });
  read("pins", [&](const Json& pins) { w.pins = pinsFromJson(pins); });
  read("desks", [&](const Json& desks) { readDesks(desks, w); });
  read("changes", [&](const Json& changes) {
    w.changes.clear();
    for (const auto& [field, value] : changes.items()) w.changes.push_back({field, value.get<std::string>()});
  });
  read("interventions", [&](const Json& interventions) {
    removeInterventions(w);
    for (const Json& i : interventions) w.interventions.push_back(interventionFromJson(i));
  });
  read("paused", [&](const Json& paused) { w.paused = pausedFromJson(paused); });
}

// The tabs there are decide which of them is open and which is compared with.
void keepInside(Workspace& w) {
  w.tab = std::clamp(w.tab, 0, w.tabCount() - 1);
  if (!exists(w.comparison.with, w)) w.comparison.with = Comparison::off;
}

}  // namespace

Json bytesToJson(const std::string& bytes) {
  try {
    static_cast<void>(Json(bytes).dump());
    return bytes;
  } catch (const Json::exception&) {
    const auto* first = reinterpret_cast<const unsigned char*>(bytes.data());
    return Json(std::vector<int>(first, first + bytes.size()));
  }
}

std::string bytesFromJson(const Json& json) {
  if (!json.is_array()) return json.get<std::string>();
  std::string bytes;
  for (const int byte : readAs<std::vector<int>>(json)) bytes.push_back(static_cast<char>(byte));
  return bytes;
}

std::string toJson(const Workspace& workspace) {
  Workspace w = workspace;
  if (!isOnWay(w)) w.way = {};  // one that was left
  FieldWriter fields;
  fields.field(formatField, formatVersion);
  fieldsOf(fields, w);
  Json& changes = fields.json()["changes"] = Json::object();
  for (const ModelChange& change : w.changes) changes[change.field] = change.value;
  fields.json()["aside"] = toJson(w.aside);
  fields.json()["branches"] = toJson(w.branches);
  fields.json()["desks"] = desksToJson(w.desks);
  fields.json()["pins"] = toJson(w.pins);
  Json& interventions = fields.json()["interventions"] = Json::array();
  for (const Intervention& i : w.interventions) interventions.push_back(interventionToJson(i));
  fields.json()["paused"] = toJson(w.paused);
  return fields.json().dump(2) + "\n";
}

Result<Workspace> workspaceFromJson(const std::string& text) try {
  const auto json = parseOrderedJson(text, "");
  if (!json) return json.error();
  if (!json->contains(formatField)) return Error{"not a Glassformer session", "", ""};
  int version = 0;
  readNamed(formatField, (*json)[formatField], [&](const Json& number) { readInto(number, version); });
  if (version > formatVersion)
    return Error{"it was saved by a newer Glassformer, as version " + std::to_string(version) +
                     " of sessions; this one reads up to " + std::to_string(formatVersion),
                 "", ""};
  Workspace w = initialWorkspace();
  FieldReader fields(*json);
  fieldsOf(fields, w);
  readLists(*json, w);
  keepInside(w);
  return w;
} catch (const std::exception& e) {
  return Error{e.what(), "", ""};
}

Status readFields(Workspace& workspace, const std::string& text) try {
  const auto json = parseOrderedJson(text, "");
  if (!json) return json.error();
  FieldReader fields(*json);
  fieldsOf(fields, workspace);
  readLists(*json, workspace);
  keepInside(workspace);
  return success();
} catch (const std::exception& e) {
  return Error{e.what(), "", ""};
}

}  // namespace glassformer
