#include "app/document/prepared_texts.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/workspace.h"
#include "app/engine/best_continuation.h"
#include "app/explain/explain.h"
#include "core/decode/next_token.h"
#include "core/model/live_pass.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace prepared(const PreparedText& text) {
  Workspace workspace = initialWorkspace();
  commands::openPrepared(text).apply(workspace);
  return workspace;
}

// Σ ln p of tokens behind a text, asked for one by one.
double totalOf(const Snapshot& snapshot, const std::vector<int>& added) {
  LivePass pass(snapshot.model->transformer, 1);
  const NextTokenLogits logits = nextTokenLogits(pass, {}, snapshot.pass->trace->source());
  std::vector<int> read = snapshot.pass->trace->tokens();
  double total = 0;
  for (const int token : added) {
    total += logSoftmax(logits(read))[static_cast<std::size_t>(token)];
    read.push_back(token);
  }
  return total;
}

std::vector<int> tokensOf(const TensorView& row) {
  std::vector<int> tokens;
  for (int i = 0; i < row.extent[0] && std::isfinite(row(i)); ++i) tokens.push_back(static_cast<int>(row(i)));
  return tokens;
}

const PreparedText& called(std::string_view label) {
  const auto found = std::ranges::find(preparedTexts(), label, &PreparedText::label);
  REQUIRE(found != preparedTexts().end());
  return *found;
}

}  // namespace

TEST_CASE("where greedy decoding loses, it does: to the sentence that the beam finds") {
  const auto shown = latestFor(prepared(whereGreedyLoses()));
  REQUIRE(shown->kept.measured);
  const TensorSet& best = *shown->kept.measured;
  const BeamTree& tree = *shown->decoded->beam;
  const std::vector<int> greedy = tokensOf(best[bestContinuation::greedy]), beam = tree.path(tree.best);
  CHECK(best[bestContinuation::total](0) < best[bestContinuation::total](1) - 0.5f);
  CHECK(std::abs(best[bestContinuation::total](0) - totalOf(*shown, greedy)) < 1e-4);
  CHECK(std::abs(best[bestContinuation::total](1) - totalOf(*shown, beam)) < 1e-4);
  CHECK(shown->model->bytesOf(greedy).starts_with("Die Leute"));
  CHECK(shown->model->bytesOf(beam) == "Man sagt, dass der Hund schläft.");
  // Both are whole sentences, and greedy's path is in the tree as far as the beam kept it.
  for (const std::vector<int>& tokens : {greedy, beam})
    CHECK(tokens.back() == shown->model->tokenizer->endOfText());
  CHECK(std::ranges::count_if(tree.nodes, &BeamNode::greedy) > 0);
}

TEST_CASE("a prepared text opens in a tab of its own, and once") {
  Workspace workspace = prepared(whereGreedyLoses());
  const int tabs = workspace.tabCount();
  CHECK(workspace.model == "translate");
  CHECK(workspace.source == whereGreedyLoses().source);
  CHECK(workspace.text.empty());
  commands::openPrepared(whereGreedyLoses()).apply(workspace);
  CHECK(workspace.tabCount() == tabs);
}

TEST_CASE(
    "a prepared text leaves the decoding of others alone: their tabs have it again, with draws and seeds") {
  for (const char* const model : {"stories", "translate"}) {
    Workspace w = initialWorkspace();
    commands::setModel(model).apply(w);
    w.decoding.strategy = DecodingStrategy::Sampling, w.decoding.seed = 23;
    w.decoding.stages = {{"temperature", 1.3f}};
    const std::string text = w.text;
    commands::appendText(w.text, " and", ChosenBy::Sampling).apply(w);
    const Workspace before = w;
    commands::openPrepared(whereGreedyLoses()).apply(w);
    CHECK(w.decoding.seed != 23);
    CHECK(w.way == DecodeHistory{});
    commands::openPrepared(whereGreedyLoses()).apply(w);  // once more changes nothing of it
    const auto left = workspaceFromJson(toJson(w));
    REQUIRE(left);
    w = *left;
    if (before.model == "translate")
      commands::openTab(0).apply(w);
    else
      commands::setModel(before.model).apply(w);
    CHECK(w.text == before.text);
    CHECK(w.decoding == before.decoding);
    CHECK(w.way == before.way);
    CHECK(isOnWay(w));
  }
}

