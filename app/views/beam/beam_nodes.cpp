#include "app/views/beam/beam_nodes.h"

#include "app/document/decoding_commands.h"
#include "app/drawing/parts.h"
#include "app/views/beam/beam_node_numbers.h"
#include "app/views/beam/beam_parts.h"
#include "app/views/beam/beam_scene.h"

namespace glassformer {

namespace {

constexpr float greedyMarkSize = 8, leastWithCount = 8;

class NodePainter {
 public:
  NodePainter(Scene& scene, const SceneInput& input, const BeamLayout& layout, const BeamViewport& viewport)
      : scene_(scene),
        input_(input),
        theme_(input.theme),
        settings_(input.workspace.settings.beam),
        snapshot_(std::make_shared<const Snapshot>(input.snapshot)),
        tree_(*input.snapshot.decoded->beam),
        layout_(layout),
        viewport_(viewport),
        finished_(input.snapshot.isDecoded()) {
    link_ = viewport.linkWidth();
    lookedAt_ = lookedAtNode(*snapshot_);
    markPaths();
    countFolded();
  }

  void draw() {
    std::vector<const BeamLayout::Place*> layers[3];  // what matters more lies on top
    for (const auto& place : layout_.places)
      if (isSeen(place)) layers[layerOf(place.node)].push_back(&place);
    for (const auto& layer : layers)
      for (const auto* place : layer) addLink(*place);
    for (const auto& layer : layers)
      for (const auto* place : layer) addNode(*place);
  }

 private:
  static std::size_t index(int node) { return static_cast<std::size_t>(node); }
  const BeamNode& at(int node) const { return tree_.nodes[index(node)]; }
  bool isPruned(int node) const { return at(node).state == BeamState::Pruned; }
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }
  static TensorRef probability(int node) { return {"beam.probability", {node}}; }
  Rgba faded(Rgba color) const { return finished_ ? color : mix(theme_.ground, color, 0.45f); }
  std::string label(int node) const { return beamLabel(*snapshot_, at(node).token); }

  void markPaths() {
    onBest_.assign(tree_.nodes.size(), false);
    pointed_.assign(tree_.nodes.size(), false);
    for (int node = tree_.best; node >= 0; node = at(node).parent) onBest_[index(node)] = true;
    for (int node = lookedAt_; node > 0; node = at(node).parent) pointed_[index(node)] = true;
    if (input_.hover.node < static_cast<int>(tree_.nodes.size()))
      for (int node = input_.hover.node; node >= 0; node = at(node).parent) pointed_[index(node)] = true;
  }

  // How many nodes each folded one stands for.
  void countFolded() {
    below_.assign(tree_.nodes.size(), 0);
    parents_.assign(tree_.nodes.size(), false);
    for (std::size_t i = tree_.nodes.size(); i-- > 1;) {
      below_[index(tree_.nodes[i].parent)] += below_[i] + 1;
      parents_[index(tree_.nodes[i].parent)] = true;
    }
  }
  bool isFolded(int node) const {
    return !settings_.folded.empty() && parents_[index(node)] &&
           std::find(settings_.folded.begin(), settings_.folded.end(), tree_.path(node)) !=
               settings_.folded.end();
  }

  Box placed(const BeamLayout::Place& place) const {
    const Point from = viewport_.place(place.box.x, place.box.y);
    return {from.x, from.y, viewport_.columnWidth() - link_, place.box.height * viewport_.rowScale()};
  }
  // Pruned branches wait until there is room for them.
  bool isSeen(const BeamLayout::Place& place) const {
    const Box box = placed(place), &area = viewport_.area();
    if (isPruned(place.node) && box.height < barely - 1) return false;
    const float left = at(place.node).parent < 0 ? box.x : box.x - viewport_.columnWidth();
    return box.right() + link_ > area.x && left < area.right() && box.bottom() > area.y - 200 &&
           box.y < area.bottom() + 200;
  }
  int layerOf(int node) const {
    return onBest_[index(node)] || pointed_[index(node)] ? 2 : isPruned(node) ? 0 : 1;
  }

