#include "app/scene/beam_scene.h"

#include <array>
#include <cmath>
#include <set>

#include "app/document/text_edit.h"
#include "app/scene/beam_nodes.h"
#include "app/scene/format.h"
#include "app/scene/parts.h"

namespace glassformer {

namespace {

constexpr float headingHeight = 88, footHeight = 80, margin = 24, leastWidth = 464;

// Steps of the filter, in percent, and what they are called.
constexpr std::array filters{std::pair{0, "all p"},    std::pair{1, "p ≥ 1 %"},   std::pair{2, "p ≥ 2 %"},
                             std::pair{5, "p ≥ 5 %"},  std::pair{10, "p ≥ 10 %"}, std::pair{20, "p ≥ 20 %"},
                             std::pair{50, "p ≥ 50 %"}};

int filterOf(int percent) {
  int i = 0;
  while (i + 1 < static_cast<int>(filters.size()) &&
         filters[static_cast<std::size_t>(i) + 1].first <= percent)
    ++i;
  return i;
}

Command setFilter(int filter) {
  const int percent = filters[static_cast<std::size_t>(std::clamp<int>(filter, 0, filters.size() - 1))].first;
  return commands::changeBeamTree([=](BeamTreeSettings& s) { s.leastPercent = percent; });
}

Command setScores(BeamScores scores) {
  return commands::changeBeamTree([=](BeamTreeSettings& s) { s.scores = scores; });
}

Command setTreeView(TreeView view) {
  return commands::changeBeamTree([=](BeamTreeSettings& s) { s.view = view; });
}

class BeamBuilder {
 public:
  explicit BeamBuilder(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        settings_(input.workspace.settings.beam),
        snapshot_(input.snapshot),
        tree_(*input.snapshot.beam) {
    scene_.sources = input.sources();
    scene_.size = {std::max(input.size.x, leastWidth), std::max(input.size.y, 320.0f)};
  }

  Scene build() {
    Box rest = Box{0, 0, scene_.size.x, scene_.size.y}.inset(margin);
    const Box heading = rest.takeTop(headingHeight), foot = rest.takeBottom(footHeight - 20);
    rest.takeBottom(20);
    const BeamLayout layout = layOut(rest.height);
    int columns = 1;
    for (const auto& place : layout.places) columns = std::max(columns, at(place.node).depth + 1);
    const BeamViewport viewport(rest, columns, layout.size.y, settings_.view);
    addHeading(heading, viewport, layout);
    addDepths(viewport, columns);
    addMoving(viewport);
    scene_.add(PushClip{rest});
    addBeamNodes(scene_, input_, layout, viewport);
    scene_.add(PopClip{});
    addFoot(foot);
    return std::move(scene_);
  }

 private:
  const BeamNode& at(int node) const { return tree_.nodes[static_cast<std::size_t>(node)]; }
  bool finished() const { return snapshot_.isDecoded(); }
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }
  static TensorRef ref(const char* what, int node) { return {what, {node}}; }
  Rgba faded(Rgba color) const { return finished() ? color : mix(theme_.ground, color, 0.45f); }

  // In columns of width 1; heights are those at full size.
  BeamLayout layOut(float height) const {
    BeamLayoutOptions options;
    options.size = {1, height};
    options.leastColumn = options.mostColumn = 1, options.leastLink = options.mostLink = 0;
    options.prunedShown = input_.workspace.settings.prunedShown;
    if (input_.workspace.decoding.beamWidth * 100.0f > height)
      options.keptHeight = 34, options.prunedHeight = 17, options.siblingGap = 2, options.familyGap = 8;
    std::set<int> best;
    for (int node = tree_.best; node >= 0; node = at(node).parent) best.insert(node);
    const double least = settings_.leastPercent / 100.0;
    if (settings_.leastPercent > 0)
      options.hidden = [&, best](int node) {
        return std::exp(at(node).logProbability) < least && !best.contains(node);
      };
    if (!settings_.folded.empty())
      options.folded = [&](int node) {
        const auto& all = settings_.folded;
        return std::find(all.begin(), all.end(), tree_.path(node)) != all.end();
      };
    return layOutBeam(tree_, options);
  }

  void addHeading(Box box, const BeamViewport& viewport, const BeamLayout& layout) {
    scene_.title = "Beam tree";
    scene_.about = "width " + std::to_string(input_.workspace.decoding.beamWidth) + ", " +
                   std::to_string(input_.workspace.decoding.depth) + " tokens ahead";
    const float left = addControls(box, viewport);
    addText(scene_, {box.x, box.y + Theme::control / 2}, "Beam tree",
            {FontFace::Strong, Theme::title, theme_.text})
        .maxWidth = left - box.x - 12;
    box.takeTop(Theme::control + 8);
    addLegend(box.takeTop(20), layout);
  }

  // Returns where they begin.
  float addControls(const Box& box, const BeamViewport& viewport) {
    const bool whole = viewport.showsAll();
    const TreeView other{whole ? 0.0f : 1.0f, whole ? 0.0f : 0.5f, 0.5f};
    const Box fit =
        addChoices(scene_, input_, {box.right(), box.y},
                   {{"Whole tree", "all of it, or as much as can be read; a double click shows all", whole,
                     setTreeView(other)}});
    const int filter = filterOf(settings_.leastPercent);
    const char* const tip = "hide branches whose token is less probable; the best hypothesis stays";
    const Box least =
        addChoices(scene_, input_, {fit.x - 8, box.y},
                   {{"−", "hide fewer branches", false, setFilter(filter - 1)},
                    {filters[static_cast<std::size_t>(filter)].second, tip, filter > 0, setFilter(0)},
                    {"+", "hide more branches", false, setFilter(filter + 1)}});
    const bool text = settings_.scores == BeamScores::Text;
    return addChoices(scene_, input_, {least.x - 8, box.y},
                      {{"Text", "probabilities as numbers", text, setScores(BeamScores::Text)},
                       {"Length", "probabilities as bars", !text, setScores(BeamScores::Length)}})
        .x;
  }

