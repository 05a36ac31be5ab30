#include "app/cli/generate_command.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>

#include "app/cli/asked.h"
#include "app/cli/choices_option.h"
#include "app/cli/generate_json.h"
#include "app/cli/prompt.h"
#include "app/document/decoding_numbers.h"
#include "app/document/text_edit.h"
#include "app/engine/decoder.h"
#include "app/engine/token_ids.h"
#include "core/decode/many_samples.h"
#include "core/text/text_pipeline.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

// Bytes that are no valid UTF-8 would make the JSON library refuse the text.
std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

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

// What a strategy wrote, and what JSON says besides.
struct Generated {
  std::vector<int> tokens;
  std::vector<Told> told;  // where several continuations are asked for
  Json notes = Json::object();
};

// One run of the command, once everything it asks for is known to be there.
class Generation {
 public:
  Generation(const GenerateCommand& asked, const LoadedModel& model, Prompt prompt,
             ConstraintCheck constraint)
      : asked_(asked),
        model_(model),
        prompt_(std::move(prompt)),
        constraint_(std::move(constraint)),
        pass_(model.transformer) {}

  Status checkMemory() const {
    const std::size_t longest = prompt_.tokens.size() + static_cast<std::size_t>(decoding().depth);
    return pass_.checkMemory(std::min(longest, static_cast<std::size_t>(config().context)),
                             prompt_.source.size());
  }

  Result<Generated> run(const ModelLibrary& library) {
    if (decoding().strategy == DecodingStrategy::Beam) return byBeam();
    if (!asked_.draft.empty()) return byDraft(library);
    return asked_.branches > 0 ? byManySamples() : tokenByToken();
  }

  Status tell(const Generated& generated) const {
    const std::string continuation = wordsOf(generated.tokens);
    if (asked_.json || asked_.explain)
      std::printf("%s\n", dumped(asJson(generated, continuation)).c_str());
    else if (generated.told.empty())
      std::printf("%s%s\n", asked_.text.c_str(), continuation.c_str());
    for (const Told& one : generated.told)
      if (!asked_.json) printLine(one, wordsOf(one.tokens));
    const std::optional<DeadEnd> end = deadEnd(generated.tokens);
    if (!end && constraint_.isWhole(generated.tokens)) return success();
    const std::string matches = asked_.match.empty() ? "is done" : "matches " + inQuotes(asked_.match);
    return Error{"the continuation ends before it " + matches +
                     (end ? ": no token " + std::to_string(end->step) + ", for " + describe(*end) : ""),
                 asked_.match.empty() ? "--ban" : "--regex",
                 !end              ? "allow more --max-new-tokens"
                 : end->banned > 0 ? "ban fewer tokens"
                                   : "try another pattern, or --strategy beam"};
  }

 private:
  const ModelConfig& config() const { return model_.transformer->config(); }
  const Tokenizer& tokenizer() const { return *model_.tokenizer; }
  NextTokenLogits logits() { return nextTokenLogits(pass_, {}, prompt_.source); }

  const Decoding& decoding() const { return asked_.decoding; }
  SamplingSettings sampling() const { return samplingSettings(decoding().strategy, decoding(), constraint_); }

  // Where a continuation stops that nothing else ended.
  std::optional<DeadEnd> deadEnd(const std::vector<int>& added) const {
    const bool isEnded = !added.empty() && endsText(tokenizer(), added.back());
    if (isEnded || static_cast<int>(added.size()) >= decoding().depth ||
        static_cast<int>(prompt_.tokens.size() + added.size()) >= config().context)
      return std::nullopt;
    if (!asked_.until.empty() && tokenizer().decode(added).find(asked_.until) != std::string::npos)
      return std::nullopt;
    return constraint_.deadEnd(added, config().vocabulary);
  }

  Generated byBeam() {
    const BeamTree tree =
        beamSearch(logits(), prompt_.tokens,
                   beamSettings(decoding(), textEnds(tokenizer()), config().context, constraint_));
    Generated generated{.tokens = tree.path(tree.best)};
    if (asked_.branches > 0) generated.told = bestOf(tree, asked_.branches);
    if (asked_.json) generated.notes["tree"] = treeJson(tokenizer(), tree);
    return generated;
  }

  Result<Generated> byDraft(const ModelLibrary& library) {
    const auto drafting = library.load(asked_.draft);
    if (!drafting) return drafting.error();
    const ModelConfig& ofDraft = drafting->transformer->config();
    if (!sharesTokens(*drafting->tokenizer, tokenizer()) || ofDraft.stack != config().stack)
      return Error{inQuotes(asked_.draft) + " has other tokens than " + inQuotes(asked_.model),
                   "--draft-model", "only a model with the same vocabulary can propose"};
    LivePass draft(drafting->transformer);
    Speculation speculation(prompt_.tokens, sampling(), asked_.proposals, decoding().depth,
                            std::min(config().context, ofDraft.context), textEnds(tokenizer()));
    Json rounds = Json::array();
    while (!speculation.isDone())
      rounds.push_back(
          roundJson(tokenizer(), speculation.advance(logitsOfPrefixes(pass_, {}, prompt_.source),
                                                     nextTokenLogits(draft, {}, prompt_.source))));
    const auto& text = speculation.text();
    return Generated{
        .tokens = {text.begin() + static_cast<std::ptrdiff_t>(prompt_.tokens.size()), text.end()},
        .notes = {{"draft", asked_.draft}, {"rounds", std::move(rounds)}}};
  }

