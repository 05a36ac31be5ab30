// A model beside what another program computed of it: numbers of PyTorch
// (tests/reference/make_format_reference.py).
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <filesystem>

#include "app/archives/npz.h"
#include "app/document/comparison_commands.h"
#include "app/engine/recorded_model.h"
#include "app/views/stage.h"
#include "app/views/views.h"
#include "tests/app/engine/latest_for.h"
#include "tests/app/views/plain_metrics.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const fs::path formats = SOURCE_FOLDER "/tests/reference/formats";

// The Llama of the reference, reading what is typed, beside a trace.
Workspace llamaBeside(const fs::path& trace, const char* text) {
  Workspace w = initialWorkspace();
  w.model = (formats / "llama").string(), w.text = text;
  commands::compareWithTrace(trace).apply(w);
  return w;
}

}  // namespace

TEST_CASE(
    "a model is compared with what PyTorch computed of it: no point differs, and every difference is one") {
  Answering beside;
  const auto dump = openDump(formats / "llama_typed.npz");
  REQUIRE(dump);
  Workspace w = llamaBeside(formats / "llama_typed.npz", "the cat.");
  w.comparison.mode = ComparisonMode::Difference;
  const auto snapshot = beside(w);
  REQUIRE(snapshot->standing.error == "");
  REQUIRE(snapshot->difference);
  CHECK(snapshot->pass->trace->tokens() == snapshot->other->pass->trace->tokens());
  CHECK(snapshot->other->model->hasNoWeights());
  CHECK_FALSE(snapshot->model->hasNoWeights());
  const TensorSet& difference = *snapshot->difference->pass->trace;
  CHECK(difference.count() == snapshot->other->pass->trace->count());
  for (int i = 0; i < difference.count(); ++i) {
    INFO(difference.point(i).name);
    float largest = 0, theirs = 0;
    for (const float d : difference.tensor(i).copy())
      if (std::isfinite(d)) largest = std::max(largest, std::abs(d));
    const std::vector<float> changes = *dump->find(difference.point(i).name)->converted();
    for (const float d : changes)
      if (d > -1e30f) theirs = std::max(theirs, std::abs(d));
    CHECK(largest <= 1e-4f * std::max(theirs, 1.0f));
  }
  // Of numbers that are others, here by twice the place of each, every difference is the one that was made.
  const std::string q = "blocks.1.attn.hook_q";
  std::vector<float> theirs = *dump->find(q)->converted();
  for (std::size_t i = 0; i < theirs.size(); ++i) theirs[i] += 2 * static_cast<float>(i);
  const TensorView shape = (*snapshot->pass->trace)[q];
  const Tensor changed({shape.extent[0], shape.extent[1], shape.extent[2]}, theirs);
  const TemporaryFolder folder;
  const NamedTensor tensor{q, changed.view()};
  REQUIRE(writeSafetensors(folder / "other.safetensors", std::span(&tensor, 1),
                           {{"tokens", "256,68,220,66,64,83,13"}}));
  commands::compareWithTrace(folder / "other.safetensors").apply(w);
  const auto other = beside(w);
  REQUIRE(other->difference);
  const std::vector<float> ours = shape.copy(), minus = (*other->difference->pass->trace)[q].copy();
  CHECK(other->difference->pass->trace->count() == 1);
  REQUIRE(minus.size() == theirs.size());
  for (std::size_t i = 0; i < minus.size(); ++i) CHECK(minus[i] == Approx(ours[i] - theirs[i]).margin(1e-5));
}

TEST_CASE(
    "beside a trace that read other tokens the title says which, and what was decoded is the model's own") {
  Answering beside;
  const Workspace w = llamaBeside(formats / "llama.npz", "the cat");
  const auto snapshot = beside(w);
  REQUIRE(snapshot->other);
  CHECK(snapshot->isDecoded());
  CHECK_FALSE(snapshot->other->decoded->beam);
  const auto parts = stagePanes(w, *snapshot, {0, 0, 1000, 600});
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].words == "llama");
  CHECK_THAT(parts[1].words, ContainsSubstring("llama.npz, which read other tokens: "));
  // A step that the file does not have is not another one.
  Workspace step = w;
  step.view = "step";
  const auto both = beside(step);
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const Scene there = stageScene(viewOf("step"), parts[1], {step, *both, {1000, 600}, theme, metrics, {}});
  CHECK(there.about == "This needs hook_embed; the file has none.");
  CHECK(std::ranges::find(there.hits, "Reset view", &HitRegion::name) == there.hits.end());
  step.step = "blocks.0.attn.hook_q";
  CHECK(stageScene(viewOf("step"), parts[1], {step, *both, {1000, 600}, theme, metrics, {}}).about !=
        there.about);
  const Workspace same = llamaBeside(formats / "llama_typed.npz", "the cat.");
  CHECK(stagePanes(same, *beside(same), {0, 0, 1000, 600})[1].words == "llama_typed.npz");
}

TEST_CASE(
    "what cannot be compared with the open model is one line that names the point, and the picture stays") {
  Answering beside;
  const TemporaryFolder folder;
  Workspace w = llamaBeside(formats / "llama.npz", "the cat");
  const auto said = [&](const fs::path& file) {
    commands::compareWithTrace(file).apply(w);
    const auto snapshot = beside(w);
    CHECK(snapshot->pass->hasTrace());
    CHECK_FALSE(snapshot->other);
    CHECK(snapshot->standing.refused.empty());
    CHECK(snapshot->standing.error.find('\n') == std::string::npos);
    return snapshot->standing.error;
  };
  CHECK_THAT(said("/nowhere/lost.npz"), ContainsSubstring("/nowhere/lost.npz"));
  CHECK_THAT(said(SOURCE_FOLDER "/tests/reference/recorded/whole.npz"),
             ContainsSubstring("whole.npz, hook_embed: is [") && ContainsSubstring("where llama makes it ["));
  const auto wrote = [&](const char* name, const char* point, const Tensor& values, const char* ids) {
    const NamedTensor tensor{point, values.view()};
    REQUIRE(writeSafetensors(folder / name, std::span(&tensor, 1), {{"tokens", ids}}));
    return folder / name;
  };
  const auto D = beside(w)->model->config->width;
  const Tensor one({2, D});
  const fs::path file = wrote("one.safetensors", "blocks.0.hook_resid_post", one, "1,2");
  commands::compareWithTrace(file).apply(w);
  REQUIRE(beside(w)->other);
  CHECK(beside(w)->other->model->transformer->points() ==
        std::vector<std::string>{"blocks.0.hook_resid_post"});
  const NamedTensor two[] = {{"blocks.0.hook_resid_post", one.view()},
                             {"blocks.7.hook_resid_post", one.view()}};
  REQUIRE(writeSafetensors(file, two, {{"tokens", "1,2"}}));
  w.text = "the mat";  // written anew, it is read anew with the next change
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(2));
  CHECK_THAT(said(file), ContainsSubstring("has blocks.7.hook_resid_post, and llama has no such block"));
  CHECK_THAT(said(wrote("ids.safetensors", "blocks.0.hook_resid_post", one, "1,90000")),
             ContainsSubstring("token 90000 at index 1 does not exist"));
}
