#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "app/document/session.h"
#include "tests/app/cli/program_folder.h"
#include "tests/app/figure/opened_pictures.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("render draws any picture of a view, of two texts, of any token, without a part of the model") {
  const Folder folder;
  const auto numbers = [&](const std::string& options, const std::string& name,
                           const std::string& view = "influence") {
    const fs::path file = folder / name.c_str();
    const Run run = folder.run("render --view " + view + " " + options + " --out " + file.string());
    INFO(run.error);
    REQUIRE(run.status == 0);
    return tableOf(content(file));
  };
  const std::string tired = "--text 'The animal was too tired.' ",
                    wide = "--compare 'The animal was too wide.' ";
  const std::string all = numbers("--picture 'leave out' " + tired, "all.csv");
  CHECK(all.size() > 100);
  CHECK(numbers("--picture 'leave out' --token 3 " + tired, "token.csv") != all);
  CHECK(numbers("--picture 'leave out' --ablate L0H1 --ablate 'MLP of block 2' " + tired, "off.csv") != all);
  CHECK(numbers("--picture patch " + tired + wide, "patch.csv").size() > 100);
  // By the label, and by the label and the view's title of earlier releases.
  const std::string byId = numbers("--picture why " + tired, "id.csv", "attention");
  CHECK(numbers("--picture decomposition " + tired, "called.csv", "attention") == byId);
  CHECK(numbers("--picture 'Why there' " + tired, "formerly.csv", "Attention") == byId);
  CHECK(numbers("--picture ablation " + tired, "ablation.csv", "attribution") == all);
  CHECK_THAT(folder.run("render --view nosuch --out a.svg").error, ContainsSubstring("attention, positions"));
  CHECK_THAT(folder.run("render --view influence --picture nosuch --out a.svg").error,
             ContainsSubstring("leave out"));
  CHECK_THAT(folder.run("render --view beam --picture nosuch --out a.svg").error,
             ContainsSubstring("it has search, branches"));
  const std::string bench = "--model induction --picture hypothesis --rule ";
  const std::string named = numbers(bench + "previous", "named.csv", "attention");
  CHECK(numbers(bench + "induction", "other.csv", "attention") != named);
  CHECK_THAT(folder.run("render --rule 'key = foo' --out a.svg").error,
             ContainsSubstring("“key = foo” is not an attention rule"));
  CHECK_THAT(folder.run("render --token 99 --out a.svg").error, ContainsSubstring("no token 99"));
  CHECK_THAT(folder.run("render --ablate L9H9 --out a.svg").error, ContainsSubstring("head L0H0"));
  CHECK(numbers("--intervene 'L0H0 argmax'", "hard.csv", "attention") !=
        numbers("", "soft.csv", "attention"));
}

TEST_CASE("render writes every format, says what it wrote, and draws a session as it was left") {
  const Folder folder;
  for (const char* format : {"svg", "pdf", "png", "csv", "json", "npy", "npz"}) {
    const fs::path file = folder / (std::string("f.") + format).c_str();
    const Run run = folder.run("render --preset column --out " + file.string());
    INFO(format);
    REQUIRE(run.status == 0);
    CHECK(run.out.starts_with(file.string()));
    CHECK(fs::file_size(file) > 500);
  }
  CHECK(tableOf(content(folder / "f.csv")).starts_with("T\\S,The,"));
  CHECK(folder.run("render --format svg --out " + (folder / "noending").string()).status == 0);
  CHECK(content(folder / "noending").starts_with("<?xml"));

  const Run numbers = folder.run("render --head 2.1 --all-tensors --out " + (folder / "all.csv").string());
  CHECK(numbers.out.find("all.csv\tblocks.2.attn.hook_pattern.H1\n") != std::string::npos);
  CHECK(fs::exists(folder / "all.blocks.0.attn.hook_pattern.H0.csv"));

  Workspace workspace = initialWorkspace();
  workspace.view = "residual", workspace.text = "The dog sang.";
  workspace.figure.size = "column", workspace.figure.look = FigureLook::Dark, workspace.figure.scale = 1;
  REQUIRE(saveSession(folder / "session.json", workspace));
  const std::string session = "render --session " + (folder / "session.json").string() + " --out ";
  const std::string same =
      "render --view residual --text 'The dog sang.' --preset column --theme dark --out ";
  REQUIRE(folder.run(session + (folder / "a.png").string()).status == 0);
  REQUIRE(folder.run(same + (folder / "b.png").string()).status == 0);
  CHECK(content(folder / "a.png") == content(folder / "b.png"));
  REQUIRE(folder.run(session + (folder / "c.png").string() + " --no-caption --scale 2").status == 0);
  CHECK(content(folder / "c.png") != content(folder / "a.png"));
}

