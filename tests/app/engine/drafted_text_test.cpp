#include "app/engine/drafted_text.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/document/draft_settings.h"
#include "app/document/model_commands.h"
#include "app/engine/model_library.h"
#include "core/model/model_size.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace draftedBy(const char* model, DecodingStrategy strategy) {
  Workspace w = initialWorkspace();
  commands::setModel(model).apply(w);
  w.view = "next_token", w.settings.pictures["next_token"] = "draft";
  w.decoding.strategy = strategy, w.decoding.depth = 12, w.decoding.seed = 5;
  return w;
}

std::vector<int> added(const TensorSet& set) {
  std::vector<int> tokens;
  for (int i = 0; i < set[drafting::token].extent[0]; ++i) {
    const auto fate = static_cast<Drafted>(set[drafting::fate](i));
    if (fate != Drafted::Refused && fate != Drafted::Dropped)
      tokens.push_back(static_cast<int>(set[drafting::token](i)));
  }
  return tokens;
}

}  // namespace

TEST_CASE("what is drafted greedily and checked is what the model says greedily, in fewer passes") {
  for (const char* name : {"stories", "translate"}) {
    INFO(name);
    const auto snapshot = latestFor(draftedBy(name, DecodingStrategy::Greedy));
    REQUIRE(snapshot->kept.measured);
    const TensorSet& kept = *snapshot->kept.measured;
    const auto loaded = ModelLibrary(SOURCE_FOLDER "/build").load(name);
    LivePass pass(loaded->transformer);
    const std::vector<int> greedy =
        generate(nextTokenLogits(pass, {}, snapshot->pass->trace->source()), snapshot->pass->trace->tokens(),
                 12, {.greedy = true}, loaded->transformer->config().context, loaded->tokenizer->endOfText());
    CHECK(added(kept) == greedy);
    const auto passes = static_cast<std::size_t>(kept[drafting::counts](drafting::Passes));
    CHECK(passes <= greedy.size());
    if (name == std::string("stories")) CHECK(passes < greedy.size());
  }
}

TEST_CASE("every number of a draft is the one that the two models give, and they decide as is said") {
  Workspace workspace = draftedBy("stories", DecodingStrategy::Sampling);
  workspace.text = "The dog went to";
  workspace.decoding.stages = {{"temperature", 0.9f}, {"top-k", 40}};
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& kept = *snapshot->kept.measured;
  const ModelLibrary library(SOURCE_FOLDER "/build");
  const auto model = library.load("stories"), draft = library.load("draft");
  LivePass ofModel(model->transformer), ofDraft(draft->transformer);
  const auto distribution = [&](LivePass& pass, const std::vector<int>& text) {
    return narrowed(candidatesOf(nextTokenLogits(pass)(text), text), workspace.decoding.stages);
  };
  std::vector<int> text = snapshot->pass->trace->tokens();
  int refused = 0, accepted = 0;
  for (int i = 0; i < kept[drafting::token].extent[0]; ++i) {
    const int token = static_cast<int>(kept[drafting::token](i));
    const auto fate = static_cast<Drafted>(kept[drafting::fate](i));
    if (fate == Drafted::Dropped) continue;
    const Candidates p = distribution(ofModel, text), q = distribution(ofDraft, text);
    CHECK(std::abs(kept[drafting::target](i) - probabilityOf(p, token)) < 1e-4);
    if (fate == Drafted::Accepted || fate == Drafted::Refused) {
      const double ratio = probabilityOf(p, token) / probabilityOf(q, token);
      CHECK(std::abs(kept[drafting::draft](i) - probabilityOf(q, token)) < 1e-4);
      CHECK((kept[drafting::number](i) < ratio) == (fate == Drafted::Accepted));
      CHECK(std::abs(kept[drafting::overlap](i) - overlap(p, q)) < 1e-4);
      for (int c = 0; c < drafting::listed && std::isfinite(kept[drafting::candidate](i, c)); ++c) {
        const int listed = static_cast<int>(kept[drafting::candidate](i, c));
        CHECK(std::abs(kept[drafting::both](i, c) + kept[drafting::beyond](i, c) - probabilityOf(p, listed)) <
              1e-4);
      }
    }
    if (fate == Drafted::Corrected) CHECK(probabilityOf(beyond(p, q), token) > 0);
    (fate == Drafted::Refused ? refused : accepted)++;
    if (fate != Drafted::Refused) text.push_back(token);
  }
  CHECK(accepted == 12);
  CHECK(refused > 0);
}

TEST_CASE("the draft that ships has the tokens of stories, and less than a fifth of its parameters") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  const auto model = library.load("stories"), draft = library.load("draft");
  CHECK(sharesTokens(*model->tokenizer, *draft->tokenizer));
  const auto numbers = [](const LoadedModel& of) {
    std::int64_t count = 0;
    for (const ParameterSpec& spec : parameterSpecs(of.transformer->config()))
      count += std::accumulate(spec.extent.begin(), spec.extent.end(), std::int64_t{1}, std::multiplies<>());
    return static_cast<double>(count);
  };
  CHECK(numbers(*draft) / numbers(*model) < 0.2);
}

TEST_CASE(
    "the models offered as a draft have the tokens and are smaller, and the one that is chosen proposes") {
  Workspace workspace = draftedBy("stories", DecodingStrategy::Greedy);
  const auto first = latestFor(workspace);
  REQUIRE(first->kept.offered.size() == 1);
  const std::string name = first->kept.offered.front().name;
  const auto loaded = ModelLibrary(SOURCE_FOLDER "/build").load(name);
  REQUIRE(loaded);
  CHECK(sharesTokens(*loaded->tokenizer, *first->model->tokenizer));
  CHECK(first->kept.offered.front().about.find(
            std::to_string(parameterCount(loaded->transformer->config()))) != std::string::npos);
  // q of the first proposal is that model's own.
  LivePass pass(loaded->transformer);
  const auto p = candidatesOf(nextTokenLogits(pass)(first->pass->trace->tokens()));
  CHECK((*first->kept.measured)[drafting::token](0) == static_cast<float>(p.front().token));
  workspace.settings.choices[draftChoice] = name;
  const auto chosen = latestFor(workspace);
  CHECK(added(*chosen->kept.measured) == added(*first->kept.measured));
  // Where no smaller one has its tokens none is offered; as many blocks as the model has half drafts then.
  for (const char* alone : {"translate", "sort"}) {
    const auto snapshot = latestFor(draftedBy(alone, DecodingStrategy::Greedy));
    CHECK(snapshot->kept.offered.empty());
    CHECK(snapshot->kept.measured);
  }
}

TEST_CASE("without a smaller model of its tokens a model drafts with the first half of its blocks") {
  Workspace workspace = draftedBy("stories", DecodingStrategy::Greedy);
  workspace.settings.choices[draftChoice] = draftByHalf;
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  CHECK(added(*snapshot->kept.measured).size() == 12);
  workspace = draftedBy("letters", DecodingStrategy::Greedy);
  const auto alone = latestFor(workspace);
  CHECK_FALSE(alone->kept.measured);
  CHECK(alone->kept.missing.find("single block") != std::string::npos);
}
