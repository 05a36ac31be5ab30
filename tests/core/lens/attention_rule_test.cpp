// Attention rules: what they name in texts small enough to be worked out by hand, and what is refused.
#include "core/lens/attention_rule.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/lens/recovered_loss.h"
#include "core/lens/rule_fit.h"
#include "core/model/positional/positional_encodings.h"
#include "core/text/words.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// A text whose tokens are told apart by letters, "abac", each a word of its own.
RuleContext causalText(const std::string& letters) {
  RuleContext over;
  for (const char c : letters) {
    over.queries.ids.push_back(c);
    over.queries.texts.emplace_back(1, c);
    over.queries.words.emplace_back(1, c);
  }
  over.keys = over.queries;
  over.mask = {MaskKind::Causal, 0, {}};
  return over;
}

// The keys with any weight, a digit for each, row by row: "0,0,1" of the previous token.
std::string keysOfRows(const std::string& rule, const RuleContext& over) {
  const auto read = AttentionRule::read(rule);
  if (!read) return read.error().message();
  const Tensor pattern = read->pattern(over);
  std::string rows;
  for (int t = 0; t < over.queryCount(); ++t) {
    if (t > 0) rows += ',';
    for (int s = 0; s < over.keyCount(); ++s)
      if (pattern(t, s) > 0) rows += std::to_string(s);
  }
  return rows;
}

std::string problemOf(const std::string& rule) {
  const auto read = AttentionRule::read(rule);
  return read ? "" : read.error().message();
}

std::shared_ptr<const Wording> fortyWords() {
  std::vector<std::string> words;
  for (int i = 0; i < 40; ++i)
    words.push_back(i == 39 ? std::string(Tokenizer::unknownName) : "w" + std::to_string(i));
  const auto cut = std::make_shared<const Words>(*Words::create(words));
  return std::make_shared<const Wording>(Wording{[cut](int id) { return cut->writtenBehind(id); }});
}

}  // namespace

TEST_CASE("pairs name what is drawn, where the mask allows it", "[hypothesis]") {
  const RuleContext over = causalText("abac");
  CHECK(keysOfRows("pairs {3:1, 2:0, 0:3}", over) == ",,0,1");  // 0 does not see 3
  CHECK(keysOfRows("pairs {3:1, 3:0, 9:9, 2:9}", over) == ",,,01");
  CHECK(keysOfRows("pairs {}", over) == ",,,");
}

TEST_CASE("the named rules are what heads are detected by", "[hypothesis]") {
  for (const std::string letters : {"abacabad", "aaaa", "z", "abcabcab"}) {
    const RuleContext over = causalText(letters);
    for (const DetectionPattern& stock : detectionPatterns()) {
      const ExpectedPattern claims = claimsOf(stock, over.tokens());
      const Tensor pattern = AttentionRule::read(stock.id)->pattern(over);
      for (int t = 0; t < over.queryCount(); ++t) {
        const auto& row = claims[static_cast<std::size_t>(t)];
        for (int s = 0; s < over.keyCount(); ++s) {
          const bool isClaimed = std::ranges::find(row, s) != row.end();
          CHECK(pattern(t, s) == Approx(isClaimed ? 1.0 / static_cast<double>(row.size()) : 0.0));
        }
      }
    }
  }
}

TEST_CASE("the subject is what stands behind the article that began a sentence", "[hypothesis]") {
  const auto said = [](const std::vector<std::string>& tokens) {
    RuleContext over;
    for (const std::string& token : tokens) {
      over.queries.ids.push_back(static_cast<int>(over.queries.ids.size()));
      over.queries.texts.push_back(comparableWord(token));
      over.queries.words.push_back(comparableWord(token));
    }
    over.keys = over.queries;
    over.mask = {MaskKind::Causal, 0, {}};
    return keysOfRows("subject", over);
  };
  CHECK(said({"The", " dog", " saw", " the", " cat", ".", " A", " hen", " ran"}) == ",1,1,1,1,1,1,7,7");
  CHECK(said({"<|endoftext|>", "Ein", " Hund", " lief"}) == ",,2,2");
  // Of a sentence without one it is the last one's; what begins with none says nothing.
  CHECK(said({"The", " dog", ".", " It", " ran"}) == ",1,1,1,1");
  CHECK(said({"Who", " saw", " the", " dog", "?"}) == ",,,,");
  REQUIRE(findNamedRule("subject"));
  CHECK(namedRules().size() == detectionPatterns().size() + 1);
  CHECK(findNamedRule("object") == nullptr);
}

