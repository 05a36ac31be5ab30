// What flips an answer, against brute force.
#include "core/lens/counterfactual.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "core/lens/contributions.h"
#include "core/lens/influence.h"
#include "core/model/point_names.h"
#include "tests/core/model/family_members.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

constexpr std::int64_t unlimited = 1'000'000;

struct Asked {
  explicit Asked(Stack stack) : config(smallConfig()) {
    config.stack = stack;
    if (stack == Stack::EncoderOnly) config.mask.kind = MaskKind::None;
    model = makeModel(config);
    live = std::make_unique<LivePass>(model, 1);
    interventions = {{stackPoint(config, "hook_embed"), InterventionKind::Scale, {0, -1, -1, -1}, 1.5f, {}}};
    trace = live->run(randomTokens(5, 3), interventions, randomTokens(config.isEncoderDecoder() ? 4 : 0, 4));
  }
  int answerOf(const std::vector<int>& tokens, const std::vector<int>& source, const Interventions& all,
               int at) const {
    LivePass fresh(model, 1);
    return likeliestEntry(*fresh.run(tokens, all, source), at);
  }

  ModelConfig config;
  std::shared_ptr<const Transformer> model;
  std::unique_ptr<LivePass> live;
  Interventions interventions;
  std::shared_ptr<const Trace> trace;
};

double probability(const Trace& trace, int at, int entry) {
  double sum = 0;
  for (const float z : trace["logits"][at].copy()) sum += std::exp(static_cast<double>(z));
  return std::exp(static_cast<double>(trace["logits"](at, entry))) / sum;
}

using Replaced = std::tuple<Stream, int, int>;

// How many of the flips are among those replacements that gain most to first order, with gradients that the
// influence of single predictions is measured by.
std::int64_t flipsAmongBest(Asked& of, int at, int fixed, std::int64_t most,
                            const std::map<Replaced, int>& flips) {
  const int answer = likeliestEntry(*of.trace, at);
  TensorSet gained, lost;
  measureInfluence(*of.model, *of.trace, of.interventions, {at, runnerUp((*of.trace)["logits"][at], answer)},
                   gained);
  measureInfluence(*of.model, *of.trace, of.interventions, {at, answer}, lost);
  const TensorView E = of.model->parameters()["wte.weight"];
  std::vector<std::pair<double, Replaced>> gains;
  for (const Stream stream : {Stream::Text, Stream::Source}) {
    const std::string gradient =
        stream == Stream::Text ? "lens.embedding_gradient" : "lens.source_embedding_gradient";
    if (!gained.contains(gradient)) continue;
    const auto& tokens = stream == Stream::Text ? of.trace->tokens() : of.trace->source();
    for (int s = stream == Stream::Text ? fixed : 0; s < static_cast<int>(tokens.size()); ++s) {
      if (stream == Stream::Text && of.config.causal() && s > at) continue;
      const int own = tokens[static_cast<std::size_t>(s)];
      for (int v = 0; v < of.config.vocabulary; ++v) {
        double gain = 0;
        for (int d = 0; d < of.config.width; ++d)
          gain += static_cast<double>(E(v, d) - E(own, d)) * (gained[gradient](s, d) - lost[gradient](s, d));
        if (v != own) gains.push_back({gain, {stream, s, v}});
      }
    }
  }
  std::ranges::stable_sort(gains, std::greater<>(), [](const auto& each) { return each.first; });
  return std::ranges::count_if(gains.begin(), gains.begin() + most,
                               [&](const auto& each) { return flips.contains(each.second); });
}

}  // namespace