TEST_CASE(
    "a figure is its own recipe: drawn again it is the same, byte for byte, and otherwise as one says") {
  const Folder folder;
  const auto file = [&](const char* name) { return (folder / name).string(); };
  for (const std::string format : {"svg", "pdf", "png"}) {
    const std::string made = file(("made." + format).c_str()), again = file(("again." + format).c_str());
    const Run first = folder.run(
        "render --view residual --text 'The dog sang.' --ablate L1H0 --preset column --out " + made);
    INFO(format << first.error);
    REQUIRE(first.status == 0);
    const Run second = folder.run("render " + made + " --out " + again);
    REQUIRE(second.status == 0);
    CHECK(second.error == "");
    CHECK(content(again) == content(made));
  }
  // Laid out freely, and in another format.
  REQUIRE(folder.run("render --size 700x500 --theme dark --out " + file("free.svg")).status == 0);
  REQUIRE(folder.run("render " + file("free.svg") + " --format pdf --out " + file("x.pdf")).status == 0);
  REQUIRE(folder.run("render " + file("x.pdf") + " --out " + file("back.svg")).status == 0);
  CHECK(content(file("back.svg")) == content(file("free.svg")));
  // Otherwise, and from other weights.
  const Run other =
      folder.run("render " + file("made.png") + " --set weights=random --out " + file("other.png"));
  CHECK(other.status == 0);
  CHECK_THAT(other.error, ContainsSubstring("stories has other weights"));
  CHECK_THAT(folder.run("render " + file("nowhere.svg") + " --out x.svg").error,
             ContainsSubstring("nowhere.svg"));
}

TEST_CASE("README's pictures are what the program draws from them", "[accuracy]") {
  const fs::path pictures = fs::path(SOURCE_FOLDER) / "assets" / "pictures";
  const std::string readme = content(SOURCE_FOLDER "/README.md");
  const Folder folder;
  int drawn = 0;
  for (const fs::directory_entry& picture : fs::directory_iterator(pictures)) {
    const std::string name = picture.path().filename().string();
    INFO(name);
    CHECK_THAT(readme, ContainsSubstring("\"assets/pictures/" + name + "\""));
    const fs::path again = folder / "again.png";
    const Run run = folder.run("render " + picture.path().string() + " --out " + again.string());
    CHECK(run.error == "");  // the weights are those that it was drawn with
    REQUIRE(run.status == 0);
    const FigurePixels before = readPng(picture.path()), now = readPng(again);
    REQUIRE(now.width == before.width);
    REQUIRE(now.height == before.height);
    CHECK(differingShare(before, now) < 0.002);
    ++drawn;
  }
  CHECK(drawn == 5);
}

