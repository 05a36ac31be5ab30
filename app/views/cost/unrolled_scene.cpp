#include "app/views/cost/unrolled_scene.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/drawing/view_header.h"
#include "app/scene/format.h"
#include "app/views/views.h"
#include "core/lens/path_length.h"
#include "core/lens/serial_steps.h"

namespace glassformer {

namespace {

constexpr const char *serialSteps = "lens.serial_steps", *pathLength = "lens.path_length";

// Lines of more tokens than these would be a blot: then there are those of the way alone.
constexpr int mostWithAllLines = 24;

// Blocks upwards, tokens across.
class UnrolledNetwork {
 public:
  explicit UnrolledNetwork(const SceneInput& input)
      : input_(input), theme_(input.theme), config_(input.config()), site_(ownSite(input.config())) {
    scene_.size = input.size;
    scene_.sources = input.sources();
    count_ = input.tokenCount();
    to_ = input.query();
    from_ = std::clamp(input.workspace.selection.keyAt(site_), 0, count_ - 1);
    way_ = shortestWay(config_, count_, to_, from_);
  }

  Scene drawn() {
    const float margin = scene_.size.x < 800 ? 16.0f : 24.0f, rows = static_cast<float>(config_.layers) + 1;
    scene_.size.y = std::max(scene_.size.y, 2 * margin + 112 + tokensHeight + wordsHeight + rows * leastRow);
    Box area = Box{0, 0, scene_.size.x, scene_.size.y}.inset(margin);
    addHeader(area);
    addCounts(area.takeBottom(wordsHeight));
    const Box tokens = area.takeBottom(tokensHeight);
    labels_ = area.takeLeft(72);
    states_ = area;
    state_ = std::min(32.0f, states_.height / (2 * rows));
    gap_ = (states_.height - rows * state_) / (rows - 1);
    states_.width = std::min(states_.width, 56 * static_cast<float>(count_));
    addLines();
    for (int row = 0; row <= config_.layers; ++row) addRow(row);
    addWay();
    const auto label = [&](int t) { return input_.label(t); };
    const auto chosen = [&](int t) { return t == to_ || t == from_; };
    addLabels(
        scene_, input_,
        {{states_.x, tokens.y - 1, states_.width, 1}, Side::Bottom, count_, tokensHeight - 8, label, chosen});
    return std::move(scene_);
  }

 private:
  static constexpr float tokensHeight = 72, wordsHeight = 28, leastRow = 32;

  void addHeader(Box& area) {
    ViewHeader header;
    header.title = "The network, unrolled";
    header.about = config_.mixing == Mixing::Recurrence
                       ? "steps in series until each state is there: each waits for the one before it"
                       : "steps in series until each state is there: none waits for a neighbour";
    header.layouts = pictureChoices(input_, "cost");
    addViewHeader(scene_, input_, area, header);
  }

  // Row 0: the embeddings; row i: what block i − 1 leaves.
  Box row(int i) const {
    return {states_.x, states_.bottom() - state_ - static_cast<float>(i) * (state_ + gap_), states_.width,
            state_};
  }
  Box stateAt(int i, int t) const { return row(i).cell(0, t, 1, count_); }

  void addRow(int i) {
    const Box box = row(i);
    addText(scene_, {labels_.right() - 12, box.center().y},
            i == 0 ? "embed" : "block " + std::to_string(i - 1), theme_.quietMono(), Align::End);
    HitRegion hit;
    hit.box = box, hit.columns = count_;
    hit.name = i == 0 ? "embeddings" : "states of block " + std::to_string(i - 1);
    if (i == 0) {
      scene_.add(Rect{box, theme_.raised, theme_.line, 0, 1});
      hit.columnAxis = Axis::Key;
      hit.target.text = "an embedding: it is there at once; a click begins the way here";
      hit.click = [to = to_, site = site_](const Target& target) {
        return commands::selectCell(to, target.key, site);
      };
    } else {
      Matrix matrix{box, {serialSteps, {i - 1, 0}, 0, 1}};
      matrix.values.rowCount = 1;
      matrix.map = ColorMap::Sequential, matrix.range = {0, mostSteps()};
      scene_.add(matrix);
      addNumbers(i, matrix);
      scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
      hit.target.cell = matrix.values, hit.target.layer = i - 1;
      hit.columnAxis = Axis::Query;
      hit.click = [from = from_, site = site_](const Target& target) {
        return commands::selectCell(target.query, from, site);
      };
    }
    scene_.hits.push_back(std::move(hit));
  }

  // Whole numbers, where they fit.
  void addNumbers(int i, const Matrix& matrix) {
    if (matrix.box.width < 20 * static_cast<float>(count_) || state_ < 14) return;
    for (int t = 0; t < count_; ++t) {
      const TensorRef cell{serialSteps, {i - 1, t}};
      const float steps = *valueOf(scene_.sources, cell);
      const TextStyle ink{FontFace::Mono, Theme::small, inkOn(cellColor(matrix, steps, theme_.dark))};
      addText(scene_, stateAt(i, t).center(), formattedFixed(steps, 0), ink, Align::Middle).value = cell;
    }
  }