  void addLink(const BeamLayout::Place& place) {
    const int node = place.node, parent = at(node).parent;
    if (parent < 0) return;
    const Box from = placed(layout_.places[index(layout_.placeOf[index(parent)])]), to = placed(place);
    const Box& area = viewport_.area();
    if (std::max(from.center().y, to.center().y) < area.y ||
        std::min(from.center().y, to.center().y) > area.bottom())
      return;
    Ribbon ribbon;
    ribbon.from = {from.right(), from.center().y}, ribbon.to = {to.x, to.center().y};
    ribbon.value = probability(node);
    ribbon.range = {0, 1};
    ribbon.thickness = std::clamp(std::min(9 * viewport_.rowScale(), link_ * 0.3f), 2.0f, 12.0f);
    ribbon.color = faded(onBest_[index(node)]    ? theme_.accent
                         : pointed_[index(node)] ? theme_.text
                         : isPruned(node)        ? prunedInk(theme_)
                                                 : mix(theme_.ground, theme_.quiet, 0.6f));
    scene_.add(ribbon);
  }

  void addNode(const BeamLayout::Place& place) {
    const Box box = placed(place), &area = viewport_.area();
    if (box.x >= area.right() || box.right() <= area.x || box.y >= area.bottom() || box.bottom() <= area.y)
      return;
    if (!isPruned(place.node) || place.node == lookedAt_)
      addFrame(place.node, box);
    else if (!canWrite(box))
      scene_.add(Rect{{box.x, box.center().y - 1, box.width, 2}, prunedInk(theme_), {0, 0, 0, 0}, 0, 1});
    if (at(place.node).state == BeamState::DeadEnd) addDeadEndMark(scene_, theme_, box);
    if (tree_.groups > 1 && place.node != 0 && !isPruned(place.node) && box.height >= barely)
      addGroupMark(scene_, theme_, at(place.node).group, box);
    if (canWrite(box))
      write(place.node, box);
    else if (at(place.node).greedy && place.node != 0 && box.width > greedyMarkSize && box.height >= barely)
      markGreedy(box, false);
    if (box.height >= barely) addHit(place.node, box);
    if (isFolded(place.node) || (input_.hover.node == place.node && parents_[index(place.node)]))
      addHandle(place.node, box);
  }

  void addFrame(int node, const Box& box) {
    const bool best = onBest_[index(node)], pointed = pointed_[index(node)];
    if (box.height < barely) {
      scene_.add(Rect{box, faded(best ? theme_.accent : theme_.quiet), {0, 0, 0, 0}, 0, 1});
      return;
    }
    const Rgba fill = node == 0 ? theme_.raised
                      : best    ? mix(theme_.ground, theme_.accent, 0.2f)
                                : theme_.panel;
    if (!canWrite(box) && !best && !pointed) {  // thousands of them: as little as shows where they are
      scene_.add(Rect{box, mix(theme_.ground, theme_.quiet, 0.3f), {0, 0, 0, 0}, 3, 1});
      return;
    }
    const Rgba edge =
        node != 0 && (best || pointed) ? faded(best ? theme_.accent : theme_.text) : theme_.line;
    const bool framed = node != 0 && (node == tree_.best || node == lookedAt_);
    scene_.add(Rect{box, fill, node == lookedAt_ && framed ? faded(theme_.text) : edge,
                    std::min(Theme::radius, box.height / 3), framed ? 2.0f : 1.0f});
  }

  bool canWrite(const Box& box) const { return box.height >= oneLine && box.width >= narrowest; }

  // What of a line at this height can be seen; empty where it is cut.
  Box lineIn(const Box& box, float y, float size) const {
    const Box& area = viewport_.area();
    if (y - size / 2 < area.y || y + size / 2 > area.bottom()) return {};
    const float left = std::max(box.x + 6, area.x + 4), right = std::min(box.right() - 5, area.right() - 4);
    return right - left < 12 ? Box{} : Box{left, y - size / 2, right - left, size};
  }

  void write(int node, const Box& box) {
    const bool both = box.height >= (isPruned(node) ? twoPrunedLines : twoLines) && node != 0;
    const float size = viewport_.letterSize();
    const Box line =
        lineIn(box, both ? box.y + size * (isPruned(node) ? 0.62f : 0.85f) : box.center().y, size);
    const bool pointed = pointed_[index(node)];
    const Rgba ink = isPruned(node) && !pointed ? mix(theme_.ground, theme_.quiet, 0.75f) : theme_.text;
    const std::string words = node != 0 ? label(node) : finished_ ? rootLabel() : "…";
    const float mark = at(node).greedy && isPruned(node) ? 14.0f : 0.0f;
    const float type = letterSizeIn(line.width - mark, input_, words, isPruned(node) ? size - 1 : size);
    if (line.width > mark + 8)
      addText(scene_, {line.x, line.center().y}, words, {FontFace::Mono, type, faded(ink)}).maxWidth =
          line.width - mark;
    if (at(node).greedy && node != 0) markGreedy(box, both && !isPruned(node));
    if (both)
      addNumbers(node, box, line);
    else if (isPruned(node))
      addLackBeside(node, line, input_.metrics.width(words, FontFace::Mono, type) + mark);
  }
  // Of a pruned node with one line alone, behind its token, where that leaves room.
  void addLackBeside(int node, Box line, float token) {
    line.takeLeft(token + 6);
    addNodeNumbers(scene_, input_, numbersOfNode(scene_, tree_, node, false), line,
                   {FontFace::Mono, leastNumber(), faded(mix(theme_.ground, theme_.quiet, 0.75f))});
  }

