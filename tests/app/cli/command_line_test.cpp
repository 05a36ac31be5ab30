// The program as a shell sees it: output, exit status, one line on stderr.
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "app/cli/trace_command.h"
#include "app/document/session.h"
#include "core/decode/sampling.h"
#include "core/io/model_directory.h"
#include "core/io/safetensors.h"
#include "core/model/initialization.h"
#include "core/text/tokenizer_files.h"
#include "tests/app/figure/opened_pictures.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

struct Run {
  int status = -1;
  std::string out, error;
};

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("glassformer-cli-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }

  Run run(const std::string& arguments) const {
    const fs::path error = path_ / "stderr";
    const std::string command = std::string(GLASSFORMER_PROGRAM) + " " + arguments + " 2>" + error.string();
    Run result;
    FILE* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe);
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.out.append(buffer, n);
    const int status = ::pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.error = content(error);
    return result;
  }

 private:
  fs::path path_;
};

// What a terminal shows as one line and nothing else.
bool isPlainLine(const std::string& text) {
  const bool shown = std::all_of(text.begin(), text.end() - !text.empty(),
                                 [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
  return text.starts_with("glassformer: ") && text.ends_with("\n") && shown && text.size() < 1200;
}

bool isOneLine(const std::string& text) { return !text.empty() && text.find('\n') == text.size() - 1; }

}  // namespace

TEST_CASE("generate continues a text by every strategy, and says everything as JSON") {
  const Folder folder;
  const Run greedy =
      folder.run("generate --text \"The dog couldn't climb the hill because it was too\" --tokens 6");
  CHECK(greedy.status == 0);
  CHECK(greedy.out.starts_with("The dog couldn't climb the hill because it was too "));
  const std::string sampling =
      "generate --text 'Once there was' --strategy sampling --top-k 20 --tokens 12 --seed ";
  CHECK(folder.run(sampling + "4").out == folder.run(sampling + "4").out);
  const Run beam = folder.run("generate --text 'The dog' --strategy beam --width 2 --tokens 3 --json");
  REQUIRE(beam.status == 0);
  const auto json = nlohmann::json::parse(beam.out);
  CHECK(json["tokens"].size() == 3);
  CHECK(json["tree"]["nodes"].size() > 6);
  CHECK(json["tree"]["nodes"][1]["log_probability"].get<double>() < 0);
}

TEST_CASE("generate tells several continuations, with their probabilities, the best or most frequent first") {
  const Folder folder;
  const std::string start = "generate --text 'Once there was' --tokens 6 ";
  const std::string beam = start + "--strategy beam --width 6 --branches 4 ";
  const auto json = nlohmann::json::parse(folder.run(beam + "--json").out);
  REQUIRE(json["branches"].size() == 4);
  CHECK(json["branches"][0]["continuation"] == json["continuation"]);
  for (int i = 1; i < 4; ++i)
    CHECK(json["branches"][i]["score"].get<double>() <= json["branches"][i - 1]["score"].get<double>());
  CHECK(std::ranges::count(folder.run(beam).out, '\n') == 4);
  CHECK(folder.run(beam + "--sibling-penalty 50").out != folder.run(beam).out);
  CHECK(folder.run(beam + "--stop-early --length-penalty 1").status == 0);
  const auto drawn = nlohmann::json::parse(
      folder.run(start + "--strategy sampling --top-k 3 --branches 50 --seed 9 --json").out);
  int samples = 0;
  for (const auto& branch : drawn["branches"]) {
    samples += branch["count"].get<int>();
    const std::string alone =
        folder.run(start + "--strategy sampling --top-k 3 --seed " + branch["seed"].dump()).out;
    CHECK(alone == "Once there was" + branch["continuation"].get<std::string>() + "\n");
    if (samples > 30) break;
  }
  CHECK(samples > 30);
  CHECK_THAT(folder.run(start + "--branches 3").error, ContainsSubstring("greedy decoding has one"));
  CHECK_THAT(folder.run(beam + "--until .").error, ContainsSubstring("--until"));
}

TEST_CASE("generate lets a smaller model propose, and says what became of it") {
  const Folder folder;
  const std::string start = "generate --text 'The dog went to' --tokens 14 ";
  CHECK(folder.run(start + "--draft draft").out == folder.run(start).out);
  const auto json =
      nlohmann::json::parse(folder.run(start + "--draft draft --strategy sampling --seed 2 --json").out);
  std::vector<int> added;
  for (const auto& round : json["rounds"]) {
    for (const auto& proposal : round["proposals"])
      if (proposal["accepted"]) added.push_back(proposal["id"]);
    if (!round["own"].is_null()) added.push_back(round["own"]["id"]);
  }
  REQUIRE(added.size() == json["tokens"].size());
  for (std::size_t i = 0; i < added.size(); ++i) CHECK(json["tokens"][i]["id"] == added[i]);
  CHECK(json["rounds"].size() < added.size());
  CHECK_THAT(folder.run(start + "--draft induction").error, ContainsSubstring("other tokens"));
  CHECK_THAT(folder.run(start + "--draft draft --strategy beam").error, ContainsSubstring("--draft"));
}

TEST_CASE(
    "generate says what every stage of sampling left, in the order that is asked for, and ends where it "
    "should") {
  const Folder folder;
  const std::string start =
      "generate --text 'Once there was' --strategy sampling --temperature 1.5 --top-k 5 "
      "--repetition-penalty 1.2 --presence-penalty 0.5 --seed 3 --tokens 8 ";
  const Run run = folder.run(start + "--order top-k,temperature --explain");
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  REQUIRE(json["steps"].size() == json["tokens"].size());
  for (const auto& step : json["steps"]) {
    const auto& stages = step["stages"];
    REQUIRE(stages.size() == samplingStages().size() + 1);
    CHECK(stages[0]["stage"] == "model");
    CHECK(stages[1]["stage"] == "top-k");
    CHECK(stages[1]["number"] == 5);
    CHECK(stages[1]["left"] == 5);
    CHECK(stages[2]["stage"] == "temperature");
    // The number that was drawn lies where the token does among what the last stage left.
    double reached = 0;
    for (const auto& candidate : stages.back()["likeliest"]) {
      const double u = step["u"].get<double>();
      if (candidate["id"] == step["id"]) CHECK((reached <= u + 1e-5));
      reached += candidate["probability"].get<double>();
      if (candidate["id"] == step["id"]) CHECK((u <= reached + 1e-5));
    }
    CHECK(std::abs(reached - 1) < 1e-5);
  }
  // The same seed writes the same without an explanation.
  CHECK(folder.run(start + "--order top-k,temperature").out ==
        "Once there was" + json["continuation"].get<std::string>() + "\n");
  const std::string story = folder.run("generate --text 'The dog' --tokens 60 --until .").out;
  CHECK(story.find('.') == story.size() - 2);  // before the line's end
  CHECK_THAT(folder.run("generate --text a --explain").error, ContainsSubstring("--strategy sampling"));
  CHECK_THAT(folder.run("generate --text a --strategy beam --until .").error, ContainsSubstring("--until"));
  CHECK(folder.run("generate --text a --order top-q").status == 2);
}

TEST_CASE("lessons are checked against the models, and what does not hold is said with its line") {
  const Folder folder;
  const auto lesson =
      [&](const char* claim) {
        std::ofstream(folder / "own.md")
            << "---\ntitle: Own\nmodel: worked\n---\nWords.\n\n```glassformer\nclaim: " << claim << "\n```\n";
        return folder.run("lesson check " + (folder / "own.md").string());
      };
  const Run holds = lesson("tokens == 4");
  CHECK(holds.status == 0);
  CHECK_THAT(holds.out, ContainsSubstring("1 steps, all hold"));
  const Run fails = lesson("tokens == 5");
  CHECK(fails.status == 1);
  CHECK_THAT(fails.out, ContainsSubstring("own.md, line 8, claim"));
  CHECK(isOneLine(fails.error));
  const Run missing = folder.run("lesson check nowhere");
  CHECK(missing.status == 1);
  CHECK_THAT(missing.out, ContainsSubstring("nowhere"));
  CHECK(folder.run("lesson").status == 2);
}

TEST_CASE("why says what made a number, opened down to the weights, and its terms give the number") {
  const Folder folder;
  const std::string read = " --text 'The animal was too tired.'";
  const Run run = folder.run("why 'blocks.1.attn.hook_pattern[2, 5, 1]' --json --terms 3 --depth 3" + read);
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["number"] == "blocks.1.attn.hook_pattern[2, 5, 1]");
  CHECK(json["form"] == "softmax");
  CHECK(std::abs(json["value"].get<double>() - json["from_terms"].get<double>()) < 1e-5);
  REQUIRE(json["terms"].size() == 3);
  CHECK(json["others"]["count"] == 3);  // six keys may be looked at
  CHECK_FALSE(json["others"].contains("sum"));
  // Its score, and what made that: a query times a key, summed over the head's dimensions.
  const auto& score = json["terms"][0]["factors"][0];
  CHECK(score["number"].get<std::string>().starts_with("blocks.1.attn.hook_attn_scores"));
  REQUIRE(score.contains("terms"));
  CHECK(std::abs(score["value"].get<double>() - score["from_terms"].get<double>()) < 1e-4);
  const Run words = folder.run("why 'blocks.0.attn.hook_q[1, 0, 3]'" + read);
  CHECK(words.status == 0);
  CHECK_THAT(words.out, ContainsSubstring("(weight)") && ContainsSubstring("others"));
  for (const auto& [wrong, says] : {std::pair("'logits'", "names no number"),
                                    {"'logits[1,x]'", "names no number"},
                                    {"'nosuch[1]'", "the pass has no"},
                                    {"'logits[1]'", "2 dimensions"},
                                    {"'logits[99, 1]'", "outside"}})
    CHECK_THAT(folder.run("why " + std::string(wrong) + read).error, ContainsSubstring(says));
}

