// Products of few rows, as in decoding: there the time is that of reading B from memory, so it is read once,
// as it lies.
#include <algorithm>
#include <array>
#include <utility>

#include "core/tensor/kernels/matrix_product.h"

namespace glassformer::GLASSFORMER_LEVEL {
namespace {

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

void multiplyByRows(const MatrixProduct& p) {
  const int whole = p.columns / lanes * lanes;
  p.rows == 1 ? multiplyOneRow(p, whole) : multiplyGroupsOfRows(p, whole);
  if (whole == p.columns) return;
  MatrixProduct rest = p;
  rest.columns -= whole, rest.b += whole, rest.c += whole;
  if (p.bias) rest.bias += whole;
  multiplyManyRows(rest);
}

// The same where B lies column by column: sums of `lanes` of its columns run along them side by side.
template <int rows>
void multiplyAlongColumns(const MatrixProduct& p) {
  alignas(64) float edge[lanes] = {};
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
    for (; k + lanes <= p.depth; k += lanes) {
      for (int c = j + lanes; c < std::min(j + 2 * lanes, p.columns); ++c) fetch(columnAt(p, k, c));
      const Square rowsOfB = turnedColumns(p, k, j, columns);
      GLASSFORMER_UNROLLED for (int l = 0; l < lanes; ++l) add(k + l, rowsOfB.packet[l]);
    }
    for (; k < p.depth; ++k) {
      for (int l = 0; l < columns; ++l) edge[l] = *columnAt(p, k, j + l);
      add(k, ploadu<Packet>(edge));
    }
    for (int i = 0; i < rows; ++i) {
      pstoreu(edge, p.scale != 1 ? pmul(sum[i], pset1<Packet>(p.scale)) : sum[i]);
      std::copy_n(edge, columns, p.c + i * p.cRow + j);
    }
  }
}

}  // namespace

void multiplyFewRows(const MatrixProduct& p) {
  if (!liesInColumns(p))
    multiplyByRows(p);
  else if (p.rows == 1)
    multiplyAlongColumns<1>(p);
  else if (p.rows == mostAlongColumns)
    multiplyAlongColumns<mostAlongColumns>(p);
}

}  // namespace glassformer::GLASSFORMER_LEVEL
