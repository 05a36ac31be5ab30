#include "app/engine/library_tokenizers.h"

#include <catch2/catch_test_macros.hpp>
#include <map>

#include "app/document/cuts_settings.h"
#include "core/text/characters.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

std::shared_ptr<const Tokenizer> charactersNamed(std::vector<std::string> tokens) {
  tokens.insert(tokens.end(), {std::string(Tokenizer::unknownName), std::string(Tokenizer::endOfTextName)});
  return std::make_shared<const Characters>(*Characters::create(std::move(tokens)));
}

}  // namespace

TEST_CASE("models that cut alike share a row, in the order in which they come") {
  std::vector<NamedTokenizer> list;
  addTokenizer(list, "first", charactersNamed({"a", "b"}));
  addTokenizer(list, "second", charactersNamed({"a", "b", "c"}));
  addTokenizer(list, "third", charactersNamed({"a", "b"}));
  REQUIRE(list.size() == 2);
  CHECK(list[0].models == std::vector<std::string>{"first", "third"});
  CHECK(list[1].models == std::vector<std::string>{"second"});
}

TEST_CASE("every tokenizer that ships is read, the open one's first, where the picture asks for them") {
  Workspace workspace = initialWorkspace();
  workspace.view = "tokens", workspace.settings.pictures["tokens"] = "cuts";
  workspace.text = "The dog sang.";
  CHECK(latestFor(workspace)->kept.tokenizers.empty());
  workspace.settings.choose(cutsChoice, cutsByLibrary);
  const auto snapshot = latestFor(workspace);
  const std::vector<NamedTokenizer>& tokenizers = snapshot->kept.tokenizers;
  REQUIRE(tokenizers.size() > 3);
  CHECK(tokenizers[0].models.front() == workspace.model);
  CHECK(tokenizers[0].tokenizer == snapshot->model->tokenizer);
  std::map<std::string, int> rows;
  for (const NamedTokenizer& named : tokenizers)
    for (const std::string& model : named.models) ++rows[model];
  const ModelLibrary library(SOURCE_FOLDER "/build");
  for (const ModelLibrary::Entry& entry : library.builtIn()) CHECK(rows[entry.name] == 1);
  for (std::size_t i = 0; i < tokenizers.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(*tokenizers[i].tokenizer == *tokenizers[j].tokenizer);
}
