#include "app/document/session.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "app/document/metric_settings.h"
#include "app/document/steps.h"
#include "app/document/switches.h"
#include "app/document/workspace_json.h"
#include "core/decode/sampling.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;

namespace {

Workspace unusualWorkspace() {
  Workspace w = initialWorkspace();
  w.text = "größer √∞ \xF0\x9F\x98\x80\n\"quoted\"";
  w.source = "A \xC3 source";
  w.aside = {"first", "", "\xFF", {"target", "source"}};
  w.desks["translate"] = {{{"Der Hund", "The dog"}, "\xFE"}, 1};
  w.tab = 2;
  w.comparison = {OtherText{0}, ComparisonMode::Difference};
  w.model = "/some/folder";
  w.recordedTrace = "/traces/\xFF.npz";
  w.rule = "text[key] = \"\xFF\"";
  w.view = "beam";
  w.step = "blocks.1.hook_resid_mid";
  w.selection = {2, 3, 4, 1, 60, AttentionSite::Cross, 5, 6};
  w.settings.pictures["positions"] = "phasors",
  w.settings.positions = {PositionTable::Sinusoidal, true, {1, 5}, 16};
  w.settings.pictures["residual"] = "contributions", w.settings.residual = {ContributionTo::Logit, 57};
  w.settings.pictures["next_token"] = "lens", w.settings.nextToken = {{7, 7, 12}};
  w.settings.pictures["influence"] = "matrix", w.settings.influence = {true, true, 57};
  w.settings.pictures["landscape"] = "map", w.settings.landscape = {true, {-130.5f, 60}, 51, 0.5f, 7};
  w.settings.pictures["attention"] = "two heads";
  w.settings.tokens = {12, 30};
  w.settings.choices["cost.tokens"] = "128", w.settings.prunedShown = 4;
  w.settings.training = {40, "wte.weight"};
  w.settings.positions.base = 500, w.settings.positions.taps = {0, 0, 0, 1, 0, 0, -1};
  w.settings.beam = {BeamScores::Length, 5, {{3, 1}, {7}}, {2.5f, 0.25f, 0.75f}};
  AttentionSettings& attention = w.settings.attention;
  attention.stage = AttentionStage::Moved;
  attention.fold = HeadFold::Maximum, attention.heads = {{0, 1}, {2, 0, AttentionSite::Cross}};
  attention.other = {1, 3, AttentionSite::Encoder};
  attention.pair = AttentionPair::OneHead, attention.order = RowOrder::Key, attention.normalized = true;
  attention.scale = ShareScale::Logarithmic;
  attention.pairing = true, attention.moreShown = true, attention.leastPercent = 5,
  attention.window = {7, 3, 12}, attention.painting = true;
  w.setUp = TrainingPlan{.task = "sort", .seed = 3, .numbers = {{"batch", "8"}}};
  w.plan = {.task = "text",
            .file = "/my \xFF/text",
            .characters = false,
            .keepsModel = true,
            .seed = 4,
            .steps = 77,
            .changes = {{"n_layer", "3"}},
            .schedule = "constant",
            .numbers = {{"batch", "4"}},
            .from = "sort-2, step 512",
            .two = true,
            .otherChanges = {{"n_head", "1"}},
            .otherSchedule = "no warm-up",
            .otherNumbers = {{"batch", "2"}}};
  w.schedules = {"constant 0.1", "constant 0.2"};
  w.changes = {{"activation", "relu"}};
  w.branches = {{"kept", {"a text", "its source"}, 2}};
  w.way = {{"gr", w.source}, w.text + " and on", "größer", true, {{4, ChosenBy::Hand, {}}}};
  w.way.stretches.front().decoding.seed = 8;
  w.left = {{{"a text", "read"}, w.decoding, w.way}};
  w.lesson = {"attention",   3,  {{1, {{0.5f, 2}, true}}}, {{2, 1}}, {{1, {4, 5}}}, {{1, {{1, 2}}}},
              "before \xFF", {3}};
  w.decoding.depth = 9, w.decoding.siblingPenalty = 0.2f, w.decoding.groups = 2,
  w.decoding.groupPenalty = 0.7f;
  w.decoding.stopsEarly = true, w.decoding.seed = 12;
  w.decoding.stages = {{"temperature", 0.7f}, {"min-p", 0.05f}};
  w.decoding.constraint = {"red|gr\u00FCn", "The dog \xFF", {3, 9}};
  w.decoding.beamWidth = 5, w.decoding.lengthPenalty = 0.6f, w.decoding.strategy = DecodingStrategy::Sampling;
  w.look.dark = false, w.look.followsSystem = false, w.look.zoom = 1.5f;
  w.look.contrast = w.look.speaker = w.look.inspectorOpen = w.look.inputOpen = w.look.inspectorClosed =
      w.look.inputClosed = w.look.timelineClosed = w.look.allControls = true;
  w.look.reached = {{"attention", 4}};
  w.look.leftWidth = 300, w.look.rightWidth = 310, w.look.bottomHeight = 160;
  w.machine.memory = 3.5f;
  w.figure = {.format = "png",
              .size = "double-column",
              .scale = 3.5f,
              .look = FigureLook::Paper,
              .millimetres = 120,
              .points = 7.5f,
              .heads = false,
              .bars = false,
              .colorScale = false,
              .headsFirst = true,
              .caption = false,
              .captionAbove = true,
              .allNumbers = true,
              .each = "token",
              .moves = false,
              .seconds = 0.4f,
              .folder = "/my \xFF/figures",
              .editedCaption = "Who “it” is",
              .captionReplaced = "Attention: Block 1."};
  w.interventions.push_back(
      {"blocks.1.attn.hook_pattern", InterventionKind::Replace, {2, 5, 3, -1}, 0.5f, nullptr});
  w.paused = {{{"blocks.0.attn.hook_z", InterventionKind::Scale, {-1, 1, -1, -1}, 0.25f, nullptr}, 1}};
  w.pins = {{"blocks.1.attn.hook_pattern", {2, 5, 3, 0}},
            {"logits", {4, 17, 0, 0}, PinnedPass{"causal.logit", {2, 1, 0, 0}, 1}}};
  return w;
}

// The fields of what a session holds. Who adds one does not compile until it stands here, and in the
// workspace above with another value than at the first start.
auto fieldsIn(const Content& c) {
  const auto& [model, changes, text, source, aside, tab, branches, way, left, desks, interventions, paused,
               rule, elsewhere, decoding, schedules, setUp] = c;
  return std::tie(model, changes, text, source, aside, tab, branches, way, left, desks, interventions, paused,
                  rule, elsewhere, decoding, schedules, setUp);
}
auto fieldsIn(const Inquiry& i) {
  const auto& [comparison, step, selection] = i;
  return std::tie(comparison, step, selection);
}
auto fieldsIn(const Comparison& c) {
  const auto& [with, view] = c;
  return std::tie(with, view);
}
auto fieldsIn(const Selection& s) {
  const auto& [layer, head, query, key, dimension, site, source, sourceKey] = s;
  return std::tie(layer, head, query, key, dimension, site, source, sourceKey);
}
auto fieldsIn(const DecodeHistory& way) {
  const auto& [from, to, root, isRooted, stretches] = way;
  return std::tie(from, to, root, isRooted, stretches);
}
auto fieldsIn(const Decoding& d) {
  const auto& [strategy, width, depth, length, sibling, groups, group, stopsEarly, stages, seed, constraint] =
      d;
  return std::tie(strategy, width, depth, length, sibling, groups, group, stopsEarly, stages, seed,
                  constraint);
}
auto fieldsIn(const Constraint& c) {
  const auto& [pattern, behind, banned] = c;
  return std::tie(pattern, behind, banned);
}
auto fieldsIn(const TrainingPlan& p) {
  const auto& [task, file, characters, keepsModel, seed, steps, changes, schedule, numbers, from, two,
               otherChanges, otherSchedule, otherNumbers] = p;
  return std::tie(task, file, characters, keepsModel, seed, steps, changes, schedule, numbers, from, two,
                  otherChanges, otherSchedule, otherNumbers);
}
auto fieldsIn(const LessonProgress& l) {
  const auto& [lesson, step, guesses, hints, votes, room, before, done] = l;
  return std::tie(lesson, step, guesses, hints, votes, room, before, done);
}
auto fieldsIn(const Look& l) {
  const auto& [dark, followsSystem, contrast, speaker, zoom, left, right, bottom, inspector, input,
               inspectorClosed, inputClosed, timelineClosed, allControls, reached] = l;
  return std::tie(dark, followsSystem, contrast, speaker, zoom, left, right, bottom, inspector, input,
                  inspectorClosed, inputClosed, timelineClosed, allControls, reached);
}
auto fieldsIn(const Machine& m) {
  const auto& [memory] = m;
  return std::tie(memory);
}
auto fieldsIn(const FigureSettings& f) {
  const auto& [format, size, scale, look, millimetres, points, heads, bars, colorScale, headsFirst, caption,
               above, allNumbers, each, moves, seconds, folder, editedCaption, replaced] = f;
  return std::tie(format, size, scale, look, millimetres, points, heads, bars, colorScale, headsFirst,
                  caption, above, allNumbers, each, moves, seconds, folder, editedCaption, replaced);
}
auto fieldsIn(const ViewSettings& s) {
  const auto& [pictures, choices, attention, positions, residual, nextToken, influence, training, landscape,
               beam, tokens, pruned] = s;
  return std::tie(pictures, choices, attention, positions, residual, nextToken, influence, training,
                  landscape, beam, tokens, pruned);
}
auto fieldsIn(const AttentionSettings& s) {
  const auto& [stage, fold, heads, other, pair, more, order, normalized, scale, percent, window, painting,
               pairing] = s;
  return std::tie(stage, fold, heads, other, pair, more, order, normalized, scale, percent, window, painting,
                  pairing);
}
auto fieldsIn(const PositionsSettings& s) {
  const auto& [table, dotProduct, pairs, distance, base, taps] = s;
  return std::tie(table, dotProduct, pairs, distance, base, taps);
}
auto fieldsIn(const ResidualSettings& s) {
  const auto& [to, entry] = s;
  return std::tie(to, entry);
}
auto fieldsIn(const InfluenceSettings& s) {
  const auto& [byInput, logarithmic, entry] = s;
  return std::tie(byInput, logarithmic, entry);
}
auto fieldsIn(const TrainingSettings& s) {
  const auto& [at, weight] = s;
  return std::tie(at, weight);
}
auto fieldsIn(const LandscapeSettings& s) {
  const auto& [logarithmic, angle, side, radius, seed] = s;
  return std::tie(logarithmic, angle, side, radius, seed);
}
auto fieldsIn(const BeamTreeSettings& s) {
  const auto& [scores, percent, folded, view] = s;
  return std::tie(scores, percent, folded, view);
}
auto fieldsIn(const Document& d) {
  return std::tie(d.content(), d.inquiry(), d.view, d.settings, d.figure, d.plan, d.lesson, d.pins);
}

template <typename T>
void checkAllDiffer(const T& one, const T& other, const std::string& path) {
  INFO("field " << path);
  if constexpr (requires { fieldsIn(one); }) {
    const auto ones = fieldsIn(one), others = fieldsIn(other);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (checkAllDiffer(std::get<I>(ones), std::get<I>(others), path + "." + std::to_string(I)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(ones)>>());
  } else {
    CHECK_FALSE(one == other);
  }
}

}  // namespace

TEST_CASE("a session holds every field of what lies before the user") {
  const Workspace unusual = unusualWorkspace(), first = initialWorkspace();
  checkAllDiffer(unusual.document(), first.document(), "document");
  checkAllDiffer(unusual.look, first.look, "look");
  checkAllDiffer(unusual.machine, first.machine, "machine");
  const auto read = workspaceFromJson(toJson(unusual));
  REQUIRE(read);
  CHECK(*read == unusual);
}

TEST_CASE("a session read back is the session written") {
  const TemporaryFolder folder;
  const fs::path file = folder / "deeper" / "session.json";
  REQUIRE(saveSession(file, unusualWorkspace()));
  const RestoredSession restored = restoreSession(file);
  CHECK(restored.workspace == unusualWorkspace());
  CHECK(restored.message.empty());
}

TEST_CASE("tabs and comparisons that cannot be become ones that can") {
  const auto read = [](const std::string& fields) {
    const auto back = workspaceFromJson(R"({"glassformer session": 1, "text": "x", )" + fields + "}");
    REQUIRE(back);
    return *back;
  };
  CHECK(read(R"("tab": 7)").tab == 0);
  CHECK(read(R"("tab": 7, "aside": ["a", [255]])").tab == 2);
  CHECK(read(R"("aside": ["a", [255]])").aside[1] == "\xFF");
  CHECK(read(R"("comparison": {"with": 5})").comparison.with == Comparison::off);
  CHECK(read(R"("comparison": {"with": "elsewhere"})").comparison.with == Comparison::off);
  CHECK(read(R"("model": "a.npz", "elsewhere": "b.npz", "comparison": {"with": "elsewhere"})")
            .comparison.with == Comparison::off);
  CHECK(read(R"("aside": ["a"], "comparison": {"with": 0})").comparison.with == Comparison::off);
  CHECK(read(R"("aside": ["a"], "comparison": {"with": 1, "view": 9})").comparison.mode ==
        ComparisonMode::Difference);
}

TEST_CASE("a text that is not UTF-8 survives the session byte for byte") {
  Workspace w = initialWorkspace();
  w.text = std::string("a\xFF\xC3(\0z", 6);
  const auto back = workspaceFromJson(toJson(w));
  REQUIRE(back);
  CHECK(back->text == w.text);
}

TEST_CASE("a first start has the sentence and no message") {
  const TemporaryFolder folder;
  const RestoredSession restored = restoreSession(folder / "none.json");
  CHECK(restored.workspace == initialWorkspace());
  CHECK(restored.message.empty());
}

TEST_CASE("an unreadable session gives a message and is kept under another name") {
  const TemporaryFolder folder;
  const fs::path file = folder / "session.json";
  std::ofstream(file) << R"({"glassformer session": 1, "text": "my novel", "appea)";
  const RestoredSession restored = restoreSession(file);
  CHECK(restored.workspace == initialWorkspace());
  CHECK_THAT(restored.message,
             ContainsSubstring("could not be read") && ContainsSubstring("session.json.unreadable"));
  CHECK(fs::exists(file.string() + ".unreadable"));
}

