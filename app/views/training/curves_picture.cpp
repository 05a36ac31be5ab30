#include "app/views/training/curves_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/training_commands.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float leastPlot = 20, lossTitle = 112, lossTitleHeight = 36, curvesRowGap = 4,
                curvesFootHeight = 28, axisWidth = 64, handle = 12, clipStrip = 3, clipPitch = 4;

// Lines that share an axis; rows stand below each other.
struct PlotRow {
  const char *title, *name;  ///< `name`: of its hit region
  std::vector<PlotLine> curves;
  float share;  ///< of the height
  bool percent = false;
};

// As large as it is, moved to where it does not stand out.
Box inside(Box box, const Box& around) {
  box.x = std::clamp(box.x, around.x, std::max(around.x, around.right() - box.width));
  box.y = std::clamp(box.y, around.y, std::max(around.y, around.bottom() - box.height));
  return box;
}

const char* meaningOf(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::Constant:
      return "η stays at its peak";
    case ScheduleKind::Cosine:
      return "η falls in half a cosine to the end of the run (Loshchilov & Hutter 2017)";
    case ScheduleKind::InverseSqrt:
      return "η = D^−½ · min(step^−½, step · warmup^−1½) (Vaswani et al. 2017)";
  }
  return "";
}

class CurvesBuilder {
 public:
  explicit CurvesBuilder(TrainingPicture& picture) : picture_(picture), theme_(picture.theme) {
    const bool two = picture_.isThere("training.other_loss"), beside = picture_.run.other && !two;
    const bool alike = picture_.run.other && picture_.run.side.schedule == picture_.run.other->schedule;
    side_ = alike ? commands::bothSides : beside ? 1 : 0;
    const Rgba second = beside ? theme_.quiet : theme_.feedForward;
    const Rgba first = beside ? theme_.feedForward : theme_.attention;  // each run has one colour everywhere
    const auto row = [&](const char* title, const char* name, const char* tensor, float share) -> PlotRow& {
      PlotRow plot{title, name, {{ofRun("", tensor), first}}, share};
      if (two) {
        plot.curves.front().name = picture_.side.words;
        plot.curves.push_back({ofRun("other_", tensor), second, 2, picture_.run.other->words});
      }
      return rows_.emplace_back(std::move(plot));
    };
    PlotRow& loss = row("Loss in nats", "loss", "loss", 3);
    if (!two) {
      loss.curves.front().name = "training";
      loss.curves.push_back({ofRun("", "held_out_loss"), second, 2, "validation"});
    }
    if (picture_.side.rightShare >= 0) row("Accuracy", "accuracy", "right_share", 1.5f).percent = true;
    row("Learning rate", "learning rate", "learning_rate", 1.2f);
    const auto beginsAlike = [](const RunVariant& one) { return one.recipe.scale.equalHeads > 0; };
    if (beginsAlike(picture_.run.side) || (picture_.run.other && beginsAlike(*picture_.run.other)))
      row("Largest difference between heads", "heads apart", "heads_apart", 1.2f);
    row("Gradient norm", "gradient norm", "gradient_norm", 1.6f);
  }

  void draw(Box area) {
    addTrainingHeader(picture_, area, problem());
    area.takeLeft(axisWidth), area.takeRight(16), area.takeBottom(curvesFootHeight);
    float shares = 0;
    for (const PlotRow& row : rows_) shares += row.share;
    const float words = (lossTitleHeight + curvesRowGap) * static_cast<float>(rows_.size()) - curvesRowGap,
                least = words + leastPlot * shares;  // the smallest share is 1
    if (area.height < least) picture_.scene.size.y += least - area.height, area.height = least;
    const float height = area.height - words;
    Box plot;
    for (const PlotRow& row : rows_) {
      addTitle(area.takeTop(lossTitleHeight), row);
      plot = area.takeTop(height * row.share / shares);
      addRow(plot, row);
      area.takeTop(curvesRowGap);
    }
    addStepNumbers(picture_, plot);
  }

 private:
  // Whether there are steps to come whose schedule can be changed here.
  bool goesOn() const {
    return !picture_.input.isStill() && picture_.run.state != RunReport::State::Finished;
  }
  std::string problem() const { return picture_.run.problem.empty() ? "" : picture_.run.problem; }
  TensorRef ofRun(const std::string& whose, const std::string& tensor) const {
    return {"training." + whose + tensor, {}, -1, 0, -1, picture_.axis().columns};
  }

