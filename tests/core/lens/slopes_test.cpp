// Slopes of activations, gates and recurrent states, against the pass backward: what arrives behind f times
// f′ is what arrives in front of it.
#include "core/lens/slopes.h"

#include <cmath>
#include <set>

#include "core/lens/chain_rule.h"
#include "core/tensor/operations/nonlinearity.h"
#include "tests/core/model/family_members.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

bool areAlike(double a, double b) { return std::abs(a - b) <= 1e-5 * (1e-2 + std::abs(b)); }

// Of every slope: what it is says the same of it, and times the gradient behind it it is the one in front.
// Notes what they are slopes of.
void checkSlopes(const ReplayedPass& pass, std::set<std::string>& functions) {
  const TensorSet& measured = *pass.measured;
  for (int i = 0; i < measured.count(); ++i) {
    const std::string& name = measured.point(i).name;
    if (!name.starts_with("slope.") && !name.starts_with("open.")) continue;
    INFO(name);
    const std::string point = name.substr(name.find('.') + 1);
    CHECK(measured.point(i).letters == pass.trace->point(pass.trace->find(point)).letters);
    const TensorView behind = measured[gradientName(point)];
    int n = 0;
    measured.tensor(i).forEach([&](const auto& at, float slope) {
      if (n++ % 7 != 0) return;
      const auto made = measured.derive(name, at);
      REQUIRE(made);
      functions.insert(made->functionName);
      REQUIRE(areAlike(made->value(), static_cast<double>(slope)));
      const Term& of = made->terms[0];
      const auto from = pass.trace->locate(of.factor);
      REQUIRE(from);
      if (name.starts_with("open.")) return;
      const TensorView before = measured[gradientName(pass.trace->point(from->tensor).name)];
      REQUIRE(areAlike(static_cast<double>(before.at(from->index)),
                       static_cast<double>(behind.at(at)) * static_cast<double>(slope)));
    });
  }
}

}  // namespace

TEST_CASE("slopes are those of the passes backward, of every function that a model may have") {
  if (isSanitized) return;  // every member of the family
  std::set<std::string> functions;
  forEachMember([&](const ModelConfig& config) {
    const Trace read(randomTokens(5, 1), randomTokens(config.isEncoderDecoder() ? 4 : 0, 2));
    checkSlopes(backwardAgain("backward", makeModel(config), read, {}, {{{4, 7}, -1}, {}}), functions);
  });
  for (const char* const each : {"GELU_tanh′", "GELU′", "ReLU′", "silu′", "φ′", "tanh′", "silu", "GELU_tanh"})
    CHECK(functions.contains(each));
}

TEST_CASE("a slope is the limit of differences, and what has no name has none") {
  for (const Nonlinearity each : {Nonlinearity::GeluTanh, Nonlinearity::Gelu, Nonlinearity::Relu,
                                  Nonlinearity::Silu, Nonlinearity::EluPlusOne}) {
    const NamedFunction f = functionOf(each);
    INFO(f.slopeName);
    for (double x = -4.05; x < 4; x += 0.1)
      CHECK(std::abs((f.function(x + 1e-5) - f.function(x - 1e-5)) / 2e-5 - f.slope(x)) < 1e-8);
    CHECK(functionCalled(f.name)->slope == f.slope);
  }
  CHECK_FALSE(functionCalled("√"));
}
