#include "app/cli/heads_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/choices_option.h"
#include "app/cli/percent_lines.h"
#include "app/cli/text_lines.h"
#include "app/engine/pattern_rules.h"
#include "core/lens/head_finder.h"
#include "core/lens/hypothesis_scores.h"
#include "core/lens/recovered_loss.h"
#include "core/model/live_pass.h"
#include "core/train/held_out_texts.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;
using TokenTexts = std::vector<TokenText>;

Status checkMemoryFor(const LivePass& pass, const TokenTexts& texts) {
  std::size_t tokens = 0, source = 0;
  for (const TokenText& text : texts)
    tokens = std::max(tokens, text.tokens.size()), source = std::max(source, text.source.size());
  return pass.checkMemory(tokens, source);
}

// In place of the texts random tokens of them, said twice.
Result<TokenTexts> sayTwice(const LoadedModel& model, const TokenTexts& texts, std::uint64_t seed) {
  const Tokenizer& tokenizer = *model.tokenizer;
  const int context = model.transformer->config().context;
  const bool hasWords = std::ranges::any_of(texts, [&](const TokenText& text) {
    return std::ranges::any_of(text.tokens, [&](int id) { return !tokenizer.isSpecial(id); });
  });
  if (!hasWords || context < 3)
    return Error{"there is nothing that could be said twice", "--repeats", "give a longer text"};
  return repeatedTexts(texts, tokenizer, context, seed);
}

HeadFinder readAll(const ModelConfig& config, LivePass& pass, const TokenTexts& texts) {
  const Watch watch = percentLines(stderr, "reading the texts", std::chrono::seconds(1));
  HeadFinder finder(config);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    watch(static_cast<int>(i), static_cast<int>(texts.size()));
    finder.add(*pass.run(texts[i].tokens, {}, texts[i].source));
  }
  return finder;
}

Json fitsJson(const std::vector<HeadFit>& fits) {
  Json heads = Json::array();
  for (const HeadFit& fit : fits)
    heads.push_back({{"head", nameOf(fit.head)},
                     {"layer", fit.head.layer},
                     {"index", fit.head.head},
                     {"mean", fit.mean},
                     {"deviation", fit.deviation},
                     {"texts", fit.texts}});
  return heads;
}

