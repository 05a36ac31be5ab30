#include "app/views/beam/beam_difference_scene.h"

#include <algorithm>
#include <cmath>

#include "app/document/decoding_commands.h"
#include "app/document/text_edit.h"
#include "app/drawing/parts.h"
#include "app/scene/format.h"
#include "app/views/beam/beam_nodes.h"
#include "app/views/beam/beam_parts.h"

namespace glassformer {

namespace {

constexpr float beamDifferenceFootHeight = 72, beamDifferenceLeastWidth = 464;

class BeamDifferenceBuilder {
 public:
  explicit BeamDifferenceBuilder(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        snapshot_(std::make_shared<const Snapshot>(input.snapshot)),
        both_(snapshot_->decoded->beams->both),
        tree_(both_.tree) {
    scene_.sources = input.sources();
    scene_.size = {std::max(input.size.x, beamDifferenceLeastWidth), std::max(input.size.y, 320.0f)};
    colors_ = coloring(input, {{"beam.difference.score", {}, 0, -1, -1, -1}}, {ColorMap::Diverging, {-1, 1}});
    onBest_.assign(tree_.nodes.size(), false);
    for (const int best : {tree_.best, both_.bestOfB})
      for (int node = best; node >= 0; node = at(node).parent) onBest_[index(node)] = true;
  }

  Scene build() {
    Box rest = Box{0, 0, scene_.size.x, scene_.size.y}.inset(margin());
    const Box heading = rest.takeTop(input_.isHeadedApart() ? 52.0f : 88.0f),
              foot = rest.takeBottom(beamDifferenceFootHeight);
    rest.takeBottom(16);
    const BeamLayout layout = shownBeam(input_, tree_, {tree_.best, both_.bestOfB}, rest);
    const BeamViewport viewport = seenOf(input_, rest, layout, tree_);
    addHeading(heading, viewport);
    addDepths(scene_, input_, viewport, columnsOf(layout, tree_));
    addTreeMoving(scene_, viewport);
    scene_.add(PushClip{rest});
    for (const auto& place : layout.places) addLink(layout, place, viewport);
    for (const auto& place : layout.places) addNode(place, viewport);
    scene_.add(PopClip{});
    addFoot(foot);
    return std::move(scene_);
  }

 private:
  static std::size_t index(int node) { return static_cast<std::size_t>(node); }
  const BeamNode& at(int node) const { return tree_.nodes[index(node)]; }
  bool isPruned(int node) const { return at(node).state == BeamState::Pruned; }
  bool isShared(int node) const { return node != 0 && both_.inBoth(node); }
  bool onlyHere(int node) const { return both_.b[index(node)] < 0; }
  bool onlyThere(int node) const { return both_.a[index(node)] < 0; }
  static TensorRef difference(int node) { return {"beam.difference.score", {node}}; }
  TensorRef probability(int node) const {
    return {onlyThere(node) ? "beam.there.probability" : "beam.here.probability", {node}};
  }
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }
  // Of what one text alone has: an end of the scale.
  Rgba colorOfOne(bool here) const { return signColor(here ? 1.0f : -1.0f, theme_.dark); }
  Rgba colorOf(int node) const {
    if (onlyHere(node) || onlyThere(node)) return colorOfOne(onlyHere(node));
    return colorAt(colors_.map, colors_.range.fraction(value(difference(node))), theme_.dark);
  }

  // As wide in a narrow window as in a wide one: half a row more at the lower edge would name nothing.
  float margin() const { return input_.isPresented() ? marginOf(input_, scene_.size.x) : 24; }

  void addHeading(Box box, const BeamViewport& viewport) {
    scene_.title = "Beam searches";
    scene_.about = "Hypotheses of one text alone, and the score difference of those of both";
    const float left = addTreeControls(scene_, input_, box, viewport).x;
    if (input_.isHeadedApart()) return addLegend(box);
    addText(scene_, {box.x, box.y + Theme::control / 2}, "Beam searches",
            {FontFace::Strong, Theme::title, theme_.text})
        .maxWidth = left - box.x - 12;
    box.takeTop(Theme::control + 8);
    addLegend(box.takeTop(20));
  }

