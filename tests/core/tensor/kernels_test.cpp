#include "core/tensor/kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "core/tensor/aligned_vector.h"

using namespace glassformer;

namespace {
std::vector<float> randomValues(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(n);
  for (float& v : values) v = static_cast<float>(random.uniform01() * 2 - 1);
  return values;
}

// What the sums of a product go on from.
enum class Start { Zero, Bias, C };
}  // namespace

TEST_CASE("the matrix product agrees with the sum it stands for, for every layout and size") {
  for (const auto& [rows, columns, depth] : std::vector<std::array<int, 3>>{{1, 1, 1},
                                                                            {1, 20, 0},
                                                                            {5, 20, 0},
                                                                            {1, 300, 40},
                                                                            {3, 33, 7},
                                                                            {12, 32, 16},
                                                                            {13, 64, 128},
                                                                            {64, 100, 257},
                                                                            {25, 31, 600},
                                                                            {2, 1100, 530},
                                                                            {8, 1040, 9},
                                                                            {400, 20, 30},
                                                                            {600, 40, 300},
                                                                            {13, 33, 8500}})
    for (const bool aTransposed : {false, true})
      for (const bool bTransposed : {false, true})
        for (const Start start : {Start::Zero, Start::Bias, Start::C}) {
          const auto a = randomValues(static_cast<std::size_t>(rows * depth), 1);
          const auto b = randomValues(static_cast<std::size_t>(columns * depth), 2);
          const auto before = randomValues(static_cast<std::size_t>(rows * columns), 3);
          const auto bias = randomValues(static_cast<std::size_t>(columns), 4);
          auto c = before;
          MatrixProduct p{rows,
                          columns,
                          depth,
                          a.data(),
                          aTransposed ? 1 : depth,
                          aTransposed ? rows : 1,
                          b.data(),
                          bTransposed ? 1 : columns,
                          bTransposed ? depth : 1,
                          c.data(),
                          columns,
                          start == Start::Zero ? 0.5f : 1.f,
                          start == Start::C,
                          start == Start::Bias ? bias.data() : nullptr};
          for (const Kernels* level : runnableKernels()) {
            c = before;
            level->multiply(p);
            double worst = 0;
            for (int i = 0; i < rows; ++i)
              for (int j = 0; j < columns; ++j) {
                double sum = 0;
                for (int k = 0; k < depth; ++k)
                  sum += double(a[static_cast<std::size_t>(i * p.aRow + k * p.aColumn)]) *
                         b[static_cast<std::size_t>(k * p.bRow + j * p.bColumn)];
                const auto at = static_cast<std::size_t>(i * columns + j);
                const double expected = start == Start::Zero   ? 0.5 * sum
                                        : start == Start::Bias ? bias[static_cast<std::size_t>(j)] + sum
                                                               : before[at] + sum;
                worst = std::max(worst, std::abs(expected - c[at]));
              }
            INFO(level->level << ", " << rows << "x" << columns << "x" << depth << " aT " << aTransposed
                              << " bT " << bTransposed << " from " << static_cast<int>(start));
            CHECK(worst < 1e-4 * (1 + depth / 1000));
          }
        }
}

TEST_CASE("a product adds the rows of B to its columns' sums, one after another and once") {
  for (const auto& [rows, columns, depth] :
       std::vector<std::array<int, 3>>{{1, 33, 7}, {13, 64, 300}, {12, 100, 40}, {600, 31, 600}}) {
    const auto a = randomValues(static_cast<std::size_t>(rows * depth), 1);
    const auto b = randomValues(static_cast<std::size_t>(columns * depth), 2);
    const auto before = randomValues(static_cast<std::size_t>(columns), 3);
    auto expected = before;
    for (int k = 0; k < depth; ++k)
      for (int j = 0; j < columns; ++j)
        expected[static_cast<std::size_t>(j)] += b[static_cast<std::size_t>(k * columns + j)];
    for (const Kernels* level : runnableKernels()) {
      std::vector<float> alone(static_cast<std::size_t>(rows * columns)), c = alone;
      MatrixProduct p{rows, columns, depth, a.data(), depth, 1, b.data(), columns, 1, alone.data(), columns};
      level->multiply(p);
      auto sums = before;
      p.c = c.data(), p.columnSums = sums.data();
      level->multiply(p);
      CAPTURE(level->level, rows, columns, depth);
      CHECK(sums == expected);
      CHECK(c == alone);
    }
  }
}

TEST_CASE("a row of a product has the same bits whichever rows are computed with it") {
  const int rows = 50, columns = 100, depth = 523;
  const auto a = randomValues(rows * depth, 1), b = randomValues(columns * depth, 2);
  for (const Kernels* level : runnableKernels())
    for (const bool transposed : {false, true}) {
      std::vector<float> whole(rows * columns), parts(rows * columns);
      MatrixProduct p{rows,
                      columns,
                      depth,
                      a.data(),
                      depth,
                      1,
                      b.data(),
                      transposed ? 1 : columns,
                      transposed ? depth : 1,
                      whole.data(),
                      columns};
      level->multiply(p);
      for (int begin = 0, size = 1; begin < rows; begin += size, size = size * 2 % 23) {
        MatrixProduct part = p;
        part.rows = std::min(size, rows - begin);
        part.a += begin * depth;
        part.c = parts.data() + begin * columns;
        level->multiply(part);
      }
      CHECK(whole == parts);
    }
}

// As the manual says: the same bits are promised for one kind of processor.
TEST_CASE("kinds of processors agree but for rounding, in products and row by row") {
  const int rows = 5, columns = 40, depth = 300;
  const auto a = randomValues(rows * depth, 1), b = randomValues(columns * depth, 2);
  const auto computedWith = [&](const Kernels& level) {
    AlignedVector c(rows * columns), soft(c.size());  // as tensors are: sums follow the alignment
    level.multiply({rows, columns, depth, a.data(), depth, 1, b.data(), columns, 1, c.data(), columns});
    for (int i = 0; i < rows; ++i)
      level.softmax(&c[static_cast<std::size_t>(i * columns)], &soft[static_cast<std::size_t>(i * columns)],
                    columns);
    c.insert(c.end(), soft.begin(), soft.end());
    return c;
  };
  const auto levels = runnableKernels();
  const auto expected = computedWith(*levels.front());
  for (const Kernels* level : levels) {
    INFO(level->level);
    const auto found = computedWith(*level);
    CHECK(computedWith(*level) == found);
    if (level == levels.front()) continue;
    float worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) worst = std::max(worst, std::abs(found[i] - expected[i]));
    CHECK(worst < 1e-4f);
    CHECK(worst > 0);  // and not to the bit
  }
}

TEST_CASE("a level is chosen by its name, the fastest without one, and another is refused in words") {
  const auto levels = runnableKernels();
  CHECK(*kernelsNamed(nullptr) == levels.back());
  CHECK(*kernelsNamed("") == levels.back());
  for (const Kernels* level : levels) CHECK(*kernelsNamed(level->level) == level);
  const auto unknown = kernelsNamed("x86_64_v9");
  REQUIRE_FALSE(unknown);
  const std::string words = unknown.error().message();
  CHECK(words.starts_with("GLASSFORMER_LEVEL: this processor has no level \"x86_64_v9\" (it has baseline"));
  CHECK(words.find(levels.back()->level) != std::string::npos);
}
