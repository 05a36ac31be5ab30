// The language of hypotheses: what it says of texts small enough to be worked out by hand, and what it
// refuses.
#include "core/lens/attention_rule.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/lens/hypothesis_fit.h"
#include "core/lens/recovered_loss.h"
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
    over.queries.bytes.emplace_back(1, c), over.queries.texts.emplace_back(1, c);
    over.queries.words.emplace_back(1, c);
  }
  over.keys = over.queries;
  over.mask = {MaskKind::Causal, 0, {}};
  return over;
}

// The keys with any weight, a digit for each, row by row: "0,0,1" of the previous token.
std::string keysOfRows(const std::string& hypothesis, const RuleContext& over) {
  const auto read = AttentionRule::read(hypothesis);
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

std::string problemOf(const std::string& hypothesis) {
  const auto read = AttentionRule::read(hypothesis);
  return read ? "" : read.error().message();
}

std::shared_ptr<const Wording> fortyWords() {
  std::vector<std::string> words;
  for (int i = 0; i < 40; ++i)
    words.push_back(i == 39 ? std::string(Tokenizer::unknownName) : "w" + std::to_string(i));
  const auto cut = std::make_shared<const Words>(*Words::create(words));
  return std::make_shared<const Wording>(Wording{[cut](int id) { return cut->tokenBytes(id); },
                                                 [cut](int id) { return cut->writtenBehind(id); }});
}

}  // namespace

TEST_CASE("places, what is said, and how they are joined", "[hypothesis]") {
  const RuleContext over = causalText("abac");
  CHECK(keysOfRows("key = query - 1", over) == ",0,1,2");
  CHECK(keysOfRows("key == query-1 or key = 0", over) == "0,0,01,02");
  CHECK(keysOfRows("key < query and not key = 0", over) == ",,1,12");
  CHECK(keysOfRows("token[key] = token[query] and key != query", over) == ",,0,");
  CHECK(keysOfRows("token[key - 1] = token[query]", over) == ",,1,");
  CHECK(keysOfRows("text[key] in {a, \"c\"}", over) == "0,0,02,023");
  CHECK(keysOfRows("text[key] = A", over) == "0,0,02,02");  // in small letters
  CHECK(keysOfRows("token[key] = \"A\"", over) == ",,,");   // a token as it stands
  CHECK(keysOfRows("latest text[key] = a", over) == "0,0,2,2");
  CHECK(keysOfRows("earliest (text[key] = a and key > 0)", over) == ",,2,2");
  CHECK(keysOfRows("latest any", over) == "0,1,2,3");  // the last that is seen
  CHECK(keysOfRows("word[0] = a and key = 1", over) == ",1,1,1");
  CHECK(keysOfRows("text[query] != text[key]", over) == ",0,1,012");
  CHECK(keysOfRows("text[query + 1] = c", over) == ",,012,");  // behind the end nothing is said
  CHECK(keysOfRows("text[query + 1] != c", over) == "0,01,,");
  CHECK(keysOfRows("pairs {3:1, 2:0, 0:3}", over) == ",,0,1");  // 0 does not see 3
  CHECK(keysOfRows("pairs {}", over) == ",,,");
}

