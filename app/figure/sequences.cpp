#include "app/figure/sequences.h"

#include <algorithm>
#include <array>

#include "app/document/selection_commands.h"
#include "app/document/steps.h"
#include "app/document/training_plan.h"
#include "app/document/view_commands.h"
#include "app/engine/engine.h"
#include "app/lesson/lesson_walk.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

using Frames = std::vector<SequenceFrame>;

Frames stepsOfModel(const SequenceInput& input) {
  Frames frames;
  if (!input.snapshot.model->transformer) return frames;
  for (const Step& step : stepsOf(*input.snapshot.model->transformer))
    commands::setStep(nameOf(step)).apply(frames.emplace_back(SequenceFrame{input.workspace}).workspace);
  return frames;
}

Frames tokensOfText(const SequenceInput& input) {
  Frames frames;
  for (int token = 0; token < input.snapshot.pass->countOf(Stream::Text); ++token)
    frames.emplace_back(SequenceFrame{input.workspace}).workspace.selection.query = token;
  return frames;
}

Frames headsOfModel(const SequenceInput& input) {
  Frames frames;
  const std::optional<ModelConfig>& config = input.snapshot.model->config;
  if (!config || !config->hasAttention()) return frames;
  for (int layer = 0; layer < blocksAt(*config, shownSite(input.workspace, *config)); ++layer)
    for (int head = 0; head < config->heads; ++head)
      commands::selectHead(layer, head).apply(frames.emplace_back(SequenceFrame{input.workspace}).workspace);
  return frames;
}

// As the lesson shows them, whatever is looked at now; answers are known.
Frames stepsOfLesson(const SequenceInput& input) {
  Frames frames;
  if (!input.lesson) return frames;
  Workspace now = input.workspace;
  for (int step = 0; step < input.lesson->stepCount(); ++step) {
    now.lesson.guesses[step].isMade = true;
    if (auto shown = workspaceAt(*input.lesson, step, now)) frames.push_back({std::move(*shown)});
  }
  return frames;
}

// At most so many, evenly over the run, the newest among them.
constexpr std::size_t mostOfRun = 60;

Frames stepsOfRun(const SequenceInput& input) {
  Frames frames;
  const ShownTraining& training = *input.snapshot.training;
  if (!training.run || !isRun(input.workspace.model)) return frames;
  const RunReport& run = *training.run;
  const std::vector<int> steps = run.side.weights->steps();
  const std::size_t count = std::min(steps.size(), mostOfRun);
  for (std::size_t i = 0; i < count; ++i) {
    const int step = steps[(i + 1) * steps.size() / count - 1];
    SequenceFrame& frame = frames.emplace_back(SequenceFrame{input.workspace});
    frame.workspace.model = input.workspace.model.substr(runPrefix.size()) + ", step " + std::to_string(step);
    frame.model = LoadedModel{frame.workspace.model, run.side.modelAt(step), run.tokenizer, run.task};
  }
  return frames;
}

constexpr std::array all{
    Sequence{"step", "Steps", "every operation of the forward pass", stepsOfModel},
    Sequence{"token", "Tokens", "every token of the text selected", tokensOfText},
    Sequence{"head", "Heads", "every head of the model", headsOfModel},
    Sequence{"lesson", "Lesson", "every step of the open lesson", stepsOfLesson},
    Sequence{"run", "Run", "the picture at every saved step of the open run", stepsOfRun},
};

}  // namespace

std::filesystem::path numberedFile(const std::filesystem::path& file, std::size_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 3 - std::min<std::size_t>(3, digits.size()), '0');
  return file.parent_path() / (file.stem().string() + "-" + digits + file.extension().string());
}

std::span<const Sequence> sequences() { return all; }

const Sequence* findSequence(std::string_view id) {
  const auto found = std::ranges::find(all, id, [](const Sequence& s) { return std::string_view(s.id); });
  return found == all.end() ? nullptr : &*found;
}

Result<std::vector<WrittenFigure>> writeSequence(const std::vector<SequenceFrame>& frames,
                                                 const ModelLoader& loader, const SequenceFile& how,
                                                 const ProgressCallback& watch) {
  if (Status fits = checkFigureFile(how.sheet, how.format, how.file, how.scale); !fits) return fits.error();
  const SequenceFrame* current = nullptr;
  Engine engine(
      [&](const std::string& name, const ProgressCallback& loading) -> Result<LoadedModel> {
        return current->model && current->model->name == name ? *current->model : loader(name, loading);
      },
      [] {}, neededFor);
  const FigureFonts fonts;
  std::unique_ptr<Film> film;
  if (how.moves && how.format.film) film = how.format.film(how.scale, how.seconds, fonts);
  std::optional<Figure> first;
  std::vector<WrittenFigure> written;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (!watch(static_cast<int>(i), static_cast<int>(frames.size())))
      return Error{"was cancelled", how.file.string(), ""};
    current = &frames[i];
    engine.request(current->workspace, i + 1);
    engine.finish();
    const auto shown = engine.latest();
    if (shown->standing.failed()) return Error{shown->standing.error, "", ""};
    const Figure figure = makeFigure(current->workspace, *shown, how.sheet, fonts);
    if (!first) first = figure;
    if (film) {
      film->add(figure);
      continue;
    }
    const auto file =
        writeFigure(figure, how.format, numberedFile(how.file, i + 1), how.scale, how.allNumbers, fonts);
    if (!file) return file.error();
    written.insert(written.end(), file->begin(), file->end());
  }
  if (!film || !first) return written;
  if (Status whole = writeFilm(*film, *first, how.file); !whole) return whole.error();
  return std::vector<WrittenFigure>{{how.file, ""}};
}

}  // namespace glassformer
