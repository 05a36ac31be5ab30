#include "app/views/attention/plane_matrix.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_commands.h"
#include "app/document/selection_commands.h"
#include "app/scene/format.h"
#include "app/views/attention/cell_symbols.h"
#include "app/views/attention/mask_painting.h"
#include "app/views/attention/pair_painting.h"
#include "core/lens/attention_stages.h"

namespace glassformer {

namespace {

class PlaneBuilder {
 public:
  PlaneBuilder(AttentionPicture& picture, const PlaneMatrix& drawn)
      : picture_(picture),
        scene_(picture.scene),
        theme_(picture.theme),
        drawn_(drawn),
        box_(drawn.box),
        part_(shownWindow(picture.settings.window, picture.queries, picture.keys)) {
    for (int row = 0; row < part_.queries; ++row) queries_.push_back(part_.firstQuery + row);
    if (drawn.plane.order != RowOrder::Text)
      for (int& query : queries_)
        query = static_cast<int>(valueOf(scene_.sources, {rowsTensorOf(drawn.plane), {query}})
                                     .value_or(static_cast<float>(query)));
  }

  void draw() {
    if (!isThere(picture_, drawn_.plane)) {
      scene_.add(Rect{box_, theme_.masked, theme_.line, 0, 1});
      addText(scene_, box_.center(), waitingWords(picture_.input), theme_.note(), Align::Middle);
    } else {
      const Matrix matrix = addMatrix();
      if (drawn_.name == "attention" && showsSymbols(picture_, drawn_.plane))
        addCellSymbols(picture_, drawn_.plane, matrix);
      else
        addCellNumbers(scene_, picture_.input, matrix, picture_.labelSize);
    }
    if (paints() && !ordered()) addPaintedMarks(picture_, box_, part_);
    if (pairs() && !ordered()) addPairMarks(picture_, box_, part_);
    addEmptyRows();
    addCrosshair();
    addAxes();
    addHit();
  }

 private:
  bool ordered() const { return drawn_.plane.order != RowOrder::Text; }
  bool paints() const { return drawn_.name == "attention" && isPaintingMask(picture_); }
  bool pairs() const { return drawn_.name == "attention" && isPaintingPairs(picture_); }
  bool hidesKeys() const {
    const bool beforeMask = drawn_.plane.quantity == AttentionQuantity::Scores;
    return picture_.lookedAt == Stream::Text && (paints() || !beforeMask);
  }

  Matrix addMatrix() {
    Matrix matrix;
    matrix.box = box_;
    matrix.values = refOf(drawn_.plane);
    matrix.map = drawn_.scale.map, matrix.range = drawn_.scale.range;
    if (hidesKeys() && !ordered()) matrix.mask = picture_.mask;
    const auto cut = [](TensorRef& ref, int dimension, int first) {
      ref.index[static_cast<std::size_t>(dimension)] = first;
    };
    cut(matrix.values, matrix.values.rowDimension, part_.firstQuery);
    cut(matrix.values, matrix.values.columnDimension, part_.firstKey);
    matrix.values.rowCount = part_.queries, matrix.values.columnCount = part_.keys;
    scene_.add(matrix);
    if (matrix.mask)
      addMaskHatch(scene_, box_, part_.keys, part_.firstQuery, part_.firstKey, *matrix.mask,
                   mix(theme_.line, theme_.quiet, 0.15f));
    scene_.add(Rect{box_, {0, 0, 0, 0}, theme_.line, 0, 1});
    return matrix;
  }

