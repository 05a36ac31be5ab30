// The program as a shell sees it: output, exit status, one line on stderr.
#include <sys/resource.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/document/session.h"
#include "core/io/file_lock.h"
#include "core/tensor/kernels.h"
#include "tests/app/cli/program_folder.h"
#include "tests/app/figure/opened_pictures.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("tokenize, models and render do what they say") {
  const Folder folder;
  const Run tokens = folder.run("tokenize --text 'The dog' --json");
  REQUIRE(tokens.status == 0);
  const auto json = nlohmann::json::parse(tokens.out);
  CHECK(json.size() == 2);
  CHECK(json[1]["begin"] == 3);
  const auto all = nlohmann::json::parse(folder.run("tokenize --text 'The dog' --all-models --json").out);
  CHECK(all[0]["models"][0] == "stories");
  CHECK(all[0]["tokens"] == json);
  CHECK(all.size() > 3);
  const std::string listed = folder.run("tokenize --text 'The dog' --all-models").out;
  CHECK(listed.find(": 2 tokens\n    The|·dog\n") != std::string::npos);
  CHECK(folder.run("models").out.find("\nstories ") != std::string::npos);
  for (const char* view : {"attention", "positions", "residual", "next_token", "beam", "step", "influence"}) {
    const fs::path png = folder / "view.png";
    const Run render = folder.run(std::string("render --theme dark --size 640x480 --view ") + view +
                                  " --out " + png.string());
    CHECK(render.status == 0);
    CHECK(content(png).substr(1, 3) == "PNG");
    CHECK(fs::file_size(png) > 5000);  // more than an empty ground
  }
}

TEST_CASE("a level of processors is chosen by the environment, and one that is not there is refused") {
  const Folder folder;
  for (const Kernels* level : runnableKernels()) {
    INFO(level->level);
    const Run run = folder.run("generate --model sort --text 'cab>'",
                               std::string(levelVariable) + "=" + level->level + " ");
    CHECK(run.status == 0);
    CHECK_THAT(run.out, ContainsSubstring("abc"));
  }
  const Run refused = folder.run("models", std::string(levelVariable) + "=x86_64_v9 ");
  CHECK(refused.status == 2);
  CHECK_THAT(refused.error, ContainsSubstring("this processor has no level \"x86_64_v9\" (it has baseline"));
  CHECK_THAT(folder.run("--help").out, ContainsSubstring(levelVariable));
  CHECK_THAT(folder.run("manual").out, ContainsSubstring(levelVariable));
}

TEST_CASE("wrong usage is status 2, failure is status 1 with one line that says what, where and what to do") {
  const Folder folder;
  CHECK(folder.run("generate").status == 2);
  CHECK(folder.run("nonsense").status == 2);
  CHECK(folder.run("render --view nowhere --out x.png").status == 2);
  CHECK(folder.run("render --preset poster --out x.png").status == 2);
  CHECK(folder.run("render --scale 99 --out x.png").status == 2);
  CHECK(folder.run("render --preset slide --size 640x480 --out x.png").status == 2);
  for (const std::string& arguments :
       {std::string("generate --text ''"), std::string("generate --model nosuch --text a"),
        std::string("trace --token-ids 99999 --out x"), std::string("trace --out x"),
        "render --size 9x9 --out " + (folder / "x.png").string(), std::string("render --out /nowhere/x.png"),
        std::string("generate --text a --source b"), std::string("trace --text a --source b --out x"),
        "render --text a --source b --out " + (folder / "x.svg").string(), std::string("render --out x.bmp"),
        std::string("render --out x"), std::string("render --out /proc/x.svg"),
        std::string("render --session /nowhere.json --out x.svg"),
        std::string("render --head 9.1 --out x.svg"), std::string("render --head one --out x.svg"),
        "render --session " SOURCE_FOLDER "/README.md --out " + (folder / "x.svg").string(),
        std::string("trace --text a --out /nowhere/x"), std::string("train nonsense")}) {
    INFO(arguments);
    const Run run = folder.run(arguments);
    CHECK(run.status == 1);
    CHECK(isOneLine(run.error));
    CHECK(run.error.starts_with("glassformer: "));
  }
  const auto usage = [&](const std::string& arguments) {
    const Run run = folder.run(arguments);
    CHECK(run.status == 2);
    return run.error;
  };
  CHECK(
      usage("generate --text a --max-new-tokens 99999999999999999999") ==
      "glassformer: --max-new-tokens: \"99999999999999999999\" is not a whole number from 1 on (--help lists "
      "them)\n");
  CHECK(usage("train copy --steps 1.5").find("\"1.5\" is not a whole number from 0 ") != std::string::npos);
  CHECK(usage("render --theme pink --out x.svg").find("\"pink\" is none of dark, light, paper") !=
        std::string::npos);
  CHECK(usage("generate --bogus 3").find("\"--bogus\" is not known here") != std::string::npos);
  CHECK(usage("generate --bogus '' --text a").find("\"--bogus\" is not known here") != std::string::npos);
  CHECK(usage("generate '' --text a").find("\"\" is not known here") != std::string::npos);
  CHECK(usage("generate") == "glassformer: --text or --source is required (--help lists them)\n");
  std::string text;
  for (int i = 0; i < 300; ++i) text += " dog";
  CHECK(folder.run("generate --text '" + text + "'").error.find("at most 128") != std::string::npos);
}