TEST_CASE("the stock hypotheses are words of the language", "[hypothesis]") {
  for (const std::string letters : {"abacabad", "aaaa", "z", "abcabcab"}) {
    const RuleContext over = causalText(letters);
    for (const DetectionPattern& stock : headHypotheses()) {
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
    CHECK(keysOfRows("induction", over) ==
          keysOfRows("key = 1 + 0 and token[0] = token[query] and key < 0 or latest (token[key - 1] = "
                     "token[query] and key <= query)",
                     over));
  }
}

TEST_CASE("the subject is what stands behind the article that began a sentence", "[hypothesis]") {
  const auto said = [](const std::vector<std::string>& tokens) {
    RuleContext over;
    for (const std::string& token : tokens) {
      over.queries.ids.push_back(static_cast<int>(over.queries.ids.size()));
      over.queries.bytes.push_back(token), over.queries.texts.push_back(comparableWord(token));
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
  REQUIRE(findStockHypothesis("subject"));
  CHECK(stockHypotheses().size() == headHypotheses().size() + 1);
  CHECK(findStockHypothesis("object") == nullptr);
}

TEST_CASE("clauses are weighed, and a row is a distribution or silent", "[hypothesis]") {
  const RuleContext over = causalText("abac");
  const Tensor pattern = AttentionRule::read("3 * previous + key = 0 + 0.5*text[key]=zebra")->pattern(over);
  CHECK(pattern(0, 0) == 1);
  CHECK(pattern(1, 0) == 1);
  CHECK(pattern(2, 1) == Approx(0.75));
  CHECK(pattern(2, 0) == Approx(0.25));
  Tensor silent = AttentionRule::read("text[key] = zebra")->pattern(over);
  for (const float p : silent.values()) CHECK(p == 0);
  fillSilentRows(over, silent);
  CHECK(silent(3, 2) == 0.25f);
  CHECK(silent(2, 3) == 0);
  CHECK(silent.values() == uniformPattern(over).values());
  // "+" before a number goes on with a place, unless it is a weight.
  CHECK(keysOfRows("key = query - 2 + 1", over) == ",0,1,2");
  CHECK(keysOfRows("key = query - 2 + 1 * first", over) == ",0,0,01");
}

TEST_CASE("a mask's windows and an unmasked text bound what is looked at", "[hypothesis]") {
  RuleContext over = causalText("abac");
  over.mask = {MaskKind::Window, 2, {}};
  CHECK(keysOfRows("any", over) == "0,01,12,23");
  CHECK(keysOfRows("uniform", over) == keysOfRows("any", over));
  CHECK(keysOfRows("current", over) == keysOfRows("itself", over));
  CHECK(keysOfRows("first", over) == ",0,,");
  over.mask = {MaskKind::None, 0, {}};
  CHECK(keysOfRows("key = query + 1", over) == "1,2,3,");
  over.mask = {MaskKind::Causal, 0, {{1, 3, true}}};
  CHECK(keysOfRows("key = 3", over) == ",3,,3");
}

TEST_CASE("what is no hypothesis is refused, with the place and what is meant", "[hypothesis]") {
  CHECK(problemOf("key = qurey - 1").find("character 7") == 0);
  CHECK(problemOf("key = qurey - 1").find("a position (query, key or a number)") != std::string::npos);
  CHECK(problemOf("key = qurey - 1").find("not “qurey - 1”") != std::string::npos);
  CHECK(problemOf("previus").find("induction") != std::string::npos);
  CHECK(problemOf("").find("the hypothesis ends") != std::string::npos);
  CHECK(problemOf("previous and").find("character 13") == 0);
  CHECK(problemOf("(previous or first").find("“)”") != std::string::npos);
  CHECK(problemOf("text[key] in {cat dog}").find("“,” or “}”") != std::string::npos);
  CHECK(problemOf("text[key] = \"cat").find("closing quote") != std::string::npos);
  CHECK(problemOf("token[key] = word[query]").find("a token compared with a token") != std::string::npos);
  CHECK(problemOf("\"cat\" = \"cat\"").find("on one side") != std::string::npos);
  CHECK(problemOf("text[key] < cat").find("=, != or in") != std::string::npos);
  CHECK(problemOf("pairs {1:2, 3}").find("“:”") != std::string::npos);
  CHECK(problemOf("0 * first").find("a weight above 0") != std::string::npos);
  CHECK(problemOf("key = 99999999").find("1,000,000") != std::string::npos);
  CHECK(problemOf("key = 99999999999999").find("a number") != std::string::npos);
  CHECK(problemOf("first first").find("“and”") != std::string::npos);
  CHECK(problemOf(std::string(100000, '(')).find("less deep") != std::string::npos);
}

TEST_CASE("words are joined from tokens, and said in small letters", "[hypothesis]") {
  const auto words = fortyWords();
  const SpokenTokens spoken = spokenBy(*words, std::vector<int>{3, 4, 3});
  CHECK(spoken.bytes == std::vector<std::string>{"w3", "w4", "w3"});
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
  const Tensor mixed = AttentionRule::read("key < query")->pattern(over);
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
  Interventions changes{patternReplaced({1, 2}, "0.75 * previous + 0.25 * first")};
  const auto clean = pass.run(tokens);
  CHECK(sameBits(*pass.run(tokens, changes), *clean));  // until somebody has read it
  bindHypotheses(changes, words, config);
  const RuleContext over = lookedOver(*words, config, AttentionSite::Self, tokens, {});
  for (const int count : {9, 5, 9}) {  // made anew for every text
    const auto trace = pass.run(std::span(tokens).first(static_cast<std::size_t>(count)), changes);
    const TensorView pattern = (*trace)["blocks.1.attn.hook_pattern"];
    CHECK(pattern(2, count - 1, count - 2) == 0.75f);
    CHECK(pattern(2, count - 1, 0) == 0.25f);
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
  const auto recovered = [&](const char* hypothesis) {
    RecoveredLoss loss({0, 1}, *AttentionRule::read(hypothesis), words, config);
    for (int i = 0; i < 8; ++i) loss.add(pass, costly(static_cast<std::uint64_t>(i)), {}, i, baselines);
    CHECK(loss.texts() == 8);
    CHECK(loss.tokens() == 8 * 19);
    return loss;
  };
  const RecoveredLoss exact = recovered("key = query");
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
  for (const char* other : {"", "pairs {}", "pairs {2:", "pairs {2:0} or first", "previous", "pairs}", "}"})
    CHECK(pairsOf(other).empty());
}
