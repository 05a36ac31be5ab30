// What holds for whatever there is, drawn and made small by rapidcheck: of edits, undo, alignment, decoding
// and what is written and read again.
#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "app/document/history.h"
#include "app/document/text_commands.h"
#include "app/document/text_edit.h"
#include "app/document/view_commands.h"
#include "app/document/workspace_json.h"
#include "core/decode/beam_search.h"
#include "core/decode/sampling.h"
#include "core/io/files.h"
#include "core/lens/alignment.h"
#include "core/train/schedule.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

namespace {

// Bytes of any kind, letters with accents and emoji among them, and what is no UTF-8.
rc::Gen<std::string> anyText() {
  const auto piece = rc::gen::element<std::string>("a", "B", " ", "\n", "\"", "\\", ",", "ä", "e\xCC\x81",
                                                   "\xF0\x9F\x98\x80", "\xE2\x80\x8D", "שלום", "\xFF", "\xE2",
                                                   std::string(1, '\0'));
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        return std::accumulate(pieces.begin(), pieces.end(), std::string());
                      });
}

rc::Gen<std::vector<int>> fewTokens() { return rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4)); }

// The same ones every time, unless the environment asks for others.
const bool isSeeded = ::setenv("RC_PARAMS", "seed=7", 0) == 0;

// A model of six tokens that looks at the last two: whatever they are, it answers.
std::vector<float> answer(std::span<const int> tokens, std::uint64_t seed) {
  std::uint64_t mixed = seed;
  for (const int token : tokens.last(std::min<std::size_t>(2, tokens.size())))
    mixed = mixed * 31 + static_cast<std::uint64_t>(token);
  Random random(mixed);
  std::vector<float> logits(6);
  for (float& logit : logits) logit = static_cast<float>(random.normal() * 2);
  return logits;
}

}  // namespace

TEST_CASE("property: who goes through a text character by character comes back the same way") {
  CHECK(rc::check([] {
    const std::string text = *anyText();
    std::vector<std::size_t> begins;
    for (std::size_t at = 0; at < text.size(); at += graphemeLength(text, at)) begins.push_back(at);
    std::size_t at = text.size();
    for (; !begins.empty(); begins.pop_back()) RC_ASSERT((at = previousGrapheme(text, at)) == begins.back());
    RC_ASSERT(at == 0u);
  }));
}

TEST_CASE("property: what is inserted stands at the caret, and the caret behind it") {
  CHECK(rc::check([] {
    const std::string before = *anyText(), added = *anyText();
    TextEdit edit;
    edit.setText(before);
    edit.moveTo(0, false);
    for (int steps = *rc::gen::inRange(0, 10); steps > 0; --steps) edit.moveRight(false, false);
    const std::size_t at = edit.caret();
    edit.insert(added);
    RC_ASSERT(edit.text() == before.substr(0, at) + added + before.substr(at));
    RC_ASSERT(edit.caret() == at + added.size());
  }));
}

TEST_CASE("property: undo and redo lead through the same states, whatever was done") {
  CHECK(rc::check([] {
    History history(initialWorkspace());
    std::vector<Content> states{history.current().content()};
    double seconds = 0;
    for (const int action : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5))) {
      const int before = history.state();
      seconds += 10;  // nothing merges
      if (action == 0) history.apply(commands::setText(*anyText()), seconds);
      if (action == 1) history.apply(commands::newTab({*anyText(), ""}), seconds);
      if (action == 2) history.apply(commands::closeTab(*rc::gen::inRange(0, 3)), seconds);
      if (action == 3) history.apply(commands::openTab(*rc::gen::inRange(0, 3)), seconds);
      if (action == 4) history.undo();
      const auto now = static_cast<std::size_t>(history.state());
      if (history.state() > before)
        states.resize(now), states.push_back(history.current().content());
      else if (action == 4)
        RC_ASSERT(history.current().content() == states[now]);
      else
        states[now] =
            history.current().content();  // what is looked at is no step, and is kept with the next one
    }
    const int last = history.stateCount() - 1;
    for (int state = last; state >= 0; --state) {
      history.goTo(state);
      history.goTo(last);
      history.goTo(state);
      RC_ASSERT(history.state() == state);
    }
    RC_ASSERT(history.current().content() == states.front());
    for (int state = 0; state + 1 < std::min(last + 1, static_cast<int>(states.size())); ++state) {
      RC_ASSERT(history.current().content() == states[static_cast<std::size_t>(state)]);
      history.redo();
    }
  }));
}

