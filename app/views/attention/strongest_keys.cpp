#include "app/views/attention/strongest_keys.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float most = 8;  // keys that are listed
constexpr float strongestKeysTitleHeight = 28;

class StrongestKeys {
 public:
  StrongestKeys(AttentionView& view, const StrongestKeysList& list)
      : view_(view), list_(list), plane_(list.plane), range_(scaleOf(view, list.plane).range) {
    query_ = view.pair.query != Target::none ? view.pair.query : view.query();
  }

  void draw(Box box) {
    const bool narrow = box.width < 200;
    const float rowHeight = narrow ? 30.0f : 26.0f;
    if (box.height < strongestKeysTitleHeight + rowHeight) return;
    const Box title = box.takeTop(strongestKeysTitleHeight);
    addText(view_.scene, {title.x, title.y + 10},
            list_.whose + relationOf(plane_, view_.quotedQuery(query_), "…"), view_.theme.strong())
        .maxWidth = title.width;
    const auto keys = strongest(std::min(most, std::floor(box.height / rowHeight)));
    float depth = 0;
    places_ = 0;
    for (const int key : keys) {
      depth = std::max(depth, view_.input.metrics.width(labelOf(key), FontFace::Mono, Theme::small) + 10);
      places_ =
          std::max(places_, view_.input.metrics.width(std::to_string(key), FontFace::Mono, Theme::small) + 8);
    }
    depth += places_;
    for (const int key : keys)
      addShare(box.takeTop(rowHeight), narrow ? 0 : std::min(depth, box.width / 2), key);
  }

 private:
  std::vector<int> strongest(float count) const {
    const auto cells = glassformer::plane(view_.scene.sources, refOf(plane_));
    if (!cells) return {};
    const auto share = [&](int key) {
      const float value = (*cells)(query_, key);
      return std::isnan(value) ? 0 : std::abs(value);
    };
    std::vector<int> keys;
    for (int key = 0; key < view_.keys; ++key)
      if (view_.allows(query_, key)) keys.push_back(key);
    std::stable_sort(keys.begin(), keys.end(), [&](int a, int b) { return share(a) > share(b); });
    keys.resize(std::min(keys.size(), static_cast<std::size_t>(count)));
    return keys;
  }

  std::string labelOf(int key) const { return (list_.mark ? list_.mark(key) : "") + view_.keyLabel(key); }

  // Label, position, bar and number in a row; where `depth` leaves the label no column of its own, the bar
  // lies below.
  void addShare(Box row, float depth, int key) {
    const TensorRef cell = refOf(plane_).cell(query_, key);
    const auto value = valueOf(view_.scene.sources, cell);
    if (!value) return;
    const Theme& theme = view_.theme;
    const Box whole = row;
    const bool pointed = key == view_.pair.key;
    const TextStyle style{FontFace::Mono, Theme::small, pointed ? theme.text : theme.quiet};
    Box track = row.inset(0, 6);
    if (depth > 0)
      track.takeLeft(depth), track.takeRight(48);
    else
      track = {row.x, row.bottom() - 9, row.width, 4};
    const float line = depth > 0 ? row.center().y : row.y + 10;
    const float labelled = depth > 0 ? depth - 10 : row.width - 56;
    addText(view_.scene, {row.x, line}, labelOf(key), style).maxWidth = labelled - places_;
    addText(view_.scene, {row.x + labelled, line}, std::to_string(key),
            {FontFace::Mono, Theme::small, theme.quiet}, Align::End);
    addText(view_.scene, {row.right(), line}, formattedCell(*value), style, Align::End).value = cell;
    view_.scene.add(Rect{track, theme.raised, {0, 0, 0, 0}, 2, 1});
    view_.scene.add(Bar{track, cell, range_, pointed ? theme.text : theme.attention});
    addHit(whole, cell, key);
  }

  void addHit(const Box& box, const TensorRef& cell, int key) {
    HitRegion hit;
    hit.box = box;
    hit.target = view_.target();
    hit.target.cell = cell;
    hit.target.query = query_, hit.target.key = key;
    if (plane_.fold == HeadFold::One)
      hit.target.layer = plane_.heads.front().layer, hit.target.head = plane_.heads.front().head;
    hit.target.text = relationOf(plane_, view_.quotedQuery(query_), view_.quotedKey(key));
    hit.click = [site = view_.site](const Target& target) {
      return commands::selectCell(target.query, target.key, site);
    };
    if (list_.extend)
      hit.extend = [extend = list_.extend](const Target& target) { return extend(target.key); };
    view_.scene.hits.push_back(std::move(hit));
  }

  AttentionView& view_;
  const StrongestKeysList& list_;
  const AttentionPlane& plane_;
  Range range_;
  int query_ = 0;
  float places_ = 0;  // how wide the positions are
};

}  // namespace

void addStrongestKeys(AttentionView& view, Box box, const StrongestKeysList& list) {
  if (isThere(view, list.plane) && view.input.shows(BesidePicture::Bars)) StrongestKeys(view, list).draw(box);
}

}  // namespace glassformer
