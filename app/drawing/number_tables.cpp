#include "app/drawing/number_tables.h"

#include <algorithm>

#include "app/drawing/place_names.h"
#include "app/drawing/surface_axes.h"
#include "app/engine/ablation_map.h"
#include "app/engine/snapshot.h"
#include "app/scene/format.h"
#include "core/lens/contributions.h"
#include "core/lens/head_reading.h"

namespace glassformer {
namespace {

// A plane, or single cells, that shapes draw, and how large they do.
struct Drawn {
  TensorRef ref;
  float area = 0;
  bool isScattered = false;  // drawn one over the other, not one below the other
};

struct Collector {
  std::vector<Drawn> planes, cells;
  std::vector<Drawn> tiles;  // planes of one cell each

  static void add(std::vector<Drawn>& list, const TensorRef& ref, float area, bool isScattered = false) {
    if (ref.empty()) return;
    const auto known =
        std::find_if(list.begin(), list.end(), [&](const Drawn& drawn) { return drawn.ref == ref; });
    if (known == list.end())
      list.push_back({ref, area, isScattered});
    else
      known->area += area;
  }
  void operator()(const Matrix& matrix) {
    const TensorRef& ref = matrix.values;
    const bool isTile =
        ref.rowDimension >= 0 && ref.columnDimension >= 0 && ref.rowCount == 1 && ref.columnCount == 1;
    add(isTile ? tiles : planes, ref, matrix.box.width * matrix.box.height);
  }
  void operator()(const SurfacePlot& surface) {
    add(planes, surface.values, surface.box.width * surface.box.height);
  }
  // A curve shows less of its numbers than a heatmap of the same size.
  void operator()(const Curve& curve) { add(planes, curve.values, curve.box.width); }
  void operator()(const Bar& bar) { add(cells, bar.value, bar.track.width); }
  void operator()(const Ribbon& ribbon) { add(cells, ribbon.value, ribbon.thickness); }
  void operator()(const Phasor& phasor) { add(planes, phasor.pair, phasor.length); }
  void operator()(const Dot& dot) { add(planes, dot.pair, dot.radius, true); }
  void operator()(const SpaceDot& dot) { add(planes, dot.triple, dot.radius, true); }
  template <typename Decoration>
  void operator()(const Decoration&) {}
};

bool spans(const TensorRef& ref, int dimension) {
  return dimension == ref.rowDimension || dimension == ref.columnDimension;
}

class TableMaker {
 public:
  TableMaker(const Scene& scene, const Snapshot& snapshot) : scene_(scene), snapshot_(snapshot) {}

  // Whether all cells of `part` are cells of `whole`.
  bool holds(const TensorRef& whole, const TensorRef& part) const {
    const TracePoint* point = scene_.sources.point(whole.tensor);
    const auto all = glassformer::plane(scene_.sources, whole),
               some = glassformer::plane(scene_.sources, part);
    if (whole.tensor != part.tensor || !point || !all || !some) return false;
    for (int d = 0; d < rank(*point); ++d) {
      const int first = at(part, d) - at(whole, d);
      if (first < 0 || first + count(part, *some, d) > count(whole, *all, d)) return false;
    }
    return true;
  }

  bool isHeld(const TensorRef& part, const std::vector<Drawn>& wholes) const {
    return std::any_of(wholes.begin(), wholes.end(),
                       [&](const Drawn& whole) { return holds(whole.ref, part); });
  }

  // The planes that are there, without those that are a part of a larger one.
  std::vector<Drawn> distinct(std::vector<Drawn> planes) const {
    const auto size = [&](const Drawn& d) {
      const auto values = glassformer::plane(scene_.sources, d.ref);
      return values ? values->size() : 0;
    };
    std::erase_if(planes, [&](const Drawn& d) { return size(d) == 0; });
    std::stable_sort(planes.begin(), planes.end(),
                     [&](const Drawn& a, const Drawn& b) { return size(a) > size(b); });
    std::vector<Drawn> kept;
    for (const Drawn& drawn : planes)
      if (!isHeld(drawn.ref, kept)) kept.push_back(drawn);
    return kept;
  }

  // The one dimension in which two single rows of a tensor differ; -1 where it is not one.
  int apart(const TensorRef& a, const TensorRef& b) const {
    if (a.tensor != b.tensor || a.rowDimension >= 0 || b.rowDimension >= 0 ||
        a.columnDimension != b.columnDimension || a.columnCount != b.columnCount)
      return -1;
    int found = -1;
    for (int d = 0; d < maxRank; ++d)
      if (at(a, d) != at(b, d)) {
        if (found >= 0 || d == a.columnDimension) return -1;
        found = d;
      }
    return found;
  }

  NumberTable plane(const TensorRef& ref) const {
    NumberTable table = described(ref, -1);
    const TensorView values = *glassformer::plane(scene_.sources, ref);
    table.values = Tensor({values.extent[0], values.extent[1]}, values.copy());
    table.rows = labels(ref, ref.rowDimension, values.extent[0]);
    table.columns = labels(ref, ref.columnDimension, values.extent[1]);
    return table;
  }

