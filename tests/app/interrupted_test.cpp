// Whatever is written when the program is killed, or the disk is full: under its name lies the old content
// whole or the new one whole, and what was kept opens. KILLS=1000 in the environment kills it more often;
// tests/killed does that.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <cstdlib>

#include "app/bundles/pack.h"
#include "app/document/model_commands.h"
#include "app/document/session.h"
#include "app/figure/figure_formats.h"
#include "core/io/checkpoint.h"
#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "core/random.h"
#include "tests/app/engine/short_run.h"
#include "tests/app/figure/figure_cases.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

// What is done over and over until it is killed, and what must be so then.
struct InterruptedWork {
  const char* name;
  std::function<Status(int time)> act;
  std::function<void()> hold;
};

// In a process of its own, killed after so many microseconds.
void killAfter(unsigned microseconds, const InterruptedWork& work) {
  const pid_t child = ::fork();
  if (child == 0)
    for (int time = 0;; ++time) static_cast<void>(work.act(time));
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));  // it had not ended by itself
}

// Of a file that is written with two contents by turns.
bool isEither(const fs::path& file, const std::array<std::string, 2>& contents) {
  if (!isThere(file)) return true;  // never written yet
  const auto text = readTextFile(file);
  return text && (*text == contents[0] || *text == contents[1]);
}

Workspace keptWorkspace(int time) {
  Workspace workspace = initialWorkspace();
  workspace.text = std::string(static_cast<std::size_t>(20'000 + time % 2 * 10'000), time % 2 ? 'a' : 'b');
  return workspace;
}

InterruptedWork savingSession(const fs::path& folder) {
  const fs::path file = folder / "session.json";
  return {"session", [=](int time) { return saveSession(file, keptWorkspace(time)); },
          [=] {
            CHECK(isEither(file, {toJson(keptWorkspace(0)), toJson(keptWorkspace(1))}));
          }};
}

InterruptedWork exportingFigures(const fs::path& folder) {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  auto fonts = std::make_shared<FigureFonts>();
  std::array<std::shared_ptr<Figure>, 2> figures;
  for (const bool dark : {false, true}) {
    workspace.figure.look = dark ? FigureLook::Dark : FigureLook::Light;
    figures[dark] = std::make_shared<Figure>(makeFigure(workspace, *snapshot, pixelSize({400, 300}), *fonts));
  }
  const auto write = [=](const fs::path& file, int time) {
    const FigureFormat& format = *findFigureFormat(file.extension().string().substr(1));
    return writeFigure(*figures[static_cast<std::size_t>(time % 2)], format, file, 1, false, *fonts);
  };
  auto expected = std::make_shared<std::map<std::string, std::array<std::string, 2>>>();
  for (const char* name : {"f.svg", "f.png", "f.csv", "f.npy"})
    for (const int time : {0, 1}) {
      REQUIRE(write(folder / name, time));
      (*expected)[name][static_cast<std::size_t>(time)] = *readTextFile(folder / name);
    }
  return {"figures",
          [=](int time) {
            for (const auto& [name, contents] : *expected)
              if (const auto written = write(folder / name, time); !written) return Status(written.error());
            return success();
          },
          [=] {
            for (const auto& [name, contents] : *expected) CHECK(isEither(folder / name, contents));
          }};
}

InterruptedWork packing(const fs::path& folder) {
  const fs::path pack = folder / "a.glassformer";
  const PackFolders places{{"stories"}, folder / "runs", folder / "packs"};
  return {"pack", [=](int time) { return packSession(keptWorkspace(time), places, pack); },
          [=] {
            if (!isThere(pack)) return;
            const auto unpacked = unpack(pack, places);
            REQUIRE(unpacked);
            const std::string& text = unpacked->session->text;
            CHECK((text == keptWorkspace(0).text || text == keptWorkspace(1).text));
          }};
}

// Again and again, each time where nothing was unpacked before.
InterruptedWork unpacking(const fs::path& folder) {
  const fs::path pack = folder / "a.glassformer", there = folder / "packs";
  const auto placesOf = [=](const std::string& time) {
    return PackFolders{{"stories"}, folder / "runs", there / time};
  };
  REQUIRE(packSession(keptWorkspace(0), placesOf("none"), pack));
  return {"unpacking",
          [=](int time) {
            const auto unpacked = unpack(pack, placesOf(std::to_string(time)));
            return unpacked ? success() : Status(unpacked.error());
          },
          [=] {
            std::error_code ignored;
            for (const auto& entry : fs::directory_iterator(there, ignored)) {
              const auto unpacked = unpack(pack, placesOf(entry.path().filename().string()));
              REQUIRE(unpacked);
              CHECK(unpacked->session->text == keptWorkspace(0).text);
            }
            fs::remove_all(there);
          }};
}