void printJson(const HeadFinder& finder, const std::string& model, std::size_t texts) {
  Json json{{"model", model}, {"texts", texts}, {"hypotheses", Json::array()}};
  for (std::size_t i = 0; i < headHypotheses().size(); ++i) {
    const HeadHypothesis& hypothesis = headHypotheses()[i];
    json["hypotheses"].push_back({{"id", hypothesis.id},
                                  {"name", hypothesis.name},
                                  {"meaning", hypothesis.meaning},
                                  {"equation", hypothesis.equation},
                                  {"heads", fitsJson(finder.fits(i))}});
  }
  std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

void printTable(const HeadFinder& finder, int best) {
  for (std::size_t i = 0; i < headHypotheses().size(); ++i) {
    const HeadHypothesis& hypothesis = headHypotheses()[i];
    const std::vector<HeadFit> fits = finder.fits(i);
    std::printf("%s: %s   %s\n", std::string(hypothesis.name).c_str(),
                std::string(hypothesis.meaning).c_str(), std::string(hypothesis.equation).c_str());
    if (fits.empty()) std::printf("  no text says anything about it\n");
    for (std::size_t k = 0; k < std::min(fits.size(), static_cast<std::size_t>(best)); ++k)
      std::printf("  %-12s %.3f +- %.3f   in %d texts\n", nameOf(fits[k].head).c_str(), fits[k].mean,
                  fits[k].deviation, fits[k].texts);
  }
}

// A hypothesis, every head held against it, and what the best heads lose when it takes their place.
struct Tried {
  HypothesisScores scores;
  std::vector<RecoveredLoss> best;  // of ranked(), as many as there is a loss of
};

Result<std::vector<PatternHypothesis>> readHypotheses(const std::vector<std::string>& written) {
  std::vector<PatternHypothesis> all;
  for (const std::string& text : written) {
    auto read = PatternHypothesis::read(text);
    if (!read) return Error{read.error().message(), "--hypothesis " + text, ""};
    all.push_back(std::move(*read));
  }
  return all;
}

std::vector<Tried> tryAll(const LoadedModel& model, LivePass& pass, const TokenTexts& texts,
                          const std::vector<PatternHypothesis>& hypotheses, int best) {
  const ModelConfig& config = model.transformer->config();
  std::vector<Tried> all;
  for (const PatternHypothesis& hypothesis : hypotheses) all.push_back({{hypothesis, config}, {}});
  const int count = static_cast<int>(texts.size());
  const Watch reading = percentLines(stderr, "reading the texts", std::chrono::seconds(1));
  for (int i = 0; i < count; ++i) {
    reading(i, count);
    const TokenText& text = texts[static_cast<std::size_t>(i)];
    const auto trace = pass.run(text.tokens, {}, text.source);
    const auto over = lookedOverBy(*wordingOf(model.tokenizer), config, *trace);
    for (Tried& each : all) each.scores.add(*trace, over, i);
  }
  if (!whyNoRecoveredLoss(config).empty()) return all;
  const Watch replacing = percentLines(stderr, "replacing heads", std::chrono::seconds(1));
  for (Tried& each : all) {
    std::vector<HeadId> heads = each.scores.ranked();
    heads.resize(std::min(heads.size(), static_cast<std::size_t>(best)));
    for (std::size_t k = 0; k < heads.size(); ++k) {
      RecoveredLoss loss(heads[k], each.scores.hypothesis(), wordingOf(model.tokenizer), config);
      for (int i = 0; i < count; ++i) {
        replacing(static_cast<int>(k) * count + i, static_cast<int>(heads.size()) * count);
        const TokenText& text = texts[static_cast<std::size_t>(i)];
        loss.add(pass, text.tokens, text.source);
      }
      each.best.push_back(std::move(loss));
    }
  }
  return all;
}

// Where a head does something else: what it looks at there most, and what the hypothesis says.
struct Counterexample {
  std::string text, source, query, looksAt, said;
  int position = 0;
  float agreement = 0;
};

std::string likeliestKey(const LookedOver& over, const TensorView& row) {
  const auto most = std::max_element(row.data, row.data + over.keyCount());
  return over.keys.texts[static_cast<std::size_t>(most - row.data)];
}

Counterexample counterexample(const LoadedModel& model, LivePass& pass, const TokenText& text,
                              const Tried& tried, HeadId head, const HypothesisScores::OfText& of) {
  const auto trace = pass.run(text.tokens, {}, text.source);
  const LookedOver over = lookedOver(*wordingOf(model.tokenizer), model.transformer->config(), head.site,
                                     text.tokens, text.source);
  const Tensor pattern = tried.scores.hypothesis().pattern(over);
  const TensorView attention = (*trace)[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  return {model.tokenizer->decode(text.tokens),
          model.tokenizer->decode(text.source),
          over.queries.texts[static_cast<std::size_t>(of.worst)],
          likeliestKey(over, attention[of.worst]),
          likeliestKey(over, pattern.view()[of.worst]),
          of.worst,
          of.agreement};
}

std::vector<Counterexample> counterexamples(const LoadedModel& model, LivePass& pass, const TokenTexts& texts,
                                            const Tried& tried, int most) {
  std::vector<Counterexample> all;
  const std::vector<HeadId> ranked = tried.scores.ranked();
  if (ranked.empty()) return all;
  for (const auto& of : tried.scores.worstFirst(ranked.front(), static_cast<std::size_t>(most)))
    all.push_back(
        counterexample(model, pass, texts[static_cast<std::size_t>(of.text)], tried, ranked.front(), of));
  return all;
}

Json lossJson(const RecoveredLoss& loss) {
  Json json{{"clean", loss.clean()},
            {"ablated", loss.ablated()},
            {"replaced", loss.replaced()},
            {"ablation", "uniform"},
            {"recovered", nullptr},
            {"answersKept", loss.answersKept()},
            {"answersKeptAblated", loss.answersKeptAblated()}};
  if (const double recovered = loss.recovered(); recovered == recovered) json["recovered"] = recovered;
  return json;
}

Json triedJson(const Tried& tried, const std::vector<Counterexample>& examples) {
  Json json{{"hypothesis", tried.scores.hypothesis().text()},
            {"heads", Json::array()},
            {"counterexamples", Json::array()}};
  const std::vector<HeadId> ranked = tried.scores.ranked();
  for (std::size_t k = 0; k < ranked.size(); ++k) {
    const Agreement& fit = tried.scores.of(ranked[k]);
    Json head{{"head", nameOf(ranked[k])},    {"layer", ranked[k].layer},
              {"index", ranked[k].head},      {"agreement", fit.mean()},
              {"deviation", fit.deviation()}, {"coverage", fit.coverage()},
              {"texts", fit.texts()},         {"distribution", tried.scores.distribution(ranked[k])}};
    if (k < tried.best.size()) head["loss"] = lossJson(tried.best[k]);
    json["heads"].push_back(std::move(head));
  }
  for (const Counterexample& each : examples)
    json["counterexamples"].push_back({{"text", each.text},
                                       {"source", each.source},
                                       {"agreement", each.agreement},
                                       {"position", each.position},
                                       {"query", each.query},
                                       {"looksAt", each.looksAt},
                                       {"hypothesis", each.said}});
  return json;
}

void printTried(const Tried& tried, const std::vector<Counterexample>& examples, int best) {
  const std::vector<HeadId> ranked = tried.scores.ranked();
  std::printf("%s\n", tried.scores.hypothesis().text().c_str());
  if (ranked.empty()) std::printf("  no text says anything about it\n");
  for (std::size_t k = 0; k < std::min(ranked.size(), static_cast<std::size_t>(best)); ++k) {
    const Agreement& fit = tried.scores.of(ranked[k]);
    std::printf("  %-12s agreement %.3f +- %.3f, says something of %.0f %% of the rows",
                nameOf(ranked[k]).c_str(), fit.mean(), fit.deviation(), 100 * fit.coverage());
    if (k < tried.best.size()) {
      const RecoveredLoss& loss = tried.best[k];
      const double recovered = loss.recovered();
      if (recovered == recovered)
        std::printf("; recovers %.1f %% of the loss", 100 * recovered);
      else
        std::printf("; looking evenly costs nothing here");
      std::printf(" (%.4f as it is, %.4f even, %.4f so), %.1f %% of answers kept", loss.clean(),
                  loss.ablated(), loss.replaced(), 100 * loss.answersKept());
    }
    std::printf("\n");
  }
  if (!examples.empty()) std::printf("  where %s does something else:\n", nameOf(ranked.front()).c_str());
  for (const Counterexample& each : examples)
    std::printf("  %.3f  at %d, \"%s\" looks at \"%s\", not at \"%s\": %s%s\n",
                static_cast<double>(each.agreement), each.position, each.query.c_str(), each.looksAt.c_str(),
                each.said.c_str(), each.source.empty() ? "" : (excerpt(each.source, 60) + " -> ").c_str(),
                excerpt(each.text, 100).c_str());
}

}  // namespace

void HeadsCommand::tryHypotheses(const LoadedModel& loaded, LivePass& pass, const TokenTexts& read,
                                 const std::vector<PatternHypothesis>& own) const {
  Json all{{"model", loaded.name}, {"texts", read.size()}, {"hypotheses", Json::array()}};
  for (const Tried& tried : tryAll(loaded, pass, read, own, best)) {
    const auto examples = counterexamples(loaded, pass, read, tried, best);
    if (json)
      all["hypotheses"].push_back(triedJson(tried, examples));
    else
      printTried(tried, examples, best);
  }
  if (json) std::printf("%s\n", all.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

Status HeadsCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const ModelConfig& config = loaded->transformer->config();
  if (!config.attends()) return Error{"has no heads: nothing in it attends", model, ""};
  auto read = [&]() -> Result<TokenTexts> {
    if (!file.empty()) return readLines(*loaded, file);
    if (text.empty() && source.empty()) return textsOfTask(*loaded, seed, texts, "give --text or --file");
    auto one = readText(*loaded, text, source);
    return one ? Result<TokenTexts>(TokenTexts{std::move(*one)}) : one.error();
  }();
  if (read && repeats) read = sayTwice(*loaded, *read, seed);
  if (!read) return read.error();
  const auto own = readHypotheses(hypotheses);
  if (!own) return own.error();
  LivePass pass(loaded->transformer);
  if (Status fits = checkMemoryFor(pass, *read); !fits) return fits;
  if (!own->empty()) return tryHypotheses(*loaded, pass, *read, *own), success();
  const HeadFinder finder = readAll(config, pass, *read);
  if (json)
    printJson(finder, loaded->name, read->size());
  else
    printTable(finder, best);
  return success();
}

}  // namespace glassformer
