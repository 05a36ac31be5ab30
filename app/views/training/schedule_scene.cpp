#include "app/views/training/schedule_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/schedule_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"

namespace glassformer {

namespace {

constexpr const char *ratesTensor = "training.rate_2017", *ratesStep = "training.schedule_step",
                     *ratesOfRun = "training.learning_rate";
constexpr int rateColumns = 400;

struct FormulaCurve {
  int width, warmup;
};
constexpr std::array formulaCurves{FormulaCurve{512, 4000},  FormulaCurve{256, 4000},
                                   FormulaCurve{1024, 4000}, FormulaCurve{512, 2000},
                                   FormulaCurve{512, 8000},  FormulaCurve{512, 16000}};
constexpr int formulaCount = static_cast<int>(formulaCurves.size());

void measureFormula(const Workspace& workspace, const ModelConfig&, TensorSet& set) {
  const int steps = chosenScheduleSteps(workspace.settings);
  Tensor rates({formulaCount, rateColumns}), at({rateColumns});
  for (int i = 0; i < rateColumns; ++i) {
    const int step = std::max(1, static_cast<int>(std::lround((i + 1.0) * steps / rateColumns)));
    at(i) = static_cast<float>(step);
    for (int z = 0; z < formulaCount; ++z) {
      const auto [width, warmup] = formulaCurves[static_cast<std::size_t>(z)];
      rates(z, i) = Schedule{ScheduleKind::InverseSqrt, 1, warmup, steps, 0, width}.rate(step);
    }
  }
  set.add({ratesStep, "N", "the step of a column", ""}, std::move(at));
  set.add({ratesTensor, "ZN", "learning rate of 2017, by width and warmup",
           "η = D^−½ · min(step^−½, step · warmup^−1½)"},
          std::move(rates));
}

class SchedulePicture {
 public:
  explicit SchedulePicture(const SceneInput& input)
      : input_(input), theme_(input.theme), steps_(chosenScheduleSteps(input.workspace.settings)) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
    if (input.snapshot.training->run && input.snapshot.training->side && scene_.sources.contains(ratesOfRun))
      run_ = input.snapshot.training->run.get();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    addViewHeader(scene_, input_, area,
                  {"LR schedule of 2017", "η = D^−½ · min(step^−½, step · warmup^−1½)", choices()});
    if (!scene_.sources.contains(ratesTensor)) {
      addText(scene_, area.center(), waitingWords(input_), theme_.note(), Align::Middle);
      return std::move(scene_);
    }
    area.takeLeft(axis), area.takeBottom(foot), area.takeRight(16);
    Plot plot{area, {0, roundedUp(1.12f * highest())}, {}};
    for (int z = 0; z < formulaCount; ++z) {
      const auto [width, warmup] = formulaCurves[static_cast<std::size_t>(z)];
      plot.lines.push_back({curveOf(z), headColor(z, theme_.dark), z == 0 ? 2.5f : 1.75f,
                            std::to_string(width) + " : " + std::to_string(warmup)});
    }
    if (run_) {
      const auto columns = static_cast<float>(run_->axis.columns * run_->axis.stride);
      plot.lines.push_back({curveOfRun(), theme_.text, 3, "", columns / static_cast<float>(steps_)});
    }
    addPlot(scene_, input_, plot, "schedule of 2017", [sources = scene_.sources](int column) {
      return "step " + formattedFixed(valueOf(sources, {ratesStep, {column}}).value_or(0), 0) +
             ", D : warmup";
    });
    addStepAxis(scene_, input_, area, steps_, steps_);
    for (const PlotLine& line : plot.lines) addDirectLabel(plot, line);
    return std::move(scene_);
  }

 private:
  static constexpr float axis = 76, foot = 28, lineHeight = 18;

  std::vector<std::vector<Choice>> choices() const {
    const auto choice = [&](const std::string& label, const char* tip, int steps) {
      return Choice{
          label, tip, steps_ == steps,
          commands::choose(scheduleStepsChoice, steps == usualScheduleSteps ? "" : std::to_string(steps))};
    };
    std::vector<Choice> all{choice("20,000 steps", "Steps of the figure in the paper", usualScheduleSteps),
                            choice("100,000", "All steps of the paper's base run", 100000)};
    if (run_ && run_->steps != usualScheduleSteps)
      all.push_back(choice("This run's", "Steps of the open run", std::max(10, run_->steps)));
    return {all};
  }

  static TensorRef curveOf(int z) { return {ratesTensor, {z}, -1, 1}; }
  TensorRef curveOfRun() const { return {ratesOfRun, {}, -1, 0, -1, run_->axis.columns}; }
  float highest() const {
    float most = rangeOf(scene_.sources, {ratesTensor, {}, 0, 1}).high;
    if (run_) most = std::max(most, rangeOf(scene_.sources, curveOfRun()).high);
    return most > 0 ? most : 1;
  }

  // Beside each line, where it is highest in sight: what it is; higher up where another one stands there.
  void addDirectLabel(const Plot& plot, const PlotLine& line) {
    const Box frame = linesIn(plot.box);
    const auto cells = plane(scene_.sources, line.values);
    if (!cells) return;
    const int columns = cells->extent[1];
    const Curve curve{{frame.x, frame.y, frame.width * line.extent, frame.height}, {}, plot.range, {}, 1};
    int top = -1;
    for (int i = 0; i < columns; ++i)
      if (const float rate = (*cells)(0, i); std::isfinite(rate) &&
                                             curvePoint(curve, i, columns, rate).x <= frame.right() &&
                                             (top < 0 || rate > (*cells)(0, top)))
        top = i;
    if (top < 0) return;
    const std::string words = line.name.empty() ? "this run" : line.name;
    const Point peak = curvePoint(curve, top, columns, (*cells)(0, top));
    const float width = input_.metrics.width(words, FontFace::Ui, Theme::small);
    Box label{std::clamp(peak.x - 4, frame.x + 4, std::max(frame.x + 4, frame.right() - width - 6)),
              std::max(frame.y, peak.y - lineHeight - 2), width + 2, lineHeight};
    place(label, frame);
    scene_.add(Rect{label, theme_.panel.faded(0.85f), {0, 0, 0, 0}, 2});  // where lines run below it
    addText(scene_, {label.x, label.center().y}, words, {FontFace::Ui, Theme::small, line.color});
    scene_.add(Rect{{peak.x - 3, peak.y - 3, 6, 6}, line.color, {0, 0, 0, 0}, 3});
    taken_.push_back(label);
  }
  // Moves a label up, line by line, until nothing stands there; at the top it begins anew at the foot.
  void place(Box& label, const Box& frame) const {
    const auto isTaken = [&] {
      return std::ranges::any_of(taken_, [&](const Box& other) {
        return label.x < other.right() + 4 && other.x < label.right() + 4 && label.y < other.bottom() &&
               other.y < label.bottom();
      });
    };
    for (int tries = 0; isTaken() && tries < 40; ++tries) {
      label.y -= lineHeight;
      if (label.y < frame.y) label.y = frame.bottom() - lineHeight;
    }
  }

  const SceneInput& input_;
  const Theme& theme_;
  int steps_;
  const RunReport* run_ = nullptr;
  Scene scene_;
  std::vector<Box> taken_;
};

}  // namespace

namespace needs {
const Need schedulesOf2017{
    .name = "schedules of 2017", .onModel = measureFormula, .reads = readChoices<scheduleStepsChoice>};
}  // namespace needs

Scene scheduleScene(const SceneInput& input) { return SchedulePicture(input).drawn(); }

}  // namespace glassformer