  // Where a mask behind the softmax has left nothing to divide by: 0 / 0, kept at 0.
  void addEmptyRows() {
    const AttentionPlane& plane = drawn_.plane;
    const bool mayBeEmpty = drawn_.name == "attention" && plane.quantity == AttentionQuantity::Pattern &&
                            plane.fold == HeadFold::One && !picture_.input.snapshot.isDifference() &&
                            isRenormalized(picture_.config, picture_.site) && isThere(picture_, plane);
    if (!mayBeEmpty) return;
    const auto pattern = glassformer::plane(scene_.sources, refOf(inTextOrder(plane)));
    for (int row = 0; pattern && row < part_.queries; ++row) {
      const int query = queries_[static_cast<std::size_t>(row)];
      bool isEmpty = true;
      for (int key = 0; key < pattern->extent[1]; ++key) isEmpty = isEmpty && (*pattern)(query, key) == 0;
      if (isEmpty) addEmptyRow(box_.cell(row, 0, part_.queries, 1));
    }
  }
  void addEmptyRow(const Box& row) {
    addOutline(scene_, row.inset(1, 1), theme_.broken, 1.5f);
    const std::string words = "0 / 0, left at 0";
    const float width = picture_.input.metrics.width(words, FontFace::Ui, Theme::small) + 12;
    if (row.height < Theme::small + 2 || row.width < width + 8) return;
    const Box label{row.right() - width - 3, row.center().y - Theme::small / 2 - 2, width, Theme::small + 4};
    std::erase_if(scene_.shapes, [&](const Shape& shape) {  // the zeros below it
      const auto* zero = std::get_if<Text>(&shape);
      return zero && label.inset(-8, 0).contains(zero->at);
    });
    scene_.add(Rect{label, theme_.panel, {0, 0, 0, 0}, 3, 1});
    addText(scene_, label.center(), words, {FontFace::Ui, Theme::small, theme_.text}, Align::Middle);
  }

  int rowOf(int query) const {
    const auto found = std::find(queries_.begin(), queries_.end(), query);
    return found == queries_.end() ? Target::none : static_cast<int>(found - queries_.begin());
  }
  int columnOf(int key) const {
    const int column = key - part_.firstKey;
    return key == Target::none || column < 0 || column >= part_.keys ? Target::none : column;
  }

  void addCrosshair() {
    const int rows = part_.queries, columns = part_.keys, chosen = rowOf(picture_.query());
    if (chosen != Target::none) {
      const Box row = box_.cell(chosen, 0, rows, 1);
      scene_.add(Rect{{box_.x - 4, row.y, 3, std::max(row.height, 3.0f)}, theme_.accent, {0, 0, 0, 0}, 0, 1});
    }
    const auto band = [&](const Box& strip) { addOutline(scene_, strip, theme_.text.faded(0.45f), 1); };
    if (picture_.pair.query == Target::none || hoversOneToken()) {
      for (int i = 0; i < rows; ++i)
        if (picture_.input.hover.touches(queries_[static_cast<std::size_t>(i)], picture_.asking))
          band(box_.cell(i, 0, rows, 1));
      // What is looked at only where it is another stream: in one text, a token is its row.
      for (int i = 0; i < columns && picture_.isAcross(); ++i)
        if (picture_.input.hover.touches(part_.firstKey + i, picture_.lookedAt))
          band(box_.cell(0, i, 1, columns));
      return;
    }
    const int row = rowOf(picture_.pair.query), column = columnOf(picture_.pair.key);
    if (row != Target::none) band(box_.cell(row, 0, rows, 1));
    if (column != Target::none) band(box_.cell(0, column, 1, columns));
    if (row != Target::none && column != Target::none)
      addOutline(scene_, box_.cell(row, column, rows, columns), theme_.text, 2);
  }
  // A token of either stream, pointed at elsewhere.
  bool hoversOneToken() const { return picture_.isAcross() && picture_.input.hover.token != Target::none; }

  // What the chosen query looks at most.
  int strongestKey() const {
    const int row = rowOf(picture_.query());
    if (row == Target::none || !isThere(picture_, drawn_.plane)) return Target::none;
    const TensorView cells = *plane(scene_.sources, refOf(drawn_.plane));
    int strongest = part_.firstKey;
    for (int key = part_.firstKey; key < part_.firstKey + part_.keys; ++key)
      if (cells(part_.firstQuery + row, key) > cells(part_.firstQuery + row, strongest)) strongest = key;
    return strongest;
  }

