#include "app/views/model_map/model_map_scene.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "app/document/attention_planes.h"
#include "app/document/steps.h"
#include "app/document/switches.h"
#include "app/document/view_commands.h"
#include "app/document/weight_readers.h"
#include "app/drawing/parts.h"
#include "app/views/model_map/map_ink.h"
#include "core/lens/chain_rule.h"

namespace glassformer {

namespace {

constexpr float mapBlockGap = 6, blockPadding = 4;
constexpr float comfortable = 24, tight = 18;  // row heights
constexpr float columnGap = 12;                // between encoder and decoder

// A box of the diagram stands for one or more steps in a row; a click goes to the first.
struct Part {
  StepPart kind = StepPart::Embedding;
  AttentionSite site = AttentionSite::Self;
  int layer = -1;
  int firstStep = 0, stepCount = 0;

  bool holds(int step) const { return step >= firstStep && step < firstStep + stepCount; }
};

// What a stack consists of, in the order of the forward pass.
std::vector<Part> partsOf(const std::vector<Step>& steps, Stream stream) {
  std::vector<Part> parts;
  for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
    const Step& step = steps[static_cast<std::size_t>(i)];
    if (step.stream() != stream) continue;
    const bool goesOn = !parts.empty() && parts.back().kind == step.part &&
                        parts.back().layer == step.layer && parts.back().site == step.site &&
                        parts.back().holds(i - 1);
    if (goesOn)
      ++parts.back().stepCount;
    else
      parts.push_back({step.part, step.site, step.layer, i, 1});
  }
  return parts;
}

// The step in which a number of the pass comes about: the one that shows its tensor, or, of what is kept
// beside one, such as the scale of a norm, that one; -1: none.
int stepMaking(const SceneInput& input, const std::string& tensor, const std::vector<Step>& steps) {
  if (tensor.empty()) return -1;
  const int head = selectedHead(input.workspace, input.config()).head;
  auto made = std::ranges::find(steps, tensor, [&](const Step& step) { return tensorOf(step, head); });
  if (const std::string part = placeOfPoint(tensor).part; made == steps.end() && part.find('.') != part.npos)
    made = std::ranges::find_if(steps, [scope = tensor.substr(0, tensor.rfind('.') + 1)](const Step& step) {
      return step.tensor.starts_with(scope);
    });
  return made == steps.end() ? -1 : static_cast<int>(made - steps.begin());
}

// The same of any number: a weight is where the pass reads it, a gradient where its point is.
std::vector<int> stepsOfTensor(const SceneInput& input, const std::string& tensor,
                               const std::vector<Step>& steps) {
  if (tensor.empty()) return {};
  if (const std::string gradient = gradientName(""); tensor.starts_with(gradient))
    return {stepMaking(input, tensor.substr(gradient.size()), steps)};
  if (input.model().parameters().find(tensor) < 0) return {stepMaking(input, tensor, steps)};
  std::vector<int> reading;
  for (const std::string& point : pointsReading(input.model(), tensor))
    reading.push_back(stepMaking(input, point, steps));
  return reading;
}

// Where a column's stream and boxes stand, from its left.
struct ColumnPlaces {
  float stream = 18, box = 44, right = 28;
  float riser() const { return box + 12; }
};

// The diagram of one stack: from the top what it ends in, the blocks with the last one first, the embedding.
// The residual stream runs along the left.
class StackColumn {
 public:
  StackColumn(Scene& scene, const SceneInput& input, const std::vector<Step>& steps,
              const std::vector<int>& made, Stream stream, Box box, bool narrow)
      : scene_(scene),
        input_(input),
        ink_(scene, input.theme),
        steps_(steps),
        current_(placeOf(input.workspace.step, steps)),
        pointed_(input.hover.step >= 0 ? std::vector{input.hover.step}
                                       : stepsOfTensor(input, input.hover.cell.tensor, steps)),
        made_(made),
        parts_(partsOf(steps, stream)),
        box_(box),
        narrow_(narrow),
        post_(input.config().normPlacement == NormPlacement::Post),
        replaces_(!input.config().residual) {
    if (narrow) at_ = {8, 24, 18};
  }

