#include "app/explain/provenance.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>

#include "app/document/model_commands.h"
#include "tests/app/engine/latest_for.h"
#include "tests/core/model/family_members.h"
#include "tests/small_model.h"

using namespace glassformer;

namespace {

std::shared_ptr<const Snapshot> askedSnapshot(const std::string& view = "", const std::string& picture = "") {
  Workspace workspace = initialWorkspace();
  workspace.text = "The cat sat on the mat.";
  if (!view.empty()) workspace.view = view, workspace.settings.pictures[view] = picture;
  workspace.settings.residual.to = ContributionTo::FinalState;
  return Answering([](const std::string& name,
                      const ProgressCallback&) -> Result<LoadedModel> { return makeSmallModel(name); },
                   1)(workspace);
}

TensorRef randomCell(const TensorSet& set, int tensor, std::mt19937& random) {
  TensorRef cell;
  cell.tensor = set.point(tensor).name;
  const TensorView view = set.tensor(tensor);
  for (std::size_t d = 0; d < static_cast<std::size_t>(view.rank); ++d)
    cell.index[d] = static_cast<int>(random() % static_cast<unsigned>(view.extent[d]));
  return cell;
}

// Opens a number, and of what made it one after the other, to where nothing made it. Whether that is a
// weight.
bool groundOf(const Snapshot& snapshot, const TensorSources& sources, TensorRef cell, std::mt19937& random) {
  int steps = 0;
  while (const auto provenance = provenanceOf(sources, cell)) {
    INFO(cell.tensor);
    REQUIRE(++steps < 200);
    const Derivation& derivation = provenance->derivation;
    const float value = namedNumber(snapshot, cell)->value;
    if (std::isfinite(value)) REQUIRE(std::abs(derivation.value() - value) <= 1e-5 * (1 + std::abs(value)));
    std::vector<Operand> operands;
    for (const Cell scale : {derivation.gamma, derivation.beta})
      if (scale) operands.push_back(operandOf(sources, scale));
    for (const Term& term : derivation.terms) {
      const std::vector<Operand> factors = operandsOf(sources, term);
      operands.insert(operands.end(), factors.begin(), factors.end());
    }
    if (operands.empty()) {  // what the mask hides is made of nothing
      REQUIRE(derivation.value() == 0);
      return false;
    }
    cell = operands[random() % operands.size()].cell;
    REQUIRE(!cell.empty());
  }
  const auto end = namedNumber(snapshot, cell);
  REQUIRE(end);
  return end->isWeight;
}

}  // namespace

TEST_CASE("whatever the model is, what a number is made of has a name") {
  std::mt19937 random(4);
  forEachMember([&](const ModelConfig& config) {
    const auto trace =
        traceOf(config, randomTokens(5, 1), randomTokens(config.isEncoderDecoder() ? 4 : 0, 2));
    TensorSources sources{trace};
    sources.add({trace, trace->weights()});
    for (int tensor = 0; tensor < trace->count(); ++tensor)
      for (int i = 0; i < 4; ++i) {
        const TensorRef cell = randomCell(*trace, tensor, random);
        INFO(cell.tensor);
        if (const auto provenance = provenanceOf(sources, cell))
          for (const Term& term : provenance->derivation.terms)
            for (const Operand& operand : operandsOf(sources, term)) REQUIRE(!operand.cell.empty());
      }
  });
}

TEST_CASE("what a number comes from gives it again, and is found under the name it says") {
  const auto snapshot = askedSnapshot();
  REQUIRE(snapshot->pass->hasTrace());
  const Trace& trace = *snapshot->pass->trace;
  const TensorSources sources = sourcesOf(*snapshot);
  std::mt19937 random(1);
  int named = 0, unnamed = 0;
  for (int tensor = 0; tensor < trace.count(); ++tensor)
    for (int i = 0; i < 10; ++i) {
      const TensorRef cell = randomCell(trace, tensor, random);
      const auto number = namedNumber(*snapshot, cell);
      const auto provenance = provenanceOf(sources, cell);
      INFO(cell.tensor);
      REQUIRE(number);
      REQUIRE(provenance);
      const Derivation& derivation = provenance->derivation;
      const std::vector<Term>& terms = derivation.terms;
      if (std::isfinite(number->value))
        CHECK(std::abs(derivation.value() - number->value) <= 1e-5 * (1 + std::abs(number->value)));
      if (derivation.form == Form::Sum) {
        CHECK(std::abs(provenance->sumFrom(0) - derivation.value()) < 1e-12);
        CHECK(std::ranges::is_sorted(
            terms, [](const Term& a, const Term& b) { return std::abs(a.value()) > std::abs(b.value()); }));
      }
      for (const Term& term : terms)
        for (const Operand& operand : operandsOf(sources, term)) {
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

TEST_CASE("1,000 numbers of every model that ships open down to weights, and terms give each on the way",
          "[accuracy]") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  CHECK(library.builtIn().size() >= 13);
  for (const ModelLibrary::Entry& model : library.builtIn()) {
    INFO(model.name);
    Workspace workspace = initialWorkspace();
    commands::setModel(model.name).apply(workspace);
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->pass->hasTrace());
    const Trace& trace = *snapshot->pass->trace;
    const TensorSources sources = sourcesOf(*snapshot);
    std::mt19937 random(2);
    int weights = 0;
    for (int i = 0; i < 1000; ++i)
      weights += groundOf(
          *snapshot, sources,
          randomCell(trace, static_cast<int>(random() % static_cast<unsigned>(trace.count())), random),
          random);
    CHECK(weights > 600);
  }
}

TEST_CASE("what is measured on a pass is made of the pass's own numbers, which open in turn") {
  struct Asked {
    const char *view, *picture, *tensor;
    Form form;
  };
  for (const Asked& asked : {Asked{"residual", "norms", "lens.residual_norm", Form::Function},
                             Asked{"residual", "cosine", "lens.residual_cosine", Form::Sum},
                             Asked{"residual", "scales", "lens.norm_scale", Form::Quotient},
                             Asked{"residual", "contributions", "lens.contribution", Form::Sum},
                             Asked{"next_token", "text", "lens.top_probability", Form::Softmax},
                             Asked{"influence", "distance", "lens.influence_by_distance", Form::Sum}}) {
    INFO(asked.tensor);
    const auto snapshot = askedSnapshot(asked.view, asked.picture);
    const TensorSources sources = sourcesOf(*snapshot);
    REQUIRE(sources.contains(asked.tensor));
    const auto made = provenanceOf(sources, {asked.tensor, {1, 0, 1}});
    REQUIRE(made);
    CHECK(made->derivation.form == asked.form);
    for (const Term& term : made->derivation.terms)
      for (const Operand& operand : operandsOf(sources, term)) CHECK_FALSE(operand.cell.empty());
  }
}

TEST_CASE("a number that another text or model does not have is none") {
  const auto snapshot = askedSnapshot();
  CHECK(namedNumber(*snapshot, {"wte.weight", {2, 3}}));
  CHECK_FALSE(namedNumber(*snapshot, {"wte.weight", {1'000'000, 3}}));
  CHECK_FALSE(namedNumber(*snapshot, {"blocks.0.hook_resid_pre", {500, 0}}));
  CHECK_FALSE(namedNumber(*snapshot, {"blocks.9.hook_resid_pre", {0, 0}}));
  CHECK_FALSE(namedNumber(Snapshot{}, {"wte.weight", {2, 3}}));
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
