#include "app/views/views.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "app/document/comparison_commands.h"
#include "app/engine/engine.h"
#include "app/engine/model_library.h"
#include "app/explain/explain.h"
#include "app/views/stage.h"
#include "core/io/files.h"
#include "tests/app/views/held_to_numbers.h"
#include "tests/app/views/view_cases.h"

using namespace glassformer;

TEST_CASE("every pixel of a difference is a tensor value, and no text overlaps another") {
  forEachDifference([](const ViewCase& view) {
    checkNumbers(view);
    checkTexts(view);
  });
}

TEST_CASE("every pixel is a tensor value, and no text overlaps another or leaves the picture") {
  std::set<std::string> seen;
  forEachView([&](const ViewCase& view) {
    checkNumbers(view);
    checkTexts(view);
    seen.insert(view.name.substr(0, view.name.find(' ')));
  });
  CHECK(seen.size() == views().size() - 1);  // nothing is trained here
}

TEST_CASE("pictures of one group share a tab, and the chosen one's group lists its members") {
  Workspace workspace = initialWorkspace();
  workspace.view = "positions", workspace.settings.pictures["positions"] = "curves";
  const auto snapshot = withSmallModel()(workspace);
  const Theme theme = darkTheme();
  const PlainMetrics metrics;
  const auto tabs = viewOf("positions").tabs({workspace, *snapshot, {1280, 720}, theme, metrics, {}});
  const auto labels = [](const std::vector<Choice>& choices) {
    std::vector<std::string> all;
    for (const Choice& choice : choices) all.push_back(choice.label);
    return all;
  };
  CHECK(labels(tabs) == std::vector<std::string>{"Encodings", "Shifts", "Similarities", "Position scores",
                                                 "Shuffle", "Extrapolation"});
  CHECK(tabs[0].on);
  CHECK(labels(tabs[0].members) == std::vector<std::string>{"Encoding", "Curves", "Phasors"});
  CHECK(tabs[0].members[1].on);
  CHECK(tabs[1].members.empty());  // listed once it is chosen
  tabs[1].command.apply(workspace);
  CHECK(workspace.settings.pictures["positions"] == "shift");
}

namespace {
// A picture that says why there is nothing to draw has no numbers.
bool saysWhyNot(const Scene& scene) {
  return std::none_of(scene.shapes.begin(), scene.shapes.end(), [](const Shape& shape) {
    const auto* text = std::get_if<Text>(&shape);
    return std::holds_alternative<Matrix>(shape) || std::holds_alternative<Bar>(shape) ||
           std::holds_alternative<Curve>(shape) || std::holds_alternative<Ribbon>(shape) ||
           std::holds_alternative<Dot>(shape) || std::holds_alternative<SpaceDot>(shape) ||
           (text && !text->value.empty());
  });
}
}  // namespace

TEST_CASE("every pixel is a tensor value on every stack, and no text overlaps another") {
  std::set<std::string> drawn;
  forEachMemberView([&](const ViewCase& view) {
    checkTexts(view);
    if (saysWhyNot(view.scene)) {
      INFO(view.name);
      CHECK(std::any_of(view.scene.shapes.begin(), view.scene.shapes.end(), [](const Shape& shape) {
        const auto* text = std::get_if<Text>(&shape);
        return text && text->text.size() > 20;
      }));
      return;
    }
    checkNumbers(view);
    drawn.insert(view.name.substr(0, view.name.find(',')));
  });
  // What has no numbers: beam trees of models that fill gaps, positions of models that add none, attention
  // of those that have none. (The contributions of post-norm are one layout of many.)
  CHECK(drawn.size() == familyMembers().size() * (views().size() - 1) - 5 - 5);  // nothing is trained here
}

TEST_CASE(
    "every pixel of pictures that are looked at apart is a tensor value, and no text overlaps another") {
  std::set<std::string> drawn;
  forEachLonePicture([&](const ViewCase& view) {
    checkTexts(view);
    if (saysWhyNot(view.scene)) return;
    checkNumbers(view);
    drawn.insert(view.name.substr(0, view.name.find(" tokens")));
  });
  CHECK(drawn.size() > 40);
}