TEST_CASE("a session nested too deep to be read is set aside, beside those that already were") {
  const TemporaryFolder folder;
  const fs::path file = folder / "session.json";
  for (const char* kept : {"session.json.unreadable", "session.json.unreadable-2"}) {
    std::ofstream(file) << R"({"glassformer session": 1, "aside": )" << std::string(80000, '[')
                        << std::string(80000, ']') << "}";
    const RestoredSession restored = restoreSession(file);
    CHECK(restored.workspace == initialWorkspace());
    CHECK_THAT(restored.message,
               ContainsSubstring("nested deeper than 64 levels") && ContainsSubstring(kept));
    CHECK(fs::file_size(folder / kept) > 160000);
    CHECK_FALSE(fs::exists(file));
  }
}

TEST_CASE("what is in place of the session file is not written over") {
  const TemporaryFolder folder;
  const fs::path file = folder / "session.json";
  fs::create_directory(file);
  CHECK_THAT(restoreSession(file).message, ContainsSubstring("session.json.unreadable"));
  CHECK(fs::is_directory(file.string() + ".unreadable"));
}

TEST_CASE("whatever is wrong in a session is said in our own words, with the field") {
  const std::pair<const char*, const char*> wrong[]{
      {R"("text": 7)", "text is 7"},
      {R"("aside": [[]], "desks": 1)", "desks is 1"},
      {R"("aside": [{"text": "a"}])", "aside is [{"},
      {R"("desks": [{"of": "a"}])", "desks is [{"},
      {R"("changes": {"norm": 1})", "changes is {"},
      {R"("interventions": [{}])", "interventions is [{}]"},
      {R"("paused": [{"place": 1}])", "paused is [{"},
      {R"("pins": [{"point": "logits"}])", "pins is [{"},
      {R"("selection": {"layer": 5e54})", "layer: 5e+54 is too large"},
      {R"("settings": {"attention": {"heads": [[1, -3e10]]}})", "heads: -30000000000.0 is too large"},
      {R"("lesson": {"votes": [[1, [2, 1e12]]]})", "votes: 1000000000000.0 is too large"},
      {R"("pins": [{"point": "logits", "index": [1e300, 0, 0, 0]}])", "pins: 1e+300 is too large"},
      {R"("settings": {"attention": {"heads": [[1]]}})", "heads is [[1]]"},
      {R"("plan": {"changes": [["norm"]]})", "changes is [["},
      {R"("model": ")"
       "\x01"
       R"(")",
       "not valid JSON"}};
  for (const auto& [fields, said] : wrong) {
    const auto read = workspaceFromJson(std::string(R"({"glassformer session": 1, )") + fields + "}");
    INFO(fields);
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error().message(), ContainsSubstring(said) && !ContainsSubstring("json.exception"));
  }
}

