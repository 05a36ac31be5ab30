// Traces from elsewhere on the command line.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE(
    "a trace from elsewhere is drawn, alone and against another; what takes weights says so in one line") {
  const Folder folder;
  const std::string recorded = SOURCE_FOLDER "/tests/reference/recorded/",
                    model = " --model " + recorded + "whole.npz ";
  const auto render = [&](const std::string& options, const char* file) {
    return folder.run("render" + model + options + " --out " + (folder / file).string());
  };
  REQUIRE(render("--view attention --head 1.2", "heads.csv").status == 0);
  CHECK_THAT(content(folder / "heads.csv"), ContainsSubstring("·cat"));
  CHECK(render("--view residual --picture cosine", "cosine.svg").status == 0);
  const Run both = render("--compare " + recorded + "other.npz --difference --view next_token", "other.csv");
  INFO(both.error);
  CHECK(both.status == 0);
  CHECK(render("--each head", "walk.png").status == 0);
  const Run text = render("--text 'Another one.'", "no.svg");
  CHECK(text.status == 1);
  CHECK(isOneLine(text.error));
  CHECK_THAT(text.error, ContainsSubstring("cannot be edited"));
  for (const std::string command :
       {"generate --text x", "trace --text x --out t.safetensors", "explain --text x 'logits[0, 0]'",
        "heads --texts 2", "render --ablate L0H1 --out x.svg", "check"}) {
    const bool isCheck = command == "check";
    const Run run = folder.run(
        isCheck ? "check " + recorded + "whole.npz --reference " + recorded + "other.npz" : command + model);
    INFO(command << run.error);
    CHECK(run.status == 1);
    CHECK(isOneLine(run.error));
    CHECK_THAT(run.error, ContainsSubstring("is recorded activations"));
  }
  const Run lost = folder.run("render --model nowhere.npz --out x.svg");
  CHECK(lost.status == 1);
  CHECK(isOneLine(lost.error));
}

TEST_CASE("a model is drawn beside a trace of it, its figure drawn again, and a trace that changed says so") {
  const Folder folder;
  const std::string formats = SOURCE_FOLDER "/tests/reference/formats/",
                    model = " --model " + formats + "llama";
  const auto file = [&](const char* name) { return (folder / name).string(); };
  const auto trace = [&](const std::string& how) {
    return folder.run("trace" + model + " --text 'the mat' " + how + " --out " + file("mine.safetensors"))
        .status;
  };
  REQUIRE(trace("") == 0);
  const std::string beside = "render" + model + " --text 'the cat' --compare " + file("mine.safetensors") +
                             " --view residual --picture norms --caption --size 960x540";
  REQUIRE(folder.run(beside + " --out " + file("both.svg")).error == "");
  CHECK_THAT(content(folder / "both.svg"),
             ContainsSubstring("by the model and by mine.safetensors, recorded"));
  const Run difference = folder.run(beside + " --difference --out " + file("minus.png"));
  INFO(difference.error);
  REQUIRE(difference.status == 0);
  const Run again = folder.run("render " + file("minus.png") + " --out " + file("again.png"));
  CHECK(again.error == "");
  CHECK(content(folder / "again.png") == content(folder / "minus.png"));
  CHECK(folder.run(beside + " --difference --out " + file("minus.csv")).status == 0);

  REQUIRE(trace("--set attention_kernel=argmax") == 0);
  const Run changed = folder.run("render " + file("minus.png") + " --out " + file("again.png"));
  CHECK(changed.status == 0);
  CHECK(isOneLine(changed.error));
  CHECK_THAT(changed.error, ContainsSubstring("mine.safetensors has other numbers ("));
  // A trace by itself, too.
  REQUIRE(
      folder
          .run("render --model " + file("mine.safetensors") + " --view next_token --out " + file("alone.svg"))
          .status == 0);
  REQUIRE(trace("") == 0);
  CHECK_THAT(folder.run("render " + file("alone.svg") + " --out " + file("other.svg")).error,
             ContainsSubstring("mine has other numbers ("));
  const Run lost = folder.run("render" + model + " --compare nowhere.npz --out " + file("x.svg"));
  CHECK(lost.status == 1);
  CHECK(isOneLine(lost.error));
  CHECK_THAT(lost.error, ContainsSubstring("nowhere.npz"));
}

// The file of the other tests here was written by them (tests/reference/make_recorded_reference.py).
TEST_CASE("the manual says how a trace is written, and how it is opened") {
  const std::string manual = content(SOURCE_FOLDER "/assets/manual/09_models_and_files.md");
  for (const char* line :
       {"import numpy\nnumpy.savez(\"mine.npz\", tokens=ids, texts=[tokenizer.decode([i]) for i in ids],\n"
        "            **{name: point.float().cpu().numpy() for name, point in points.items()})\n",
        "glassformer --model mine.npz\n",
        "glassformer render --model mine.npz --view residual --picture cosine --out cosines.svg\n",
        "glassformer render --model path/to/model --text TEXT --compare mine.npz --difference --out "
        "difference.svg\n"})
    CHECK_THAT(manual, ContainsSubstring(line));
}

TEST_CASE("what trace writes opens elsewhere with its words and its config, and is drawn as it was here") {
  const Folder folder;
  const std::string written = (folder / "sort.safetensors").string();
  REQUIRE(folder.run("trace --model sort --text 'dacb>' --out " + written).status == 0);
  const auto drawn = [&](const std::string& from, const char* file) {
    const Run run =
        folder.run("render " + from + " --view residual --picture norms --out " + (folder / file).string());
    INFO(run.error);
    CHECK(run.status == 0);
    return tableOf(content(folder / file));
  };
  CHECK(drawn("--model " + written, "there.csv") == drawn("--model sort --text 'dacb>'", "here.csv"));
}
