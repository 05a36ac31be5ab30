#include "app/views/next_token/next_token_scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/drawing/parts.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {
constexpr const char* choicesLens = "lens.next_token";
}  // namespace

TensorRef nextTokenRef(int place, int token) { return {choicesLens, {place, token}}; }

std::vector<int> likeliestTokens(const SceneInput& input, int count, int place) {
  const auto lens = input.sources().find(choicesLens);
  if (!lens) return {};
  const TensorView row = (*lens)[place < 0 ? lens->extent[0] - 1 : place];
  std::vector<int> order(static_cast<std::size_t>(row.extent[0]));
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&, changes = input.snapshot.isDifference()](int entry) {
    return changes ? std::abs(row(entry)) : row(entry);
  };
  const auto kept = std::min(order.size(), static_cast<std::size_t>(count));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](int a, int b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
  order.resize(kept);
  return order;
}

Scene nextTokenListScene(const SceneInput& input, int count) {
  Scene scene;
  scene.size = input.size;
  scene.sources = input.sources();
  const std::vector<int> tokens =
      input.snapshot.pass->hasTrace() ? likeliestTokens(input, count) : std::vector<int>{};
  const Theme& theme = input.theme;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const int last = scene.sources.find(choicesLens)->extent[0] - 1;
    const TensorRef ref = nextTokenRef(last, tokens[i]);
    const Box row =
        Box{0, 0, input.size.x, 24.0f * static_cast<float>(count)}.cell(static_cast<int>(i), 0, count, 1);
    if (input.hover.entry == tokens[i]) scene.add(Rect{row, theme.raised, {0, 0, 0, 0}, 4});
    const float most = valueOf(scene.sources, nextTokenRef(last, tokens.front())).value_or(1);
    HitRegion& hit = addBarRow(scene, input,
                               {{0, input.snapshot.isDifference() ? std::max(most, 1e-9f) : 1},
                                std::min(96.0f, input.size.x * 0.36f),
                                60,
                                10,
                                formattedPercent,
                                false,
                                true},
                               {row, ref, input.entryLabel(tokens[i]), {}, {}, theme.quietMono()}, "");
    hit.target.token = input.query(), hit.target.entry = tokens[i];
  }
  return scene;
}

}  // namespace glassformer
