// What a person at the window waits for, on the built-in model and without a display: an edit until its
// snapshot is published (also while the window draws in software), our own processor time per frame, the
// start, training. Medians. Usage: window_bench [pictures [VIEW [PICTURE]] | large [VIEW
// [PICTURE]] | samples | training | edit MODEL TEXT | slider MODEL TEXT]
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "app/document/branch.h"
#include "app/document/strategies_settings.h"
#include "app/document/switches.h"
#include "app/engine/engine.h"
#include "app/engine/model_library.h"
#include "app/engine/training.h"
#include "app/shell/application.h"
#include "app/views/views.h"
#include "imgui.h"
#include "tests/bench/picture_bench.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

namespace {

using Clock = std::chrono::steady_clock;
double milliseconds(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Milliseconds of this thread's own processor time.
double threadTime() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

// 64 tokens of a story.
std::string storyText(const Tokenizer& tokenizer) {
  std::string text = "The animal didn't cross the street because it was too tired.";
  while (tokenizer.encodeIds(text).size() < 64) text += " So the dog sang.";
  auto ids = tokenizer.encodeIds(text);
  ids.resize(64);
  return tokenizer.decode(ids);
}

void measureEdits(const ModelLoader& loader, const std::string& text, const char* what) {
  std::atomic<std::int64_t> publishedAt{0};
  const auto mark = [&] {
    std::int64_t none = 0;
    publishedAt.compare_exchange_strong(none, Clock::now().time_since_epoch().count());
    publishedAt.notify_all();
  };
  Engine engine(loader, mark, neededFor);
  Workspace workspace = initialWorkspace();
  workspace.text = text;
  std::uint64_t revision = 0;
  engine.request(workspace, ++revision);
  engine.finish();
  for (const bool atStart : {true, false}) {
    std::vector<double> times;
    for (int i = 0; i < 60; ++i) {
      const char* const words[] = {"The", "A"};
      const char* const ends[] = {" dog", " cat"};
      workspace.text = atStart ? words[i % 2] + text.substr(3) : text + ends[i % 2];
      publishedAt = 0;
      const auto start = Clock::now();
      engine.request(workspace, ++revision);
      publishedAt.wait(0);
      times.push_back(milliseconds(Clock::duration(publishedAt.load()) - start.time_since_epoch()));
      engine.finish();
    }
    std::printf("edit at the %s of 64 tokens, document to snapshot%s: %.2f ms\n", atStart ? "start" : "end",
                what, median(times));
  }
}

// How long after an edit in the middle of a text the window has the whole pass.
void measureEdit(const char* program, const std::string& model, const std::string& textFile) {
  constexpr int rounds = 9;
  const ModelLibrary library(program);
  Engine engine([&](const std::string& name, const ProgressCallback&) { return library.load(name); }, [] {},
                neededFor);
  Workspace workspace = initialWorkspace();
  workspace.model = model;
  workspace.decoding.depth = 1;
  std::ifstream file(textFile);
  workspace.text.assign(std::istreambuf_iterator<char>(file), {});
  std::uint64_t revision = 0;
  engine.request(workspace, ++revision);
  engine.finish();
  const int layers = engine.latest()->model->config->layers;
  const std::string text = workspace.text;
  int edits = 0;
  const std::size_t place = text.find(' ', text.size() / 2) + 1, end = text.find(' ', place);
  const auto timed = [&] {
    // None comes twice: what is known already is not computed again.
    const std::string word{static_cast<char>('a' + edits % 26), static_cast<char>('a' + edits / 26)};
    ++edits;
    workspace.text = text.substr(0, place) + word + text.substr(end);
    const auto start = Clock::now();
    engine.request(workspace, ++revision);
    while (engine.latest()->revision != revision) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    const double whole = milliseconds(Clock::now() - start);
    engine.finish();
    return whole;
  };
  const auto as = [&](const char* view, int layer) {
    workspace.view = view, workspace.selection.layer = layer;
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) times.push_back(timed());
    std::printf("edit in the middle, %s, block %d: whole pass after %.0f ms\n", view, layer, median(times));
  };
  as("attention", 0), as("attention", 2), as("attention", layers - 1), as("next_token", 0);
  std::printf("minus another text:\n");
  workspace.aside = {{text.substr(0, place) + "other " + text.substr(place)}};
  workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
  as("attention", 0), as("attention", layers - 1);
}

// A head's gain is dragged at 60 frames a second: how many frames old is what each frame shows.
void measureSlider(const ModelLoader& loader, const std::string& model, const std::string& text) {
  constexpr int frames = 180;
  constexpr std::chrono::microseconds frame(16'667);
  Engine engine(
      loader, [] {}, neededFor);
  Workspace workspace = initialWorkspace();
  workspace.model = model, workspace.text = text, workspace.decoding.depth = 1;
  std::uint64_t revision = 0;
  engine.request(workspace, ++revision);
  engine.finish();
  Intervention gain = zeroAblation({ModelPart::Kind::Head, 0, 1, ownSite(*engine.latest()->model->config)});
  gain.kind = InterventionKind::Scale;
  std::vector<double> ages;
  auto next = Clock::now();
  for (int i = 0; i < frames; ++i) {
    gain.value = static_cast<float>(i) / frames;
    workspace.interventions = {gain};
    engine.request(workspace, ++revision);
    std::this_thread::sleep_until(next += frame);
    ages.push_back(static_cast<double>(revision - engine.latest()->revision));
  }
  std::printf(
      "a gain dragged at 60 frames a second, %s: %.0f %% of the frames show it as it is, the median one "
      "%.0f frames old, the worst %.0f\n",
      model.c_str(), 100.0 * static_cast<double>(std::ranges::count(ages, 0)) / frames, median(ages),
      std::ranges::max(ages));
}

// The same in the window: its field is dragged at 60 frames a second, and every frame built that is due.
class DraggedGain {
 public:
  DraggedGain(const ModelLoader& loader, const Workspace& shown)
      : engine_(std::make_shared<Engine>(
            loader, [] {}, neededFor)),
        application_(std::move(*openHeadless(1920, 1080)), engine_, shown, {}),
        held_(shown.interventions.front()) {
    engine_->finish();
    for (int i = 0; i < 5; ++i) application_.frame();
    whole_ = made() / gain();
  }

  void measure(const char* picture) {
    constexpr int frames = 300;
    constexpr std::chrono::microseconds due(16'667);
    if (!takeHold()) return (void)std::printf("the field of a gain is not where it is dragged from\n");
    std::vector<double> own, ages;
    std::vector<float> gains{gain()};
    int late = 0;
    auto next = Clock::now();
    for (int i = 0; i < frames; ++i) {
      moveTo(x + 40 * std::sin(0.05f * static_cast<float>(i)));
      const double from = threadTime();
      application_.frame(false);
      own.push_back(threadTime() - from);
      gains.push_back(gain()), ages.push_back(age(gains));
      next += due;
      late += Clock::now() > next;
      std::this_thread::sleep_until(next);
    }
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    application_.frame(false);
    std::printf(
        "a gain dragged in the window, %s: %.2f ms of our own a frame, the worst %.2f; %d of %d frames later "
        "than 60 a second; shown is the gain of %.0f frames before, at worst of %.0f\n",
        picture, median(own), std::ranges::max(own), late, frames, median(ages), std::ranges::max(ages));
  }

 private:
  static constexpr float x = 237;

  float gain() const { return application_.history().current().interventions.front().value; }
  // By what the head makes in the pass that is shown.
  float made() const { return (*application_.snapshot().pass->trace)[held_.point](0, held_.index[1], 0); }
  // How many frames old the gain is that is shown, of those up to now.
  double age(const std::vector<float>& gains) const {
    const auto shown = std::ranges::find_if(gains.rbegin(), gains.rend(), [&](float each) {
      return std::abs(made() - whole_ * each) < 1e-4f * std::abs(whole_);
    });
    return static_cast<double>(shown - gains.rbegin());
  }
  void moveTo(float at) { ImGui::GetIO().AddMousePosEvent(at, y_); }
  // Presses on the field in the list below the text, wherever that is.
  bool takeHold() {
    const float before = gain();
    for (y_ = 300; y_ < 520; y_ += 4) {
      moveTo(x), application_.frame(false);
      ImGui::GetIO().AddMouseButtonEvent(0, true), application_.frame(false);
      for (int i = 1; i < 4; ++i) moveTo(x + 12 * static_cast<float>(i)), application_.frame(false);
      if (gain() != before) return true;
      ImGui::GetIO().AddMouseButtonEvent(0, false), application_.frame(false);
    }
    return false;
  }

  std::shared_ptr<Engine> engine_;
  Application application_;
  Intervention held_;
  float whole_ = 0, y_ = 0;  // what the head makes by itself; where the field is
};

void measureSliderInWindow(const ModelLoader& loader, const std::string& model, const std::string& text) {
  for (const auto& [view, picture] : {std::pair("attention", "matrix"), std::pair("influence", "leave out"),
                                      std::pair("influence", "edges")}) {
    Workspace workspace = initialWorkspace();
    workspace.model = model, workspace.text = text, workspace.view = view;
    workspace.settings.pictures[view] = picture;
    const auto loaded = loader(model, noProgress);
    if (!loaded) return;
    Intervention gain = zeroAblation({ModelPart::Kind::Head, 0, 1, ownSite(loaded->transformer->config())});
    gain.kind = InterventionKind::Scale, gain.value = 0.5f;
    workspace.interventions = {gain};
    DraggedGain(loader, workspace).measure((std::string(view) + ", " + picture).c_str());
  }
}

// Our own time for a frame of a beam tree of width 16 and depth 64, from its beginning and whole.
void measureBeamTree(const char* program) {
  const ModelLibrary library(program);
  const ModelLoader loader = [&](const std::string& name, const ProgressCallback&) {
    return library.load(name);
  };
  for (const int pruned : {2, 16})
    for (const float zoom : {0.0f, 1.0f}) {
      Workspace workspace = initialWorkspace();
      workspace.view = "beam";
      workspace.decoding.beamWidth = 16, workspace.decoding.depth = 64;
      workspace.settings.prunedShown = pruned;
      workspace.settings.beam.section = {zoom, 0, 0.5f};
      auto engine = std::make_shared<Engine>(
          loader, [] {}, neededFor);
      Application application(std::move(*openHeadless(1920, 1080)), engine, workspace, {});
      engine->finish();
      for (int i = 0; i < 5; ++i) application.frame();
      std::vector<double> own;
      for (int i = 0; i < 30; ++i) {
        const double before = threadTime();
        application.frame(false);
        own.push_back(threadTime() - before);
      }
      std::printf("frame of a beam tree of 16 x 64 with %d pruned branches a node, %s: %.2f ms our own\n",
                  pruned, zoom > 0 ? "whole" : "from its beginning", median(own));
    }
}

// Our own time for a frame while 1,000 samples are drawn behind it, and of all of them.
void measureSamples(const char* program) {
  const ModelLibrary library(program);
  const ModelLoader loader = [&](const std::string& name, const ProgressCallback&) {
    return library.load(name);
  };
  for (const auto& [view, picture] : {std::pair{"next_token", "strategies"}, std::pair{"beam", "branches"}}) {
    Workspace workspace = initialWorkspace();
    workspace.view = view;
    workspace.settings.pictures[view] = picture;
    workspace.settings.choices[samplesChoice] = manySamplesChosen;
    workspace.settings.choices[samplePaths] = "on";
    workspace.decoding.depth = 32;
    workspace.decoding.stages = {};
    auto engine = std::make_shared<Engine>(
        loader, [] {}, neededFor);
    Application application(std::move(*openHeadless(1920, 1080)), engine, workspace, {});
    const auto frame = [&](std::vector<double>& times) {
      const double before = threadTime();
      application.frame(false);
      times.push_back(threadTime() - before);
    };
    std::atomic<bool> drawing{true};
    const auto start = Clock::now();
    std::thread drawn([&] {
      engine->finish();
      drawing = false;
    });
    for (int i = 0; i < 2; ++i) application.frame(false);  // fonts and their atlas
    std::vector<double> meanwhile, whole;
    while (drawing) {
      frame(meanwhile);
      std::this_thread::sleep_for(std::chrono::milliseconds(8));
    }
    drawn.join();
    const double seconds = milliseconds(Clock::now() - start) / 1e3;
    for (int i = 0; i < 30; ++i) frame(whole);
    std::printf(
        "frame of 1,000 samples of 32 tokens, %s: %.2f ms our own (at most %.2f) in the %.1f s they are "
        "drawn, "
        "%.2f ms then\n",
        picture, median(meanwhile), std::ranges::max(meanwhile), seconds, median(whole));
  }
}

// The built-in model: start, frames, edits.
int measureStories(const char* program) {
  const auto start = Clock::now();
  const ModelLibrary library(program);
  const ModelLoader loader = [&](const std::string& name, const ProgressCallback&) {
    return library.load(name);
  };
  auto surface = openHeadless(1920, 1080);
  if (!surface) {
    std::fprintf(stderr, "%s\n", surface.error().message().c_str());
    return 1;
  }
  auto engine = std::make_shared<Engine>(
      loader, [] {}, neededFor);
  Application application(std::move(*surface), engine, initialWorkspace(), {});
  application.frame();
  std::printf("start of main to first frame: %.0f ms\n", milliseconds(Clock::now() - start));
  engine->finish();
  for (int i = 0; i < 10; ++i) application.frame();

  // Our own share of a frame is everything up to the draw list; what follows is the renderer's.
  std::vector<double> own, thread, whole;
  for (int i = 0; i < 60; ++i) {
    const auto from = Clock::now();
    const double before = threadTime();
    application.frame();
    thread.push_back(threadTime() - before);
    own.push_back(application.buildMilliseconds());
    whole.push_back(milliseconds(Clock::now() - from));
  }
  std::printf(
      "frame with all heads at 1920x1080: %.2f ms our own, %.2f ms of our thread with the driver, %.2f ms in "
      "all\n",
      median(own), median(thread), median(whole));

  const auto model = library.load("stories");
  const std::string text = storyText(*model->tokenizer);
  measureEdits(loader, text, "");
  measureSlider(loader, "stories", text);
  std::atomic<bool> measuring{true};
  std::thread edits([&] {
    measureEdits(loader, text, " while the window draws");
    measuring = false;
  });
  while (measuring) application.frame();
  edits.join();
  return 0;
}

// Steps per second of a run over some seconds, while `meanwhile` is called again and again.
double stepsPerSecond(Training& training, const std::function<void()>& meanwhile) {
  constexpr std::chrono::seconds duration(4);
  training.go();
  while (!training.isRunning()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const int first = training.report()->step;
  const auto start = Clock::now();
  while (Clock::now() - start < duration) meanwhile();
  training.pause();
  const double seconds = milliseconds(Clock::now() - start) / 1e3;
  training.finish();
  return (training.report()->step - first) / seconds;
}

// Training the model that is on screen, in the attention view: how fast it is with the window and without, by
// turns, and what a frame costs meanwhile. Frames that are only built cost what they do where a graphics
// processor draws them.
void measureTraining() {
  constexpr int rounds = 5;
  const TemporaryFolder folder;
  Training alone({.folder = folder / "alone"});
  const auto training = std::make_shared<Training>(Training::Options{.folder = folder / "watched"});
  Workspace workspace = initialWorkspace();
  for (Training* each : {&alone, training.get()}) {
    workspace.model = each->begin({.task = "stories", .steps = 100'000});
    each->pause();
    each->finish();
  }
  auto engine = std::make_shared<Engine>(
      ModelLoader{}, [] {}, neededFor, 2, training);
  ApplicationOptions options;
  options.training = training;
  Application application(std::move(*openHeadless(1920, 1080)), engine, workspace, std::move(options));
  engine->finish();
  const auto frame = [&](bool drawn, std::vector<double>& times) {
    const double before = threadTime();
    application.frame(drawn);
    times.push_back(threadTime() - before);
  };
  struct Way {
    const char* name;
    bool drawn;
    std::vector<double> shares, rest, busy;
  };
  std::array ways{Way{"built", false, {}, {}, {}}, Way{"drawn in software", true, {}, {}, {}}};
  const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
  for (int round = 0; round < rounds; ++round)
    for (Way& way : ways) {
      const double without = stepsPerSecond(alone, sleep),
                   with = stepsPerSecond(
                       *training, [&] { application.restless() ? frame(way.drawn, way.busy) : sleep(); });
      way.shares.push_back(with / without);
    }
  for (Way& way : ways)
    for (int i = 0; i < 40; ++i) frame(way.drawn, way.rest);
  for (Way& way : ways)
    std::printf(
        "training stories with the window, frames %s: %.2f of its speed alone, %.2f to %.2f; %zu frames in "
        "%d "
        "s, of our thread %.2f ms at rest, %.2f ms while training\n",
        way.name, median(way.shares), std::ranges::min(way.shares), std::ranges::max(way.shares),
        way.busy.size(), 4 * rounds, median(way.rest), median(way.busy));
}

// Resident memory of this process, in MiB.
double residentMiB() {
  std::ifstream status("/proc/self/statm");
  long pages = 0;
  status >> pages >> pages;
  return static_cast<double>(pages * sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// What 10,000 steps with their history take, where 32 MiB of weights may be kept.
void measureTrainingMemory() {
  constexpr std::size_t budget = std::size_t{32} << 20;
  const TemporaryFolder folder;
  Training training({.folder = folder.path(), .budget = budget});
  TrainingPlan plan{.task = "copy", .steps = 10'000};
  plan.changes = {{"n_layer", "1"}, {"n_embd", "32"}, {"n_inner", "32"}, {"n_head", "2"}};
  training.begin(plan);
  while (!training.report() || training.report()->step < 100)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const double before = residentMiB();
  training.finish();
  const StepRing& ring = *training.report()->side.weights;
  std::printf(
      "10,000 steps: %zu sets of weights in %.1f MiB of %.0f, resident %.1f MiB after 100 steps, %.1f at the "
      "end\n",
      ring.steps().size(), static_cast<double>(ring.bytes()) / (1 << 20),
      static_cast<double>(budget) / (1 << 20), before, residentMiB());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "pictures")
    return measurePictures(argv[0], argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : ""), 0;
  if (argc > 1 && std::string_view(argv[1]) == "large")
    return measureExtremes(argv[0], argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : ""), 0;
  if (argc > 3 && std::string_view(argv[1]) == "edit") return measureEdit(argv[0], argv[2], argv[3]), 0;
  if (argc > 3 && std::string_view(argv[1]) == "slider") {
    const ModelLibrary library(argv[0]);
    std::ifstream file(argv[3]);
    const ModelLoader loader = [&](const std::string& name, const ProgressCallback&) {
      return library.load(name);
    };
    const std::string text(std::istreambuf_iterator<char>(file), {});
    measureSlider(loader, argv[2], text), measureSliderInWindow(loader, argv[2], text);
    return 0;
  }
  if (argc > 1 && std::string_view(argv[1]) == "samples") return measureSamples(argv[0]), 0;
  if (argc > 1 && std::string_view(argv[1]) == "training")
    return measureTraining(), measureTrainingMemory(), 0;
  if (const int failed = measureStories(argv[0])) return failed;
  measureBeamTree(argv[0]);
  measureSamples(argv[0]);
  measurePictures(argv[0]);
  measureExtremes(argv[0]);
  measureTraining();
  measureTrainingMemory();
  return 0;
}