TEST_CASE("heads finds the heads that the cards of induction and stories name, with their scores") {
  const Folder folder;
  const auto fits = [&](const std::string& arguments, const char* id) {
    const auto json = nlohmann::json::parse(folder.run("heads --json " + arguments).out);
    for (const auto& hypothesis : json["hypotheses"])
      if (hypothesis["id"] == id) return hypothesis["heads"];
    return nlohmann::json();
  };
  const std::string induction = content(SOURCE_FOLDER "/assets/models/induction/README.md"),
                    stories = content(SOURCE_FOLDER "/assets/models/stories/README.md");
  const auto named = [](const std::string& card, const std::string& pattern) {
    std::smatch found;
    REQUIRE(std::regex_search(card, found, std::regex(pattern)));
    return "L" + found[1].str() + "H" + found[2].str();
  };
  const auto previousToken = fits("--model induction", "previous"),
             inductive = fits("--model induction", "induction");
  CHECK(previousToken[0]["head"] == named(induction, "previous-token score, layer (\\d) head (\\d)"));
  CHECK(inductive[0]["head"] == named(induction, "induction score, layer (\\d) head (\\d)"));
  const std::regex row("\\| layer (\\d) head (\\d) \\| ([\\d.]+) \\| ([\\d.]+) \\|");
  int rows = 0;
  for (std::sregex_iterator it(induction.begin(), induction.end(), row), none; it != none; ++it, ++rows) {
    const std::string head = "L" + (*it)[1].str() + "H" + (*it)[2].str();
    const auto holds = [&](const nlohmann::json& heads, const std::string& score) {
      for (const auto& fit : heads)
        if (fit["head"] == head)  // the card's score is the mean of 100 other texts
          CHECK_THAT(fit["mean"].get<double>(),
                     Catch::Matchers::WithinAbs(std::stod(score), 0.01 + fit["deviation"].get<double>() / 4));
    };
    holds(previousToken, (*it)[3].str());
    holds(inductive, (*it)[4].str());
  }
  CHECK(rows == 8);
  CHECK(fits("--repeats", "previous")[0]["head"] ==
        named(stories, "layer (\\d) head (\\d) \\| attends to the previous token"));
  CHECK(fits("--repeats", "induction")[0]["head"] == named(stories, "layer (\\d) head (\\d) \\| induction"));
}

