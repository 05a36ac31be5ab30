#include "app/explain/index_meaning.h"

#include <algorithm>
#include <array>

#include "app/drawing/place_names.h"
#include "app/drawing/scene_input.h"
#include "app/drawing/surface_axes.h"
#include "app/engine/branch_paths.h"
#include "app/engine/counterfactual_search.h"
#include "app/engine/dataset_metrics.h"
#include "app/engine/drafted_text.h"
#include "app/engine/head_profile.h"
#include "app/engine/rule_numbers.h"
#include "app/engine/strategies.h"
#include "app/scene/format.h"
#include "core/decode/sampling.h"
#include "core/decode/sampling_chain.h"
#include "core/lens/contributions.h"
#include "core/lens/edge_effects.h"
#include "core/lens/head_reading.h"

namespace glassformer {

namespace {

std::string labelAt(const Snapshot& snapshot, Stream stream, int position) {
  const auto i = static_cast<std::size_t>(position);
  const std::vector<TokenPiece>& tokens = snapshot.pass->tokensOf(stream);
  return i < tokens.size() ? "  " + tokens[i].label : "";
}

// The token of a node, or of a step, of what is told of those by a tensor of their own.
std::optional<std::pair<std::string, std::string>> indexOfListed(const Snapshot& snapshot,
                                                                 const TracePoint& point, int i) {
  const bool isPath = point.name.starts_with("paths.");
  if (!isPath && !point.name.starts_with("drafting.")) return std::nullopt;
  const auto token = valueOf(sourcesOf(snapshot), {isPath ? paths::token : drafting::token, {i}});
  const std::string label =
      token && *token >= 0 ? "  " + snapshot.model->entryLabel(static_cast<int>(*token)) : "";
  return std::pair{isPath ? "node" : "token", std::to_string(i) + label};
}

// The token of a node of the beam tree, of a step of the continuation, or of what was decoded before.
std::pair<std::string, std::string> indexOfDecoded(const Snapshot& snapshot, const TracePoint& point, int i) {
  const auto at = static_cast<std::size_t>(i);
  const bool beam = point.name.starts_with("beam"), isWay = point.name.starts_with("way");
  int token = -1;
  const auto& tree = snapshot.decoded->beam;
  const std::vector<int>& added = snapshot.decoded->continuation;
  if (beam && tree && at < tree->nodes.size()) token = tree->nodes[at].token;
  if (!beam && !isWay && at < added.size()) token = added[at];
  if (const auto& way = snapshot.decoded->way; isWay && way && at < way->tokens.size())
    token = way->tokens[at].token;
  return {beam ? "node" : "step",
          std::to_string(i) + (token >= 0 ? "  " + snapshot.model->entryLabel(token) : "")};
}

// Of a surface: the step along one of its axes.
std::pair<std::string, std::string> stepMeaning(const Snapshot& snapshot, const SurfaceAxis& axis, int i) {
  const auto step = valueOf(sourcesOf(snapshot), {axis.tensor, {i}});
  return {axis.name, step ? formattedShort(*step) : std::to_string(i)};
}

std::string offeredName(const Snapshot& snapshot, int i) {
  const std::vector<OfferedModel>& models = snapshot.kept.offered;
  return static_cast<std::size_t>(i) < models.size() ? models[static_cast<std::size_t>(i)].name
                                                     : std::to_string(i);
}

// Of a trace from elsewhere there may be the last place alone.
std::string placeMeaning(const Snapshot& snapshot, const TracePoint& point, int place) {
  const auto numbers = sourcesOf(snapshot).find(point.name);
  const ModelConfig& config = *snapshot.model->config;
  const bool isLastAlone = numbers && numbers->extent[0] == 1 && config.layers > 0;
  return isLastAlone ? "the last block" : placeWords(stackOf(config, point.rows), place);
}

std::string stageName(const Snapshot& snapshot, int i) {
  const auto order = sourcesOf(snapshot).find(chain::stage);
  return order ? std::string(chainLink(*order, i).name()) : "";
}

using Meaning = std::pair<std::string, std::string>;

// What is measured of parts, texts and edges counts these.
std::optional<Meaning> meaningOfPart(const ModelConfig& config, const TracePoint& point, int dimension,
                                     int i) {
  const auto at = static_cast<std::size_t>(i);
  const bool byPosition = point.letters.ends_with('T');
  if (dimension == 0)
    return byPosition ? Meaning{"part", shortNameOf(positionedParts(config)[at])}
                      : Meaning{"in", causalRowName(causalRows(config)[at])};
  if (byPosition) return std::nullopt;
  const bool isHead = i < causalColumns(config) - 2;
  return Meaning{"part", (isHead ? "head " : "") + causalColumnName(config, i)};
}
std::optional<Meaning> meaningOfEffect(const ModelConfig& config, const TracePoint& point, int dimension,
                                       int i) {
  for (const DatasetMetric& measure : datasetMetrics())
    for (const std::string& name : {measure.mean(), measure.spread(), measure.here(), measure.texts()})
      if (name == point.name && point.letters[static_cast<std::size_t>(dimension)] != 'C')
        return point.letters[static_cast<std::size_t>(dimension)] == 'Y'
                   ? Meaning{"of", rowNames(config)[static_cast<std::size_t>(i)]}
                   : Meaning{"its", columnNames(measure, config)[static_cast<std::size_t>(i)]};
  return std::nullopt;
}
std::optional<Meaning> meaningOfEdge(const Transformer& model, char letter, int i) {
  const ModelEdges edges = edgesOf(model);
  const auto at = static_cast<std::size_t>(i);
  return letter == 'Y' ? Meaning{"from", nameOf(edges.senders[at])}
                       : Meaning{"to", nameOf(edges.receivers[at])};
}
// Of heads, of rules that have a name, and of what the loss is with them.
std::optional<Meaning> meaningOfRule(const ModelConfig& config, const TracePoint& point, int dimension,
                                     int i) {
  const auto isOneOf = [&](std::initializer_list<const char*> names) {
    return std::ranges::find(names, point.name) != names.end();
  };
  const auto at = static_cast<std::size_t>(i);
  constexpr const char *ofHead[] = {"overlap", "loss recovered", "uniform loss"},
                       *looks[] = {"head", "uniform", "rule"}, *gains[] = {"rule", "head"};
  switch (point.letters[static_cast<std::size_t>(dimension)]) {
    case 'Y':
      if (isOneOf({bench::named, bench::namedRecovered, bench::namedOfTexts}))
        return Meaning{"rule", benchRules()[at].id};
      if (isOneOf({bench::agreement, bench::recovered, bench::worth, bench::ofTexts}))
        return Meaning{"in", causalRowName(benchAttention(config, i))};
      if (isOneOf({bench::distribution, bench::inBin}))
        return Meaning{"overlap", formattedBin(i, agreementBins)};
      if (isOneOf({bench::textLosses, bench::losses, bench::gains}))
        return Meaning{"replaced", std::to_string(i)};
      return std::nullopt;
    case 'Z':
      if (isOneOf({bench::agreement, bench::recovered, bench::worth, bench::ofTexts}))
        return Meaning{"head", std::to_string(i)};
      return std::nullopt;
    case '3':
      return point.name == bench::own ? Meaning{"its", ofHead[at]} : Meaning{"pattern", looks[at]};
    case '2':
      if (point.name == bench::gains) return Meaning{"pattern", gains[at]};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}
// Of replacements and sets of heads that are listed, and of what each does to two answers.
std::optional<Meaning> meaningOfChange(const TracePoint& point, char letter, int i) {
  if (letter == 'Y') return Meaning{"listed", std::to_string(i)};
  constexpr std::array<const char*, changes::probabilities> answers{
      "former prediction, before", "former prediction, after", "new prediction, before",
      "new prediction, after"};
  if (letter == '2') return Meaning{"of", i == 0 ? "before" : "with it"};
  if (point.name.find("_other") != std::string::npos) return Meaning{"other", std::to_string(i)};
  if (point.name != changes::replacementP && point.name != changes::headP) return std::nullopt;
  return Meaning{"of", answers[static_cast<std::size_t>(i)]};
}
// Of rules, the one without a name last, and of the steps that are looked at.
std::optional<Meaning> meaningOfBiography(const Snapshot& snapshot, char letter, int i) {
  const auto& named = benchRules();
  const auto at = static_cast<std::size_t>(i);
  if (letter == 'Y') return Meaning{"rule", at < named.size() ? named[at].id : "rule"};
  const auto step = valueOf(sourcesOf(snapshot), {biography::steps, {i}});
  if (letter != 'Z' || !step) return std::nullopt;
  return Meaning{"after step", std::to_string(static_cast<int>(*step))};
}
// Of continuations by every strategy, and of samples that are listed.
std::optional<Meaning> meaningOfContinuation(const TracePoint& point, char letter, int i) {
  if (letter == 'Z') return Meaning{"new token", std::to_string(i)};
  if (letter != 'Y') return std::nullopt;
  if (point.name.starts_with("samples.")) return Meaning{"listed", std::to_string(i)};
  return Meaning{"by", comparedStrategies[static_cast<std::size_t>(i)].name};
}
std::optional<Meaning> meaningOfMeasured(const Snapshot& snapshot, const TracePoint& point, int dimension,
                                         int i) {
  const auto& [config, model] = std::tie(snapshot.model->config, snapshot.model->transformer);
  const char letter = point.letters[static_cast<std::size_t>(dimension)];
  const bool isEdge = point.name.starts_with("edges."), isEffect = point.name.starts_with("effects."),
             isRule = point.name.starts_with("hypothesis.");
  if (!model) return std::nullopt;
  if (letter == 'C' && (isEdge || isEffect || isRule)) return Meaning{"text", std::to_string(i)};
  if (point.name.starts_with("samples.") || point.name.starts_with("strategies."))
    return meaningOfContinuation(point, letter, i);
  if (point.name.starts_with("change.")) return meaningOfChange(point, letter, i);
  if (point.name.starts_with("biography.")) return meaningOfBiography(snapshot, letter, i);
  if (point.name.starts_with("causal.")) return meaningOfPart(*config, point, dimension, i);
  if (isEffect) return meaningOfEffect(*config, point, dimension, i);
  if (isRule) return meaningOfRule(*config, point, dimension, i);
  const bool isTable = point.letters.ends_with("YZ");
  return isEdge && isTable ? meaningOfEdge(*model, letter, i) : std::nullopt;
}

}  // namespace

std::pair<std::string, std::string> indexMeaning(const Snapshot& snapshot, const TracePoint& point,
                                                 int dimension, int i) {
  const char letter = point.letters[static_cast<std::size_t>(dimension)];
  const bool pair = point.letters.find('S') != std::string::npos;
  if (auto measured = meaningOfMeasured(snapshot, point, dimension, i)) return *std::move(measured);
  const auto& [config, model] = std::tie(snapshot.model->config, snapshot.model->transformer);
  switch (letter) {
    case 'T':
      return {pair ? "query" : "position", std::to_string(i) + labelAt(snapshot, point.rows, i)};
    case 'S':
      return {"key", std::to_string(i) + labelAt(snapshot, point.keys, i)};
    case 'E':
      return {"model", offeredName(snapshot, i)};
    case 'H':
      return {"head", std::to_string(i)};
    case 'J':
      return {"tap", std::to_string(i) + "  " + (config ? tapWords(*config, i) : "")};
    case 'L':
      return {"block", std::to_string(i)};
    case 'P':
      return {"after", config ? placeMeaning(snapshot, point, i) : std::to_string(i)};
    case 'G':
      return {"stage", std::to_string(i) + "  " + stageName(snapshot, i)};
    case 'V':
      return {"token", std::to_string(i) + "  " + snapshot.model->entryLabel(i)};
    case 'c':
      return {"class",
              std::to_string(i) + "  " + (config ? snapshot.model->entryLabel(config->firstClass + i) : "")};
    case 'N':
      if (auto listed = indexOfListed(snapshot, point, i)) return *std::move(listed);
      return indexOfDecoded(snapshot, point, i);
    case 'D':
    case 'K':
      return {"dimension", std::to_string(i)};
    case 'B':
      return {"channel", std::to_string(i)};
    case 'F':
      return {"neuron", std::to_string(i)};
    case 'Q':
      return {"pair", std::to_string(i)};
    case 'R':
      return {"rank", std::to_string(i)};
    case 'M':
      return {"part", model ? nameOf(contributionPart(*model, i)) : std::to_string(i)};
    case 'O':
      return {point.letters.starts_with("OO") && dimension == 1 ? "and" : "wrote it",
              model ? writerName(*model, i, writersStream(point, dimension)) : std::to_string(i)};
    case 'b':
      return {point.letters.starts_with("bb") && dimension == 1 ? "and" : "wrote it",
              model ? writerGroupName(*model, i, writersStream(point, dimension)) : std::to_string(i)};
    case 'X':
      return {"distance", std::to_string(i)};
    case 'U':
    case 'W':
      return stepMeaning(snapshot, *surfaceAxis(point, letter), i);
    case 'Y':
      return {"component", std::to_string(i)};
    case 'C':
      return {"position", std::to_string(i)};
    case 'i':
      return {"row", std::to_string(i)};
    case 'o':
      return {"column", std::to_string(i)};
    default:
      return {"", ""};  // 1: nothing to count
  }
}

std::string indexMeanings(const Snapshot& snapshot, const TracePoint& point, const TensorRef& cell) {
  std::string words;
  for (std::size_t d = 0; d < point.letters.size(); ++d) {
    const auto [name, meaning] = indexMeaning(snapshot, point, static_cast<int>(d), cell.index[d]);
    if (!name.empty()) words += (words.empty() ? "" : ", ") + name + " " + meaning;
  }
  return words;
}

std::string wordsAt(const Snapshot& snapshot, const TracePoint& point, const TensorRef& cell) {
  std::string words;
  for (std::size_t d = 0; d < point.letters.size(); ++d) {
    const char letter = point.letters[d];
    const std::string word = letter == 'T'   ? labelAt(snapshot, point.rows, cell.index[d])
                             : letter == 'S' ? labelAt(snapshot, point.keys, cell.index[d])
                             : letter == 'V' ? "  " + snapshot.model->entryLabel(cell.index[d])
                                             : "";
    if (!word.empty()) words += (words.empty() ? "" : ", ") + word.substr(2);
  }
  return words;
}

}  // namespace glassformer