TEST_CASE("single tokens that flip an answer are those that brute force finds") {
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderOnly, Stack::EncoderDecoder})
    for (const int fixed : {0, 1}) {
      if (isSanitized && fixed != (stack == Stack::DecoderOnly)) continue;
      Asked of(stack);
      constexpr int at = 3;
      const int answer = likeliestEntry(*of.trace, at);
      std::map<Replaced, int> expected;
      std::int64_t all = 0;
      for (const Stream stream : {Stream::Text, Stream::Source}) {
        const int count =
            static_cast<int>((stream == Stream::Text ? of.trace->tokens() : of.trace->source()).size());
        for (int s = stream == Stream::Text ? fixed : 0; s < count; ++s) {
          if (stream == Stream::Text && of.config.causal() && s > at) continue;
          for (int v = 0; v < of.config.vocabulary; ++v) {
            std::vector<int> tokens = of.trace->tokens(), source = of.trace->source();
            int& place = (stream == Stream::Text ? tokens : source)[static_cast<std::size_t>(s)];
            if (place == v) continue;
            place = v, ++all;
            const int now = of.answerOf(tokens, source, of.interventions, at);
            if (now != answer) expected[{stream, s, v}] = now;
          }
        }
      }
      REQUIRE(!expected.empty());
      ReplacementSearch search(*of.model, *of.trace, of.interventions, {at}, fixed, unlimited);
      CHECK(search.all() == all);
      while (!search.isDone()) search.advance(*of.live);
      CHECK(search.tried() == all);
      CHECK(search.found().size() == expected.size());
      for (const auto& [change, flip] : search.found()) {
        const auto known = expected.find({change.stream, change.position, change.token});
        REQUIRE(known != expected.end());
        CHECK(known->second == flip.answer);
        CHECK(std::abs(flip.oldBefore - probability(*of.trace, at, answer)) < 1e-5);
        CHECK(std::abs(flip.newBefore - probability(*of.trace, at, flip.answer)) < 1e-5);
        std::vector<int> tokens = of.trace->tokens(), source = of.trace->source();
        (change.stream == Stream::Text ? tokens : source)[static_cast<std::size_t>(change.position)] =
            change.token;
        const auto after = of.live->run(tokens, of.interventions, source);
        CHECK(std::abs(flip.oldAfter - probability(*after, at, answer)) < 1e-5);
        CHECK(std::abs(flip.newAfter - probability(*after, at, flip.answer)) < 1e-5);
        // What else is probable, and no entry that is left out is more so.
        std::set<int> named{answer, flip.answer};
        for (const OtherShare& other : flip.others) {
          CHECK(named.insert(other.entry).second);
          CHECK(std::abs(other.before - probability(*of.trace, at, other.entry)) < 1e-5);
          CHECK(std::abs(other.after - probability(*after, at, other.entry)) < 1e-5);
        }
        REQUIRE(flip.others.size() == Counterfactual::mostOthers);
        const auto largest = [&](int entry) {
          return std::max(probability(*of.trace, at, entry), probability(*after, at, entry));
        };
        for (int entry = 0; entry < of.config.vocabulary; entry += 3)
          if (!named.contains(entry)) CHECK(largest(entry) <= largest(flip.others.back().entry) + 1e-5);
      }
      // Listed in turns: no place comes again before every other one that has as many has come as often.
      std::map<std::pair<Stream, int>, int> listedAt, foundAt;
      for (const auto& each : search.found()) ++foundAt[{each.change.stream, each.change.position}];
      const auto turns = placeByPlace(search.found());
      CHECK(turns.size() == search.found().size());
      for (const auto* each : turns) {
        const int before = listedAt[{each->change.stream, each->change.position}]++;
        for (const auto& [place, count] : foundAt) CHECK(listedAt[place] >= std::min(count, before));
      }
      for (std::size_t i = 1; i < foundAt.size(); ++i)
        CHECK(turns[i]->flip.newAfter <= turns[i - 1]->flip.newAfter);
      // To one answer alone.
      const int target = expected.begin()->second;
      ReplacementSearch one(*of.model, *of.trace, of.interventions, {at, target}, fixed, unlimited);
      while (!one.isDone()) one.advance(*of.live);
      CHECK(static_cast<std::ptrdiff_t>(one.found().size()) ==
            std::ranges::count_if(expected, [&](const auto& flip) { return flip.second == target; }));
      // A quarter of them: those whose gain along the gradient is largest.
      const std::int64_t most = all / 4;
      ReplacementSearch few(*of.model, *of.trace, of.interventions, {at}, fixed, most);
      while (!few.isDone()) few.advance(*of.live);
      CHECK(few.all() == all);
      CHECK(few.tried() == most);
      CHECK(static_cast<std::int64_t>(few.found().size()) == flipsAmongBest(of, at, fixed, most, expected));
    }
}