TEST_CASE("a damaged model directory is named with file and reason, and nothing crashes") {
  const Folder folder;
  const fs::path model = folder / "model";
  const fs::path good = fs::path(SOURCE_FOLDER) / "assets/models/stories";
  const auto damaged = [&](const char* file, auto damage) {
    fs::remove_all(model);
    fs::copy(good, model);
    damage(model / file);
    const Run run = folder.run("generate --model " + model.string() + " --text a");
    CHECK(run.status == 1);
    CHECK(isOneLine(run.error));
    CHECK(run.error.find(file) != std::string::npos);
  };
  damaged("model.safetensors", [](const fs::path& p) { fs::resize_file(p, 1000); });
  damaged("model.safetensors", [](const fs::path& p) { fs::remove(p); });
  damaged("config.json", [](const fs::path& p) { std::ofstream(p) << "{"; });
  damaged("model.safetensors", [](const fs::path& p) {  // NaN in the last weight
    std::fstream file(p, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-4, std::ios::end);
    file.write("\xff\xff\xff\x7f", 4);
  });
}

// Whoever may do everything, as on a machine that tests, gives up first what opens every file.
TEST_CASE("a folder, a file or a way there that may not be read is named, with the reason") {
  const Folder folder;
  const fs::path around = folder / "around", model = around / "model";
  fs::create_directories(around);
  fs::copy(fs::path(SOURCE_FOLDER) / "assets/models/letters", model);
  const std::string asAnyone =
      ::geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search -- " : "";
  for (const fs::path& closed : {around, model, model / "config.json", model / "model.safetensors"}) {
    const fs::perms open = fs::status(closed).permissions();
    fs::permissions(closed, fs::perms::none);
    const Run run = folder.run("generate --model " + model.string() + " --text a", asAnyone);
    fs::permissions(closed, open);
    INFO(run.error);
    CHECK(run.status == 1);
    CHECK(isPlainLine(run.error));
    CHECK_THAT(run.error, ContainsSubstring(closed.string()) && ContainsSubstring("Permission denied"));
  }
}

TEST_CASE("what is typed comes back so that it can be seen, shortened, and on one line") {
  const Folder folder;
  const std::string red = "\"$(printf '\\033[31mred\\033]0;title\\007\\nsecond')\"",
                    endless = "$(printf '%5000s' | tr ' ' x)";
  for (const std::string& arguments :
       {"generate --text a --model " + red, "generate --text a --model " + endless,
        "render --out a.svg --view " + red, "generate --text a --set " + red,
        "generate --text a --set norm=" + endless, "train " + red + " --out x",
        "render --out x.svg --head " + endless, red, "--" + endless,
        "trace --text a --out x --only " + red}) {
    const Run run = folder.run(arguments);
    INFO(arguments.substr(0, 60) << ": " << run.error);
    CHECK(run.status >= 1);
    CHECK(run.status <= 2);
    CHECK(isPlainLine(run.error));
  }
}

