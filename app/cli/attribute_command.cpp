#include "app/cli/attribute_command.h"

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/asked.h"
#include "app/cli/choices_option.h"
#include "app/cli/json_lines.h"
#include "app/cli/percent_lines.h"
#include "app/cli/prompt.h"
#include "app/engine/snapshot.h"
#include "app/engine/token_ids.h"
#include "core/lens/contributions.h"
#include "core/lens/integrated_gradients.h"
#include "core/model/live_pass.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

Result<Baseline> baselineNamed(const std::string& name, const Tokenizer& tokenizer) {
  if (name == "zero") return Baseline{};
  if (name == "mean") return Baseline{Baseline::Kind::Mean};
  const auto token = tokenWritten(name, tokenizer, "--baseline");
  if (!token) return token.error();
  return Baseline{Baseline::Kind::Token, *token};
}

// What was asked and what came of it, to be written down.
struct Attribution {
  const LoadedModel& model;
  const AnswerMetric& of;
  const Trace& trace;
  TensorSet set;

  std::string label(int id) const { return model.tokenizer->tokenLabel(id); }
  float total(int place) const { return set[integrated::total](place); }
  std::string words() const {
    const auto [position, entry] = of.prediction;
    return "“" + label(entry) + "”" + (of.against < 0 ? "" : " and not “" + label(of.against) + "”") +
           (model.transformer->config().stack == Stack::EncoderOnly ? " at “" : " after “") +
           label(trace.tokens()[static_cast<std::size_t>(position)]) + "”";
  }
  // visit(stream, position, token, number), the source first.
  template <typename Visit>
  void eachToken(Visit visit) const {
    const auto all = [&](const char* stream, const char* tensor, const std::vector<int>& tokens) {
      for (std::size_t i = 0; i < tokens.size(); ++i)
        visit(stream, static_cast<int>(i), tokens[i], set[tensor](static_cast<int>(i)));
    };
    if (set.contains(integrated::source)) all("source", integrated::source, trace.source());
    all("text", integrated::tokens, trace.tokens());
  }
};

Json attributionJson(const Attribution& a, const std::string& baseline) {
  Json json{{"model", a.model.name},
            {"position", a.of.prediction.position},
            {"target", a.label(a.of.prediction.entry)},
            {"baseline", baseline},
            {"at_text", a.total(integrated::atInput)},
            {"at_baseline", a.total(integrated::atBaseline)},
            {"difference", a.total(integrated::difference)},
            {"sum", a.total(integrated::sum)},
            {"error", a.total(integrated::error)},
            {"gradients", static_cast<int>(a.total(integrated::steps))},
            {"tokens", Json::array()}};
  if (a.of.against >= 0) json["against"] = a.label(a.of.against);
  a.eachToken([&](const char* stream, int position, int token, float number) {
    json["tokens"].push_back({{"stream", stream},
                              {"position", position},
                              {"id", token},
                              {"token", a.label(token)},
                              {"attribution", number}});
  });
  return json;
}

constexpr CsvColumn attributionColumns[]{{"stream", "/stream"},
                                         {"position", "/position"},
                                         {"id", "/id"},
                                         {"token", "/token"},
                                         {"attribution", "/attribution"}};

void printTableOf(const Attribution& a) {
  std::printf("%s\n", a.words().c_str());
  a.eachToken([&](const char* stream, int position, int token, float number) {
    std::printf("  %-6s %3d  %10.4f  %s\n", stream, position, number, a.label(token).c_str());
  });
  std::printf(
      "  the tokens sum to %.4f; z(x) − z(x′) = %.4f − %.4f = %.4f, an error of %.2g after %d gradients\n",
      a.total(integrated::sum), a.total(integrated::atInput), a.total(integrated::atBaseline),
      a.total(integrated::difference), a.total(integrated::error),
      static_cast<int>(a.total(integrated::steps)));
}

}  // namespace

Status AttributeCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const Transformer& transformer = *loaded->transformer;
  const TabText read = writingFor(model, text, source);
  const auto prompt = promptOf(*loaded->tokenizer, transformer.config(), read.text, read.source);
  if (!prompt) return prompt.error();
  const auto from = baselineNamed(baseline, *loaded->tokenizer);
  if (!from) return from.error();
  const int last = static_cast<int>(prompt->tokens.size()) - 1;
  if (token > last)
    return Error{"no token " + std::to_string(token), "--token",
                 "the text's go from 0 to " + std::to_string(last)};
  LivePass live(loaded->transformer);
  if (Status fits = live.checkMemory(prompt->tokens.size(), prompt->source.size()); !fits) return fits;
  const auto trace = live.run(prompt->tokens, {}, prompt->source);

  AnswerMetric of{{positionAmong(prompt->tokens, token, loaded->tokenizer->mask()), 0}, -1};
  of.prediction.entry = likeliestEntry(*trace, of.prediction.position);
  for (const auto& [called, entry, option] : {std::tuple(&target, &of.prediction.entry, "--target"),
                                              std::tuple(&against, &of.against, "--contrast")}) {
    if (called->empty()) continue;
    const auto written = tokenWritten(*called, *loaded->tokenizer, option);
    if (!written) return written.error();
    *entry = *written;
  }
  if (of.against == of.prediction.entry)
    return Error{"is the target itself", "--contrast", "give another token, or none"};

  IntegratedGradients path(transformer, *trace, {}, of, *from);
  const ProgressCallback watch = percentLines(stderr, "integrating gradients", std::chrono::seconds(1));
  while (!path.isFinished(gradients)) watch(path.steps(), gradients), path.refine();
  Attribution attribution{*loaded, of, *trace, {}};
  path.addTo(attribution.set);
  if (!json && !csv) return printTableOf(attribution), success();
  const Json told = attributionJson(attribution, baseline);
  Question question = askedOf(*loaded, choices, read);
  askAbout(of, prompt->tokens, *loaded->tokenizer, question);
  question.normalization = "integrated gradients from the baseline " + baseline;
  printTold(printedAs(json, csv), told, told["tokens"], attributionColumns, question);
  return success();
}

}  // namespace glassformer