TEST_CASE("heads reads given texts, of an encoder-decoder with their sources, and lists the best heads") {
  const Folder folder;
  const fs::path file = folder / "texts.txt";
  std::ofstream(file) << "qmbxzqmb\r\n\nabab\n";
  const Run run = folder.run("heads --model induction --best 2 --file " + file.string());
  REQUIRE(run.status == 0);
  CHECK(std::ranges::count(run.out, '\n') == 5 * (1 + 2));
  CHECK_THAT(run.out, ContainsSubstring("in 2 texts"));
  CHECK_THAT(folder.run("heads --model induction --text abc").out,
             ContainsSubstring("no text says anything about it"));
  const std::string translate = "heads --model translate ";
  CHECK_THAT(folder.run(translate + "--file " + file.string()).error,
             ContainsSubstring("texts.txt, line 1: has no tab"));
  std::ofstream(file) << "Anna sings.\tAnna singt.\n";
  const std::string together = folder.run(translate + "--json --file " + file.string()).out;
  CHECK_THAT(together, ContainsSubstring("cross.L1H3"));
  CHECK(together == folder.run(translate + "--json --source 'Anna sings.' --text 'Anna singt.'").out);
  for (const char* refused : {"--model worked", "--file /nowhere", "--text a --source b",
                              "--set mixing=recurrence", "--repeats --text '<|endoftext|>'"}) {
    const Run failed = folder.run(std::string("heads ") + refused);
    INFO(refused << ": " << failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("glassformer: "));
  }
  CHECK(folder.run("heads --texts 3 --text a").status == 2);
}

TEST_CASE("attribute says what every token adds to a logit, and what all of it sums to") {
  const Folder folder;
  const auto parsed = [&](const std::string& arguments) {
    const Run run = folder.run("attribute " + arguments + " --json");
    INFO(run.error);
    REQUIRE(run.status == 0);
    return nlohmann::json::parse(run.out);
  };
  const std::string text =
      "--text \"The animal didn't cross the street because it was too tired. What was too "
      "tired? The\" ";
  const auto plain = parsed(text);
  CHECK(plain["target"] == "·animal");
  CHECK(plain["tokens"].size() == 19);
  CHECK(plain["gradients"] <= 128);
  const auto sums = [](const nlohmann::json& json) {
    double sum = 0;
    for (const auto& token : json["tokens"]) sum += token["attribution"].get<double>();
    return std::abs(sum - json["difference"].get<double>()) < 1e-3 &&
           std::abs(json["error"].get<double>()) < 1e-3;
  };
  CHECK(sums(plain));
  const auto against = parsed(text + "--against ' street' --baseline mean --steps 512");
  CHECK(against["against"] == "·street");
  CHECK(against["at_text"].get<double>() < plain["at_text"].get<double>());
  CHECK(sums(against));
  const auto translated = parsed("--model translate --source 'The dog sleeps.' --text 'Der' --steps 4096");
  CHECK(translated["tokens"][0]["stream"] == "source");
  CHECK(sums(translated));
  const Run csv = folder.run("attribute " + text + "--csv --token 3 --target ' cat' --baseline ' dog'");
  CHECK(csv.out.starts_with("stream,position,id,token,attribution\r\n"));
  CHECK(std::ranges::count(csv.out, '\n') == 20);
  CHECK_THAT(csv.out, ContainsSubstring(",·tired,0\r\n"));  // behind the prediction
  CHECK_THAT(folder.run("attribute " + text).out, ContainsSubstring("the tokens sum to"));
  for (const char* refused : {"--text a --target nothinglikethis", "--text The --token 7",
                              "--source a --text b", "--text The --target ' dog' --against ' dog'"}) {
    const Run failed = folder.run(std::string("attribute ") + refused);
    INFO(refused << ": " << failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("glassformer: "));
  }
  CHECK(folder.run("attribute --text a --json --csv").status == 2);
}

