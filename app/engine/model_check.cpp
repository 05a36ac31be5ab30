#include "app/engine/model_check.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "app/engine/token_ids.h"
#include "core/io/recorded_trace.h"
#include "core/model/live_pass.h"
#include "core/model/suspects.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

struct IdsChecked {
  std::vector<int> text, source;
};

// Given by an option, or else stored in the dump under a name.
Result<std::vector<int>> idsFrom(const std::string& given, const std::string& option, const std::string& name,
                                 const StoredTensors& dump, const std::string& file,
                                 const ModelConfig& config) {
  const auto written = storedIds(dump, name, file);
  if (given.empty() && !written) return written.error();
  if (given.empty() && !*written)
    return Error{name == "source" ? "has no token ids of the source" : "has no token ids", file,
                 "give " + option +
                     ", or write them into its metadata as \"12,7,300\", of an npz as an array " +
                     inQuotes(name)};
  const std::string where = given.empty() ? file + ", " + name : option;
  auto ids = given.empty() ? Result<std::vector<int>>(**written) : parsedTokens(given, where);
  if (!ids) return ids.error();
  if (Status status = checkTokens(*ids, config, where); !status) return status.error();
  return ids;
}

Result<IdsChecked> idsOf(const GivenIds& given, const StoredTensors& dump, const std::string& file,
                         const ModelConfig& config) {
  auto text = idsFrom(given.text, "--token-ids", "tokens", dump, file, config);
  if (!text) return text.error();
  if (!config.isEncoderDecoder()) return IdsChecked{*std::move(text), {}};
  auto source = idsFrom(given.source, "--source-ids", "source", dump, file, config);
  if (!source) return source.error();
  return IdsChecked{*std::move(text), *std::move(source)};
}

Result<TraceCheck> checked(const std::shared_ptr<const Transformer>& model, const IdsChecked& ids,
                           const StoredTensors& dump) {
  return checkTrace(*LivePass(model).run(ids.text, {}, ids.source), dump);
}

// How far along the pass the first point beyond the tolerance is.
std::size_t reachOf(const TraceCheck& check, double tolerance) {
  const PointCheck* first = check.firstBeyond(tolerance);
  return first ? static_cast<std::size_t>(first - check.points.data()) : check.points.size();
}

double worstOf(const TraceCheck& check) {
  double worst = 0;
  for (const PointCheck& point : check.points) worst = std::max(worst, point.error);
  return worst;
}

std::string shortNumber(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// What makes all agree, or else what agrees farthest.
Result<std::vector<std::string>> reasonsOf(const std::shared_ptr<const Transformer>& model,
                                           const IdsChecked& ids, const StoredTensors& dump,
                                           const TraceCheck& check, double tolerance,
                                           const ProgressCallback& watch) {
  std::size_t farthest = reachOf(check, tolerance);
  std::string better;
  std::multimap<double, std::string> explanations;  // by the error that is left
  const std::vector<Suspect> suspects = suspectsOf(model);
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    if (!watch(static_cast<int>(i), static_cast<int>(suspects.size())))
      return Error{"was cancelled", "the usual suspects", ""};
    const auto other = checked(suspects[i].model, ids, dump);
    if (!other) return other.error();
    if (other->points.size() < check.points.size()) continue;  // it has other points
    const std::size_t reach = reachOf(*other, tolerance);
    if (reach == other->points.size()) {
      explanations.emplace(worstOf(*other), suspects[i].words);
    } else if (reach > farthest) {
      farthest = reach;
      better = suspects[i].words + " (then the first is " + other->points[reach].name + ")";
    }
  }
  std::vector<std::string> reasons;
  for (const auto& [error, words] : explanations)
    reasons.push_back("explained by: " + words + " (with it all agree to " + shortNumber("%.1e", error) +
                      ")");
  if (reasons.empty())
    reasons.push_back(better.empty() ? "none of the usual suspects explains it"
                                     : "part of the difference comes from: " + better);
  return reasons;
}

}  // namespace

double ModelCheck::worst() const { return worstOf(trace); }

std::string ModelCheck::verdict() const {
  const PointCheck* const point = first();
  if (!point)
    return "all " + std::to_string(trace.points.size()) + " agree to " + shortNumber("%.1e", worst());
  return cellWords(*point) + " is " + shortNumber("%.6g", static_cast<double>(point->ours)) + " here, " +
         shortNumber("%.6g", static_cast<double>(point->theirs)) + " there";
}

Result<ModelCheck> checkModel(const LoadedModel& model, const StoredTensors& dump,
                              const std::filesystem::path& against, const GivenIds& given, double tolerance,
                              const ProgressCallback& watch) {
  const ModelConfig& config = model.transformer->config();
  const auto ids = idsOf(given, dump, against.string(), config);
  if (!ids) return ids.error();
  if (Status fits = LivePass(model.transformer).checkMemory(ids->text.size(), ids->source.size()); !fits)
    return fits.error();
  auto trace = checked(model.transformer, *ids, dump);
  if (!trace) return trace.error();
  ModelCheck check{model.name, against, tolerance, *std::move(trace), {}};
  if (check.trace.points.empty())
    return Error{"has no tensor of a trace point's name and shape", against.string(),
                 "glassformer trace writes a file with all of them"};
  if (!check.first()) return check;
  auto reasons = reasonsOf(model.transformer, *ids, dump, check.trace, tolerance, watch);
  if (!reasons) return reasons.error();
  check.reasons = std::move(*reasons);
  return check;
}

}  // namespace glassformer
