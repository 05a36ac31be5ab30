// The one hot loop, on Eigen's vector packets. Many rows are multiplied in blocks (after Goto & van de Geijn
// 2008): a tile of C stays in registers while k runs, A is copied tile by tile so that the loop reads it in
// sequence, B panel by panel. Of few rows, as in decoding, the time is that of reading B from memory, so
// there B is read once, as it lies. In both, what comes next is fetched beforehand. Sums run in the order of
// k (see kernels.h), so none of this ever changes a bit.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <utility>

#include "core/tensor/kernels/matrix_columns.h"

namespace glassformer::GLASSFORMER_LEVEL {
namespace {

constexpr bool manyRegisters = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32;
constexpr int tileRows = manyRegisters ? 12 : 6, tilePackets = 2, tileColumns = tilePackets * lanes;
// A panel and a tile of A fit the first cache, a block of A the second.
constexpr int depthBlock = 256, rowBlock = 44 * tileRows;
constexpr int stepDepth = 4;  // numbers of k between which a tile fetches what comes next

// Brings what is read soon nearer: into the second level of the cache, for a panel is larger than the first.
inline void fetch(const void* line) {
#if defined(__GNUC__)
  __builtin_prefetch(line, 0, 2);
#else
  static_cast<void>(line);
#endif
}

inline void fetchPair(const void* line) { fetch(line), fetch(static_cast<const float*>(line) + lineFloats); }

// What is read after a panel, as pairs of lines that follow one another. They are fetched a few at a time
// while tiles are computed: the processor waits for so many at once and no more, and reads nothing else then.
struct Lines {
  static constexpr int most = depthBlock + tileColumns;
  const float* at = nullptr;  // of B in rows: so far from one another
  std::ptrdiff_t apart = 0;
  const void* each[2 * most + depthBlock / stepDepth];  // in columns, of any format
  int count = 0;

  void add(const void* pair) { each[count++] = pair; }
  // How many are fetched after each of so many steps, of which some belong together; the last ones more than
  // once. A little faster than they are needed: all are there in time.
  int sharedAmong(int steps, int together) {
    if (count == 0 || steps == 0) return 0;
    const int share = count / steps + 1, surplus = share * together - count % (share * together);
    if (!at) std::fill_n(each + count, surplus, each[count - 1]);
    return share;
  }
};

// What the sums of C(i, j) go on from: at[i * row + j], or 0 where that is null.
struct Start {
  const float* at;
  std::ptrdiff_t row;

