#include "app/cli/check_command.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "app/cli/choices_option.h"
#include "app/cli/token_ids.h"
#include "app/packs/npz.h"
#include "core/io/trace_check.h"
#include "core/model/live_pass.h"
#include "core/model/suspects.h"

namespace glassformer {
namespace {

TraceCheck checked(const std::shared_ptr<const Transformer>& model, const std::vector<int>& tokens,
                   const StoredTensors& dump) {
  return checkTrace(*LivePass(model).run(tokens, {}, {}), dump);
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

void say(const TraceCheck& check, double tolerance) {
  const PointCheck* first = check.firstBeyond(tolerance);
  for (const PointCheck& point : check.points)
    std::printf("%-40s %8.1e%s\n", point.name.c_str(), point.error,
                &point == first ? "   the first beyond the tolerance" : "");
  for (const std::string& words : check.otherShape) std::printf("%s: not compared\n", words.c_str());
  for (const std::string& name : check.unknown) std::printf("%s is no trace point here\n", name.c_str());
}

// What makes all agree, or else what agrees farthest.
void sayWhy(const std::shared_ptr<const Transformer>& model, const std::vector<int>& tokens,
            const StoredTensors& dump, const TraceCheck& check, double tolerance) {
  std::size_t farthest = reachOf(check, tolerance);
  std::string better;
  std::multimap<double, std::string> explanations;  // by the error that is left
  for (const Suspect& suspect : suspectsOf(model)) {
    const TraceCheck other = checked(suspect.model, tokens, dump);
    if (other.points.size() < check.points.size()) continue;  // it has other points
    const std::size_t reach = reachOf(other, tolerance);
    if (reach == other.points.size()) {
      explanations.emplace(worstOf(other), suspect.words);
    } else if (reach > farthest) {
      farthest = reach;
      better = suspect.words + " (then the first is " + other.points[reach].name + ")";
    }
  }
  for (const auto& [error, words] : explanations)
    std::printf("explained by: %s (with it all agree to %.1e)\n", words.c_str(), error);
  if (!explanations.empty()) return;
  std::printf("%s\n", better.empty() ? "none of the usual suspects explains it"
                                     : ("part of it is explained by: " + better).c_str());
}

}  // namespace

Status CheckCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const ModelConfig& config = loaded->transformer->config();
  if (config.reads())
    return Error{"reads a source beside its text", model, "encoder-decoders cannot be checked yet"};
  const auto dump = isNpz(against) ? openNpz(against) : StoredTensors::open(against);
  if (!dump) return dump.error();
  const auto written = dump->metadata().find("tokens");
  if (tokens.empty() && written == dump->metadata().end())
    return Error{
        "does not say which tokens were read", against,
        "give --tokens, or write them into its metadata as \"12,7,300\", of an npz as an array \"tokens\""};
  const std::string where = tokens.empty() ? against + ", metadata tokens" : "--tokens";
  const auto ids = parsedTokens(tokens.empty() ? written->second : tokens, where);
  if (!ids) return ids.error();
  if (Status status = checkTokens(*ids, config, where); !status) return status;
  if (Status fits = LivePass(loaded->transformer).checkMemory(ids->size(), 0); !fits) return fits;

  const TraceCheck check = checked(loaded->transformer, *ids, *dump);
  if (check.points.empty())
    return Error{"has no tensor of a trace point's name and shape", against,
                 "glassformer trace writes a file with all of them"};
  say(check, tolerance);
  const PointCheck* first = check.firstBeyond(tolerance);
  if (!first) {
    std::printf("all %zu agree to %.1e\n", check.points.size(), worstOf(check));
    return success();
  }
  std::printf("%s is %.6g here, %.6g there\n", cellWords(*first).c_str(), static_cast<double>(first->ours),
              static_cast<double>(first->theirs));
  sayWhy(loaded->transformer, *ids, *dump, check, tolerance);
  return Error{"differs from " + against + " from " + first->name + " on", model, ""};
}

}  // namespace glassformer