  void addLegend(const Box& box) {
    const TextStyle style = theme_.note();
    const float y = box.center().y;
    float x = box.x;
    const auto word = [&](const std::string& text) {
      addText(scene_, {x, y}, text, style);
      x += input_.metrics.width(text, style.face, style.size) + 20;
    };
    for (const bool here : {true, false}) {
      scene_.add(Rect{{x, y - 6, 12, 12}, {0, 0, 0, 0}, colorOfOne(here), 3, 1.5f});
      x += 20;
      word(here ? "+ only here" : "− only in the other");
    }
    const std::string most = formattedShort(colors_.range.high);
    const std::string ends[] = {"−" + most, "+" + most + "  score in both"};
    const float needed = 140 + input_.metrics.width(ends[0] + ends[1], style.face, style.size);
    if (needed > box.right() - x) return;
    addText(scene_, {x, y}, ends[0], style);
    x += input_.metrics.width(ends[0], style.face, style.size) + 8;
    scene_.add(ColorScale{{x, y - 6, 80, 12}, colors_.map, false});
    x += 88;
    addText(scene_, {x, y}, ends[1], style);
  }

  static Box placed(const BeamLayout::Place& place, const BeamViewport& viewport) {
    const Point from = viewport.place(place.box.x, place.box.y);
    return {from.x, from.y, viewport.columnWidth() - viewport.linkWidth(),
            place.box.height * viewport.rowScale()};
  }

  void addLink(const BeamLayout& layout, const BeamLayout::Place& place, const BeamViewport& viewport) {
    const int node = place.node, parent = at(node).parent;
    if (parent < 0) return;
    const Box from = placed(layout.places[index(layout.placeOf[index(parent)])], viewport),
              to = placed(place, viewport);
    const Box& area = viewport.area();
    if (to.right() < area.x || from.x > area.right() || std::max(from.bottom(), to.bottom()) < area.y ||
        std::min(from.y, to.y) > area.bottom())
      return;
    Ribbon ribbon;
    ribbon.from = {from.right(), from.center().y}, ribbon.to = {to.x, to.center().y};
    ribbon.value = probability(node);
    ribbon.range = {0, 1};
    ribbon.thickness =
        std::clamp(std::min(9 * viewport.rowScale(), viewport.linkWidth() * 0.3f), 2.0f, 12.0f);
    const bool one = onlyHere(node) || onlyThere(node);
    const Rgba color = one ? colorOf(node) : theme_.quiet;
    ribbon.color = onBest_[index(node)] ? color : mix(theme_.ground, color, isPruned(node) ? 0.35f : 0.6f);
    scene_.add(ribbon);
  }

  void addNode(const BeamLayout::Place& place, const BeamViewport& viewport) {
    const Box box = placed(place, viewport), &area = viewport.area();
    if (box.x >= area.right() || box.right() <= area.x || box.y >= area.bottom() || box.bottom() <= area.y)
      return;
    const int node = place.node;
    const bool writes = box.height >= oneLine && box.width >= narrowest;
    if (isShared(node) && box.height >= barely) {
      scene_.add(Matrix{box, difference(node), colors_.map, colors_.range});
      scene_.add(Rect{box, {0, 0, 0, 0}, onBest_[index(node)] ? theme_.text : theme_.line});
    } else {
      addFrame(node, box, writes);
    }
    if (input_.hover.node == node) addOutline(scene_, box.inset(-1), theme_.text);
    if (writes)
      write(node, box, viewport,
            isShared(node)   ? inkOn(colorOf(node))
            : isPruned(node) ? theme_.quiet
                             : theme_.text);
    if (box.height >= barely) addHit(node, box, area);
  }

  // Of a node that only one has, or of the text. What was pruned is a stroke at most, as is what is too
  // small.
  void addFrame(int node, const Box& box, bool writes) {
    if (writes && isPruned(node)) return;
    const Rgba color = node == 0 ? theme_.line : isShared(node) ? prunedInk(theme_) : colorOf(node);
    if (writes)
      return void(scene_.add(Rect{box, node == 0 ? theme_.raised : theme_.panel, color,
                                  std::min(Theme::radius, box.height / 3),
                                  onBest_[index(node)] && node != 0 ? 2.0f : 1.0f}));
    const float height = isPruned(node) ? std::min(box.height, 2.0f) : std::max(box.height, 1.0f);
    scene_.add(Rect{{box.x, box.center().y - height / 2, box.width, height},
                    mix(theme_.ground, color, isPruned(node) ? 0.5f : 0.8f),
                    {0, 0, 0, 0},
                    1});
  }

  // What of a line at this height can be seen; empty where it is cut.
  static Box lineIn(const Box& box, float y, float size, const Box& area) {
    if (y - size / 2 < area.y || y + size / 2 > area.bottom()) return {};
    const float left = std::max(box.x + 6, area.x + 4), right = std::min(box.right() - 5, area.right() - 4);
    return right - left < 12 ? Box{} : Box{left, y - size / 2, right - left, size};
  }

