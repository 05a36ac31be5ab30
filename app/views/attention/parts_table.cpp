#include "app/views/attention/parts_table.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>

#include "app/drawing/parts.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float sideWidth = 84, leastPartName = 88, mostPartName = 128, leastPartRow = 10, leastPartBar = 4,
                besideLine = 20, usualStrip = 116, leastStrip = 72;
// What a number takes in a cell at its smallest.
constexpr float leastCellHeight = 15, leastCellWidth = 33, leastReadRow = 13;
// And what a cell grows to, on a large stage up to twice that.
constexpr float roomyCellHeight = 32, roomyCellWidth = 72, mostGrowth = 2;

class PartsTableBuilder {
 public:
  PartsTableBuilder(const SceneInput& input, const PartsTable& parts)
      : input_(input), theme_(input.theme), parts_(parts), others_(parts.table, parts.mostRows) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  // Nothing where it would have to be scrolled, and need not.
  std::optional<Scene> drawn(bool mayScroll) {
    Box area = contentOf(input_, scene_.size);
    addViewHeader(scene_, input_, area, parts_.header);
    area.takeTop(4);
    const bool isLow = area.height < 440;
    measureNames(isLow);
    growInto(area);
    measureNames(isLow);
    const float read = heightToRead(area);
    const Box strip = takeStrip(area, isLow || area.height < read + usualStrip, read);
    if (!mayScroll && strip.bottom() + marginOf(input_, scene_.size.x) > scene_.size.y + 0.5f)
      return std::nullopt;
    scene_.size.y = std::max(scene_.size.y, strip.bottom() + marginOf(input_, scene_.size.x));
    addTable(area);
    addDimensions(strip);
    return std::move(scene_);
  }

