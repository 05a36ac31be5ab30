#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string askedText = " --text 'The animal was too tired. The'";

// A number with its terms, which give it.
nlohmann::json openedNumber(const Folder& folder, const std::string& arguments) {
  const Run run = folder.run("explain --json --terms 4" + askedText + arguments);
  REQUIRE(run.status == 0);
  auto json = nlohmann::json::parse(run.out);
  CHECK(std::abs(json["value"].get<double>() - json["from_terms"].get<double>()) < 1e-5);
  return json;
}

}  // namespace

TEST_CASE("why says what made a number, opened down to the weights, and its terms give the number") {
  const Folder folder;
  const std::string read = " --text 'The animal was too tired.'";
  const Run run =
      folder.run("explain 'blocks.1.attn.hook_pattern[2, 5, 1]' --json --terms 3 --depth 3" + read);
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
  const Run words = folder.run("explain 'blocks.0.attn.hook_q[1, 0, 3]'" + read);
  CHECK(words.status == 0);
  CHECK_THAT(words.out, ContainsSubstring("(weight)") && ContainsSubstring("others"));
  for (const auto& [wrong, says] : {std::pair("'logits'", "names no number"),
                                    {"'logits[1,x]'", "names no number"},
                                    {"'nosuch[1]'", "the pass has no"},
                                    {"'logits[1]'", "2 dimensions"},
                                    {"'logits[99, 1]'", "outside"}})
    CHECK_THAT(folder.run("explain " + std::string(wrong) + read).error, ContainsSubstring(says));
}

TEST_CASE("why names how the terms make a number, whatever way that is") {
  const Folder folder;
  const auto form = [&](const std::string& arguments) {
    const Run run = folder.run("explain --json --terms 1 --text 'The animal was tired.' " + arguments);
    REQUIRE(run.status == 0);
    return nlohmann::json::parse(run.out)["form"].get<std::string>();
  };
  CHECK(form("'logits[0, 0]' --set final_logit_softcapping=30") == "capped");
  CHECK(form("'blocks.0.ln1.hook_normalized[0, 0]'") == "normalized");
  CHECK(form("'blocks.0.attn.hook_attn_scores[0, 0, 2]'") == "masked");
  CHECK(form("'blocks.0.attn.hook_pattern[0, 1, 0]' --set attention_kernel=argmax") == "largest");
  const Run hidden =
      folder.run("explain 'blocks.0.attn.hook_pattern[0, 0, 2]' --text 'The animal was tired.'");
  CHECK_THAT(hidden.out, ContainsSubstring("the mask hides this key"));
}

TEST_CASE("why and trace say what is computed once something is changed inside the model") {
  const Folder folder;
  const std::string read = " --text 'The animal was tired.' ", change = " --intervene 'L0H0 scale 0.5'";
  const auto made = [&](const std::string& arguments) {
    const Run run = folder.run("explain --json" + read + arguments);
    REQUIRE(run.status == 0);
    return nlohmann::json::parse(run.out)["value"].get<double>();
  };
  const std::string cell = "'blocks.0.attn.hook_z[2, 0, 1]'";
  CHECK(std::abs(made(cell + change) - made(cell) / 2) < 1e-6);
  CHECK(made("'logits[2, 0]'" + change) != made("'logits[2, 0]'"));
  const auto traced = [&](const std::string& name, const std::string& options) {
    const auto file = folder / name.c_str();
    REQUIRE(folder.run("trace" + read + options + " --only logits --out " + file.string()).status == 0);
    return content(file);
  };
  CHECK(traced("plain", "") == traced("again", ""));
  CHECK(traced("plain", "") != traced("changed", change));
  CHECK_THAT(folder.run("trace" + read + "--intervene 'L9H9 zero' --out x").error,
             ContainsSubstring("the model has no"));
}

