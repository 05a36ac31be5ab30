#include "app/views/attention/score_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/scene/format.h"
#include "app/views/views.h"
#include "core/lens/score_parts.h"

namespace glassformer {

namespace {

// What ViewSettings::choices calls the order of the table.
constexpr const char *orderChoice = "attention.score_order", *largestFirst = "largest";
constexpr int mostWriters = 20;  // when the largest come first; what is left out is said
constexpr float sideWidth = 84, writerWidth = 88, leastWriter = 10;

class ScoreTable {
 public:
  explicit ScoreTable(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        model_(input.snapshot.model->transformer),
        head_(selectedHead(input.workspace, input.config())),
        isOrdered_(isOrdered(input.workspace.settings)) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
    table_ = *scene_.sources.find(score::table);
    query_ = std::clamp(input.query(), 0, input.tokenCount() - 1);
    const TensorView weights =
        (*scene_.sources.find(attentionPoint(head_.layer, head_.site, "hook_pattern")))[head_.head];
    key_ = keyAskedAbout(input.workspace, head_.site, weights, query_);
    rows_ = writers(score::fromQuery), columns_ = writers(score::fromKey);
  }

  Scene drawn() {
    Box area = Box{0, 0, scene_.size.x, scene_.size.y}.inset(scene_.size.x < 800 ? 16 : 24);
    addHeader(area);
    area.takeTop(4);
    const bool isLow = area.height < 440;
    const Box strip = area.takeBottom(isLow ? 72 : 108);
    area.takeBottom(isLow ? 0 : 8);
    namesHeight_ = isLow ? 64 : 76;
    addTable(area);
    addDimensions(strip);
    return std::move(scene_);
  }

 private:
  static bool isOrdered(const ViewSettings& settings) { return settings.chosen(orderChoice) == largestFirst; }
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(0); }
  std::string name(int writer) const { return writerName(*model_, writer); }

  // As they were written, or those with the largest sums first.
  std::vector<int> writers(const char* sums) const {
    std::vector<int> order(static_cast<std::size_t>(table_.extent[0]));
    std::iota(order.begin(), order.end(), 0);
    if (!isOrdered_) return order;
    std::ranges::stable_sort(order, std::greater(), [&](int writer) {
      return std::abs(number({sums, {writer}}));
    });
    if (order.size() > mostWriters) order.resize(mostWriters);
    return order;
  }

  void addHeader(Box& area) {
    const auto order = [&](bool largest) {
      return commands::changeSettings([=](ViewSettings& s) {
        if (largest)
          s.choices[orderChoice] = largestFirst;
        else
          s.choices.erase(orderChoice);
      });
    };
    const std::string from = input_.label(query_), to = input_.label(key_);
    ViewHeader header;
    header.title = "Why “" + from + "” looks at “" + to + "” · " + nameOf(head_);
    header.about = "s = " + formatted(number({score::sum, {0}})) +
                   ": who wrote the query (down) times who wrote the key";
    header.pictures = pictureChoices(input_, "attention");
    header.choices = {{{"As written", "in the order of the blocks", !isOrdered_, order(false)},
                       {"Largest first", "those who do most", isOrdered_, order(true)}}};
    addViewHeader(scene_, input_, area, header);
  }