namespace {

// Why a picture of a trace from elsewhere is not there, in as many lines as that takes.
std::string sentenceOf(const Scene& scene) {
  std::string sentence;
  for (const Shape& shape : scene.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (!text || (sentence.empty() && !text->text.starts_with("This needs "))) continue;
    sentence += (sentence.empty() ? "" : " ") + text->text;
    if (sentence.ends_with('.')) break;
  }
  return sentence;
}

// Every picture of every view, or of those among some, with all that can be chosen in it: those with numbers,
// by name.
std::set<std::string> picturesOf(const Workspace& first, Target::Source source,
                                 std::set<std::string>& sentences, const std::set<std::string>& among = {}) {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  Engine engine([&](const std::string& name,
                    const ProgressCallback& watch) { return library.loadOrTrace(name, watch); },
                [] {}, neededFor);
  std::uint64_t revision = 0;
  std::set<std::string> drawn;
  const auto look = [&](const Workspace& workspace, const std::string& name) {
    const std::string picture =
        workspace.view + "/" + std::string(viewOf(workspace.view).picture(workspace.settings).id);
    if (!among.empty() && !among.contains(picture)) return;
    if (source == Target::Source::Difference && !asksForDifference(workspace)) return;
    engine.request(workspace, ++revision);
    engine.finish();
    const auto all = engine.latest();
    REQUIRE(all->standing.error == "");
    const ComparedSide side(*all, source);
    const Snapshot* const snapshot = &side.snapshot();
    REQUIRE((source == Target::Source::This || snapshot != all.get()));
    eachPicture(viewOf(workspace.view), name, side.seen(workspace), *snapshot, [&](const ViewCase& view) {
      checkTexts(view);
      for (const HitRegion& hit : view.scene.hits)
        if (!hit.target.cell.empty()) explain(*snapshot, targetAt(hit, hit.box.center()));
      const std::string why = sentenceOf(view.scene);
      INFO(snapshot->model->name << ": " << view.name);
      CHECK((why.empty() || saysWhyNot(view.scene)));
      if (!why.empty()) sentences.insert(why);
      if (saysWhyNot(view.scene)) return;
      checkNumbers(view);
      drawn.insert(picture);
    });
  };
  Workspace start = first;
  for (const View& view : views()) {
    start.view = view.id;
    for (const Picture& picture : view.pictures) {
      Workspace workspace = start;
      workspace.settings.pictures[view.id] = picture.id;
      look(workspace, std::string(picture.id));
    }
    for (const ViewSetting& setting : settingsOf(view)) {
      Workspace workspace = start;
      setting.apply(workspace);
      look(workspace, setting.name);
    }
  }
  for (const ViewSetting& setting : lonePictures()) {
    Workspace workspace = start;
    setting.apply(workspace);
    workspace.changes.clear();
    look(workspace, setting.name);
  }
  return drawn;
}

std::set<std::string> picturesOfTrace(const std::string& file, std::set<std::string>& sentences) {
  Workspace start = initialWorkspace();
  start.model = file, start.text.clear();
  return picturesOf(start, Target::Source::This, sentences);
}

}  // namespace

TEST_CASE("beside a model a trace from elsewhere has the pictures that it has alone, and a difference") {
  const std::string folder = SOURCE_FOLDER "/tests/reference/formats/";
  std::set<std::string> sentences;
  const auto alone = picturesOfTrace(folder + "llama.npz", sentences);
  Workspace start = initialWorkspace();
  start.model = folder + "llama", start.text = "the mat.";  // some are other tokens than those of the trace
  commands::compareWithTrace(folder + "llama.npz").apply(start);
  std::set<std::string> among = alone;
  among.insert("residual/contributions");  // which takes the weights
  CHECK(picturesOf(start, Target::Source::Other, sentences, among) == alone);
  start.comparison.mode = ComparisonMode::Difference;
  const auto differences = picturesOf(start, Target::Source::Difference, sentences, among);
  CHECK(std::ranges::includes(alone, differences));
  for (const char* picture : {"attention/matrix", "attention/arcs", "residual/norms",
                              "next_token/distribution", "step/equation", "tokens/merges"})
    CHECK(differences.contains(picture));
  CHECK(sentences.contains("This needs the model's weights; recorded activations have none."));
}

TEST_CASE(
    "a trace from elsewhere has its numbers in every picture, or a sentence that says what is missing") {
  const std::string folder = SOURCE_FOLDER "/tests/reference/";
  std::set<std::string> sentences;
  const std::string weights = "This needs the model's weights; recorded activations have none.";
  CHECK(picturesOfTrace(folder + "recorded/whole.npz", sentences) ==
        std::set<std::string>{"attention/arcs", "attention/matrix", "attention/sentence", "attention/softmax",
                              "attention/two heads", "next_token/distribution", "next_token/sampling",
                              "next_token/shifted", "next_token/text", "residual/cosine", "residual/geometry",
                              "residual/neurons", "residual/norms", "residual/scales", "step/equation",
                              "step/lookup", "step/result", "step/walk", "tokens/merges"});
  CHECK(sentences == std::set<std::string>{weights});
  sentences.clear();
  CHECK(picturesOfTrace(folder + "recorded/part.safetensors", sentences) ==
        std::set<std::string>{"attention/arcs", "attention/matrix", "attention/sentence",
                              "attention/two heads", "next_token/distribution", "next_token/sampling",
                              "next_token/shifted", "next_token/text", "step/equation", "step/result",
                              "step/walk", "tokens/merges"});
  CHECK(sentences.contains("This needs blocks.0.hook_resid_pre; the file has none."));
  CHECK(sentences.contains("This needs blocks.0.attn.hook_attn_scores; the file has none."));
  // Of the families: fewer keys than queries, an encoder, an encoder beside a decoder.
  const TemporaryFolder copies;
  for (const std::string name : {"llama", "bert", "t5", "gemma2"}) {
    const std::filesystem::path copy = copies / (name + ".safetensors");
    std::filesystem::copy_file(folder + "formats/" + name + ".trace", copy);
    const auto drawn = picturesOfTrace(copy.string(), sentences);
    CHECK(drawn.contains("attention/matrix"));
    CHECK(drawn.contains("residual/geometry"));
  }
}