TEST_CASE("what could not be written is a failure, and devices stay devices") {
  const Folder folder;
  const auto fails = [&](const std::string& arguments) {
    const Run run = folder.run(arguments);
    INFO(arguments << ": " << run.error);
    CHECK(run.status == 1);
    CHECK(isPlainLine(run.error));
  };
  const std::string full = (folder / "full").string();  // were it replaced, the device itself would stay
  fs::create_symlink("/dev/full", full);
  fails("trace --text a --out " + full);
  fails("render --format svg --text a --out " + full);
  fails("models >/dev/full");
  fails("models >&-");
  fails("--help >/dev/full");
  fails("train copy --steps 1 --out " + (folder / "copied").string() + " >&-");
  CHECK(
      folder.run("generate --text 'a>' --max-new-tokens 1 --model " + (folder / "copied").string()).status ==
      0);
  fails("tokenize --text a >/dev/full");
  fails("--screenshot " + full);
  fails("--model nope --screenshot " + (folder / "nope.png").string());
  CHECK_FALSE(fs::exists(folder / "nope.png"));
  CHECK(fs::is_symlink(full));
  CHECK(fs::is_character_file(full));
  fs::create_symlink("real.svg", folder / "link.svg");
  CHECK(folder.run("render --text a --out " + (folder / "link.svg").string()).status == 0);
  CHECK(fs::is_symlink(folder / "link.svg"));
  CHECK(content(folder / "real.svg").starts_with("<?xml"));
}

TEST_CASE("a long context costs what the text needs, and too much is refused with its numbers") {
  const Folder folder;
  const Run shortText = folder.run("generate --text 'The dog' --max-new-tokens 1 --set n_positions=200000");
  INFO(shortText.error);
  CHECK(shortText.status == 0);
  const auto refused = [&](const std::string& arguments, const char* said, const char* there) {
    const Run run = folder.run(arguments);
    INFO(run.error);
    CHECK(run.status == 1);
    CHECK_THAT(run.error, ContainsSubstring(said) && ContainsSubstring(there));
  };
  const char* const machine = "; this machine has ";
  const std::string out = " --out " + (folder / "x").string(),
                    sizes = " --set n_embd=1048576 --set n_inner=1048576";
  refused("trace --set n_positions=200000 --text \"$(printf '%60000s' | sed 's/ / a/g')\"" + out,
          "room for 65536 tokens needs ", "; the memory limit is ");
  refused("generate --text a" + sizes, "n_embd=1048576", machine);
  refused("generate --text a" + sizes, "the weights of this model need ", machine);
  refused("render --text a" + sizes + " --format svg" + out, "the weights of this model need ", machine);
  refused("train copy" + sizes + out, "training needs ", machine);
}

// GPT-2 as it was published in its smallest size: 124 million numbers. What the file holds does not matter
// here, and so it has holes in place of zeros.
TEST_CASE("a model of 124 million numbers takes the room of its file, and little more", "[memory]") {
  const Folder folder;
  const int vocabulary = 50257, width = 768, blocks = 12, context = 1024;
  std::string header;
  std::uint64_t size = 0;
  const auto add = [&](const std::string& name, std::initializer_list<int> shape) {
    std::uint64_t bytes = sizeof(float);
    std::string extents;
    for (const int extent : shape)
      bytes *= static_cast<std::uint64_t>(extent),
          extents += (extents.empty() ? "" : ",") + std::to_string(extent);
    header += (header.empty() ? "{\"" : ",\"") + name + "\":{\"dtype\":\"F32\",\"shape\":[" + extents +
              "],\"data_offsets\":[" + std::to_string(size) + "," + std::to_string(size + bytes) + "]}";
    size += bytes;
  };
  const auto addWithBias = [&](const std::string& name, int inputs, int outputs) {
    add(name + ".weight", {inputs, outputs}), add(name + ".bias", {outputs});
  };
  const auto addNorm = [&](const std::string& name) {
    add(name + ".weight", {width}), add(name + ".bias", {width});
  };
  add("wte.weight", {vocabulary, width}), add("wpe.weight", {context, width});
  for (int block = 0; block < blocks; ++block) {
    const std::string h = "h." + std::to_string(block);
    addNorm(h + ".ln_1"), addNorm(h + ".ln_2");
    addWithBias(h + ".attn.c_attn", width, 3 * width), addWithBias(h + ".attn.c_proj", width, width);
    addWithBias(h + ".mlp.c_fc", width, 4 * width), addWithBias(h + ".mlp.c_proj", 4 * width, width);
  }
  addNorm("ln_f");
  header += "}";
  const fs::path weights = folder / "model.safetensors";
  const std::uint64_t length = header.size();
  std::ofstream(weights, std::ios::binary).write(reinterpret_cast<const char*>(&length), sizeof length)
      << header;
  fs::resize_file(weights, sizeof length + length + size);
  std::ofstream(folder / "config.json")
      << R"({"model_type":"gpt2","vocab_size":50257,"n_embd":768,"n_layer":12,"n_head":12,"n_positions":1024})";
  const fs::path small = fs::path(SOURCE_FOLDER) / "assets/models/stories";
  for (const char* words : {"vocab.json", "merges.txt"}) fs::copy(small / words, folder / words);
  const Run run =
      folder.run("generate --text a --max-new-tokens 1 --model " + weights.parent_path().string());
  INFO(run.error);
  CHECK(run.status == 0);
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  CHECK(static_cast<double>(used.ru_maxrss) * 1024 < 1.25 * static_cast<double>(size));
  CHECK(static_cast<double>(used.ru_maxrss) * 1024 > 0.5 * static_cast<double>(size));  // it was all read
}