TEST_CASE("a field of the wrong kind is named") {
  const auto result = workspaceFromJson(R"({"glassformer session": 1, "tab": "seven"})");
  REQUIRE_FALSE(result);
  CHECK_THAT(result.error().message(), ContainsSubstring("tab") && ContainsSubstring("seven"));
}

TEST_CASE("a session names what was chosen, and can be read by eyes") {
  const std::string json = toJson(unusualWorkspace());
  for (const char* line :
       {R"("glassformer session": 2)", R"("step": "blocks.1.hook_resid_mid")", R"("strategy": "sampling")",
        R"("attention": "two heads")", R"("stage": "moved")", R"("fold": "maximum")", R"("order": "key")",
        R"("positions": "phasors")", R"("to": "logit")", R"("site": "cross")", R"("kind": "replace")"}) {
    INFO(line);
    CHECK_THAT(json, ContainsSubstring(line));
  }
  for (const auto& [with, name] : std::initializer_list<std::pair<Compared, const char*>>{
           {Comparison::otherRun, "\"other run\""},
           {Comparison::asLoaded, "\"as loaded\""},
           {Comparison::off, "\"off\""},
           {Comparison::withoutInterventions, "\"without interventions\""},
           {Comparison::recordedTrace, "\"elsewhere\""},
           {OtherText{1}, "1"}}) {
    Workspace w = initialWorkspace();
    w.aside = {"other"}, w.recordedTrace = "mine.npz", w.comparison.with = with;
    CHECK_THAT(toJson(w), ContainsSubstring("\"with\": " + std::string(name)));
    CHECK(workspaceFromJson(toJson(w))->comparison.with == with);
  }
}

