// Every operation's backward against finite differences of its forward.
#include <catch2/catch_test_macros.hpp>

#include <cmath>

#include "core/tensor/operations/attention.h"
#include "core/tensor/operations/attention_mask.h"
#include "core/tensor/operations/elementwise.h"
#include "core/tensor/operations/linear.h"
#include "core/tensor/operations/normalization.h"
#include "tests/core/tensor/gradient_check.h"

using namespace glassformer;
using glassformer::testing::GradientCheck;

TEST_CASE("linear: gradients of input, weight and bias") {
  GradientCheck g(2, 5, 7);
  g.check(linear(g.tape(), g.input(), g.weight(7, 9), g.weight(1, 9)));
}

TEST_CASE("unembed: gradients of input and embedding") {
  GradientCheck g(1, 6, 8);
  g.check(unembed(g.tape(), g.input(), g.weight(11, 8)));
}

TEST_CASE("embed: the same row used twice collects both gradients") {
  GradientCheck g(1, 6, 4);
  g.tape().tokens() = {0, 1, 1, 3, 3, 3};
  g.check(g.input());
}

TEST_CASE("positions: each row of the table collects from every sequence") {
  GradientCheck g(3, 4, 5);
  g.check(add(g.tape(), g.input(), embedPositions(g.tape(), g.weight(4, 5))));
}

TEST_CASE("layer norm: gradients of input, gamma and beta") {
  GradientCheck g(1, 4, 16);
  g.check(layerNorm(g.tape(), g.input(), g.weight(1, 16), g.weight(1, 16), 1e-5f).value, 5e-3);
}

TEST_CASE("activations: gradients of all three") {
  for (const auto f : {Nonlinearity::GeluTanh, Nonlinearity::Gelu, Nonlinearity::Relu}) {
    GradientCheck g(1, 4, 20);
    g.check(activate(g.tape(), g.input(), f), 1e-2, f == Nonlinearity::Relu ? 1e-3 : 1e-2);
  }
}

TEST_CASE("add: a value used twice collects both gradients") {
  GradientCheck g(1, 3, 6);
  const Value twice = add(g.tape(), g.input(), g.input());
  g.check(add(g.tape(), twice, g.input()));
}

TEST_CASE("dropout: gradient flows where the mask is open") {
  DropoutSource source{42, 0};
  GradientCheck g(1, 5, 12);
  g.check(dropout(g.tape(), g.input(), 0.4f, source));
}

TEST_CASE("dropout keeps about the right share and does not depend on how rows are split") {
  DropoutSource whole{7, 0}, later{7, 1};
  GradientCheck a(1, 6, 400), b(1, 3, 400);
  const Value x = dropout(a.tape(), a.input(), 0.25f, whole), y = dropout(b.tape(), b.input(), 0.25f, later);
  a.tape().forward(), b.tape().forward();
  int dropped = 0;
  for (int r = 0; r < 3; ++r)
    for (int j = 0; j < 400; ++j) {
      dropped += x.data[r * x.stride + j] == 0;
      CHECK((x.data[(r + 3) * x.stride + j] == 0) == (y.data[r * y.stride + j] == 0));
    }
  CHECK(std::abs(dropped / 1200.0 - 0.25) < 0.05);
}

TEST_CASE("attention: gradients through scores, mask, softmax and weighted sum, head by head") {
  GradientCheck g(2, 6, 24);
  const Value q = g.tape().columns(g.input(), 0, 8), k = g.tape().columns(g.input(), 8, 8),
              v = g.tape().columns(g.input(), 16, 8);
  const Value scores = scaledScores(g.tape(), q, k, 2, 0.5f, true, -INFINITY);
  g.check(weightedSum(g.tape(), softmax(g.tape(), maskScores(g.tape(), scores, {}, -INFINITY)), v, 2), 5e-3);
}