// Each in a folder of its own: what is there before all of it is written is no model.
InterruptedWork writingModels(const fs::path& folder) {
  const auto model = readModelDirectory(SOURCE_FOLDER "/assets/models/letters");
  REQUIRE(model);
  auto kept = std::make_shared<ModelDirectory>(*model);
  return {"models",
          [=](int time) {
            return writeModelDirectory(folder / std::to_string(time), kept->config, kept->parameters,
                                       *kept->tokenizer, "a card");
          },
          [=] {
            for (const auto& entry : fs::directory_iterator(folder)) {
              if (isModelDirectory(entry.path())) CHECK(readModelDirectory(entry.path()));
              fs::remove_all(entry.path());
            }
          }};
}

InterruptedWork trainingRuns(const fs::path& folder) {
  auto options = shortRunsIn(folder);
  options.saveSeconds = 0;  // all the time
  auto step = std::make_shared<int>(0);
  {
    Training training(options);
    training.begin(shortPlan(1'000'000));
    training.pause();
    training.finish();
  }
  return {"runs",
          [=](int) {
            Training training(options);
            if (const auto opened = openedRun(training, "run:copy-1"); !opened) return Status(opened.error());
            training.go();
            training.finish();
            return success();
          },
          [=] {
            Training training(shortRunsIn(folder));
            const auto opened = openedRun(training, "run:copy-1");
            REQUIRE(opened);
            CHECK((*opened)->step >= *step);
            *step = (*opened)->step;
          }};
}

int killsAsked() {
  const char* asked = std::getenv("KILLS");
  return asked ? std::atoi(asked) : 48;
}

// No file may be longer, as if the disk were full then.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &allowed_);
    const rlimit limit{bytes, allowed_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &allowed_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  void (*before_)(int);
  rlimit allowed_{};
};

// Whether anything below a folder was being written.
bool leftParts(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().string().find(".part") != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("killed at any moment, nothing that was kept is lost, and nothing is cut", "[others]") {
  const TemporaryFolder folder;
  const auto below = [&](const char* name) {
    fs::create_directories(folder / name);
    return folder / name;
  };
  const std::array works{savingSession(below("session")), exportingFigures(below("figures")),
                         packing(below("pack")),          unpacking(below("unpacking")),
                         writingModels(below("models")),  trainingRuns(below("runs"))};
  Random random(1);
  int meanwhile = 0;
  for (int i = 0; i < killsAsked(); ++i) {
    const InterruptedWork& work = works[static_cast<std::size_t>(i) % works.size()];
    INFO(work.name << ", kill " << i);
    killAfter(static_cast<unsigned>(500 + random.below(20'000)), work);
    meanwhile += leftParts(folder / work.name);
    work.hold();
  }
  if (std::getenv("KILLS")) std::printf("%d kills, %d with a file half written\n", killsAsked(), meanwhile);
}

TEST_CASE("where the disk is full, what was kept stays, and the message names file and reason") {
  const TemporaryFolder folder;
  const auto below = [&](const char* name) {
    fs::create_directories(folder / name);
    return folder / name;
  };
  for (const InterruptedWork& work :
       {savingSession(below("session")), exportingFigures(below("figures")), packing(below("pack")),
        unpacking(below("unpacking")), writingModels(below("models"))}) {
    INFO(work.name);
    REQUIRE(work.act(0));
    for (const rlim_t bytes : {0, 1000}) {
      const Status failed = [&] {
        const FullDisk full(bytes);
        return work.act(1);
      }();
      REQUIRE_FALSE(failed);
      CHECK_THAT(failed.error().message(),
                 ContainsSubstring(folder.path().string()) && ContainsSubstring("File too large"));
      CHECK_FALSE(leftParts(folder.path()));
    }
    work.hold();
  }
}

TEST_CASE("a run that cannot be saved says so, and its last checkpoint stays") {
  const TemporaryFolder folder;
  {
    Training training(shortRunsIn(folder.path()));
    training.begin(shortPlan());
    training.pause();
    training.finish();
    const int saved = training.report()->savedStep;
    const FullDisk full(1000);
    training.go();
    training.finish();
    CHECK_THAT(training.report()->problem,
               ContainsSubstring(folder.path().string()) && ContainsSubstring("File too large"));
    CHECK(training.report()->savedStep == saved);
  }
  Training training(shortRunsIn(folder.path()));
  REQUIRE(openedRun(training, "run:copy-1"));
  training.go();
  training.finish();
  CHECK(training.report()->state == RunReport::State::Finished);
  CHECK(training.report()->problem == "");
}
