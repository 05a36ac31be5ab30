// The one hot loop: a register-blocked matrix product on Eigen's vector packets (after Goto & van de Geijn
// 2008).
//
// A tile of C stays in registers while k runs. A is copied tile by tile so that the loop reads it in
// sequence; B panel by panel where more than one tile uses it. Sums run in the order of k (see kernels.h), so
// blocking never changes a bit.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <utility>

#include "core/tensor/kernels/levels.h"

namespace glassformer::GLASSFORMER_LEVEL {
namespace {

using Packet = Eigen::internal::packet_traits<float>::type;
using Eigen::internal::ploadu;
using Eigen::internal::pmadd;
using Eigen::internal::pmul;
using Eigen::internal::pset1;
using Eigen::internal::pstoreu;

constexpr int lanes = Eigen::internal::packet_traits<float>::size;
constexpr bool manyRegisters = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32;
constexpr int tileRows = manyRegisters ? 12 : 6;  // tall tiles: two packets wide
constexpr int tallPackets = 2;
constexpr int wideRows = 3;  // wide tiles, for decoding: a few rows, more packets
constexpr int widePackets = manyRegisters ? 8 : 4;
constexpr int depthBlock = 256, rowBlock = 16 * tileRows;

struct Tile {
  const float* a;  // packed: a[k * rows + i]
  const float* b;  // row k of the panel at b + k * bRow
  std::ptrdiff_t bRow;
  float* c;
  std::ptrdiff_t cRow;
  int depth;
  float scale;
  bool fromC;  // continue the sums that C holds
};

// The sums must stay in registers: that takes loops without a trace of a loop.
#if defined(__clang__)
#define GLASSFORMER_UNROLLED _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define GLASSFORMER_UNROLLED _Pragma("GCC unroll 16")
#else
#define GLASSFORMER_UNROLLED
#endif

template <int rows, int packets>
void multiplyTile(const Tile& t) {
  Packet sum[rows][packets];
  const auto eachPacket = [](auto visit) {
    GLASSFORMER_UNROLLED for (int i = 0; i < rows; ++i) GLASSFORMER_UNROLLED for (int p = 0; p < packets; ++p)
        visit(i, p);
  };
  if (t.fromC)
    eachPacket([&](int i, int p) { sum[i][p] = ploadu<Packet>(t.c + i * t.cRow + p * lanes); });
  else
    eachPacket([&](int i, int p) { sum[i][p] = pset1<Packet>(0.f); });
  const float* a = t.a;
  const float* b = t.b;
  for (int k = 0; k < t.depth; ++k, a += rows, b += t.bRow) {
    Packet bk[packets];
    GLASSFORMER_UNROLLED for (int p = 0; p < packets; ++p) bk[p] = ploadu<Packet>(b + p * lanes);
    eachPacket([&](int i, int p) { sum[i][p] = pmadd(pset1<Packet>(a[i]), bk[p], sum[i][p]); });
  }
  if (t.scale != 1) eachPacket([&](int i, int p) { sum[i][p] = pmul(sum[i][p], pset1<Packet>(t.scale)); });
  eachPacket([&](int i, int p) { pstoreu(t.c + i * t.cRow + p * lanes, sum[i][p]); });
}

using TileFunction = void (*)(const Tile&);
template <int packets, int... rows>
constexpr std::array<TileFunction, sizeof...(rows)> tileFunctions(std::integer_sequence<int, rows...>) {
  return {multiplyTile<rows + 1, packets>...};
}
constexpr auto tallTiles = tileFunctions<tallPackets>(std::make_integer_sequence<int, tileRows>());
constexpr auto wideTiles = tileFunctions<widePackets>(std::make_integer_sequence<int, wideRows>());

struct Range {
  int begin, end;
  int size() const { return end - begin; }
};

// Part n of `parts` nearly equal parts of [begin, begin + size).
Range part(int begin, int size, int n, int parts) {
  return {begin + static_cast<int>(static_cast<std::int64_t>(size) * n / parts),
          begin + static_cast<int>(static_cast<std::int64_t>(size) * (n + 1) / parts)};
}

int tileCount(int rows) { return (rows + tileRows - 1) / tileRows; }

// Copies rows [row, row + rows) of A as [k][row]. Whole packets are stored; each store's surplus is
// overwritten by the next, so up to `lanes` floats past the end of `packed` are written.
void packTile(const MatrixProduct& p, int row, int rows, Range k, float* packed) {
  const float* a = p.a + row * p.aRow + k.begin * p.aColumn;
  int d = 0;
  if (p.aRow == 1 && row + lanes <= p.rows && rows <= lanes) {
    for (; d < k.size(); ++d) pstoreu(packed + d * rows, ploadu<Packet>(a + d * p.aColumn));
  } else if (p.aColumn == 1 && rows <= lanes && rows > 1) {
    // lanes x lanes blocks are turned in registers.
    for (; d + lanes <= k.size(); d += lanes) {
      Eigen::internal::PacketBlock<Packet, lanes> block;
      for (int l = 0; l < lanes; ++l)
        block.packet[l] = ploadu<Packet>(a + std::min(l, rows - 1) * p.aRow + d);
      Eigen::internal::ptranspose(block);
      for (int l = 0; l < lanes; ++l) pstoreu(packed + (d + l) * rows, block.packet[l]);
    }
  }
  for (; d < k.size(); ++d)
    for (int i = 0; i < rows; ++i) packed[d * rows + i] = a[i * p.aRow + d * p.aColumn];
}

void packA(const MatrixProduct& p, Range i, Range k, float* packed) {
  for (int n = 0, tiles = tileCount(i.size()); n < tiles; ++n) {
    const Range tile = part(i.begin, i.size(), n, tiles);
    packTile(p, tile.begin, tile.size(), k, packed);
    packed += tile.size() * k.size();
  }
}

// Copies columns `j` of B side by side, `width` apart and zero beyond.
void packB(const MatrixProduct& p, Range k, Range j, int width, float* panel) {
  const float* b = p.b + k.begin * p.bRow + j.begin * p.bColumn;
  if (j.size() < width) std::fill(panel, panel + k.size() * width, 0.f);
  const int columns = j.size() / lanes * lanes;
  if (p.bColumn == 1) {
    for (int d = 0; d < k.size(); ++d, b += p.bRow, panel += width) {
      for (int c = 0; c < columns; c += lanes) pstoreu(panel + c, ploadu<Packet>(b + c));
      for (int c = columns; c < j.size(); ++c) panel[c] = b[c];
    }
    return;
  }
  // B lies transposed: blocks of lanes x lanes are turned in registers.
  int d = 0;
  for (; d + lanes <= k.size(); d += lanes) {
    for (int c = 0; c < columns; c += lanes) {
      Eigen::internal::PacketBlock<Packet, lanes> block;
      for (int l = 0; l < lanes; ++l) block.packet[l] = ploadu<Packet>(b + (c + l) * p.bColumn + d);
      Eigen::internal::ptranspose(block);
      for (int l = 0; l < lanes; ++l) pstoreu(panel + (d + l) * width + c, block.packet[l]);
    }
    for (int l = 0; l < lanes; ++l)
      for (int c = columns; c < j.size(); ++c) panel[(d + l) * width + c] = b[c * p.bColumn + (d + l)];
  }
  for (; d < k.size(); ++d)
    for (int c = 0; c < j.size(); ++c) panel[d * width + c] = b[c * p.bColumn + d];
}

// One block of A rows against one panel of B.
struct Block {
  Range i, k, j;
  const float* a;
  const float* b;
  std::ptrdiff_t bRow;
  int width;  // of a whole tile, in columns
};

void multiplyBlock(const MatrixProduct& p, const Block& block, const TileFunction* tileFunction) {
  alignas(64) float edge[std::max(tileRows * tallPackets, wideRows * widePackets) * lanes];
  const int columns = block.j.size();
  const bool whole = columns == block.width, fromC = block.k.begin > 0 || p.accumulate;
  const float* a = block.a;
  for (int n = 0, tiles = tileCount(block.i.size()); n < tiles; ++n) {
    const Range rows = part(block.i.begin, block.i.size(), n, tiles);
    float* c = p.c + rows.begin * p.cRow + block.j.begin;
    Tile tile{a,    block.b, block.bRow, c, p.cRow, block.k.size(), block.k.end == p.depth ? p.scale : 1.f,
              fromC};
    if (!whole) {
      tile.c = edge, tile.cRow = block.width;
      if (fromC)
        for (int i = 0; i < rows.size(); ++i)
          std::copy(c + i * p.cRow, c + i * p.cRow + columns, edge + i * block.width);
    }
    tileFunction[rows.size() - 1](tile);
    if (!whole)
      for (int i = 0; i < rows.size(); ++i)
        std::copy(edge + i * block.width, edge + i * block.width + columns, c + i * p.cRow);
    a += rows.size() * block.k.size();
  }
}

}  // namespace

void multiply(const MatrixProduct& p) {
  alignas(64) float packedA[rowBlock * depthBlock + lanes];
  alignas(64) float packedB[depthBlock * std::max(tallPackets, widePackets) * lanes];
  if (p.depth == 0 && !p.accumulate)
    for (int i = 0; i < p.rows; ++i) std::fill(p.c + i * p.cRow, p.c + i * p.cRow + p.columns, 0.f);
  const bool wide = p.rows <= wideRows;
  const int width = (wide ? widePackets : tallPackets) * lanes;
  const TileFunction* tileFunction = wide ? wideTiles.data() : tallTiles.data();
  // A single tile in height reads B once: copying it first would only cost.
  const bool direct = p.bColumn == 1 && p.rows <= tileRows;
  for (int i0 = 0; i0 < p.rows; i0 += rowBlock)
    for (int k0 = 0; k0 < p.depth; k0 += depthBlock) {
      const Range i{i0, std::min(i0 + rowBlock, p.rows)}, k{k0, std::min(k0 + depthBlock, p.depth)};
      packA(p, i, k, packedA);
      for (int j0 = 0; j0 < p.columns; j0 += width) {
        const Range j{j0, std::min(j0 + width, p.columns)};
        if (direct && j.size() == width) {
          multiplyBlock(p, {i, k, j, packedA, p.b + k0 * p.bRow + j0, p.bRow, width}, tileFunction);
        } else {
          packB(p, k, j, width, packedB);
          multiplyBlock(p, {i, k, j, packedA, packedB, width, width}, tileFunction);
        }
      }
    }
}

}  // namespace glassformer::GLASSFORMER_LEVEL
