#include "app/views/attention/pair_painting.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/rule_settings.h"
#include "app/engine/painted_pairs.h"
#include "app/engine/rule_findings.h"
#include "app/scene/format.h"
#include "app/views/attention/mask_painting.h"

namespace glassformer {

namespace {

using Pairs = std::vector<std::pair<int, int>>;

Pairs paintedIn(const AttentionPicture& picture) { return pairsOf(picture.input.workspace.rule); }

bool isIn(const Pairs& pairs, int query, int key) {
  return std::ranges::binary_search(pairs, std::pair(query, key));
}

// Those of the stroke's cells that the mask lets a query see: the others say nothing.
Pairs seen(const std::vector<PaintedCell>& cells, const AttentionMask& mask, bool across) {
  Pairs pairs;
  for (const PaintedCell& cell : cells)
    if (across || mask.allows(cell.query, cell.key)) pairs.emplace_back(cell.query, cell.key);
  return pairs;
}

// The places of the named rules in the order in which they are like the painting.
std::vector<int> likestFirst(const AttentionPicture& picture) {
  const TensorView likeness = *picture.scene.sources.find(paintedPairs::likeness);
  std::vector<int> order(static_cast<std::size_t>(likeness.extent[0]));
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](int i) { return !(likeness(i) > 0); });
  std::ranges::stable_sort(order, std::greater<>(), [&](int i) { return likeness(i); });
  return order;
}

// As many as there is room for. Returns where it begins.
float addLikest(AttentionPicture& picture, const Box& row, Point right) {
  const std::size_t most = row.width < 800 ? 1 : 3;
  const std::vector<int> order = likestFirst(picture);
  for (std::size_t i = std::min(most, order.size()); i-- > 0;) {
    const TensorRef ref{paintedPairs::likeness, {order[i]}};
    const std::string share = formattedPercent(valueOf(picture.scene.sources, ref).value_or(NAN));
    addText(picture.scene, {right.x, right.y + Theme::control / 2}, share, picture.theme.quietMono(),
            Align::End)
        .value = ref;
    right.x -= picture.input.metrics.width(share, FontFace::Mono, Theme::small) + 8;
    const BenchRule& named = benchRules()[static_cast<std::size_t>(order[i])];
    right.x = addChoices(picture.scene, picture.input, right,
                         {{named.id.c_str(), named.meaning.c_str(), false, commands::testRule(named.id)}})
                  .x -
              12;
  }
  if (order.empty()) return right.x;
  const std::string words = "Most like it";
  addText(picture.scene, {right.x, right.y + Theme::control / 2}, words, picture.theme.note(), Align::End);
  return right.x - picture.input.metrics.width(words, FontFace::Ui, Theme::small) - 16;
}

}  // namespace

bool isPaintingPairs(const AttentionPicture& picture) {
  return picture.settings.pairing && !picture.input.snapshot.isDifference() && !picture.input.isStill();
}

void makePairable(const AttentionPicture& picture, HitRegion& grid) {
  const Pairs painted = paintedIn(picture);
  const bool inOrder = grid.rowOrder.empty(), across = picture.lookedAt == Stream::Source;
  const AttentionMask mask = picture.mask;
  grid.draw = [=](const Target& first, int number) -> Stroke {
    const bool on = !isIn(painted, first.query, first.key);
    return [=, stroke = "pairs " + std::to_string(number)](const Target& from, const Target& to) {
      return commands::paintPairs(seen(cellsBetween(inOrder ? from : to, to, on), mask, across), on, stroke);
    };
  };
  grid.click = [=](const Target& target) {
    const bool on = !isIn(painted, target.query, target.key);
    return commands::paintPairs(seen({{target.query, target.key, on}}, mask, across), on);
  };
  grid.pan = nullptr;
}

void addPairMarks(AttentionPicture& picture, const Box& box, const PlaneWindow& window) {
  for (const auto& [query, key] : paintedIn(picture)) {
    const int row = query - window.firstQuery, column = key - window.firstKey;
    if (row < 0 || row >= window.queries || column < 0 || column >= window.keys) continue;
    const Box cell = box.cell(row, column, window.queries, window.keys);
    addOutline(picture.scene, cell.inset(std::min(2.0f, cell.width / 4)), picture.theme.accent, 2);
  }
}

void addPairingRow(AttentionPicture& picture, Box& area) {
  if (!isPaintingPairs(picture)) return;
  const Box row = area.takeTop(Theme::control + 8);
  float right = addChoices(picture.scene, picture.input, {row.right(), row.y},
                           {{"Clear", "Remove all drawn cells", false, commands::sayRule("")},
                            {"Done", "Stop drawing", false, commands::paintRule(false)}})
                    .x -
                16;
  std::string words = "Drag over cells: the keys that each query attends to.";
  const TensorRef agreement{paintedPairs::agreement, {0}};
  const float shared = valueOf(picture.scene.sources, agreement).value_or(NAN);
  if (std::isfinite(shared)) {
    words = nameOf(picture.selected) + " shares " + formattedPercent(shared) + " with it.";
    right = addLikest(picture, row, {right, row.y});
  }
  Text& text = addText(picture.scene, {row.x, row.y + Theme::control / 2}, words, picture.theme.plain());
  text.maxWidth = right - row.x;
  if (std::isfinite(shared)) text.value = agreement;
}

}  // namespace glassformer
