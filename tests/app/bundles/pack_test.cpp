#include "app/bundles/pack.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/archives/archive.h"
#include "app/document/model_commands.h"
#include "app/document/workspace_json.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_walk.h"
#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "tests/app/engine/short_run.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const fs::path shippedModels = fs::path(SOURCE_FOLDER) / "assets/models";

// A place of its own for who packs, and for who unpacks.
struct Places {
  TemporaryFolder folder;
  PackFolders here{{"stories", "sort"}, folder / "here/runs", folder / "here/packs"},
      there{{"stories", "sort"}, folder / "there/runs", folder / "there/packs"};
  fs::path pack = folder / "a.glassformer";

  std::string copyOf(const char* model, const char* as) const {
    fs::create_directories((folder / as).parent_path());
    fs::copy(shippedModels / model, folder / as, fs::copy_options::recursive);
    return (folder / as).string();
  }
};

void put(const fs::path& file, const std::string& content) { REQUIRE(writeFile(file, content)); }

Workspace sessionOf(const std::string& model) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  workspace.text = "cab";
  workspace.view = "tokens";
  return workspace;
}

std::vector<std::string> namesIn(const fs::path& pack) {
  std::vector<std::string> names;
  const auto archive = Archive::open(pack);
  REQUIRE(archive);
  for (const ArchivedFile& file : archive->files()) names.push_back(file.name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

TEST_CASE("a packed session brings the trace that its model is compared with; a lesson's is refused") {
  const Places places;
  Workspace session = sessionOf("sort");
  put(places.folder / "mine.npz", "numbers");
  session.recordedTrace = (places.folder / "mine.npz").string();
  REQUIRE(packSession(session, places.here, places.pack));
  CHECK(has(namesIn(places.pack), "traces/1-mine.npz"));
  fs::remove(session.recordedTrace);
  const auto unpacked = unpack(places.pack, places.there);
  REQUIRE(unpacked);
  CHECK(*readTextFile(unpacked->session->recordedTrace) == "numbers");
  const Status lost = packSession(session, places.here, places.folder / "b.glassformer");
  REQUIRE_FALSE(lost);
  CHECK_THAT(lost.error().message(), ContainsSubstring("cannot bundle: no such recorded activations"));
  put(places.folder / "own.md",
      "---\ntitle: Own\nminutes: 1\nmodel: sort\n---\nA step.\n\n```glassformer\n"
      "text: cab\ncompare: {trace: ./mine.npz}\n```\n");
  const auto lesson = readLessonFile(places.folder / "own.md");
  REQUIRE(lesson);
  const Status packed = packLesson(*lesson, places.here, places.folder / "c.glassformer");
  REQUIRE_FALSE(packed);
  CHECK_THAT(packed.error().message(),
             ContainsSubstring("mine.npz: recorded activations from a remote folder cannot be bundled"));
}

TEST_CASE("a packed session opens elsewhere with its model, and is the same but for where that lies") {
  const Places places;
  Workspace session = sessionOf(places.copyOf("sort", "mine/sort"));
  put(fs::path(session.model) / "notes.pdf", "not of the model");
  REQUIRE(packSession(session, places.here, places.pack));
  CHECK(isPack(places.pack));
  CHECK_FALSE(has(namesIn(places.pack), "models/sort/notes.pdf"));
  fs::remove_all(session.model);

  const auto unpacked = unpack(places.pack, places.there);
  REQUIRE(unpacked);
  REQUIRE(unpacked->session);
  CHECK(unpacked->session->model.starts_with(places.there.unpacked.string()));
  CHECK(readModelDirectory(unpacked->session->model));
  session.model = unpacked->session->model;
  CHECK(*unpacked->session == session);
  // Opened again it is there already.
  const auto again = unpack(places.pack, places.there, [](int, int) { return false; });
  REQUIRE(again);
  CHECK(*again->session == session);
}

TEST_CASE("an adapter is packed with its base") {
  const Places places;
  const fs::path formats = fs::path(SOURCE_FOLDER) / "tests/reference/formats";
  for (const char* name : {"llama", "llama_lora"})
    fs::copy(formats / name, places.folder / name, fs::copy_options::recursive);
  REQUIRE(packSession(sessionOf((places.folder / "llama_lora").string()), places.here, places.pack));
  const auto unpacked = unpack(places.pack, places.there);
  REQUIRE(unpacked);
  CHECK(unpacked->session->model.starts_with(places.there.unpacked.string()));
  CHECK(readModelDirectory(unpacked->session->model));
}

TEST_CASE("a model that ships is not packed, and one that is not there is named") {
  const Places places;
  REQUIRE(packSession(sessionOf("sort"), places.here, places.pack));
  CHECK(namesIn(places.pack) == std::vector<std::string>{"glassformer.json", "session.json"});
  CHECK(unpack(places.pack, places.there)->session->model == "sort");
  const Status missing = packSession(sessionOf("/nowhere/mine"), places.here, places.pack);
  REQUIRE_FALSE(missing);
  CHECK_THAT(missing.error().message(), ContainsSubstring("/nowhere/mine"));
  CHECK_FALSE(packSession(sessionOf("run:copy-7"), places.here, places.pack));
}

TEST_CASE("a run is packed with all that is kept of it, and becomes a run under a free name, once") {
  const Places places;
  std::string run;
  std::shared_ptr<const RunReport> before;
  {
    Training training(shortRunsIn(places.here.runs));
    run = training.begin(shortPlan());
    training.finish();
    before = *training.reportOf(run);
  }
  REQUIRE(packSession(sessionOf(run), places.here, places.pack));
  {
    Training others(shortRunsIn(places.there.runs));
    CHECK(others.begin(shortPlan(2)) == run);  // the name is taken
    others.finish();
  }
  const auto unpacked = unpack(places.pack, places.there);
  REQUIRE(unpacked);
  const std::string own = unpacked->session->model;
  CHECK(own != run);
  CHECK(unpack(places.pack, places.there)->session->model == own);
  Training training(shortRunsIn(places.there.runs));
  CHECK(training.kept().size() == 2);
  const auto report = openedRun(training, own);
  REQUIRE(report);
  CHECK((*report)->step == before->step);
}

TEST_CASE("a lesson is packed with the models it names, which it calls by where they lie beside it") {
  const Places places;
  const std::string first = places.copyOf("sort", "a/mine"), second = places.copyOf("worked", "b/mine");
  const fs::path file = places.folder / "own.md";
  put(file, "---\ntitle: Own\nmodel: ./a/mine\n---\nOne.\n---\nTwo.\n\n```glassformer\nmodel: \"" + second +
                "\"\n```\n---\nThree.\n\n```glassformer\nmodel: stories\n```\n");
  REQUIRE(packFile(file.string(), "", places.here, places.pack));
  fs::remove_all(first), fs::remove_all(second), fs::remove(file);

  const auto unpacked = unpack(places.pack, places.there);
  REQUIRE(unpacked);
  CHECK_FALSE(unpacked->session);
  const auto lesson = readLessonFile(unpacked->lesson);
  REQUIRE(lesson);
  CHECK(lesson->title == "Own");
  for (const auto& [step, model] : {std::pair{0, "sort"}, {1, "worked"}}) {
    const auto shown = workspaceAt(*lesson, step, initialWorkspace());
    REQUIRE(shown);
    const auto opened = readModelDirectory(shown->model);
    REQUIRE(opened);
    CHECK(opened->config == readModelDirectory(shippedModels / model)->config);
  }
  CHECK(workspaceAt(*lesson, 2, initialWorkspace())->model == "stories");

  put(file, "---\ntitle: Own\n---\nOne.\n\n```glassformer\nset: {}\nmodel:\n  /nowhere\n```\n");
  const Status missing = packFile(file.string(), "", places.here, places.pack);
  REQUIRE_FALSE(missing);
  CHECK_THAT(missing.error().message(), ContainsSubstring("own.md") && ContainsSubstring("/nowhere"));
}

TEST_CASE("a lesson about a run brings the run, and calls it by the name it gets") {
  const Places places;
  for (const auto& runs : {places.here.runs, places.there.runs}) {  // there the name is taken
    Training training(shortRunsIn(runs));
    training.begin(shortPlan());
    training.finish();
  }
  const fs::path file = places.folder / "own.md";
  put(file, "---\ntitle: Own\nmodel: run:copy-1\n---\nOne.\n\n```glassformer\nafter: 4\n```\n");
  REQUIRE(packFile(file.string(), "", places.here, places.pack));
  for (int times = 0; times < 2; ++times) {
    const auto unpacked = unpack(places.pack, places.there);
    REQUIRE(unpacked);
    const auto shown = workspaceAt(*readLessonFile(unpacked->lesson), 0, initialWorkspace());
    REQUIRE(shown);
    CHECK(shown->model == "run:copy-2");
    CHECK(shown->settings.training.at == 4);
  }
}

TEST_CASE("a session with a lesson open takes that along, and what lay there before it") {
  const Places places;
  const std::string mine = places.copyOf("sort", "mine"), other = places.copyOf("worked", "other");
  const fs::path file = places.folder / "own.md";
  put(file, "---\ntitle: Own\nmodel: ./mine\n---\nOne.\n");
  auto lesson = std::make_shared<Lesson>(*readLessonFile(file));
  lesson->id = file.string();
  Workspace session = sessionOf(other);
  commands::goToLessonStep(lesson, 0).apply(session);
  CHECK(session.model == mine);
  REQUIRE(packSession(session, places.here, places.pack));
  auto unpacked = unpack(places.pack, places.there);
  REQUIRE(unpacked);
  Workspace there = *unpacked->session;
  CHECK(readLessonFile(there.lesson.lesson));
  CHECK(readModelDirectory(there.model));
  commands::closeLesson().apply(there);
  CHECK(there.model != mine);
  CHECK(readModelDirectory(there.model)->config == readModelDirectory(other)->config);
}

TEST_CASE("what is no pack of ours, is damaged or comes from a newer program is refused, and says so") {
  const Places places;
  const auto refusal = [&](const std::string& contents, std::vector<FileToArchive> more = {}) {
    more.insert(more.begin(), {"glassformer.json", {}, contents});
    REQUIRE(writeArchive(places.pack, more));
    const auto unpacked = unpack(places.pack, places.there);
    return unpacked ? "" : unpacked.error().message();
  };
  const std::string begin = R"({"kind": "glassformer pack", "version": 1, "runs": [], "opens": )";
  CHECK_THAT(refusal("{"), ContainsSubstring("glassformer.json"));
  CHECK_THAT(refusal("[]"), ContainsSubstring("damaged"));
  CHECK_THAT(refusal(begin + "\"../up\"}"), ContainsSubstring("damaged"));
  CHECK_THAT(refusal(begin + "3}"), ContainsSubstring("damaged"));
  CHECK_THAT(refusal(R"({"kind": "glassformer pack", "version": 2, "runs": [], "opens": "session.json"})"),
             ContainsSubstring("newer program"));
  CHECK_THAT(refusal(begin + "\"session.json\"}"), ContainsSubstring("session.json"));
  CHECK_THAT(refusal(begin + "\"session.json\"}", {{"session.json", {}, "{}"}}),
             ContainsSubstring("session.json") && ContainsSubstring("not a Glassformer session"));
  CHECK_FALSE(isPack(shippedModels / "sort" / "config.json"));
  CHECK_FALSE(isPack(places.folder.path()));
  REQUIRE(writeArchive(places.pack, {{"a.txt", {}, "another zip"}}));
  CHECK_FALSE(isPack(places.pack));
}

TEST_CASE("a session that shows a trace from elsewhere is not packed, and says so") {
  const Places places;
  const std::string trace = std::string(SOURCE_FOLDER) + "/tests/reference/recorded/whole.npz";
  const Status packed = packSession(sessionOf(trace), places.here, places.pack);
  REQUIRE_FALSE(packed);
  CHECK_THAT(packed.error().message(),
             ContainsSubstring("whole.npz") && ContainsSubstring("recorded activations"));
  CHECK_FALSE(fs::exists(places.pack));
}

TEST_CASE("unpacking that is cancelled leaves nothing behind") {
  const Places places;
  REQUIRE(packSession(sessionOf(places.copyOf("sort", "mine")), places.here, places.pack));
  CHECK_FALSE(unpack(places.pack, places.there, [](int, int) { return false; }));
  CHECK(fs::is_empty(places.there.unpacked));
}