  Generated byManySamples() {
    ManySamples samples(prompt_.tokens, sampling(), asked_.branches, decoding().depth, config().context,
                        textEnds(tokenizer()));
    const NextTokenLogits answers = logits();
    while (!samples.isDone()) samples.advance(answers);
    std::vector<Told> told = toldBy(samples);
    return {.tokens = told.front().tokens, .told = told};
  }

  Generated tokenByToken() {
    std::vector<std::vector<float>> answers;
    const NextTokenLogits noted = [&, logits = logits()](std::span<const int> before) {
      std::vector<float> answer = logits(before);
      if (asked_.explain) answers.push_back(answer);
      return answer;
    };
    const GoesOn goesOn = [&](std::span<const int> added) {
      return asked_.until.empty() || tokenizer().decode(added).find(asked_.until) == std::string::npos;
    };
    const SamplingSettings settings = sampling();
    Generated generated{.tokens = generate(noted, prompt_.tokens, decoding().depth, settings,
                                           config().context, textEnds(tokenizer()), goesOn)};
    if (asked_.explain)
      generated.notes["steps"] = stepsJson(tokenizer(), answers, prompt_.tokens, generated.tokens, settings);
    return generated;
  }

  // What tokens add to the text, without the sign that ends it. Behind a text a word keeps the space in front
  // of it, which at the beginning of one it has not.
  std::string wordsOf(std::span<const int> added) const {
    const auto isSign = [&](int id) { return endsText(tokenizer(), id) && tokenizer().isSpecial(id); };
    if (!added.empty() && isSign(added.back())) added = added.first(added.size() - 1);
    if (asked_.text.empty()) return tokenizer().decode(added);
    std::string words;
    for (const int id : added) words += tokenizer().writtenBehind(id);
    return words;
  }

  Json asJson(const Generated& generated, const std::string& continuation) const {
    Json json{{"model", model_.name}, {"prompt", asked_.text}, {"strategy", idOf(decoding().strategy)}};
    if (config().isEncoderDecoder()) json["source"] = asked_.source;
    json["question"] = questionJson(askedOf(model_, asked_.choices, {asked_.text, asked_.source}));
    json.update(generated.notes);
    json["tokens"] = tokensJson(tokenizer(), generated.tokens);
    json["continuation"] = continuation;
    for (const Told& one : generated.told)
      json["branches"].push_back(toldJson(tokenizer(), one, wordsOf(one.tokens)));
    if (!asked_.match.empty()) json["matches"] = constraint_.isWhole(generated.tokens);
    if (const auto end = deadEnd(generated.tokens)) json["dead_end"] = deadEndJson(*end);
    return json;
  }

  const GenerateCommand& asked_;
  const LoadedModel& model_;
  Prompt prompt_;
  ConstraintCheck constraint_;
  LivePass pass_;
};

}  // namespace

// What cannot be had together.
Status GenerateCommand::check(const ModelConfig& config) const {
  using enum DecodingStrategy;
  const DecodingStrategy strategy = decoding.strategy;
  if (explain && strategy != Sampling)
    return Error{"only sampling has filters to explain", "--explain", "add --strategy sampling"};
  if (!until.empty() && strategy == Beam)
    return Error{"beam search weighs continuations of one length", "--stop", "leave it out, or sample"};
  if (branches > 0 && strategy == Greedy)
    return Error{"greedy decoding has one continuation", "--num-return-sequences",
                 "add --strategy beam or sampling"};
  if (strategy == Beam && branches > decoding.beamWidth)
    return Error{"a beam of " + std::to_string(decoding.beamWidth) + " has no " + std::to_string(branches) +
                     " hypotheses",
                 "--num-return-sequences", "give --num-beams " + std::to_string(branches) + " or more"};
  if (branches > 0 && (explain || !until.empty()))
    return Error{"several continuations are printed whole", "--num-return-sequences",
                 "remove --explain and --stop"};
  if (!draft.empty() && (strategy == Beam || branches > 0 || explain || !until.empty()))
    return Error{"a draft proposes for one text, greedily or by sampling", "--draft-model",
                 "remove --num-return-sequences, --explain, --stop and --strategy beam"};
  if (config.stack == Stack::EncoderOnly)
    return Error{"this model predicts masked tokens; it cannot continue a text", "generate",
                 "see its predictions: render --view next_token"};
  return success();
}

Result<ConstraintCheck> GenerateCommand::constraint(std::shared_ptr<const Tokenizer> tokenizer,
                                                    const ModelConfig& config, int read) const {
  Constraint wanted{match, text, {}};
  for (const std::string& token : banned) {
    const auto id = tokenWritten(token, *tokenizer, "--ban");
    if (!id) return id.error();
    if (Status known = checkRows({*id}, *tokenizer, config, "--ban"); !known) return known.error();
    wanted.banned.push_back(*id);
  }
  auto made = ConstraintCheck::create(wanted, std::move(tokenizer), text);
  if (!made) return Error{made.error().what, "--regex", ""};
  made->holdTo(config, read);
  return made;
}

Status GenerateCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const ModelConfig& config = loaded->transformer->config();
  if (Status possible = check(config); !possible) return possible;
  const auto prompt = promptOf(*loaded->tokenizer, config, text, source);
  if (!prompt) return prompt.error();
  const auto matched = constraint(loaded->tokenizer, config, static_cast<int>(prompt->tokens.size()));
  if (!matched) return matched.error();
  Generation generation(*this, *loaded, *prompt, *matched);
  if (Status fits = generation.checkMemory(); !fits) return fits;
  const auto generated = generation.run(library);
  return generated ? generation.tell(*generated) : generated.error();
}

}  // namespace glassformer
