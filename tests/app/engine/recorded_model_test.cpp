// What the views show of a trace from elsewhere, against what NumPy and PyTorch make of the same numbers
// (tests/reference/make_recorded_reference.py).
#include "app/engine/recorded_model.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/document/attention_planes.h"
#include "app/explain/index_meaning.h"
#include "app/views/views.h"
#include "core/io/files.h"
#include "tests/app/engine/latest_for.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const fs::path recorded = SOURCE_FOLDER "/tests/reference/recorded";

Workspace lookingAt(const char* view, const char* picture, const fs::path& file = recorded / "whole.npz") {
  Workspace workspace = initialWorkspace();
  workspace.model = file.string(), workspace.text.clear();
  workspace.view = view, workspace.settings.pictures[view] = picture;
  workspace.selection = {.layer = 1, .head = 2};
  return workspace;
}

void checkAgainst(const std::vector<float>& expected, const std::vector<float>& shown) {
  REQUIRE(shown.size() >= expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(shown[i] == Approx(expected[i]).margin(2e-6));
}

std::vector<float> lastRow(const TensorView& tensor) { return tensor[tensor.extent[0] - 1].copy(); }

}  // namespace

TEST_CASE("what views measure on a trace from elsewhere is what NumPy and PyTorch make of its numbers") {
  const auto expected = StoredTensors::open(recorded / "whole.expected");
  REQUIRE(expected);
  Answering traces;
  struct Measured {
    const char *view, *picture, *tensor;
  };
  for (const auto& [view, picture, tensor] :
       {Measured{"residual", "norms", "lens.residual_norm"},
        Measured{"residual", "norms", "lens.attention_norm"}, Measured{"residual", "norms", "lens.mlp_norm"},
        Measured{"residual", "cosine", "lens.residual_cosine"},
        Measured{"residual", "geometry", "lens.geometry"}, Measured{"residual", "scales", "lens.norm_scale"},
        Measured{"residual", "neurons", "lens.neuron_peak"},
        Measured{"next_token", "text", "lens.top_probability"},
        Measured{"next_token", "text", "lens.surprise"}}) {
    INFO(tensor);
    const auto snapshot = traces(lookingAt(view, picture));
    CHECK(snapshot->standing.error == "");
    checkAgainst(*expected->find(tensor)->converted(), (*snapshot->pass->measurements)[tensor].copy());
  }
  const auto said = traces(lookingAt("next_token", "distribution"));
  checkAgainst(*expected->find("said")->converted(), lastRow((*said->pass->measurements)["lens.next_token"]));
  const TensorView entropy = (*said->pass->measurements)["lens.next_token_entropy"];
  REQUIRE(entropy.extent[0] == 1);  // where the model would have stopped before, its weights alone could say
  CHECK(entropy(0) == Approx((*expected->find("entropy")->converted())[0]).margin(2e-6));
  const OpenPasses open = said->pass->measurements->across("lens.next_token_entropy", {0});
  REQUIRE(open);
  CHECK(open().derivation.value() == Approx(entropy(0)).margin(1e-5));
  const TensorSet& lens = *said->pass->measurements;
  CHECK(indexMeaning(*said, lens.point(lens.find("lens.next_token")), 0, 0).second == "the last block");
  Workspace average = lookingAt("attention", "matrix");
  average.settings.attention.fold = HeadFold::Average;
  const auto folded = traces(average);
  const std::string mean = tensorOf(matrixPlane(average, *folded->model->config));
  REQUIRE(folded->pass->measurements->contains(mean));
  checkAgainst(*expected->find("average")->converted(), (*folded->pass->measurements)[mean].copy());
}