TEST_CASE(
    "property: aligned texts hold every token of both, once and in order, and only like ones together") {
  CHECK(rc::check([] {
    const auto a = *fewTokens(), b = *fewTokens();
    const Alignment alignment = align(a, b);
    int nextA = 0, nextB = 0;
    for (const Alignment::Column& column : alignment.columns) {
      RC_ASSERT(column.a >= 0 || column.b >= 0);
      if (column.a >= 0) RC_ASSERT(column.a == nextA++);
      if (column.b >= 0) RC_ASSERT(column.b == nextB++);
    }
    RC_ASSERT(nextA == static_cast<int>(a.size()));
    RC_ASSERT(nextB == static_cast<int>(b.size()));
    for (int i = 0; i < nextA; ++i) RC_ASSERT(alignment[alignment.columnOfA(i)].a == i);
    if (a == b)
      for (const Alignment::Column& column : alignment.columns) RC_ASSERT(column.a == column.b);
  }));
}

TEST_CASE(
    "property: every path of a beam's tree adds up, and a wider beam without penalties finds nothing worse") {
  CHECK(rc::check([] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const NextTokenLogits model = [&](std::span<const int> tokens) { return answer(tokens, seed); };
    const std::vector<int> prompt{1};
    const int depth = *rc::gen::inRange(1, 4);
    const BeamTree all = beamSearch(model, prompt, {.width = 36, .depth = depth});
    const BeamTree some = beamSearch(model, prompt, {.width = *rc::gen::inRange(1, 5), .depth = depth});
    for (const BeamTree* tree : {&all, &some})
      for (const BeamNode& node : tree->nodes) {
        if (node.parent < 0) continue;
        const BeamNode& parent = tree->nodes[static_cast<std::size_t>(node.parent)];
        RC_ASSERT(node.depth == parent.depth + 1);
        RC_ASSERT(std::abs(node.cumulative - parent.cumulative - node.logProbability) < 1e-9);
      }
    if (depth <= 2)  // then nothing is pruned in the wide one
      RC_ASSERT(all.nodes[static_cast<std::size_t>(all.best)].score >=
                some.nodes[static_cast<std::size_t>(some.best)].score - 1e-9);
  }));
}

TEST_CASE("property: a session says again what it was told, and its broken file is refused or read") {
  CHECK(rc::check([] {
    Workspace workspace = initialWorkspace();
    workspace.text = *anyText(), workspace.source = *anyText(), workspace.model = *anyText();
    workspace.decoding.seed = *rc::gen::arbitrary<std::uint64_t>();
    workspace.aside = {{*anyText(), *anyText()}};
    const std::string json = toJson(workspace);
    const auto read = workspaceFromJson(json);
    RC_ASSERT(static_cast<bool>(read));
    RC_ASSERT(read->text == workspace.text);
    RC_ASSERT(read->aside == workspace.aside);
    RC_ASSERT(toJson(*read) == json);
    const auto at = *rc::gen::inRange<std::size_t>(0, json.size());
    static_cast<void>(workspaceFromJson(json.substr(0, at)));
    std::string broken = json;
    broken[at] = *rc::gen::arbitrary<char>();
    static_cast<void>(workspaceFromJson(broken));
  }));
}

TEST_CASE("property: what stages of sampling leave are candidates that add up to one, the first among them") {
  CHECK(rc::check([] {
    const auto logits = answer(std::vector<int>{1}, *rc::gen::arbitrary<std::uint64_t>());
    StageNumbers stages;
    for (const SamplingStage& stage : samplingStages()) {
      if (!*rc::gen::arbitrary<bool>()) continue;
      const float number =
          stage.low + (stage.high - stage.low) * static_cast<float>(*rc::gen::inRange(0, 101)) / 100;
      const float whole = stage.number == SamplingStage::Number::Count ? std::round(number) : number;
      if (accepts(stage, whole)) stages.set(stage, whole);
    }
    const Candidates before = candidatesOf(logits);
    const Candidates after = narrowed(before, stages);
    RC_ASSERT(!after.empty());
    RC_ASSERT(after.size() <= before.size());
    double sum = 0;
    for (const Candidate& each : after) sum += each.probability;
    RC_ASSERT(std::abs(sum - 1) < 1e-6);
    RC_ASSERT(drawnBy(0, after) >= 0);
  }));
}

TEST_CASE("property: a file is read as it was written") {
  const TemporaryFolder folder;
  CHECK(rc::check([&] {
    const std::string text = *anyText();
    RC_ASSERT(static_cast<bool>(writeFile(folder / "f", text)));
    RC_ASSERT(*readTextFile(folder / "f") == text);
  }));
}