TEST_CASE("neurons says where they are active, what one reads and writes, and where it is strongest") {
  const Folder folder;
  const auto parsed = [&](const std::string& arguments) {
    const Run run = folder.run("neurons " + arguments + " --json");
    INFO(run.error);
    REQUIRE(run.status == 0);
    return nlohmann::json::parse(run.out);
  };
  const auto all = parsed("--model sort --text 'dacb>' --block 1 --listed 4");
  REQUIRE(all["neurons"].size() == 4);
  const auto strength = [&](std::size_t i) {
    return std::abs(all["neurons"][i]["activation"].get<double>());
  };
  CHECK(strength(0) >= strength(1));
  CHECK(strength(2) >= strength(3));
  const std::string strongest = std::to_string(all["neurons"][0]["neuron"].get<int>());
  const auto one =
      parsed("--model sort --text 'dacb>' --block 1 --texts 50 --listed 3 --neuron " + strongest);
  CHECK(one["neuron"] == "L1N" + strongest);
  CHECK(one["activations"].size() == 5);
  const int at = all["neurons"][0]["position"];
  CHECK(one["activations"][static_cast<std::size_t>(at)]["activation"] == all["neurons"][0]["activation"]);
  CHECK(one["examples"].size() == 8);
  CHECK(one["texts"] == 50);
  for (const char* list : {"reads", "writes"}) {
    REQUIRE(one[list]["most"].size() == 3);
    CHECK(one[list]["most"][0]["value"].get<double>() >= one[list]["most"][1]["value"].get<double>());
    CHECK(one[list]["least"][0]["value"].get<double>() <= one[list]["most"][2]["value"].get<double>());
  }
  const fs::path file = folder / "lines.txt";
  std::ofstream(file) << "Anna sings.\tAnna singt.\nThe dog sleeps.\tDer Hund\n";
  const auto encoder =
      parsed("--model translate --source 'The dog sleeps.' --encoder --neuron 3 --file " + file.string());
  CHECK(encoder["neuron"] == "enc.L0N3");
  CHECK_FALSE(encoder.contains("writes"));
  CHECK(encoder["examples"].size() == 2);
  CHECK_THAT(folder.run("neurons --text 'The dog' --listed 2").out, ContainsSubstring("at "));
  CHECK_THAT(folder.run("neurons --model sort --text 'dacb>' --neuron 1 --texts 5").out,
             ContainsSubstring("strongest in 5 texts"));
  for (const char* refused :
       {"--model induction --text ab", "--text The --neuron 512", "--text The --block 4",
        "--text The --encoder", "--text The --neuron 1 --file /nowhere"}) {
    const Run failed = folder.run(std::string("neurons ") + refused);
    INFO(refused << ": " << failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("glassformer: "));
  }
}

TEST_CASE("flip finds what changes an answer, and what it says of a text is what the text gives") {
  const Folder folder;
  const std::string text =
      "The animal didn't cross the street because it was too tired. What was too tired? The";
  const Run run = folder.run("flip --text \"" + text + "\" --to ' street' --json --listed 5");
  INFO(run.error);
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["answer"] == "·animal");
  CHECK(json["replacements"]["tried"] == 19 * 1023);
  CHECK(json["replacements"]["all"] == 19 * 1023);
  CHECK(json["replacements"]["changing"] == 5);
  REQUIRE(!json["replacements"]["found"].empty());
  int held = 0;
  for (const auto& row : json["replacements"]["found"]) {
    CHECK(row["answer"] == "·street");
    if (row["text"].is_null()) continue;
    const std::string changed = row["text"];
    if (changed.find('\'') != std::string::npos && changed.find('"') != std::string::npos) continue;
    const Run next = folder.run("generate --strategy greedy --tokens 1 --text \"" + changed + "\"");
    CHECK_THAT(next.out, ContainsSubstring("street"));
    ++held;
  }
  CHECK(held > 0);
  for (const auto& size : json["heads"]["sizes"]) CHECK(size["tried"] <= size["all"]);
  CHECK_THAT(folder.run("flip --model letters --text 'abcd>' --all").out,
             ContainsSubstring("30 of 30 replacements"));
  for (const char* refused :
       {"--text The --to nothinglikethis", "--text The --token 9", "--source a --text b"}) {
    const Run failed = folder.run(std::string("flip ") + refused);
    INFO(refused << ": " << failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("glassformer: "));
  }
}

TEST_CASE("render draws any picture of a view, of two texts, of any token, without a part of the model") {
  const Folder folder;
  const auto numbers = [&](const std::string& options, const std::string& name) {
    const fs::path file = folder / name.c_str();
    const Run run = folder.run("render --view influence " + options + " --out " + file.string());
    INFO(run.error);
    REQUIRE(run.status == 0);
    return content(file);
  };
  const std::string tired = "--text 'The animal was too tired.' ",
                    wide = "--compare 'The animal was too wide.' ";
  const std::string all = numbers("--picture 'leave out' " + tired, "all.csv");
  CHECK(all.size() > 100);
  CHECK(numbers("--picture 'leave out' --token 3 " + tired, "token.csv") != all);
  CHECK(numbers("--picture 'leave out' --off L0H1 --off 'MLP of block 2' " + tired, "off.csv") != all);
  CHECK(numbers("--picture patch " + tired + wide, "patch.csv").size() > 100);
  CHECK_THAT(folder.run("render --view influence --picture nosuch --out a.svg").error,
             ContainsSubstring("leave out"));
  CHECK_THAT(folder.run("render --view beam --picture nosuch --out a.svg").error,
             ContainsSubstring("it has search, branches"));
  CHECK_THAT(folder.run("render --token 99 --out a.svg").error, ContainsSubstring("no token 99"));
  CHECK_THAT(folder.run("render --off L9H9 --out a.svg").error, ContainsSubstring("head L0H0"));
}

