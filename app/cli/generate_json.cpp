#include "app/cli/generate_json.h"

#include <algorithm>
#include <cmath>

#include "core/decode/sampling_chain.h"

namespace glassformer {

namespace {

using Json = nlohmann::json;

}  // namespace

Json tokensJson(const Tokenizer& tokenizer, std::span<const int> tokens) {
  Json list = Json::array();
  for (const int id : tokens) list.push_back({{"id", id}, {"label", tokenizer.tokenLabel(id)}});
  return list;
}

Json deadEndJson(const DeadEnd& end) {
  return {{"step", end.step},
          {"written", end.written},
          {"wanted", end.wanted},
          {"banned", end.banned},
          {"words", describe(end)}};
}

Json treeJson(const Tokenizer& tokenizer, const BeamTree& tree) {
  static constexpr const char* states[] = {"kept", "finished", "pruned", "dead end"};
  Json nodes = Json::array();
  for (const BeamNode& node : tree.nodes)
    nodes.push_back({{"parent", node.parent},
                     {"token", node.token},
                     {"label", node.token < 0 ? "" : tokenizer.tokenLabel(node.token)},
                     {"depth", node.depth},
                     {"log_probability", node.logProbability},
                     {"cumulative", node.cumulative},
                     {"score", node.score},
                     {"ranked", node.ranked},
                     {"rank", node.rank},
                     {"group", node.group},
                     {"repeats", node.repeats},
                     {"state", states[static_cast<int>(node.state)]},
                     {"beaten_by", node.beatenBy},
                     {"greedy", node.greedy}});
  Json deadEnds = Json::array();
  for (const auto& [node, end] : tree.deadEnds) {
    deadEnds.push_back(deadEndJson(end));
    deadEnds.back()["node"] = node;
  }
  return {{"best", tree.best},
          {"dead_ends", std::move(deadEnds)},
          {"hypotheses", tree.hypotheses},
          {"first_ended", tree.firstEnded},
          {"ended_at", tree.endedAt},
          {"nodes", nodes}};
}

namespace {

// What one stage leaves: how many tokens, how undecided, and the likeliest of them.
Json stageJson(const Tokenizer& tokenizer, const TensorSet& chain, const StageNumbers& numbers, int g) {
  constexpr std::size_t mostTokens = 10;
  const ChainLink link = chainLink(chain[chain::stage], g);
  const TensorView p = chain[chain::probability], before = chain[chain::before];
  std::vector<int> left;
  for (int token = 0; token < p.extent[1]; ++token)
    if (std::isfinite(before(g, token))) left.push_back(token);
  std::ranges::stable_sort(left, std::greater{}, [&](int token) { return p(g, token); });
  Json likeliest = Json::array();
  for (const int token : std::span(left).first(std::min(left.size(), mostTokens)))
    likeliest.push_back(
        {{"id", token}, {"label", tokenizer.tokenLabel(token)}, {"probability", p(g, token)}});
  Json json{{"stage", link.id()},
            {"left", left.size()},
            {"entropy", chain[chain::entropy](g)},
            {"likeliest", std::move(likeliest)}};
  if (link.stage) json["number"] = numbers.of(*link.stage);
  return json;
}

}  // namespace

Json stepsJson(const Tokenizer& tokenizer, std::span<const std::vector<float>> answers,
               std::span<const int> prompt, std::span<const int> added, const SamplingSettings& settings) {
  Random random(settings.seed);
  Json steps = Json::array();
  for (std::size_t i = 0; i < added.size(); ++i) {
    TensorSet chain;
    measureSamplingChain(answers[i], prompt, added.first(i), settings, random.uniform01(), chain);
    Json stages = Json::array();
    for (int g = 0; g < chain[chain::stage].extent[0]; ++g)
      stages.push_back(stageJson(tokenizer, chain, settings.stages, g));
    steps.push_back({{"id", added[i]},
                     {"label", tokenizer.tokenLabel(added[i])},
                     {"u", chain[chain::draw](0)},
                     {"stages", std::move(stages)}});
  }
  return steps;
}

Json roundJson(const Tokenizer& tokenizer, const SpeculativeRound& round) {
  Json proposals = Json::array();
  for (const Proposal& p : round.proposals)
    proposals.push_back({{"id", p.token},
                         {"label", tokenizer.tokenLabel(p.token)},
                         {"draft", p.draft},
                         {"target", p.target},
                         {"u", p.u},
                         {"accepted", p.accepted}});
  return {{"proposals", std::move(proposals)},
          {"dropped", tokensJson(tokenizer, round.dropped)},
          {"own", round.token < 0 ? Json() : tokensJson(tokenizer, std::span(&round.token, 1))[0]},
          {"corrects", round.isCorrection}};
}

}  // namespace glassformer
