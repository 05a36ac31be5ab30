#include "app/scene/explain/provenance.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>
#include <set>

#include "app/engine/engine.h"
#include "app/scene/views.h"
#include "tests/small_model.h"

using namespace glassformer;

namespace {

std::shared_ptr<const Snapshot> askedSnapshot() {
  Engine engine(
      [](const std::string& name, const Watch&) -> Result<LoadedModel> { return makeSmallModel(name); },
      [] {}, neededFor, 1);
  Workspace workspace = initialWorkspace();
  workspace.text = "The cat sat on the mat.";
  engine.request(workspace, 1);
  engine.finish();
  return engine.latest();
}

TensorRef randomCell(const TensorSet& set, int tensor, std::mt19937& random) {
  TensorRef cell;
  cell.tensor = set.point(tensor).name;
  const TensorView view = set.tensor(tensor);
  for (std::size_t d = 0; d < static_cast<std::size_t>(view.rank); ++d)
    cell.index[d] = static_cast<int>(random() % static_cast<unsigned>(view.extent[d]));
  return cell;
}

}  // namespace

TEST_CASE("what a number comes from gives it again, and is found under the name it says") {
  const auto snapshot = askedSnapshot();
  REQUIRE(snapshot->hasTrace());
  const Trace& trace = *snapshot->trace;
  std::mt19937 random(1);
  int named = 0, unnamed = 0;
  for (int tensor = 0; tensor < trace.count(); ++tensor)
    for (int i = 0; i < 10; ++i) {
      const TensorRef cell = randomCell(trace, tensor, random);
      const auto number = namedNumber(*snapshot, cell);
      const auto provenance = provenanceOf(trace, cell);
      INFO(cell.tensor);
      REQUIRE(number);
      REQUIRE(provenance);
      if (std::isfinite(number->value))
        CHECK(std::abs(provenance->rebuilt - number->value) <= 1e-5 * (1 + std::abs(number->value)));
      if (provenance->form == Form::Sum)
        CHECK(std::abs(provenance->sumFrom(0) - provenance->rebuilt) < 1e-12);
      for (std::size_t s = provenance->firstIsOwn ? 2 : 1; s < provenance->summands.size(); ++s)
        if (provenance->form == Form::Sum)
          CHECK(std::abs(provenance->summands[s - 1].value) >= std::abs(provenance->summands[s].value));
      for (const Summand& summand : provenance->summands)
        for (const Operand& operand : summand.operands) {
          (operand.cell.empty() ? unnamed : named) += 1;
          if (operand.cell.empty()) continue;
          const auto found = namedNumber(*snapshot, operand.cell);
          REQUIRE(found);
          CHECK((found->value == operand.value || std::isnan(operand.value)));
        }
    }
  CHECK(named > 5000);
  CHECK(unnamed == 0);
}

TEST_CASE("from any number on the terms lead down to weights") {
  const auto snapshot = askedSnapshot();
  const Trace& trace = *snapshot->trace;
  std::mt19937 random(2);
  int weights = 0;
  for (int i = 0; i < 200; ++i) {
    TensorRef cell =
        randomCell(trace, static_cast<int>(random() % static_cast<unsigned>(trace.count())), random);
    INFO(cell.tensor);
    int steps = 0;
    while (const auto provenance = provenanceOf(trace, cell)) {
      REQUIRE(++steps < 200);
      std::vector<Operand> operands = provenance->scaling;
      for (const Summand& summand : provenance->summands)
        operands.insert(operands.end(), summand.operands.begin(), summand.operands.end());
      if (operands.empty()) {  // what the mask hides is made of nothing
        REQUIRE(provenance->rebuilt == 0);
        break;
      }
      cell = operands[random() % operands.size()].cell;
      REQUIRE(!cell.empty());
    }
    const auto end = namedNumber(*snapshot, cell);
    REQUIRE(end);
    weights += end->isWeight;
  }
  CHECK(weights > 150);
}

TEST_CASE("a number that is followed lights up where it stands") {
  const auto snapshot = askedSnapshot();
  const Target score = targetOf(*snapshot, {"blocks.1.attn.hook_pattern", {2, 4, 3}});
  CHECK(score.layer == 1);
  CHECK(score.head == 2);
  CHECK(score.query == 4);
  CHECK(score.key == 3);
  const Target value = targetOf(*snapshot, {"blocks.0.attn.hook_v", {3, 1, 5}});
  CHECK(value.token >= 0);
  CHECK(value.dimension >= 0);
  CHECK(value.query == Target::none);
}
