#include "app/cli/dataset_command.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/asked.h"
#include "app/cli/choices_option.h"
#include "app/cli/effect_table.h"
#include "app/cli/json_lines.h"
#include "app/cli/percent_lines.h"
#include "app/cli/text_lines.h"
#include "app/document/metric_settings.h"
#include "app/engine/dataset_stats.h"
#include "app/scene/format.h"
#include "core/lens/contributions.h"
#include "core/lens/recovered_loss.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

// A part of the model over all texts, and in the one beside.
struct PartEffect {
  ModelPart part;
  std::size_t cell = 0;  // of everyPartOff()
  PartEffects effects;
  Spread direct;
  std::optional<TextEffect> here;
  float directHere = NAN;
};

std::vector<PartEffect> partsOf(const ModelConfig& config) {
  std::vector<PartEffect> parts;
  std::size_t cell = 0;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < causalColumns(config); ++column, ++cell)
      if (const auto part = causalPart(config, row, column)) parts.push_back({*part, cell, {}, {}, {}, NAN});
  return parts;
}

// The whole text once, and then without each part, all with the interventions that stand.
void addText(LivePass& pass, const TokenText& text, const Interventions& standing, int number,
             std::vector<PartEffect>& parts) {
  const auto trace = pass.run(text.tokens, standing, text.source);
  const TokenLosses whole = tokenLossesOf(*trace);
  const std::vector<float> direct =
      directOfCells(pass.model(), contributionsToNext(pass.model(), *trace, text.counted));
  for (PartEffect& each : parts) {
    Interventions without = standing;
    without.push_back(zeroAblation(each.part));
    const TextEffect effect =
        effectOn(whole, tokenLossesOf(*pass.run(text.tokens, without, text.source)), text.counted);
    if (number < 0) {
      each.here = effect, each.directHere = direct[each.cell];
      continue;
    }
    each.effects.add(number, effect);
    if (std::isfinite(direct[each.cell])) each.direct.add(static_cast<double>(direct[each.cell]));
  }
}

std::string tokenBehind(const LoadedModel& model, const TokenText& text, int place) {
  return model.tokenizer->decode(std::vector{text.tokens[static_cast<std::size_t>(place) + 1]});
}

Json effectsJson(const LoadedModel& model, const std::vector<TokenText>& texts, const std::string& counted,
                 const Interventions& standing, const std::vector<PartEffect>& parts,
                 const PartEffect& listed, int best) {
  Json json{{"model", model.name},      {"texts", listed.effects.loss().texts()},
            {"positions", counted},     {"interventions", Json::array()},
            {"parts", Json::array()},   {"listed", nameOf(listed.part)},
            {"examples", Json::array()}};
  for (const Intervention& each : standing) json["interventions"].push_back(summaryOf(each));
  for (const PartEffect& each : parts)
    json["parts"].push_back({{"part", nameOf(each.part)},
                             {"loss", spreadJson(each.effects.loss(), each.here ? each.here->loss : NAN)},
                             {"logit", spreadJson(each.effects.logit(), each.here ? each.here->logit : NAN)},
                             {"direct", spreadJson(each.direct, each.directHere)}});
  for (const auto& of : listed.effects.strongestFirst(static_cast<std::size_t>(best))) {
    const TokenText& text = texts[static_cast<std::size_t>(of.text)];
    json["examples"].push_back({{"text", model.tokenizer->decode(text.tokens)},
                                {"source", model.tokenizer->decode(text.source)},
                                {"loss", of.effect.loss},
                                {"position", of.effect.worst},
                                {"token", tokenBehind(model, text, of.effect.worst)}});
  }
  return json;
}

constexpr CsvColumn effectColumns[]{{"part", "/part"},
                                    {"loss", "/loss/mean"},
                                    {"loss_deviation", "/loss/deviation"},
                                    {"loss_here", "/loss/here"},
                                    {"logit", "/logit/mean"},
                                    {"logit_deviation", "/logit/deviation"},
                                    {"logit_here", "/logit/here"},
                                    {"direct", "/direct/mean"},
                                    {"direct_deviation", "/direct/deviation"},
                                    {"direct_here", "/direct/here"}};

void printEffects(const LoadedModel& model, const std::vector<TokenText>& texts, const std::string& counted,
                  const Interventions& standing, const std::vector<PartEffect>& parts,
                  const PartEffect& listed, int best) {
  const bool hasHere = listed.here.has_value();
  std::printf("when ablated, over %s: mean +- spread%s\n",
              countWords(listed.effects.loss().texts(), "text").c_str(), hasHere ? ", and in this text" : "");
  std::printf("over %s\n", counted.c_str());
  for (const Intervention& each : standing) std::printf("in every pass: %s\n", summaryOf(each).c_str());
  const int width = hasHere ? 29 : 20;
  std::printf("%-24s%-*s%-*s%-*s\n", "", width, "  loss, nats", width, "  logit", width, "  adds directly");
  for (const PartEffect& each : parts) {
    std::printf("%-24s", nameOf(each.part).c_str());
    const auto here = [&](float number) { return hasHere ? std::optional(number) : std::nullopt; };
    printSpread(each.effects.loss(), here(each.here ? each.here->loss : NAN));
    printSpread(each.effects.logit(), here(each.here ? each.here->logit : NAN));
    printSpread(each.direct, here(each.directHere));
    std::printf("\n");
  }
  std::printf("texts with the largest effect of %s:\n", nameOf(listed.part).c_str());
  for (const auto& of : listed.effects.strongestFirst(static_cast<std::size_t>(best))) {
    const TokenText& text = texts[static_cast<std::size_t>(of.text)];
    const std::string source = model.tokenizer->decode(text.source);
    std::printf("  %+.3f  most \"%s\": %s%s\n", static_cast<double>(of.effect.loss),
                tokenBehind(model, text, of.effect.worst).c_str(),
                source.empty() ? "" : (excerpt(source, 60) + " -> ").c_str(),
                excerpt(model.tokenizer->decode(text.tokens), 100).c_str());
  }
}

