#include "app/lesson/lesson_patch.h"

#include <algorithm>
#include <array>

#include "app/document/comparison_commands.h"
#include "app/document/decoding_numbers.h"
#include "app/document/intervention_list.h"
#include "app/document/json_fields.h"
#include "app/document/switches.h"
#include "app/document/workspace_json.h"
#include "app/views/other_names.h"
#include "core/decode/sampling.h"
#include "core/text/expression.h"
#include "core/text/json_text.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

[[noreturn]] void wrong(const std::string& why) { throw std::runtime_error(why); }

// "2.3", "cross.2.3"
void setHead(Selection& selection, const std::string& words) {
  std::string rest = words;
  selection.site = AttentionSite::Self;
  if (rest.starts_with("cross.")) selection.site = AttentionSite::Cross, rest = rest.substr(6);
  if (rest.starts_with("enc.")) selection.site = AttentionSite::Encoder, rest = rest.substr(4);
  const std::size_t dot = rest.find('.');
  const auto digits = [](const std::string& text) {
    return !text.empty() && text.size() < 4 &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (dot == std::string::npos || !digits(rest.substr(0, dot)) || !digits(rest.substr(dot + 1)))
    wrong(inQuotes(words) + " is not a head: BLOCK.HEAD from 0, as \"2.3\"");
  selection.layer = std::stoi(rest.substr(0, dot)), selection.head = std::stoi(rest.substr(dot + 1));
}
std::string headWords(const Selection& s) {
  const char* site = s.site == AttentionSite::Cross     ? "cross."
                     : s.site == AttentionSite::Encoder ? "enc."
                                                        : "";
  return site + std::to_string(s.layer) + "." + std::to_string(s.head);
}

// What the text is to go on with, from its end.
void setMatch(Workspace& w, const Json& json) {
  w.decoding.constraint.pattern = json.get<std::string>(), w.decoding.constraint.behind = w.text;
  if (const auto expression = Expression::compile(w.decoding.constraint.pattern); !expression)
    wrong(expression.error().message());
}

// Views and pictures by id or name; a name that is unknown stays, and is a fault of the lesson.
void setViewCalled(Workspace& w, const Json& json) {
  const auto name = json.get<std::string>();
  const View* const found = findView(name);
  w.view = found ? found->id : name;
}
void setPictureCalled(Workspace& w, const Json& json) {
  const auto name = json.get<std::string>();
  const View* const view = findView(w.view);
  const Picture* const found = view ? findPicture(*view, name) : nullptr;
  w.settings.pictures[w.view] = found ? std::string(found->id) : name;
}

void setCompared(Workspace& w, const Json& json) {
  if (json.is_object() && json.contains("trace")) {
    w.recordedTrace = bytesFromJson(json["trace"]), w.comparison.with = Comparison::recordedTrace;
    return;
  }
  if (json.is_object()) {
    w.tab = 0, w.aside = {TabText(json.value("text", ""), json.value("source", ""))};
    w.comparison.with = OtherText{1};
    return;
  }
  const auto words = json.get<std::string>();
  if (words == "off")
    w.comparison.with = Comparison::off;
  else if (words == "as loaded")
    w.comparison.with = Comparison::asLoaded;
  else if (words == "without interventions")
    w.comparison.with = Comparison::withoutInterventions;
  else
    w.tab = 0, w.aside = {TabText(words, w.source)}, w.comparison.with = OtherText{1};
}

void setStages(StageNumbers& numbers, const Json& json) {
  numbers = {};
  for (const auto& [id, value] : json.items()) {
    const SamplingStage* const stage = findSamplingStage(id);
    if (!stage) wrong("no filter " + inQuotes(id));
    if (!accepts(*stage, value.get<float>())) wrong(id + " cannot be " + value.dump());
    numbers.set(*stage, value.get<float>());
  }
}

struct FieldName {
  template <std::size_t N>
  consteval FieldName(const char (&name)[N]) {
    std::ranges::copy(name, text);
  }
  char text[32] = {};
};

// What is as long as in session files is written as there.
template <FieldName name>
void asInSession(Workspace& w, const Json& json) {
  if (Status read = readFields(w, Json{{name.text, json}}.dump()); !read) wrong(read.error().message());
}

template <auto member>
void setNumber(Workspace& w, const Json& json) {
  readInto(json, w.decoding.*member);
  holdToLimits(w.decoding);
}

// The token that looks and the one that is looked at, in the text or in the source as the head reads them.
int& queryOf(Selection& selection) {
  return queriesOf(selection.site) == Stream::Text ? selection.query : selection.source;
}
int& keyOf(Selection& selection) {
  if (keysOf(selection.site) == Stream::Text) return selection.key;
  return selection.site == AttentionSite::Cross ? selection.source : selection.sourceKey;
}

// What a field does; in the order in which they act: the model before the text, the view before its picture.
struct Field {
  const char* name;
  void (*apply)(Workspace&, const Json&);
};
constexpr std::array patchFields{
    Field{"model",
          [](Workspace& w, const Json& json) {
            w.model = json.get<std::string>();
            w.changes.clear(), removeInterventions(w), w.comparison = {}, w.selection = {};
          }},
    Field{"after",
          [](Workspace& w, const Json& json) {
            w.settings.training.at = json == "newest" ? TrainingSettings::newest : readAs<int>(json);
          }},
    Field{"source",
          [](Workspace& w, const Json& json) {
            w.source = bytesFromJson(json);
            w.selection.source = w.selection.sourceKey = -1;
          }},
    Field{"text",
          [](Workspace& w, const Json& json) {
            w.text = bytesFromJson(json);
            w.selection.query = w.selection.key = -1;
          }},
    Field{"set",
          [](Workspace& w, const Json& json) {
            w.changes.clear();
            for (const auto& [field, value] : json.items())
              w.changes.push_back({field, value.is_string() ? value.get<std::string>() : value.dump()});
          }},
    Field{"off",
          [](Workspace& w, const Json& json) {
            removeInterventions(w);
            for (const Json& name : json) {
              const auto part = partNamed(name.get<std::string>());
              if (!part)
                wrong(inQuotes(name.get<std::string>()) +
                      " is not a component: \"L2H3\", \"MLP of block 0\"");
              w.interventions.push_back(zeroAblation(*part));
            }
          }},
    Field{"view", setViewCalled},
    Field{"picture", setPictureCalled},
    Field{"step", [](Workspace& w, const Json& json) { w.step = json.get<std::string>(); }},
    Field{"head", [](Workspace& w, const Json& json) { setHead(w.selection, json.get<std::string>()); }},
    Field{"query", [](Workspace& w, const Json& json) { queryOf(w.selection) = readAs<int>(json); }},
    Field{"key", [](Workspace& w, const Json& json) { keyOf(w.selection) = readAs<int>(json); }},
    Field{"dimension", [](Workspace& w, const Json& json) { w.selection.dimension = readAs<int>(json); }},
    Field{"compare", setCompared},
    Field{"difference",
          [](Workspace& w, const Json& json) {
            w.comparison.mode = json.get<bool>() ? ComparisonMode::Difference : ComparisonMode::SideBySide;
          }},
    Field{"strategy",
          [](Workspace& w, const Json& json) {
            w.decoding.strategy =
                static_cast<DecodingStrategy>(placeAmong(Json(json.get<std::string>()), strategyNames));
          }},
    Field{"width", setNumber<&Decoding::beamWidth>},
    Field{"depth", setNumber<&Decoding::depth>},
    Field{"seed", setNumber<&Decoding::seed>},
    Field{"stages", [](Workspace& w, const Json& json) { setStages(w.decoding.stages, json); }},
    Field{"match", setMatch},
    Field{"decoding", asInSession<"decoding">},
    Field{"branches", asInSession<"branches">},
    Field{"interventions", asInSession<"interventions">},
    Field{"settings", asInSession<"settings">},
};

Json parsed(const std::string& json) {
  auto read = parseOrderedJson(json, "");
  if (!read) wrong(read.error().message());
  if (!read->is_object()) wrong("not a list of fields");
  return std::move(*read);
}

// JSON is YAML, too: values are quoted as they are there.
void write(std::string& yaml, const char* field, const Json& value) {
  yaml += std::string(field) + ": " + value.dump() + "\n";
}

}  // namespace