TEST_CASE("the smallest sets of heads that flip an answer are those that brute force finds") {
  std::set<int> sizesFound;
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderOnly, Stack::EncoderDecoder})
    for (const int at : {0, 2, 4}) {
      if (isSanitized && at != 2) continue;
      Asked of(stack);
      of.interventions.push_back(headOff({1, 2, ownSite(of.config)}));
      of.trace = of.live->run(of.trace->tokens(), of.interventions, of.trace->source());
      const int answer = likeliestEntry(*of.trace, at);
      HeadSetSearch search(*of.model, *of.trace, of.interventions, {at}, unlimited);
      const int heads = static_cast<int>(search.heads().size());
      CHECK(heads == static_cast<int>(sitesOf(of.config).size()) * of.config.layers * of.config.heads - 1);
      int calls = 0;
      while (!search.isDone() && ++calls < 4000) search.advance(*of.live);
      // Brute force over all sets up to that size.
      std::map<int, std::set<std::set<HeadId>>> expected;
      const int most = search.sizes().back().heads;
      if (most > 3) continue;
      for (unsigned set = 1; set < (1u << std::min(heads, 23)); ++set) {
        const int size = std::popcount(set);
        if (size > most) continue;
        Interventions all = of.interventions;
        std::set<HeadId> off;
        for (int h = 0; h < heads; ++h)
          if (set & (1u << h)) {
            off.insert(search.heads()[static_cast<std::size_t>(h)]);
            all.push_back(headOff(search.heads()[static_cast<std::size_t>(h)]));
          }
        if (likeliestEntry(*of.live->run(of.trace->tokens(), all, of.trace->source()), at) != answer)
          expected[size].insert(off);
      }
      REQUIRE(!expected.empty());
      const auto& [smallest, sets] = *expected.begin();
      CHECK(most == smallest);
      sizesFound.insert(smallest);
      CHECK(search.found().size() == sets.size());
      for (const auto& found : search.found())
        CHECK(sets.contains(std::set<HeadId>(found.heads.begin(), found.heads.end())));
      for (const HeadSetSearch::Size& size : search.sizes()) CHECK(size.tried == size.all);
    }
  CHECK(!sizesFound.empty());
}

namespace {

// The key that a head looks at most, read off the pattern by itself.
int lookedAt(const Trace& trace, const HeadId& head, int query) {
  const std::vector<float> row =
      trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head][query].copy();
  return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

struct HeadAsked {
  Stack stack;
  HeadId head;
  int query;
  int before;  // heads that what it looks at can be made of
  AttentionKernel kernel = AttentionKernel::Softmax;
  MaskTime maskTime = MaskTime::BeforeSoftmax;
};

}  // namespace

