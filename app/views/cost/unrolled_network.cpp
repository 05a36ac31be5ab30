#include "app/views/cost/unrolled_network.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/scene/format.h"
#include "core/lens/path_length.h"

namespace glassformer {

namespace {

// Lines of more tokens than these would be a blot: then there are those of the way alone.
constexpr int mostWithAllLines = 24;
constexpr float leastUnrolledRow = 28;

class NetworkDrawing {
 public:
  NetworkDrawing(Scene& scene, const SceneInput& input, Box box, const UnrolledNetwork& network,
                 const UnrolledLook& look)
      : scene_(scene),
        theme_(input.theme),
        network_(network),
        config_(network.config),
        look_(look),
        site_(ownSite(input.config())),
        way_(shortestWay(config_, look.tokens, look.to, look.from)) {
    const float rows = static_cast<float>(config_.layers) + 1;
    labels_ = box.takeLeft(unrolledLabels);
    states_ = box;
    states_.width = statesWidth(box, look.tokens);
    state_ = std::min(32.0f, states_.height / (2 * rows));
    gap_ = (states_.height - rows * state_) / (rows - 1);
  }

  void draw() {
    addLines();
    for (int row = 0; row <= config_.layers; ++row) addRow(row);
    addWay();
  }

 private:
  bool isRecurrent() const { return config_.mixing == Mixing::Recurrence; }

  // Row 0: the embeddings; row i: what block i − 1 leaves.
  Box row(int i) const {
    return {states_.x, states_.bottom() - state_ - static_cast<float>(i) * (state_ + gap_), states_.width,
            state_};
  }
  Box stateAt(int i, int t) const { return row(i).cell(0, t, 1, look_.tokens); }

  // How many states of a block are there by now: always the first ones.
  int thereIn(int block) const {
    int there = 0;
    while (there < look_.tokens &&
           (look_.wave < 0 || *valueOf(scene_.sources, {network_.serialSteps, {block, there}}) <=
                                  static_cast<float>(look_.wave)))
      ++there;
    return there;
  }

  void addRow(int i) {
    const Box box = row(i);
    addText(scene_, {labels_.right() - 12, box.center().y},
            i == 0 ? "embed" : "block " + std::to_string(i - 1), theme_.quietMono(), Align::End);
    scene_.add(Rect{box, i == 0 ? theme_.raised : theme_.panel, theme_.line});
    HitRegion& hit = addHitRegion(scene_, box);
    hit.columns = look_.tokens;
    if (i == 0) {
      hit.name = network_.name + "embeddings", hit.columnAxis = Axis::Key;
      hit.target.text = "an embedding: path length 0; click to start the path here";
      hit.click = [to = look_.to, site = site_](const Target& target) {
        return commands::selectCell(to, target.key, site);
      };
    } else {
      const TensorRef states{network_.serialSteps, {i - 1, 0}, 0, 1, 1};
      addStates(i, states, thereIn(i - 1));
      hit.name = network_.name + "states of block " + std::to_string(i - 1), hit.columnAxis = Axis::Query;
      hit.target.cell = states, hit.target.layer = i - 1;
      hit.click = [from = look_.from, site = site_](const Target& target) {
        return commands::selectCell(target.query, from, site);
      };
    }
  }

  // Whole numbers, where they fit.
  void addStates(int i, TensorRef states, int there) {
    if (there == 0) return;
    states.columnCount = there;
    Box box = row(i);
    box.width = box.width * static_cast<float>(there) / static_cast<float>(look_.tokens);
    Matrix matrix{box, states};
    matrix.map = ColorMap::Sequential, matrix.range = {0, look_.most};
    scene_.add(matrix);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    if (states_.width < 20 * static_cast<float>(look_.tokens) || state_ < 14) return;
    for (int t = 0; t < there; ++t) {
      const TensorRef cell{network_.serialSteps, {i - 1, t}};
      const float steps = *valueOf(scene_.sources, cell);
      const TextStyle ink{FontFace::Mono, Theme::small, inkOn(cellColor(matrix, steps, theme_.dark))};
      addText(scene_, stateAt(i, t).center(), formattedFixed(steps, 0), ink, Align::Middle).value = cell;
    }
  }

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
    for (int block = 0; block < config_.layers; ++block) {
      const ModelConfig own = config_.ofLayer(block);
      for (int t = 0; t < look_.tokens; ++t) {
        if (look_.tokens > mostWithAllLines && t != look_.to) continue;
        if (isRecurrent()) {
          addUp(block, t, t, theme_.line, 1);
          if (t > 0) addAcross(block, t - 1, t, theme_.line, 1);
          continue;
        }
        for (int s = 0; s < look_.tokens; ++s)
          if (stepsInBlock(own, t, s)) addUp(block, s, t, theme_.line, 1);
      }
    }
  }

  // A shortest way from one token to the other.
  void addWay() {
    if (way_.empty()) return;
    addOutline(scene_, stateAt(0, look_.from), theme_.accent, 2);
    addOutline(scene_, stateAt(config_.layers, look_.to), theme_.accent, 2);
    for (int block = 0; block < config_.layers; ++block) {
      const int s = way_[static_cast<std::size_t>(block)], t = way_[static_cast<std::size_t>(block) + 1];
      addUp(block, s, isRecurrent() ? s : t, theme_.accent, 2);
      if (isRecurrent() && s != t) addAcross(block, s, t, theme_.accent, 2);
    }
  }

  Scene& scene_;
  const Theme& theme_;
  const UnrolledNetwork& network_;
  const ModelConfig& config_;
  const UnrolledLook look_;
  AttentionSite site_;
  std::vector<int> way_;
  Box labels_, states_;
  float state_ = 0, gap_ = 0;
};

}  // namespace

TensorRef lastState(const TensorSources& sources, const UnrolledNetwork& network) {
  const TensorView steps = *sources.find(network.serialSteps);
  const int top = network.config.layers - 1;
  int last = 0;
  for (int t = 1; t < steps.extent[1]; ++t)
    if (steps(top, t) > steps(top, last)) last = t;
  return {network.serialSteps, {top, last}};
}

std::string serialWords(const TensorSources& sources, const UnrolledNetwork& network, int wave) {
  const TensorView steps = *sources.find(network.serialSteps);
  const std::vector<float> all = steps.copy();
  const std::string states = std::to_string(all.size()) + " states";
  if (wave < 0)
    return formattedFixed(*valueOf(sources, lastState(sources, network)), 0) + " steps in series for " +
           states;
  const auto there = std::ranges::count_if(all, [&](float s) { return s <= static_cast<float>(wave); });
  return "after " + std::to_string(wave) + (wave == 1 ? " step " : " steps ") + std::to_string(there) +
         " of " + states;
}

void addUnrolledNetwork(Scene& scene, const SceneInput& input, const Box& box, const UnrolledNetwork& network,
                        const UnrolledLook& look) {
  NetworkDrawing(scene, input, box, network, look).draw();
}

float leastHeightOf(const UnrolledNetwork& network) {
  return (static_cast<float>(network.config.layers) + 1) * leastUnrolledRow;
}

float statesWidth(const Box& box, int tokens) { return std::min(box.width, 56 * static_cast<float>(tokens)); }

}  // namespace glassformer
