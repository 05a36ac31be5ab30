#include "app/views/attention/parts_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/drawing/parts.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float sideWidth = 84, leastPartName = 88, mostPartName = 128, leastPartRow = 10, leastPartBar = 4;

class PartsTableBuilder {
 public:
  PartsTableBuilder(const SceneInput& input, const PartsTable& parts)
      : input_(input), theme_(input.theme), parts_(parts) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  Scene drawn() {
    Box area = Box{0, 0, scene_.size.x, scene_.size.y}.inset(scene_.size.x < 800 ? 16 : 24);
    addViewHeader(scene_, input_, area, parts_.header);
    area.takeTop(4);
    const bool isLow = area.height < 440;
    const Box strip = area.takeBottom(isLow ? 72 : 108);
    area.takeBottom(isLow ? 0 : 8);
    namesHeight_ = roomOfNames(parts_.columns, parts_.columnName, 20, isLow ? 88 : 112);
    namesWidth_ = std::max(roomOfNames(parts_.rows, parts_.rowName, 20, mostPartName), leastPartName);
    addTable(area);
    addDimensions(strip);
    return std::move(scene_);
  }

 private:
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }
  int row(int i) const { return parts_.rows[static_cast<std::size_t>(i)]; }
  int column(int i) const { return parts_.columns[static_cast<std::size_t>(i)]; }
  int down() const { return static_cast<int>(parts_.rows.size()); }
  int across() const { return static_cast<int>(parts_.columns.size()); }
  // What the longest name of rows or columns takes, with the gaps at its ends.
  float roomOfNames(const std::vector<int>& parts, const std::function<std::string(int)>& name, float gaps,
                    float most) const {
    float longest = 0;
    for (const int part : parts)
      longest = std::max(longest, input_.metrics.width(name(part), FontFace::Mono, Theme::small));
    return std::min(std::ceil(longest) + gaps, most);
  }
  // The row that does most: its name is there however low the rows are.
  int largestRow() const {
    return *std::ranges::max_element(parts_.rows, {}, [&](int r) {
      return std::abs(number({parts_.fromRow, {r}}));
    });
  }
  // The cells from one of them on.
  TensorRef cells(int firstRow, int firstColumn, int rows, int columns) const {
    return {parts_.table, {firstRow, firstColumn}, 0, 1, rows, columns};
  }

  void addTable(Box area) {
    const Box box{area.x + namesWidth_, area.y + namesHeight_, area.width - namesWidth_ - sideWidth,
                  area.height - namesHeight_ - 26};
    const float width = std::min(box.width / static_cast<float>(across()), 72.0f),
                height = std::min(box.height / static_cast<float>(down()), 32.0f);
    tableBox_ = {box.x, box.y, width * static_cast<float>(across()), height * static_cast<float>(down())};
    range_ = symmetric(rangeOf(scene_.sources, {parts_.table, {0, 0}, 0, 1}));
    largestRow_ = largestRow();
    if (parts_.inOrder)
      addCells(cells(row(0), column(0), down(), across()), tableBox_);
    else
      for (int r = 0; r < down(); ++r)
        for (int c = 0; c < across(); ++c)
          addCells(cells(row(r), column(c), 1, 1), tableBox_.cell(r, c, down(), across()));
    scene_.add(Rect{tableBox_, {0, 0, 0, 0}, theme_.line, 0, 1});
    addNames();
    addRowSums();
    addColumnSums();
    addTotal();
    addTableHits();
  }
  void addCells(const TensorRef& values, const Box& box) {
    Matrix matrix;
    matrix.values = values, matrix.box = box;
    matrix.map = ColorMap::Diverging, matrix.range = range_;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, Theme::small, 11);
  }

  void addNames() {
    const float letters = std::clamp(tableBox_.height / static_cast<float>(down()) - 2, 10.0f, Theme::small);
    addLabels(scene_, input_,
              {tableBox_, Side::Left, down(), namesWidth_ - 8, [&](int i) { return parts_.rowName(row(i)); },
               [&](int i) { return row(i) == largestRow_ || parts_.isPointedRow(row(i)); }, FontFace::Mono,
               letters});
    addLabels(scene_, input_,
              {tableBox_, Side::Top, across(), namesHeight_ - 8,
               [&](int i) { return parts_.columnName(column(i)); }, [](int) { return false; }});
  }

  // What each row comes to, beside it.
  void addRowSums() {
    const float most = std::max(symmetric(rangeOf(scene_.sources, {parts_.fromRow, {0}, -1, 0})).high, 1e-6f);
    for (int r = 0; r < down(); ++r) {
      const Box line = tableBox_.cell(r, 0, down(), 1);
      if (line.height < leastPartBar) break;
      const TensorRef cell{parts_.fromRow, {row(r)}};
      if (line.height >= leastPartRow || row(r) == largestRow_)
        addText(scene_, {tableBox_.right() + 44, line.center().y}, formattedFixed(number(cell), 2),
                {FontFace::Mono, std::clamp(line.height, leastPartRow, Theme::small), theme_.text},
                Align::End)
            .value = cell;
      const Box bar{tableBox_.right() + 50, line.y + line.height * 0.25f, sideWidth - 54, line.height * 0.5f};
      scene_.add(Bar{bar, cell, {-most, most}, signColor(number(cell), theme_.dark), false, 2});
      const auto click = parts_.clickRow(row(r));
      addHit({tableBox_.right() + 4, line.y, sideWidth - 4, line.height}, cell, parts_.sayRow(row(r)), click);
      addName({tableBox_.x - namesWidth_, line.y, namesWidth_ - 4, line.height}, cell, parts_.sayRow(row(r)),
              click, "row " + std::to_string(row(r)));
    }
  }

  // What each column comes to, below it: as beside the rows, or shortened where columns are narrow.
  void addColumnSums() {
    const float width = tableBox_.width / static_cast<float>(across());
    const bool isWide = width >= input_.metrics.width("-00.00", FontFace::Mono, Theme::small) + 4;
    const TextStyle style{FontFace::Mono, isWide ? Theme::small : 11.0f, theme_.text};
    for (int c = 0; c < across(); ++c) {
      const TensorRef cell{parts_.fromColumn, {column(c)}};
      const float left = tableBox_.x + static_cast<float>(c) * width;
      const Box below{left, tableBox_.bottom(), width, 20};
      if (width >= 30)
        addText(scene_, below.center(),
                isWide ? formattedFixed(number(cell), 2) : formattedTight(number(cell)), style, Align::Middle)
            .value = cell;
      const auto click = parts_.clickColumn(column(c));
      addHit(below, cell, parts_.sayColumn(column(c)), click);
      addName({left, tableBox_.y - namesHeight_, width, namesHeight_ - 4}, cell, parts_.sayColumn(column(c)),
              click, "column " + parts_.columnName(column(c)));
    }
  }

  // All cells, and what is in none of them.
  void addTotal() {
    const TensorRef sum{parts_.sum, {0}}, rest{parts_.rest, {0}};
    const Point at{tableBox_.right() + 44, tableBox_.bottom() + 10};
    addText(scene_, at, formattedFixed(number(sum), 2), theme_.strong(), Align::End).value = sum;
    addHit({tableBox_.right(), tableBox_.bottom(), sideWidth, 20}, sum, parts_.saySum);
    if (!parts_.hasRest) return;
    const TextStyle quiet{FontFace::Ui, Theme::small - 1, theme_.quiet};
    Text& words = addText(scene_, {tableBox_.x - namesWidth_, tableBox_.bottom() + 10},
                          parts_.restName + " " + formattedFixed(number(rest), 2), quiet);
    words.value = rest, words.maxWidth = namesWidth_;
    addHit({tableBox_.x - namesWidth_, tableBox_.bottom(), namesWidth_ - 8, 20}, rest, parts_.sayRest);
  }

  void addTableHits() {
    HitRegion hit;
    hit.box = tableBox_;
    hit.target = parts_.common;
    hit.target.cell = {parts_.table, {0, 0}, 0, 1};
    hit.rows = down(), hit.columns = across();
    hit.rowAxis = parts_.rowAxis;
    if (parts_.inOrder)
      hit.firstRow = row(0), hit.firstColumn = column(0);
    else
      hit.cellAt = [box = tableBox_, rows = parts_.rows, columns = parts_.columns](Point at) {
        const auto part = [](float share, std::size_t count) {
          return static_cast<std::size_t>(
              std::clamp(share * static_cast<float>(count), 0.0f, static_cast<float>(count) - 1));
        };
        return std::array{rows[part((at.y - box.y) / box.height, rows.size())],
                          columns[part((at.x - box.x) / box.width, columns.size())]};
      };
    hit.say = [say = parts_.sayCell](const Target& target) {
      return say(target.cell.index[0], target.cell.index[1]);
    };
    hit.click = parts_.clickCell;
    hit.name = parts_.hitName;
    scene_.hits.push_back(std::move(hit));
  }

  void addDimensions(Box area) {
    const Box words = area.takeTop(24);
    addText(scene_, {words.x, words.center().y}, parts_.byDimension, theme_.note()).maxWidth = words.width;
    const TensorRef all{parts_.dimensions, {0}, -1, 0};
    const int K = scene_.sources.find(parts_.dimensions)->extent[0];
    const float most = std::max(symmetric(rangeOf(scene_.sources, all)).high, 1e-6f),
                middle = area.center().y;
    scene_.add(Line{{{area.x, middle}, {area.right(), middle}}, theme_.line, 1, false});
    for (int k = 0; k < K; ++k) {
      const TensorRef cell{parts_.dimensions, {k}};
      const Box slot = area.cell(0, k, 1, K);
      scene_.add(Bar{slot.inset(slot.width * 0.15f, 0),
                     cell,
                     {-most, most},
                     signColor(number(cell), theme_.dark),
                     true,
                     0});
      addHit(slot, cell, "dimension " + std::to_string(k)).target.dimension = k;
    }
  }

  // The keyboard gets to names that do something.
  void addName(const Box& box, const TensorRef& cell, std::string text,
               const std::function<Command(const Target&)>& click, std::string name) {
    HitRegion& hit = addHit(box, cell, std::move(text), click);
    hit.tabStop = click != nullptr, hit.name = std::move(name);
  }
  HitRegion& addHit(const Box& box, const TensorRef& cell, std::string text,
                    std::function<Command(const Target&)> click = nullptr) {
    HitRegion hit;
    hit.box = box, hit.target.cell = cell, hit.target.text = std::move(text), hit.tabStop = false;
    hit.click = std::move(click);
    return scene_.hits.emplace_back(std::move(hit));
  }

  const SceneInput& input_;
  const Theme& theme_;
  const PartsTable& parts_;
  Scene scene_;
  float namesHeight_ = 0, namesWidth_ = 0;
  int largestRow_ = 0;
  Box tableBox_;
  Range range_;
};

}  // namespace

std::vector<int> orderedParts(const TensorSources& sources, const char* sums, int count, bool largestFirst,
                              std::size_t most) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  if (!largestFirst) return order;
  std::ranges::stable_sort(order, std::greater(), [&](int i) {
    return std::abs(valueOf(sources, {sums, {i}}).value_or(0));
  });
  if (order.size() > most) order.resize(most);
  return order;
}

Scene partsTableScene(const SceneInput& input, const PartsTable& parts) {
  return PartsTableBuilder(input, parts).drawn();
}

}  // namespace glassformer