  // Rows that differ in dimension `down`, below each other.
  NumberTable stacked(const std::vector<TensorRef>& refs, int down) const {
    NumberTable table = described(refs.front(), down);
    std::vector<float> all;
    int columns = 0;
    for (const TensorRef& ref : refs) {
      const TensorView values = *glassformer::plane(scene_.sources, ref);
      const auto row = values.copy();
      all.insert(all.end(), row.begin(), row.end());
      columns = values.extent[1];
      table.rows.push_back(label(ref, down, 0));
    }
    table.values = Tensor({static_cast<int>(refs.size()), columns}, std::move(all));
    table.columns = labels(refs.front(), refs.front().columnDimension, columns);
    return table;
  }

  // Whether both are cells of the same plane.
  static bool areTogether(const TensorRef& a, const TensorRef& b) {
    if (a.tensor != b.tensor || a.rowDimension != b.rowDimension || a.columnDimension != b.columnDimension)
      return false;
    for (int d = 0; d < maxRank; ++d)
      if (!spans(a, d) && at(a, d) != at(b, d)) return false;
    return true;
  }

  // Cells of a plane, whose rows and columns are drawn in an order of their own, row by row.
  NumberTable tiled(const std::vector<TensorRef>& cells) const {
    const TensorRef& first = cells.front();
    const auto sameRow = [&](const TensorRef& cell) {
      return at(cell, first.rowDimension) == at(first, first.rowDimension);
    };
    const auto columns = static_cast<std::size_t>(std::ranges::count_if(cells, sameRow));
    NumberTable table = described(first, -1);
    std::vector<float> values;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      values.push_back(*valueOf(scene_.sources, {cells[i].tensor, cells[i].index}));
      if (i < columns) table.columns.push_back(label(cells[i], first.columnDimension, 0));
      if (i % columns == 0) table.rows.push_back(label(cells[i], first.rowDimension, 0));
    }
    table.values =
        Tensor({static_cast<int>(table.rows.size()), static_cast<int>(columns)}, std::move(values));
    return table;
  }

  // Single cells of one tensor.
  NumberTable list(const std::vector<TensorRef>& cells) const {
    NumberTable table;
    const TracePoint& point = *scene_.sources.point(cells.front().tensor);
    table.tensor = point.name, table.meaning = point.meaning, table.corner = point.letters;
    std::vector<float> values;
    for (const TensorRef& cell : cells) {
      values.push_back(*valueOf(scene_.sources, cell));
      table.rows.push_back(wordsFor(cell, rank(point)));
    }
    table.values = Tensor({static_cast<int>(cells.size()), 1}, std::move(values));
    table.columns = {point.name};
    return table;
  }

 private:
  static int rank(const TracePoint& point) { return static_cast<int>(point.letters.size()); }
  static int at(const TensorRef& ref, int d) { return ref.index[static_cast<std::size_t>(d)]; }
  // How many indices of dimension `d` a reference spans.
  static int count(const TensorRef& ref, const TensorView& values, int d) {
    return d == ref.rowDimension ? values.extent[0] : d == ref.columnDimension ? values.extent[1] : 1;
  }
  static char letter(const TracePoint& point, int d) { return point.letters[static_cast<std::size_t>(d)]; }

  NumberTable described(const TensorRef& ref, int down) const {
    NumberTable table;
    const TracePoint& point = *scene_.sources.point(ref.tensor);
    table.tensor = point.name, table.meaning = point.meaning;
    const auto name = [&](int d) { return d < 0 ? std::string() : std::string(1, letter(point, d)); };
    table.corner = name(down >= 0 ? down : ref.rowDimension) + "\\" + name(ref.columnDimension);
    for (int d = 0; d < rank(point); ++d)
      if (d != down && !spans(ref, d))
        table.part += (table.part.empty() ? "" : ".") + name(d) + std::to_string(at(ref, d));
    return table;
  }

  std::vector<std::string> labels(const TensorRef& ref, int dimension, int count) const {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(label(ref, dimension, i));
    return names;
  }
  std::string label(const TensorRef& ref, int dimension, int i) const {
    if (dimension < 0) return scene_.sources.point(ref.tensor)->name;
    const int index = at(ref, dimension) + i;
    const TracePoint& point = *scene_.sources.point(ref.tensor);
    const char counts = letter(point, dimension);
    const auto position = static_cast<std::size_t>(index);
    const std::vector<TokenPiece>& tokens = snapshot_.pass->tokensOf(counts == 'S' ? point.keys : point.rows);
    if ((counts == 'T' || counts == 'S') && position < tokens.size()) return tokens[position].label;
    if (counts == 'E' && position < snapshot_.kept.offered.size())
      return snapshot_.kept.offered[position].name;
    if (counts == 'V') return snapshot_.model->entryLabel(index);
    if (const auto step = stepAlong(point, counts, index)) return formattedShort(*step);
    if (counts == 'M' && snapshot_.model->transformer)
      return nameOf(contributionPart(*snapshot_.model->transformer, index));
    if (counts == 'O' && snapshot_.model->transformer)
      return writerName(*snapshot_.model->transformer, index, writersStream(point, dimension));
    if (counts == 'b' && snapshot_.model->transformer)
      return writerGroupName(*snapshot_.model->transformer, index, writersStream(point, dimension));
    if (!snapshot_.model->config) return std::to_string(index);
    const ModelConfig& config = *snapshot_.model->config;
    // Of a trace from elsewhere there may be the last place alone.
    const bool isAllPlaces = counts == 'P' && scene_.sources.find(ref.tensor)->extent[dimension] > 1;
    if (isAllPlaces) return placeLabel(stackOf(config, point.rows), index);
    return point.name.starts_with("causal.") ? causalLabel(config, point, counts, index)
                                             : std::to_string(index);
  }