// The part of that name; without one that without which the loss rises most.
Result<const PartEffect*> partAsked(const std::vector<PartEffect>& parts, const std::string& name) {
  if (name.empty())
    return &*std::ranges::max_element(parts, {},
                                      [](const PartEffect& each) { return each.effects.loss().mean(); });
  const auto asked = partNamed(name);
  const auto found = std::ranges::find_if(parts, [&](const PartEffect& each) { return asked == each.part; });
  if (found == parts.end())
    return Error{"this model has no such component; one is " + nameOf(parts.front().part),
                 "--component " + name, ""};
  return &*found;
}

void count(TokenText& text, const std::string& positions) {
  text.counted = countedTokens(positions, text.tokens.size(), std::move(text.counted));
}

// "the tokens that its task trains, 24 a text"
std::string countedWords(const std::vector<TokenText>& texts, const std::string& positions) {
  if (positions == lastPosition) return "the last token";
  if (listedPositions(positions, 0)) return "tokens " + positions;
  std::size_t counted = 0, all = 0;
  for (const TokenText& text : texts) {
    all += text.tokens.size() - 1;
    counted += text.counted.empty() ? text.tokens.size() - 1
                                    : static_cast<std::size_t>(std::ranges::count(text.counted, true));
  }
  if (counted == all) return "all tokens";
  return "the tokens that its task trains, " + std::to_string(counted) + " of " + std::to_string(all);
}

Result<std::vector<TokenText>> readAlone(const LoadedModel& model, const std::string& text,
                                         const std::string& source) {
  auto one = readText(model, text, source);
  if (!one) return one.error();
  return std::vector{std::move(*one)};
}

}  // namespace

std::string DatasetCommand::dataset(std::size_t count) const {
  return !file.empty() ? datasetWords(count, file)
         : repeats     ? datasetWords(count, "repeats of random tokens", seed)
         : questions   ? std::to_string(count) + " held-out questions of the task"
                       : datasetWords(count, "held-out texts of the task", seed);
}

Status DatasetCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const ModelConfig& config = loaded->transformer->config();
  if (const std::string why = whyNoRecoveredLoss(config); !why.empty() && measure != "edges")
    return Error{why, model, ""};
  const auto standing = interventions.of(loaded->transformer);
  if (!standing) return standing.error();
  std::vector<PartEffect> parts = partsOf(config);
  if (const auto known = partAsked(parts, part); !known) return known.error();
  if (alone && measure != "edges") return Error{"needs --measure edges", "--text-only", ""};
  if (metric != "loss" && measure != "edges") return Error{"needs --measure edges", "--metric", ""};
  auto read = alone           ? readAlone(*loaded, text, source)
              : !file.empty() ? readLines(*loaded, file)
              : repeats       ? repeatsOf(*loaded, seed, texts)
              : questions     ? questionsOfTask(*loaded, texts, "give --file")
                              : textsOfTask(*loaded, seed, texts, "give --file");
  if (!read) return read.error();
  const std::size_t given = read->size();
  std::erase_if(*read, [](const TokenText& each) { return each.tokens.size() < 2; });
  const bool arePairs = !file.empty() && read->size() == given;
  if (read->empty())
    return alone ? Error{"has to have two tokens at least", "--text", ""}
                 : Error{"no text has two tokens", file.empty() ? model : file, ""};
  for (TokenText& each : *read) count(each, positions);
  std::optional<TokenText> beside;
  if (!text.empty() || !source.empty()) {
    auto one = readText(*loaded, text, source);
    if (!one) return one.error();
    if (one->tokens.size() < 2) return Error{"has to have two tokens at least", "--text", ""};
    beside = std::move(*one);
    count(*beside, positions);
  }
  LivePass pass(loaded->transformer);
  const Printed printed = printedAs(json, csv);
  Question question = askedOf(*loaded, choices, {text, source}, *standing);
  question.positions = countedWords(*read, positions);
  question.norms = normsRecomputed;
  if (!alone) question.dataset = dataset(read->size());
  if (measure == "edges")
    return sayEdges(*loaded, pass, {*read, beside, *standing, question}, {metric, threshold, best}, printed);
  if (!measure.empty())
    return sayMeasure(*loaded, pass, measure, {*read, beside, *standing, question, arePairs}, printed);
  const ProgressCallback watch = percentLines(stderr, "ablating components", std::chrono::seconds(1));
  const int count = static_cast<int>(read->size());
  for (int i = 0; i < count; ++i) {
    watch(i, count);
    const TokenText& each = (*read)[static_cast<std::size_t>(i)];
    if (Status fits = pass.checkMemory(each.tokens.size(), each.source.size()); !fits) return fits;
    addText(pass, each, *standing, i, parts);
  }
  if (beside) addText(pass, *beside, *standing, -1, parts);
  const PartEffect& listed = **partAsked(parts, part);
  const std::string counted = countedWords(*read, positions);
  if (printed == Printed::Words)
    return printEffects(*loaded, *read, counted, *standing, parts, listed, best), success();
  const Json effects = effectsJson(*loaded, *read, counted, *standing, parts, listed, best);
  question.metric = "loss, logit, direct logit attribution";
  printTold(printed, effects, effects["parts"], effectColumns, question);
  return success();
}

}  // namespace glassformer