TEST_CASE("rows that a rule says nothing of are filled evenly", "[hypothesis]") {
  const RuleContext over = causalText("abac");
  Tensor silent = AttentionRule::read("pairs {}")->pattern(over);
  for (const float p : silent.values()) CHECK(p == 0);
  fillSilentRows(over, silent);
  CHECK(silent(3, 2) == 0.25f);
  CHECK(silent(2, 3) == 0);
  CHECK(silent.values() == uniformPattern(over).values());
}

TEST_CASE("a mask's windows and an unmasked text bound what is looked at", "[hypothesis]") {
  RuleContext over = causalText("abac");
  over.mask = {MaskKind::Window, 2, {}};
  CHECK(keysOfRows("any", over) == "0,01,12,23");
  CHECK(keysOfRows("uniform", over) == keysOfRows("any", over));
  CHECK(keysOfRows("current", over) == keysOfRows("itself", over));
  CHECK(keysOfRows("first", over) == ",0,,");
  over.mask = {MaskKind::None, 0, {}};
  CHECK(keysOfRows("pairs {0:1, 1:2, 2:3}", over) == "1,2,3,");
  over.mask = {MaskKind::Causal, 0, {{1, 3, true}}};
  CHECK(keysOfRows("pairs {0:3, 1:3, 2:3, 3:3}", over) == ",3,,3");
}

TEST_CASE("what is not an attention rule is refused by name", "[hypothesis]") {
  for (const char* wrong : {"", "key = query - 1", "previus", "previous first", "pairs {1:2, 3}",
                            "pairs {1:-2}", "pairs {1:2", "pairs {1:2} x", "pairs {99999999999:1}"}) {
    CAPTURE(wrong);
    CHECK(problemOf(wrong).find("“" + std::string(wrong) + "” is not an attention rule") == 0);
    CHECK(problemOf(wrong).find("induction") != std::string::npos);
  }
}

TEST_CASE("words are joined from tokens, and said in small letters", "[hypothesis]") {
  const auto words = fortyWords();
  const SpokenTokens spoken = spokenBy(*words, std::vector<int>{3, 4, 3});
  CHECK(spoken.texts == std::vector<std::string>{"w3", "w4", "w3"});
  CHECK(spoken.words == spoken.texts);
}

TEST_CASE("agreement is what two distributions share", "[hypothesis]") {
  const RuleContext over = causalText("abc");
  const Tensor attention({3, 3}, {1, 0, 0, 0.75f, 0.25f, 0, 0.5f, 0.125f, 0.375f});
  const Tensor previous = AttentionRule::read("previous")->pattern(over);
  const TextAgreement text = agreementOn(over, attention.view(), previous.view());
  CHECK(text.agreement == Approx((0.75 + 0.125) / 2));  // as claimedAttention() has it
  CHECK(text.named == Approx((0.75 + 0.125) / 2));
  CHECK(text.worst == 2);
  CHECK(text.spoken == 2);
  CHECK(text.choices == 2);
  CHECK(agreementOn(over, attention.view(), attention.view()).agreement == Approx(1));
  const Tensor mixed = AttentionRule::read("pairs {1:0, 2:0, 2:1}")->pattern(over);
  CHECK(agreementOn(over, attention.view(), mixed.view()).agreement == Approx((0.75 + 0.5 + 0.125) / 2));
  const TextAgreement silent =
      agreementOn(over, attention.view(), AttentionRule::read("pairs {}")->pattern(over).view());
  CHECK_FALSE(silent.saysAnything());
  Agreement all;
  all.add(text), all.add(silent), all.add(agreementOn(over, attention.view(), attention.view()));
  CHECK(all.texts() == 2);
  CHECK(all.shared().mean() == Approx((0.4375 + 1) / 2));
  CHECK(all.shared().deviation() == Approx(0.5625 / std::sqrt(2)));
  CHECK(all.coverage() == Approx(4.0 / 6));
  CHECK(binOf(0) == 0);
  CHECK(binOf(1) == agreementBins - 1);
  CHECK(binOf(0.5f) == agreementBins / 2);
}

