#include "app/cli/heads_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/asked.h"
#include "app/cli/choices_option.h"
#include "app/cli/head_weights.h"
#include "app/cli/json_lines.h"
#include "app/cli/percent_lines.h"
#include "app/cli/text_lines.h"
#include "app/document/switches.h"
#include "app/engine/pattern_rules.h"
#include "app/scene/format.h"
#include "core/lens/recovered_loss.h"
#include "core/lens/rule_scores.h"
#include "core/model/live_pass.h"
#include "core/text/utf8.h"
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
  if (!hasWords || context < 3) return Error{"nothing to repeat", "--repeated-random", "give a longer text"};
  return repeatedTexts(texts, tokenizer, context, seed);
}

// What rules say of the heads of a model over texts: of each every head, and what those that are shown
// lose when it takes their pattern's place.
struct Tried {
  RuleScores scores;
  std::vector<HeadId> shown;
  std::vector<RecoveredLoss> losses;  // of those shown, as far as there is a loss
};
using AllTried = std::vector<Tried>;

std::vector<AttentionRule> wholeStock() {
  std::vector<AttentionRule> stock;
  for (const NamedRule& each : namedRules()) stock.push_back(*AttentionRule::read(each.id));
  return stock;
}

AllTried readAll(const LoadedModel& model, LivePass& pass, const TokenTexts& texts,
                 const std::vector<AttentionRule>& rules) {
  const ModelConfig& config = model.transformer->config();
  const ProgressCallback watch = percentLines(stderr, "reading the texts", std::chrono::seconds(1));
  AllTried all;
  for (const AttentionRule& rule : rules) all.push_back({{rule, config}, {}, {}});
  for (int i = 0; i < static_cast<int>(texts.size()); ++i) {
    watch(i, static_cast<int>(texts.size()));
    const TokenText& text = texts[static_cast<std::size_t>(i)];
    const auto trace = pass.run(text.tokens, {}, text.source);
    const auto over = lookedOverBy(*wordingOf(model.tokenizer), config, *trace);
    for (Tried& each : all) each.scores.add(*trace, over, i);
  }
  return all;
}

// The finder: every stock rule with the heads that fit it, by the attention that it names.
Json fitsJson(const RuleScores& scores) {
  Json heads = Json::array();
  for (const HeadId head : scores.ranked(&Agreement::named)) {
    const Spread& fit = scores.of(head).named();
    heads.push_back({{"head", nameOf(head)},
                     {"layer", head.layer},
                     {"index", head.head},
                     {"mean", fit.mean()},
                     {"deviation", fit.deviation()},
                     {"texts", fit.texts()}});
  }
  return heads;
}

Json stockJson(const AllTried& stock, const std::string& model, std::size_t texts) {
  Json json{{"model", model}, {"texts", texts}, {"hypotheses", Json::array()}};
  for (const Tried& tried : stock) {
    const NamedRule& rule = *findNamedRule(tried.scores.rule().text());
    json["hypotheses"].push_back({{"id", rule.id},
                                  {"name", rule.name},
                                  {"meaning", rule.meaning},
                                  {"equation", rule.equation},
                                  {"heads", fitsJson(tried.scores)}});
  }
  return json;
}

// The heads of all rules one after the other, each with what its own is called.
Json headRows(const Json& rules, const char* called) {
  Json rows = Json::array();
  for (const Json& rule : rules)
    for (Json head : rule["heads"]) {
      head["hypothesis"] = rule[called];
      rows.push_back(std::move(head));
    }
  return rows;
}
constexpr CsvColumn fitColumns[]{{"hypothesis", "/hypothesis"},
                                 {"head", "/head"},
                                 {"mean", "/mean"},
                                 {"deviation", "/deviation"},
                                 {"texts", "/texts"}};