TEST_CASE("render draws a sequence: every step, token or head, each in its file") {
  const Folder folder;
  const std::string model = "render --model worked --text \"We wash our cats\" --size 640x480 ";
  const auto sequence = [&](const std::string& each, const std::string& view) {
    const fs::path out = folder / (each + ".png").c_str();
    const Run run = folder.run(model + view + " --each " + each + " --out " + out.string());
    CHECK(run.status == 0);
    std::vector<fs::path> files;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) files.emplace_back(line);
    return files;
  };
  const auto tokens = sequence("token", "--view step --picture lookup");
  REQUIRE(tokens.size() == 4);
  CHECK(tokens.back() == folder / "token-004.png");
  CHECK(differingShare(readPng(tokens[0]), readPng(tokens[1])) > 0.001);
  // Each is its own recipe, like a picture that is drawn alone.
  const fs::path again = folder / "again.png";
  REQUIRE(folder.run("render " + tokens[1].string() + " --out " + again.string()).status == 0);
  CHECK(content(again) == content(tokens[1]));
  const auto steps = sequence("step", "");
  CHECK(steps.size() > 5);
  CHECK(differingShare(readPng(steps.front()), readPng(steps.back())) > 0.001);
  CHECK(sequence("head", "--view attention").size() == 1);
  CHECK(folder.run(model + "--each word --out " + again.string()).status == 2);
  // In one file that moves.
  const auto film = [&](const std::string& options, const char* name) {
    return folder.run(model + "--each token " + options + " --out " + (folder / name).string());
  };
  CHECK(film("--animate --seconds 0.5", "film.svg").out == (folder / "film.svg").string() + "\n");
  CHECK_THAT(content(folder / "film.svg"), ContainsSubstring("dur=\"2.000000s\""));
  CHECK(film("", "film.gif").status == 0);
  CHECK(content(folder / "film.gif").starts_with("GIF89a"));
  const Run still = film("--animate", "film.png");
  CHECK(still.status == 1);
  CHECK_THAT(still.error, ContainsSubstring("does not move"));
  CHECK(folder.run("render --each lesson --out " + again.string()).status == 1);
}

TEST_CASE("causal prints what the lead over another token changes by, which is the difference of both") {
  const Folder folder;
  const std::string asked =
      "ablate --text \"The animal didn't cross the street because it was too tired. What was too tired? "
      "The\"";
  const auto first = [](const Run& run) {
    return nlohmann::json::parse(run.out)["values"][0][0].get<double>();
  };
  const Run plain = folder.run(asked + " --json"),
            lead = folder.run(asked + " --json" + " --contrast \" street\"");
  REQUIRE(plain.status == 0);
  REQUIRE(lead.status == 0);
  const Run why = folder.run("explain \"causal.logit[0, 0]\"" + asked.substr(6) + " --json --depth 1"),
            other = folder.run("explain \"causal.logit[0, 0]\"" + asked.substr(6) +
                               " --target \" street\" --json --depth 1");
  const double answers = nlohmann::json::parse(why.out)["value"],
               others = nlohmann::json::parse(other.out)["value"];
  CHECK(std::abs(first(plain) - answers) < 1e-4);
  CHECK(std::abs(first(lead) - (answers - others)) < 1e-4);
  for (const char* refused : {" --contrast \" animal\"", " --contrast nothinglikethis"}) {
    const Run failed = folder.run(asked + refused);
    INFO(failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("--contrast"));
  }
  CHECK(folder.run("patch --text a --compare b --contrast c").status == 2);
  CHECK(folder.run("patch --text a --compare b --mean").status == 2);
  // Held at its mean a part is not left out: what it always writes stays.
  const Run mean = folder.run(asked + " --json --mean");
  REQUIRE(mean.status == 0);
  const auto zeros = nlohmann::json::parse(plain.out)["values"],
             means = nlohmann::json::parse(mean.out)["values"];
  CHECK(means.size() == zeros.size());
  CHECK(means != zeros);
}

TEST_CASE("causal and patch print the numbers of their pictures, as CSV or JSON") {
  const Folder folder;
  const std::string tired = " --text 'It was too tired.'", wide = " --compare 'It was too wide.'";
  std::map<std::string, std::string> printed;
  for (const std::string& command : {"causal" + tired, "patch" + tired + wide}) {
    INFO(command);
    const Run csv = folder.run(command), json = folder.run(command + " --json");
    REQUIRE(csv.status == 0);
    const auto read = nlohmann::json::parse(json.out);
    CHECK(read["values"].size() == read["rows"].size());
    CHECK(read["values"][0].size() == read["columns"].size());
    CHECK(static_cast<std::size_t>(std::ranges::count(tableOf(csv.out), '\n')) == read["rows"].size() + 1);
    CHECK_FALSE(read["meaning"].get<std::string>().empty());
    printed[command.substr(0, command.find(' '))] = csv.out;
  }
  const std::string picture = "render --view influence --picture 'leave out'" + tired + " --out ";
  REQUIRE(folder.run(picture + (folder / "same.csv").string()).status == 0);
  CHECK(printed["causal"] == content(folder / "same.csv"));
  CHECK_THAT(printed["causal"],
             ContainsSubstring("Y\\Z,0,1,2,3,all + b_O,MLP") && ContainsSubstring("\nblock 3,"));
  CHECK_THAT(folder.run("patch" + tired).error, ContainsSubstring("--compare"));
  CHECK_THAT(folder.run("render --out -").error, ContainsSubstring("format"));
  CHECK_THAT(folder.run("render --out - --format svg").error, ContainsSubstring("only numbers are printed"));
}

