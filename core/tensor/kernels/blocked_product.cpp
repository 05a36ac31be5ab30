// The one hot loop, on Eigen's vector packets: products of many rows, in blocks (after Goto & van de Geijn
// 2008). A tile of C stays in registers while k runs, A is copied tile by tile so that the loop reads it in
// sequence, B panel by panel.
#include <array>
#include <utility>

#include "core/tensor/kernels/packing.h"

namespace glassformer::GLASSFORMER_LEVEL {
namespace {

constexpr int depthBlock = 256;  // a panel and a tile of A fit the first cache, a block of A the second
constexpr int leastStep = 4;     // numbers of k between which a tile fetches what comes next

// What is read after a panel, as pairs of lines that follow one another. They are fetched a few at a time
// while tiles are computed: the processor waits for so many at once and no more, and reads nothing else then.
struct Lines {
  static constexpr int most = depthBlock + tileColumns;
  const float* at = nullptr;  // of B in rows: so far from one another
  std::ptrdiff_t apart = 0;
  const void* each[2 * most + depthBlock / leastStep];  // in columns
  int count = 0;

  void add(const void* pair) { each[count++] = pair; }
  // How deep the steps are after which tiles of so many rows fetch: as deep as all is there in time, the rows
  // of the next tile of C, too. The fewer lines are waited for at once, the less a tile waits for its own.
  int stepOf(int tiles, int rows, int depth) const {
    return std::max(leastStep, std::min(count > 0 ? tiles * depth / count : depth, depth / rows));
  }
  // How many are fetched after each of so many steps, of which some belong together; the last ones more than
  // once.
  int sharedAmong(int steps, int together) {
    if (count == 0 || steps == 0) return 0;
    const int share = (count + steps - 1) / steps, surplus = share * together - count % (share * together);
    if (!at) std::fill_n(each + count, surplus, each[count - 1]);
    return share;
  }
};

struct Tile {
  const float* a;  // packed: a[k * rows + i]
  const float* b;  // packed: b[k * tileColumns + j]
  float* c;
  std::ptrdiff_t cRow;
  int depth;
  float scale;
  Start start;
  const Lines& lines;  // to be fetched meanwhile, so many after each step from that one on
  int step, line, linesPerStep;
  const float *nextC, *lastC;  // of C what the next tile goes on from: a row after each step
};

template <int rows>
void multiplyTile(const Tile& t) {
  constexpr int packets = tilePackets;
  Packet sum[rows][packets];
  const auto eachPacket = [](auto visit) {
    GLASSFORMER_UNROLLED for (int i = 0; i < rows; ++i) GLASSFORMER_UNROLLED for (int p = 0; p < packets; ++p)
        visit(i, p);
  };
  eachPacket([&](int i, int p) { sum[i][p] = t.start(i, p * lanes); });
  const float* a = t.a;
  const float* b = t.b;
  const void* const* line = t.lines.each + t.line;
  const float *inRow = t.lines.at + t.line * t.lines.apart, *nextC = t.nextC;
  for (int k = 0; k < t.depth;) {
    for (const int next = std::min(k + t.step, t.depth); k < next; ++k, a += rows, b += tileColumns) {
      Packet bk[packets];
      GLASSFORMER_UNROLLED for (int p = 0; p < packets; ++p) bk[p] = ploadu<Packet>(b + p * lanes);
      eachPacket([&](int i, int p) { sum[i][p] = pmadd(pset1<Packet>(a[i]), bk[p], sum[i][p]); });
    }
    fetchPair(nextC);
    nextC = nextC == t.lastC ? nextC : nextC + t.cRow;
    if (t.lines.at)
      for (int n = 0; n < t.linesPerStep; ++n, inRow += t.lines.apart) fetchPair(inRow);
    else
      for (int n = 0; n < t.linesPerStep; ++n, ++line) fetchPair(*line);
  }
  if (t.scale != 1) eachPacket([&](int i, int p) { sum[i][p] = pmul(sum[i][p], pset1<Packet>(t.scale)); });
  eachPacket([&](int i, int p) { pstoreu(t.c + i * t.cRow + p * lanes, sum[i][p]); });
}

template <int... rows>
constexpr auto tileFunctions(std::integer_sequence<int, rows...>) {
  return std::array{multiplyTile<rows + 1>...};
}
constexpr auto tileOfRows = tileFunctions(std::make_integer_sequence<int, tileRows>());

// A stretch of k of some columns of B, copied at a time.
struct Panel {
  Range k, j;
};

// One block of A rows against one panel of B.
struct Block {
  Range i;
  Panel panel;
  const float* a;
  const float* b;
};

// A panel, as it lies in B: that comes from memory.
void addPanel(const MatrixProduct& p, const Panel& panel, Lines& lines) {
  if (panel.j.size() == 0 || panel.k.size() == 0) return;  // without depth there may be no B
  static_assert(tileColumns <= 2 * lineFloats);
  if (!liesInColumns(p)) {
    lines.at = p.b + panel.k.begin * p.bRow + panel.j.begin, lines.apart = p.bRow,
    lines.count = panel.k.size();
  } else {
    for (int c = panel.j.begin; c < panel.j.end; ++c)
      for (int d = panel.k.begin; d < panel.k.end; d += 2 * lineFloats) lines.add(columnAt(p, d, c));
  }
}

void multiplyBlock(const MatrixProduct& p, const Block& block, const Panel& next) {
  alignas(64) float edge[tileRows * tileColumns];
  const auto [k, j] = block.panel;
  const int columns = j.size(), tiles = tileCount(block.i.size());
  const float scale = k.end == p.depth ? p.scale : 1.f;
  const auto rowsOf = [&](int n) { return part(block.i.begin, block.i.size(), n, tiles); };
  Lines lines;
  addPanel(p, next, lines);
  const int step = lines.stepOf(tiles, rowsOf(tiles - 1).size(), k.size());
  const int steps = (k.size() + step - 1) / step, perStep = lines.sharedAmong(tiles * steps, steps);
  const float* a = block.a;
  for (int n = 0; n < tiles; ++n) {
    const Range rows = rowsOf(n);
    const int line = n * steps * perStep;
    float* c = p.c + rows.begin * p.cRow + j.begin;
    // Beyond the last column there is no more than a little of the next row.
    const float* nextC =
        n + 1 < tiles ? c + rows.size() * p.cRow : p.c + block.i.begin * p.cRow + next.j.begin;
    Tile tile{a,
              block.b,
              c,
              p.cRow,
              k.size(),
              scale,
              startOf(p, rows.begin, j.begin, k.begin),
              lines,
              step,
              line < lines.count ? line : 0,
              line < lines.count ? perStep : 0,
              nextC,
              nextC + (rows.size() - 1) * p.cRow};
    if (columns < tileColumns) {  // the last ones: computed aside
      if (tile.start.at)
        for (int i = 0; i < rows.size(); ++i)
          std::copy_n(tile.start.at + i * tile.start.row, columns, edge + i * tileColumns);
      tile.c = edge, tile.cRow = tileColumns, tile.lastC = nextC;
      if (tile.start.at) tile.start = {edge, tileColumns};
    }
    tileOfRows[static_cast<std::size_t>(rows.size() - 1)](tile);
    if (columns < tileColumns)
      for (int i = 0; i < rows.size(); ++i) std::copy_n(edge + i * tileColumns, columns, c + i * p.cRow);
    a += packedFloats(rows, k);
  }
}

constexpr int mostStretches = 32;  // of k, whose rows of A are copied beforehand

}  // namespace

// Of B in columns, these are outermost as far as A finds room, so that each is read in one stretch of memory.
void multiplyManyRows(const MatrixProduct& p) {
  alignas(64) float packedA[rowBlock * depthBlock + (tileCount(rowBlock) + mostStretches) * lanes];
  alignas(64) float packedB[depthBlock * tileColumns];
  constexpr int whole = 2 * lineFloats;  // no pair of lines is cut
  const int pairs = (p.depth + whole - 1) / whole,
            depths = std::max(1, (p.depth + depthBlock - 1) / depthBlock);
  const auto stretch = [&](int n) {
    const Range cut = part(0, pairs, n, depths);
    return Range{cut.begin * whole, std::min(cut.end * whole, p.depth)};
  };
  const auto panelColumns = [&](int begin) { return Range{begin, std::min(begin + tileColumns, p.columns)}; };
  for (int i0 = 0; i0 < p.rows; i0 += rowBlock) {
    const Range i{i0, std::min(i0 + rowBlock, p.rows)};
    const int together = liesInColumns(p) ? std::clamp(rowBlock / i.size(), 1, mostStretches) : 1;
    for (int n0 = 0; n0 < depths; n0 += together) {
      const int count = std::min(together, depths - n0);
      Range k[mostStretches];
      const float* a[mostStretches];
      float* to = packedA;
      for (int n = 0; n < count; ++n) {
        k[n] = stretch(n0 + n), a[n] = to;
        if (p.depth > 0) to = packA(p, i, k[n], to);  // else there may be no A and no B
      }
      for (int j0 = 0; j0 < p.columns; j0 += tileColumns)
        for (int n = 0; n < count; ++n) {
          const Panel panel{k[n], panelColumns(j0)};
          const Panel next =
              n + 1 < count ? Panel{k[n + 1], panel.j} : Panel{k[0], panelColumns(panel.j.end)};
          if (p.depth > 0) packB(p, panel.k, panel.j, packedB, i0 == 0);
          multiplyBlock(p, {i, panel, a[n], packedB}, next);
        }
    }
  }
}

}  // namespace glassformer::GLASSFORMER_LEVEL