constexpr CsvColumn triedColumns[]{{"hypothesis", "/hypothesis"},
                                   {"head", "/head"},
                                   {"agreement", "/agreement"},
                                   {"deviation", "/deviation"},
                                   {"coverage", "/coverage"},
                                   {"texts", "/texts"},
                                   {"loss", "/loss/clean"},
                                   {"loss_even", "/loss/ablated"},
                                   {"loss_replaced", "/loss/replaced"},
                                   {"recovered", "/loss/recovered"},
                                   {"answers_kept", "/loss/answersKept"}};

// "0.455 +- 0.012"; one text has no spread.
std::string spreadWords(const Spread& spread) {
  const auto fixed = [](double number) { return formattedFixed(static_cast<float>(number), 3); };
  return fixed(spread.mean()) + (spread.texts() > 1 ? " +- " + fixed(spread.deviation()) : "");
}

void printTable(const AllTried& stock, int best) {
  for (const Tried& tried : stock) {
    const NamedRule& rule = *findNamedRule(tried.scores.rule().text());
    const std::vector<HeadId> ranked = tried.scores.ranked(&Agreement::named);
    std::printf("%s: %s   %s\n", std::string(rule.name).c_str(), std::string(rule.meaning).c_str(),
                std::string(rule.equation).c_str());
    if (ranked.empty()) std::printf("  the rule names no key in these texts\n");
    for (std::size_t k = 0; k < std::min(ranked.size(), static_cast<std::size_t>(best)); ++k) {
      const Spread& fit = tried.scores.of(ranked[k]).named();
      std::printf("  %-12s %s   in %s\n", nameOf(ranked[k]).c_str(), spreadWords(fit).c_str(),
                  countWords(fit.texts(), "text").c_str());
    }
  }
}

Result<std::vector<AttentionRule>> readRules(const std::vector<std::string>& written) {
  std::vector<AttentionRule> all;
  for (const std::string& text : written) {
    auto read = AttentionRule::read(text);
    if (!read) return Error{read.error().message(), "--rule " + text, ""};
    all.push_back(std::move(*read));
  }
  return all;
}

// The head, if one is asked about and said anything of; else the best ones.
std::vector<HeadId> shownHeads(const RuleScores& scores, std::optional<HeadId> only, int best) {
  std::vector<HeadId> heads = scores.ranked();
  if (only) std::erase_if(heads, [&](HeadId head) { return !(head == *only); });
  heads.resize(std::min(heads.size(), static_cast<std::size_t>(best)));
  return heads;
}

void replaceShown(const LoadedModel& model, LivePass& pass, const TokenTexts& texts, AllTried& all) {
  const ModelConfig& config = model.transformer->config();
  if (!whyNoRecoveredLoss(config).empty()) return;
  const ProgressCallback watch = percentLines(stderr, "replacing heads", std::chrono::seconds(1));
  const int count = static_cast<int>(texts.size());
  int done = 0, whole = 0;
  for (const Tried& each : all) whole += static_cast<int>(each.shown.size()) * count;
  LossBaselines baselines;
  for (Tried& each : all)
    for (const HeadId head : each.shown) {
      RecoveredLoss loss(head, each.scores.rule(), wordingOf(model.tokenizer), config);
      for (int i = 0; i < count; ++i) {
        const TokenText& text = texts[static_cast<std::size_t>(i)];
        watch(done++, whole);
        loss.add(pass, text.tokens, text.source, i, baselines, text.counted);
      }
      each.losses.push_back(std::move(loss));
    }
}

// Where a head does something else: what it looks at there most, and what the rule says.
struct Counterexample {
  std::string text, source, query, looksAt, said;
  int position = 0;
  float agreement = 0;
};

int likeliestKey(const RuleContext& over, const TensorView& row) {
  return static_cast<int>(std::max_element(row.data, row.data + over.keyCount()) - row.data);
}

