#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "core/io/files.h"
#include "core/train/training_numbers.h"
#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("small tasks are trained and asked on the command line, and so is any text file") {
  const Folder folder;
  const std::string out = " --out " + (folder / "trained").string();
  const Run copied = folder.run("train copy --steps 60 --seed 3" + out);
  REQUIRE(copied.status == 0);
  CHECK_THAT(copied.out, ContainsSubstring("answered exactly") &&
                             ContainsSubstring("`glassformer train copy --seed 3 --steps 60`") &&
                             ContainsSubstring("of processor time"));
  CHECK(folder.run("generate --max-new-tokens 1 --text 'hello>' --model " + (folder / "trained").string())
            .status == 0);

  const std::string poem = (folder / "poem.txt").string();
  std::ofstream(poem) << "short";
  CHECK_THAT(folder.run("train text --file " + poem).error, ContainsSubstring("--out"));
  CHECK_THAT(folder.run("train text" + out).error, ContainsSubstring("--file"));
  CHECK_THAT(folder.run("train text --file " + poem + out).error, ContainsSubstring("too short"));
  CHECK_THAT(folder.run("train text --tokenizer words --file " + poem + out).error,
             ContainsSubstring("words"));
  CHECK_THAT(folder.run("train copy --file " + poem + out).error, ContainsSubstring("only the task text"));
  CHECK_THAT(folder.run("train nonsense" + out).error,
             ContainsSubstring("copy, letters, reverse, sort") && ContainsSubstring("text (any text file)"));
}

TEST_CASE(
    "training asks whether it may write before it begins, and for the run where there are only numbers of "
    "one") {
  const Folder folder;
  std::ofstream(folder / "file") << "in the way";
  for (const std::string& out : {(folder / "file").string(), (folder / "file").string() + "/deeper",
                                 std::string("/proc/glassformer")}) {
    const Run run = folder.run("train copy --steps 60 --out " + out);
    INFO(run.error);
    CHECK(run.status == 1);
    CHECK(isPlainLine(run.error));
    CHECK(run.out == "");  // neither its data is made before
  }
  const Run csv = folder.run("render --view training --out " + (folder / "x.csv").string());
  CHECK(csv.status == 1);
  CHECK_THAT(csv.error, ContainsSubstring("none is open here") && ContainsSubstring("Shift+T"));
}

TEST_CASE("every number of a run has an option, and the card says how to have the run again") {
  const Folder folder;
  const std::string out = " --out " + (folder / "run").string();
  CHECK_THAT(folder.run("train letters --beta2 1" + out).error,
             ContainsSubstring("--beta2") && ContainsSubstring("from 0 to 0.9999"));
  CHECK_THAT(folder.run("train letters --batch-size 2.5" + out).error,
             ContainsSubstring("not a whole number"));
  CHECK_THAT(folder.run("train letters --grad-clip 2").error, ContainsSubstring("--out"));
  const std::string settings =
      "--batch-size 6 --beta2 0.999 --epsilon 1e-06 --weight-decay 0.1 --grad-clip 0.5";
  const Run run =
      folder.run("train letters --steps 4 --lr 0.002 --warmup 2 --dropout 0.1 --layers 2 " + settings + out);
  INFO(run.error);
  REQUIRE(run.status == 0);
  CHECK_THAT(run.out,
             ContainsSubstring("--set n_layer=2 --set resid_pdrop=0.1 --schedule \"cosine 0.002 2 4 ") &&
                 ContainsSubstring(settings) && ContainsSubstring("clipping at 0.5"));
  const Run taps =
      folder.run("train letters --kernel-size 5 --layers 2 --set block=convnext --steps 1" + out + "2");
  INFO(taps.error);
  REQUIRE(taps.status == 0);
  CHECK_THAT(taps.out, ContainsSubstring("--set filters=depthwise") && ContainsSubstring("--set n_layer=2") &&
                           ContainsSubstring("--set kernel_width=5"));
  const std::string help = folder.run("train --help").out;
  for (const TrainingNumber& number : trainingNumbers())
    CHECK_THAT(help, ContainsSubstring(optionOf(number) + " "));
}

TEST_CASE("a schedule can be chosen and the card says how to have the run again") {
  const Folder folder;
  const std::string out = " --steps 4 --set n_layer=1 --out " + (folder / "run").string();
  const Run refused = folder.run("train letters --schedule linear" + out);
  CHECK(refused.status == 1);
  CHECK_THAT(refused.error, ContainsSubstring("--schedule") && ContainsSubstring("no warm-up"));
  CHECK_THAT(folder.run("train letters --schedule constant").error, ContainsSubstring("--out"));
  const Run run = folder.run("train letters --schedule 'no warm-up'" + out);
  INFO(run.error);
  REQUIRE(run.status == 0);
  CHECK_THAT(run.out, ContainsSubstring("--schedule \"cosine 0.01 0 4 ") &&
                          ContainsSubstring("after 0 steps of warmup"));
}