  Range rangeOf(const PlotRow& row) const {
    if (row.percent) return {0, 1};
    float high = 0;
    for (const PlotLine& curve : row.curves) {
      const Range found = glassformer::rangeOf(picture_.scene.sources, curve.values);
      if (std::isfinite(found.high)) high = std::max(high, found.high);
    }
    // A threshold that is far above everything stays outside.
    for (const PlotLine& curve : row.curves)
      if (const auto threshold = thresholdOf(row, curve); threshold && *threshold < 2 * high)
        high = std::max(high, *threshold);
    return {0, high > 0 ? roundedUp(high) : 1};
  }

  static bool isGradientNorm(const PlotRow& row) { return std::string_view(row.name) == "gradient norm"; }
  // "training.clipping" for "training.gradient_norm", "training.other_clipping" for the other's.
  static std::string besideNorm(const PlotLine& curve, const char* name) {
    const std::string& tensor = curve.values.tensor;
    return tensor.substr(0, tensor.rfind("gradient_norm")) + name;
  }
  // What gradients are scaled down to; nothing where they are not, and in other rows.
  std::optional<float> thresholdOf(const PlotRow& row, const PlotLine& curve) const {
    const std::string tensor = isGradientNorm(row) ? besideNorm(curve, "clipping") : "";
    if (tensor.empty() || !picture_.isThere(tensor)) return std::nullopt;
    return valueOf(picture_.scene.sources, {tensor, {0}});
  }

  void addTitle(const Box& box, const PlotRow& row) {
    const float y = box.y + (isGradientNorm(row) ? 16 : 20);  // below it lie the strips of clipped steps
    float left = box.right();
    if (std::string_view(row.name) == "learning rate" && goesOn())
      left = addChoices(picture_.scene, picture_.input, {box.right(), box.y}, scheduleChoices()).x - 16;
    else if (&row == rows_.data() && row.curves.size() > 1)
      left = addLegend(picture_.scene, picture_.input, {box.x + lossTitle, y, box.width - lossTitle, 0},
                       row.curves, Align::End)
                 .x;
    else if (isGradientNorm(row))
      left = addClippingWords(row, {box.right(), y});
    addText(picture_.scene, {box.x, y}, row.title, theme_.strong()).maxWidth = left - box.x - 8;
  }

  // "clipping at 1", behind a piece of its line. Returns where it begins.
  float addClippingWords(const PlotRow& row, Point end) {
    const PlotLine& curve = row.curves.front();
    const auto threshold = thresholdOf(row, curve);
    const std::string words = threshold ? "clipping at " + formattedShort(*threshold) : "no clipping";
    Text& text = addText(picture_.scene, end, words, theme_.note(), Align::End);
    if (threshold) text.value = {besideNorm(curve, "clipping"), {0}};
    const float left = end.x - picture_.input.metrics.width(words, FontFace::Ui, Theme::small);
    if (!threshold) return left;
    picture_.scene.add(Line{{{left - 26, end.y}, {left - 8, end.y}}, theme_.quiet, 1.5f});
    return left - 26;
  }

  // Above the plot, how many steps of each column were clipped: a strip for each run.
  void addClipping(const Box& plot, const PlotRow& row) {
    float y = plot.y;
    for (const PlotLine& curve : row.curves)
      if (thresholdOf(row, curve))
        addClippedSteps({plot.x, y -= clipPitch, plot.width, clipStrip}, besideNorm(curve, "clipped_share"),
                        curve.color);
  }

  void addClippedSteps(const Box& strip, const std::string& tensor, Rgba color) {
    const int columns = picture_.axis().columns;
    for (int i = 0; i < columns; ++i) {
      const auto share = valueOf(picture_.scene.sources, {tensor, {i}});
      if (!share || !(*share > 0)) continue;
      const Box track = strip.cell(0, i, 1, columns);
      picture_.scene.add(Bar{track, {tensor, {i}}, {0, 1}, color, true, 0});
    }
  }