  void write(int node, const Box& box, const BeamViewport& viewport, Rgba ink) {
    const bool both = box.height >= twoLines && node != 0;
    const float size = viewport.letterSize();
    const Box line = lineIn(box, both ? box.y + box.height * 0.3f : box.center().y, size, viewport.area());
    const std::string sign = node == 0 ? "" : onlyHere(node) ? "+" : onlyThere(node) ? "−" : "";
    if (line.width > 8)
      addText(scene_, {line.x, line.center().y},
              node == 0 ? "text" : sign + beamLabel(*snapshot_, at(node).token), {FontFace::Mono, size, ink})
          .maxWidth = line.width;
    if (!both) return;
    const Box below = lineIn(box, box.y + box.height * 0.74f, size - 2, viewport.area());
    const TensorRef ref = both_.inBoth(node) ? difference(node) : probability(node);
    const std::string words = both_.inBoth(node) ? signedScore(value(ref)) : formattedPercent(value(ref));
    if (input_.metrics.width(words, FontFace::Mono, size - 2) > below.width) return;
    addText(scene_, {below.x, below.center().y}, words,
            {FontFace::Mono, size - 2, both_.inBoth(node) ? ink : theme_.quiet})
        .value = ref;
  }

  void addHit(int node, const Box& box, const Box& area) {
    const float x = std::max(box.x, area.x), y = std::max(box.y, area.y);
    HitRegion& hit = addHitRegion(
        scene_, {x, y, std::min(box.right(), area.right()) - x, std::min(box.bottom(), area.bottom()) - y},
        {}, "beam " + std::to_string(node));
    hit.target.node = node;
    hit.target.text = node == 0 ? "end of each text" : describe(node);
    if (node != 0) {
      hit.target.entry = at(node).token;
      hit.target.cell = both_.inBoth(node) ? difference(node) : probability(node);
      hit.click = [snapshot = snapshot_](const Target& target) {
        return commands::lookAt(
            snapshot->decoded->root,
            snapshot->model->bytesOf(snapshot->decoded->beams->both.tree.path(target.node)));
      };
    }
  }

  std::string describe(int node) const {
    const auto side = [&](const char* where, const BeamTree& tree, int own, const char* tensor) {
      if (own < 0) return std::string(where) + ": not there";
      return std::string(where) + ": score " + formatted(value({tensor, {node}})) +
             (tree.nodes[index(own)].state == BeamState::Pruned ? ", pruned" : ", kept");
    };
    const ComparedBeams& beams = *snapshot_->decoded->beams;
    return "“" + beamLabel(*snapshot_, at(node).token) + "”\n" +
           side("here", *beams.a, both_.a[index(node)], "beam.here.score") + "\n" +
           side("in the other text", *beams.b, both_.b[index(node)], "beam.there.score");
  }

  void addFoot(const Box& box) {
    scene_.add(Line{{{box.x, box.y}, {box.right(), box.y}}, theme_.line});
    addBest({box.x, box.y + 12, box.width, 24}, "Best here", tree_.best, "beam.here.score");
    addBest({box.x, box.y + 44, box.width, 24}, "Best in the other", both_.bestOfB, "beam.there.score");
  }

  void addBest(Box row, const char* title, int node, const char* tensor) {
    const float y = row.center().y;
    addText(scene_, {row.x, y}, title, theme_.note());
    row.takeLeft(132);
    const TensorRef ref{tensor, {node}};
    addText(scene_, {row.right(), y}, formatted(value(ref)), theme_.mono(), Align::End).value = ref;
    row.takeRight(72);
    std::string words = displayable(snapshot_->model->bytesOf(tree_.path(node)));
    std::replace(words.begin(), words.end(), '\n', ' ');
    addText(scene_, {row.x, y}, words, {FontFace::Ui, Theme::body, theme_.text}).maxWidth = row.width;
  }

  static std::string signedScore(float score) { return (score > 0 ? "+" : "") + formattedFixed(score, 2); }

  const SceneInput& input_;
  const Theme& theme_;
  std::shared_ptr<const Snapshot> snapshot_;  // for what clicks do later
  const BeamUnion& both_;
  const BeamTree& tree_;
  Scene scene_;
  Coloring colors_;
  std::vector<bool> onBest_;
};

}  // namespace

Scene beamDifferenceScene(const SceneInput& input) {
  if (!input.snapshot.decoded->beams)
    return emptyScene(input, "No searches to compare yet", waitingWords(input));
  return BeamDifferenceBuilder(input).build();
}

}  // namespace glassformer