TEST_CASE("trace writes every point under its name, or those that fit a pattern") {
  const Folder folder;
  const fs::path all = folder / "all.safetensors", some = folder / "some.safetensors";
  REQUIRE(folder.run("trace --text 'The dog sang.' --out " + all.string()).status == 0);
  const auto stored = StoredTensors::open(all);
  REQUIRE(stored);
  CHECK(stored->tensors().size() == 2 + 4 * 17 + 3);
  CHECK(stored->find("blocks.2.attn.hook_pattern")->shape == std::vector<std::int64_t>{4, 4, 4});
  REQUIRE(
      folder.run("trace --tokens 1,2,3 --only 'blocks.*.hook_resid_post' --out " + some.string()).status ==
      0);
  CHECK(StoredTensors::open(some)->tensors().size() == 4);
  CHECK(fitsPattern("blocks.1.attn.hook_q", "blocks.*.hook_?") == false);
  CHECK(fitsPattern("blocks.1.attn.hook_q", "*hook_q"));
  CHECK(fitsPattern("", "**"));
  CHECK(fitsPattern("aab", "*ab"));
  CHECK_FALSE(fitsPattern("", "a"));
  std::string stars;
  for (int i = 0; i < 30; ++i) stars += "*a";
  CHECK_FALSE(fitsPattern(std::string(60, 'a'), stars + "b"));  // at once
}

TEST_CASE("check holds a model against another implementation, and says what explains a difference") {
  const Folder folder;
  const std::string formats = SOURCE_FOLDER "/tests/reference/formats/";
  const auto check = [&](const std::string& model, const std::string& options = "") {
    return folder.run("check " + formats + model + " --against " + formats + model + ".trace" + options);
  };
  const Run same = check("llama");
  CHECK(same.status == 0);
  CHECK_THAT(same.out, ContainsSubstring("all 17 agree to "));
  CHECK_THAT(same.out, ContainsSubstring("blocks.1.attn.hook_pattern "));

  struct Mistake {
    const char *model, *set, *first, *explained;
  };
  for (const auto& [model, set, first, explained] : {
           Mistake{"llama", "position_embedding_type=rotary", "blocks.0.attn.hook_pattern",
                   "Positions: Rotary, halves"},
           Mistake{"llama", "scale_attn_weights=no", "blocks.0.attn.hook_pattern", "Scaled scores: Yes"},
           Mistake{"llama", "residual=no", "blocks.0.hook_resid_mid", "Residual connection: Yes"},
           Mistake{"llama", "layer_norm_epsilon=0.01", "blocks.0.attn.hook_q", "norm's ε of 1e-05"},
           Mistake{"mistral", "mask=causal", "blocks.0.attn.hook_pattern", "Mask: Window"},
           Mistake{"pythia", "parallel_residual=no", "blocks.0.hook_resid_post", "Parallel sublayers: Yes"},
           Mistake{"pythia", "rotary_dim=4", "blocks.0.attn.hook_pattern", "2 columns of each head turned"},
           Mistake{"bert", "activation_function=relu", "blocks.0.mlp.hook_post", "MLP: GELU (exact)"},
           Mistake{"roberta", "layer_norm_epsilon=0.01", "embed.ln.hook_scale", "norm's ε of 1e-05"},
           Mistake{"qwen2", "tie_word_embeddings=yes", "", ""},
       }) {
    const Run run = check(model, std::string(" --set ") + set);
    INFO(set << "\n" << run.out << run.error);
    const bool differs = *first != '\0';
    CHECK(run.status == (differs ? 1 : 0));
    if (!differs) continue;
    CHECK_THAT(run.error, ContainsSubstring(std::string("from ") + first + " on"));
    CHECK_THAT(run.out, ContainsSubstring(std::string("explained by: ") + explained));
    CHECK(run.out.find("explained by: ") == run.out.find(std::string("explained by: ") + explained));
  }

  const std::string alike = (folder / "alike.safetensors").string();
  REQUIRE(folder
              .run("trace --model " + formats + "bert --tokens 2,40,257,41,257 --set sep_token_id=-1 --out " +
                   alike)
              .status == 0);
  CHECK_THAT(folder.run("check " + formats + "bert --against " + alike).out,
             ContainsSubstring("explained by: all tokens of the first type"));

  const std::string own = (folder / "own.safetensors").string();
  REQUIRE(folder.run("trace --model sort --text \"dacb>\" --out " + own).status == 0);
  CHECK_THAT(folder.run("check sort --against " + own).out, ContainsSubstring("agree to 0.0e+00"));
  CHECK_THAT(folder.run("check induction --against " + own).error, ContainsSubstring("differs from"));
  CHECK_THAT(folder.run("check sort --against " + own + " --tokens 1,x").error,
             ContainsSubstring("no id at place 1"));
  CHECK_THAT(folder.run("check translate --against " + own).error, ContainsSubstring("reads a source"));
  CHECK_THAT(folder.run("check sort --against " + formats + "llama/model-00001-of-00002.safetensors").error,
             ContainsSubstring("does not say which tokens were read"));
  CHECK_THAT(
      folder.run("check sort --tokens 1 --against " + formats + "llama/model-00001-of-00002.safetensors")
          .error,
      ContainsSubstring("has no tensor of a trace point's name and shape"));
}