  float height(float rowHeight, bool folds) const {
    float sum = 8 + mapBlockGap;
    int block = -1;
    for (const Part& part : parts_) {
      if (part.layer < 0)
        sum += rowHeight;
      else if (isOpen(part.layer, folds))
        sum += rowHeight;
      if (part.layer >= 0 && part.layer != block) {
        sum += 2 * blockPadding + mapBlockGap + (isOpen(part.layer, folds) ? 0 : rowHeight);
        block = part.layer;
      }
    }
    return sum;
  }

  void draw(float rowHeight, bool folds) {
    rowHeight_ = rowHeight, folds_ = folds;
    const std::size_t firstShape = scene_.shapes.size();
    float y = box_.y + 4;
    float end = y;
    bool ended = false;
    for (int i = static_cast<int>(parts_.size()) - 1; i >= 0;) {
      const Part& part = parts_[static_cast<std::size_t>(i)];
      if (part.layer >= 0) {
        if (!ended) end = y, output_ = {x(at_.stream), y}, ended = true;
        i = addBlock(i, y);
        continue;
      }
      const float middle = y + rowHeight_ / 2;
      if (part.kind == StepPart::Start) {
        addSum(part, y);
      } else {
        if (part.kind == StepPart::Classes) classes_ = middle;
        addPart(part, y);
        if (part.kind == StepPart::Positions && isBelow(i, StepPart::Types)) addBeside(middle);
        if (part.kind == StepPart::Norm && ended) flow({{x(at_.box), middle}, {x(at_.stream), middle}}, true);
        const bool reads =
            part.kind == StepPart::Norm || part.kind == StepPart::Head || part.kind == StepPart::Unembedding;
        if (reads && isFirstAfterBlocks(i)) {
          flow({{x(at_.stream), middle}, {x(at_.box), middle}}, true);
          end = middle, ended = true;
          output_ = {box_.right() - at_.right, middle};
          if (classes_) readBeside(part, middle);
          y += mapBlockGap;
        }
      }
      --i;
    }
    const float start = y - rowHeight_ / 2;
    const Rgba ink = ink_.stream();
    const auto under = scene_.shapes.begin() + static_cast<std::ptrdiff_t>(firstShape);
    scene_.shapes.insert(under, {Line{{{x(at_.box), start}, {x(at_.stream), start}}, ink, 1.5f, false},
                                 Line{{{x(at_.stream), start}, {x(at_.stream), end}}, ink, 1.5f, false}});
  }

  /// Where attention across comes in: the left edge of its box, or of the folded block.
  const std::vector<std::pair<int, Point>>& crossings() const { return crossings_; }
  /// Where what a block leaves can be picked up; -1: what the stack ends in.
  Point outputOf(int layer) const {
    for (const auto& [block, place] : outputs_)
      if (block == layer) return place;
    return output_;
  }

