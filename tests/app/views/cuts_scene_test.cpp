#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/cuts_settings.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("each tokenizer of the library has a row with its pieces and how many they are") {
  Workspace workspace = openedOn("tokens", "cuts");
  workspace.text = "The dog sang 3 songs.";
  workspace.settings.choose(cutsChoice, cutsByLibrary);
  const SeenPicture seen(workspace);
  const auto& tokenizers = seen.snapshot->kept.tokenizers;
  REQUIRE(tokenizers.size() > 3);
  std::string written;
  for (const Shape& shape : seen.scene.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) written += text->text + "\n";
  for (std::size_t i = 0; i < tokenizers.size(); ++i) {
    const std::vector<int> ids = tokenizers[i].tokenizer->encodeIds(workspace.text);
    CHECK_THAT(seen.hit("cut library " + std::to_string(i)).target.text,
               ContainsSubstring(": " + std::to_string(ids.size()) + " tokens"));
    std::string pieces;
    for (const int id : ids) pieces += tokenizers[i].tokenizer->tokenLabel(id) + "\n";
    CHECK_THAT(written, ContainsSubstring(pieces));
  }
  CHECK(seen.snapshot->pass->tokens.size() == tokenizers[0].tokenizer->encodeIds(workspace.text).size());
}