TEST_CASE("an encoder's directory is traced, checked, explained and drawn; it does not write on") {
  const Folder folder;
  const std::string formats = SOURCE_FOLDER "/tests/reference/formats/",
                    model = " --model " + formats + "bert ";
  for (const char* name :
       {"bert", "bert_old", "bert_headless", "distilbert", "distilbert_untied", "roberta"}) {
    const Run run = folder.run("check " + formats + name + " --against " + formats + name + ".trace");
    INFO(name << run.out << run.error);
    CHECK(run.status == 0);
    const bool hasHead = std::string(name) != "bert_headless";
    CHECK((run.error.find("has no head to predict words with") == std::string::npos) == hasHead);
  }
  const auto tokens =
      nlohmann::json::parse(folder.run("tokenize" + model + "--text 'Unbelievable [MASK].' --json").out);
  CHECK(tokens.size() == 5);
  CHECK(tokens[3]["label"] == "[MASK]");
  CHECK_THAT(folder.run("generate" + model + "--text 'The [MASK] sat.'").error,
             ContainsSubstring("this model fills gaps in a text; it does not go on writing"));
  const fs::path trace = folder / "t.safetensors";
  REQUIRE(folder.run("trace" + model + "--text 'The cat' --out " + trace.string()).status == 0);
  const auto stored = StoredTensors::open(trace);
  REQUIRE(stored);
  CHECK(stored->find("logits")->shape[0] == 4);  // [CLS] the cat [SEP]
  CHECK(stored->find("mlm_head.ln.hook_normalized"));
  const Run why = folder.run("why" + model + "--text 'The cat' 'logits[1, 40]' --depth 2");
  INFO(why.out << why.error);
  CHECK(why.status == 0);
  CHECK_THAT(why.out, ContainsSubstring("b_U"));
  const fs::path csv = folder / "next.csv";
  REQUIRE(folder.run("render" + model + "--text 'The [MASK] sat.' --view next_token --out " + csv.string())
              .status == 0);
  CHECK(fs::file_size(csv) > 100);
}