TEST_CASE("every pixel is a tensor value while a model is trained, and no text overlaps another") {
  int pictures = 0;
  forEachTrainingView([&](const ViewCase& view) {
    checkTexts(view);
    if (view.name.find("answers") == std::string::npos) checkNumbers(view);
    ++pictures;
  });
  CHECK(pictures == 2 * 6 * static_cast<int>(pictureLooks().size()));
}

TEST_CASE("a difference is drawn of every picture that says so, and of no other") {
  Workspace start = initialWorkspace();
  start.text = "The animal was too tired.", start.aside = {"The street was too wide."};
  start.comparison = {OtherText{1}, ComparisonMode::Difference};
  Answering answering = withSmallModel();
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  int differences = 0;
  for (const View& view : views())
    for (const Picture& picture : view.pictures) {
      Workspace workspace = start;
      commands::choosePicture(view.id, std::string(picture.id)).apply(workspace);
      INFO(view.id << "/" << picture.id);
      const auto snapshot = answering(workspace);
      REQUIRE(snapshot->difference);
      const auto panes = stagePanes(workspace, *snapshot, {0, 0, 1296, 872});
      CHECK(panes.size() == (picture.subtracts ? 1 : 2));
      CHECK((panes.front().source == Target::Source::Difference) == picture.subtracts);
      if (!picture.subtracts || picture.isOf || picture.id == "state") continue;  // of few models
      const SceneInput input{workspace, *snapshot, {}, theme, metrics, {}, Room::Compared};
      const Scene scene = stageScene(view, panes.front(), input);
      CHECK_FALSE(scene.hits.empty());  // words in the middle have none
      ++differences;
    }
  CHECK(differences > 20);
}

TEST_CASE("every view says why it is empty") {
  Workspace workspace = initialWorkspace();
  workspace.text.clear();
  const PlainMetrics metrics;
  const Theme theme = lightTheme();
  const auto snapshot = snapshotOf(workspace);
  const Snapshot none;
  for (const View& view : views())
    for (const Snapshot* shown : {snapshot.get(), &none}) {
      INFO(view.id);
      CHECK_FALSE(view.scene({workspace, *shown, {656, 512}, theme, metrics, {}}).shapes.empty());
    }
}

TEST_CASE("ids of views and pictures are unique and an unknown one gives the first") {
  std::set<std::string> ids;
  for (const View& view : views()) {
    ids.insert(view.id);
    std::set<std::string_view> pictures;
    for (const Picture& picture : view.pictures) pictures.insert(picture.id);
    CHECK(pictures.size() == view.pictures.size());
    CHECK((pictures.size() == 1) == pictures.contains(""));
    ViewSettings settings;
    CHECK(&view.picture(settings) == &view.pictures.front());
    settings.pictures[view.id] = "no such picture";
    CHECK(&view.picture(settings) == &view.pictures.front());
    settings.pictures[view.id] = view.pictures.back().id;
    CHECK(&view.picture(settings) == &view.pictures.back());
  }
  CHECK(ids.size() == views().size());
  CHECK(&viewOf("no such view") == &views()[0]);
  CHECK(std::string(viewOf("residual").id) == "residual");
}

TEST_CASE("pictures name what they need, and the engine names no view") {
  std::map<std::string, const Need*> named;
  for (const View& view : views())
    for (const Picture& picture : view.pictures)
      for (const Need* need : picture.needs) CHECK(named.try_emplace(need->name, need).first->second == need);
  CHECK(named.size() >= 20);
  for (const auto& entry : std::filesystem::directory_iterator(SOURCE_FOLDER "/app/engine")) {
    INFO(entry.path());
    const auto text = readTextFile(entry.path());
    REQUIRE(text);
    CHECK(text->find("workspace.view") == std::string::npos);
    CHECK(text->find("settings.pictures") == std::string::npos);
  }
}
