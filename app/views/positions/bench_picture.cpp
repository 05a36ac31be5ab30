#include "app/views/positions/bench_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/chosen_number.h"
#include "app/document/model_commands.h"
#include "app/document/view_commands.h"
#include "app/engine/position_bench.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "app/views/positions/positions_picture.h"
#include "core/train/tasks/positions_task.h"

namespace glassformer {

namespace {

class BenchPicture {
 public:
  explicit BenchPicture(const SceneInput& input)
      : input_(input), theme_(input.theme), models_(input.snapshot.kept.offered) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    addViewHeader(scene_, input_, area,
                  {"Extrapolation of six encodings",
                   "Accuracy on repeated tokens, by text length",

                   {textChoices()}});
    const auto table = scene_.sources.find(positionBench::share);
    if (!table || models_.empty()) {
      const std::string& missing = input_.snapshot.kept.missing;
      addText(scene_, area.center(), missing.empty() ? waitingWords(input_) : missing, theme_.note(),
              Align::Middle)
          .maxWidth = area.width;
      return std::move(scene_);
    }
    lengths_ = table->extent[1];
    area.takeLeft(56);
    const Box names = area.takeRight(benchNamesWidth);
    area.takeTop(24), area.takeBottom(48);
    addModels(area);
    addLengths(area);
    addNames({names.x + 12, area.y, names.width - 12, area.height});
    return std::move(scene_);
  }

 private:
  static constexpr float benchNamesWidth = 176, nameHeight = 19;

  int count() const { return static_cast<int>(models_.size()); }
  TensorRef cellOf(int model, int length) const { return {positionBench::share, {model, length}}; }
  float shareOf(int model, int length) const {
    return valueOf(scene_.sources, cellOf(model, length)).value_or(NAN);
  }
  int tokensAt(int length) const {
    return static_cast<int>(valueOf(scene_.sources, {positionBench::tokens, {length}}).value_or(0));
  }
  // The longest texts that it was measured on so far; -1: none.
  int lastOf(int model) const {
    int last = -1;
    for (int i = 0; i < lengths_; ++i)
      if (std::isfinite(shareOf(model, i))) last = i;
    return last;
  }
  std::string nameOfModel(int model) const {
    const std::string& name = models_[static_cast<std::size_t>(model)].name;
    return name.substr(name.find('/') + 1);
  }
  Rgba colorOf(int model) const { return headColor(model, theme_.dark); }
  bool isOpen(int model) const {
    return input_.workspace.model == models_[static_cast<std::size_t>(model)].name;
  }

  std::vector<Choice> textChoices() const {
    using namespace positionBench;
    const int chosen = chosenNumber(input_.workspace.settings, textsChoice, usualBenchTexts);
    const auto choice = [&](int texts) {
      return Choice{std::to_string(texts) + " texts", "Number of texts measured per length", chosen == texts,
                    commands::choose(textsChoice, texts == usualBenchTexts ? "" : std::to_string(texts))};
    };
    return {choice(usualBenchTexts), choice(mostBenchTexts)};
  }

  void addLengths(const Box& box) {
    for (int i = 0; i < lengths_; ++i) {
      const float x = box.cell(0, i, 1, lengths_).center().x;
      addText(scene_, {x, box.bottom() + 12}, std::to_string(tokensAt(i)), theme_.quietMono(), Align::Middle);
      if (tokensAt(i) != longestInTraining) continue;
      scene_.add(Line{{{x, box.y}, {x, box.bottom()}}, theme_.quiet});
      addText(scene_, {x, box.y - 12}, "longest in training", theme_.note(), Align::Middle);
    }
    addText(scene_, {box.center().x, box.bottom() + 34}, "tokens of a text", theme_.note(), Align::Middle);
  }

  void addModels(const Box& box) {
    Plot plot{.box = box, .numbers = percentWords};
    for (int model = count(); model-- > 0;)  // drawn, and listed by files, in their order
      plot.lines.push_back({{positionBench::share, {model, 0}, -1, 1},
                            headColor(model, theme_.dark),
                            isOpen(model) ? 4.0f : 2.5f,
                            nameOfModel(model)});
    addPlot(scene_, input_, plot, "lengths", [sources = scene_.sources](int length) {
      return formattedFixed(valueOf(sources, {positionBench::tokens, {length}}).value_or(0), 0) + " tokens";
    }).target.cell = plot.lines.back().values;
  }

  // Beside the end of each line, as near as they can stand to one another.
  void addNames(const Box& area) {
    std::vector<int> order;
    for (int model = 0; model < count(); ++model)
      if (lastOf(model) >= 0) order.push_back(model);
    const auto share = [&](int model) { return shareOf(model, lastOf(model)); };
    std::ranges::stable_sort(order, [&](int a, int b) { return share(a) > share(b); });
    const auto heightOf = [&](std::size_t i) { return nameHeight * static_cast<float>(order.size() - i); };
    float least = area.y;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const int model = order[i];
      const float wanted = area.bottom() - share(model) * area.height,
                  most = area.bottom() - heightOf(i) + nameHeight;
      const float y = std::max(least, std::min(wanted, most));
      least = y + nameHeight;
      addName({area.x, y}, area.width, model);
    }
  }
  void addName(Point at, float width, int model) {
    const TensorRef cell = cellOf(model, lastOf(model));
    scene_.add(Line{{{at.x, at.y}, {at.x + 14, at.y}}, colorOf(model), 3});
    Text& text = addText(scene_, {at.x + 20, at.y},
                         formattedPercent(shareOf(model, lastOf(model))) + "  " + nameOfModel(model),
                         {isOpen(model) ? FontFace::Strong : FontFace::Ui, Theme::small, theme_.text});
    text.value = cell, text.maxWidth = width - 20;
    HitRegion& hit = addHitRegion(scene_, {at.x, at.y - nameHeight / 2, width, nameHeight}, cell,
                                  "encoding " + nameOfModel(model));
    hit.target.text = nameOfModel(model) + ", " + std::to_string(tokensAt(lastOf(model))) +
                      " tokens\na click opens this model";
    hit.click = [name = models_[static_cast<std::size_t>(model)].name](const Target&) {
      return commands::setModel(name);
    };
  }

  const SceneInput& input_;
  const Theme& theme_;
  const std::vector<OfferedModel>& models_;
  Scene scene_;
  int lengths_ = 0;
};

}  // namespace

Scene positionBenchScene(const SceneInput& input) {
  if (!input.snapshot.model->config)
    return emptyScene(input, "No model loaded", input.snapshot.standing.error);
  return BenchPicture(input).drawn();
}

}  // namespace glassformer
