#include "tests/bench/picture_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/document/edge_settings.h"
#include "app/document/model_commands.h"
#include "app/document/neuron_settings.h"
#include "app/document/session.h"
#include "app/document/steps.h"
#include "app/engine/engine.h"
#include "app/engine/model_library.h"
#include "app/engine/training.h"
#include "app/shell/application.h"
#include "app/views/views.h"
#include "imgui.h"
#include "tests/app/views/plain_metrics.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/small_model.h"

namespace glassformer {

namespace {

constexpr double budget = 6;     // milliseconds of a frame
constexpr double patience = 10;  // seconds for what a picture has measured
constexpr double quick = 2;      // of a picture that takes longer, only the first look is measured

// What stands on the stage, and what it costs.
struct Shown {
  std::string model, view, picture, choice;
  double first = 0, moving = 0;
  double waited = 0;       // seconds for what it has measured
  bool isMeasured = true;  // all that it shows, within our patience
};

using Clock = std::chrono::steady_clock;

double threadMilliseconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

constexpr const char* large = "144 heads, 1,000 tokens";

// What "any size" means: the texts and the numbers of heads beyond which nobody looks at every one of them.
struct Extreme {
  const char* name;
  int layers, heads, context;
  int headWidth;
  int tokens;
};
constexpr Extreme extremes[] = {{"4 heads, 8,192 tokens", 2, 2, 8192, 32, 8192},
                                {"1,024 heads, 60 tokens", 32, 32, 256, 2, 60},
                                {"1,024 heads, 256 tokens", 32, 32, 256, 2, 256}};

// A window on one model after the other.
class Window {
 public:
  explicit Window(const char* program)
      : library_(program),
        training_(std::make_shared<Training>(Training::Options{.folder = folder_ / "runs", .threads = 1})),
        engine_(std::make_shared<Engine>(
            [this](const std::string& name, const ProgressCallback& watch) { return load(name, watch); },
            [] {}, neededFor, 2, training_)),
        application_(std::move(*openHeadless(1920, 1080)), engine_, initialWorkspace(), optionsHere()) {}

  const Snapshot& snapshot() const { return application_.snapshot(); }
  const std::vector<ModelLibrary::Entry>& models() const { return library_.builtIn(); }

  // A run that is over, with the weights of its steps.
  std::string trained() {
    TrainingPlan plan{.task = "copy", .steps = 300};
    plan.changes = {{"n_layer", "2"}, {"n_embd", "32"}, {"n_inner", "32"}, {"n_head", "2"}};
    const std::string name = training_->begin(plan);
    training_->finish();
    return name;
  }

  Shown measure(Shown shown, const Workspace& workspace) {
    const auto file = folder_ / "shown.json";
    (void)saveSession(file, workspace);
    application_.open(file);
    shown.first = frame();
    const auto asked = Clock::now();
    shown.isMeasured = wait();
    shown.waited = std::chrono::duration<double>(Clock::now() - asked).count();
    for (int i = 0; i < 4; ++i) shown.first = std::max(shown.first, frame());
    std::vector<double> times;
    for (int i = 0; i < 25; ++i) {
      const float angle = 0.7f * static_cast<float>(i);
      ImGui::GetIO().AddMousePosEvent(955 + 600 * std::sin(angle), 500 + 400 * std::cos(1.3f * angle));
      times.push_back(frame());
    }
    shown.moving = median(times);
    ImGui::GetIO().AddMousePosEvent(310, 60);
    return shown;
  }