TEST_CASE("why opens what is said of many texts in each of them", "[corpus]") {
  const Folder folder;
  const auto agreement = openedNumber(folder, " 'hypothesis.agreement[2, 0]' --depth 2");
  CHECK(agreement["terms"][0]["factors"][0]["number"].get<std::string>().starts_with("hypothesis.of_texts["));
  CHECK(agreement["terms"][0]["factors"][0]["terms"].size() > 1);  // the rows of that text
}

TEST_CASE("why opens what compares passes in each of them, and says in which a number is") {
  const Folder folder;
  const auto opened = [&](const std::string& number) { return openedNumber(folder, number); };
  const auto logit = opened(" 'causal.logit[2, 0]' --depth 2");
  REQUIRE(logit["terms"].size() == 2);
  bool isElsewhere = false;
  for (const auto& term : logit["terms"]) {
    const auto& factor = term["factors"][0];
    CHECK(factor["number"].get<std::string>().starts_with("logits["));
    CHECK(factor["form"] == "sum");
    isElsewhere |= factor.value("pass", "") == "head L2H0 ablated";
  }
  CHECK(isElsewhere);
  CHECK(opened(" 'causal.divergence_at[3, 2]'")["terms"][0]["factors"].size() == 2);
  CHECK(opened(" 'patch.change[1, 3]' --compare 'The animal was too wide. The'")["terms"].size() > 1);
  const Run words = folder.run("explain 'causal.logit[2, 0]'" + askedText);
  CHECK_THAT(words.out, ContainsSubstring("in: head L2H0 ablated"));
  CHECK_THAT(folder.run("explain 'patch.change[1, 3]'" + askedText).error,
             ContainsSubstring("the pass has no"));
}

TEST_CASE("why opens a score and a head's output down to who wrote it, times what that is worth") {
  const Folder folder;
  const auto score = openedNumber(folder, " 'lens.score_table[1, 2]' --depth 1");
  CHECK(score["terms"][0]["factors"].size() == 2);
  const auto cell = openedNumber(folder, " 'lens.output_table[1, 2]' --depth 1");
  REQUIRE(cell["terms"][0]["factors"].size() == 2);
  CHECK(cell["terms"][0]["factors"][0]["number"].get<std::string>().starts_with("lens.output_values[1, 2, "));
  CHECK(cell["terms"][0]["factors"][1]["number"].get<std::string>().starts_with("lens.output_worth["));
  CHECK(openedNumber(folder, " 'lens.output_sum[0]' --depth 2")["terms"].size() == 4);
  const auto share = openedNumber(folder, " 'lens.output_values[1, 1, 3]' --depth 1");
  CHECK(share["terms"][0]["factors"][0]["number"].get<std::string>().starts_with("hook_embed[1, "));
  const auto worth = openedNumber(folder, " 'lens.output_worth[3]' --depth 1");
  CHECK(worth["terms"][0]["factors"][0]["number"].get<std::string>().starts_with("h.0.attn.c_proj.weight["));
}

