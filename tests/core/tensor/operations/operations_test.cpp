// Every operation's backward against finite differences of its forward.
#include <catch2/catch_test_macros.hpp>

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/model/positional/rotary.h"
#include "core/tensor/operations/attention.h"
#include "core/tensor/operations/attention_mask.h"
#include "core/tensor/operations/convolution.h"
#include "core/tensor/operations/elementwise.h"
#include "core/tensor/operations/linear.h"
#include "core/tensor/operations/normalization.h"
#include "core/tensor/operations/pooling.h"
#include "core/tensor/operations/recurrence.h"
#include "core/tensor/operations/soft_cap.h"
#include "tests/core/tensor/gradient_check.h"

using namespace glassformer;
using Catch::Approx;
using glassformer::testing::GradientCheck;

TEST_CASE("linear: gradients of input, weight and bias") {
  GradientCheck g(2, 5, 7);
  g.check(linear(g.tape(), g.input(), g.weight(7, 9), g.weight(1, 9)));
}

TEST_CASE("unembed: gradients of input and embedding") {
  GradientCheck g(1, 6, 8);
  g.check(unembed(g.tape(), g.input(), g.weight(11, 8)));
}

TEST_CASE("unembed with a bias: gradients of input, embedding and bias") {
  GradientCheck g(2, 6, 8);
  g.check(unembed(g.tape(), g.input(), g.weight(11, 8), g.weight(1, 11)));
}

TEST_CASE("types: a token is of the text that it is in, and the last type is of all that follow") {
  GradientCheck g(2, 6, 5);
  const Value types = embedTypes(g.tape(), g.weight(2, 5), 3);
  g.check(add(g.tape(), g.input(), types));
  const auto same = [&](int a, int b) {
    return std::equal(types.data + a * types.stride, types.data + a * types.stride + 5,
                      types.data + b * types.stride);
  };
  g.tape().tokens() = {1, 3, 2, 3, 1, 1, 1, 2, 2, 2, 2, 3};
  g.tape().forward();
  CHECK(same(0, 1));  // the separator itself belongs to the text that it ends
  CHECK_FALSE(same(1, 2));
  CHECK(same(2, 4));                                       // there is no third type
  for (int row = 6; row < 12; ++row) CHECK(same(0, row));  // every sequence begins anew
}