TEST_CASE("a name that nobody knows is said, with those that are known") {
  const auto said = [](const std::string& fields) {
    const auto read = workspaceFromJson(R"({"glassformer session": 2, )" + fields + "}");
    REQUIRE_FALSE(read);
    return read.error().message();
  };
  CHECK_THAT(said(R"("decoding": {"strategy": "oracle"})"),
             ContainsSubstring(R"(strategy: "oracle" is none of: greedy, sampling, beam)"));
  CHECK_THAT(said(R"("decoding": {"stages": {"top-q": 1}})"),
             ContainsSubstring(R"(stages: no filter "top-q")"));
  CHECK_THAT(said(R"("decoding": {"stages": {"temperature": -1}})"),
             ContainsSubstring("stages: temperature cannot be -1"));
  CHECK_THAT(said(R"("decoding": {"constraint": {"match": "(red"}})"),
             ContainsSubstring("match: \"(red\" is not a regular expression"));
  CHECK_THAT(said(R"("comparison": {"with": "nobody"})"), ContainsSubstring("with: \"nobody\" is none of"));
  CHECK_THAT(said(R"("interventions": [{"point": "a", "kind": "zero", "index": [0, 0, 0, 0], "value": 0,
                      "extent": [2, 2], "values": [1]}])"),
             ContainsSubstring("extent [2,2] does not have 1 values"));
}

