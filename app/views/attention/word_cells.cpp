#include "app/views/attention/word_cells.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"

namespace glassformer {

namespace {

// Of `count` equal parts of a span.
int partAt(const Box& span, float x, int count) {
  const float share = std::clamp((x - span.x) / span.width, 0.0f, 1.0f);
  return std::min(static_cast<int>(share * static_cast<float>(count)), count - 1);
}

// One row of a plane of vectors.
TensorRef vectorOf(const TensorRef& all, int row) {
  TensorRef one = all.cell(row, 0);
  one.columnDimension = all.columnDimension;
  return one;
}

class WordCells {
 public:
  WordCells(const WordTable& table, std::size_t row)
      : table_(table),
        picture_(table.picture),
        scene_(table.picture.scene),
        theme_(table.picture.theme),
        columns_(table.columns),
        row_(table.rows[row]),
        box_(table.boxes[row]),
        own_(table.boxOf(row, -1)),
        rest_(table.restOf(row_)) {}

  void draw() {
    const auto cells = plane(scene_.sources, row_.values);
    if (!cells) return;
    if (row_.kind == WordRowKind::Scores) return addScores(*cells);
    if (row_.kind == WordRowKind::Keys) return addKeys(cells->extent[1]);
    addOneVector(cells->extent[1]);
    if (row_.kind == WordRowKind::Query) addEquation();
  }

 private:
  // In as many decimals as all numbers have room for, whole ones in none.
  void addScores(const TensorView& cells) {
    std::vector<float> numbers;
    for (const int key : columns_.keys) numbers.push_back(cells(0, key));
    if (!rest_.empty()) numbers.push_back(valueOf(scene_.sources, rest_).value_or(0));
    const int decimals = decimalsFor(numbers);
    for (int column = 0; column < columns_.shown(); ++column)
      addNumber(row_.values.cell(0, columns_.key(column)), columns_.cell(column, box_), decimals);
    if (!rest_.empty()) addNumber(rest_, restBox(), decimals);
    HitRegion hit = wordHit(table_, columns_.ofKeys(box_), row_.name);
    hit.target.cell = row_.values, hit.target.query = table_.query;
    hit.columns = columns_.shown(), hit.columnAxis = Axis::Key;
    hit.cellAt = [span = hit.box, keys = columns_.keys](Point at) {
      return std::array{0, keys[static_cast<std::size_t>(partAt(span, at.x, static_cast<int>(keys.size())))]};
    };
    hit.say = [query = picture_.quotedQuery(table_.query),
               labels = picture_.input.labels(picture_.lookedAt)](const Target& target) {
      return query + " → “" + labels[static_cast<std::size_t>(target.key)] + "”";
    };
    scene_.hits.push_back(std::move(hit));
    addRestHit(1);
  }

  int decimalsFor(const std::vector<float>& numbers) const {
    const auto isWhole = [](float number) { return !std::isfinite(number) || number == std::round(number); };
    if (std::ranges::all_of(numbers, isWhole)) return 0;
    const auto fits = [&](int decimals) {
      return std::ranges::all_of(numbers, [&](float number) {
        return table_.widthOf(formattedFixed(number, decimals), numberStyle()) <= columns_.width - 8;
      });
    };
    int decimals = row_.isShare ? 4 : 3;
    while (decimals > 0 && !fits(decimals)) --decimals;
    return decimals;
  }
  TextStyle numberStyle() const { return {FontFace::Mono, picture_.labelSize, theme_.text}; }

  void addNumber(const TensorRef& cell, const Box& box, int decimals) {
    const auto value = valueOf(scene_.sources, cell);
    if (!value) return;
    TextStyle style = numberStyle();
    if (!std::isfinite(*value)) style.color = theme_.quiet;
    if (row_.isShare) {
      Matrix share;
      share.values = cell, share.box = box.inset(1);
      share.range = {std::min(0.0f, *value), std::max(1.0f, *value)};
      scene_.add(share);
      if (std::isfinite(*value)) style.color = inkOn(cellColor(share, *value, theme_.dark));
    }
    Text& text = addText(scene_, box.center(), formattedFixed(*value, decimals), style, Align::Middle);
    text.value = cell, text.maxWidth = box.width - 2;
  }