  void addAxes() {
    const auto query = [&](int row) { return queries_[static_cast<std::size_t>(row)]; };
    const auto key = [&](int column) { return part_.firstKey + column; };
    const auto isQuery = [&](int row) {
      const int i = query(row);
      return i == picture_.pair.query || i == picture_.hoveredToken(picture_.asking) || i == picture_.query();
    };
    const int strongest = strongestKey();
    const auto isKey = [&](int column) {
      const int i = key(column);
      return i == picture_.pair.key || i == picture_.hoveredToken(picture_.lookedAt) || i == strongest;
    };
    const auto queryLabel = [&](int row) { return picture_.queryLabel(query(row)); };
    const auto keyLabel = [&](int column) { return picture_.keyLabel(key(column)); };
    addLabels(
        scene_, picture_.input,
        {box_, Side::Top, part_.keys, drawn_.depth, keyLabel, isKey, FontFace::Mono, picture_.labelSize});
    if (!drawn_.rowLabels) return;
    addText(scene_, {box_.x - 8, box_.y - 33}, picture_.isAcross() ? "source →" : "keys →", theme_.note(),
            Align::End);
    addText(scene_, {box_.x - 8, box_.y - 16}, picture_.isAcross() ? "target ↓" : "queries ↓", theme_.note(),
            Align::End);
    addLabels(scene_, picture_.input,
              {box_, Side::Left, part_.queries, drawn_.depth, queryLabel, isQuery, FontFace::Mono,
               picture_.labelSize});
  }

  void addHit() {
    HitRegion hit;
    hit.box = box_;
    hit.target = picture_.target();
    const AttentionPlane plain = inTextOrder(drawn_.plane);
    if (isThere(picture_, plain)) hit.target.cell = refOf(plain);
    if (plain.fold == HeadFold::One)
      hit.target.layer = plain.heads.front().layer, hit.target.head = plain.heads.front().head;
    hit.rows = part_.queries, hit.columns = part_.keys;
    hit.firstRow = part_.firstQuery, hit.firstColumn = part_.firstKey;
    if (ordered()) hit.rowOrder = queries_;
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.click = [site = picture_.site](const Target& target) {
      return commands::selectCell(target.query, target.key, site);
    };
    hit.say = [queries = picture_.input.labels(picture_.asking),
               keys = picture_.input.labels(picture_.lookedAt), plain,
               mask = picture_.isMasked() ? picture_.mask
                                          : AttentionMask{MaskKind::None, 0, {}}](const Target& target) {
      const std::string query = "“" + queries[static_cast<std::size_t>(target.query)] + "”";
      const std::string key = "“" + keys[static_cast<std::size_t>(target.key)] + "”";
      if (plain.quantity != AttentionQuantity::Scores && !mask.allows(target.query, target.key))
        return query + " cannot see " + key;
      return relationOf(plain, query, key);
    };
    hit.name = drawn_.name;
    addZoom(hit);
    if (paints()) makePaintable(picture_, hit);
    if (pairs()) makePairable(picture_, hit);
    scene_.hits.push_back(std::move(hit));
  }

  void addZoom(HitRegion& hit) const {
    const PositionWindow window = picture_.settings.window;
    const int queries = picture_.queries, keys = picture_.keys;
    hit.zoom = [=](float notches, Point at) {
      return commands::setAttentionWindow(zoomed(window, queries, keys, notches, at.y, at.x));
    };
    hit.reset = [] { return commands::setAttentionWindow({}); };
    if (part_.queries < queries || part_.keys < keys)
      hit.pan = [=](Point by) {
        return commands::setAttentionWindow(panned(window, queries, keys, -by.y, -by.x));
      };
  }

  AttentionPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  const PlaneMatrix& drawn_;
  Box box_;
  PlaneWindow part_;
  std::vector<int> queries_;  // what each drawn row is of
};

}  // namespace

void addPlaneMatrix(AttentionPicture& picture, const PlaneMatrix& matrix) {
  PlaneBuilder(picture, matrix).draw();
}

}  // namespace glassformer