TEST_CASE("README's window is what the program opens") {
  const Folder folder;
  const fs::path now = folder / "now.png";
  REQUIRE(folder.run("--screenshot " + now.string()).status == 0);
  const FigurePixels told = readPng(SOURCE_FOLDER "/assets/screenshot.png"), shown = readPng(now);
  REQUIRE(told.width == shown.width);
  REQUIRE(told.height == shown.height);
  CHECK(differingShare(told, shown) < 0.01);
}

TEST_CASE("a file on the command line opens; what is none, and no command, is named") {
  const Folder folder;
  const fs::path session = folder / "session.json", picture = folder / "opened.png",
                 plain = folder / "plain.png";
  Workspace workspace = initialWorkspace();
  workspace.view = "tokens";
  REQUIRE(saveSession(session, workspace));
  REQUIRE(folder.run("--screenshot " + plain.string() + " --size 640x480").status == 0);
  REQUIRE(folder.run(session.string() + " --screenshot " + picture.string() + " --size 640x480").status == 0);
  CHECK(differingShare(readPng(plain), readPng(picture)) > 0.01);

  std::ofstream(session) << "{\"glassformer session\": 2, ";
  const Run damaged = folder.run(session.string() + " --screenshot " + picture.string());
  CHECK(damaged.status == 1);
  CHECK(isPlainLine(damaged.error));
  CHECK_THAT(damaged.error, ContainsSubstring("session.json"));
  const Run nothing = folder.run("rendr");
  CHECK(nothing.status == 2);
  CHECK(isPlainLine(nothing.error));
  CHECK_THAT(nothing.error, ContainsSubstring("no command and no file is called \"rendr\""));
}

TEST_CASE(
    "a file larger than the system allows is an error with its name, and two do not train in one folder") {
  const Folder folder;
  const std::string limited = "ulimit -f 8; ";
  for (const std::string& arguments :
       {"trace --text 'The dog' --out " + (folder / "t.safetensors").string(),
        "render --text 'The dog' --scale 3 --out " + (folder / "f.png").string(),
        "train copy --steps 1 --out " + (folder / "copied").string()}) {
    const Run run = folder.run(arguments, limited);
    INFO(arguments << ": " << run.error);
    CHECK(run.status == 1);
    CHECK(isPlainLine(run.error));
    CHECK_THAT(run.error, ContainsSubstring(folder.path().string()) && ContainsSubstring("File too large"));
  }
  CHECK_FALSE(fs::exists(folder / "t.safetensors"));
  CHECK_FALSE(fs::exists(folder / "f.png"));
  const auto held = FileLock::takeFolder(folder / "copied");
  const Run second = folder.run("train copy --steps 1 --out " + (folder / "copied").string());
  CHECK(second.status == 1);
  CHECK_THAT(second.error, ContainsSubstring("another program trains in this folder"));
}
