#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/io/safetensors.h"
#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("choices are made otherwise on the command line, and refused by name where they cannot be") {
  const Folder folder;
  const fs::path file = folder / "rms.safetensors";
  REQUIRE(folder
              .run("trace --text 'The dog' --set norm=rms --set mask=window --set mask_size=1 --out " +
                   file.string())
              .status == 0);
  const auto stored = StoredTensors::open(file);
  REQUIRE(stored);
  const auto pattern = *stored->find("blocks.0.attn.hook_pattern")->converted();
  CHECK(pattern[2] == 0);  // the second query sees itself alone
  CHECK(pattern[3] == 1);
  CHECK_THAT(folder.run("models --options").out, ContainsSubstring("norm_placement: "));
  CHECK_THAT(folder.run("generate --text a --set n_head=3").error,
             ContainsSubstring("not divisible by n_head 3"));
  CHECK_THAT(folder.run("generate --text a --set norm=batch").error,
             ContainsSubstring("known are layer, rms"));
  CHECK_THAT(folder.run("generate --text a --set norm").error,
             ContainsSubstring("is not of the form field=value"));
  CHECK_THAT(folder.run("generate --text a --max-new-tokens 2 --set activation_function=swiglu").error,
             ContainsSubstring("weights are random: h.0.mlp.c_fc.weight and "));
  CHECK_THAT(folder.run("generate --text a --max-new-tokens 2 --set n_positions=2048").error,
             Catch::Matchers::EndsWith("weights are random: wpe.weight\n"));
}

TEST_CASE(
    "what transformers are compared with runs, traces and renders like them, and is trained on request") {
  const Folder folder;
  const std::string file = (folder / "mixed.safetensors").string();
  REQUIRE(folder.run("trace --text 'The dog sang.' --set mixing=recurrence --out " + file).status == 0);
  CHECK(StoredTensors::open(file)->find("blocks.3.recurrence.hook_state"));
  REQUIRE(
      folder.run("trace --text 'The dog sang.' --set mixing=convolution --set kernel_width=5 --out " + file)
          .status == 0);
  CHECK(StoredTensors::open(file)->find("blocks.0.convolution.hook_taps")->shape[1] == 5);
  CHECK_THAT(folder.run("generate --text 'The dog' --max-new-tokens 2 --set mixing=convolution").error,
             ContainsSubstring("weights are random"));
  const std::string figure = " --out " + (folder / "x.svg").string();
  CHECK(folder.run("render --view attention --set mixing=recurrence" + figure).status == 0);
  CHECK_THAT(folder.run("render --view attention --head 0.0 --set mixing=recurrence" + figure).error,
             ContainsSubstring("4 blocks of recurrence"));
  CHECK_THAT(
      folder.run("trace --model translate --source a --text b --set mixing=recurrence --out " + file).error,
      ContainsSubstring("stack must be decoder_only"));
  CHECK_THAT(folder.run("generate --text a --set mixing=recurrence --set mask=none").error,
             ContainsSubstring("mask must be causal"));

  REQUIRE(folder.run("trace --text 'The dog sang.' --set block=resnet --out " + file).status == 0);
  CHECK(StoredTensors::open(file)->find("blocks.3.convolution.hook_reduced")->shape[1] == 128 / 4);
  CHECK_THAT(
      folder.run("trace --model translate --source a --text b --set block=convnext --out " + file).error,
      ContainsSubstring("stack must be decoder_only or encoder_only"));
  CHECK_THAT(folder.run("generate --text a --set block=lstm").error,
             ContainsSubstring("known are resnet, convnext, transformer"));
  CHECK(folder.run("render --view step --picture parallels" + figure).status == 0);

  CHECK_THAT(folder.run("train stories --set mixing=recurrence").error, ContainsSubstring("--out"));
  const std::string out = " --out " + (folder / "trained").string();
  CHECK_THAT(folder.run("train stories --set n_positions=64" + out).error, ContainsSubstring("n_positions"));
  CHECK_THAT(folder.run("train stories --set mixing=memory" + out).error,
             ContainsSubstring("known are attention, recurrence, convolution"));
}