TEST_CASE("single tokens, and sets of heads, that flip where a head looks are those that brute force finds") {
  using enum AttentionSite;
  int flips = 0, flipsBySets = 0;
  for (const HeadAsked& each : {
           HeadAsked{Stack::DecoderOnly, {1, 2, Self}, 3, 4},
           HeadAsked{Stack::DecoderOnly, {1, 0, Self}, 4, 4, AttentionKernel::HardArgmax},
           HeadAsked{Stack::DecoderOnly, {1, 1, Self}, 4, 4, AttentionKernel::Linear},
           HeadAsked{
               Stack::DecoderOnly, {1, 3, Self}, 4, 4, AttentionKernel::Softmax, MaskTime::AfterSoftmax},
           HeadAsked{Stack::EncoderOnly, {1, 2, Self}, 2, 4},
           HeadAsked{Stack::EncoderOnly, {0, 1, Self}, 2, 0},
           HeadAsked{Stack::EncoderDecoder, {1, 3, Encoder}, 1, 4},
           HeadAsked{
               Stack::EncoderDecoder, {1, 0, Decoder}, 4, 16},  // all but the last block's own and across
           HeadAsked{Stack::EncoderDecoder, {1, 2, Cross}, 3, 20},
       }) {
    if (isSanitized && each.head.head != 2) continue;
    INFO(nameOf(each.head) << " of " << static_cast<int>(each.stack));
    Asked of(each.stack);
    if (each.kernel != AttentionKernel::Softmax || each.maskTime != MaskTime::BeforeSoftmax) {
      of.config.kernel = each.kernel, of.config.maskTime = each.maskTime;
      of.model = makeModel(of.config), of.live = std::make_unique<LivePass>(of.model, 1);
      of.trace = of.live->run(of.trace->tokens(), of.interventions, {});
    }
    const AnswerAsked asked{each.query, -1, each.head};
    const int answer = lookedAt(*of.trace, each.head, each.query);
    CHECK(answerOf(*of.trace, asked) == answer);
    std::map<Replaced, int> expected;
    std::int64_t all = 0;
    for (const Stream stream : {Stream::Text, Stream::Source}) {
      if (stream == Stream::Text && each.head.site == Encoder) continue;  // it reads none of it
      // Nor does a head of the decoder's first block read the source; none is asked here.
      const int count =
          static_cast<int>((stream == Stream::Text ? of.trace->tokens() : of.trace->source()).size());
      for (int s = 0; s < count; ++s)
        for (int v = 0; v < of.config.vocabulary; ++v) {
          if (stream == Stream::Text && of.config.causal() && s > each.query) continue;
          std::vector<int> tokens = of.trace->tokens(), source = of.trace->source();
          int& place = (stream == Stream::Text ? tokens : source)[static_cast<std::size_t>(s)];
          if (place == v) continue;
          place = v, ++all;
          LivePass fresh(of.model, 1);
          const int now = lookedAt(*fresh.run(tokens, of.interventions, source), each.head, each.query);
          if (now != answer) expected[{stream, s, v}] = now;
        }
    }
    ReplacementSearch search(*of.model, *of.trace, of.interventions, asked, 0, unlimited);
    CHECK(search.all() == all);
    while (!search.isDone()) search.advance(*of.live);
    CHECK(search.found().size() == expected.size());
    flips += static_cast<int>(expected.size());
    const std::string pattern = attentionPoint(each.head.layer, each.head.site, "hook_pattern");
    for (const auto& [change, flip] : search.found()) {
      const auto known = expected.find({change.stream, change.position, change.token});
      REQUIRE(known != expected.end());
      CHECK(known->second == flip.answer);
      std::vector<int> tokens = of.trace->tokens(), source = of.trace->source();
      (change.stream == Stream::Text ? tokens : source)[static_cast<std::size_t>(change.position)] =
          change.token;
      const auto after = of.live->run(tokens, of.interventions, source);
      const TensorView was = (*of.trace)[pattern], is = (*after)[pattern];
      CHECK(flip.oldBefore == was(each.head.head, each.query, answer));
      CHECK(flip.newBefore == was(each.head.head, each.query, flip.answer));
      CHECK(flip.oldAfter == is(each.head.head, each.query, answer));
      CHECK(flip.newAfter == is(each.head.head, each.query, flip.answer));
      for (const OtherShare& other : flip.others) {
        CHECK((other.entry != answer && other.entry != flip.answer));
        CHECK(other.before == was(each.head.head, each.query, other.entry));
        CHECK(other.after == is(each.head.head, each.query, other.entry));
      }
    }
    // To one key alone.
    if (!expected.empty()) {
      const int target = expected.begin()->second;
      ReplacementSearch one(*of.model, *of.trace, of.interventions, {each.query, target, each.head}, 0,
                            unlimited);
      while (!one.isDone()) one.advance(*of.live);
      CHECK(static_cast<std::ptrdiff_t>(one.found().size()) ==
            std::ranges::count_if(expected, [&](const auto& flip) { return flip.second == target; }));
    }

    HeadSetSearch sets(*of.model, *of.trace, of.interventions, asked, 200);
    CHECK(static_cast<int>(sets.heads().size()) == each.before);
    while (!sets.isDone()) sets.advance(*of.live);
    std::set<std::vector<HeadId>> found;
    for (const auto& set : sets.found()) found.insert(set.heads);
    // Brute force over single heads and pairs, of every attention of the model.
    std::vector<HeadId> heads;
    for (const AttentionSite site : sitesOf(of.config))
      for (int layer = 0; layer < blocksAt(of.config, site); ++layer)
        for (int head = 0; head < of.config.heads; ++head) heads.push_back({layer, head, site});
    std::sort(heads.begin(), heads.end());
    std::set<std::vector<HeadId>> single, pairs;
    const auto isFlipped = [&](const std::vector<HeadId>& off) {
      Interventions without = of.interventions;
      for (const HeadId& head : off) without.push_back(headOff(head));
      return lookedAt(*of.live->run(of.trace->tokens(), without, of.trace->source()), each.head,
                      each.query) != answer;
    };
    for (std::size_t i = 0; i < heads.size(); ++i) {
      if (isFlipped({heads[i]})) single.insert({heads[i]});
      for (std::size_t j = i + 1; j < heads.size(); ++j)
        if (isFlipped({heads[i], heads[j]})) pairs.insert({heads[i], heads[j]});
    }
    if (!single.empty()) {
      CHECK(found == single);
    } else if (!pairs.empty()) {
      CHECK(found == pairs);
    } else {
      for (const auto& set : found) CHECK(set.size() > 2);
    }
    flipsBySets += static_cast<int>(found.size());
  }
  CHECK(flips > 100);
  CHECK((flipsBySets > 0 || isSanitized));  // of so few heads none may be
}

