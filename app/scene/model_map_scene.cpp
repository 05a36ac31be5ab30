#include "app/scene/model_map_scene.h"

#include <optional>

#include "app/document/steps.h"
#include "app/document/switches.h"
#include "app/scene/parts.h"

namespace glassformer {

namespace {

constexpr float blockGap = 6, blockPadding = 4;
constexpr float comfortable = 24, tight = 18;  // row heights
constexpr float streamX = 18, boxX = 44,
                riserX = boxX + 12;  // the residual stream, the parts, what rises from them
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

  // From the top: logits, the blocks with the last one first, the embedding. The stream is drawn first, under
  // everything.
  Scene build() {
    float y = 4;
    addPart({"Logits", last(), 1}, y);
    const float end = y + rowHeight_ / 2;
    addPart({"Final norm", last() - 1, 1}, y);
    flow({{streamX, end}, {boxX, end}}, true);
    y += blockGap;
    for (int layer = config_.layers - 1; layer >= 0; --layer) addBlock(layer, y);
    addSum({"Embedding + positions", 2, 1}, y);
    addPart({"Positions", 1, 1}, y);
    const float start = y + rowHeight_ / 2;
    addPart({"Token embedding", 0, 1}, y);
    const Rgba ink = streamColor();
    scene_.shapes.insert(scene_.shapes.begin(), {Line{{{boxX, start}, {streamX, start}}, ink, 1.5f, false},
                                                 Line{{{streamX, start}, {streamX, end}}, ink, 1.5f, false}});
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

  Rgba streamColor() const { return mix(input_.theme.panel, input_.theme.quiet, 0.7f); }
  void flow(std::vector<Point> points, bool arrow) {
    scene_.add(Line{std::move(points), streamColor(), 1.5f, arrow});
  }

  void addBlock(int layer, float& y) {
    const int first = 3 + layer * stepsPerBlock;
    const Theme& theme = input_.theme;
    const Box frame{0.5f, y, input_.size.x - 1, blockHeight(layer)};
    const bool lit = here(layer);
    scene_.add(Rect{frame, theme.raised.faded(lit ? 0.9f : 0.35f), theme.line, Theme::radius, 1});
    const std::string name = "Block " + std::to_string(layer);
    y += blockPadding;
    if (open(layer)) {
      Text& title = addText(scene_, {frame.right() - 12, frame.center().y}, name,
                            {FontFace::Ui, Theme::small - 1, lit ? theme.text : theme.quiet}, Align::Middle);
      title.upright = true;
      title.vertical = Align::Middle;
      addBranch({"Add", first + 13, 1}, {"MLP", first + 11, 2}, {"Norm", first + 10, 1}, y);
      addBranch({"Add", first + 9, 1}, {"Attention", first + 1, 8}, {"Norm", first, 1}, y);
    } else {
      addPart({name.c_str(), first, stepsPerBlock}, y);
    }
    // Drawn over the frame: the stream goes through the block.
    flow({{streamX, frame.bottom()}, {streamX, frame.y}}, false);
    y = frame.bottom() + blockGap;
  }

  // One half of a block: what it reads from the stream goes through a norm and the layer, and is added back.
  void addBranch(const Part& sum, const Part& layer, const Part& norm, float& y) {
    addSum(sum, y);
    addPart(layer, y);
    const float in = y + rowHeight_ / 2;
    addPart(norm, y);
    flow({{streamX, in}, {boxX, in}}, true);
  }

  // A ⊕ on the stream; what is added comes from the row below.
  void addSum(const Part& part, float& y) {
    const float center = y + rowHeight_ / 2, r = 6;
    const Theme& theme = input_.theme;
    const Rgba ink = lights(part) ? theme.accent : theme.quiet;
    flow({{riserX, y + rowHeight_ + 1}, {riserX, center}, {streamX + r, center}}, true);
    addPart(part, y, 24);
    scene_.add(Rect{{streamX - r, center - r, 2 * r, 2 * r},
                    lights(part) ? mix(theme.panel, theme.accent, 0.3f) : theme.panel,
                    ink,
                    r,
                    1});
    scene_.add(Line{{{streamX - 3, center}, {streamX + 3, center}}, ink, 1, false});
    scene_.add(Line{{{streamX, center - 3}, {streamX, center + 3}}, ink, 1, false});
  }

  bool lights(const Part& part) const {
    const int step = input_.workspace.step;
    return step >= part.firstStep && step < part.firstStep + part.stepCount;
  }

  void addPart(const Part& part, float& y, float indent = 0) {
    const Theme& theme = input_.theme;
    const float x = boxX + indent;
    const Box box{x, y + 1, input_.size.x - x - 28, rowHeight_ - 2};
    const bool lit = lights(part);
    const bool pointed =
        input_.hover.step >= part.firstStep && input_.hover.step < part.firstStep + part.stepCount;
    const bool framed = indent == 0;
    if (framed || lit || pointed)
      scene_.add(Rect{box,
                      lit       ? theme.accent.faded(0.18f)
                      : pointed ? theme.line
                                : mix(theme.panel, theme.raised, 0.7f),
                      lit      ? theme.accent
                      : framed ? theme.line
                               : Rgba{0, 0, 0, 0},
                      4, 1});
    std::string label = part.title;
    const Step& current = steps_[static_cast<std::size_t>(std::clamp(input_.workspace.step, 0, last()))];
    if (lit && part.stepCount > 1) label += " · " + current.title;
    if (isOff(part)) label += " · off";
    Text& text =
        addText(scene_, {box.x + 10, box.center().y}, label,
                {lit ? FontFace::Strong : FontFace::Ui, Theme::small, lit ? theme.text : theme.quiet});
    text.maxWidth = box.width - 16;
    addHit(part, box);
    y += rowHeight_;
  }

  // What a click with Ctrl switches: the attention or the MLP of a block.
  std::optional<ModelPart> switchOf(const Part& part) const {
    const int layer = steps_[static_cast<std::size_t>(part.firstStep)].layer;
    if (part.title == std::string_view("Attention")) return ModelPart{ModelPart::Kind::Attention, layer, 0};
    if (part.title == std::string_view("MLP")) return ModelPart{ModelPart::Kind::Mlp, layer, 0};
    return std::nullopt;
  }
  bool isOff(const Part& part) const {
    const auto whole = switchOf(part);
    return whole && glassformer::isOff(input_.workspace.interventions, *whole);
  }

  void addHit(const Part& part, const Box& box) {
    HitRegion hit;
    hit.box = box;
    hit.target.step = part.firstStep;
    hit.target.layer = steps_[static_cast<std::size_t>(part.firstStep)].layer;
    hit.click = [](const Target& target) { return commands::setStep(target.step); };
    if (const auto whole = switchOf(part)) {
      hit.extend = [whole](const Target&) { return commands::togglePart(*whole); };
      hit.target.text = isOff(part) ? "switched off\nCtrl click: on again" : "Ctrl click: switch it off";
    }
    hit.name = "map " + std::to_string(part.firstStep);
    scene_.hits.push_back(std::move(hit));
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