  void addTable(Box area) {
    const auto down = static_cast<float>(rows_.size()), across = static_cast<float>(columns_.size());
    const Box box{area.x + writerWidth, area.y + namesHeight_, area.width - writerWidth - sideWidth,
                  area.height - namesHeight_ - 26};
    const float width = std::min(box.width / across, 72.0f), height = std::min(box.height / down, 32.0f);
    tableBox_ = {box.x, box.y, width * across, height * down};
    const float most = std::abs(rangeOf(scene_.sources, {score::table, {0, 0}, 0, 1}).high),
                least = std::abs(rangeOf(scene_.sources, {score::table, {0, 0}, 0, 1}).low);
    range_ = symmetric({-least, most});
    if (isOrdered_)
      addOrderedCells();
    else
      addCells({score::table, {0, 0}, 0, 1}, tableBox_);
    scene_.add(Rect{tableBox_, {0, 0, 0, 0}, theme_.line, 0, 1});
    addNames();
    addSides();
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
  void addOrderedCells() {
    const int down = static_cast<int>(rows_.size()), across = static_cast<int>(columns_.size());
    for (int r = 0; r < down; ++r)
      for (int c = 0; c < across; ++c) {
        TensorRef cell{
            score::table, {rows_[static_cast<std::size_t>(r)], columns_[static_cast<std::size_t>(c)]}, 0, 1};
        cell.rowCount = cell.columnCount = 1;
        addCells(cell, tableBox_.cell(r, c, down, across));
      }
  }

  void addNames() {
    const auto row = [&](int i) { return name(rows_[static_cast<std::size_t>(i)]); };
    const auto column = [&](int i) { return name(columns_[static_cast<std::size_t>(i)]); };
    const auto none = [](int) { return false; };
    const float letters =
        std::clamp(tableBox_.height / static_cast<float>(rows_.size()) - 2, 10.0f, Theme::small);
    addLabels(scene_, input_,
              {tableBox_, Side::Left, static_cast<int>(rows_.size()), writerWidth - 8, row, none,
               FontFace::Mono, letters});
    addLabels(scene_, input_,
              {tableBox_, Side::Top, static_cast<int>(columns_.size()), namesHeight_ - 8, column, none});
  }

  // What each writer comes to, beside the rows and below the columns.
  void addSides() {
    const float most =
        std::max({std::abs(rangeOf(scene_.sources, {score::fromQuery, {0}, -1, 0}).high),
                  std::abs(rangeOf(scene_.sources, {score::fromQuery, {0}, -1, 0}).low), 1e-6f});
    const int down = static_cast<int>(rows_.size()), across = static_cast<int>(columns_.size());
    for (int r = 0; r < down; ++r) {
      const Box row = tableBox_.cell(r, 0, down, 1);
      if (row.height < leastWriter) break;
      const TensorRef cell{score::fromQuery, {rows_[static_cast<std::size_t>(r)]}};
      addText(scene_, {tableBox_.right() + 44, row.center().y}, formattedFixed(number(cell), 2),
              {FontFace::Mono, std::min(Theme::small, row.height), theme_.text}, Align::End)
          .value = cell;
      const Box bar{tableBox_.right() + 50, row.y + row.height * 0.25f, sideWidth - 54, row.height * 0.5f};
      const Rgba color = number(cell) < 0 ? theme_.feedForward : theme_.attention;
      scene_.add(Bar{bar, cell, {-most, most}, color, false, 2});
      addHit({tableBox_.right() + 4, row.y, sideWidth - 4, row.height}, cell,
             name(rows_[static_cast<std::size_t>(r)]) + " on the query's side");
    }
    const float width = tableBox_.width / static_cast<float>(across);
    for (int c = 0; c < across; ++c) {
      const TensorRef cell{score::fromKey, {columns_[static_cast<std::size_t>(c)]}};
      const Box column{tableBox_.x + static_cast<float>(c) * width, tableBox_.bottom(), width, 20};
      if (width >= 30)
        addText(scene_, column.center(), formattedTight(number(cell)), {FontFace::Mono, 11, theme_.text},
                Align::Middle)
            .value = cell;
      addHit(column, cell, name(columns_[static_cast<std::size_t>(c)]) + " on the key's side");
    }
  }

  // All cells, what positions add, and the score of the pass beside them.
  void addTotal() {
    const TensorRef sum{score::sum, {0}}, positions{score::positions, {0}};
    const Point at{tableBox_.right() + 44, tableBox_.bottom() + 10};
    addText(scene_, at, formattedFixed(number(sum), 2), theme_.strong(), Align::End).value = sum;
    addHit({tableBox_.right(), tableBox_.bottom(), sideWidth, 20}, sum, "the score, put together again");
    if (number(positions) == 0) return;
    const TextStyle quiet{FontFace::Ui, Theme::small - 1, theme_.quiet};
    Text& words = addText(scene_, {tableBox_.x - writerWidth, tableBox_.bottom() + 10},
                          "positions " + formattedFixed(number(positions), 2), quiet);
    words.value = positions, words.maxWidth = writerWidth - 8;
    addHit({tableBox_.x - writerWidth, tableBox_.bottom(), writerWidth - 8, 20}, positions,
           "what positions add");
  }

  void addTableHits() {
    HitRegion hit;
    hit.box = tableBox_;
    hit.target.cell = {score::table, {0, 0}, 0, 1};
    hit.target.query = query_, hit.target.key = key_;
    hit.target.layer = head_.layer, hit.target.head = head_.head;
    hit.rows = static_cast<int>(rows_.size()), hit.columns = static_cast<int>(columns_.size());
    hit.cellAt = [box = tableBox_, rows = rows_, columns = columns_](Point at) {
      const auto part = [](float share, std::size_t count) {
        return static_cast<std::size_t>(
            std::clamp(share * static_cast<float>(count), 0.0f, static_cast<float>(count) - 1));
      };
      return std::array{rows[part((at.y - box.y) / box.height, rows.size())],
                        columns[part((at.x - box.x) / box.width, columns.size())]};
    };
    hit.say = [model = model_](const Target& target) {
      return writerName(*model, target.cell.index[0]) + " asks, " + writerName(*model, target.cell.index[1]) +
             " answers";
    };
    hit.name = "score table";
    scene_.hits.push_back(std::move(hit));
  }

  // q ⊙ k, dimension by dimension.
  void addDimensions(Box area) {
    const Box words = area.takeTop(24);
    addText(scene_, {words.x, words.center().y},
            "The same score by dimension: " + scene_.sources.point(score::dimensions)->equation,
            theme_.note())
        .maxWidth = words.width;
    const TensorRef all{score::dimensions, {0}, -1, 0};
    const int K = scene_.sources.find(score::dimensions)->extent[0];
    const Range range = rangeOf(scene_.sources, all);
    const float most = std::max({std::abs(range.low), std::abs(range.high), 1e-6f}), middle = area.center().y;
    scene_.add(Line{{{area.x, middle}, {area.right(), middle}}, theme_.line, 1, false});
    for (int k = 0; k < K; ++k) {
      const TensorRef cell{score::dimensions, {k}};
      const Box column = area.cell(0, k, 1, K);
      const float height = area.height / 2 * std::abs(number(cell)) / most;
      const bool isNegative = number(cell) < 0;
      const Box bar{column.x + column.width * 0.15f, isNegative ? middle : middle - height,
                    column.width * 0.7f, std::max(height, 1.0f)};
      scene_.add(Bar{bar, cell, isNegative ? Range{0, number(cell)} : Range{0, std::max(number(cell), 1e-9f)},
                     isNegative ? theme_.feedForward : theme_.attention, true, 0});
      addHit(column, cell, "dimension " + std::to_string(k)).target.dimension = k;
    }
  }

  HitRegion& addHit(const Box& box, const TensorRef& cell, std::string text) {
    HitRegion hit;
    hit.box = box, hit.target.cell = cell, hit.target.text = std::move(text), hit.tabStop = false;
    return scene_.hits.emplace_back(std::move(hit));
  }

  const SceneInput& input_;
  const Theme& theme_;
  std::shared_ptr<const Transformer> model_;
  HeadId head_;
  bool isOrdered_;
  Scene scene_;
  TensorView table_;
  int query_ = 0, key_ = 0;
  std::vector<int> rows_, columns_;
  float namesHeight_ = 0;
  Box tableBox_;
  Range range_;
};

}  // namespace

Scene scoreTableScene(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config)
    return emptyScene(input, "No forward pass yet", input.snapshot.standing.error);
  const HeadId head = selectedHead(input.workspace, input.config());
  if (const std::string reason = whyNoScoreTable(input.config(), head.site); !reason.empty())
    return emptyScene(input, "This score is not taken apart", reason);
  if (input.snapshot.isDifference())
    return emptyScene(input, "No difference of two tables", "side by side shows the scores of both texts");
  if (!input.sources().contains(score::table))
    return emptyScene(input, "Taking the score apart", waitingWords(input));
  return ScoreTable(input).drawn();
}

}  // namespace glassformer