// Nothing where the head looks most at what the rule names.
std::optional<Counterexample> counterexample(const LoadedModel& model, LivePass& pass, const TokenText& text,
                                             const Tried& tried, HeadId head, const RuleScores::OfText& of) {
  const auto trace = pass.run(text.tokens, {}, text.source);
  const RuleContext over =
      lookedOver(*wordingOf(model.tokenizer), model.transformer->config().ofLayer(head.layer), head.site,
                 text.tokens, text.source);
  const Tensor pattern = tried.scores.rule().pattern(over);
  const TensorView attention = (*trace)[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  const int looksAt = likeliestKey(over, attention[of.worst]),
            said = likeliestKey(over, pattern.view()[of.worst]);
  if (looksAt == said) return std::nullopt;
  const auto written = [&](const SpokenTokens& tokens, int position) {
    return model.tokenizer->decode(std::vector{tokens.ids[static_cast<std::size_t>(position)]});
  };
  return Counterexample{model.tokenizer->decode(text.tokens),
                        model.tokenizer->decode(text.source),
                        written(over.queries, of.worst),
                        written(over.keys, looksAt),
                        written(over.keys, said),
                        of.worst,
                        of.agreement};
}

std::vector<Counterexample> counterexamples(const LoadedModel& model, LivePass& pass, const TokenTexts& texts,
                                            const Tried& tried, int most) {
  std::vector<Counterexample> all;
  if (tried.shown.empty()) return all;
  const HeadId head = tried.shown.front();
  for (const auto& of : tried.scores.worstFirst(head, texts.size())) {
    if (static_cast<int>(all.size()) == most) break;
    if (auto found = counterexample(model, pass, texts[static_cast<std::size_t>(of.text)], tried, head, of))
      all.push_back(std::move(*found));
  }
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

Json triedJson(const Tried& tried, const std::vector<HeadId>& heads,
               const std::vector<Counterexample>& examples) {
  Json json{{"hypothesis", tried.scores.rule().text()},
            {"heads", Json::array()},
            {"counterexamples", Json::array()}};
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const Agreement& fit = tried.scores.of(heads[k]);
    Json head{{"head", nameOf(heads[k])},
              {"layer", heads[k].layer},
              {"index", heads[k].head},
              {"agreement", fit.shared().mean()},
              {"deviation", fit.shared().deviation()},
              {"named", fit.named().mean()},
              {"coverage", fit.coverage()},
              {"texts", fit.texts()},
              {"distribution", tried.scores.distribution(heads[k])}};
    if (k < tried.losses.size()) head["loss"] = lossJson(tried.losses[k]);
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

void printTried(const Tried& tried, const std::vector<Counterexample>& examples) {
  std::printf("%s\n", tried.scores.rule().text().c_str());
  if (tried.shown.empty()) std::printf("  the rule names no key in these texts\n");
  for (std::size_t k = 0; k < tried.shown.size(); ++k) {
    const Agreement& fit = tried.scores.of(tried.shown[k]);
    std::printf("  %-12s overlap %s, names keys for %.0f %% of the rows", nameOf(tried.shown[k]).c_str(),
                spreadWords(fit.shared()).c_str(), 100 * fit.coverage());
    if (k < tried.losses.size()) {
      const RecoveredLoss& loss = tried.losses[k];
      const double recovered = loss.recovered();
      if (recovered == recovered)
        std::printf("; recovers %.1f %% of the loss", 100 * recovered);
      else
        std::printf("; uniform attention has the same loss here");
      std::printf(" (%.4f head, %.4f uniform, %.4f rule), %.1f %% of predictions stay", loss.clean(),
                  loss.ablated(), loss.replaced(), 100 * loss.answersKept());
    }
    std::printf("\n");
  }
  if (!examples.empty())
    std::printf("  where %s does something else:\n", nameOf(tried.shown.front()).c_str());
  for (const Counterexample& each : examples)
    std::printf("  %.3f  at %d, \"%s\" attends to \"%s\", the rule to \"%s\": %s%s\n",
                static_cast<double>(each.agreement), each.position, each.query.c_str(), each.looksAt.c_str(),
                each.said.c_str(), each.source.empty() ? "" : (excerpt(each.source, 60) + " -> ").c_str(),
                excerpt(each.text, 100).c_str());
}

// The head that is asked about; nothing where none is.
Result<std::optional<HeadId>> headNamed(const std::string& name, const ModelConfig& config) {
  if (name.empty()) return std::optional<HeadId>();
  const auto part = partNamed(name);
  const bool isHead = part && part->kind == ModelPart::Kind::Head &&
                      part->layer < blocksAt(config, part->site) && part->head < config.heads &&
                      std::ranges::count(sitesOf(config), part->site) == 1;
  if (!isHead)
    return Error{"not a head of this model, such as " + nameOf(HeadId{0, 0, sitesOf(config)[0]}),
                 "--head " + name, ""};
  return std::optional(HeadId{part->layer, part->head, part->site});
}

}  // namespace

void HeadsCommand::tryRules(const LoadedModel& loaded, LivePass& pass, const TokenTexts& read,
                            const std::vector<AttentionRule>& own, std::optional<HeadId> only) const {
  AllTried tried = readAll(loaded, pass, read, own);
  for (Tried& each : tried) each.shown = shownHeads(each.scores, only, best);
  replaceShown(loaded, pass, read, tried);
  Json all{{"model", loaded.name}, {"texts", read.size()}, {"hypotheses", Json::array()}};
  for (const Tried& each : tried) {
    const auto examples = counterexamples(loaded, pass, read, each, best);
    if (json || csv)
      all["hypotheses"].push_back(triedJson(each, only ? each.shown : each.scores.ranked(), examples));
    else
      printTried(each, examples);
  }
  printTold(printedAs(json, csv), all, headRows(all["hypotheses"], "hypothesis"), triedColumns,
            question(loaded, read.size()));
}

Question HeadsCommand::question(const LoadedModel& loaded, std::size_t count) const {
  Question asked = askedOf(loaded, choices, {text, source});
  asked.metric = "overlap, loss recovered";
  asked.dataset = repeats         ? datasetWords(count, "repeats of random tokens", seed)
                  : !file.empty() ? datasetWords(count, file)
                  : text.empty()  ? datasetWords(count, "held-out texts of the task", seed)
                                  : "";
  return asked;
}

Status HeadsCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const ModelConfig& config = loaded->transformer->config();
  if (!config.hasAttention()) return Error{"has no attention heads", model, ""};
  auto read = [&]() -> Result<TokenTexts> {
    if (!file.empty()) return readLines(*loaded, file);
    if (text.empty() && source.empty()) return textsOfTask(*loaded, seed, texts, "give --text or --file");
    auto one = readText(*loaded, text, source);
    return one ? Result<TokenTexts>(TokenTexts{std::move(*one)}) : one.error();
  }();
  if (read && repeats) read = sayTwice(*loaded, *read, seed);
  if (!read) return read.error();
  const auto only = headNamed(head, config);
  if (!only) return only.error();
  if (weights)
    return sayWeights(*loaded, **only, *read, best, printedAs(json, csv), question(*loaded, read->size()));
  const auto own = readRules(rules);
  if (!own) return own.error();
  LivePass pass(loaded->transformer);
  if (Status fits = checkMemoryFor(pass, *read); !fits) return fits;
  std::vector<AttentionRule> tried = *own;
  if (tried.empty()) tried = wholeStock();
  if (*only && own->empty()) tried.push_back(*AttentionRule::read("any"));
  if (*only || !own->empty()) return tryRules(*loaded, pass, *read, tried, *only), success();
  const AllTried stock = readAll(*loaded, pass, *read, tried);
  if (!json && !csv) return printTable(stock, best), success();
  const Json told = stockJson(stock, loaded->name, read->size());
  printTold(printedAs(json, csv), told, headRows(told["hypotheses"], "id"), fitColumns,
            question(*loaded, read->size()));
  return success();
}

}  // namespace glassformer