 private:
  float x(float from) const { return box_.x + from; }
  bool here(int layer) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return part.layer == layer && part.holds(current_); });
  }
  bool isPointed(int layer) const {
    return std::ranges::any_of(parts_,
                               [&](const Part& part) { return part.layer == layer && isPointed(part); });
  }
  bool isPointed(const Part& part) const { return holdsAny(part, pointed_); }
  // Whether a number comes about there of those that something is made of.
  bool isOutlined(const Part& part) const { return holdsAny(part, made_); }
  static bool holdsAny(const Part& part, const std::vector<int>& steps) {
    return std::ranges::any_of(steps, [&](int step) { return part.holds(step); });
  }
  bool isOpen(int layer, bool folds) const { return !folds || here(layer); }
  bool isFirstAfterBlocks(int i) const { return i > 0 && parts_[static_cast<std::size_t>(i - 1)].layer >= 0; }

  bool isBelow(int i, StepPart kind) const {
    const auto above = static_cast<std::size_t>(i + 1);
    return above < parts_.size() && parts_[above].kind == kind;
  }

  void flow(std::vector<Point> points, bool arrow) { ink_.flow(std::move(points), arrow); }

  // The block whose last part is `last`; returns the part before its first.
  int addBlock(int last, float& y) {
    const int layer = parts_[static_cast<std::size_t>(last)].layer;
    int first = last;
    while (first > 0 && parts_[static_cast<std::size_t>(first - 1)].layer == layer) --first;
    const bool open = isOpen(layer, folds_), lit = here(layer);
    const Theme& theme = input_.theme;
    const float rows = open ? static_cast<float>(last - first + 1) : 1;
    const Box frame{box_.x + 0.5f, y, box_.width - 1, rows * rowHeight_ + 2 * blockPadding};
    ink_.block(frame, lit);
    outputs_.push_back({layer, {frame.right(), frame.y + 6}});
    y += blockPadding;
    if (open) {
      const std::string number = std::to_string(layer), name = "Block " + number;
      const bool isNamed =
          !narrow_ && input_.metrics.width(name, FontFace::Ui, Theme::small - 1) < frame.height;
      Text& title =
          addText(scene_, {frame.right() - (narrow_ ? 9 : 12), frame.center().y}, isNamed ? name : number,
                  {FontFace::Ui, Theme::small - 1, lit ? theme.text : theme.quiet}, Align::Middle);
      title.upright = isNamed;
      title.vertical = Align::Middle;
      for (int i = last; i >= first; --i) addInBlock(i, first, y);
    } else {
      Part whole = parts_[static_cast<std::size_t>(first)];
      whole.stepCount = parts_[static_cast<std::size_t>(last)].firstStep +
                        parts_[static_cast<std::size_t>(last)].stepCount - whole.firstStep;
      crossings_.push_back({layer, {x(at_.box), y + rowHeight_ / 2}});
      addPart(whole, y, "Block " + std::to_string(layer));
    }
    // Drawn over the frame: the stream goes through the block.
    flow({{x(at_.stream), frame.bottom()}, {x(at_.stream), frame.y}}, false);
    for (const float cut : std::exchange(cuts_, {})) ink_.cut({x(at_.stream), cut}, lit);
    y = frame.bottom() + mapBlockGap;
    return first - 1;
  }

  // One row. A layer reads from the stream, or from its norm in the row below; a norm reads from the stream,
  // or where it comes after the sum, makes the stream what it is from there on.
  void addInBlock(int i, int first, float& y) {
    const Part& part = parts_[static_cast<std::size_t>(i)];
    if (part.kind == StepPart::Add) return addSum(part, y);
    const Point stream{x(at_.stream), y + rowHeight_ / 2}, box{x(at_.box), stream.y};
    const bool isNorm = part.kind == StepPart::Norm;
    const StepPart below = i > first ? parts_[static_cast<std::size_t>(i - 1)].kind : StepPart::Add;
    const bool fromNorm = below == StepPart::Norm && !post_,
               // A norm behind a sublayer reads what stands below it, and so does all behind a convolution
               // where one residual goes around the whole block.
        isBehind = below != StepPart::Add &&
                   ((isNorm && input_.config().hasSandwichNorm()) || input_.config().oneResidual);
    if (part.site == AttentionSite::Cross && part.kind == StepPart::Attention)
      crossings_.push_back({part.layer, box});
    addPart(part, y);
    if (input_.config().parallel && isMixing(part)) addBeside(stream.y);
    if (isNorm && post_)
      flow({box, stream}, true);
    else if (!fromNorm && !isBehind)
      flow({stream, box}, true);
  }

  // The head for classes reads the final stream past the unembedding.
  void readBeside(const Part& first, float y) {
    const float right = box_.right() - at_.right, left = x(at_.stream);
    if (first.kind == StepPart::Norm)
      flow({{right, y}, {right + 5, y}, {right + 5, *classes_}, {right, *classes_}}, true);
    else
      flow({{left, y}, {left, *classes_}, {x(at_.box), *classes_}}, true);
  }

  static bool isMixing(const Part& part) {
    return part.kind == StepPart::Attention || part.kind == StepPart::Recurrence ||
           part.kind == StepPart::Convolution;
  }
  // Of parallel sublayers, and of positions and types, the first one's output goes past the second, and both
  // are added together.
  void addBeside(float y) {
    const float right = box_.right() - at_.right, top = sum_ + rowHeight_ / 2;
    flow({{right, y}, {right + 5, y}, {right + 5, top}, {x(at_.riser()), top}}, false);
  }

  // A ⊕ on the stream; what is added comes from the row below. Where it takes the stream's place there is no
  // sum, and the stream ends below.
  void addSum(const Part& part, float& y) {
    sum_ = y + rowHeight_ / 2;
    const float center = sum_, r = narrow_ ? 5.0f : 6.0f, stream = x(at_.stream);
    const float end = replaces_ && part.kind == StepPart::Add ? stream : stream + r;
    flow({{x(at_.riser()), y + rowHeight_ + 1}, {x(at_.riser()), center}, {end, center}}, true);
    addPart(part, y, "", 24);
    if (replaces_ && part.kind == StepPart::Add) return cuts_.push_back(center + 2);
    ink_.sum({stream, center}, r, part.holds(current_));
  }

  std::string nameOfPart(const Part& part) const {
    const std::string title = steps_[static_cast<std::size_t>(part.firstStep)].title;
    if (part.kind == StepPart::Attention)
      return part.site != AttentionSite::Cross ? "Attention" : narrow_ ? "Cross" : "Cross-attention";
    if (part.kind == StepPart::Recurrence) return "Recurrence";
    if (part.kind == StepPart::Convolution) return "Convolution";
    if (part.kind == StepPart::Mlp) return "MLP";
    if (part.kind == StepPart::Unembedding) return "Logits";
    if (part.kind == StepPart::Classes) return "Classes";
    if (!narrow_) return title;
    if (part.kind == StepPart::Start) return "Sum";
    if (part.kind == StepPart::Types) return "Types";
    return part.kind == StepPart::Embedding ? "Embedding" : title;
  }

  void addPart(const Part& part, float& y, std::string label = "", float indent = 0) {
    const Theme& theme = input_.theme;
    const float left = x(at_.box + indent);
    const Box box{left, y + 1, box_.right() - left - at_.right, rowHeight_ - 2};
    const bool lit = part.holds(current_);
    const bool whole = !label.empty();  // of a folded block
    ink_.box(box, {lit, whole ? isPointed(part.layer) : isPointed(part), isOutlined(part)}, indent == 0);
    if (!whole) label = nameOfPart(part);
    const float room = box.width - (narrow_ ? 8 : 16);
    if (lit && part.stepCount > 1 && !narrow_) {
      const std::string& step = steps_[static_cast<std::size_t>(current_)].title;
      const bool fits = input_.metrics.width(label + " · " + step, FontFace::Strong, Theme::small) <= room;
      label = fits ? label + " · " + step : step;
    }
    if (!whole && isOff(part)) label += " · off";
    Text& text =
        addText(scene_, {box.x + (narrow_ ? 6 : 10), box.center().y}, label,
                {lit ? FontFace::Strong : FontFace::Ui, Theme::small, lit ? theme.text : theme.quiet});
    text.maxWidth = room;
    addHit(part, box, whole);
    y += rowHeight_;
  }

  // What a click with Ctrl switches: the attention, what stands in its place, or the MLP of a block.
  static std::optional<ModelPart> switchOf(const Part& part) {
    using Kind = ModelPart::Kind;
    const auto whole = [&](Kind kind) { return ModelPart{kind, part.layer, 0, part.site}; };
    switch (part.kind) {
      case StepPart::Attention:
        return whole(Kind::Attention);
      case StepPart::Recurrence:
        return whole(Kind::Recurrence);
      case StepPart::Convolution:
        return whole(Kind::Convolution);
      case StepPart::Mlp:
        return whole(Kind::Mlp);
      default:
        return std::nullopt;
    }
  }
  bool isOff(const Part& part) const {
    const auto whole = switchOf(part);
    return whole && glassformer::isOff(input_.workspace.interventions, *whole);
  }

  void addHit(const Part& part, const Box& box, bool whole) {
    HitRegion hit;
    hit.box = box;
    hit.target.step = part.firstStep;
    hit.target.layer = part.layer;
    hit.click = [name = nameOf(steps_[static_cast<std::size_t>(part.firstStep)])](const Target&) {
      return commands::setStep(name);
    };
    if (const auto switched = switchOf(part); switched && !whole) {
      hit.extend = [switched](const Target&) { return commands::togglePart(*switched); };
      hit.target.text = isOff(part) ? "ablated\nCtrl click: restore it" : "Ctrl click: ablate it";
    }
    hit.name = "map " + std::to_string(part.firstStep);
    scene_.hits.push_back(std::move(hit));
  }

  Scene& scene_;
  const SceneInput& input_;
  MapInk ink_;
  const std::vector<Step>& steps_;
  int current_;               // the step that is shown
  std::vector<int> pointed_;  // those in which what is pointed at comes about, or is read
  std::vector<int> made_;     // the same of what an opened number is made of
  std::vector<Part> parts_;
  Box box_;
  bool narrow_, post_, replaces_;
  std::optional<float> classes_;  // where the head for classes stands
  std::vector<float> cuts_;       // where the stream of the block ends and is replaced
  ColumnPlaces at_;
  float rowHeight_ = comfortable, sum_ = 0;  // where the block's sum stands
  Point output_;
  bool folds_ = false;
  std::vector<std::pair<int, Point>> crossings_, outputs_;
};

