#include "core/train/answers.h"

#include <catch2/catch_test_macros.hpp>

#include "core/decode/sampling.h"
#include "core/model/initialization.h"
#include "core/text/byte_pair_training.h"
#include "core/train/tasks/fill/filler.h"

using namespace glassformer;

namespace {

const BytePairEncoding& letters() {
  static const BytePairEncoding tokenizer =
      trainBytePairEncoding("", 258, {Tokenizer::endOfTextName, Tokenizer::maskName});
  return tokenizer;
}

// With random weights: what it says is arbitrary, and settled.
std::shared_ptr<const Transformer> anyModel(Stack stack, std::uint64_t seed = 5) {
  ModelConfig config{
      .layers = 2, .heads = 2, .width = 16, .feedForward = 32, .vocabulary = 258, .context = 24};
  config.stack = stack;
  if (stack == Stack::EncoderOnly) config.mask.kind = MaskKind::None;
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, seed);
  return std::make_shared<const Transformer>(config, std::move(parameters));
}

std::string greedy(const std::shared_ptr<const Transformer>& model, const std::string& prompt, int count,
                   const std::string& source = "") {
  LivePass pass(model, 1);
  std::vector<int> tokens = letters().encodeIds(prompt);
  if (!source.empty()) tokens.insert(tokens.begin(), letters().endOfText());
  return letters().decode(generate(nextTokenLogits(pass, {}, letters().encodeIds(source)), tokens, count,
                                   {.greedy = true}, model->config().context, letters().endOfText()));
}

}  // namespace

TEST_CASE("an answer is what greedy decoding writes, right or wrong") {
  for (const auto& [stack, source] :
       {std::pair{Stack::DecoderOnly, ""}, std::pair{Stack::EncoderDecoder, "read me"}}) {
    const auto model = anyModel(stack);
    const std::string written = greedy(model, "abc>", 6, source);
    REQUIRE(written.size() == 6);
    // Wrong from the first letter, in the middle, at the last one; and shorter.
    std::vector<Example> examples{{source, "abc>", written}};
    for (const std::size_t at : {0u, 3u, 5u}) {
      std::string other = written;
      other[at] = other[at] == '#' ? '%' : '#';
      examples.push_back({source, "abc>", other});
    }
    examples.push_back({source, "abc>", written.substr(0, 4)});
    const auto answered = answer(model, letters(), examples);
    REQUIRE(answered.size() == examples.size());
    for (std::size_t i = 0; i < answered.size(); ++i) {
      INFO(i);
      CHECK(answered[i].given == written.substr(0, examples[i].answer.size()));
      CHECK(answered[i].right == (i == 0 || i == 4));
      CHECK(answered[i].example.answer == examples[i].answer);
    }
    CHECK(shareRight(answered) == 0.4);
    // The same answer is wrong where the text should be over behind it.
    const Example ending{source, "abc>", written.substr(0, 4), true};
    const auto longer = answer(model, letters(), std::vector{ending});
    CHECK_FALSE(longer[0].right);
    CHECK(longer[0].given == written.substr(0, 5));
  }
}

TEST_CASE("a model that fills gaps answers at the mask") {
  const auto model = anyModel(Stack::EncoderOnly);
  Filler filler(model, letters(), 1);
  std::vector<int> tokens = letters().encodeIds("ab<|mask|>d");
  tokens.insert(tokens.begin(), letters().endOfText());
  const std::string put = letters().decode(filler.filled(tokens));
  REQUIRE(put.size() == 1);
  const std::string other = put == "x" ? "y" : "x";
  const std::vector<Example> examples{{"", "ab<|mask|>d", put}, {"", "ab<|mask|>d", other}};
  const auto answered = answer(model, letters(), examples);
  CHECK(answered[0].right);
  CHECK_FALSE(answered[1].right);
  CHECK(answered[1].given == put);
}

TEST_CASE("answering can be stopped, and says how far it is") {
  const auto model = anyModel(Stack::DecoderOnly);
  const std::vector<Example> examples(5, Example{"", "abc>", "de"});
  std::vector<int> told;
  const auto some = answer(model, letters(), examples, 1, [&](int done, int total) {
    CHECK(total == 5);
    told.push_back(done);
    return done < 3;
  });
  CHECK(some.size() == 3);
  CHECK(told == std::vector{0, 1, 2, 3});
  CHECK(answer(model, letters(), {}).empty());
  CHECK(shareRight({}) == 0);
}