  void addLegend(const Box& box, const BeamLayout& layout) {
    const TextStyle style{FontFace::Ui, Theme::small, theme_.quiet};
    const float y = box.center().y;
    float x = box.x;
    const auto word = [&](const char* text) {
      addText(scene_, {x, y}, text, style);
      x += input_.metrics.width(text, style.face, style.size) + 20;
    };
    scene_.add(Line{{{x, y}, {x + 18, y}}, theme_.accent, 4, false});
    x += 26;
    word("best");
    addGreedyMark(scene_, theme_, {x + 5, y});
    x += 18;
    word("greedy's path");
    scene_.add(Line{{{x, y}, {x + 18, y}}, prunedInk(theme_), 1.5f, false});
    x += 26;
    word("pruned");
    const std::string count = std::to_string(layout.places.size() - 1) + " of " +
                              std::to_string(tree_.nodes.size() - 1) + " branches";
    if (input_.metrics.width(count, style.face, style.size) < box.right() - x)
      addText(scene_, {box.right(), y}, count, style, Align::End);
  }

  // Faint column numbers: how many tokens ahead.
  void addDepths(const BeamViewport& viewport, int columns) {
    const TextStyle style{FontFace::Ui, Theme::small - 1, theme_.quiet};
    const Box& area = viewport.area();
    const float link = viewport.linkWidth();
    const int every = static_cast<int>(std::ceil(32 / viewport.columnWidth()));
    float free = area.x;  // to the right of the last one
    for (int depth = 0; depth < columns; ++depth) {
      if (depth % every != 0) continue;
      const std::string words = depth == 0 ? "text" : "+" + std::to_string(depth);
      const float half = input_.metrics.width(words, style.face, style.size) / 2;
      const float x = viewport.place(static_cast<float>(depth), 0).x + (viewport.columnWidth() - link) / 2;
      const float middle = depth == 0 ? std::max(x, free + half) : x;
      if (middle - half < free - 0.5f || middle + half > area.right() || x < area.x) continue;
      addText(scene_, {middle, area.y - 14}, words, style, Align::Middle);
      free = middle + half + 8;
    }
  }

  // Under all nodes, so that wheel and drag work on them and between them.
  void addMoving(const BeamViewport& viewport) {
    HitRegion hit;
    hit.box = viewport.area();
    hit.name = "beam tree";
    hit.zoom = [viewport](float notches, Point place) {
      return setTreeView(viewport.zoomed(notches, place));
    };
    hit.pan = [viewport](Point by) { return setTreeView(viewport.panned(by)); };
    hit.reset = [] { return setTreeView({1, 0.5f, 0.5f}); };
    scene_.hits.push_back(std::move(hit));
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
  const BeamTreeSettings& settings_;
  const Snapshot& snapshot_;
  const BeamTree& tree_;
  Scene scene_;
};

std::string labelOf(const Snapshot& snapshot, int node) {
  const int token = snapshot.beam->nodes[static_cast<std::size_t>(node)].token;
  return snapshot.bytesOf(std::span(&token, 1)).empty() ? "end" : snapshot.entryLabel(token);
}

}  // namespace

std::string describeNode(const Snapshot& snapshot, int node) {
  const BeamNode& described = snapshot.beam->nodes[static_cast<std::size_t>(node)];
  const TensorSources sources = sourcesOf(snapshot);
  const auto value = [&](const char* tensor) {
    return formatted(valueOf(sources, {tensor, {node}}).value_or(0));
  };
  std::string text =
      "“" + labelOf(snapshot, node) + "”, rank " + std::to_string(described.rank) + " of its step";
  if (described.greedy) text += ", greedy's choice";
  text += "\nlog P " + value("beam.cumulative");
  if (described.score != described.cumulative) text += ", score " + value("beam.score");
  if (const std::string reason = reasonOf(snapshot, node); !reason.empty()) text += "\n" + reason;
  return text;
}

std::string reasonOf(const Snapshot& snapshot, int node) {
  const BeamNode& loser = snapshot.beam->nodes[static_cast<std::size_t>(node)];
  if (loser.state != BeamState::Pruned || loser.beatenBy < 0) return "";
  const BeamNode& winner = snapshot.beam->nodes[static_cast<std::size_t>(loser.beatenBy)];
  return "beaten by “" + snapshot.entryLabel(winner.token) + "” with " +
         formattedFixed(static_cast<float>(winner.score), 2) + " against " +
         formattedFixed(static_cast<float>(loser.score), 2);
}

Scene beamScene(const SceneInput& input) {
  if (input.snapshot.config && !input.snapshot.continues())
    return emptyScene(input, "No beam tree",
                      "This model fills gaps in a text; it does not go on writing, so no hypotheses branch.");
  if (!input.snapshot.hasTrace() || !input.snapshot.beam)
    return emptyScene(input, input.snapshot.hasTrace() ? "Growing the beam tree" : "No beam tree yet",
                      !input.snapshot.error.empty() ? input.snapshot.error
                      : input.snapshot.hasTrace()   ? ""
                                                    : "Type a text on the left.");
  return BeamBuilder(input).build();
}

}  // namespace glassformer