  void addKeys(int K) {
    const Range range = table_.rangeOfRow(row_);
    for (int column = 0; column < columns_.shown(); ++column)
      addVector(vectorOf(row_.values, columns_.key(column)), columns_.cell(column, box_), range);
    HitRegion hit = wordHit(table_, columns_.ofKeys(box_), row_.name);
    hit.target.cell = row_.values;
    hit.columns = columns_.shown() * K;
    hit.rowAxis = Axis::Key, hit.columnAxis = Axis::Dimension;
    hit.cellAt = [span = hit.box, keys = columns_.keys, K](Point at) {
      const int part = partAt(span, at.x, static_cast<int>(keys.size()) * K);
      return std::array{keys[static_cast<std::size_t>(part / K)], part % K};
    };
    scene_.hits.push_back(std::move(hit));
    if (!rest_.empty()) addVector(rest_, restBox(), range);
    addRestHit(K);
  }

  Box restBox() const { return columns_.cell(columns_.shown(), box_); }
  void addRestHit(int columns) {
    if (rest_.empty()) return;
    HitRegion hit = wordHit(table_, restBox(), row_.name + " of others");
    hit.target.cell = rest_, hit.columns = columns;
    if (columns > 1) hit.columnAxis = Axis::Dimension;
    scene_.hits.push_back(std::move(hit));
  }

  void addOneVector(int columns) {
    addVector(row_.values, own_, table_.rangeOfRow(row_));
    HitRegion hit = wordHit(table_, own_, row_.name);
    hit.target.cell = row_.values;
    hit.target.token = table_.query, hit.target.tokens = picture_.asking;
    hit.columns = columns, hit.columnAxis = Axis::Dimension;
    scene_.hits.push_back(std::move(hit));
  }

  // Beside a vector of the query, where there is more room.
  void addEquation() {
    constexpr float gap = 8, least = 40;
    const float before = own_.x - columns_.left, behind = columns_.all(box_).right() - own_.right();
    const bool isBefore = before > behind;
    const float room = std::max(before, behind) - 2 * gap;
    if (room < least) return;
    addText(scene_, {isBefore ? own_.x - gap : own_.right() + gap, box_.center().y},
            whose() + scene_.sources.point(row_.values.tensor)->equation, theme_.quietMono(),
            isBefore ? Align::End : Align::Start)
        .maxWidth = room;
  }

  // Across, no column is the query's own.
  std::string whose() const { return picture_.isAcross() ? picture_.quotedQuery(table_.query) + ": " : ""; }

  // Bars around zero, or where these would be too narrow a strip of colours.
  void addVector(const TensorRef& values, const Box& cell, Range range) {
    const auto numbers = plane(scene_.sources, values);
    if (!numbers) return;
    constexpr float leastBar = 1.2f, leastGapped = 3;
    const Box box = cell.inset(3, 2);
    const int K = numbers->extent[1];
    if (box.width < leastBar * static_cast<float>(K)) return addStrip(values, box, range);
    scene_.add(Line{{{box.x, box.center().y}, {box.right(), box.center().y}}, theme_.line, 1, false});
    for (int k = 0; k < K; ++k) {
      const Box track = box.cell(0, k, 1, K);
      const float gap = track.width < leastGapped ? 0 : track.width * 0.1f;
      scene_.add(Bar{track.inset(gap, 0), values.cell(0, k), range, row_.color, true, 0});
    }
  }
  void addStrip(const TensorRef& values, const Box& box, Range range) {
    Matrix strip;
    strip.values = values, strip.box = box.inset(0, box.height / 6);
    strip.map = ColorMap::Diverging, strip.range = range;
    scene_.add(strip);
    scene_.add(Rect{strip.box, {0, 0, 0, 0}, row_.color, 0, 1});
  }

  const WordTable& table_;
  const AttentionPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  const WordColumns& columns_;
  const WordRow& row_;
  Box box_, own_;  // of the row, and of what it has where it is one vector
  TensorRef rest_;
};

}  // namespace

HitRegion wordHit(const WordTable& table, const Box& box, std::string name) {
  HitRegion hit;
  hit.box = box, hit.name = std::move(name);
  hit.target = table.picture.target();
  hit.target.layer = table.picture.selected.layer, hit.target.head = table.picture.selected.head;
  return hit;
}

void addWordCells(const WordTable& table, std::size_t row) { WordCells(table, row).draw(); }

}  // namespace glassformer
