#include "app/cli/head_weights.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "app/cli/json_lines.h"
#include "app/cli/percent_lines.h"
#include "core/lens/head_circuits.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

struct PairKind {
  const char *id, *verb, *a, *b, *number;
};
constexpr PairKind pairKinds[] = {
    {"compared", "matches", circuit::query, circuit::key, circuit::score},
    {"raised", "raises", circuit::promoting, circuit::promoted, circuit::promotion},
    {"lowered", "lowers", circuit::suppressing, circuit::suppressed, circuit::suppression}};

struct HeadComposed {
  HeadId head;
  const char* by;
  float share;
};

// Of the heads of other blocks, those that work with it most first.
std::vector<HeadComposed> composedHeads(const TensorSet& set, const ModelConfig& config, AttentionSite site) {
  std::vector<HeadComposed> all;
  for (const auto& [tensor, by] :
       {std::pair(circuit::byQueries, "queries"), {circuit::byKeys, "keys"}, {circuit::byValues, "values"}}) {
    if (!set.contains(tensor)) continue;
    const TensorView shares = set[tensor];
    const AttentionSite of = composedSite(config, site, tensor);
    for (int layer = 0; layer < shares.extent[0]; ++layer)
      for (int head = 0; head < shares.extent[1]; ++head)
        if (std::isfinite(shares(layer, head))) all.push_back({{layer, head, of}, by, shares(layer, head)});
  }
  std::ranges::stable_sort(all, std::greater<>(), &HeadComposed::share);
  return all;
}

std::string written(const LoadedModel& model, float token) {
  return model.tokenizer->decode(std::vector{static_cast<int>(token)});
}

Json pairsJson(const LoadedModel& model, const TensorSet& set, const PairKind& kind) {
  Json pairs = Json::array();
  for (int i = 0; i < set[kind.number].extent[0]; ++i)
    pairs.push_back({{"from", written(model, set[kind.a](i))},
                     {"to", written(model, set[kind.b](i))},
                     {"by", set[kind.number](i)}});
  return pairs;
}

// Whether the head reads what that one writes, and not the other way round.
bool readsFrom(HeadId head, const HeadComposed& with) {
  return head.site == AttentionSite::Cross || with.head.layer < head.layer;
}

Json weightsJson(const LoadedModel& model, HeadId head, const TensorSet& set) {
  Json json{{"model", model.name},
            {"head", nameOf(head)},
            {"tokens", set[circuit::asked](0)},
            {"singularValuesOV", set[circuit::ov].copy()},
            {"byChance", set[circuit::byChance](0)},
            {"composition", Json::array()}};
  if (set.contains(circuit::qk)) json["singularValuesQK"] = set[circuit::qk].copy();
  for (const auto& [name, tensor] : {std::pair("matching", circuit::matching),
                                     {"copying", circuit::copying},
                                     {"sourceTokens", circuit::askedKeys}})
    if (set.contains(tensor)) json[name] = set[tensor](0);
  for (const PairKind& kind : pairKinds)
    if (set.contains(kind.number)) json[kind.id] = pairsJson(model, set, kind);
  for (const HeadComposed& each : composedHeads(set, model.transformer->config(), head.site))
    json["composition"].push_back({{"head", nameOf(each.head)},
                                   {"layer", each.head.layer},
                                   {"index", each.head.head},
                                   {"by", each.by},
                                   {"share", each.share}});
  return json;
}

constexpr CsvColumn weightColumns[] = {
    {"what", "/what"}, {"from", "/from"}, {"to", "/to"}, {"number", "/number"}};

// All of that as one table: numbers by what they are, pairs of tokens and of heads by what leads from where
// to where.
Json weightRows(const Json& told, HeadId head, const std::vector<HeadComposed>& composed) {
  Json rows = Json::array();
  for (const char* number : {"tokens", "sourceTokens", "matching", "copying", "byChance"})
    if (told.contains(number)) rows.push_back({{"what", number}, {"number", told[number]}});
  for (const char* values : {"singularValuesQK", "singularValuesOV"})
    if (told.contains(values))
      for (const Json& value : told[values]) rows.push_back({{"what", values}, {"number", value}});
  for (const PairKind& kind : pairKinds)
    if (told.contains(kind.id))
      for (const Json& pair : told[kind.id])
        rows.push_back(
            {{"what", kind.id}, {"from", pair["from"]}, {"to", pair["to"]}, {"number", pair["by"]}});
  for (const HeadComposed& each : composed) {
    const bool reads = readsFrom(head, each);
    rows.push_back({{"what", each.by},
                    {"from", nameOf(reads ? each.head : head)},
                    {"to", nameOf(reads ? head : each.head)},
                    {"number", each.share}});
  }
  return rows;
}