  // The last token that the tree grows from.
  std::string rootLabel() const {
    int last = input_.tokenCount() - 1;
    const std::vector<TokenPiece>& tokens = snapshot_->pass->tokens;
    while (last > 0 && tokens[index(last)].begin >= snapshot_->decoded->root.size()) --last;
    return input_.label(last);
  }

  void markGreedy(const Box& box, bool onEdge) {
    // Of a node that the area cuts, the mark stands where it is seen.
    const Box inner = seenWithMarks(viewport_.area()).inset(greedyMarkSize / 2 + 1);
    const float x = std::clamp(box.right() - 8, inner.x, inner.right());
    const float y = std::clamp(onEdge ? box.y : box.center().y, inner.y, inner.bottom());
    if (x >= box.x && x <= box.right()) addGreedyMark(scene_, theme_, {x, y});
  }

  // In a presentation no letters are smaller.
  float leastNumber() const { return input_.isPresented() ? Theme::small : 9; }
  // Below the token, whose line is known: a bar of its probability, if that is asked for, and its numbers.
  void addNumbers(int node, const Box& box, const Box& token) {
    if (token.width <= 0) return;
    Box rest{token.x, token.bottom() + 1, token.width, box.bottom() - token.bottom() - 2};
    rest.height = std::min(rest.height, viewport_.area().bottom() - 3 - rest.y);
    const float least = leastNumber(), usual = std::max(viewport_.letterSize() - 2, least);
    const float size = isPruned(node) ? std::clamp(rest.height / 1.2f, least, usual) : usual;
    const bool isBar = settings_.scores == BeamScores::Length && !isPruned(node);
    if (isBar && rest.height >= 10) addBar(node, rest.takeTop(10).inset(0, 2));
    const Rgba ink = isPruned(node) ? mix(theme_.ground, theme_.quiet, 0.75f) : theme_.quiet;
    addNodeNumbers(scene_, input_, numbersOfNode(scene_, tree_, node, !isBar), rest,
                   {FontFace::Mono, size, faded(ink)});
  }
  void addBar(int node, const Box& track) {
    scene_.add(Rect{track, theme_.raised, {0, 0, 0, 0}, 2, 1});
    scene_.add(
        Bar{track,
            probability(node),
            {0, 1},
            faded(onBest_[index(node)] ? theme_.accent : colorAt(ColorMap::Sequential, 0.7f, theme_.dark)),
            false,
            2});
  }

  // A click takes the path's text, and the tree stays; one with Ctrl folds.
  void addHit(int node, const Box& box) {
    HitRegion hit;
    hit.box = seen(box);
    hit.target.node = node;
    hit.name = "beam " + std::to_string(node);
    if (parents_[index(node)])
      hit.extend = [snapshot = snapshot_](const Target& target) {
        return commands::toggleFold(snapshot->decoded->beam->path(target.node));
      };
    if (node == 0) {
      hit.target.text = lookedAt_ == 0 ? "the text" : "the text; click to return to it";
      if (finished_ && lookedAt_ != 0) hit.click = lookingAt();
      scene_.hits.push_back(std::move(hit));
      return;
    }
    hit.target.entry = at(node).token;
    hit.target.cell = probability(node);
    const std::string folded =
        isFolded(node) ? "\nfolded: " + std::to_string(below_[index(node)]) + " branches follow" : "";
    const std::string here =
        node == lookedAt_ ? "\nevery view shows it; a click lets the tree grow from here" : "";
    hit.say = [snapshot = snapshot_, folded, here](const Target& target) {
      return describeNode(*snapshot, target.node) + folded + here;
    };
    if (finished_ && node == lookedAt_)
      hit.click = [](const Target&) { return commands::searchFromHere(); };
    else if (finished_)
      hit.click = lookingAt();
    scene_.hits.push_back(std::move(hit));
  }
  std::function<Command(const Target&)> lookingAt() const {
    return [snapshot = snapshot_](const Target& target) {
      return commands::lookAt(snapshot->decoded->root,
                              snapshot->model->bytesOf(snapshot->decoded->beam->path(target.node)));
    };
  }
  Box seen(const Box& box) const {
    const Box& area = viewport_.area();
    const float x = std::max(box.x, area.x), y = std::max(box.y, area.y);
    return {x, y, std::min(box.right(), area.right()) - x, std::min(box.bottom(), area.bottom()) - y};
  }