TEST_CASE("a hypothesis in the place of a pattern is what the pass computes with", "[hypothesis]") {
  const ModelConfig config = smallConfig();
  const auto words = fortyWords();
  LivePass pass(makeModel(config), 1);
  const std::vector<int> tokens = randomTokens(9, 3);
  Interventions changes{patternReplaced({1, 2}, "previous")};
  const auto clean = pass.run(tokens);
  CHECK(sameBits(*pass.run(tokens, changes), *clean));  // until somebody has read it
  bindRules(changes, words, config);
  const RuleContext over = lookedOver(*words, config, AttentionSite::Self, tokens, {});
  for (const int count : {9, 5, 9}) {  // made anew for every text
    const auto trace = pass.run(std::span(tokens).first(static_cast<std::size_t>(count)), changes);
    const TensorView pattern = (*trace)["blocks.1.attn.hook_pattern"];
    CHECK(pattern(2, count - 1, count - 2) == 1);
    CHECK(pattern(2, 0, 0) == 1);  // it says nothing of the first: even over what it sees
    CHECK(pattern(1, count - 1, 1) == (*clean)["blocks.1.attn.hook_pattern"](1, count - 1, 1) * (count == 9) +
                                          pattern(1, count - 1, 1) * (count != 9));
  }
  CHECK(patternReplacement(changes, {1, 2}) == &changes.front());
  CHECK(patternReplacement(changes, {1, 1}) == nullptr);
}

TEST_CASE("what is exactly the head recovers all of the loss", "[hypothesis]") {
  // The best key alone, and scores that only the distance decides: every head looks at the token itself.
  ModelConfig config = smallConfig();
  config.kernel = AttentionKernel::HardArgmax, config.positions = findPositionalEncoding("alibi");
  REQUIRE(config.positions);
  const auto words = fortyWords();
  Parameters parameters = makeModel(config)->parameters().copy();
  for (int i = 0; i < parameters.count(); ++i)
    if (parameters.spec(i).name.find("attn.c_attn") != std::string::npos) {
      const TensorView view = parameters.view(i);
      const int columns = view.extent[view.rank - 1], rows = view.rank == 2 ? view.extent[0] : 1;
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < 2 * config.width; ++c)  // queries and keys
          parameters.values()[parameters.offset(i) + static_cast<std::size_t>(r * columns + c)] = 0;
    }
  LivePass pass(std::make_shared<const Transformer>(config, std::move(parameters)), 1);
  // Every token is the one that looking evenly makes least likely against the model: that costs something.
  Intervention evenly = patternReplaced({0, 1}, "any");
  evenly.rule = ruleOf(*AttentionRule::read("any"), words, config, AttentionSite::Self);
  const auto costly = [&](std::uint64_t seed) {
    std::vector<int> text = randomTokens(2, seed);
    while (text.size() < 20) {
      const auto clean = pass.run(text, {}, {}), even = pass.run(text, {evenly}, {});
      const int last = static_cast<int>(text.size()) - 1, V = (*clean)["logits"].extent[1];
      std::vector<float> more;
      for (int v = 0; v < V; ++v) more.push_back((*clean)["logits"](last, v) - (*even)["logits"](last, v));
      text.push_back(static_cast<int>(std::ranges::max_element(more) - more.begin()));
    }
    return text;
  };
  LossBaselines baselines;
  const auto recovered = [&](const char* rule) {
    RecoveredLoss loss({0, 1}, *AttentionRule::read(rule), words, config);
    for (int i = 0; i < 8; ++i) loss.add(pass, costly(static_cast<std::uint64_t>(i)), {}, i, baselines);
    CHECK(loss.texts() == 8);
    CHECK(loss.tokens() == 8 * 19);
    return loss;
  };
  const RecoveredLoss exact = recovered("itself");
  CHECK(exact.replaced() == exact.clean());
  CHECK(exact.answersKept() == 1);
  CHECK(exact.ablated() - exact.clean() > RecoveredLoss::leastWorth);
  CHECK(exact.recovered() == 1);
  CHECK(exact.answersKeptAblated() < 1);
  const RecoveredLoss none = recovered("any");
  CHECK(none.replaced() == none.ablated());
  CHECK(none.answersKept() == none.answersKeptAblated());
  CHECK(baselines.passes() == 2 * 8);  // once a text, clean and even
  const RecoveredLoss silent = recovered("pairs {}");
  CHECK(silent.replaced() == silent.ablated());
}

TEST_CASE("pairs are read back from what is written of them, and from nothing else", "[hypothesis]") {
  using Pairs = std::vector<std::pair<int, int>>;
  const Pairs pairs{{2, 0}, {3, 1}, {12, 7}};
  CHECK(pairsOf(pairsText(pairs)) == pairs);
  CHECK(pairsOf("pairs{3:1,2 : 0, 3:1}") == Pairs{{2, 0}, {3, 1}});
  for (const char* other : {"", "pairs {}", "pairs {2:", "pairs {2:0} first", "previous", "pairs}", "}"})
    CHECK(pairsOf(other).empty());
}
