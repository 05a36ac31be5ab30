#include "core/io/npy.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "core/io/files.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

TEST_CASE("an array file is what NumPy 1.24 writes for the same array, byte for byte") {
  // numpy.save(f, numpy.array([[1, -2, 0.5], [0, inf, 3]], dtype='<f4'))
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  expected += std::string(128 - 1 - expected.size(), ' ') + "\n";
  expected += std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x3f", 12);
  expected += std::string("\x00\x00\x00\x00\x00\x00\x80\x7f\x00\x00\x40\x40", 12);
  const Tensor values({2, 3}, {1, -2, 0.5f, 0, std::numeric_limits<float>::infinity(), 3});
  CHECK(npyBytes(values.view()) == expected);
}

TEST_CASE("shapes of rank 0 and 1 are Python's tuples, and the values start at a multiple of 64") {
  const Tensor row({3}, {1, 2, 3});
  CHECK(npyBytes(row.view()).find("'shape': (3,), }") != std::string::npos);
  const float one = 1;
  CHECK(npyBytes(TensorView(&one, {})).find("'shape': (), }") != std::string::npos);
  for (const int n : {1, 1000, 100000}) {
    const Tensor values({n, 1});
    CHECK((npyBytes(values.view()).size() - 4 * static_cast<std::size_t>(n)) % 64 == 0);
  }
}

TEST_CASE("a strided view is written as it is seen") {
  const Tensor values({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor transposed({3, 2}, {1, 4, 2, 5, 3, 6});
  CHECK(npyBytes(TensorView(values.values().data(), {3, 2}, {1, 3})) == npyBytes(transposed.view()));
}

TEST_CASE("an array file that cannot be written says where") {
  const TemporaryFolder folder;
  const Tensor values({1}, {1});
  CHECK(writeNpy(folder / "a.npy", values.view()));
  CHECK(*readTextFile(folder / "a.npy") == npyBytes(values.view()));
  const Status status = writeNpy(folder / "nowhere" / "a.npy", values.view());
  REQUIRE_FALSE(status);
  CHECK(status.error().where == (folder / "nowhere" / "a.npy").string());
}
