#include "app/scene/attention/attention_view.h"

#include <cmath>

#include "app/scene/attention/layouts.h"

namespace glassformer {

namespace {

TokenPair pairIn(const SceneInput& input) {
  const auto inText = [&](int i) { return i >= 0 && i < input.tokenCount(); };
  const Target& hover = input.hover;
  if (inText(hover.query) && inText(hover.key)) return {hover.query, hover.key};
  const Selection& chosen = input.workspace.selection;
  if (hover.query == Target::none && inText(chosen.query) && inText(chosen.key))
    return {chosen.query, chosen.key};
  return {};
}

AttentionPlane withQuantity(AttentionPlane plane, AttentionQuantity quantity) {
  plane.quantity = quantity;
  return plane;
}

bool isSigned(const AttentionPlane& plane) {
  return plane.fold == HeadFold::Difference || plane.quantity == AttentionQuantity::Surplus;
}

// One scale with and without the mask, so that masking changes nothing but what it takes away.
Coloring scoreScale(const AttentionView& view, const AttentionPlane& plane) {
  const auto found = [&](AttentionQuantity quantity) {
    return rangeOf(view.scene.sources, refOf(withQuantity(plane, quantity)));
  };
  return {ColorMap::Diverging,
          symmetric(unionOf(found(AttentionQuantity::Scores), found(AttentionQuantity::Masked)))};
}

}  // namespace

AttentionView::AttentionView(const SceneInput& sceneInput)
    : input(sceneInput),
      theme(sceneInput.theme),
      config(*sceneInput.snapshot.config),
      settings(sceneInput.workspace.settings.attention),
      selected(selectedHead(sceneInput.workspace, config)),
      count(sceneInput.tokenCount()),
      pair(pairIn(sceneInput)) {
  scene.size = {std::max(input.size.x, 560.0f), std::max(input.size.y, 420.0f)};
  scene.sources = input.sources();
  const bool large = scene.size.y >= 700 && scene.size.x >= 1000;
  labelSize = large && count <= 20 ? Theme::body : Theme::small;
}

AttentionPlane inTextOrder(AttentionPlane plane) {
  plane.order = RowOrder::Text;
  plane.key = 0;
  return plane;
}

TensorRef refOf(const AttentionPlane& plane) {
  if (isTraced(plane)) return {tensorOf(plane), {plane.heads.front().head, 0, 0}, 1, 2, -1, -1};
  return {tensorOf(plane), {}, 0, 1, -1, -1};
}

bool isThere(const AttentionView& view, const AttentionPlane& plane) {
  return view.scene.sources.contains(tensorOf(plane));
}

Coloring scaleOf(const AttentionView& view, const AttentionPlane& plane) {
  if (plane.quantity == AttentionQuantity::Scores || plane.quantity == AttentionQuantity::Masked)
    return scoreScale(view, plane);
  const TensorRef ref = refOf(plane);
  const auto found = [&] { return rangeOf(view.scene.sources, ref); };
  if (isSigned(plane)) {
    const float largest = symmetric(found()).high;
    const float most = largest > 1e-5f ? roundedUp(largest) : 1;  // two heads may well agree everywhere
    return {ColorMap::Diverging, {-most, most}};
  }
  const bool wholeShares = plane.quantity == AttentionQuantity::Pattern && plane.fold == HeadFold::One;
  const Range sizes{0, wholeShares || plane.normalized ? 1 : roundedUp(found().high)};
  return coloring(view.input, {ref}, {ColorMap::Sequential, sizes});
}

std::string titleOf(const AttentionView& view, const AttentionPlane& plane) {
  if (plane.fold == HeadFold::One)
    return "Block " + std::to_string(plane.heads.front().layer) + " · head " +
           std::to_string(plane.heads.front().head);
  if (plane.fold == HeadFold::Difference)
    return nameOf(plane.heads.front()) + " − " + nameOf(plane.heads.back());
  const std::string what = plane.fold == HeadFold::Average ? "Average of " : "Maximum of ";
  if (view.settings.heads.empty()) return what + "block " + std::to_string(view.selected.layer) + "’s heads";
  return what + std::to_string(plane.heads.size()) + " heads";
}

std::string quoted(const AttentionView& view, int position) { return "“" + view.input.label(position) + "”"; }

std::string relationOf(const AttentionPlane& plane, const std::string& query, const std::string& key) {
  if (plane.quantity == AttentionQuantity::Scores) return query + " compared with " + key;
  if (plane.quantity == AttentionQuantity::Moved) return query + " takes from " + key;
  return query + " looks at " + key;
}

Choice settingChoice(const char* label, const char* tip, bool on,
                     std::function<void(AttentionSettings&)> change) {
  return {label, tip, on, commands::changeAttention(std::move(change))};
}

std::vector<Choice> stageChoices(const AttentionView& view) {
  const AttentionStage shown = shownStage(view.settings);
  const auto choice = [&](const char* label, const char* tip, AttentionStage stage) {
    return settingChoice(label, tip, shown == stage, [=](AttentionSettings& s) { s.stage = stage; });
  };
  std::vector<Choice> choices{
      choice("Pattern", "the shares that softmax makes of them; every row sums to 1",
             AttentionStage::Pattern),
      choice("Moved",
             "what each key really adds: its share times the length of its value in the residual stream",
             AttentionStage::Moved)};
  if (view.settings.layout == AttentionLayout::Matrix && view.settings.fold == HeadFold::One)
    choices.insert(
        choices.begin(),
        {choice("Scores", "how well each query matches each key", AttentionStage::Scores),
         choice("Masked", "the scores a query may see: none of later tokens", AttentionStage::Masked)});
  return choices;
}

void addHeader(AttentionView& view, Box& area, const AttentionPlane& plane, const std::string& title,
               const std::vector<std::vector<Choice>>& choices) {
  const Box box = area.takeTop(2 * Theme::control + 16);
  std::vector<Choice> layouts;
  for (const AttentionLayoutEntry& entry : attentionLayouts())
    layouts.push_back(settingChoice(entry.label, entry.tip, view.settings.layout == entry.layout,
                                    [id = entry.layout](AttentionSettings& s) { s.layout = id; }));
  const Box first = addChoices(view.scene, view.input, {box.right(), box.y}, layouts);
  addText(view.scene, {box.x, first.center().y}, title, {FontFace::Strong, Theme::title, view.theme.text})
      .maxWidth = first.x - box.x - 16;
  float left = box.right(), y = first.bottom() + 8;
  for (auto group = choices.rbegin(); group != choices.rend(); ++group)
    if (!group->empty()) left = addChoices(view.scene, view.input, {left, y}, *group).x - 8;
  const TracePoint* point = view.scene.sources.point(tensorOf(plane));
  view.scene.title = title, view.scene.about = point ? point->equation : "";
  addText(view.scene, {box.x, y + Theme::control / 2}, view.scene.about,
          {FontFace::Mono, Theme::small, view.theme.quiet})
      .maxWidth = left - box.x - 8;
}

float labelDepth(const AttentionView& view, const Box& area) {
  float widest = 0;
  for (int i = 0; i < view.count; ++i)
    widest = std::max(widest, view.input.metrics.width(view.input.label(i), FontFace::Mono, view.labelSize));
  return std::clamp(std::ceil((widest + 16) / 16) * 16, 80.0f, area.width < 800 ? 88.0f : 120.0f);
}

float columnWidth(const AttentionView& view) {
  const bool wide = view.scene.size.x >= 1200;
  return std::clamp(20 + 14 * static_cast<float>(view.config.heads), wide ? 264.0f : 152.0f, 264.0f);
}

std::string windowText(const AttentionView& view, int first, int shown) {
  if (shown >= view.count) return "";
  return "tokens " + std::to_string(first) + " to " + std::to_string(first + shown - 1) + " of " +
         std::to_string(view.count);
}

}  // namespace glassformer
