#include "app/cli/options/common_options.h"

#include <algorithm>
#include <cmath>

#include "app/cli/options/checks.h"
#include "app/document/metric_settings.h"
#include "app/document/workspace.h"
#include "core/model/memory_need.h"
#include "core/model/pass_limit.h"

namespace glassformer {
namespace {

// By the field's name where the id of settings and files is another one.
std::string metricName(const MetricChoice& metric) {
  return metric.isDifference ? "logit-diff" : std::string(metric.id);
}

std::vector<std::string> metricNames() {
  std::vector<std::string> names;
  for (const MetricChoice& each : metricChoices) names.push_back(metricName(each));
  return names;
}

// Leaves the id of the metric of that name, which may also be a former one.
std::string readMetric(std::string& metric) {
  if (metric == "lead") metric = "logit-diff";
  for (const MetricChoice& each : metricChoices)
    if (metric == metricName(each) || metric == each.id) return metric = each.id, "";
  return oneOf(metricNames())(metric);
}

}  // namespace

std::string helpWords(std::string tip) {
  const std::string_view first = std::string_view(tip).substr(0, tip.find(' '));
  const bool isName = std::ranges::any_of(first.substr(1), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!isName && tip[0] >= 'A' && tip[0] <= 'Z') tip[0] = static_cast<char>(tip[0] - 'A' + 'a');
  return tip;
}

void addModel(CLI::App& command, std::string& model) {
  command.add_option("--model", model, "built-in name or directory")->capture_default_str();
}

CLI::Option* addText(CLI::App& command, std::string& text, const std::string& meaning) {
  return command.add_option("--text", text, meaning)->check(somethingWritten());
}

CLI::Option* addSource(CLI::App& command, std::string& source) {
  return command.add_option("--source", source, "source text: for encoder-decoders");
}

void addChoices(CLI::App& command, std::vector<std::string>& choices) {
  command.add_option("--set", choices, "field of the architecture, such as norm=rms (see models --options)");
}

void addInterventions(CLI::App& command, InterventionOptions& interventions) {
  command.add_option("--ablate", interventions.off,
                     "component to zero-ablate, such as L2H3 or \"MLP of block 0\"");
  command.add_option(
      "--intervene", interventions.changes,
      "intervention on a component or POINT[INDEX]: \"L2H3 scale 0.5\", \"L2H3 argmax\", \"L2H3 mean\" (mean "
      "ablation over the text), \"blocks.2.attn.hook_pattern[0, *, 3] replace 0.3\", or \"L2H3 as "
      "FOLDER@400\" (the output after that training step, from a saved run or a folder of train --out)");
}

CLI::Option* addTexts(CLI::App& command, int& texts, const std::string& meaning) {
  return command.add_option("--texts", texts, meaning)->capture_default_str()->check(wholeWithin(1, 100000));
}

void addSeed(CLI::App& command, std::uint64_t& seed, const std::string& meaning) {
  command.add_option("--seed", seed, meaning)->capture_default_str()->check(seedNumber());
}

void addMetric(CLI::App& command, std::string& metric, const std::string& meaning) {
  command.add_option("--metric", metric, meaning)
      ->capture_default_str()
      ->transform(CLI::Validator(&readMetric, oneOf(metricNames()).get_description(), "metric"));
}

void addJsonOrCsv(CLI::App& command, bool& json, bool& csv) {
  CLI::Option* asJson = command.add_flag("--json", json, "everything that was computed, as JSON");
  command.add_flag("--csv", csv, "its table, as CSV")->excludes(asJson);
}

void addMemory(CLI::App& command) {
  const auto inBytes = [](float gigabytes) { return 1e6 * std::round(1e3 * gigabytes); };
  command
      .add_option_function<std::string>(
          "--memory", [](const std::string& amount) { setPassLimit(*bytesIn(amount)); },
          "memory limit of one forward pass, such as 4GB; over it, attention scores and patterns are "
          "recomputed, and what needs more is refused (a quarter of the free memory)")
      ->check(amountOfMemory(inBytes(Machine::leastMemory), inBytes(Machine::mostMemory)));
}

}  // namespace glassformer
