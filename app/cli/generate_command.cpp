#include "app/cli/generate_command.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "app/cli/choices_option.h"
#include "app/cli/prompt.h"
#include "app/document/text_edit.h"
#include "core/decode/many_samples.h"
#include "core/decode/sampling_chain.h"
#include "core/decode/speculative.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

// Bytes that are no valid UTF-8 would make the JSON library refuse the text.
std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

Json tokensJson(const Tokenizer& tokenizer, std::span<const int> tokens) {
  Json list = Json::array();
  for (const int id : tokens) list.push_back({{"id", id}, {"label", tokenizer.tokenLabel(id)}});
  return list;
}

Json treeJson(const Tokenizer& tokenizer, const BeamTree& tree) {
  static constexpr const char* states[] = {"kept", "finished", "pruned"};
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
                     {"state", states[static_cast<int>(node.state)]},
                     {"beaten_by", node.beatenBy},
                     {"greedy", node.greedy}});
  return {{"best", tree.best},
          {"hypotheses", tree.hypotheses},
          {"first_ended", tree.firstEnded},
          {"ended_at", tree.endedAt},
          {"nodes", nodes}};
}

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

// Each token with what every stage of sampling left when it was drawn, and the number that drew it.
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

// The token that adds these bytes to a text; -1: there is none.
int idWritten(const Tokenizer& tokenizer, const std::string& bytes) {
  for (int id = 0; id < tokenizer.vocabularySize(); ++id)
    if (tokenizer.writtenBehind(id) == bytes) return id;
  return -1;
}

// Behind a text a word keeps the space in front of it, which at the beginning of one it has not.
std::string written(const Tokenizer& tokenizer, std::span<const int> tokens, bool isBehind) {
  if (!isBehind) return tokenizer.decode(tokens);
  std::string text;
  for (const int id : tokens) text += tokenizer.writtenBehind(id);
  return text;
}

// What one pass of the model made of what was proposed.
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

// One of several continuations, and how probable the model finds it.
struct Told {
  std::vector<int> tokens;
  double logProbability = 0;
  std::optional<double> score = {};  // of a hypothesis of a beam
  int count = 1;                     // samples that are alike
  std::optional<std::uint64_t> seed = {};
};

std::vector<Told> bestOf(const BeamTree& tree, int most) {
  std::vector<Told> told;
  for (const int node : tree.hypotheses) {
    if (static_cast<int>(told.size()) == most) break;
    const BeamNode& last = tree.nodes[static_cast<std::size_t>(node)];
    told.push_back({.tokens = tree.path(node), .logProbability = last.cumulative, .score = last.score});
  }
  return told;
}

std::vector<Told> toldBy(const ManySamples& samples) {
  std::vector<Told> told;
  for (const Continuation& c : samples.continuations())
    told.push_back({.tokens = c.tokens, .logProbability = c.model, .count = c.count, .seed = c.seed});
  return told;
}

Json toldJson(const Tokenizer& tokenizer, const Told& told, const std::string& continuation) {
  Json json{{"tokens", tokensJson(tokenizer, told.tokens)},
            {"continuation", continuation},
            {"log_probability", told.logProbability}};
  if (told.score) json["score"] = *told.score;
  if (told.seed) json["count"] = told.count, json["seed"] = *told.seed;
  return json;
}

// A line each: how probable, how often where it was drawn, and what it says.
void printLine(const Told& told, const std::string& continuation) {
  std::printf("%9.4f  ", told.logProbability);
  if (told.seed) std::printf("%4d x  ", told.count);
  std::printf("%s\n", displayable(continuation).c_str());
}

}  // namespace