  // That of a folded node, which would look like a leaf without it, is always in sight.
  Box handleAt(Box handle, bool folded) const {
    const Box& area = viewport_.area();
    if (!folded) return handle;
    handle.x = std::clamp(handle.x, area.x, std::max(area.x, area.right() - handle.width));
    handle.y = std::clamp(handle.y, area.y, std::max(area.y, area.bottom() - handle.height));
    return handle;
  }
  // Where a count has no room.
  void addFoldedEdge(const Box& box) {
    scene_.add(Rect{{box.right() - 3, box.y, 3, box.height}, theme_.accent, {0, 0, 0, 0}, 1, 1});
  }

  // Where the branches begin: takes them away and, with their number, brings them back.
  void addHandle(int node, const Box& box) {
    const bool folded = isFolded(node);
    const std::string words = folded ? "+" + std::to_string(below_[index(node)]) : "−";
    const TextStyle style{FontFace::Mono, 11, theme_.text};
    const float width = std::max(16.0f, input_.metrics.width(words, style.face, style.size) + 8);
    // Behind the node; where columns are narrow, at its end.
    const float x = width + 2 <= link_ ? box.right() + 1 : box.right() - width;
    const Box handle = handleAt({x, box.center().y - 8, width, 16}, folded);
    if (folded && (box.height < leastWithCount || handle.x < box.x)) return addFoldedEdge(box);
    const Box whole = seen(handle);
    const bool fits = handle.x >= box.x && box.height >= handle.height;
    if (!folded && (!fits || whole.width < handle.width || whole.height < handle.height)) return;
    scene_.add(Rect{handle, theme_.raised, theme_.accent, 8, 1});
    addText(scene_, handle.center(), words, style, Align::Middle);
    HitRegion hit;
    hit.box = handle;
    hit.target.node = node;
    hit.target.text = folded ? "show the continuations" : "hide the continuations   Ctrl+click";
    hit.name = "fold " + std::to_string(node);
    hit.click = [snapshot = snapshot_](const Target& target) {
      return commands::toggleFold(snapshot->decoded->beam->path(target.node));
    };
    hit.tabStop = false;  // Ctrl with the node's own mark does the same
    scene_.hits.push_back(std::move(hit));
  }

  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const BeamTreeSettings& settings_;
  std::shared_ptr<const Snapshot> snapshot_;  // for what clicks do later
  const BeamTree& tree_;
  const BeamLayout& layout_;
  const BeamViewport& viewport_;
  bool finished_;
  float link_ = 0;
  int lookedAt_ = 0;
  std::vector<bool> onBest_, pointed_, parents_;
  std::vector<int> below_;
};

}  // namespace

Rgba prunedInk(const Theme& theme) { return mix(theme.ground, theme.quiet, 0.4f); }

Box seenWithMarks(const Box& area) {
  constexpr float mark = greedyMarkSize / 2 + 1;
  return {area.x, area.y - mark, area.width, area.height + mark};
}

void addGreedyMark(Scene& scene, const Theme& theme, Point center) {
  const float r = greedyMarkSize / 2;
  scene.add(Rect{{center.x - r, center.y - r, 2 * r, 2 * r}, theme.ground, {0, 0, 0, 0}, r, 1});
  scene.add(Line{{{center.x - r, center.y},
                  {center.x, center.y - r},
                  {center.x + r, center.y},
                  {center.x, center.y + r},
                  {center.x - r, center.y}},
                 theme.text,
                 1.5f,
                 false});
}

// Along its left edge.
void addGroupMark(Scene& scene, const Theme& theme, int group, const Box& box) {
  scene.add(Rect{{box.x, box.y + box.height * 0.12f, 3, box.height * 0.76f},
                 headColor(group, theme.dark),
                 {0, 0, 0, 0},
                 1,
                 1});
}

// Nothing leads past its right end.
void addDeadEndMark(Scene& scene, const Theme& theme, const Box& box) {
  scene.add(Rect{{box.right() - 4, box.y, 4, box.height}, theme.feedForward, {0, 0, 0, 0}, 1, 1});
}

void addBeamNodes(Scene& scene, const SceneInput& input, const BeamLayout& layout,
                  const BeamViewport& viewport) {
  NodePainter(scene, input, layout, viewport).draw();
}

}  // namespace glassformer
