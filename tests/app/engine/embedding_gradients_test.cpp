#include "app/engine/embedding_gradients.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "core/decode/next_token.h"
#include "core/train/trainer.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;
using Catch::Approx;

namespace {

std::shared_ptr<const Snapshot> read(const char* model, const char* text) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  workspace.text = text;
  workspace.view = "tokens", workspace.settings.pictures["tokens"] = "both ends";
  return latestFor(workspace);
}

double largest(const AlignedVector& values) {
  double most = 0;
  for (const float x : values) most = std::max(most, std::abs(static_cast<double>(x)));
  return most;
}

}  // namespace

TEST_CASE("the gradients of both ends sum to that of the matrix that ties them") {
  const auto snapshot = read("translate", "Anna sagt, dass er das Fenster");
  const Transformer& model = *snapshot->model->transformer;
  const Trace& trace = *snapshot->pass->trace;
  REQUIRE(model.config().tiedUnembedding);
  const EndGradients ends = gradientsAtBothEnds(model, trace.tokens(), trace.source(), 2);

  TrainingOptions options;
  options.sequences = options.shards = 1;
  options.positions = trace.tokenCount() - 1;
  options.sourcePositions = static_cast<int>(trace.source().size());
  ModelConfig config = model.config();
  config.dropout = 0;
  Trainer tied(config, model.parameters().copy(), options, 2);
  Batch batch{{trace.tokens().begin(), trace.tokens().end() - 1},
              {trace.tokens().begin() + 1, trace.tokens().end()},
              trace.source(),
              {options.sourcePositions}};
  AlignedVector all;
  CHECK(tied.gradients(batch, all) == Approx(ends.loss).epsilon(1e-6));
  const std::size_t begin = model.parameters().copy().offset(model.parameters().find("wte.weight"));
  const double scale = largest(ends.in) + largest(ends.out);
  REQUIRE(scale > 0);
  double apart = 0;
  for (std::size_t i = 0; i < ends.in.size(); ++i)
    apart = std::max(apart, std::abs(static_cast<double>(ends.in[i]) + ends.out[i] - all[begin + i]));
  CHECK(apart <= 1e-5 * scale);
}

TEST_CASE("through the unembedding comes (p − 1) h of each place, and through the embedding what is read") {
  const auto snapshot = read("stories", "The dog was too tired.");
  const Transformer& model = *snapshot->model->transformer;
  const Trace& trace = *snapshot->pass->trace;
  const int T = trace.tokenCount(), V = model.config().vocabulary, D = model.config().width;
  const EndGradients ends = gradientsAtBothEnds(model, trace.tokens(), {}, 2);
  const TensorView h = trace["ln_final.hook_normalized"];  // what the unembedding reads
  std::vector<double> expected(static_cast<std::size_t>(V) * static_cast<std::size_t>(D));
  double loss = 0;
  for (int t = 0; t + 1 < T; ++t) {
    const TensorView row = trace["logits"][t];
    const auto logs = logSoftmax(std::span(&row(0), static_cast<std::size_t>(V)));
    const int next = trace.tokens()[static_cast<std::size_t>(t) + 1];
    loss -= logs[static_cast<std::size_t>(next)] / (T - 1);
    for (int v = 0; v < V; ++v)
      for (int d = 0; d < D; ++d)
        expected[static_cast<std::size_t>(v * D + d)] +=
            (std::exp(logs[static_cast<std::size_t>(v)]) - (v == next)) * h(t, d) / (T - 1);
  }
  CHECK(ends.loss == Approx(loss).epsilon(1e-5));
  double apart = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    apart = std::max(apart, std::abs(expected[i] - ends.out[i]));
  CHECK(apart <= 1e-5 * largest(ends.out));
  for (int v = 0; v < V; ++v) {
    const bool isRead =
        std::find(trace.tokens().begin(), trace.tokens().end() - 1, v) != trace.tokens().end() - 1;
    double square = 0;
    for (int d = 0; d < D; ++d) square += std::abs(ends.in[static_cast<std::size_t>(v * D + d)]);
    CHECK((square > 0) == isRead);
  }
}

TEST_CASE("the picture's norms and angles are those of the gradients") {
  const auto snapshot = read("translate", "Anna sagt, dass er das Fenster");
  REQUIRE(snapshot->kept.measured);
  const TensorSet& set = *snapshot->kept.measured;
  const Transformer& model = *snapshot->model->transformer;
  const Trace& trace = *snapshot->pass->trace;
  const EndGradients ends = gradientsAtBothEnds(model, trace.tokens(), trace.source(), 2);
  const int D = model.config().width, v = trace.tokens()[2];
  double in = 0, out = 0, dot = 0;
  for (int d = 0; d < D; ++d) {
    const auto i = static_cast<std::size_t>(v * D + d);
    const double a = ends.in[i], b = ends.out[i];
    in += a * a, out += b * b, dot += a * b;
  }
  CHECK(set[bothEnds::through](0, v) == Approx(std::sqrt(in)).epsilon(1e-4));
  CHECK(set[bothEnds::through](1, v) == Approx(std::sqrt(out)).epsilon(1e-4));
  CHECK(set[bothEnds::cosine](v) == Approx(dot / std::sqrt(in * out)).margin(1e-4));
  CHECK(set[bothEnds::together](v) == Approx(std::sqrt(in + 2 * dot + out)).epsilon(1e-3));
}
