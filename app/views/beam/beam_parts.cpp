#include "app/views/beam/beam_parts.h"

#include <array>
#include <cmath>
#include <set>

#include "app/document/view_commands.h"
#include "app/drawing/parts.h"

namespace glassformer {

namespace {

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
  return commands::changeSettings([=](ViewSettings& s) { s.beam.leastPercent = percent; });
}

Command setTreeSection(TreeSection section) {
  return commands::changeSettings([=](ViewSettings& s) { s.beam.section = section.inside(); });
}

}  // namespace

BeamLayout shownBeam(const SceneInput& input, const BeamTree& tree, const std::vector<int>& ends,
                     const Box& area) {
  const BeamTreeSettings& settings = input.workspace.settings.beam;
  const auto at = [&](int node) -> const BeamNode& { return tree.nodes[static_cast<std::size_t>(node)]; };
  BeamLayoutOptions options;
  options.leastColumn = options.mostColumn = 1, options.leastLink = options.mostLink = 0;
  options.prunedShown = input.workspace.settings.prunedShown;
  const bool isScored = tree.lengthPenalty != 0;  // and so has one number more
  if (input.workspace.decoding.beamWidth * 100.0f > area.height)
    options.keptHeight = isScored ? 54 : 34, options.prunedHeight = 17, options.siblingGap = 2,
    options.familyGap = 8;
  else
    options.keptHeight = isScored ? 62 : 50, options.prunedHeight = 26;
  std::set<int> always;
  for (const int end : ends)
    for (int node = end; node >= 0; node = at(node).parent) always.insert(node);
  const double least = settings.leastPercent / 100.0;
  if (settings.leastPercent > 0)
    options.hidden = [&, always](int node) {
      return std::exp(at(node).logProbability) < least && !always.contains(node);
    };
  if (!settings.folded.empty())
    options.folded = [&](int node) {
      const auto& all = settings.folded;
      return std::find(all.begin(), all.end(), tree.path(node)) != all.end();
    };
  options.size = {1, 0};
  const BeamLayout closest = layOutBeam(tree, options);
  if (closest.size.y >= area.height) return closest;
  const float roomy = BeamViewport::roomyScale(area, columnsOf(closest, tree));
  options.size.y = std::max(closest.size.y, area.height / roomy);
  return layOutBeam(tree, options);
}

int columnsOf(const BeamLayout& layout, const BeamTree& tree) {
  int columns = 1;
  for (const auto& place : layout.places)
    columns = std::max(columns, tree.nodes[static_cast<std::size_t>(place.node)].depth + 1);
  return columns;
}

BeamViewport seenOf(const SceneInput& input, const Box& area, const BeamLayout& layout,
                    const BeamTree& tree) {
  const TreeSection& section = input.workspace.settings.beam.section;
  BeamViewport viewport(area, columnsOf(layout, tree), layout.size.y, section);
  if (section.zoom > 0) return viewport;
  float top = layout.size.y, bottom = 0;
  for (int node = tree.best; node >= 0; node = tree.nodes[static_cast<std::size_t>(node)].parent) {
    const int place = layout.placeOf[static_cast<std::size_t>(node)];
    if (place < 0) continue;  // folded away
    const Box& box = layout.places[static_cast<std::size_t>(place)].box;
    if (viewport.place(box.x, 0).x >= area.right()) continue;
    top = std::min(top, box.y), bottom = std::max(bottom, box.bottom());
  }
  if (top < bottom) viewport.moveTo(top, bottom);
  return viewport;
}

Choice wholeTree(const BeamViewport& viewport) {
  const bool whole = viewport.showsAll();
  const TreeSection other{whole ? 0.0f : 1.0f, whole ? 0.0f : 0.5f, 0.5f};
  return {"Fit all", "Fit the tree to the picture (double-click)", whole, setTreeSection(other)};
}

Box addTreeControls(Scene& scene, const SceneInput& input, const Box& box, const BeamViewport& viewport) {
  const Box fit = addChoices(scene, input, {box.right(), box.y}, {wholeTree(viewport)});
  const int filter = filterOf(input.workspace.settings.beam.leastPercent);
  const char* const tip = "Hide branches whose token is less probable (Min p); the best hypothesis stays";
  return addChoices(scene, input, {fit.x - 8, box.y},
                    {{"−", "Hide fewer branches", false, setFilter(filter - 1)},
                     {filters[static_cast<std::size_t>(filter)].second, tip, filter > 0, setFilter(0)},
                     {"+", "Hide more branches", false, setFilter(filter + 1)}});
}

void addDepths(Scene& scene, const SceneInput& input, const BeamViewport& viewport, int columns) {
  const TextStyle style{FontFace::Ui, std::clamp(viewport.letterSize() - 1, Theme::small - 1, Theme::body),
                        input.theme.quiet};
  const Box& area = viewport.area();
  const float link = viewport.linkWidth();
  const int every = static_cast<int>(std::ceil(32 / viewport.columnWidth()));
  float free = area.x;  // to the right of the last one
  for (int depth = 0; depth < columns; ++depth) {
    if (depth % every != 0) continue;
    const std::string words = depth == 0 ? "text" : "+" + std::to_string(depth);
    const float half = input.metrics.width(words, style.face, style.size) / 2;
    const float x = viewport.place(static_cast<float>(depth), 0).x + (viewport.columnWidth() - link) / 2;
    const float middle = depth == 0 ? std::max(x, free + half) : x;
    if (middle - half < free - 0.5f || middle + half > area.right() || x < area.x) continue;
    addText(scene, {middle, area.y - 14}, words, style, Align::Middle);
    free = middle + half + 8;
  }
}

void addTreeMoving(Scene& scene, const BeamViewport& viewport) {
  HitRegion& hit = addHitRegion(scene, viewport.area(), {}, "beam tree");
  hit.zoom = [viewport](float notches, Point place) {
    return setTreeSection(viewport.zoomed(notches, place));
  };
  hit.pan = [viewport](Point by) { return setTreeSection(viewport.panned(by)); };
  hit.reset = [] { return setTreeSection({1, 0.5f, 0.5f}); };
}

// From the root down, as long as the text goes on with the node's bytes.
int lookedAtNode(const Snapshot& snapshot) {
  const std::string &root = snapshot.decoded->root, &text = snapshot.pass->text;
  if (!text.starts_with(root)) return -1;
  const std::vector<BeamNode>& nodes = snapshot.decoded->beam->nodes;
  std::vector<std::size_t> end(nodes.size(), std::string::npos);  // in the text, of those that are in it
  end.front() = root.size();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i > 0) {
      const std::size_t begin = end[static_cast<std::size_t>(nodes[i].parent)];
      if (begin == std::string::npos) continue;
      const std::string bytes = snapshot.model->bytesOf(std::span(&nodes[i].token, 1));
      if (text.compare(begin, bytes.size(), bytes) == 0) end[i] = begin + bytes.size();
    }
    if (end[i] == text.size()) return static_cast<int>(i);
  }
  return -1;
}

float letterSizeIn(float width, const SceneInput& input, const std::string& word, float usual) {
  constexpr float least = 10;
  while (usual > least && input.metrics.width(word, FontFace::Mono, usual) > width) --usual;
  return usual;
}

std::string beamLabel(const Snapshot& snapshot, int token) {
  return token < 0 ? "" : snapshot.model->entryLabel(token);
}

}  // namespace glassformer