TEST_CASE("a session of a newer program is left as it is") {
  const auto read = workspaceFromJson(R"({"glassformer session": 3, "text": "x"})");
  REQUIRE_FALSE(read);
  CHECK_THAT(read.error().message(), ContainsSubstring("version 3") && ContainsSubstring("up to 2"));
}

TEST_CASE("the order of the stages of sampling is kept; one that does not exist is named") {
  Workspace workspace;
  workspace.decoding.stages = moved({{"typical", 0.5f}}, *findSamplingStage("typical"), 0);
  const auto back = workspaceFromJson(toJson(workspace));
  REQUIRE(back);
  CHECK(back->decoding == workspace.decoding);
  const auto wrong = workspaceFromJson(
      R"({"glassformer session": 2, "decoding": {"stages": {"order": ["top-k", "top-q"]}}})");
  REQUIRE_FALSE(wrong);
  CHECK_THAT(wrong.error().message(), ContainsSubstring("top-q"));
}

TEST_CASE("a session of the first version opens: choices and the step were numbers in it") {
  const auto back = workspaceFromJson(R"({"glassformer session": 1, "step": 5, "view": "step",
    "comparison": {"with": -3, "view": 1}, "decoding": {"strategy": 1, "temperature": 0.5, "topK": 7,
    "topP": 1}, "selection": {"site": 3},
    "figure": {"look": 2}, "interventions": [{"point": "hook_embed", "kind": 1, "index": [0, -1, -1, -1],
    "value": 2}], "settings": {"attention": {"layout": 2, "fold": 1, "heads": [[1, 0, 2]]}}})");
  REQUIRE(back);
  CHECK(back->comparison == Comparison{Comparison::asLoaded, ComparisonMode::Difference});
  CHECK(back->decoding.strategy == DecodingStrategy::Sampling);
  CHECK(back->decoding.stages == StageNumbers{{"temperature", 0.5f}, {"top-k", 7}});
  CHECK(back->selection.site == AttentionSite::Cross);
  CHECK(back->figure.look == FigureLook::Dark);
  CHECK(back->interventions.front().kind == InterventionKind::Scale);
  CHECK(back->settings.pictures.at("attention") == "arcs");
  CHECK(back->settings.attention.fold == HeadFold::Average);
  CHECK(back->settings.attention.heads == std::vector<HeadId>{{1, 0, AttentionSite::Encoder}});
  const auto steps = stepsOf(*makeModel(smallConfig()));
  CHECK(placeOf(back->step, steps) == 5);
}