  Packet operator()(int i, int j) const { return at ? ploadu<Packet>(at + i * row + j) : pset1<Packet>(0.f); }
};

// Of C from row i and column j on, once everything before k is summed.
Start startOf(const MatrixProduct& p, int i, int j, int k) {
  if (k > 0 || p.accumulate) return {p.c + i * p.cRow + j, p.cRow};
  return {p.bias ? p.bias + j : nullptr, 0};
}

struct Tile {
  const float* a;  // packed: a[k * rows + i]
  const float* b;  // packed: b[k * tileColumns + j]
  float* c;
  std::ptrdiff_t cRow;
  int depth;
  float scale;
  Start start;
  const Lines& lines;  // to be fetched meanwhile, so many after each step from that one on
  int line, linesPerStep;
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
    for (const int next = std::min(k + stepDepth, t.depth); k < next; ++k, a += rows, b += tileColumns) {
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

struct Range {
  int begin, end;
  int size() const { return end - begin; }
};

// Part n of `parts` nearly equal parts of [begin, begin + size).
Range part(int begin, int size, int n, int parts) {
  return {begin + static_cast<int>(static_cast<std::int64_t>(size) * n / parts),
          begin + static_cast<int>(static_cast<std::int64_t>(size) * (n + 1) / parts)};
}

constexpr int tileCount(int rows) { return (rows + tileRows - 1) / tileRows; }

// How many floats a tile of A takes, with room for the surplus of its last store.
int packedFloats(Range rows, Range k) { return rows.size() * k.size() + lanes; }

// Copies rows [row, row + rows) of A as [k][row]. Whole packets are stored; each store's surplus is
// overwritten by the next.
void packTile(const MatrixProduct& p, int row, int rows, Range k, float* packed) {
  const float* a = p.a + row * p.aRow + k.begin * p.aColumn;
  int d = 0;
  if (p.aColumn == 1 && rows <= lanes && rows > 1) {
    for (; d + lanes <= k.size(); d += lanes) {
      const Square square = turned(a + d, p.aRow, rows);
      for (int l = 0; l < lanes; ++l) pstoreu(packed + (d + l) * rows, square.packet[l]);
    }
  }
  for (; d < k.size(); ++d)
    for (int i = 0; i < rows; ++i) packed[d * rows + i] = a[i * p.aRow + d * p.aColumn];
}

constexpr int tilesAtOnce = 4, fetchedAhead = 8;

// The same of some tiles at once, where the rows of A lie side by side: then each line of it is read once.
template <int tiles, typename TileAt>
void packTilesSideBySide(const MatrixProduct& p, int first, Range k, float* packed, TileAt tileAt) {
  const float* from = p.a + tileAt(first).begin + k.begin * p.aColumn;
  const std::ptrdiff_t apart = p.aColumn;
  std::ptrdiff_t offset[tiles], rows[tiles];
  float* to[tiles];
  for (int t = 0; t < tiles; ++t) {
    const Range tile = tileAt(first + t);
    offset[t] = tile.begin - tileAt(first).begin, to[t] = packed, rows[t] = tile.size();
    packed += packedFloats(tile, k);
  }
  for (int d = k.size(); d > 0; --d, from += apart) {
    fetchPair(from + fetchedAhead * apart);
    GLASSFORMER_UNROLLED for (int t = 0; t < tiles; ++t) {
      pstoreu(to[t], ploadu<Packet>(from + offset[t]));
      to[t] += rows[t];
    }
  }
}

// Returns where that ends.
float* packA(const MatrixProduct& p, Range i, Range k, float* packed) {
  const int tiles = tileCount(i.size());
  const auto tileAt = [&](int n) { return part(i.begin, i.size(), n, tiles); };
  // Whole packets are read where there are so many rows.
  const auto readsPackets = [&](int n) {
    return p.aRow == 1 && tileRows <= lanes && n <= tiles && tileAt(n - 1).begin + lanes <= p.rows;
  };
  for (int n = 0, end; n < tiles;) {
    if (end = n + tilesAtOnce; readsPackets(end))
      packTilesSideBySide<tilesAtOnce>(p, n, k, packed, tileAt);
    else if (end = n + 1; readsPackets(end))
      packTilesSideBySide<1>(p, n, k, packed, tileAt);
    else
      packTile(p, tileAt(n).begin, tileAt(n).size(), k, packed);
    for (; n < end; ++n) packed += packedFloats(tileAt(n), k);
  }
  return packed;
}

// sums[j] += b[j], for columns of one row of B.
inline void addColumns(const float* b, float* sums, int columns) {
  int c = 0;
  for (; c + lanes <= columns; c += lanes)
    pstoreu(sums + c, padd(ploadu<Packet>(sums + c), ploadu<Packet>(b + c)));
  for (; c < columns; ++c) sums[c] += b[c];
}

// Copies columns `j` of B, whose rows lie side by side, `tileColumns` apart; adds them up, unless null.
void packRowsOfB(const MatrixProduct& p, Range k, Range j, float* panel, float* sums) {
  const float* b = p.b + k.begin * p.bRow + j.begin;
  const int columns = j.size() / lanes * lanes;
  if (j.size() == tileColumns && sums) {
    Packet sum[tilePackets];
    GLASSFORMER_UNROLLED for (int n = 0; n < tilePackets; ++n) sum[n] = ploadu<Packet>(sums + n * lanes);
    for (int d = 0; d < k.size(); ++d, b += p.bRow, panel += tileColumns)
      GLASSFORMER_UNROLLED for (int n = 0; n < tilePackets; ++n) {
        const Packet row = ploadu<Packet>(b + n * lanes);
        sum[n] = padd(sum[n], row);
        pstoreu(panel + n * lanes, row);
      }
    GLASSFORMER_UNROLLED for (int n = 0; n < tilePackets; ++n) pstoreu(sums + n * lanes, sum[n]);
    return;
  }
  if (j.size() == tileColumns) {
    for (int d = 0; d < k.size(); ++d, b += p.bRow, panel += tileColumns)
      GLASSFORMER_UNROLLED for (int c = 0; c < tileColumns; c += lanes)
          pstoreu(panel + c, ploadu<Packet>(b + c));
    return;
  }
  for (int d = 0; d < k.size(); ++d, b += p.bRow, panel += tileColumns) {
    if (sums) addColumns(b, sums, j.size());
    for (int c = 0; c < columns; c += lanes) pstoreu(panel + c, ploadu<Packet>(b + c));
    for (int c = columns; c < j.size(); ++c) panel[c] = b[c];
  }
}

// The same where its columns do: blocks of them are turned in registers.
template <typename Columns>
void packColumnsOfB(const Columns& b, Range k, Range j, float* panel) {
  Packet rows[Columns::depth];
  const int columns = j.size() / lanes * lanes;
  int d = 0;
  for (; d + Columns::depth <= k.size(); d += Columns::depth) {
    for (int c = 0; c < columns; c += lanes) {
      b.turn(k.begin + d, j.begin + c, lanes, rows);
      for (int l = 0; l < Columns::depth; ++l) pstoreu(panel + (d + l) * tileColumns + c, rows[l]);
    }
    for (int l = 0; l < Columns::depth; ++l)
      for (int c = columns; c < j.size(); ++c)
        panel[(d + l) * tileColumns + c] = b(k.begin + d + l, j.begin + c);
  }
  for (; d < k.size(); ++d)
    for (int c = 0; c < j.size(); ++c) panel[d * tileColumns + c] = b(k.begin + d, j.begin + c);
}

// Columns `j` of B, zero beyond; their sums are gathered where B is copied for the first time.
void packB(const MatrixProduct& p, Range k, Range j, float* panel, bool isFirst) {
  if (j.size() < tileColumns) std::fill(panel, panel + k.size() * tileColumns, 0.f);
  if (liesInColumns(p))
    withColumns(p, [&](const auto& b) { packColumnsOfB(b, k, j, panel); });
  else
    packRowsOfB(p, k, j, panel, p.columnSums && isFirst ? p.columnSums + j.begin : nullptr);
}

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
    withColumns(p, [&]<typename Columns>(const Columns& b) {
      for (int c = panel.j.begin; c < panel.j.end; ++c)
        for (int d = panel.k.begin; d < panel.k.end; d += 2 * Columns::lineDepth) lines.add(b.line(d, c));
    });
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
  const int steps = (k.size() + stepDepth - 1) / stepDepth, perStep = lines.sharedAmong(tiles * steps, steps);
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

// Of B in columns, these are outermost as far as A finds room, so that each is read in one stretch of memory.
void multiplyManyRows(const MatrixProduct& p) {
  alignas(64) float packedA[rowBlock * depthBlock + (tileCount(rowBlock) + mostStretches) * lanes];
  alignas(64) float packedB[depthBlock * tileColumns];
  constexpr int whole = NumberBlock::numbers;  // no block is cut
  const int blocks = (p.depth + whole - 1) / whole,
            depths = std::max(1, (p.depth + depthBlock - 1) / depthBlock);
  const auto stretch = [&](int n) {
    const Range cut = part(0, blocks, n, depths);
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

constexpr int groupRows = 3;                       // of C, that are summed together
constexpr int groupDepth = manyRegisters ? 8 : 4;  // rows of B that are added to them at a time
constexpr int groupColumns = 1024;                 // of both, that stay in the cache meanwhile

// C[i, j] += A[i, k] · B[k, j] for `rows` of i, `depth` of k and a stretch of whole packets of j.
template <int rows, int depth>
void addRowsOfB(const MatrixProduct& p, int i0, int k, Range j) {
  Packet a[rows][depth];
  GLASSFORMER_UNROLLED for (int i = 0; i < rows; ++i) GLASSFORMER_UNROLLED for (int d = 0; d < depth; ++d)
      a[i][d] = pset1<Packet>(p.a[(i0 + i) * p.aRow + (k + d) * p.aColumn]);
  const bool scales = k + depth == p.depth && p.scale != 1;
  const Start start = startOf(p, i0, 0, k);
  const float* b = p.b + k * p.bRow;
  float* c = p.c + i0 * p.cRow;
  for (int x = j.begin; x < j.end; x += lanes) {
    Packet sum[rows];
    GLASSFORMER_UNROLLED for (int i = 0; i < rows; ++i) sum[i] = start(i, x);
    GLASSFORMER_UNROLLED for (int d = 0; d < depth; ++d) {
      const Packet bd = ploadu<Packet>(b + d * p.bRow + x);
      fetch(b + (d + groupDepth) * p.bRow + x);
      GLASSFORMER_UNROLLED for (int i = 0; i < rows; ++i) sum[i] = pmadd(a[i][d], bd, sum[i]);
    }
    GLASSFORMER_UNROLLED for (int i = 0; i < rows; ++i)
        pstoreu(c + i * p.cRow + x, scales ? pmul(sum[i], pset1<Packet>(p.scale)) : sum[i]);
  }
}

template <int depth, int... rows>
constexpr auto groupFunctions(std::integer_sequence<int, rows...>) {
  return std::array{addRowsOfB<rows + 1, depth>...};
}
constexpr auto addDeep = groupFunctions<groupDepth>(std::make_integer_sequence<int, groupRows>());
constexpr auto addOne = groupFunctions<1>(std::make_integer_sequence<int, groupRows>());

constexpr int oneRowDepth = 16, oneRowPackets = 8;

// The same for one row of C, as far as there is room for so many packets; returns where that ends. Of each
// row of B some lines are read that follow one another, which the processor goes on fetching by itself.
template <int packets>
int addToOneRow(const MatrixProduct& p, int k, Range j) {
  const bool scales = k + oneRowDepth == p.depth && p.scale != 1;
  const Start start = startOf(p, 0, 0, k);
  const float* a = p.a + k * p.aColumn;
  Packet sum[packets];
  int x = j.begin;
  for (; x + packets * lanes <= j.end; x += packets * lanes) {
    GLASSFORMER_UNROLLED for (int n = 0; n < packets; ++n) sum[n] = start(0, x + n * lanes);
    const float* b = p.b + k * p.bRow + x;
    for (int d = 0; d < oneRowDepth; ++d, b += p.bRow) {
      const Packet ad = pset1<Packet>(a[d * p.aColumn]);
      GLASSFORMER_UNROLLED for (int n = 0; n < packets; ++n) sum[n] =
          pmadd(ad, ploadu<Packet>(b + n * lanes), sum[n]);
    }
    GLASSFORMER_UNROLLED for (int n = 0; n < packets; ++n)
        pstoreu(p.c + x + n * lanes, scales ? pmul(sum[n], pset1<Packet>(p.scale)) : sum[n]);
  }
  return x;
}

// Whole packets of the columns.
void multiplyOneRow(const MatrixProduct& p, int columns) {
  int k = 0;
  for (; k + oneRowDepth <= p.depth; k += oneRowDepth) {
    const int x = addToOneRow<oneRowPackets>(p, k, {0, columns});
    addToOneRow<1>(p, k, {x, columns});
  }
  for (; k < p.depth; ++k) addOne[0](p, 0, k, {0, columns});
}

// Whole packets of the columns. Reads B once, a few of its rows side by side.
void multiplyGroupsOfRows(const MatrixProduct& p, int whole) {
  for (int j0 = 0; j0 < whole; j0 += groupColumns)
    for (int k = 0, depth; k < p.depth; k += depth) {
      depth = k + groupDepth <= p.depth ? groupDepth : 1;
      for (int i = 0; i < p.rows; i += groupRows) {
        const auto group = static_cast<std::size_t>(std::min(groupRows, p.rows - i) - 1);
        (depth == 1 ? addOne : addDeep)[group](p, i, k, {j0, std::min(j0 + groupColumns, whole)});
      }
    }
}

void multiplyFewRows(const MatrixProduct& p) {
  const int whole = p.columns / lanes * lanes;
  p.rows == 1 ? multiplyOneRow(p, whole) : multiplyGroupsOfRows(p, whole);
  if (whole == p.columns) return;
  MatrixProduct rest = p;
  rest.columns -= whole, rest.b += whole, rest.c += whole;
  if (p.bias) rest.bias += whole;
  multiplyManyRows(rest);
}

// The same where B lies column by column: sums of `lanes` of its columns run along them side by side.
template <int rows, typename Columns>
void multiplyAlongColumns(const MatrixProduct& p, const Columns& b) {
  alignas(64) float edge[lanes] = {};
  Packet rowsOfB[Columns::depth];
  for (int j = 0; j < p.columns; j += lanes) {
    const int columns = std::min(lanes, p.columns - j);
    Packet sum[rows];
    const Start start = startOf(p, 0, j, 0);
    for (int i = 0; i < rows; ++i) {
      if (start.at) std::copy_n(start.at + i * start.row, columns, edge);
      sum[i] = start.at ? ploadu<Packet>(edge) : pset1<Packet>(0.f);
    }
    const auto add = [&](int k, const Packet& bk) {
      GLASSFORMER_UNROLLED for (int i = 0; i < rows; ++i) sum[i] =
          pmadd(pset1<Packet>(p.a[i * p.aRow + k * p.aColumn]), bk, sum[i]);
    };
    int k = 0;
    for (; k + Columns::depth <= p.depth; k += Columns::depth) {
      for (int c = j + lanes; c < std::min(j + 2 * lanes, p.columns); ++c) fetch(b.line(k, c));
      b.turn(k, j, columns, rowsOfB);
      GLASSFORMER_UNROLLED for (int l = 0; l < Columns::depth; ++l) add(k + l, rowsOfB[l]);
    }
    for (; k < p.depth; ++k) {
      for (int l = 0; l < columns; ++l) edge[l] = b(k, j + l);
      add(k, ploadu<Packet>(edge));
    }
    for (int i = 0; i < rows; ++i) {
      pstoreu(edge, p.scale != 1 ? pmul(sum[i], pset1<Packet>(p.scale)) : sum[i]);
      std::copy_n(edge, columns, p.c + i * p.cRow + j);
    }
  }
}

constexpr int mostAlongColumns = 2;

// Of few rows a product reads B where it lies.
bool isOfFewRows(const MatrixProduct& p) {
  if (liesInColumns(p)) return p.rows <= mostAlongColumns;
  return p.rows <= tileRows && p.depth > 0 && !p.columnSums;
}

}  // namespace

int rowsPerCopy(const MatrixProduct& p) { return isOfFewRows(p) ? 0 : rowBlock; }

void multiply(const MatrixProduct& p) {
  if (!isOfFewRows(p))
    multiplyManyRows(p);
  else if (!liesInColumns(p))
    multiplyFewRows(p);
  else if (p.rows == 1)
    withColumns(p, [&](const auto& b) { multiplyAlongColumns<1>(p, b); });
  else if (p.rows == mostAlongColumns)
    withColumns(p, [&](const auto& b) { multiplyAlongColumns<mostAlongColumns>(p, b); });
}

}  // namespace glassformer::GLASSFORMER_LEVEL
