#include "app/cli/neurons_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/asked.h"
#include "app/cli/choices_option.h"
#include "app/cli/json_lines.h"
#include "app/cli/percent_lines.h"
#include "app/cli/prompt.h"
#include "app/cli/text_lines.h"
#include "app/scene/format.h"
#include "core/lens/neuron_examples.h"
#include "core/lens/neurons.h"
#include "core/model/live_pass.h"
#include "core/model/point_names.h"

namespace glassformer {
namespace {

using Json = nlohmann::json;

// What is told of the neurons of a block, or of one of them.
class NeuronReport {
 public:
  NeuronReport(const NeuronsCommand& command, const LoadedModel& model, const Trace& trace)
      : command_(command),
        model_(model),
        config_(model.transformer->config()),
        trace_(trace),
        stream_(command.encoder ? Stream::Source : Stream::Text) {}

  Json all() const {
    TensorSet set;
    measureNeurons(config_, trace_, command_.block, stream_, set);
    Json json{{"model", model_.name}, {"block", command_.block}, {"neurons", Json::array()}};
    for (int place = 0; place < std::min(command_.listed, config_.feedForward); ++place) {
      const int f = static_cast<int>(set[neurons::order](place)),
                at = static_cast<int>(set[neurons::peakToken](f));
      json["neurons"].push_back({{"neuron", f},
                                 {"activation", set[neurons::peak](f)},
                                 {"position", at},
                                 {"token", label(tokensRead()[static_cast<std::size_t>(at)])}});
    }
    return json;
  }

  Json one(const std::vector<TokenText>& texts, const NeuronExamples& examples) const {
    const NeuronId id{command_.block, command_.neuron, stream_};
    TensorSet weights;
    measureNeuronWeights(*model_.transformer, id, weights);
    Json json{{"model", model_.name}, {"neuron", nameOf(config_, id)}, {"texts", texts.size()}};
    const TensorView a = trace_[neuronPoint(config_, id.layer, stream_)];
    for (int t = 0; t < a.extent[0]; ++t)
      json["activations"].push_back({{"position", t},
                                     {"token", label(tokensRead()[static_cast<std::size_t>(t)])},
                                     {"activation", a(t, id.neuron)}});
    for (const auto& [name, tensor] : {std::pair{"reads", neurons::reads},
                                       {"reads_through_gate", neurons::readsLinear},
                                       {"writes", neurons::writes}})
      if (weights.contains(tensor)) json[name] = extremes(weights[tensor]);
    json["examples"] = Json::array();
    for (const NeuronExamples::Example& example : examples.of(id)) {
      const TokenText& text = texts[static_cast<std::size_t>(example.text)];
      const std::vector<int>& read = command_.encoder ? text.source : text.tokens;
      json["examples"].push_back({{"activation", example.activation},
                                  {"position", example.token},
                                  {"token", label(read[static_cast<std::size_t>(example.token)])},
                                  {"text", model_.tokenizer->decode(read)}});
    }
    return json;
  }

 private:
  const std::vector<int>& tokensRead() const { return command_.encoder ? trace_.source() : trace_.tokens(); }
  std::string label(int id) const { return model_.tokenizer->tokenLabel(id); }

  // The tokens with the largest numbers, and those with the least.
  Json extremes(const TensorView& values) const {
    std::vector<int> order(static_cast<std::size_t>(values.extent[0]));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater<>(), [&](int v) { return values(v); });
    const std::size_t count = std::min(order.size(), static_cast<std::size_t>(command_.listed));
    const auto listed = [&](auto first) {
      Json tokens = Json::array();
      for (std::size_t i = 0; i < count; ++i, ++first)
        tokens.push_back({{"token", label(*first)}, {"id", *first}, {"value", values(*first)}});
      return tokens;
    };
    return {{"most", listed(order.begin())}, {"least", listed(order.rbegin())}};
  }