TEST_CASE("why takes the score of any head apart: of an encoder, and across") {
  const Folder folder;
  const auto opened = [&](const std::string& arguments) {
    const Run run = folder.run(
        "explain --json --terms 3 --model translate --text 'Der Hund war zu müde.' "
        "--source 'The dog was too tired.' " +
        arguments);
    INFO(run.error);
    REQUIRE(run.status == 0);
    auto json = nlohmann::json::parse(run.out);
    CHECK(std::abs(json["value"].get<double>() - json["from_terms"].get<double>()) < 1e-5);
    return json;
  };
  const auto begins = [](const nlohmann::json& number, const char* name) {
    return number["terms"][0]["factors"][0]["number"].get<std::string>().starts_with(name);
  };
  for (const auto& [head, points] : {std::pair{"cross.1.2", "decoder.1.cross_attn."},
                                     {"enc.1.1", "encoder.1.attn."},
                                     {"dec.1.0", "decoder.1.attn."}}) {
    INFO(head);
    const std::string asked = std::string("--head ") + head + " --token 2 --key 1 ";
    const double score = opened("'" + std::string(points) + "hook_attn_scores[" +
                                head[std::string(head).size() - 1] + ", 2, 1]'")["value"];
    CHECK(std::abs(opened(asked + "'lens.score_sum[0]'")["value"].get<double>() - score) < 1e-4);
    CHECK(begins(opened(asked + "'lens.score_table[1, 2]'"), "lens.score_queries[1, "));
  }
  // Down to what the encoder has of its source, and the decoder of its text.
  CHECK(begins(opened("--head cross.1.2 'lens.score_keys[1, 4]'"), "encoder.hook_embed["));
  CHECK(begins(opened("--head cross.1.2 'lens.score_queries[1, 4]'"), "decoder.hook_embed["));
  CHECK(begins(opened("--head cross.1.2 'lens.output_values[1, 1, 4]'"), "encoder.hook_embed[1, "));
  CHECK_THAT(folder.run("explain 'lens.score_sum[0]' --head 9.1").error, ContainsSubstring("no such head"));
  CHECK_THAT(folder.run("explain 'lens.score_sum[0]' --head L1").error, ContainsSubstring("is not a head"));
  const Run beyond = folder.run("explain 'lens.score_sum[0]' --token 99 --text 'The animal'");
  CHECK_THAT(beyond.error, ContainsSubstring("no token 99") && ContainsSubstring("there are "));
}

TEST_CASE("why says how far it is while it searches, and can be stopped without a trace") {
  const Folder folder;
  const std::string asked = "explain 'change.head_probabilities[0, 1]' --terms 1 --depth 1" + askedText;
  const Run run = folder.run(asked);
  REQUIRE(run.status == 0);
  CHECK_THAT(run.out, ContainsSubstring("softmax of "));
  if (!run.error.empty()) CHECK_THAT(run.error, ContainsSubstring("searching counterfactual edits: "));
  const Run stopped = folder.run(asked, "timeout -s INT 0.3 ");
  CHECK(stopped.status == 124);
  CHECK(stopped.out.empty());
  const Run single = folder.run("explain 'hook_embed[1, 3]' --text 'The animal'");
  CHECK_THAT(single.out, ContainsSubstring("sum of 1 term, which gives"));
}

TEST_CASE("why takes apart how far one logit is ahead of another, and says what cannot be subtracted") {
  const Folder folder;
  const auto sum = [&](const std::string& logit) {
    return openedNumber(folder, " --head 2.0 'lens.output_sum[0]'" + logit)["value"].get<double>();
  };
  const double dog = sum(" --target ' dog'"), cat = sum(" --target ' cat'"),
               ahead = sum(" --target ' dog' --contrast ' cat'");
  CHECK(std::abs(ahead) > 1e-3);
  CHECK(std::abs(ahead - (dog - cat)) < 1e-4);
  const auto refused = [&](const std::string& logit) {
    return folder.run("explain 'lens.output_sum[0]' --head 2.0" + askedText + logit).error;
  };
  CHECK_THAT(refused(" --target ' dog' --contrast ' dog'"), ContainsSubstring("is the target itself"));
  CHECK_THAT(refused(" --contrast 'no such token'"), ContainsSubstring("--contrast"));
}

TEST_CASE("why opens what pictures of decoding, cost, positions and gradients have measured") {
  const Folder folder;
  for (const char* number :
       {"best.score[0]", "paths.probability[1]", "strategies.total[0]", "drafting.ratio[0]", "cache.bytes[3]",
        "steps.largest[0]", "lens.serial_steps[1, 2]", "unembedding.mean[0]",
        "lens.position_scores.L0H0[2, 1]", "positions.shift_matrix[0, 1]", "lens.slip.largest.scale[0]",
        "lens.influence_matrix[3, 1]", "lens.embedding_gradient[1, 5]", "lens.gradient_q[0, 3, 2]",
        "lens.gradient_norm[0, 2, 1]", "gradient.all[2]"}) {
    INFO(number);
    const auto opened = openedNumber(folder, std::string(" '") + number + "'");
    CHECK(opened.contains("terms"));
  }
}
