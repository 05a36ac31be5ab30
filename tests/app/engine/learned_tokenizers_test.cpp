#include "app/engine/learned_tokenizers.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/cuts_settings.h"
#include "app/document/text_commands.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace learning(std::string text) {
  Workspace workspace = initialWorkspace();
  workspace.view = "tokens", workspace.settings.pictures["tokens"] = "cuts";
  workspace.settings.choose(cutsChoice, cutsLearnedHere);
  workspace.text = std::move(text);
  return workspace;
}

}  // namespace

TEST_CASE("merges are learned from the texts of all tabs, as training at once learns them") {
  Workspace workspace = learning("low low lower newest newest widest");
  commands::newTab(TabText("slow slow slower")).apply(workspace);
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.tokenizers.size() == 2);
  const auto* learned = dynamic_cast<const BytePairEncoding*>(snapshot->kept.tokenizers[0].tokenizer.get());
  REQUIRE(learned);
  const std::string end(BytePairEncoding::endOfTextName);
  const BytePairEncoding whole =
      trainBytePairEncoding("low low lower newest newest widest" + end + "slow slow slower" + end,
                            257 + LearnedTokenizers::mostMerges);
  CHECK(learned->merges() == whole.merges());
  CHECK(learned->merges().size() > 5);
}

TEST_CASE("words are numbered by how often they come") {
  const auto words = wordsByFrequency("the dog and the cat and the bird");
  REQUIRE(words);
  CHECK(words->tokenLabel(words->encodeIds("the")[0]) == words->tokenLabel(0));
  CHECK(words->encodeIds("the and bird") == std::vector<int>{0, 1, 2});  // of equals by the alphabet
  CHECK(words->encodeIds("fox") == std::vector<int>{words->vocabularySize() - 1});
}

TEST_CASE("nothing is learned while nobody looks") {
  Workspace workspace = learning("low low lower");
  workspace.settings.choose(cutsChoice, "");
  CHECK(latestFor(workspace)->kept.tokenizers.empty());
}