TEST_CASE("an intervention keeps its tensor") {
  Workspace w = initialWorkspace();
  const auto tensor = std::make_shared<Tensor>(Tensor({2, 3}, {1, 2, 3, 4, 5, -0.125f}));
  w.interventions.push_back(
      {"hook_embed", InterventionKind::Add, {-1, -1, -1, -1}, 0, tensor, "token 3 ·\xFF"});
  const auto back = workspaceFromJson(toJson(w));
  REQUIRE(back);
  const auto& read = back->interventions.back();
  REQUIRE(read.tensor);
  CHECK(read.tensor->values() == tensor->values());
  CHECK(read.tensor->view().rank == 2);
  CHECK(read.origin == "token 3 ·\xFF");
  CHECK(read.tensor->view().extent[1] == 3);
  CHECK(back->interventions == w.interventions);
  w.interventions.back().tensor = std::make_shared<const Tensor>(std::initializer_list<int>{1, 2});
  CHECK_FALSE(back->interventions == w.interventions);
}

TEST_CASE("a hypothesis that stands in a pattern's place comes back as it was written") {
  Workspace w = initialWorkspace();
  commands::lookBy({2, 1, AttentionSite::Self}, "latest text[key] in {\"Hund\", ‘ä’}").apply(w);
  const auto back = workspaceFromJson(toJson(w));
  REQUIRE(back);
  CHECK(back->interventions == w.interventions);
  CHECK(summaryOf(back->interventions.front()) == "L2H1 attends by latest text[key] in {\"Hund\", ‘ä’}");
}