  // Milliseconds of our own of each kind of frame, with what is shown: at rest, pointing at another cell in
  // each, zooming in and out there, and with another token or head selected, before and after that is
  // measured.
  void measureMoves(const char* name) {
    ImGuiIO& io = ImGui::GetIO();
    const auto pointAt = [&](int i) {
      const float angle = 0.7f * static_cast<float>(i);
      io.AddMousePosEvent(800 + 250 * std::sin(angle), 500 + 250 * std::cos(1.3f * angle));
    };
    const auto each = [&](const char* what, const std::function<void(int)>& event, bool asks = false) {
      std::vector<double> times;
      for (int i = 0; i < 24; ++i) {
        event(i), times.push_back(frame());
        if (asks) wait(), times.push_back(frame());
      }
      std::printf("%c %6.2f  %6.2f   %s, %s\n", median(times) > budget ? '!' : ' ', median(times),
                  std::ranges::max(times), what, name);
    };
    each("at rest", [](int) {});
    each("pointing", pointAt);
    pointAt(0), frame();
    each("zooming", [&](int i) { io.AddMouseWheelEvent(0, i % 12 < 6 ? 1.0f : -1.0f); });
    each(
        "another token",
        [&](int i) { press(ImGuiMod_Shift, i % 12 < 6 ? ImGuiKey_LeftArrow : ImGuiKey_RightArrow); }, true);
    each(
        "another head", [&](int i) { press(ImGuiKey_None, i % 2 ? ImGuiKey_UpArrow : ImGuiKey_DownArrow); },
        true);
    io.AddMousePosEvent(310, 60);
  }