TEST_CASE("tokenize, models and render do what they say") {
  const Folder folder;
  const Run tokens = folder.run("tokenize --text 'The dog' --json");
  REQUIRE(tokens.status == 0);
  const auto json = nlohmann::json::parse(tokens.out);
  CHECK(json.size() == 2);
  CHECK(json[1]["begin"] == 3);
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

TEST_CASE("render writes every format, says what it wrote, and draws a session as it was left") {
  const Folder folder;
  for (const char* format : {"svg", "pdf", "png", "csv", "npy"}) {
    const fs::path file = folder / (std::string("f.") + format).c_str();
    const Run run = folder.run("render --preset column --out " + file.string());
    INFO(format);
    REQUIRE(run.status == 0);
    CHECK(run.out.starts_with(file.string()));
    CHECK(fs::file_size(file) > 500);
  }
  CHECK(content(folder / "f.csv").starts_with("T\\S,The,"));
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
        std::string("trace --tokens 99999 --out x"), std::string("trace --out x"),
        "render --size 9x9 --out " + (folder / "x.png").string(), std::string("render --out /nowhere/x.png"),
        std::string("generate --text a --source b"), std::string("trace --text a --source b --out x"),
        "render --text a --source b --out " + (folder / "x.svg").string(), std::string("render --out x.gif"),
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

TEST_CASE("choices are made otherwise on the command line, and refused by name where they cannot be") {
  const Folder folder;
  const fs::path file = folder / "rms.safetensors";
  REQUIRE(folder
              .run("trace --text 'The dog' --set norm=rms --set mask=window --set mask_size=1 --out " +
                   file.string())
              .status == 0);
  const auto stored = StoredTensors::open(file);
  REQUIRE(stored);
  const auto pattern = stored->find("blocks.0.attn.hook_pattern")->converted();
  CHECK(pattern[2] == 0);  // the second query sees itself alone
  CHECK(pattern[3] == 1);
  CHECK_THAT(folder.run("models --choices").out, ContainsSubstring("norm_placement: "));
  CHECK_THAT(folder.run("generate --text a --set n_head=3").error,
             ContainsSubstring("not divisible by n_head 3"));
  CHECK_THAT(folder.run("generate --text a --set norm=batch").error,
             ContainsSubstring("known are layer, rms"));
  CHECK_THAT(folder.run("generate --text a --set norm").error,
             ContainsSubstring("is not of the form field=value"));
  CHECK_THAT(folder.run("generate --text a --tokens 2 --set activation_function=swiglu").error,
             ContainsSubstring("weights are random"));
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
  CHECK_THAT(folder.run("generate --text 'The dog' --tokens 2 --set mixing=convolution").error,
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

  CHECK_THAT(folder.run("train stories --set mixing=recurrence").error, ContainsSubstring("--out"));
  const std::string out = " --out " + (folder / "trained").string();
  CHECK_THAT(folder.run("train stories --set n_positions=64" + out).error, ContainsSubstring("n_positions"));
  CHECK_THAT(folder.run("train stories --set mixing=memory" + out).error,
             ContainsSubstring("known are attention, recurrence, convolution"));
}

TEST_CASE("small tasks are trained and asked on the command line, and so is any text file") {
  const Folder folder;
  const std::string out = " --out " + (folder / "trained").string();
  const Run copied = folder.run("train copy --steps 60 --seed 3" + out);
  REQUIRE(copied.status == 0);
  CHECK_THAT(copied.out, ContainsSubstring("answered exactly") &&
                             ContainsSubstring("`glassformer train copy --seed 3 --steps 60`") &&
                             ContainsSubstring("of processor time"));
  CHECK(folder.run("generate --tokens 1 --text 'hello>' --model " + (folder / "trained").string()).status ==
        0);

  const std::string poem = (folder / "poem.txt").string();
  std::ofstream(poem) << "short";
  CHECK_THAT(folder.run("train text --file " + poem).error, ContainsSubstring("--out"));
  CHECK_THAT(folder.run("train text" + out).error, ContainsSubstring("--file"));
  CHECK_THAT(folder.run("train text --file " + poem + out).error, ContainsSubstring("too short"));
  CHECK_THAT(folder.run("train text --tokens words --file " + poem + out).error, ContainsSubstring("words"));
  CHECK_THAT(folder.run("train copy --file " + poem + out).error, ContainsSubstring("only the task text"));
  CHECK_THAT(folder.run("train nonsense" + out).error,
             ContainsSubstring("copy, letters, reverse, sort") && ContainsSubstring("text (any text file)"));
}

TEST_CASE("what is written behind a text keeps the space in front of its first word") {
  const Folder folder;
  auto fixture =
      nlohmann::json::parse(content(fs::path(SOURCE_FOLDER) / "tests/reference/tokenizers/llama2.json"));
  fixture["file"].update(fixture["changed"]);
  const auto tokenizer = parseTokenizerJson(fixture["file"].dump());
  REQUIRE(tokenizer);
  ModelConfig config;
  config.layers = 1, config.heads = 1, config.width = 8, config.feedForward = 8;
  config.vocabulary = tokenizer->vocabularySize();
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, 1);
  REQUIRE(writeModelDirectory(folder / "pieces", config, parameters, *tokenizer, ""));
  int spaced = 0;
  for (int seed = 1; seed <= 8; ++seed) {
    const std::string asked = "generate --text 'The animal' --tokens 3 --strategy sampling --seed " +
                              std::to_string(seed) + " --model " + (folder / "pieces").string();
    const auto json = nlohmann::json::parse(folder.run(asked + " --json").out);
    std::string behind;
    for (const auto& token : json["tokens"])
      if (const int id = token["id"]; id != tokenizer->endOfText()) behind += tokenizer->tokenBytes(id);
    CHECK(folder.run(asked).out == "The animal" + behind + "\n");
    spaced += behind.starts_with(' ');
  }
  CHECK(spaced > 0);
}

TEST_CASE("models that belong to a family are listed and opened by both names") {
  const Folder folder;
  const std::string models = folder.run("models").out;
  CHECK(models.find("\npositions/rotary ") != std::string::npos);
  CHECK(models.find("\ninduction ") != std::string::npos);
  const Run next = folder.run("generate --model positions/alibi --text qmbxzfqmb --tokens 3");
  CHECK_THAT(next.out, ContainsSubstring("qmbxzfqmbxzf"));
  CHECK_THAT(folder.run("generate --model positions --text a").error, ContainsSubstring("positions"));
}

TEST_CASE("numbers that are none, or beyond what they can be, are refused in one short line") {
  const Folder folder;
  for (const std::string option :
       {"temperature nan", "temperature inf", "temperature 0", "temperature -1", "temperature 1e999",
        "top-p nan", "top-p 1.5", "length-penalty nan", "length-penalty inf", "tokens 0", "tokens x",
        "tokens 99999999999", "top-k -1", "width 0", "seed -1", "seed 18446744073709551616"}) {
    const Run run = folder.run("generate --text a --" + option);
    INFO(option << ": " << run.error);
    CHECK(run.status == 2);
    CHECK(isPlainLine(run.error));
    CHECK(run.error.size() < 200);
    CHECK_THAT(run.error, ContainsSubstring("--" + option.substr(0, option.find(' '))));
  }
  CHECK_THAT(folder.run("generate --text a --top-p 2").error,
             ContainsSubstring("is not a number from 0 to 1"));
  CHECK_THAT(folder.run("train copy --seed 1e30").error,
             ContainsSubstring("\"1e30\" is not a whole number from 0 to 18446744073709551615"));
  for (const std::string& list :
       {std::string("''"), std::string("1,,2"), std::string("1,2,"), std::string(",1"), std::string("1,x"),
        std::string("'1 2'"), std::string("99999999999")}) {
    const Run run = folder.run("trace --out " + (folder / "x").string() + " --tokens " + list);
    INFO(list << ": " << run.error);
    CHECK(run.status == 1);
    CHECK(isPlainLine(run.error));
    CHECK_THAT(run.error, ContainsSubstring("has no id at place"));
    CHECK_FALSE(fs::exists(folder / "x"));
  }
  for (const char* size : {"99999999999x9", "640x480x2", "640", "-640x480", "1x1"})
    CHECK(folder.run(std::string("--screenshot x.png --size ") + size).status == 1);
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
  CHECK(folder.run("generate --text 'a>' --tokens 1 --model " + (folder / "copied").string()).status == 0);
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
    CHECK(run.out.find("step") == std::string::npos);
  }
  const Run csv = folder.run("render --view training --out " + (folder / "x.csv").string());
  CHECK(csv.status == 1);
  CHECK_THAT(csv.error, ContainsSubstring("none is open here") && ContainsSubstring("Shift+T"));
}

TEST_CASE("a long context costs what the text needs, and too much is refused with its numbers") {
  const Folder folder;
  const Run shortText = folder.run("generate --text 'The dog' --tokens 1 --set n_positions=200000");
  INFO(shortText.error);
  CHECK(shortText.status == 0);
  const auto refused = [&](const std::string& arguments, const char* said) {
    const Run run = folder.run(arguments);
    INFO(run.error);
    CHECK(run.status == 1);
    CHECK_THAT(run.error, ContainsSubstring(said) && ContainsSubstring("this machine has "));
  };
  const std::string out = " --out " + (folder / "x").string(),
                    sizes = " --set n_embd=1048576 --set n_inner=1048576";
  refused("trace --set n_positions=200000 --text \"$(printf '%60000s' | sed 's/ / a/g')\"" + out,
          "room for 65536 tokens needs ");
  refused("generate --text a" + sizes, "n_embd=1048576");
  refused("generate --text a" + sizes, "the weights of this model need ");
  refused("render --text a" + sizes + " --format svg" + out, "the weights of this model need ");
  refused("train copy" + sizes + out, "training needs ");
}

TEST_CASE("where the tokenizer puts a sign before every text, texts are read behind it, and may be empty") {
  const Folder folder;
  const fs::path model = folder / "signed";
  fs::copy(fs::path(SOURCE_FOLDER) / "tests/reference/formats/llama", model, fs::copy_options::recursive);
  const auto json = [&](const std::string& text) {
    const fs::path file = folder / "trace.safetensors";
    REQUIRE(folder.run("trace --model " + model.string() + " --text \"" + text + "\" --out " + file.string())
                .status == 0);
    return StoredTensors::open(file)->metadata().at("tokens");
  };
  const std::string without = json("the cat");
  CHECK(folder.run("generate --tokens 1 --text \"\" --model " + model.string()).status == 1);
  nlohmann::json tokenizer = nlohmann::json::parse(content(model / "tokenizer.json"));
  tokenizer["post_processor"] = nlohmann::json::parse(
      R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}},
          {"Sequence": {"id": "A", "type_id": 0}}]})");
  std::ofstream(model / "tokenizer.json") << tokenizer.dump();
  CHECK(json("the cat") == "257," + without);
  CHECK(json("") == "257");
  CHECK(folder.run("generate --tokens 1 --text \"\" --model " + model.string()).status == 0);
}

