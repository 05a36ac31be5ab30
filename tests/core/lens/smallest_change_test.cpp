// What flips an answer, against brute force.
#include "core/lens/smallest_change.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "core/lens/contributions.h"
#include "core/lens/influence.h"
#include "core/model/point_names.h"
#include "tests/core/model/family_members.h"

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
    trace = live->run(randomTokens(5, 3), interventions, randomTokens(config.reads() ? 4 : 0, 4));
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
  measureInfluence(*of.model, *of.trace, of.interventions, {at, runnerUp(*of.trace, at, answer)}, gained);
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