 private:
  // Rows have room for their numbers, of the cells where columns have it, too, else for their names and sums:
  // at the cost of what is below, then by scrolling. So many that nobody would scroll are an overview.
  float heightToRead(const Box& area) const {
    constexpr float screens = 2;
    const bool hasNumbers = widthOfTable(area) >= leastCellWidth * static_cast<float>(across());
    const float read =
        heightAround() + (hasNumbers ? leastCellHeight : leastReadRow) * static_cast<float>(down());
    return read <= screens * scene_.size.y ? read : 0;
  }
  // What is below the table, which is left at least as high as its numbers need to be read.
  static Box takeStrip(Box& area, bool isLow, float read) {
    area.height = std::max(area.height, read + leastStrip);
    const Box strip = area.takeBottom(isLow ? leastStrip : usualStrip - 8);
    area.takeBottom(isLow ? 0 : 8);
    return strip;
  }
  void measureNames(bool isLow) {
    namesHeight_ = roomOfNames(
        across(), [&](int i) { return columnName(i); }, 20, (isLow ? 100 : 112) * typeGrowth());
    namesWidth_ = roomOfNames(
        down(), [&](int i) { return rowName(i); }, 20, mostPartName * typeGrowth());
    namesWidth_ = std::max(namesWidth_, leastPartName);
  }
  // Where a small table leaves a large stage empty.
  void growInto(const Box& area) {
    const float width = widthOfTable(area) / (roomyCellWidth * static_cast<float>(across())),
                height = (area.height - usualStrip - heightAround()) /
                         (roomyCellHeight * static_cast<float>(down()));
    growth_ = std::clamp(std::min(width, height), 1.0f, mostGrowth);
    type_ = std::floor(std::min(Theme::small * growth_, Theme::body));
  }
  float typeGrowth() const { return type_ / Theme::small; }
  float sideOfTable() const { return sideWidth * typeGrowth(); }
  // From the table to where a row's sum ends.
  float endOfSums() const { return 44 * typeGrowth(); }
  float scaleWidth() const { return input_.shows(BesidePicture::Scale) ? 72.0f : 0.0f; }
  float widthOfTable(const Box& area) const {
    return area.width - namesWidth_ - sideOfTable() - scaleWidth();
  }
  // Names above the table; below it the sums of columns, and what is beside the cells.
  float heightAround() const { return namesHeight_ + 26 + (parts_.beside.empty() ? 0 : besideLine); }
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }
  bool isOthers(int i, const std::vector<int>& listed) const {
    return static_cast<std::size_t>(i) == listed.size();
  }
  int row(int i) const { return parts_.rows[static_cast<std::size_t>(i)]; }
  int column(int i) const { return parts_.columns[static_cast<std::size_t>(i)]; }
  int listedDown() const { return static_cast<int>(parts_.rows.size()); }
  int listedAcross() const { return static_cast<int>(parts_.columns.size()); }
  // With the row and the column of all others.
  int down() const { return listedDown() + !parts_.otherRows.empty(); }
  int across() const { return listedAcross() + !parts_.otherColumns.empty(); }
  std::string rowName(int i) const {
    return isOthers(i, parts_.rows) ? parts_.otherRows : parts_.rowName(row(i));
  }
  std::string columnName(int i) const {
    return isOthers(i, parts_.columns) ? parts_.otherColumns : parts_.columnName(column(i));
  }
  std::string sayRow(int i) const {
    return isOthers(i, parts_.rows) ? parts_.sayOtherRows : parts_.sayRow(row(i));
  }
  std::string sayColumn(int i) const {
    return isOthers(i, parts_.columns) ? parts_.sayOtherColumns : parts_.sayColumn(column(i));
  }
  using Click = std::function<Command(const Target&)>;
  Click showAll() const {
    return [command = parts_.showAll](const Target&) { return command; };
  }
  Click clickRow(int i) const { return isOthers(i, parts_.rows) ? showAll() : parts_.clickRow(row(i)); }
  Click clickColumn(int i) const {
    return isOthers(i, parts_.columns) ? showAll() : parts_.clickColumn(column(i));
  }
  // The numbers: of a cell, of what a row comes to, and a column.
  TensorRef cell(int r, int c) const {
    const bool inOtherRows = isOthers(r, parts_.rows), inOtherColumns = isOthers(c, parts_.columns);
    if (inOtherRows && inOtherColumns) return {others_.inBoth, {0}, -1, 0, 1, 1};
    if (inOtherRows) return {others_.inRows, {column(c)}, -1, 0, 1, 1};
    if (inOtherColumns) return {others_.inColumns, {row(r)}, 0, -1, 1, 1};
    return cells(row(r), column(c), 1, 1);
  }
  TensorRef rowSum(int i) const {
    return isOthers(i, parts_.rows) ? TensorRef{others_.ofRows, {0}} : TensorRef{parts_.fromRow, {row(i)}};
  }
  TensorRef columnSum(int i) const {
    return isOthers(i, parts_.columns) ? TensorRef{others_.ofColumns, {0}}
                                       : TensorRef{parts_.fromColumn, {column(i)}};
  }
  // What the longest of some names takes, with the gaps at its ends.
  float roomOfNames(int count, const std::function<std::string(int)>& name, float gaps, float most) const {
    float longest = 0;
    for (int i = 0; i < count; ++i)
      longest = std::max(longest, input_.metrics.width(name(i), FontFace::Mono, type_));
    return std::min(std::ceil(longest) + gaps, most);
  }
  // The row that does most: its name is there however low the rows are.
  int largestRow() const {
    int largest = 0;
    for (int i = 1; i < down(); ++i)
      if (std::abs(number(rowSum(i))) > std::abs(number(rowSum(largest)))) largest = i;
    return largest;
  }
  // The cells from one of them on.
  TensorRef cells(int firstRow, int firstColumn, int rows, int columns) const {
    return {parts_.table, {firstRow, firstColumn}, 0, 1, rows, columns};
  }
  // Of all cells, those of the others among them.
  Range rangeOfCells() const {
    float most = symmetric(rangeOf(scene_.sources, {parts_.table, {0, 0}, 0, 1})).high;
    for (int r = 0; r < down(); ++r)
      for (int c = 0; c < across(); ++c)
        if (isOthers(r, parts_.rows) || isOthers(c, parts_.columns))
          most = std::max(most, std::abs(number(cell(r, c))));
    return {-most, most};
  }

  void addTable(Box area) {
    const Box box{area.x + namesWidth_, area.y + namesHeight_, widthOfTable(area),
                  area.height - heightAround()};
    const float width = std::min(box.width / static_cast<float>(across()), roomyCellWidth * growth_),
                height = std::min(box.height / static_cast<float>(down()), roomyCellHeight * growth_);
    tableBox_ = {box.x, box.y, width * static_cast<float>(across()), height * static_cast<float>(down())};
    range_ = rangeOfCells();
    largestRow_ = largestRow();
    if (parts_.inOrder)
      addCells(cells(row(0), column(0), down(), across()), tableBox_);
    else
      for (int r = 0; r < down(); ++r)
        for (int c = 0; c < across(); ++c) addCells(cell(r, c), tableBox_.cell(r, c, down(), across()));
    scene_.add(Rect{tableBox_, {0, 0, 0, 0}, theme_.line, 0, 1});
    addBordersOfOthers();
    addNames();
    addRowSums();
    addColumnSums();
    addTotal();
    addTableHits();
    addHitsOfOthers();
    addColorScale(
        scene_, input_,
        {tableBox_.right() + sideOfTable() + 8, tableBox_.y, 10, std::min(tableBox_.height, 160.0f)},
        ColorMap::Diverging, range_);
  }
  void addCells(const TensorRef& values, const Box& box) {
    Matrix matrix;
    matrix.values = values, matrix.box = box;
    matrix.map = ColorMap::Diverging, matrix.range = range_;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, type_, 11);
  }
  // What is listed, without the row and the column of the others.
  Box listedBox() const {
    return {tableBox_.x, tableBox_.y, tableBox_.width * listedAcross() / across(),
            tableBox_.height * listedDown() / down()};
  }
  void addBordersOfOthers() {
    const Box listed = listedBox();
    if (listedDown() < down())
      scene_.add(
          Line{{{tableBox_.x, listed.bottom()}, {tableBox_.right(), listed.bottom()}}, theme_.quiet, 1});
    if (listedAcross() < across())
      scene_.add(
          Line{{{listed.right(), tableBox_.y}, {listed.right(), tableBox_.bottom()}}, theme_.quiet, 1});
  }

  void addNames() {
    const float letters = std::clamp(tableBox_.height / static_cast<float>(down()) - 4, 10.0f, type_);
    const auto isShown = [&](int i) {
      return i == largestRow_ || (!isOthers(i, parts_.rows) && parts_.isPointedRow(row(i)));
    };
    addLabels(scene_, input_,
              {tableBox_, Side::Left, down(), namesWidth_ - 8, [&](int i) { return rowName(i); }, isShown,
               FontFace::Mono, letters});
    addLabels(scene_, input_,
              {tableBox_, Side::Top, across(), namesHeight_ - 8, [&](int i) { return columnName(i); },
               [](int) { return false; }, FontFace::Mono, type_});
  }

  // What each row comes to, beside it.
  void addRowSums() {
    float most = 1e-6f;
    for (int r = 0; r < down(); ++r) most = std::max(most, std::abs(number(rowSum(r))));
    for (int r = 0; r < down(); ++r) {
      const Box line = tableBox_.cell(r, 0, down(), 1);
      if (line.height < leastPartBar) break;
      const TensorRef sum = rowSum(r);
      if (line.height >= leastPartRow || r == largestRow_)
        addText(scene_, {tableBox_.right() + endOfSums(), line.center().y}, formattedFixed(number(sum), 2),
                {FontFace::Mono, std::clamp(line.height, leastPartRow, type_), theme_.text}, Align::End)
            .value = sum;
      const Box bar{tableBox_.right() + endOfSums() + 6, line.y + line.height * 0.25f,
                    sideOfTable() - endOfSums() - 10, line.height * 0.5f};
      scene_.add(Bar{bar, sum, {-most, most}, signColor(number(sum), theme_.dark), false, 2});
      const Click click = clickRow(r);
      addHit({tableBox_.right() + 4, line.y, sideOfTable() - 4, line.height}, sum, sayRow(r), click);
      addName({tableBox_.x - namesWidth_, line.y, namesWidth_ - 4, line.height}, sum, sayRow(r), click,
              isOthers(r, parts_.rows) ? "other rows" : "row " + std::to_string(row(r)));
    }
  }

  // What each column comes to, below it: as beside the rows, or shortened where columns are narrow.
  void addColumnSums() {
    const float width = tableBox_.width / static_cast<float>(across());
    const bool isWide = width >= input_.metrics.width("-00.00", FontFace::Mono, type_) + 4;
    const TextStyle style{FontFace::Mono, isWide ? type_ : 11.0f, theme_.text};
    for (int c = 0; c < across(); ++c) {
      const TensorRef sum = columnSum(c);
      const float left = tableBox_.x + static_cast<float>(c) * width;
      const Box below{left, tableBox_.bottom(), width, 20};
      if (width >= 30)
        addText(scene_, below.center(), isWide ? formattedFixed(number(sum), 2) : formattedTight(number(sum)),
                style, Align::Middle)
            .value = sum;
      const Click click = clickColumn(c);
      addHit(below, sum, sayColumn(c), click);
      addName({left, tableBox_.y - namesHeight_, width, namesHeight_ - 4}, sum, sayColumn(c), click,
              isOthers(c, parts_.columns) ? "other columns" : "column " + columnName(c));
    }
  }

  // All cells, and what is beside them.
  void addTotal() {
    const TensorRef sum{parts_.sum, {0}};
    const Point at{tableBox_.right() + endOfSums(), tableBox_.bottom() + 10};
    addText(scene_, at, formattedFixed(number(sum), 2), {FontFace::Strong, type_, theme_.text}, Align::End)
        .value = sum;
    addHit({tableBox_.right(), tableBox_.bottom(), sideOfTable(), 20}, sum, parts_.saySum);
    Box line{tableBox_.x - namesWidth_, tableBox_.bottom() + 20, tableBox_.width + namesWidth_ + endOfSums(),
             besideLine};
    for (const PartsTable::Beside& beside : parts_.beside | std::views::reverse) {  // from the right
      const TensorRef ref{beside.tensor, {0}};
      const std::string words = beside.name + " " + formattedFixed(number(ref), 2);
      const Box place = line.takeRight(input_.metrics.width(words, FontFace::Ui, Theme::small));
      addText(scene_, {place.right(), place.center().y}, words, theme_.note(), Align::End).value = ref;
      addHit(place, ref, beside.say);
      line.takeRight(24);
    }
  }

  void addTableHits() {
    HitRegion& hit = addHitRegion(scene_, listedBox(), {}, parts_.hitName);
    hit.target = parts_.common;
    hit.target.cell = {parts_.table, {0, 0}, 0, 1};
    hit.rows = listedDown(), hit.columns = listedAcross();
    hit.rowAxis = parts_.rowAxis;
    if (parts_.inOrder)
      hit.firstRow = row(0), hit.firstColumn = column(0);
    else
      hit.cellAt = [box = hit.box, rows = parts_.rows, columns = parts_.columns](Point at) {
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
  }
  void addHitsOfOthers() {
    for (int r = 0; r < down(); ++r)
      for (int c = 0; c < across(); ++c) {
        const bool inOtherRows = isOthers(r, parts_.rows), inOtherColumns = isOthers(c, parts_.columns);
        if (!inOtherRows && !inOtherColumns) continue;
        const TensorRef ref{cell(r, c).tensor, cell(r, c).index};
        addHit(tableBox_.cell(r, c, down(), across()), ref,
               inOtherRows && inOtherColumns ? "not in either list"
               : inOtherRows                 ? parts_.sayOtherRows + ": " + columnName(c)
                                             : parts_.sayOtherColumns + ": " + rowName(r));
      }
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
  OthersOf others_;
  Scene scene_;
  float namesHeight_ = 0, namesWidth_ = 0;
  float growth_ = 1, type_ = Theme::small;  // of cells; the size of names and numbers
  int largestRow_ = 0;
  Box tableBox_;
  Range range_;
};

}  // namespace

Scene partsTableScene(const SceneInput& input, const std::function<PartsTable(int mostRows)>& listing) {
  std::optional<Scene> scene;
  for (const int most : listedRows) {
    const PartsTable parts = listing(most);
    scene = PartsTableBuilder(input, parts).drawn(parts.inOrder || most == listedRows.back());
    if (scene) break;
  }
  return *std::move(scene);
}

}  // namespace glassformer