TEST_CASE(
    "a figure is its own recipe: drawn again it is the same, byte for byte, and otherwise as one says") {
  const Folder folder;
  const auto file = [&](const char* name) { return (folder / name).string(); };
  for (const std::string format : {"svg", "pdf", "png"}) {
    const std::string made = file(("made." + format).c_str()), again = file(("again." + format).c_str());
    const Run first =
        folder.run("render --view residual --text 'The dog sang.' --off L1H0 --preset column --out " + made);
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

TEST_CASE("README's pictures are what the program draws from them") {
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
  CHECK_THAT(nothing.error, ContainsSubstring("there is no command and no file \"rendr\""));
}

TEST_CASE("the manual page and the completions know every command and option") {
  const Folder folder;
  const std::string help = folder.run("render --help").out, page = folder.run("manual").out;
  const std::regex option("--([a-z-]+)");
  int options = 0;
  for (std::sregex_iterator it(help.begin(), help.end(), option), none; it != none; ++it, ++options) {
    INFO(it->str());
    CHECK(page.find(std::regex_replace(it->str(), std::regex("-"), "\\-")) != std::string::npos);
  }
  CHECK(options > 15);
  for (const char* shell : {"bash", "zsh", "fish"})
    CHECK_THAT(folder.run("completions " + std::string(shell)).out, ContainsSubstring("all-tensors"));
  CHECK(folder.run("completions csh").status == 2);

  const fs::path script = folder / "complete.bash", ask = folder / "ask.bash";
  std::ofstream(script) << folder.run("completions bash").out;
  std::ofstream(ask) << "source " << script.string() << "\n"
                     << "COMP_WORDS=(glassformer ren); COMP_CWORD=1; _glassformer; echo ${COMPREPLY[@]}\n"
                     << "COMP_WORDS=(glassformer render --pic); COMP_CWORD=2; _glassformer; echo "
                        "${COMPREPLY[@]}\n";
  FILE* const pipe = ::popen(("bash " + ask.string()).c_str(), "r");
  REQUIRE(pipe);
  char buffer[256] = {};
  const std::size_t length = std::fread(buffer, 1, sizeof buffer, pipe);
  CHECK(::pclose(pipe) == 0);
  CHECK(std::string(buffer, length) == "render\n--picture\n");
}

TEST_CASE("what is installed runs wherever it lies, with its models, lessons, page and entry", "[others]") {
  const Folder folder;
  const fs::path prefix = folder / "in stalled";
  const std::string install = "cmake --install " BUILD_FOLDER " --component program --prefix \"" +
                              prefix.string() + "\" >/dev/null 2>&1";
  REQUIRE(std::system(install.c_str()) == 0);
  const fs::path share = prefix / "share";
  for (const char* file :
       {"applications/glassformer.desktop", "icons/hicolor/scalable/apps/glassformer.svg",
        "mime/packages/glassformer.xml", "man/man1/glassformer.1", "bash-completion/completions/glassformer"})
    CHECK(fs::file_size(share / file) > 100);
  const fs::path moved = folder / "moved";
  fs::rename(prefix, moved);
  const auto run = [&](const std::string& arguments) {
    const fs::path out = folder / "out";
    const std::string command =
        (moved / "bin" / "glassformer").string() + " " + arguments + " >" + out.string();
    REQUIRE(std::system(command.c_str()) == 0);
    return content(out);
  };
  CHECK_THAT(run("models"), ContainsSubstring((moved / "share/glassformer/assets/models/stories").string()));
  CHECK_THAT(run("lesson check 03_soft_lookup"), ContainsSubstring("all hold"));
  // What the entry starts is what is installed, and its icon is there.
  const std::string entry = content(moved / "share/applications/glassformer.desktop");
  CHECK_THAT(entry,
             ContainsSubstring("\nExec=glassformer %f\n") && ContainsSubstring("\nIcon=glassformer\n"));
  CHECK_THAT(entry, ContainsSubstring("application/x-glassformer-session;"));
  // A session is known by its beginning.
  const fs::path session = folder / "session.json";
  REQUIRE(saveSession(session, initialWorkspace()));
  const std::size_t at = content(session).find("\"glassformer session\"");
  CHECK(at <= 64);
  CHECK_THAT(content(moved / "share/mime/packages/glassformer.xml"), ContainsSubstring("offset=\"0:64\""));
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
}