TEST_CASE(
    "at it a causal model has the same bits whatever comes behind, and other ones at the word that decides") {
  const auto shown = latestFor(prepared(called("Causal mask")));
  REQUIRE(shown->difference);
  const Trace &tired = *shown->pass->trace, &wide = *shown->other->pass->trace;
  const auto& tokens = shown->pass->tokens;
  CHECK(tokens[8].label.find("it") != std::string::npos);
  const int T = tired.tokenCount();
  REQUIRE(wide.tokenCount() == T);
  int last = 0;  // the word that decides
  while (tired.tokens()[static_cast<std::size_t>(last)] == wide.tokens()[static_cast<std::size_t>(last)])
    ++last;
  CHECK(last > 8);
  CHECK(tokens[static_cast<std::size_t>(last)].label.find("tired") != std::string::npos);
  int differ = 0;
  for (int i = 0; i < tired.count(); ++i) {
    if (tired.point(i).letters.front() != 'T') continue;  // patterns and scores have heads first
    for (int t = 0; t < T; ++t) {
      const bool same = tired.tensor(i)[t].copy() == wide.tensor(i)[t].copy();
      INFO(tired.point(i).name << " at " << t);
      if (t < last) REQUIRE(same);
      differ += !same;
    }
  }
  CHECK(differ > 0);
  for (int layer = 0; layer < 4; ++layer) {
    const std::string pattern = "blocks." + std::to_string(layer) + ".attn.hook_pattern";
    for (int head = 0; head < 4; ++head)
      for (int t = 0; t < last; ++t) REQUIRE(tired[pattern][head][t].copy() == wide[pattern][head][t].copy());
  }
}

TEST_CASE("behind the softmax a mask leaves rows of which nothing is left, and before it none") {
  const Workspace workspace = prepared(called("Empty mask row"));
  const auto shown = latestFor(workspace);
  REQUIRE(shown->other);
  CHECK(shown->model->config->maskTime == MaskTime::AfterSoftmax);
  CHECK(shown->other->model->config->maskTime == MaskTime::BeforeSoftmax);
  const auto sumOf = [&](const Snapshot& side, int row) {
    const TensorView weights =
        (*side.pass->trace)["blocks.1.attn.hook_pattern"][workspace.selection.head][row];
    float sum = 0;
    for (int s = 0; s < weights.extent[0]; ++s) sum += weights(s);
    return sum;
  };
  int empty = 0;
  for (int row = 0; row < shown->pass->trace->tokenCount(); ++row) {
    const float sum = sumOf(*shown, row);
    CHECK((sum == 0 || std::abs(sum - 1) < 1e-5f));
    empty += sum == 0;
    CHECK(std::abs(sumOf(*shown->other, row) - 1) < 1e-5f);
  }
  CHECK(empty > 0);
  CHECK(sumOf(*shown, workspace.selection.query) == 0);
  // The same scores on both sides, but for the mask.
  const std::string scores = "blocks.1.attn.hook_attn_scores";
  const TensorView here = (*shown->pass->trace)[scores], there = (*shown->other->pass->trace)[scores];
  CHECK(std::abs(here(0, 4, 2) - there(0, 4, 2)) < 1e-3f);
  // Pointed at, a number of the row says why.
  Target target;
  target.cell = {"blocks.1.attn.hook_pattern", {0, workspace.selection.query, 1}};
  const auto explained = explain(*shown, target);
  REQUIRE(explained);
  CHECK(explained->lines.front().starts_with("0 / 0"));
}

TEST_CASE("both meanings of it: one head looks at the animal or at the street, and German says which") {
  const Workspace workspace = prepared(called("Ambiguous “it”"));
  const auto shown = latestFor(workspace);
  REQUIRE(shown->other);
  const auto sideOf = [&](const Snapshot& side, const char* noun, const char* pronoun) {
    const int it = workspace.selection.source;
    const auto& tokens = side.pass->sourceTokens;
    CHECK(tokens[static_cast<std::size_t>(it)].label.find("it") != std::string::npos);
    const TensorView row = (*side.pass->trace)["encoder.1.attn.hook_pattern"][2][it];
    int strongest = 0;
    for (int s = 0; s < row.extent[0]; ++s)
      if (row(s) > row(strongest)) strongest = s;
    CHECK(tokens[static_cast<std::size_t>(strongest)].label.find(noun) != std::string::npos);
    CHECK(row(strongest) > 0.5f);
    CHECK(side.model->bytesOf(side.decoded->continuation).find(pronoun) != std::string::npos);
  };
  sideOf(*shown, "animal", "weil es zu müde war");
  sideOf(*shown->other, "street", "weil sie zu breit war");
  // In stories the word that decides comes behind it.
  CHECK(latestFor(initialWorkspace())->model->config->causal());
}