Status applyLessonPatch(Workspace& workspace, const std::string& json) try {
  const Json patch = parsed(json);
  for (const auto& [name, value] : patch.items())
    if (!isPatchField(name)) wrong(inQuotes(name) + " is not a field; fields: " + patchFieldNames());
  for (const Field& field : patchFields)
    if (const auto found = patch.find(field.name); found != patch.end())
      readNamed(field.name, *found, [&](const Json& value) { field.apply(workspace, value); });
  return success();
} catch (const std::exception& e) {
  return Error{e.what(), "", ""};
}

std::string lessonPatchBetween(const Workspace& from, const Workspace& now) {
  std::string yaml;
  Workspace before = from;  // with what a field changes besides itself
  const auto differs = [&](const char* field, const Json& value) {
    write(yaml, field, value);
    static_cast<void>(applyLessonPatch(before, Json{{field, value}}.dump()));
  };
  if (now.model != before.model) differs("model", now.model);
  if (const int at = now.settings.training.at; at != before.settings.training.at)
    differs("after", at == TrainingSettings::newest ? Json("newest") : Json(at));
  if (now.source != before.source) differs("source", bytesToJson(now.source));
  if (now.text != before.text) differs("text", bytesToJson(now.text));
  if (now.changes != before.changes) {
    Json set = Json::object();
    for (const ModelChange& change : now.changes) set[change.field] = change.value;
    write(yaml, "set", set);
  }
  const Json session = parsed(toJson(now));
  if (now.interventions != before.interventions) {
    Json off = Json::array();
    for (const Intervention& i : now.interventions)
      if (const auto part = partSwitchedOffBy(i)) off.push_back(nameOf(*part));
    if (off.size() == now.interventions.size())
      write(yaml, "off", off);
    else
      write(yaml, "interventions", session["interventions"]);
  }
  if (now.view != before.view) differs("view", now.view);
  const auto picture = [&](const Workspace& w) {
    const auto found = w.settings.pictures.find(now.view);
    return found == w.settings.pictures.end() ? std::string() : found->second;
  };
  if (picture(now) != picture(before) && !picture(now).empty()) differs("picture", picture(now));
  if (now.step != before.step) write(yaml, "step", now.step);
  if (headWords(now.selection) != headWords(before.selection)) write(yaml, "head", headWords(now.selection));
  const AttentionSite site = now.selection.site;
  const auto query = [&](const Selection& s) { return s.queryIn(queriesOf(site)); };
  const auto key = [&](const Selection& s) { return s.keyAt(site); };
  if (query(now.selection) != query(before.selection)) write(yaml, "query", query(now.selection));
  if (key(now.selection) != key(before.selection)) write(yaml, "key", key(now.selection));
  if (now.comparison != before.comparison) {
    if (const auto tab = now.comparison.otherTab(); tab && *tab < now.tabCount())
      write(yaml, "compare",
            Json{{"text", bytesToJson(now.textOfTab(*tab))}, {"source", now.sourceOfTab(*tab)}});
    else if (now.comparison.with == Comparison::recordedTrace)
      write(yaml, "compare", Json{{"trace", bytesToJson(now.recordedTrace)}});
    else
      write(yaml, "compare",
            now.comparison.with == Comparison::asLoaded               ? "as loaded"
            : now.comparison.with == Comparison::withoutInterventions ? "without interventions"
                                                                      : "off");
    write(yaml, "difference", now.comparison.mode == ComparisonMode::Difference);
  }
  if (now.decoding != before.decoding) write(yaml, "decoding", session["decoding"]);
  const Json was = parsed(toJson(before));
  Json settings = Json::object();
  for (const auto& [part, value] : session["settings"].items())
    if (value != was["settings"][part]) settings[part] = value;
  if (!settings.empty()) write(yaml, "settings", settings);
  return yaml;
}

bool isPatchField(const std::string& field) {
  return std::ranges::any_of(patchFields, [&](const Field& known) { return field == known.name; });
}

std::string patchFieldNames() {
  std::string names;
  for (const Field& field : patchFields) names += (names.empty() ? "" : ", ") + std::string(field.name);
  return names;
}

}  // namespace glassformer