TEST_CASE("the question of a file of numbers, given back alone, makes the same numbers again") {
  const Folder folder;
  const std::string texts = " --text 'The animal was too tired. What was too tired? The'",
                    other = " --compare 'The animal was too wide. What was too wide? The'";
  struct Asked {
    std::string picture, metric, norms;
  };
  for (const Asked& each :
       {Asked{"influence --picture 'leave out'" + texts + " --ablate L0H1", "logit", "recomputed"},
        Asked{"influence --picture edges" + texts, "loss", "frozen"},
        Asked{"influence --picture patch" + texts + other, "difference", "recomputed"},
        Asked{"residual --picture contributions" + texts, "centered", "frozen"}}) {
    INFO(each.picture);
    for (const std::string format : {"json", "csv", "npz"}) {
      const std::string file = (folder / ("a." + format).c_str()).string(),
                        again = (folder / ("b." + format).c_str()).string();
      REQUIRE(folder.run("render --view " + each.picture + " --out " + file).status == 0);
      REQUIRE(folder.run("render " + file + " --out " + again).status == 0);
      CHECK(content(file) == content(again));
    }
    const auto json = nlohmann::ordered_json::parse(content(folder / "a.json"));
    const auto& question = json["question"];
    CHECK(question["metric"] == each.metric);
    CHECK(question["norms"] == each.norms);
    CHECK(question["weights"].get<std::string>().size() >= 8);
    std::ofstream(folder / "question.json") << question.dump();
    const std::string alone = (folder / "alone.json").string();
    REQUIRE(folder.run("render " + (folder / "question.json").string() + " --out " + alone).status == 0);
    CHECK(content(alone) == content(folder / "a.json"));
  }
  const auto json = nlohmann::json::parse(content(folder / "a.json"));
  CHECK(json["question"]["answer"] == " animal");
  CHECK(json["question"]["token"] == "·The");
  CHECK_THAT(content(folder / "a.csv"), ContainsSubstring("# norms: frozen\n"));
  std::ofstream(folder / "no.json") << "{}";
  CHECK_THAT(folder.run("render " + (folder / "no.json").string() + " --out x.csv").error,
             ContainsSubstring("no.json"));
}

TEST_CASE("numbers that do not exist are null in JSON, nan in CSV, and words on the command line") {
  const Folder folder;
  // A causal head looks at nothing behind its query.
  const std::string ahead = " --model induction --rule 'pairs {0:1}'",
                    drawn = "render --view attention --picture hypothesis" + ahead + " --out " +
                            (folder / "ahead").string();
  REQUIRE(folder.run(drawn + ".json").status == 0);
  const auto json = nlohmann::json::parse(content(folder / "ahead.json"));
  CHECK(json["tensor"] == "hypothesis.agreement");
  for (const auto& row : json["values"])
    for (const auto& cell : row) CHECK(cell.is_null());
  REQUIRE(folder.run(drawn + ".csv").status == 0);
  CHECK_THAT(content(folder / "ahead.csv"), ContainsSubstring("\r\n0,nan,nan,nan,nan\r\n"));
  CHECK_THAT(folder.run("heads --texts 4" + ahead).out, ContainsSubstring("the rule names no key"));
  const Run heads = folder.run("heads --json --texts 4" + ahead);
  REQUIRE(heads.status == 0);
  CHECK(heads.out.find("NaN") == std::string::npos);
  CHECK_NOTHROW(nlohmann::json::parse(heads.out));
}
