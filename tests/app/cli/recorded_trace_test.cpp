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
       {"generate --text x", "trace --text x --out t.safetensors", "why --text x 'logits[0, 0]'",
        "heads --texts 2", "render --off L0H1 --out x.svg", "check"}) {
    const bool isCheck = command == "check";
    const Run run = folder.run(isCheck ? "check " + recorded + "whole.npz --against " + recorded + "other.npz"
                                       : command + model);
    INFO(command << run.error);
    CHECK(run.status == 1);
    CHECK(isOneLine(run.error));
    CHECK_THAT(run.error, ContainsSubstring("is a trace from elsewhere"));
  }
  const Run lost = folder.run("render --model nowhere.npz --out x.svg");
  CHECK(lost.status == 1);
  CHECK(isOneLine(lost.error));
}

// The file of the other tests here was written by them (tests/reference/make_recorded_reference.py).
TEST_CASE("the manual says how a trace is written, and how it is opened") {
  const std::string manual = content(SOURCE_FOLDER "/assets/manual.md");
  for (const char* line :
       {"import numpy\nnumpy.savez(\"mine.npz\", tokens=ids, texts=[tokenizer.decode([i]) for i in ids],\n"
        "            **{name: point.float().cpu().numpy() for name, point in points.items()})\n",
        "glassformer --model mine.npz\n",
        "glassformer render --model mine.npz --view residual --picture cosine --out cosines.svg\n"})
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
    return content(folder / file);
  };
  CHECK(drawn("--model " + written, "there.csv") == drawn("--model sort --text 'dacb>'", "here.csv"));
}