  void addRow(const Box& box, const PlotRow& row) {
    Plot plot{box, rangeOf(row), row.curves};
    const Target& hover = picture_.input.hover;  // in any row
    if (hover.cell.tensor.starts_with("training.")) plot.pointed = hover.cell.index[0];
    if (row.percent) plot.numbers = percentWords;
    for (const PlotLine& curve : row.curves)
      if (thresholdOf(row, curve)) {
        TensorRef threshold = curve.values;
        threshold.tensor = besideNorm(curve, "clipping");
        plot.lines.push_back({threshold, theme_.quiet, 1.5f});
      }
    addPlot(picture_.scene, picture_.input, plot, row.name, sayOf(row)).click = showStep(picture_, 0);
    addStepMarker(picture_, box);
    addClipping(box, row);
    if (std::string_view(row.name) != "learning rate") return;
    addHandle(box, plot.range, picture_.side.schedule, side_, "warm-up");
    if (row.curves.size() > 1 && side_ != commands::bothSides)
      addHandle(box, plot.range, picture_.run.other->schedule, 1, "warmup of the other");
  }

  std::function<std::string(int column)> sayOf(const PlotRow& row) const {
    return [isNorm = isGradientNorm(row), sources = picture_.scene.sources, axis = picture_.axis(),
            newest = picture_.run.step](int column) {
      const int last = axis.stepOf(column), first = column * axis.stride + 1;
      std::string words = first >= last ? "step " + std::to_string(last)
                                        : "steps " + std::to_string(first) + " to " + std::to_string(last);
      if (first > newest) words += ", still to come";
      if (const auto share = valueOf(sources, {"training.clipped_share", {column}});
          isNorm && share && *share > 0)
        words += first >= last ? ", clipped" : ", " + formattedPercent(*share) + " of them clipped";
      return words;
    };
  }

  std::vector<Choice> scheduleChoices() const {
    std::vector<Choice> choices;
    const Schedule& now = picture_.side.schedule;
    const auto add = [&](const char* label, ScheduleKind kind) {
      choices.push_back({label, meaningOf(kind), now.kind == kind,
                         commands::setSchedule(side_, now.as(kind).description())});
    };
    add("Constant", ScheduleKind::Constant);
    add("Cosine", ScheduleKind::Cosine);
    add("2017", ScheduleKind::InverseSqrt);
    return choices;
  }

  // Where warm-up ends: dragged sideways it is longer or shorter, up and down the peak is higher or lower.
  void addHandle(const Box& frame, Range range, const Schedule& now, int side, const char* name) {
    if (!goesOn()) return;
    const Box plot = linesIn(frame);
    const int top = std::max(1, now.warmup);
    const float rate = now.rate(top);
    const Point at{picture_.placeOf(top, plot), plot.bottom() - range.fraction(rate) * plot.height};
    const Box grip{at.x - handle / 2, at.y - handle / 2, handle, handle};
    picture_.scene.add(Rect{grip, theme_.panel, side == side_ ? theme_.accent : theme_.quiet, handle / 2, 2});
    HitRegion& hit = addHitRegion(picture_.scene, inside(grip.inset(-6), frame), {}, name);
    hit.target.text = "end of warmup: step " + std::to_string(now.warmup) + ", rate " + formatted(rate) +
                      "\ndrag it or press arrow keys, for the steps that come";
    const float stepsPerBox = hit.box.width / plot.width * static_cast<float>(picture_.axis().steps),
                ratePerBox = hit.box.height / plot.height * range.high;
    const int most = picture_.axis().steps;
    const auto move = [now, side, rate, most](int steps, float by) {
      Schedule moved = now;
      moved.warmup = std::clamp(now.warmup + steps, 0, most);
      const float wanted = std::clamp(rate + by, 1e-6f, 1.0f);
      moved.peak *= wanted / std::max(1e-9f, moved.rate(std::max(1, moved.warmup)));
      Command command = commands::setSchedule(side, moved.description(), "dragging " + now.description());
      command.mergesLate = true;  // one drag, however long it takes
      return command;
    };
    hit.pan = [move, stepsPerBox, ratePerBox](Point by) {
      return move(static_cast<int>(std::lround(by.x * stepsPerBox)), -by.y * ratePerBox);
    };
    hit.arrows = [move, rate, apart = std::max(1, most / 100)](int right, int down) {
      return move(right * apart, -0.05f * rate * static_cast<float>(down));
    };
  }

  TrainingPicture& picture_;
  const Theme& theme_;
  int side_ = 0;  // whose schedule is changed here: runs that have the same one keep it together
  std::vector<PlotRow> rows_;
};

}  // namespace

void drawTrainingCurvesPicture(TrainingPicture& picture, Box area) { CurvesBuilder(picture).draw(area); }

}  // namespace glassformer