  const NeuronsCommand& command_;
  const LoadedModel& model_;
  const ModelConfig& config_;
  const Trace& trace_;
  Stream stream_;
};

void printNeurons(const Json& json) {
  for (const Json& neuron : json["neurons"])
    std::printf("%6d  %10.4f  at %d %s\n", neuron["neuron"].get<int>(), neuron["activation"].get<double>(),
                neuron["position"].get<int>(), neuron["token"].get<std::string>().c_str());
}

void printNeuron(const Json& json) {
  std::printf("%s\n", json["neuron"].get<std::string>().c_str());
  for (const Json& token : json["activations"])
    std::printf("  %3d  %10.4f  %s\n", token["position"].get<int>(), token["activation"].get<double>(),
                token["token"].get<std::string>().c_str());
  for (const char* list : {"reads", "reads_through_gate", "writes"}) {
    if (!json.contains(list)) continue;
    std::printf("%s\n", list);
    for (const char* side : {"most", "least"})
      for (const Json& token : json[list][side])
        std::printf("       %10.4f  %s\n", token["value"].get<double>(),
                    token["token"].get<std::string>().c_str());
  }
  std::printf("strongest in %s\n", countWords(json["texts"].get<int>(), "text").c_str());
  for (const Json& example : json["examples"])
    std::printf("       %10.4f  at %d %s: %s\n", example["activation"].get<double>(),
                example["position"].get<int>(), example["token"].get<std::string>().c_str(),
                example["text"].get<std::string>().c_str());
}

constexpr CsvColumn neuronColumns[]{
    {"neuron", "/neuron"}, {"activation", "/activation"}, {"position", "/position"}, {"token", "/token"}};

// What is told of one neuron, list after list: where it is active, what it reads and writes, and examples.
Json neuronRows(const Json& told) {
  Json rows = Json::array();
  const auto add = [&](const char* list, const Json& from) {
    for (Json row : from) {
      row["list"] = list;
      rows.push_back(std::move(row));
    }
  };
  add("activation", told["activations"]);
  for (const char* list : {"reads", "reads_through_gate", "writes"})
    for (const char* side : {"most", "least"})
      if (told.contains(list)) add(list, told[list][side]);
  add("example", told["examples"]);
  return rows;
}
constexpr CsvColumn neuronListColumns[]{
    {"list", "/list"}, {"position", "/position"}, {"token", "/token"}, {"activation", "/activation"},
    {"id", "/id"},     {"value", "/value"},       {"text", "/text"}};

// A neuron that the model has.
Status checkNeuron(const NeuronsCommand& asked, const ModelConfig& config) {
  const auto within = [](const char* option, int asked, int count) -> Status {
    if (asked < count) return success();
    return Error{"there is no " + std::to_string(asked), option,
                 "they go from 0 to " + std::to_string(count - 1)};
  };
  if (!config.hasFeedForward()) return Error{"has no neurons: no block has an MLP", asked.model, ""};
  if (asked.encoder && !config.isEncoderDecoder()) return Error{"this model has no encoder", "--encoder", ""};
  const int blocks = blocksOf(config, asked.encoder ? Stream::Source : Stream::Text);
  if (Status block = within("--block", asked.block, blocks); !block) return block;
  return within("--neuron", asked.neuron, config.feedForward);
}

}  // namespace

Status NeuronsCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const ModelConfig& config = loaded->transformer->config();
  if (Status is = checkNeuron(*this, config); !is) return is;
  const TabText read = writingFor(model, text, source);
  const auto prompt = readText(*loaded, read.text, read.source);
  if (!prompt) return prompt.error();
  LivePass live(loaded->transformer);
  if (Status fits =
          live.checkMemory(static_cast<std::size_t>(config.context),
                           config.isEncoderDecoder() ? static_cast<std::size_t>(config.context) : 0);
      !fits)
    return fits;
  const auto trace = live.run(prompt->tokens, {}, prompt->source);
  const NeuronReport report(*this, *loaded, *trace);
  Json told;
  if (neuron < 0) {
    told = report.all();
  } else {
    const auto examined =
        file.empty() ? textsOfTask(*loaded, seed, texts, "give --file") : readLines(*loaded, file);
    if (!examined) return examined.error();
    const ProgressCallback watch = percentLines(stderr, "reading the texts", std::chrono::seconds(1));
    NeuronExamples examples(config);
    for (std::size_t i = 0; i < examined->size(); ++i) {
      watch(static_cast<int>(i), static_cast<int>(examined->size()));
      examples.add(*live.run((*examined)[i].tokens, {}, (*examined)[i].source), static_cast<int>(i));
    }
    told = report.one(*examined, examples);
  }
  Question question = askedOf(*loaded, choices, read);
  if (neuron >= 0)
    question.dataset =
        file.empty() ? datasetWords(told["texts"].get<std::size_t>(), "held-out texts of the task", seed)
                     : datasetWords(told["texts"].get<std::size_t>(), file);
  const Printed printed = printedAs(json, csv);
  if (printed == Printed::Words)
    neuron < 0 ? printNeurons(told) : printNeuron(told);
  else if (neuron < 0)
    printTold(printed, told, told["neurons"], neuronColumns, question);
  else
    printTold(printed, told, neuronRows(told), neuronListColumns, question);
  return success();
}

}  // namespace glassformer
