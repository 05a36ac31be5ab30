#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "core/io/files.h"
#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("tokenize cuts a file of texts in one run, each as the model reads it") {
  const Folder folder;
  const std::filesystem::path file = folder.path() / "texts.jsonl";
  REQUIRE(writeFile(file, "\"The dog sang.\"\n\"\\n\"\n\"\"\n"));
  const Run run = folder.run("tokenize --texts '" + file.string() + "'");
  REQUIRE(run.status == 0);
  const Run one = folder.run("tokenize --text 'The dog sang.' --json");
  nlohmann::json ids = nlohmann::json::array();
  for (const auto& token : nlohmann::json::parse(one.out)) ids.push_back(token["id"]);
  CHECK(run.out.starts_with(ids.dump() + "\n"));
  CHECK(run.out.ends_with("\n[]\n"));
  REQUIRE(writeFile(file, "\"a\"\nThe dog\n"));
  const Run wrong = folder.run("tokenize --texts '" + file.string() + "'");
  CHECK(wrong.status != 0);
  CHECK_THAT(wrong.error, ContainsSubstring("texts.jsonl, line 2: not a JSON string"));
  CHECK_THAT(folder.run("tokenize").error, ContainsSubstring("--text: the text is missing"));
}

TEST_CASE("a token is taken as it is written, brackets included") {
  const Folder folder;
  const Run run = folder.run("generate --text 'The dog' --ban '[MASK]'");
  CHECK(run.status != 0);
  CHECK_THAT(run.error, ContainsSubstring("\"[MASK]\""));
  CHECK(folder.run("generate --text 'The dog' --max-new-tokens 2 --ban ' was' --ban ','").status == 0);
}

TEST_CASE("a text with a token that the model has no row for is refused, and others are read") {
  const Folder folder;
  const std::filesystem::path model = folder / "padded";
  std::filesystem::copy(SOURCE_FOLDER "/tests/reference/formats/qwen2", model,
                        std::filesystem::copy_options::recursive);
  nlohmann::json file = nlohmann::json::parse(content(model / "tokenizer.json"));
  file["added_tokens"].push_back({{"id", 280}, {"content", "[PAD]"}, {"special", true}});
  REQUIRE(writeFile(model / "tokenizer.json", file.dump()));
  const std::string start = "generate --max-new-tokens 2 --model '" + model.string() + "' --text ";
  CHECK(folder.run(start + "'The dog'").status == 0);
  const Run run = folder.run(start + "'The [PAD]'");
  CHECK(run.status != 0);
  CHECK_THAT(run.error, ContainsSubstring("--text: the token \"[PAD]\" has no row in the model's table"));
}

TEST_CASE("a text ends with any of the tokens that eos_token_id lists") {
  const Folder folder;
  const std::filesystem::path model = folder / "ended";
  std::filesystem::copy(SOURCE_FOLDER "/assets/models/stories", model,
                        std::filesystem::copy_options::recursive);
  const int dot = nlohmann::json::parse(content(model / "tokenizer.json"))["model"]["vocab"]["."];
  const nlohmann::json ends{{"eos_token_id", {1023, dot}}};
  REQUIRE(writeFile(model / "generation_config.json", ends.dump()));
  const std::string start = "generate --text 'Once there was' --max-new-tokens 40 --model ";
  const std::string ended = folder.run(start + "'" + model.string() + "'").out,
                    whole = folder.run(start + "stories").out;
  CHECK(ended == whole.substr(0, whole.find('.') + 1) + "\n");
}

TEST_CASE("a beam has no more hypotheses than it is wide") {
  const Folder folder;
  const Run run =
      folder.run("generate --text 'The dog' --strategy beam --num-beams 3 --num-return-sequences 5");
  CHECK(run.status != 0);
  CHECK_THAT(run.error, ContainsSubstring("a beam of 3 has no 5 hypotheses (give --num-beams 5 or more)"));
}

TEST_CASE("files whose names end in capitals are read as those in small letters") {
  const Folder folder;
  const fs::path formats = fs::path(SOURCE_FOLDER) / "tests/reference/formats",
                 lessons = fs::path(SOURCE_FOLDER) / "assets/lessons";
  fs::copy(formats / "llama_lone/llama_lone.gguf", folder / "A.GGUF");
  fs::copy(formats / "llama.npz", folder / "B.NPZ");
  fs::copy(lessons / "04_masks.md", folder / "C.MD");
  CHECK(folder.run("tokenize --text the --model " + (folder / "A.GGUF").string()).status == 0);
  CHECK(folder.run("check " + (formats / "llama").string() + " --reference " + (folder / "B.NPZ").string())
            .status == 0);
  CHECK(folder.run("lesson check " + (folder / "C.MD").string()).status == 0);
}

TEST_CASE("a format is told by a name's ending in capitals, too, and no id stands in two SVGs") {
  const Folder folder;
  const auto idsIn = [&](const std::string& name, const std::string& text) {
    const std::string file = (folder.path() / name).string();
    const Run run = folder.run("render --view attention --text '" + text + "' --out '" + file + "'");
    INFO(run.error);
    REQUIRE(run.status == 0);
    const auto svg = readTextFile(file);
    REQUIRE(svg);
    std::string ids;
    for (std::size_t at = svg->find(" id=\""); at != svg->npos; at = svg->find(" id=\"", at + 1))
      ids += svg->substr(at + 5, svg->find('"', at + 5) - at - 5) + "\n";
    return ids;
  };
  const std::string first = idsIn("a.SVG", "The dog sang."), other = idsIn("b.svg", "The cat sang.");
  REQUIRE_FALSE(first.empty());
  CHECK(idsIn("c.svg", "The dog sang.") == first);
  for (std::size_t at = 0; at < first.size(); at = first.find('\n', at) + 1)
    CHECK(other.find(first.substr(at, first.find('\n', at) - at + 1)) == std::string::npos);
}