TEST_CASE("the guesses of what flips where a head looks are of first order, the gradient's own best first") {
  Asked of(Stack::DecoderOnly);
  const AnswerAsked asked{4, -1, HeadId{1, 2}};
  const int answer = answerOf(*of.trace, asked), other = runnerUp(rowAsked(*of.trace, asked), answer);
  ReplacementSearch search(*of.model, *of.trace, of.interventions, asked, 0, 20);
  // The change of the lead of scores by a small step from the token's embedding towards the other's, by
  // passes.
  const TensorView E = of.model->parameters()["wte.weight"];
  const auto gain = [&](const TokenReplacement& change) {
    const int own = of.trace->tokens()[static_cast<std::size_t>(change.position)];
    constexpr float step = 1e-2f;
    const auto lead = [&](float by) {
      Interventions all = of.interventions;
      for (int d = 0; d < of.config.width; ++d)
        all.push_back({stackPoint(of.config, "hook_embed"),
                       InterventionKind::Add,
                       {change.position, d, -1, -1},
                       by * (E(change.token, d) - E(own, d)) * of.config.embeddingScale()});
      const auto trace = of.live->run(of.trace->tokens(), all, {});
      const TensorView row = (*trace)["blocks.1.attn.hook_attn_scores"][2][4];
      return row(other) - row(answer);
    };
    return (lead(step) - lead(-step)) / (2 * step);
  };
  std::vector<float> gains;
  for (; !search.isDone(); search.advance(*of.live)) gains.push_back(gain(search.next()));
  REQUIRE(gains.size() == 20);
  CHECK(gains.front() > 0);
  for (std::size_t i = 1; i < gains.size(); ++i)
    CHECK(gains[i] < gains[i - 1] + 5e-3f * std::abs(gains.front()));
}

TEST_CASE("where not all sets of heads can be tried, that is told, and no larger ones are") {
  Asked of(Stack::DecoderOnly);
  HeadSetSearch search(*of.model, *of.trace, of.interventions, {4, 39}, 10);
  while (!search.isDone()) search.advance(*of.live);
  for (const HeadSetSearch::Size& size : search.sizes()) CHECK(size.tried <= 10);
  if (search.found().empty()) {
    CHECK(search.sizes().size() == 2);  // 8 heads; of the 28 pairs those of the best 5 heads
    CHECK(search.sizes().back().tried == 10);
    CHECK(search.sizes().back().all == 28);
  }
}