Status GenerateCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const Tokenizer& tokenizer = *loaded->tokenizer;
  if (explain && strategy != "sampling")
    return Error{"only sampling has stages to explain", "--explain", "add --strategy sampling"};
  if (!until.empty() && strategy == "beam")
    return Error{"beam search weighs continuations of one length", "--until", "leave it out, or sample"};
  if (branches > 0 && strategy == "greedy")
    return Error{"greedy decoding has one continuation", "--branches", "add --strategy beam or sampling"};
  if (branches > 0 && (explain || !until.empty()))
    return Error{"several continuations are told whole", "--branches", "leave out --explain and --until"};
  if (!draft.empty() && (strategy == "beam" || branches > 0 || explain || !until.empty()))
    return Error{"a draft proposes for one text, greedily or by sampling", "--draft",
                 "leave out --branches, --explain, --until and --strategy beam"};
  const ModelConfig& config = loaded->transformer->config();
  if (config.stack == Stack::EncoderOnly)
    return Error{"this model fills gaps in a text; it does not go on writing", "generate",
                 "see what it fills them with: render --view next_token"};
  const auto prompt = promptOf(tokenizer, config, text, source);
  if (!prompt) return prompt.error();

  Constraint wanted{match, text, {}};
  for (const std::string& token : banned) {
    const int id = idWritten(tokenizer, token);
    if (id < 0)
      return Error{"no token is written " + inQuotes(token), "--ban", "see what there is: tokenize"};
    wanted.banned.push_back(id);
  }
  const auto constraint = ConstraintCheck::create(wanted, loaded->tokenizer, text);
  if (!constraint) return Error{constraint.error().what, "--match", ""};

  LivePass pass(loaded->transformer);
  const std::size_t longest = prompt->tokens.size() + static_cast<std::size_t>(count);
  const auto most = static_cast<std::size_t>(config.context);
  if (Status fits = pass.checkMemory(std::min(longest, most), prompt->source.size()); !fits) return fits;
  const NextTokenLogits logits = nextTokenLogits(pass, {}, prompt->source);
  const int context = config.context;
  std::vector<int> tokens;
  std::vector<Told> told;
  Json result{{"model", loaded->name}, {"prompt", text}, {"strategy", strategy}};
  if (config.reads()) result["source"] = source;
  if (strategy == "beam") {
    BeamSettings settings = beam;
    settings.depth = count;
    settings.endOfText = tokenizer.endOfText();
    settings.context = context;
    settings.constraint = *constraint;
    const BeamTree tree = beamSearch(logits, prompt->tokens, settings);
    tokens = tree.path(tree.best);
    if (branches > 0) told = bestOf(tree, branches);
    if (json) result["tree"] = treeJson(tokenizer, tree);
  } else if (!draft.empty()) {
    const auto drafting = library.load(draft);
    if (!drafting) return drafting.error();
    if (!sharesTokens(*drafting->tokenizer, tokenizer) ||
        drafting->transformer->config().stack != config.stack)
      return Error{inQuotes(draft) + " has other tokens than " + inQuotes(model), "--draft",
                   "only a model with the same vocabulary can propose"};
    SamplingSettings settings = sampling;
    settings.greedy = strategy == "greedy";
    settings.constraint = *constraint;
    LivePass drafted(drafting->transformer);
    Speculation speculation(prompt->tokens, settings, proposals, count,
                            std::min(context, drafting->transformer->config().context),
                            tokenizer.endOfText());
    Json rounds = Json::array();
    while (!speculation.isDone())
      rounds.push_back(
          roundJson(tokenizer, speculation.advance(logitsOfPrefixes(pass, {}, prompt->source),
                                                   nextTokenLogits(drafted, {}, prompt->source))));
    tokens.assign(speculation.text().begin() + static_cast<std::ptrdiff_t>(prompt->tokens.size()),
                  speculation.text().end());
    if (json) result["draft"] = draft, result["rounds"] = std::move(rounds);
  } else if (branches > 0) {
    SamplingSettings settings = sampling;
    settings.constraint = *constraint;
    ManySamples samples(prompt->tokens, settings, branches, count, context, tokenizer.endOfText());
    while (!samples.isDone()) samples.advance(logits);
    told = toldBy(samples);
    tokens = told.front().tokens;
  } else {
    SamplingSettings settings = sampling;
    settings.greedy = strategy == "greedy";
    settings.constraint = *constraint;
    std::vector<std::vector<float>> answers;
    const NextTokenLogits noted = [&](std::span<const int> before) {
      std::vector<float> answer = logits(before);
      if (explain) answers.push_back(answer);
      return answer;
    };
    const GoesOn goesOn = [&](std::span<const int> added) {
      return until.empty() || tokenizer.decode(added).find(until) == std::string::npos;
    };
    tokens = generate(noted, prompt->tokens, count, settings, context, tokenizer.endOfText(), goesOn);
    if (explain) result["steps"] = stepsJson(tokenizer, answers, prompt->tokens, tokens, settings);
  }
  const auto wordsOf = [&](const std::vector<int>& added) {
    const bool ended = !added.empty() && added.back() == tokenizer.endOfText();
    return written(tokenizer, std::span(added).first(added.size() - (ended ? 1 : 0)), !text.empty());
  };
  const std::string continuation = wordsOf(tokens);
  if (json || explain) {
    result["tokens"] = tokensJson(tokenizer, tokens);
    result["continuation"] = continuation;
    for (const Told& one : told) result["branches"].push_back(toldJson(tokenizer, one, wordsOf(one.tokens)));
    if (!match.empty()) result["matches"] = constraint->isWhole(tokens);
    std::printf("%s\n", dumped(result).c_str());
  } else if (!told.empty()) {
    for (const Told& one : told) printLine(one, wordsOf(one.tokens));
  } else {
    std::printf("%s%s\n", text.c_str(), continuation.c_str());
  }
  if (!constraint->isWhole(tokens))
    return Error{"the continuation ends before it matches " + inQuotes(match), "--match",
                 static_cast<int>(tokens.size()) < count ? "no token leads on" : "allow more --tokens"};
  return success();
}

}  // namespace glassformer
