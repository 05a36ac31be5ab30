#include "app/cli/heads_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/choices_option.h"
#include "app/cli/percent_lines.h"
#include "app/cli/text_lines.h"
#include "core/lens/head_finder.h"
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

}  // namespace

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
  LivePass pass(loaded->transformer);
  if (Status fits = checkMemoryFor(pass, *read); !fits) return fits;
  const HeadFinder finder = readAll(config, pass, *read);
  if (json)
    printJson(finder, loaded->name, read->size());
  else
    printTable(finder, best);
  return success();
}

}  // namespace glassformer
