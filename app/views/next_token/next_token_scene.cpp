#include "app/views/next_token/next_token_scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/drawing/parts.h"
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
    Box row =
        Box{0, 0, input.size.x, 24.0f * static_cast<float>(count)}.cell(static_cast<int>(i), 0, count, 1);
    HitRegion hit;
    hit.box = row;
    hit.target.cell = ref;
    hit.target.token = input.query();
    hit.target.entry = tokens[i];
    scene.hits.push_back(hit);
    if (input.hover.entry == tokens[i]) scene.add(Rect{row, theme.raised, {0, 0, 0, 0}, 4, 1});
    const Box name = row.takeLeft(std::min(96.0f, input.size.x * 0.36f));
    addText(scene, {name.x, name.center().y}, input.entryLabel(tokens[i]), theme.mono()).maxWidth =
        name.width - 8;
    const Box percent = row.takeRight(60);
    const float value = valueOf(scene.sources, ref).value_or(0);
    addText(scene, {percent.right(), percent.center().y}, formattedPercent(value), theme.quietMono(),
            Align::End)
        .value = ref;
    const float most = valueOf(scene.sources, nextTokenRef(last, tokens.front())).value_or(1);
    scene.add(Rect{row.inset(0, 7), theme.raised, {0, 0, 0, 0}, 2, 1});
    scene.add(Bar{row.inset(0, 7),
                  ref,
                  {0, input.snapshot.isDifference() ? std::max(most, 1e-9f) : 1},
                  colorAt(ColorMap::Sequential, 0.7f, theme.dark),
                  false,
                  2});
  }
  return scene;
}

}  // namespace glassformer
