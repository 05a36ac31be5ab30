#include "app/scene/attention/plane_matrix.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"

namespace glassformer {

namespace {

class PlaneBuilder {
 public:
  PlaneBuilder(AttentionView& view, const PlaneMatrix& drawn)
      : view_(view),
        scene_(view.scene),
        theme_(view.theme),
        drawn_(drawn),
        box_(drawn.box),
        window_(clamped(view.settings.window, view.count)) {
    for (int row = 0; row < window_.count; ++row) queries_.push_back(window_.firstQuery + row);
    if (drawn.plane.order != RowOrder::Text)
      for (int& query : queries_)
        query = static_cast<int>(valueOf(scene_.sources, {rowsTensorOf(drawn.plane), {query}})
                                     .value_or(static_cast<float>(query)));
  }

  void draw() {
    if (!isThere(view_, drawn_.plane)) {
      scene_.add(Rect{box_, theme_.masked, theme_.line, 0, 1});
    } else {
      const Matrix matrix = addMatrix();
      addNumbers(matrix);
    }
    addCrosshair();
    addAxes();
    addHit();
  }

 private:
  bool ordered() const { return drawn_.plane.order != RowOrder::Text; }
  bool hidesKeys() const { return drawn_.plane.quantity != AttentionQuantity::Scores; }

  Matrix addMatrix() {
    Matrix matrix;
    matrix.box = box_;
    matrix.values = refOf(drawn_.plane);
    matrix.map = drawn_.scale.map, matrix.range = drawn_.scale.range;
    matrix.causal = hidesKeys() && !ordered();
    const auto cut = [](TensorRef& ref, int dimension, int first) {
      ref.index[static_cast<std::size_t>(dimension)] = first;
    };
    cut(matrix.values, matrix.values.rowDimension, window_.firstQuery);
    cut(matrix.values, matrix.values.columnDimension, window_.firstKey);
    matrix.values.rowCount = matrix.values.columnCount = window_.count;
    scene_.add(matrix);
    if (matrix.causal)
      addCausalHatch(scene_, box_, window_.count, mix(theme_.line, theme_.quiet, 0.15f),
                     window_.firstQuery - window_.firstKey);
    scene_.add(Rect{box_, {0, 0, 0, 0}, theme_.line, 0, 1});
    return matrix;
  }

  void addNumbers(const Matrix& matrix) {
    const float most = std::max(std::abs(matrix.range.low), std::abs(matrix.range.high));
    const float letters = matrix.map == ColorMap::Sequential && most < 10 ? 2.4f : 3.0f;
    if (box_.width / static_cast<float>(window_.count) < view_.labelSize * letters + 8) return;
    const auto cells = plane(scene_.sources, matrix.values);
    if (!cells) return;
    cells->forEach([&](const auto& index, float value) {
      const int row = index[0], column = index[1];
      if (!std::isfinite(value) || isMasked(matrix, row, column, value)) return;
      addText(scene_, box_.cell(row, column, window_.count, window_.count).center(), formattedFixed(value, 2),
              {FontFace::Mono, view_.labelSize, inkOn(cellColor(matrix, value, theme_.dark))}, Align::Middle)
          .value = matrix.values.cell(row, column);
    });
  }

  int rowOf(int query) const {
    const auto found = std::find(queries_.begin(), queries_.end(), query);
    return found == queries_.end() ? Target::none : static_cast<int>(found - queries_.begin());
  }
  int columnOf(int key) const {
    const int column = key - window_.firstKey;
    return key == Target::none || column < 0 || column >= window_.count ? Target::none : column;
  }

  void addCrosshair() {
    const int n = window_.count, chosen = rowOf(view_.input.query());
    if (chosen != Target::none) {
      const Box row = box_.cell(chosen, 0, n, 1);
      scene_.add(Rect{{box_.x - 4, row.y, 3, std::max(row.height, 3.0f)}, theme_.accent, {0, 0, 0, 0}, 0, 1});
    }
    const auto band = [&](const Box& strip) { addOutline(scene_, strip, theme_.text.faded(0.45f), 1); };
    if (view_.pair.query == Target::none) {
      for (const int i : {view_.input.hover.token, view_.input.hover.query})
        if (const int row = rowOf(i); i != Target::none && row != Target::none) band(box_.cell(row, 0, n, 1));
      return;
    }
    const int row = rowOf(view_.pair.query), column = columnOf(view_.pair.key);
    if (row != Target::none) band(box_.cell(row, 0, n, 1));
    if (column != Target::none) band(box_.cell(0, column, 1, n));
    if (row != Target::none && column != Target::none)
      addOutline(scene_, box_.cell(row, column, n, n), theme_.text, 2);
  }