// As comfortable as fits; where even tight rows do not, only the current block is unfolded.
struct Rows {
  float height = comfortable;
  bool folds = false;
};
Rows rowsIn(float room, const std::vector<const StackColumn*>& columns) {
  for (const bool folds : {false, true})
    for (float height = comfortable; height >= tight; height -= 2)
      if (std::all_of(columns.begin(), columns.end(),
                      [&](const StackColumn* column) { return column->height(height, folds) <= room; }))
        return {height, folds};
  return {tight, true};
}

// The encoder's output goes up between the stacks and into every attention across.
void addCrossing(Scene& scene, const SceneInput& input, const ModelConfig& config, const StackColumn& encoder,
                 const StackColumn& decoder, float gutter) {
  const Rgba ink = mix(input.theme.panel, input.theme.attention, 0.8f);
  for (const auto& [layer, to] : decoder.crossings()) {
    const Point from = encoder.outputOf(config.crossMemory == CrossMemory::SameLayer ? layer : -1);
    scene.add(Line{{from, {gutter, from.y}, {gutter, to.y}, to}, ink, 1.5f, true});
  }
}

Scene mapOfBoth(const SceneInput& input, const ModelConfig& config, const std::vector<Step>& steps,
                const std::vector<int>& made) {
  constexpr float titles = 20;
  Scene scene;
  const float half = (input.size.x - columnGap) / 2;
  const auto column = [&](Stream stream, Box box) {
    return StackColumn(scene, input, steps, made, stream, box, true);
  };
  const StackColumn left = column(Stream::Source, {}), right = column(Stream::Text, {});
  const Rows rows = rowsIn(input.size.y - titles, {&left, &right});
  const float high = std::max(left.height(rows.height, rows.folds), right.height(rows.height, rows.folds));
  scene.size = {input.size.x, titles + high};
  const auto boxOf = [&](const StackColumn& own, float x) {  // both begin at the bottom
    const float height = own.height(rows.height, rows.folds);
    return Box{x, titles + high - height, half, height};
  };
  StackColumn encoder = column(Stream::Source, boxOf(left, 0)),
              decoder = column(Stream::Text, boxOf(right, half + columnGap));
  addText(scene, {0, boxOf(left, 0).y - titles / 2}, "Encoder", input.theme.note());
  addText(scene, {half + columnGap, titles / 2}, "Decoder", input.theme.note());
  encoder.draw(rows.height, rows.folds);
  decoder.draw(rows.height, rows.folds);
  addCrossing(scene, input, config, encoder, decoder, half + columnGap / 2);
  return scene;
}

Scene mapOfOne(const SceneInput& input, const std::vector<Step>& steps, const std::vector<int>& made) {
  Scene scene;
  StackColumn column(scene, input, steps, made, Stream::Text, {0, 0, input.size.x, 0}, false);
  const Rows rows = rowsIn(input.size.y, {&column});
  scene.size = {input.size.x, column.height(rows.height, rows.folds)};
  column.draw(rows.height, rows.folds);
  return scene;
}

}  // namespace

Scene modelMapScene(const SceneInput& input, const std::vector<std::string>& made) {
  if (!input.snapshot.model->config)
    return emptyScene(input, "No model loaded", input.snapshot.standing.error);
  const ModelConfig& config = input.config();
  const std::vector<Step> steps = stepsOf(input.model());
  std::vector<int> stepsMade;
  for (const std::string& tensor : made)
    std::ranges::copy(stepsOfTensor(input, tensor, steps), std::back_inserter(stepsMade));
  return config.isEncoderDecoder() ? mapOfBoth(input, config, steps, stepsMade)
                                   : mapOfOne(input, steps, stepsMade);
}

}  // namespace glassformer
