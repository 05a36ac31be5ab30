#pragma once
// How blocks of A and panels of B are copied, so that the loop over k reads both in sequence.
#include <algorithm>

#include "core/tensor/kernels/matrix_product.h"

namespace glassformer::GLASSFORMER_LEVEL {

constexpr int tilePackets = 2, tileColumns = tilePackets * lanes;

inline void fetchPair(const void* line) { fetch(line), fetch(static_cast<const float*>(line) + lineFloats); }

// Part n of `parts` nearly equal parts of [begin, begin + size).
inline Range part(int begin, int size, int n, int parts) {
  return {begin + static_cast<int>(static_cast<std::int64_t>(size) * n / parts),
          begin + static_cast<int>(static_cast<std::int64_t>(size) * (n + 1) / parts)};
}

constexpr int tileCount(int rows) { return (rows + tileRows - 1) / tileRows; }

// How many floats a tile of A takes, with room for the surplus of its last store.
inline int packedFloats(Range rows, Range k) { return rows.size() * k.size() + lanes; }

// Copies rows [row, row + rows) of A as [k][row]. Whole packets are stored; each store's surplus is
// overwritten by the next.
inline void packTile(const MatrixProduct& p, int row, int rows, Range k, float* packed) {
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
inline float* packA(const MatrixProduct& p, Range i, Range k, float* packed) {
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
inline void packRowsOfB(const MatrixProduct& p, Range k, Range j, float* panel, float* sums) {
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
inline void packColumnsOfB(const MatrixProduct& p, Range k, Range j, float* panel) {
  const int columns = j.size() / lanes * lanes, depth = k.size() / lanes * lanes;
  for (int d = 0; d < depth; d += lanes)
    for (int c = 0; c < columns; c += lanes) {
      const Square rows = turnedColumns(p, k.begin + d, j.begin + c, lanes);
      for (int l = 0; l < lanes; ++l) pstoreu(panel + (d + l) * tileColumns + c, rows.packet[l]);
    }
  for (int d = 0; d < k.size(); ++d)
    for (int c = d < depth ? columns : 0; c < j.size(); ++c)
      panel[d * tileColumns + c] = *columnAt(p, k.begin + d, j.begin + c);
}

// Columns `j` of B, zero beyond; their sums are gathered where B is copied for the first time.
inline void packB(const MatrixProduct& p, Range k, Range j, float* panel, bool isFirst) {
  if (j.size() < tileColumns) std::fill(panel, panel + k.size() * tileColumns, 0.f);
  if (liesInColumns(p))
    packColumnsOfB(p, k, j, panel);
  else
    packRowsOfB(p, k, j, panel, p.columnSums && isFirst ? p.columnSums + j.begin : nullptr);
}

}  // namespace glassformer::GLASSFORMER_LEVEL