 private:
  static void press(ImGuiKey modifier, ImGuiKey key) {
    ImGuiIO& io = ImGui::GetIO();
    for (const bool down : {true, false}) {
      if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, down);
      io.AddKeyEvent(key, down);
    }
  }
  Result<LoadedModel> load(const std::string& name, const ProgressCallback& watch) {
    if (name == large) return makeSmallModel(name, 12, 12, 1000);
    for (const Extreme& e : extremes)
      if (name == e.name)
        return makeSmallModel(name, e.layers, e.heads, e.context,
                              [&](ModelConfig& config) { config.width = e.headWidth * e.heads; });
    return library_.load(name, watch);
  }
  ApplicationOptions optionsHere() {
    ApplicationOptions options;
    options.models = library_.builtIn(), options.training = training_;
    options.loader = [this](const std::string& name, const ProgressCallback& watch) {
      return load(name, watch);
    };
    return options;
  }
  double frame() {
    const double before = threadMilliseconds();
    application_.frame(false);
    return threadMilliseconds() - before;
  }
  // Until all is measured; false where that took too long.
  bool wait() {
    const auto asked = Clock::now();
    while (Clock::now() - asked < std::chrono::duration<double>(patience)) {
      if (!engine_->progress()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    engine_->cancel();
    engine_->finish();
    return false;
  }

  TemporaryFolder folder_;
  ModelLibrary library_;
  std::shared_ptr<Training> training_;
  std::shared_ptr<Engine> engine_;
  Application application_;
};

// "head  of all blocks": choices that differ in a number alone look alike.
std::string withoutNumbers(std::string name) {
  std::erase_if(name, [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
  return name;
}

// The other looks of a picture that one press on the stage leads to.
std::vector<std::pair<std::string, Workspace>> choicesOf(const View& view, const Workspace& workspace,
                                                         const Snapshot& snapshot) {
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const Scene scene = view.scene({workspace, snapshot, {1296, 872}, theme, metrics, {}});
  std::vector<std::pair<std::string, Workspace>> all{{"", workspace}};
  const auto add = [&](const std::string& name, const Command& command) {
    Workspace chosen = workspace;
    if (command.apply) command.apply(chosen);
    Workspace otherwise = chosen;
    otherwise.settings = workspace.settings;
    const bool isAsBefore = otherwise != workspace || chosen.settings.pictures != workspace.settings.pictures;
    const auto same = [&](const auto& one) {
      return one.second.settings == chosen.settings || withoutNumbers(one.first) == withoutNumbers(name);
    };
    if (!isAsBefore && std::ranges::none_of(all, same)) all.emplace_back(name, std::move(chosen));
  };
  for (const HitRegion& hit : scene.hits) {
    if (hit.click && hit.rows * hit.columns == 1) add(hit.name, hit.click(hit.target));
    if (hit.zoom) add(hit.name + ", closer", hit.zoom(6, {0.5f, 0.5f}));
  }
  if (view.id != std::string_view("step") || &view.picture(workspace.settings) != &view.pictures.front())
    return all;
  // Every step of the last block, and those outside of blocks.
  for (const Step& step : stepsOf(*snapshot.model->transformer))
    if (step.layer < 0 || step.layer == snapshot.model->config->layers - 1) {
      all.emplace_back(fullTitle(step), workspace);
      all.back().second.step = nameOf(step), all.back().second.selection.layer = std::max(step.layer, 0);
    }
  return all;
}

void print(std::vector<Shown> all) {
  std::ranges::sort(all, std::greater{}, [](const Shown& s) { return std::max(s.moving, s.first / 10); });
  std::printf("\n  moving   first   (ms of our own; above %.0f: !)\n", budget);
  for (const Shown& s : all)
    std::printf("%c %6.2f  %6.2f   %s, %s%s%s on %s%s\n", s.moving > budget ? '!' : ' ', s.moving, s.first,
                s.view.c_str(), s.picture.c_str(), s.choice.empty() ? "" : ", ", s.choice.c_str(),
                s.model.c_str(), s.isMeasured ? "" : " (not all measured)");
  const auto above = std::ranges::count_if(all, [](const Shown& s) { return s.moving > budget; });
  std::printf("%zu pictures, %td above %.0f ms\n", all.size(), above, budget);
}

// A text of so many tokens.
std::string textOf(const Tokenizer& tokenizer, int tokens) {
  std::string text = "The animal didn't cross the street because it was too tired.";
  while (static_cast<int>(tokenizer.encodeIds(text).size()) < tokens) text += text.substr(0, 4000);
  auto ids = tokenizer.encodeIds(text);
  ids.resize(static_cast<std::size_t>(tokens));
  return tokenizer.decode(ids);
}

}  // namespace

void measureExtremes(const char* program, const std::string& view, const std::string& only) {
  Window window(program);
  for (const Extreme& extreme : extremes) {
    Workspace workspace = initialWorkspace();
    commands::setModel(extreme.name).apply(workspace);
    window.measure({}, workspace);
    workspace.text = textOf(*window.snapshot().model->tokenizer, extreme.tokens);
    std::printf("\n  median     most   (ms of our own a frame; above %.0f: !)\n", budget);
    for (const View& each : views())
      for (const Picture& picture : each.pictures) {
        if (each.id != (view.empty() ? "attention" : view) || (!only.empty() && picture.id != only)) continue;
        workspace.view = each.id;
        workspace.settings.pictures[each.id] = picture.id;
        const Shown shown = window.measure({extreme.name, each.id, std::string(picture.id)}, workspace);
        const std::string name = std::string(picture.id) + " of " + extreme.name;
        std::printf("  %6.2f  %6.2f   first frames, %s%s\n", shown.first, shown.first, name.c_str(),
                    shown.isMeasured ? "" : " (not all measured)");
        window.measureMoves(name.c_str());
        std::fflush(stdout);
      }
  }
}

void measurePictures(const char* program, const std::string& view, const std::string& only) {
  Window window(program);
  std::vector<Shown> all;
  std::vector<std::string> models{"stories", "translate", "positions/rotary", "worked", large};
  models.push_back(window.trained());
  for (const std::string& model : models) {
    Workspace workspace = initialWorkspace();
    commands::setModel(model).apply(workspace);
    if (model == large)
      while (workspace.text.size() < 8000) workspace.text += " The cat sat on the mat.";
    // Lines of one's own instead of hundreds of texts.
    workspace.settings.choose(neuronCorpus, corpusOfTabs);
    workspace.settings.choose(edgeTexts, firstEdgeTexts);
    window.measure({}, workspace);  // loads it, and at first the fonts
    for (const View& each : views()) {
      if (!view.empty() && each.id != view) continue;
      for (const Picture& picture : each.pictures) {
        if (!only.empty() && picture.id != only) continue;
        workspace.view = each.id;
        workspace.settings.pictures[each.id] = picture.id;
        Shown shown{model, each.id, std::string(picture.id)};
        all.push_back(window.measure(shown, workspace));
        std::fprintf(stderr, "%s, %s on %s: %.2f\n", each.id, picture.id.data(), model.c_str(),
                     all.back().moving);
        if (all.back().waited > quick) continue;
        for (const auto& [name, chosen] : choicesOf(each, workspace, window.snapshot())) {
          if (name.empty()) continue;
          shown.choice = name;
          all.push_back(window.measure(shown, chosen));
        }
      }
    }
  }
  print(std::move(all));
}

}  // namespace glassformer
