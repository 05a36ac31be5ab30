#include "app/scene/beam_scene.h"

#include <cmath>

#include "app/document/text_edit.h"
#include "app/scene/beam_layout.h"
#include "app/scene/format.h"
#include "app/scene/parts.h"

namespace glassformer {

namespace {

constexpr float headingHeight = 60, footHeight = 80, margin = 24;

class BeamBuilder {
 public:
  explicit BeamBuilder(const SceneInput& input)
      : input_(input), theme_(input.theme), snapshot_(input.snapshot), tree_(*input.snapshot.beam) {
    scene_.sources = input.sources();
    onBest_.assign(tree_.nodes.size(), false);
    for (int node = tree_.best; node >= 0; node = at(node).parent) onBest_[index(node)] = true;
    if (input.hover.node >= 0 && input.hover.node < static_cast<int>(tree_.nodes.size()))
      for (int node = input.hover.node; node >= 0; node = at(node).parent) pointed_.push_back(node);
  }

  Scene build() {
    BeamLayoutOptions options;
    options.size = {input_.size.x - 2 * margin, input_.size.y - headingHeight - footHeight - 2 * margin};
    options.prunedShown = input_.workspace.settings.prunedShown;
    const bool tight = columnsTight(options);
    if (tight)
      options.keptHeight = 34, options.prunedHeight = 17, options.siblingGap = 2, options.familyGap = 8;
    layout_ = layOutBeam(tree_, options);
    const Box area{margin, margin, layout_.size.x, headingHeight};
    addHeading(area);
    origin_ = {margin, margin + headingHeight};
    addDepths();
    // What matters more lies on top.
    for (const int layer : {0, 1, 2})
      for (const auto& place : layout_.places)
        if (linkLayer(place.node) == layer) addLink(place);
    for (const auto& place : layout_.places) addNode(place);
    scene_.size = {std::max(input_.size.x, layout_.size.x + 2 * margin),
                   layout_.size.y + headingHeight + footHeight + 2 * margin};
    addFoot({margin, origin_.y + layout_.size.y + 20, input_.size.x - 2 * margin, footHeight - 20});
    return std::move(scene_);
  }

 private:
  static std::size_t index(int node) { return static_cast<std::size_t>(node); }
  const BeamNode& at(int node) const { return tree_.nodes[index(node)]; }
  bool finished() const { return snapshot_.isDecoded(); }
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }
  static TensorRef ref(const char* what, int node) { return {what, {node}}; }
  Rgba faded(Rgba color) const { return finished() ? color : mix(theme_.ground, color, 0.45f); }
  std::string label(int node) const {
    const int token = at(node).token;
    if (token < 0) return "";
    const std::string bytes = snapshot_.bytesOf(std::span(&token, 1));
    return bytes.empty() ? "end" : snapshot_.entryLabel(token);
  }
  bool columnsTight(const BeamLayoutOptions& options) const {
    return input_.workspace.decoding.beamWidth * 100.0f > options.size.y;
  }

  Box placed(const BeamLayout::Place& place) const {
    return {place.box.x + origin_.x, place.box.y + origin_.y, place.box.width, place.box.height};
  }

  void addHeading(const Box& box) {
    addText(scene_, {box.x, box.y + 12}, "Beam tree", {FontFace::Strong, Theme::title, theme_.text});
    scene_.title = "Beam tree";
    scene_.about = "width " + std::to_string(input_.workspace.decoding.beamWidth) + ", " +
                   std::to_string(input_.workspace.decoding.depth) + " tokens ahead";
    float x = input_.size.x - margin;
    const TextStyle style{FontFace::Ui, Theme::small, theme_.quiet};
    const auto entry = [&](const char* text) {
      const float width = input_.metrics.width(text, style.face, style.size);
      addText(scene_, {x, box.y + 12}, text, style, Align::End);
      x -= width + 8;
      return Point{x, box.y + 12};
    };
    Point at = entry("pruned");
    scene_.add(Line{{{at.x - 18, at.y}, {at.x, at.y}}, prunedInk(), 1.5f, false});
    x -= 34;
    at = entry("greedy's path");
    addGreedyMark({at.x - 5, at.y});
    x -= 26;
    at = entry("best");
    scene_.add(Line{{{at.x - 18, at.y}, {at.x, at.y}}, theme_.accent, 4, false});
  }

  // Faint column numbers: how many tokens ahead.
  void addDepths() {
    const TextStyle style{FontFace::Ui, Theme::small - 1, theme_.quiet};
    int shown = -1;
    for (const auto& place : layout_.places) {
      const int depth = at(place.node).depth;
      if (depth == shown) continue;
      shown = depth;
      addText(scene_, {placed(place).center().x, origin_.y - 16},
              depth == 0 ? "text" : "+" + std::to_string(depth), style, Align::Middle);
    }
  }