TEST_CASE("a trace from elsewhere has its own words, or those of a tokenizer beside it, or numbers") {
  Answering traces;
  const auto own = traces(lookingAt("attention", "matrix"));
  CHECK(own->pass->text == "The cat sat on the mat.\né");
  CHECK(own->pass->tokens[1].label == "·cat");
  CHECK(own->model->name == "whole");
  CHECK(own->model->hasNoWeights());
  CHECK(own->model->entryLabel(5) == "#5");

  const TemporaryFolder folder;
  const fs::path llama = SOURCE_FOLDER "/tests/reference/formats/";
  fs::copy_file(llama / "llama.npz", folder / "alone.npz");
  const auto numbers = traces(lookingAt("attention", "matrix", folder / "alone.npz"));
  CHECK(numbers->pass->tokens[1].label == "#104");
  for (const auto& entry : fs::directory_iterator(llama / "llama"))
    if (entry.path().filename() != "model.safetensors.index.json" &&
        entry.path().extension() != ".safetensors")
      fs::copy_file(entry.path(), folder / entry.path().filename());
  fs::copy_file(llama / "llama.npz", folder / "beside.npz");
  const auto words = traces(lookingAt("attention", "matrix", folder / "beside.npz"));
  CHECK(words->standing.error == "");
  CHECK_FALSE(words->pass->tokens[1].label.starts_with("#"));
  CHECK(words->model->config->norm == NormKind::Rms);  // config.json says it

  std::string config = *readTextFile(folder / "config.json");
  config.replace(config.find("\"num_attention_heads\": 4"), 24, "\"num_attention_heads\": 8");
  REQUIRE(writeFile(folder / "config.json", config));
  fs::copy_file(llama / "llama.npz", folder / "other.npz");
  CHECK_THAT(traces(lookingAt("attention", "matrix", folder / "other.npz"))->standing.error,
             ContainsSubstring("other.npz, blocks.0.attn.hook_q: is [9, 4, 4], where config.json makes it"));
}

TEST_CASE("two traces are looked at side by side, and as a difference") {
  Answering traces;
  Workspace workspace = lookingAt("residual", "norms");
  workspace.aside = {(recorded / "other.npz").string()};
  workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
  const auto snapshot = traces(workspace);
  REQUIRE(snapshot->standing.error == "");
  REQUIRE(snapshot->other);
  CHECK(snapshot->other->pass->tokens[5].label == "·dog");
  REQUIRE(snapshot->difference);
  const auto numbers = [](const Snapshot& of) {
    return (*of.pass->trace)["blocks.1.hook_resid_post"].copy();
  };
  const auto a = numbers(*snapshot), b = numbers(*snapshot->other), d = numbers(*snapshot->difference);
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(d[i] == a[i] - b[i]);

  workspace.tab = 1, workspace.text = (recorded / "part.safetensors").string();
  workspace.aside = {TabText("")};
  workspace.comparison = {OtherText{0}, ComparisonMode::SideBySide};
  const auto sides = traces(workspace);
  CHECK(sides->model->name == "part");
  CHECK(sides->other->model->name == "whole");
  workspace.comparison.mode = ComparisonMode::Difference;
  CHECK_THAT(traces(workspace)->standing.error, ContainsSubstring("have no difference"));
}

TEST_CASE("a trace that is lost or damaged is one message, and the model that was open stays") {
  Answering traces;
  const auto open = traces(lookingAt("attention", "matrix"));
  const auto lost = traces(lookingAt("attention", "matrix", "nowhere/lost.npz"));
  CHECK(lost->standing.refused == "nowhere/lost.npz");
  CHECK_THAT(lost->standing.error, ContainsSubstring("nowhere/lost.npz"));
  CHECK(lost->model == open->model);
  Workspace tab = lookingAt("attention", "matrix");
  tab.aside = {TabText("")}, tab.tab = 1, tab.text = "nowhere/lost.npz";
  const auto beside = traces(tab);
  CHECK(beside->standing.refused.empty());  // only this tab cannot be shown
  CHECK_THAT(beside->standing.error, ContainsSubstring("nowhere/lost.npz"));
}

TEST_CASE("commands that compute refuse a trace from elsewhere") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  const auto loaded = library.load((recorded / "whole.npz").string());
  REQUIRE_FALSE(loaded);
  CHECK_THAT(loaded.error().message(), ContainsSubstring("is recorded activations"));
}
