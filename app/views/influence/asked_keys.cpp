#include "app/views/influence/asked_keys.h"

#include <algorithm>
#include <numeric>

#include "app/document/change_settings.h"
#include "app/document/view_commands.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float keyRow = 24;
constexpr std::size_t mostKeys = 5;

// Those with the largest shares, of equals the first one first; a wanted one among them.
std::vector<int> keysListed(const TensorView& shares, int wanted) {
  std::vector<int> keys(static_cast<std::size_t>(shares.extent[0]));
  std::iota(keys.begin(), keys.end(), 0);
  std::ranges::stable_sort(keys, std::greater<>(), [&](int key) { return shares(key); });
  keys.resize(std::min(keys.size(), mostKeys));
  if (wanted >= 0 && std::ranges::find(keys, wanted) == keys.end()) keys.back() = wanted;
  return keys;
}

void addKey(InfluencePicture& picture, const Box& row, const AnswerAsked& asked, int key, bool isFirst) {
  const auto& [scene, input, theme] = std::tie(picture.scene, picture.input, picture.theme);
  const auto& [layer, head, site] = *asked.head;
  const TensorRef share{attentionPoint(layer, site, "hook_pattern"), {head, asked.position, key}};
  const bool isChosen = key == asked.target || (isFirst && asked.target < 0),
             isPointed = input.hover.cell == share;
  if ((isChosen || isPointed) && !input.isStill())
    scene.add(Rect{row.inset(0, 1), isChosen ? theme.accent.faded(0.24f) : theme.raised, {0, 0, 0, 0}, 4});
  const Rgba color = isChosen ? theme.text : theme.quiet;
  addText(scene, {row.x + 8, row.center().y}, std::to_string(key), theme.quietMono());
  addText(scene, {row.x + 40, row.center().y}, input.label(key, keysOf(site)),
          {FontFace::Mono, Theme::small, color})
      .maxWidth = row.width - 112;
  addText(scene, {row.right() - 8, row.center().y}, formattedPercent(*valueOf(scene.sources, share)),
          {FontFace::Mono, Theme::small, color}, Align::End)
      .value = share;
  HitRegion& hit = addHitRegion(scene, row, share, "key " + std::to_string(key));
  hit.target.token = key, hit.target.tokens = keysOf(site);
  hit.target.text = "attention of " + nameOf(*asked.head) + " to " + keyWords(picture, *asked.head, key) +
                    (isFirst ? "" : "");
  hit.click = [chosen = isFirst ? -1 : key](const Target&) {
    return commands::choose(wantedKey, chosen < 0 ? "" : std::to_string(chosen));
  };
}

}  // namespace

std::string keyWords(const InfluencePicture& picture, const HeadId& head, int key) {
  return picture.quoted(key, keysOf(head.site)) + " at " + std::to_string(key);
}

void addKeysWanted(InfluencePicture& picture, Box& column, const AnswerAsked& asked) {
  const std::vector<int> keys =
      keysListed(rowAsked(*picture.input.snapshot.pass->trace, asked), asked.target);
  const Box title = column.takeTop(24);
  addText(picture.scene, {title.x, title.y + 10}, "Wanted top key", picture.theme.strong());
  for (std::size_t i = 0; i < keys.size(); ++i)
    addKey(picture, column.takeTop(keyRow), asked, keys[i], i == 0);
  column.takeTop(16);
}

}  // namespace glassformer
