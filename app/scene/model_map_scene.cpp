#include "app/scene/model_map_scene.h"

#include "app/document/steps.h"
#include "app/scene/parts.h"

namespace glassformer {

namespace {

constexpr float blockGap = 6, blockPadding = 4;
constexpr float comfortable = 24, tight = 18;  // row heights
constexpr int rowsPerBlock = 6, rowsAround = 5;

// A box of the diagram stands for one or more consecutive steps; a click goes to the first.
struct Part {
  const char* title;
  int firstStep, stepCount;
};

class MapBuilder {
 public:
  MapBuilder(const SceneInput& input, const ModelConfig& config)
      : input_(input), config_(config), steps_(stepsOf(config)) {
    chooseHeights();
    scene_.size = {input.size.x, height()};
  }

  Scene build() {
    float y = 4;
    addPart({"Logits", last(), 1}, y);
    addPart({"Final norm", last() - 1, 1}, y);
    y += blockGap;
    for (int layer = config_.layers - 1; layer >= 0; --layer) addBlock(layer, y);
    addPart({"Sum", 2, 1}, y);
    addPart({"Positions", 1, 1}, y);
    addPart({"Token embedding", 0, 1}, y);
    return std::move(scene_);
  }

 private:
  static constexpr int stepsPerBlock = 14;
  int last() const { return static_cast<int>(steps_.size()) - 1; }
  bool here(int layer) const {
    const int first = 3 + layer * stepsPerBlock;
    return input_.workspace.step >= first && input_.workspace.step < first + stepsPerBlock;
  }
  bool open(int layer) const { return !folds_ || here(layer); }
  float blockHeight(int layer) const {
    return open(layer) ? rowsPerBlock * rowHeight_ + 2 * blockPadding : rowHeight_ + 2 * blockPadding;
  }
  float height() const {
    float sum = rowsAround * rowHeight_ + blockGap + 8;
    for (int layer = 0; layer < config_.layers; ++layer) sum += blockHeight(layer) + blockGap;
    return sum;
  }
  // As comfortable as fits; where even tight rows do not, only the current block is unfolded.
  void chooseHeights() {
    for (folds_ = false;; folds_ = true) {
      for (rowHeight_ = comfortable; rowHeight_ >= tight; rowHeight_ -= 2)
        if (height() <= input_.size.y) return;
      rowHeight_ = tight;
      if (folds_) return;
    }
  }

  void addBlock(int layer, float& y) {
    const int first = 3 + layer * stepsPerBlock;
    const Box frame{0, y, input_.size.x, blockHeight(layer)};
    const bool lit = here(layer);
    const Theme& theme = input_.theme;
    scene_.add(Rect{frame, theme.raised.faded(lit ? 1 : 0.45f), theme.line, Theme::radius, 1});
    const std::string name = "Block " + std::to_string(layer + 1);
    y += blockPadding;
    if (!open(layer)) {
      addPart({name.c_str(), first, stepsPerBlock}, y, 4);
      y += blockPadding + blockGap;
      return;
    }
    Text& title = addText(scene_, {frame.x + 14, frame.center().y}, name,
                          {FontFace::Ui, Theme::small - 1, lit ? theme.text : theme.quiet}, Align::Middle);
    title.upright = true;
    title.vertical = Align::Middle;
    for (const Part& part :
         {Part{"Add", first + 13, 1}, Part{"MLP", first + 11, 2}, Part{"Norm", first + 10, 1},
          Part{"Add", first + 9, 1}, Part{"Attention", first + 1, 8}, Part{"Norm", first, 1}})
      addPart(part, y, 28);
    y += blockPadding + blockGap;
  }

  void addPart(const Part& part, float& y, float indent = 0) {
    const Theme& theme = input_.theme;
    const Box box{indent, y + 1, input_.size.x - indent - (indent > 0 ? 4 : 0), rowHeight_ - 2};
    const int step = input_.workspace.step;
    const bool here = step >= part.firstStep && step < part.firstStep + part.stepCount;
    const bool pointed =
        input_.hover.step >= part.firstStep && input_.hover.step < part.firstStep + part.stepCount;
    if (here || pointed)
      scene_.add(Rect{box, here ? theme.accent.faded(0.18f) : theme.line.faded(0.6f),
                      here ? theme.accent : Rgba{0, 0, 0, 0}, 4, 1});
    std::string label = part.title;
    const Step& current = steps_[static_cast<std::size_t>(std::clamp(step, 0, last()))];
    if (here && part.stepCount > 1) label += " · " + current.title;
    Text& text =
        addText(scene_, {box.x + 10, box.center().y}, label,
                {here ? FontFace::Strong : FontFace::Ui, Theme::small, here ? theme.text : theme.quiet});
    text.maxWidth = box.width - 16;
    HitRegion hit;
    hit.box = box;
    hit.target.step = part.firstStep;
    hit.target.layer = steps_[static_cast<std::size_t>(part.firstStep)].layer;
    hit.target.text = fullTitle(steps_[static_cast<std::size_t>(part.firstStep)]);
    hit.click = [](const Target& target) { return commands::setStep(target.step); };
    hit.name = "map " + std::to_string(part.firstStep);
    scene_.hits.push_back(std::move(hit));
    y += rowHeight_;
  }

  const SceneInput& input_;
  const ModelConfig& config_;
  std::vector<Step> steps_;
  Scene scene_;
  float rowHeight_ = comfortable;
  bool folds_ = false;
};

}  // namespace

Scene modelMapScene(const SceneInput& input) {
  if (!input.snapshot.config) return emptyScene(input, "No model", input.snapshot.error);
  return MapBuilder(input, *input.snapshot.config).build();
}

}  // namespace glassformer
