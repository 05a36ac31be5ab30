#include "app/views/next_token/shifted_picture.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "core/decode/next_token.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("below what the model reads stands the text shifted by one, with the loss of each place") {
  for (const char* name : {"stories", "translate"}) {
    INFO(name);
    Workspace workspace = openedOn("next_token", "shifted");
    commands::setModel(name).apply(workspace);
    workspace.text = workspace.source.empty() ? "The dog was too tired." : "Anna sagt, dass er das Fenster";
    const SeenPicture seen(workspace);
    const Trace& trace = *seen.snapshot->pass->trace;
    const int T = trace.tokenCount();
    double sum = 0;
    for (int t = 0; t + 1 < T; ++t) {
      const TensorView row = trace["logits"][t];
      const std::vector<double> logs =
          logSoftmax(std::span(&row(0), static_cast<std::size_t>(row.extent[0])));
      const double loss = -logs[static_cast<std::size_t>(trace.tokens()[static_cast<std::size_t>(t) + 1])];
      CHECK(seen.at({"lens.surprise", {t}}) == Approx(loss).margin(1e-4));
      sum += loss;
      const std::string next = seen.snapshot->pass->tokens[static_cast<std::size_t>(t) + 1].label;
      CHECK(seen.hit("place " + std::to_string(t)).target.text.find("target “" + next) != std::string::npos);
    }
    CHECK(seen.at({"lens.loss", {0}}) == Approx(sum / (T - 1)).epsilon(1e-4));
    CHECK(seen.hit("place " + std::to_string(T - 1)).target.text.starts_with("no token follows"));
  }
}

TEST_CASE("a text of one token has no target yet, and a model that fills gaps none at all") {
  Workspace workspace = openedOn("next_token", "shifted");
  commands::setModel("translate").apply(workspace);
  workspace.text = "";
  CHECK(SeenPicture(workspace).says("No next token yet"));
  commands::setModel("fill").apply(workspace);
  CHECK(SeenPicture(workspace).says("a masked language model predicts masked tokens"));
}
