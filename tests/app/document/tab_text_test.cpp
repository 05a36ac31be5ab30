#include "app/document/tab_text.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/document/workspace.h"
#include "app/engine/model_library.h"

using namespace glassformer;

TEST_CASE("what a built-in model is first given to read has no token that it does not know", "[accuracy]") {
  const ModelLibrary library(std::filesystem::path(SOURCE_FOLDER) / "app");
  for (const ModelLibrary::Entry& entry : library.builtIn()) {
    INFO(entry.name);
    const auto model = library.load(entry.name);
    REQUIRE(model);
    const std::string text = firstWriting(entry.name).value_or(TabText(initialWorkspace().text)).text;
    const Tokenization tokens = model->tokenizer->encode(text);
    CHECK_FALSE(tokens.empty());
    if (const int unknown = model->tokenizer->unknown(); unknown >= 0)
      CHECK(std::ranges::count(tokens, unknown, &Token::id) == 0);
  }
}
