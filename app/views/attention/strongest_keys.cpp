#include "app/views/attention/strongest_keys.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/document/selection_commands.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float most = 8;  // keys that are listed
constexpr float strongestKeysTitleHeight = 28;

class StrongestKeys {
 public:
  StrongestKeys(AttentionPicture& picture, const StrongestKeysList& list)
      : picture_(picture), list_(list), plane_(list.plane), range_(scaleOf(picture, list.plane).range) {
    if (range_.logarithmic) range_ = {0, range_.high};  // lengths are shares
    query_ = picture.pair.query != Target::none ? picture.pair.query : picture.query();
  }

  void draw(Box box) {
    const bool narrow = box.width < 200;
    const float rowHeight = narrow ? 30.0f : 26.0f;
    if (box.height < strongestKeysTitleHeight + rowHeight) return;
    const Box title = box.takeTop(strongestKeysTitleHeight);
    addText(picture_.scene, {title.x, title.y + 10},
            list_.whose + relationOf(plane_, picture_.quotedQuery(query_), "…"), picture_.theme.strong())
        .maxWidth = title.width;
    const auto keys = strongest(std::min(most, std::floor(box.height / rowHeight)));
    float depth = 0;
    places_ = 0;
    for (const int key : keys) {
      depth = std::max(
          depth, std::ceil(picture_.input.metrics.width(labelOf(key), FontFace::Mono, Theme::small)) + 12);
      places_ = std::max(places_,
                         picture_.input.metrics.width(std::to_string(key), FontFace::Mono, Theme::small) + 8);
    }
    depth += places_;
    areTiny_ =
        !keys.empty() && isTiny(valueOf(picture_.scene.sources, refOf(plane_).cell(query_, keys.front())));
    for (const int key : keys)
      addShare(box.takeTop(rowHeight), narrow ? 0 : std::min(depth, box.width / 2), key);
  }

 private:
  std::vector<int> strongest(float count) const {
    const auto cells = glassformer::plane(picture_.scene.sources, refOf(plane_));
    if (!cells) return {};
    const auto share = [&](int key) {
      const float value = (*cells)(query_, key);
      return std::isnan(value) ? 0 : std::abs(value);
    };
    std::vector<int> keys;
    for (int key = 0; key < picture_.keys; ++key)
      if (picture_.allows(query_, key)) keys.push_back(key);
    std::stable_sort(keys.begin(), keys.end(), [&](int a, int b) { return share(a) > share(b); });
    keys.resize(std::min(keys.size(), static_cast<std::size_t>(count)));
    return keys;
  }

  // None in three decimals.
  static bool isTiny(std::optional<float> share) {
    return share && *share != 0 && std::abs(*share) < 0.0005f;
  }

  float numbersWidth() const { return areTiny_ ? 64 : 48; }

  std::string labelOf(int key) const { return (list_.mark ? list_.mark(key) : "") + picture_.keyLabel(key); }

  // Label, position, bar and number in a row; where `depth` leaves the label no column of its own, the bar
  // lies below.
  void addShare(const Box& row, float depth, int key) {
    const TensorRef cell = refOf(plane_).cell(query_, key);
    const Theme& theme = picture_.theme;
    const bool pointed = key == picture_.pair.key, isBelow = depth == 0;
    const TextStyle style{FontFace::Mono, Theme::small, pointed ? theme.text : theme.quiet};
    const BarTable table{.range = range_,
                         .names = depth,
                         .numbers = numbersWidth(),
                         .thickness = isBelow ? 4.0f : 14,
                         .words = areTiny_ ? formatted : formattedCell,
                         .below = isBelow,
                         .hasGround = true};
    addBar(picture_.scene, picture_.input, table,
           {row, cell, "", pointed ? theme.text : theme.attention, {}, style});
    const float line = isBelow ? row.y + (row.height - table.thickness) / 2 : row.center().y,
                labelled = isBelow ? row.width - numbersWidth() - 8 : depth - 10;
    addText(picture_.scene, {row.x, line}, labelOf(key), style).maxWidth = labelled - places_;
    addText(picture_.scene, {row.x + labelled, line}, std::to_string(key), theme.quietMono(), Align::End);
    addHit(row, cell, key);
  }

  void addHit(const Box& box, const TensorRef& cell, int key) {
    HitRegion& hit = addHitRegion(picture_.scene, box);
    hit.target = picture_.target();
    hit.target.cell = cell;
    hit.target.query = query_, hit.target.key = key;
    if (plane_.fold == HeadFold::One)
      hit.target.layer = plane_.heads.front().layer, hit.target.head = plane_.heads.front().head;
    hit.target.text = relationOf(plane_, picture_.quotedQuery(query_), picture_.quotedKey(key));
    hit.click = [site = picture_.site](const Target& target) {
      return commands::selectCell(target.query, target.key, site);
    };
    if (list_.extend)
      hit.extend = [extend = list_.extend](const Target& target) { return extend(target.key); };
  }

  AttentionPicture& picture_;
  const StrongestKeysList& list_;
  const AttentionPlane& plane_;
  Range range_;
  int query_ = 0;
  float places_ = 0;      // how wide the positions are
  bool areTiny_ = false;  // even the largest share, as in a long text: then they have exponents
};

}  // namespace

void addStrongestKeys(AttentionPicture& picture, Box box, const StrongestKeysList& list) {
  if (isThere(picture, list.plane) && picture.input.shows(BesidePicture::Bars))
    StrongestKeys(picture, list).draw(box);
}

}  // namespace glassformer