  void addAxes() {
    const int hovered = view_.input.hover.token;
    const auto query = [&](int row) { return queries_[static_cast<std::size_t>(row)]; };
    const auto key = [&](int column) { return window_.firstKey + column; };
    const auto isQuery = [&](int row) {
      const int i = query(row);
      return i == view_.pair.query || i == hovered || i == view_.input.query();
    };
    const auto isKey = [&](int column) { return key(column) == view_.pair.key || key(column) == hovered; };
    const auto queryLabel = [&](int row) { return view_.input.label(query(row)); };
    const auto keyLabel = [&](int column) { return view_.input.label(key(column)); };
    addLabels(
        scene_, view_.input,
        {box_, Side::Top, window_.count, drawn_.depth, keyLabel, isKey, FontFace::Mono, view_.labelSize});
    if (!drawn_.rowLabels) return;
    const TextStyle quiet{FontFace::Ui, Theme::small, theme_.quiet};
    addText(scene_, {box_.x - 8, box_.y - 33}, "keys →", quiet, Align::End);
    addText(scene_, {box_.x - 8, box_.y - 16}, "queries ↓", quiet, Align::End);
    addLabels(scene_, view_.input,
              {box_, Side::Left, window_.count, drawn_.depth, queryLabel, isQuery, FontFace::Mono,
               view_.labelSize});
  }

  void addHit() {
    HitRegion hit;
    hit.box = box_;
    const AttentionPlane plain = inTextOrder(drawn_.plane);
    if (isThere(view_, plain)) hit.target.cell = refOf(plain);
    if (plain.fold == HeadFold::One)
      hit.target.layer = plain.heads.front().layer, hit.target.head = plain.heads.front().head;
    hit.rows = hit.columns = window_.count;
    hit.firstRow = window_.firstQuery, hit.firstColumn = window_.firstKey;
    if (ordered()) hit.rowOrder = queries_;
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.click = [](const Target& target) { return commands::selectCell(target.query, target.key); };
    hit.say = [labels = labels(), plain](const Target& target) {
      const std::string query = "“" + labels[static_cast<std::size_t>(target.query)] + "”";
      const std::string key = "“" + labels[static_cast<std::size_t>(target.key)] + "”";
      if (plain.quantity != AttentionQuantity::Scores && target.key > target.query)
        return query + " cannot see " + key;
      return relationOf(plain, query, key);
    };
    hit.name = drawn_.name;
    addZoom(hit);
    scene_.hits.push_back(std::move(hit));
  }

  void addZoom(HitRegion& hit) const {
    hit.zoom = [window = window_, total = view_.count](float notches, Point at) {
      return commands::setAttentionWindow(zoomed(window, total, notches, at.y, at.x));
    };
    hit.reset = [] { return commands::setAttentionWindow({}); };
    if (window_.count < view_.count)
      hit.pan = [window = window_, total = view_.count](Point by) {
        return commands::setAttentionWindow(panned(window, total, -by.y, -by.x));
      };
  }

  std::vector<std::string> labels() const {
    std::vector<std::string> all;
    for (int i = 0; i < view_.count; ++i) all.push_back(view_.input.label(i));
    return all;
  }

  AttentionView& view_;
  Scene& scene_;
  const Theme& theme_;
  const PlaneMatrix& drawn_;
  Box box_;
  PositionWindow window_;
  std::vector<int> queries_;  // what each drawn row is of
};

}  // namespace

void addPlaneMatrix(AttentionView& view, const PlaneMatrix& matrix) { PlaneBuilder(view, matrix).draw(); }

}  // namespace glassformer