TEST_CASE("a session of a time when attention had one setting still opens") {
  const auto back = workspaceFromJson(R"({"glassformer session": 1, "settings": {"attention": 1}})");
  REQUIRE(back);
  CHECK(back->settings.attention.stage == AttentionStage::Masked);
  CHECK(back->settings.pictures.empty());
}

TEST_CASE("a session of a time when each experiment had a metric of its own still opens") {
  const auto metricOf = [](const std::string& choices) {
    const auto read =
        workspaceFromJson(R"({"glassformer session": 2, "settings": {"choices": )" + choices + "}}");
    REQUIRE(read);
    CHECK(read->settings.chosen("influence.edge_telling").empty());
    return std::string(read->settings.chosen(metricSetting));
  };
  CHECK(metricOf(R"({"influence.edge_telling": "divergence"})") == "kl");
  CHECK(metricOf(R"({"influence.edge_telling": "logit"})") == "logit");
  CHECK(metricOf(R"({"influence.left_out": "divergence"})") == "kl");
  CHECK(metricOf(R"({"influence.left_out": "estimate"})").empty());
}

TEST_CASE("settings of views that an old session does not have, or that are beyond all choices") {
  const auto read = [](const std::string& settings) {
    const auto back = workspaceFromJson(R"({"glassformer session": 1, "settings": )" + settings + "}");
    REQUIRE(back);
    return back->settings;
  };
  CHECK(read(R"({"positions": 1})").pictures.at("positions") == "similarity");
  CHECK(read(R"({"positions": 0})").positions == PositionsSettings{});
  CHECK(read(R"({"prunedShown": 3})").residual == ResidualSettings{});
  const ViewSettings beyond = read(R"({"residual": {"layout": 99, "entry": -7}, "nextToken": {"layout": 1},
    "influence": {"layout": 99, "entry": -7}, "training": {"layout": "parts"},
    "landscape": {"layout": 9, "view": [400, -3], "side": 24, "radius": 1e9, "seed": 3}})");
  CHECK(beyond.pictures == decltype(beyond.pictures){{"residual", "scales"},
                                                     {"next_token", "text"},
                                                     {"influence", "distance"},
                                                     {"training", "parts"},
                                                     {"landscape", "map"}});
  CHECK(beyond.residual == ResidualSettings{ContributionTo::CentredLogit, -1});
  CHECK(beyond.influence == InfluenceSettings{});
  CHECK(beyond.landscape == LandscapeSettings{false, {40, SurfaceAngle::leastPitch}, 25, 10, 3});
  const PositionsSettings positions =
      read(R"({"positions": {"pairs": [9, 2, 9], "distance": -4}})").positions;
  CHECK(positions.pairs == std::vector{2, 9});
  CHECK(positions.distance == 1);
  CHECK_FALSE(workspaceFromJson(R"({"glassformer session": 1, "settings": {"residual": {"to": "x"}}})"));
}

TEST_CASE("a place that cannot be written is a message, not a crash") {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "in the way";
  const Status status = saveSession(folder / "file" / "session.json", initialWorkspace());
  REQUIRE_FALSE(status);
  CHECK_THAT(status.error().message(), ContainsSubstring("the session cannot be written"));
  CHECK_FALSE(saveSession({}, initialWorkspace()));
}

TEST_CASE("answers of a class that cannot be any are left out of a session") {
  Workspace workspace = initialWorkspace();
  REQUIRE(readFields(workspace, R"({"lesson": {"room": [[1, [[], [2], [1e300], [0.5, -4]]]]}})"));
  CHECK(workspace.lesson.room.at(1) == std::vector<std::vector<float>>{{2}, {0.5f, -4}});
}

TEST_CASE("each of several windows keeps a session of its own, and what one let go is taken up again") {
  const TemporaryFolder folder;
  const fs::path first = folder / "state" / "session.json";
  CHECK(ownSession("").file.empty());
  std::optional<OwnSession> one = ownSession(first);
  CHECK(one->file == first);
  const OwnSession two = ownSession(first), three = ownSession(first);
  CHECK(two.file == folder / "state" / "session-2.json");
  CHECK(three.number == 3);
  one.reset();
  CHECK(ownSession(first).file == first);
}