  // The last state that is there.
  TensorRef lastState() const {
    const TensorView steps = *scene_.sources.find(serialSteps);
    int last = 0;
    for (int t = 1; t < count_; ++t)
      if (steps(config_.layers - 1, t) > steps(config_.layers - 1, last)) last = t;
    return {serialSteps, {config_.layers - 1, last}};
  }
  float mostSteps() const { return *valueOf(scene_.sources, lastState()); }

  void addLine(Point from, Point to, Rgba color, float width, bool arrow = false) {
    scene_.add(Line{{from, to}, color, width, arrow});
  }
  // From a state to the one of the next block that reads it; in a recurrence also from one token to the next.
  void addUp(int block, int s, int t, Rgba color, float width) {
    const Box from = stateAt(block, s), to = stateAt(block + 1, t);
    addLine({from.center().x, from.y - 1}, {to.center().x, to.bottom() + 1}, color, width);
  }
  void addAcross(int block, int s, int t, Rgba color, float width) {
    const Box from = stateAt(block + 1, s), to = stateAt(block + 1, t);
    addLine({from.center().x, from.y - 4}, {to.center().x, to.y - 4}, color, width, true);
  }

  void addLines() {
    const bool isRecurrent = config_.mixing == Mixing::Recurrence;
    for (int block = 0; block < config_.layers; ++block) {
      const ModelConfig own = config_.ofLayer(block);
      for (int t = 0; t < count_; ++t) {
        if (count_ > mostWithAllLines && t != to_) continue;
        if (isRecurrent) {
          addUp(block, t, t, theme_.line, 1);
          if (t > 0) addAcross(block, t - 1, t, theme_.line, 1);
          continue;
        }
        for (int s = 0; s < count_; ++s)
          if (stepsInBlock(own, t, s)) addUp(block, s, t, theme_.line, 1);
      }
    }
  }

  // A shortest way from one token to the other.
  void addWay() {
    if (way_.empty()) return;
    addOutline(scene_, stateAt(0, from_), theme_.accent, 2);
    addOutline(scene_, stateAt(config_.layers, to_), theme_.accent, 2);
    for (int block = 0; block < config_.layers; ++block) {
      const int s = way_[static_cast<std::size_t>(block)], t = way_[static_cast<std::size_t>(block) + 1];
      const bool isRecurrent = config_.mixing == Mixing::Recurrence;
      addUp(block, s, isRecurrent ? s : t, theme_.accent, 2);
      if (isRecurrent && s != t) addAcross(block, s, t, theme_.accent, 2);
    }
  }

  // "5 of 95 states one after the other", and how long the way is.
  void addCounts(const Box& box) {
    const TextStyle strong = theme_.strong();
    const std::string serial = formattedFixed(mostSteps(), 0) + " steps in series for " +
                               std::to_string(config_.layers * count_) + " states";
    addText(scene_, {box.x, box.center().y}, serial, strong).value = lastState();
    const TensorRef length{pathLength, {to_, from_}};
    const float steps = valueOf(scene_.sources, length).value_or(NAN);
    const std::string ends = "“" + input_.label(from_) + "” to “" + input_.label(to_) + "”";
    Text& path = addText(scene_, {box.right(), box.center().y},
                         std::isnan(steps) ? "no way from " + ends
                                           : "path from " + ends + ": " + formattedFixed(steps, 0) +
                                                 (steps == 1 ? " step" : " steps"),
                         strong, Align::End);
    if (!std::isnan(steps)) path.value = length;
    path.maxWidth = box.width / 2;
  }

  const SceneInput& input_;
  const Theme& theme_;
  const ModelConfig& config_;
  AttentionSite site_;
  Scene scene_;
  int count_ = 0, from_ = 0, to_ = 0;
  std::vector<int> way_;
  Box labels_, states_;
  float state_ = 0, gap_ = 0;
};

void measureUnrolled(const MeasuredPass& pass, const Begin&, TensorSet& set) {
  const int tokens = pass.trace.tokenCount();
  measureSerialSteps(pass.config(), tokens, static_cast<int>(pass.trace.source().size()), set);
  measurePathLength(pass.config(), tokens, set);
}

}  // namespace

namespace needs {
const Need unrolledNetwork{.name = "unrolled network", .onPass = measureUnrolled};
}  // namespace needs

Scene unrolledScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (!snapshot.model->config) return emptyScene(input, "No model yet", snapshot.standing.error);
  if (!snapshot.pass->hasTrace())
    return emptyScene(input, "Nothing to unroll", snapshot.standing.errorOr("Type a text on the left."));
  if (snapshot.isDifference())
    return emptyScene(input, "No difference of networks", "side by side shows that of the open text");
  if (!input.sources().contains(serialSteps))
    return emptyScene(input, "Unrolled network", waitingWords(input));
  return UnrolledNetwork(input).drawn();
}

}  // namespace glassformer