TEST_CASE("embed: columns that are left to others are 0 and reach no weight") {
  GradientCheck g(2, 3, 5);
  const Weight table = g.weight(6, 5);
  const Value y = embedTokens(g.tape(), table, Stream::Text, 1.5f, 2);
  g.check(add(g.tape(), g.input(), y));
  for (int r = 0; r < 6; ++r)
    for (int j = 0; j < 5; ++j) {
      CHECK(y.data[r * y.stride + j] == (j < 3 ? 1.5f * table.value[r * 5 + j] : 0.f));
      if (j >= 3) CHECK(table.gradient[r * 5 + j] == 0);
    }
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

// Inverted: what stays is larger by so much that nothing has to change outside of training.
TEST_CASE("dropout leaves the mean of every number as it is") {
  constexpr int draws = 4000;
  DropoutSource source{1, 0};
  GradientCheck g(1, 2, 8);
  const Value &x = g.input(), y = dropout(g.tape(), x, 0.3f, source);
  std::vector<double> mean(16);
  for (int draw = 0; draw < draws; ++draw) {
    source.seed = static_cast<std::uint64_t>(draw);
    g.tape().forward();
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += static_cast<double>(y.data[i / 8 * static_cast<std::size_t>(y.stride) + i % 8]) / draws;
  }
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const auto expected = static_cast<double>(x.data[i / 8 * static_cast<std::size_t>(x.stride) + i % 8]);
    CHECK(std::abs(mean[i] - expected) < 0.06 * std::abs(expected));  // 5 deviations
  }
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

TEST_CASE("attention over more tokens than a block of them: gradients across blocks") {
  GradientCheck g(1, 70, 12);
  const Value q = g.tape().columns(g.input(), 0, 4), k = g.tape().columns(g.input(), 4, 4),
              v = g.tape().columns(g.input(), 8, 4);
  const Value scores = scaledScores(g.tape(), q, k, 2, 0.5f, true, -INFINITY);
  g.check(weightedSum(g.tape(), softmax(g.tape(), maskScores(g.tape(), scores, {}, -INFINITY)), v, 2), 5e-3);
}

namespace {

// Queries, keys and values are columns of one table, as in a model.
struct Parts {
  explicit Parts(GradientCheck& g, int query = 8, int key = 8, int value = 8)
      : q(g.tape().columns(g.input(), 0, query)),
        k(g.tape().columns(g.input(), query, key)),
        v(g.tape().columns(g.input(), query + key, value)) {}
  Value q, k, v;
};

}  // namespace

TEST_CASE("attention that sees everything: gradients of queries, keys and values") {
  GradientCheck g(2, 5, 24);
  const Parts p(g);
  const Value scores = scaledScores(g.tape(), p.q, p.k, 2, 0.5f, false, 0);
  g.check(weightedSum(g.tape(), softmax(g.tape(), scores), p.v, 2), 5e-3);
}

TEST_CASE("grouped heads: gradients of keys and values that several heads share") {
  GradientCheck g(2, 5, 16);
  const Parts p(g, 8, 4, 4);
  const Value scores =
      maskScores(g.tape(), scaledScores(g.tape(), p.q, p.k, 4, 0.7f, true, -INFINITY), {}, -INFINITY);
  g.check(weightedSum(g.tape(), softmax(g.tape(), scores), p.v, 2), 5e-3);
}

TEST_CASE("masking afterwards: gradients go through what is left") {
  GradientCheck g(2, 6, 24);
  const Parts p(g);
  const Value pattern = softmax(g.tape(), scaledScores(g.tape(), p.q, p.k, 2, 0.5f, false, 0));
  const AttentionMask mask{MaskKind::Window, 3, {{4, 1, true}, {5, 5, false}}};
  g.check(weightedSum(g.tape(), maskAndRenormalize(g.tape(), pattern, mask), p.v, 2), 5e-3);
}

TEST_CASE("hard argmax: gradients of the values alone") {
  GradientCheck g(1, 4, 24);
  const Parts p(g);
  const Value pattern = hardArgmax(g.tape(), scaledScores(g.tape(), p.q, p.k, 2, 0.5f, false, 0));
  g.check(weightedSum(g.tape(), pattern, p.v, 2), 5e-3, 1e-3);
}

TEST_CASE("distance scores: gradients of the table") {
  GradientCheck g(2, 5, 8);
  const Value scores = distanceScores(g.tape(), g.input(), g.weight(2, 9), false);
  g.check(weightedSum(g.tape(), softmax(g.tape(), scores), g.input(), 2), 5e-3);
}

TEST_CASE("soft cap: gradients of scores and of rows, and no number larger than the cap") {
  GradientCheck g(2, 6, 24);
  const Parts p(g);
  const Value scores =
      softCap(g.tape(), scaledScores(g.tape(), p.q, p.k, 2, 2, true, -INFINITY), 1.5f, -INFINITY);
  g.check(weightedSum(g.tape(), softmax(g.tape(), maskScores(g.tape(), scores, {}, -INFINITY)), p.v, 2),
          5e-3);
  GradientCheck rows(1, 4, 6);
  const Value y = softCap(rows.tape(), rows.input(), 0.7f);
  rows.check(add(rows.tape(), y, rows.input()));
  for (int j = 0; j < 6; ++j) {
    const float x = rows.input().data[j];
    CHECK(y.data[j] == Approx(0.7 * std::tanh(x / 0.7)));
    CHECK(std::abs(y.data[j]) < 0.7f);
  }
}

TEST_CASE("RMS norm: gradients of input and gamma") {
  GradientCheck g(2, 4, 12);
  g.check(rmsNorm(g.tape(), g.input(), g.weight(1, 12), 1e-5f).value, 5e-3);
}

TEST_CASE("copies, gates, sums of heads and positive features: gradients of every operand") {
  GradientCheck copies(1, 4, 6);
  copies.check(add(copies.tape(), copy(copies.tape(), copies.input()), copies.input()));
  for (const Nonlinearity gate : {Nonlinearity::Silu, Nonlinearity::GeluTanh}) {
    GradientCheck gates(1, 4, 12);
    gates.check(gated(gates.tape(), gates.tape().columns(gates.input(), 0, 6),
                      gates.tape().columns(gates.input(), 6, 6), gate));
  }
  GradientCheck smooth(1, 4, 6);
  smooth.check(activate(smooth.tape(), smooth.input(), Nonlinearity::Silu));
  GradientCheck small(1, 4, 6);
  small.check(add(small.tape(), dividedByRoot(small.tape(), small.input()), small.input()));
  GradientCheck sums(2, 3, 12);
  sums.check(sumOfHeads(sums.tape(), sums.input(), 3, 'h', sums.weight(1, 4)));
  GradientCheck features(1, 5, 8);
  features.check(activate(features.tape(), features.input(), Nonlinearity::EluPlusOne), 5e-3, 1e-3);
}

TEST_CASE("rotary positions: gradients go back through the rotation") {
  GradientCheck turned(2, 5, 12);
  ModelConfig config{.heads = 3, .width = 12};
  turned.check(rotaryPositions().rotate(turned.tape(), config, turned.input()));
  GradientCheck longer(2, 5, 12);
  config.rotaryScaling = {RopeScaling::Yarn, 4, 1, 3, 40};
  longer.check(rotaryPositions().rotate(longer.tape(), config, longer.input()));
}

TEST_CASE("recurrence: gradients of input and weight go back through time, sequence by sequence") {
  GradientCheck g(2, 6, 7);
  const Weight w = g.weight(7, 7);
  for (int i = 0; i < 49; ++i) const_cast<float*>(w.value)[i] *= 0.4f;  // states that are not saturated
  CarriedState carried(g.tape(), w, Stream::Text);
  const Value h = advance(g.tape(), g.input(), carried.value());
  carried.close(h);
  g.check(h, 5e-3);
}

TEST_CASE("recurrence: an input that is read twice collects both gradients") {
  GradientCheck g(2, 4, 5);
  const Weight w = g.weight(5, 5);
  CarriedState carried(g.tape(), w, Stream::Text);
  const Value h = advance(g.tape(), g.input(), carried.value());
  carried.close(h);
  g.check(add(g.tape(), h, g.input()), 5e-3);
}

TEST_CASE("delayed parts: gradients go back to the token that was read, and not across sequences") {
  GradientCheck once(2, 5, 12);
  once.check(delayed(once.tape(), once.input(), 3));
  GradientCheck twice(3, 4, 6);
  twice.check(add(twice.tape(), delayed(twice.tape(), twice.input(), 2), twice.input()));
  GradientCheck late(1, 2, 8);  // more taps than tokens
  late.check(delayed(late.tape(), late.input(), 4));
  GradientCheck around(2, 5, 9);
  around.check(delayed(around.tape(), around.input(), 3, 1));
  GradientCheck wide(2, 3, 10);  // more taps on either side than tokens
  wide.check(add(wide.tape(), delayed(wide.tape(), wide.input(), 5, 4), wide.input()));
}

TEST_CASE("taps that stand around a token read nothing beyond the sequence's own end") {
  GradientCheck g(2, 4, 3);
  const Value y = delayed(g.tape(), g.input(), 3, 1);
  g.tape().setLengths(std::vector{4, 2}, Stream::Text);
  g.tape().forward();
  for (int r = 0; r < 8; ++r)
    for (int j = 0; j < 3; ++j) {
      const int from = r % 4 + 1 - j;  // tap 0 reads the next token, 1 the token itself, 2 the one before
      const bool isThere = from >= 0 && from < (r < 4 ? 4 : 2);
      CHECK(*cellOf(y, r, j) == (isThere ? *cellOf(g.input(), r + 1 - j, j) : 0));
    }
}

TEST_CASE("means of rows: of those read so far, or of all, and none of another sequence") {
  for (const bool whole : {false, true}) {
    GradientCheck alone(2, 5, 6);
    alone.check(meanOfRows(alone.tape(), alone.input(), whole));
    GradientCheck twice(3, 4, 5);
    twice.check(add(twice.tape(), meanOfRows(twice.tape(), twice.input(), whole), twice.input()));
    GradientCheck g(2, 3, 4);
    const Value y = meanOfRows(g.tape(), g.input(), whole), &x = g.input();
    g.tape().forward();
    for (int r = 0; r < 6; ++r)
      for (int d = 0; d < 4; ++d) {
        const int first = r / 3 * 3, read = whole ? 3 : r % 3 + 1;
        double sum = 0;
        for (int s = first; s < first + read; ++s) sum += static_cast<double>(*cellOf(x, s, d));
        CHECK(*cellOf(y, r, d) == Approx(sum / read).margin(1e-6));
      }
  }
}

TEST_CASE("what no loss is made of is passed over, and takes no share of a gradient") {
  GradientCheck g(1, 4, 5);
  const Weight unread = g.weight(5, 3);
  meanOfRows(g.tape(), linear(g.tape(), g.input(), unread), false);
  const Value y = linear(g.tape(), g.input(), g.weight(5, 6));
  activate(g.tape(), y, Nonlinearity::Relu);
  g.check(y);  // the input's gradient is that of y alone
  for (int i = 0; i < 15; ++i) CHECK(unread.gradient[i] == 0);
}

TEST_CASE("products of taps: gradients of input and filters") {
  GradientCheck g(2, 4, 6);
  g.check(tapProducts(g.tape(), g.input(), g.weight(3, 6)));
  GradientCheck twice(1, 4, 5);
  const Value x = twice.input();
  twice.check(
      add(twice.tape(), x,
          sumOfHeads(twice.tape(), delayed(twice.tape(), tapProducts(twice.tape(), x, twice.weight(4, 5)), 4),
                     4, 'j', twice.weight(1, 5))));
}

TEST_CASE("linear without a bias: gradients of input and weight") {
  GradientCheck g(2, 5, 7);
  g.check(linear(g.tape(), g.input(), g.weight(7, 9)));
}
