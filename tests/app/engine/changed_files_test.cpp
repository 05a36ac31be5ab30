// Files that change while they are open: a model's weights, a trace from elsewhere.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "core/io/files.h"
#include "core/io/safetensors.h"
#include "core/tensor/tensor.h"
#include "tests/app/engine/latest_for.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

// One engine that answers one text after the other.
class OpenFile {
 public:
  explicit OpenFile(const fs::path& model) { workspace_.model = model.string(); }
  std::shared_ptr<const Snapshot> reading(const std::string& text) {
    workspace_.text = text;
    return answering_(workspace_);
  }

 private:
  Workspace workspace_ = initialWorkspace();
  Answering answering_;
};

fs::path copiedModel(const TemporaryFolder& folder) {
  fs::copy(fs::path(SOURCE_FOLDER) / "assets/models/sort", folder / "sort", fs::copy_options::recursive);
  return folder / "sort";
}

float firstOf(const Snapshot& snapshot, const char* point) {
  return (*snapshot.pass->trace)[point].copy()[0];
}

}  // namespace

TEST_CASE("weights that are cut short while they are open are refused by name, and whole again read anew") {
  const TemporaryFolder folder;
  const fs::path model = copiedModel(folder), weights = model / "model.safetensors";
  const std::string whole = *readTextFile(weights);
  OpenFile open(model);
  const auto before = open.reading("cab>");
  REQUIRE(before->pass->hasTrace());
  fs::resize_file(weights, whole.size() / 2);
  const auto cut = open.reading("cabd>");
  CHECK_THAT(cut->standing.error, ContainsSubstring(weights.string()));
  CHECK(cut->standing.refused.empty());
  std::ofstream(weights, std::ios::binary | std::ios::trunc)
      << whole;  // in place, as a careless program does
  const auto after = open.reading("cab>");
  CHECK(after->standing.error == "");
  REQUIRE(after->pass->hasTrace());
  CHECK(firstOf(*after, "logits") == firstOf(*before, "logits"));
}

TEST_CASE("a trace from elsewhere that is written anew while it is open is read anew with the next change") {
  const TemporaryFolder folder;
  const fs::path file = folder / "t.safetensors";
  Tensor values({2, 8});
  const auto write = [&](float value) {
    values(0, 0) = value;
    const NamedTensor tensor{"hook_embed", values.view()};
    REQUIRE(writeSafetensors(file, std::span(&tensor, 1), {{"tokens", "1,2"}}));
  };
  write(3);
  OpenFile open(file);
  CHECK(firstOf(*open.reading(""), "hook_embed") == 3);
  write(4);
  fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(72));  // the clock was put back
  CHECK(firstOf(*open.reading(" "), "hook_embed") == 4);
}