void printSpectrum(const char* of, const TensorView& values, int best) {
  std::printf("singular values of %s:", of);
  for (int k = 0; k < std::min(best, values.extent[0]); ++k)
    std::printf(" %.3f", static_cast<double>(values(k)));
  std::printf("%s\n", values.extent[0] > best ? " ..." : "");
}

void printWeights(const LoadedModel& model, HeadId head, const TensorSet& set, int best) {
  const ModelConfig& config = model.transformer->config();
  std::printf("%s, from its weights, for %.0f tokens", nameOf(head).c_str(),
              static_cast<double>(set[circuit::asked](0)));
  if (set.contains(circuit::askedKeys))
    std::printf(" and %.0f of sources", static_cast<double>(set[circuit::askedKeys](0)));
  std::printf("%s\n", config.scoreCap > 0 ? "; scores before the cap" : "");
  if (set.contains(circuit::qk)) printSpectrum("W_QK", set[circuit::qk], best);
  printSpectrum("W_OV", set[circuit::ov], best);
  for (const auto& [words, tensor] : {std::pair("every token scores itself", circuit::matching),
                                      {"every token raises itself", circuit::copying}})
    if (set.contains(tensor)) std::printf("%s: %.3f (-1 to 1)\n", words, static_cast<double>(set[tensor](0)));
  for (const std::string& why :
       {whyNoComparingMatrix(config, head.site), whyNoEffectsOnLogits(config, head.site)})
    if (!why.empty()) std::printf("%s\n", why.c_str());
  for (const PairKind& kind : pairKinds)
    for (int i = 0; set.contains(kind.number) && i < std::min(best, set[kind.number].extent[0]); ++i)
      std::printf("  \"%s\" %s \"%s\"  %+.2f\n", written(model, set[kind.a](i)).c_str(), kind.verb,
                  written(model, set[kind.b](i)).c_str(), static_cast<double>(set[kind.number](i)));
  const auto composed = composedHeads(set, config, head.site);
  for (std::size_t i = 0; i < std::min(composed.size(), static_cast<std::size_t>(best)); ++i) {
    const bool reads = readsFrom(head, composed[i]);
    std::printf("  %s's %s read the output of %s  %.3f (unrelated heads %.3f)\n",
                nameOf(reads ? head : composed[i].head).c_str(), composed[i].by,
                nameOf(reads ? composed[i].head : head).c_str(), static_cast<double>(composed[i].share),
                static_cast<double>(set[circuit::byChance](0)));
  }
}

}  // namespace

Status sayWeights(const LoadedModel& model, HeadId head, const std::vector<TokenText>& texts, int best,
                  Printed printed, const Question& question) {
  const std::string why = whyNoCircuits(model.transformer->config(), head.site);
  if (!why.empty()) return Error{why, "--circuits", ""};
  const auto occurring = [&](Stream stream) {
    std::set<int> tokens;
    for (const TokenText& text : texts) {
      const std::vector<int>& read = stream == Stream::Source ? text.source : text.tokens;
      tokens.insert(read.begin(), read.end());
    }
    return std::vector(tokens.begin(), tokens.end());
  };
  TensorSet set;
  measureHeadCircuits(*model.transformer, head,
                      {occurring(queriesOf(head.site)), occurring(keysOf(head.site))}, set,
                      percentLines(stderr, "reading the weights", std::chrono::seconds(1)));
  if (printed == Printed::Words) {
    printWeights(model, head, set, best);
    return success();
  }
  const Json told = weightsJson(model, head, set);
  const auto composed = composedHeads(set, model.transformer->config(), head.site);
  printTold(printed, told, weightRows(told, head, composed), weightColumns, question);
  return success();
}

}  // namespace glassformer