  static std::string causalLabel(const ModelConfig& config, const TracePoint& point, char counts, int index) {
    const auto i = static_cast<std::size_t>(index);
    if (counts == 'Z') return causalColumnName(config, index);
    return point.letters == "YT" ? shortNameOf(positionedParts(config)[i])
                                 : causalRowName(causalRows(config)[i]);
  }

  // Rows and columns of a surface are steps along its axes.
  std::optional<float> stepAlong(const TracePoint& point, char counts, int index) const {
    const auto axis = surfaceAxis(point, counts);
    return axis ? valueOf(scene_.sources, {axis->tensor, {index}}) : std::nullopt;
  }

  // What the picture says of a cell when the pointer is on it, else its indices.
  std::string wordsFor(const TensorRef& cell, int dimensions) const {
    for (const HitRegion& hit : scene_.hits)
      if (hit.target.cell == cell && !hit.target.text.empty())
        return hit.target.text.substr(0, hit.target.text.find('\n'));
    std::string words;
    for (int d = 0; d < dimensions; ++d) words += (d ? " " : "") + label(cell, d, 0);
    return words;
  }

  const Scene& scene_;
  const Snapshot& snapshot_;
};

// Takes out of `drawn` what is accepted, and adds up how large it was drawn.
template <typename Accept>
std::vector<TensorRef> taken(std::vector<Drawn>& drawn, float& area, Accept accept) {
  std::vector<TensorRef> refs;
  std::erase_if(drawn, [&](const Drawn& d) {
    if (!accept(d.ref)) return false;
    refs.push_back(d.ref), area += d.area;
    return true;
  });
  return refs;
}

}  // namespace

std::vector<NumberTable> numberTables(const Scene& scene, const Snapshot& snapshot) {
  Collector collected;
  for (const Shape& shape : scene.shapes) std::visit(collected, shape);
  const TableMaker maker(scene, snapshot);
  // A plane that has but one cell is no tile.
  std::erase_if(collected.tiles, [&, all = collected.tiles](const Drawn& tile) {
    const bool isAlone = std::ranges::count_if(all, [&](const Drawn& other) {
                           return maker.areTogether(tile.ref, other.ref);
                         }) == 1;
    if (isAlone) collected.planes.push_back(tile);
    return isAlone;
  });
  std::vector<Drawn> planes = maker.distinct(std::move(collected.planes)), cells = std::move(collected.cells);
  std::erase_if(
      cells, [&](const Drawn& d) { return !valueOf(scene.sources, d.ref) || maker.isHeld(d.ref, planes); });
  std::erase_if(collected.tiles, [&](const Drawn& d) {
    return !valueOf(scene.sources, {d.ref.tensor, d.ref.index}) || maker.isHeld(d.ref, planes);
  });

  std::vector<std::pair<float, NumberTable>> tables;
  while (!planes.empty()) {
    const TensorRef first = planes.front().ref;
    const bool isScattered = planes.front().isScattered;
    int down = -1;
    for (const Drawn& other : planes)
      if (down < 0) down = maker.apart(first, other.ref);
    float area = 0;
    auto rows = taken(planes, area, [&](const TensorRef& ref) {
      return ref == first || (down >= 0 && maker.apart(first, ref) == down);
    });
    if (isScattered) std::ranges::stable_sort(rows, {}, &TensorRef::index);
    tables.push_back({area, down < 0 ? maker.plane(first) : maker.stacked(rows, down)});
  }
  for (std::vector<Drawn>& tiles = collected.tiles; !tiles.empty();) {
    float area = 0;
    const TensorRef first = tiles.front().ref;
    const auto together =
        taken(tiles, area, [&](const TensorRef& ref) { return maker.areTogether(first, ref); });
    tables.push_back({area, maker.tiled(together)});
  }
  std::stable_sort(tables.begin(), tables.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });

  std::vector<NumberTable> all;
  for (auto& [area, table] : tables) all.push_back(std::move(table));
  while (!cells.empty()) {
    float area = 0;
    const std::string tensor = cells.front().ref.tensor;
    all.push_back(maker.list(taken(cells, area, [&](const TensorRef& ref) { return ref.tensor == tensor; })));
  }
  return all;
}

}  // namespace glassformer
