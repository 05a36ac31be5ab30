// What a trace says its numbers were made of: the terms of a number give it again, down to the weights.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>

#include "core/io/model_directory.h"
#include "core/model/live_pass.h"
#include "core/random.h"
#include "tests/core/model/family_members.h"
#include "tests/core/model/reference_family.h"
#include "tests/sanitized.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

// How large the numbers are that were added up, whose last bits the sum may have lost.
double magnitudeOf(const Derivation& d) {
  double most = 0;
  for (const Term& term : d.terms)
    if (std::isfinite(term.value())) most = std::max(most, std::abs(term.value()));
  return most;
}

// 1,000 cells of every point at random (fewer under sanitizers), or all where it has fewer; "" or the first
// that its terms do not give.
std::string faultOf(const Trace& trace, int& checked) {
  Random random(11);
  for (int i = 0; i < trace.count(); ++i) {
    const TensorView tensor = trace.tensor(i);
    const int most = times(1000);
    const bool few = tensor.size() <= most;
    std::array<int, maxRank> index{};
    for (int n = 0; n < (few ? tensor.size() : most); ++n, ++checked) {
      for (int d = 0, rest = n; d < tensor.rank; ++d) {
        const auto at = static_cast<std::size_t>(d);
        index[at] = few ? rest % tensor.extent[at] : random.below(tensor.extent[at]);
        rest /= tensor.extent[at];
      }
      const auto derivation = trace.derive(trace.point(i).name, index);
      const std::string cell = trace.point(i).name + " of " + trace.point(i).equation;
      if (!derivation) return cell + ": nothing made it";
      for (const Term& term : derivation->terms)
        for (const Cell operand : {term.factor, term.other})
          if (operand && n < 3 && !trace.locate(operand) && !trace.weights()->locate(operand) &&
              !trace.derive(operand))
            return cell + ": an operand without an origin";
      const double value = static_cast<double>(tensor.at(index)), made = derivation->value();
      const double scale = std::max(std::abs(value), std::min(1.0, magnitudeOf(*derivation)));
      const bool same =
          std::isfinite(value) ? std::abs(made - value) <= 1e-5 * std::max(scale, 1e-3) : made == value;
      if (!same) return cell + ": " + std::to_string(made) + " for " + std::to_string(value);
    }
  }
  return "";
}

std::vector<fs::path> shippedModels() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE_FOLDER) / "assets" / "models"))
    if (entry.path().filename() == "config.json") folders.push_back(entry.path().parent_path());
  return folders;
}

}  // namespace

TEST_CASE("the terms of every number of every model that ships give that number") {
  const auto folders = shippedModels();
  REQUIRE(folders.size() >= 11);
  for (const fs::path& folder : folders) {
    const auto directory = readModelDirectory(folder);
    REQUIRE(directory);
    LivePass live(std::make_shared<const Transformer>(directory->config, directory->parameters), 1);
    const int most = std::min(24, directory->config.context);
    Random random(3);
    const auto tokens = [&](int count) {
      std::vector<int> drawn(static_cast<std::size_t>(count));
      for (int& token : drawn) token = random.below(directory->config.vocabulary);
      return drawn;
    };
    const auto text = tokens(most), source = tokens(directory->config.isEncoderDecoder() ? 9 : 0);
    int checked = 0;
    INFO(folder.filename().string());
    CHECK(faultOf(*live.run(text, {}, source), checked) == "");
    CHECK(checked > times(directory->parameters.valueCount() < 20000 ? 1000 : 10000));  // two are small
  }
}

TEST_CASE("the terms of every number of every variant give that number") {
  int checked = 0;
  for (const ReferenceMember& member : referenceFamily()) {
    LivePass live(std::make_shared<const Transformer>(member.config, member.values.weights(member.config)),
                  1);
    INFO(member.file);
    CHECK(faultOf(*live.run(member.tokens(), {}, member.source()), checked) == "");
  }
  forEachMember([&](const ModelConfig& config) {
    CHECK(faultOf(*traceOf(config, randomTokens(9, 1), randomTokens(config.isEncoderDecoder() ? 6 : 0, 2)),
                  checked) == "");
  });
  CHECK(checked > times(1000000));
}

TEST_CASE("a number is followed from the logits down to the embedding, by names") {
  const auto trace = traceOf(smallConfig(), randomTokens(9, 1));
  const auto nameOf = [&](Cell cell) {
    if (const auto found = trace->locate(cell)) return trace->point(found->tensor).name;
    const auto weight = trace->weights()->locate(cell);
    REQUIRE(weight);
    return trace->weights()->point(weight->tensor).name;
  };
  auto derivation = trace->derive("logits", {8, 3});
  std::vector<std::string> path;
  while (derivation && !derivation->terms.empty() && path.size() < 40) {
    path.push_back(nameOf(derivation->terms[0].factor));
    derivation = trace->derive(derivation->terms[0].factor);
  }
  CHECK(path.front() == "ln_final.hook_normalized");
  CHECK(std::ranges::count(path, "blocks.0.hook_resid_mid") == 1);
  CHECK(path[path.size() - 2] == "hook_embed");
  CHECK(path.back() == "wte.weight");
}

TEST_CASE(
    "a masked score keeps the terms of what the mask writes over, and an intervention those of the model") {
  LivePass live(makeModel(smallConfig()), 1);
  const auto plain = live.run(randomTokens(9, 1));
  const auto masked = plain->derive("blocks.1.attn.hook_attn_scores", {0, 2, 5});
  REQUIRE(masked);
  CHECK(masked->form == Form::Masked);
  CHECK(masked->value() == -INFINITY);
  REQUIRE(masked->terms.size() == 8);
  double product = 0;
  for (int k = 0; k < 8; ++k)
    product += static_cast<double>((*plain)["blocks.1.attn.hook_q"](2, 0, k)) *
               (*plain)["blocks.1.attn.hook_k"](5, 0, k) / std::sqrt(8.0);
  CHECK(std::abs(masked->sum() - product) < 1e-5);

  const std::string point = "blocks.1.mlp.hook_post";
  const auto changed = live.run(randomTokens(9, 1), {{point, InterventionKind::Replace, {3, 7, -1, -1}, 5}});
  CHECK((*changed)[point](3, 7) == 5);
  CHECK(std::abs(changed->derive(point, {3, 7})->value() - static_cast<double>((*plain)[point](3, 7))) <
        1e-5);
}