  Rgba prunedInk() const { return mix(theme_.ground, theme_.quiet, 0.4f); }
  bool isPointed(int node) const {
    return std::find(pointed_.begin(), pointed_.end(), node) != pointed_.end();
  }

  int linkLayer(int node) const {
    return onBest_[index(node)] || isPointed(node) ? 2 : isPruned(node) ? 0 : 1;
  }

  void addLink(const BeamLayout::Place& place) {
    const BeamNode& node = at(place.node);
    if (node.parent < 0) return;
    const Box from = placed(layout_.places[index(layout_.placeOf[index(node.parent)])]), to = placed(place);
    Ribbon ribbon;
    ribbon.from = {from.right(), from.center().y}, ribbon.to = {to.x, to.center().y};
    ribbon.value = ref("beam.probability", place.node);
    ribbon.range = {0, 1};
    ribbon.thickness = 9;
    const bool pruned = isPruned(place.node);
    ribbon.color = faded(onBest_[index(place.node)] ? theme_.accent
                         : isPointed(place.node)    ? theme_.text
                         : pruned                   ? prunedInk()
                                                    : mix(theme_.ground, theme_.quiet, 0.6f));
    scene_.add(ribbon);
  }

  bool isPruned(int node) const { return at(node).state == BeamState::Pruned; }

  void addNode(const BeamLayout::Place& place) {
    const Box box = placed(place);
    if (place.node == 0)
      addRoot(box);
    else if (place.box.height < 20)
      addPrunedNode(place.node, box);
    else
      addKeptNode(place.node, box);
    addHit(place.node, box);
  }

  void addRoot(const Box& box) {
    scene_.add(Rect{box, theme_.raised, theme_.line, Theme::radius, 1});
    const int last = input_.tokenCount() - 1;
    Text& text = addText(scene_, box.center(), finished() ? input_.label(last) : "…",
                         {FontFace::Mono, Theme::small, faded(theme_.text)}, Align::Middle);
    text.maxWidth = box.width - 12;
  }

  void addKeptNode(int node, const Box& box) {
    const bool best = onBest_[index(node)], pointed = isPointed(node), ending = node == tree_.best;
    const Rgba fill = best ? mix(theme_.ground, theme_.accent, 0.2f) : theme_.panel;
    scene_.add(Rect{box, fill, best || pointed ? faded(best ? theme_.accent : theme_.text) : theme_.line,
                    Theme::radius, ending ? 2.0f : 1.0f});
    addText(scene_, {box.x + 6, box.y + box.height * 0.3f}, label(node),
            {FontFace::Mono, Theme::small, faded(theme_.text)})
        .maxWidth = box.width - 10;
    if (at(node).greedy) addGreedyMark({box.right() - 8, box.y});
    addText(scene_, {box.x + 6, box.y + box.height * 0.74f},
            formattedPercent(value(ref("beam.probability", node))),
            {FontFace::Mono, Theme::small - 2, faded(theme_.quiet)})
        .value = ref("beam.probability", node);
  }

  void addPrunedNode(int node, const Box& box) {
    const float mark = at(node).greedy ? 14.0f : 0.0f;
    const Rgba ink = isPointed(node) ? theme_.text : mix(theme_.ground, theme_.quiet, 0.65f);
    addText(scene_, {box.x + 6, box.center().y}, label(node), {FontFace::Mono, Theme::small - 1, faded(ink)})
        .maxWidth = box.width - 10 - mark;
    if (at(node).greedy) addGreedyMark({box.right() - 9, box.center().y});
  }

  // A small diamond.
  void addGreedyMark(Point center) {
    const float r = 4;
    scene_.add(Rect{{center.x - r, center.y - r, 2 * r, 2 * r}, theme_.ground, {0, 0, 0, 0}, r, 1});
    scene_.add(Line{{{center.x - r, center.y},
                     {center.x, center.y - r},
                     {center.x + r, center.y},
                     {center.x, center.y + r},
                     {center.x - r, center.y}},
                    faded(theme_.text),
                    1.5f,
                    false});
  }

  void addHit(int node, const Box& box) {
    HitRegion hit;
    hit.box = box;
    hit.target.node = node;
    hit.name = "beam " + std::to_string(node);
    if (node == 0) {
      hit.target.text = "the text";
      scene_.hits.push_back(std::move(hit));
      return;
    }
    hit.target.entry = at(node).token;
    hit.target.cell = ref("beam.probability", node);
    hit.target.text = describe(node);
    if (finished()) {
      hit.click = [base = snapshot_.text, added = snapshot_.bytesOf(tree_.path(node))](const Target&) {
        return commands::appendText(base, added);
      };
    }
    scene_.hits.push_back(std::move(hit));
  }

  std::string describe(int node) const {
    std::string text = "“" + label(node) + "”, rank " + std::to_string(at(node).rank) + " of its step";
    if (at(node).greedy) text += ", greedy's choice";
    text += "\nlog P " + formatted(value(ref("beam.cumulative", node)));
    if (input_.workspace.decoding.lengthPenalty > 0)
      text += ", score " + formatted(value(ref("beam.score", node)));
    if (const std::string reason = reasonOf(snapshot_, node); !reason.empty()) text += "\n" + reason;
    return text;
  }

  // The best hypothesis in full: the end of the text, then what it adds.
  void addFoot(const Box& box) {
    scene_.add(Line{{{box.x, box.y - 8}, {box.right(), box.y - 8}}, theme_.line, 1, false});
    const std::string score = formatted(value(ref("beam.score", tree_.best)));
    const TextStyle quiet{FontFace::Ui, Theme::small, theme_.quiet};
    addText(scene_, {box.x, box.y + 8}, "Best hypothesis", quiet);
    const TextStyle number{FontFace::Mono, Theme::small, theme_.text};
    addText(scene_, {box.right(), box.y + 8}, score, number, Align::End).value =
        ref("beam.score", tree_.best);
    const float width = input_.metrics.width(score, number.face, number.size);
    addText(scene_, {box.right() - width - 8, box.y + 8}, "score", quiet, Align::End);
    HitRegion hit;
    hit.box = {box.right() - width - 50, box.y, width + 50, 18};
    hit.target.cell = ref("beam.score", tree_.best);
    hit.name = "best score";
    scene_.hits.push_back(std::move(hit));
    addHypothesis({box.x, box.y + 32, box.width, box.height - 32});
  }

  // The end of the text, quietly, and what the hypothesis adds, in up to two lines.
  void addHypothesis(const Box& box) {
    constexpr float lineHeight = 21;
    const TextStyle quiet{FontFace::Ui, Theme::body, faded(theme_.quiet)},
        strong{FontFace::Ui, Theme::body, faded(theme_.text)};
    const auto widthOf = [&](const std::string& text) {
      return input_.metrics.width(text, strong.face, strong.size);
    };
    const std::string added = displayable(snapshot_.bytesOf(tree_.path(tree_.best)));
    const std::string before = ending(displayable(snapshot_.decodedText),
                                      std::max(box.width - widthOf(added) - 4, box.width * 0.3f));
    addText(scene_, {box.x, box.y}, before, quiet);
    const float used = widthOf(before);
    const auto first = wrapped(input_.metrics, added, strong.face, strong.size, box.width - used);
    if (first.empty()) return;
    addText(scene_, {box.x + used, box.y}, first.front(), strong);
    std::string rest = added.substr(first.front().size());
    rest.erase(0, rest.find_first_not_of(' '));
    for (const std::string& line : wrapped(input_.metrics, rest, strong.face, strong.size, box.width, 1))
      addText(scene_, {box.x, box.y + lineHeight}, line, strong);
  }

  // As much of the end of a text as fits, from the start of a word.
  std::string ending(const std::string& text, float width) const {
    const auto fits = [&](const std::string& part) {
      return input_.metrics.width(part, FontFace::Ui, Theme::body) <= width;
    };
    if (fits(text)) return text;
    std::string best = "…";
    for (std::size_t at = text.rfind(' '); at != std::string::npos && at > 0; at = text.rfind(' ', at - 1)) {
      const std::string part = "…" + text.substr(at);
      if (!fits(part)) break;
      best = part;
    }
    return best;
  }
  static std::string displayable(const std::string& bytes) {
    std::string text = glassformer::displayable(bytes);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  const SceneInput& input_;
  const Theme& theme_;
  const Snapshot& snapshot_;
  const BeamTree& tree_;
  Scene scene_;
  BeamLayout layout_;
  Point origin_;
  std::vector<bool> onBest_;
  std::vector<int> pointed_;
};

}  // namespace

std::string reasonOf(const Snapshot& snapshot, int node) {
  const BeamNode& loser = snapshot.beam->nodes[static_cast<std::size_t>(node)];
  if (loser.state != BeamState::Pruned || loser.beatenBy < 0) return "";
  const BeamNode& winner = snapshot.beam->nodes[static_cast<std::size_t>(loser.beatenBy)];
  return "beaten by “" + snapshot.entryLabel(winner.token) + "” with " +
         formattedFixed(static_cast<float>(winner.score), 2) + " against " +
         formattedFixed(static_cast<float>(loser.score), 2);
}

Scene beamScene(const SceneInput& input) {
  if (!input.snapshot.hasTrace() || !input.snapshot.beam)
    return emptyScene(input, input.snapshot.hasTrace() ? "Growing the beam tree" : "No beam tree yet",
                      !input.snapshot.error.empty() ? input.snapshot.error
                      : input.snapshot.hasTrace()   ? ""
                                                    : "Type a text on the left.");
  return BeamBuilder(input).build();
}

}  // namespace glassformer
