#include "app/engine/question.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/document/attribution_settings.h"
#include "app/document/comparison_commands.h"
#include "app/document/edge_settings.h"
#include "app/document/effect_settings.h"
#include "app/document/leave_out_settings.h"
#include "app/document/metric_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/patch_settings.h"
#include "app/document/switches.h"
#include "app/document/text_edit.h"
#include "app/engine/ablation_map.h"
#include "app/engine/asked_metric.h"
#include "app/engine/dataset_stats.h"
#include "app/engine/edge_ablation.h"
#include "app/engine/measurements.h"
#include "app/engine/needs.h"
#include "app/engine/patch_map.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

std::string onOneLine(std::string words) {
  for (char& c : words)
    if (c == '\n' || c == '\r') c = ' ';
  return words;
}

std::string written(const Snapshot& snapshot, int entry) {
  const int entries[] = {entry};
  const std::string bytes = entry < 0 ? "" : snapshot.model->bytesOf(entries);
  return entry < 0 ? "" : bytes.empty() ? snapshot.model->entryLabel(entry) : displayable(bytes);
}

void askAbout(const AnswerMetric& answer, const Snapshot& snapshot, Question& question) {
  question.position = answer.prediction.position;
  question.answer = written(snapshot, answer.prediction.entry);
  question.contrast = written(snapshot, answer.against);
}

// By a metric of the open text, with the equation that its tensor has.
void askMetric(const Workspace& workspace, const Snapshot& snapshot, const MetricChoice& metric,
               const std::string& tensor, Question& question) {
  question.metric = metric.id;
  if (metric.kind == Metric::Kind::Loss)
    question.positions = positionsWords(workspace.settings);
  else
    askAbout(askedAnswer(workspace.settings, *snapshot.pass, metric), snapshot, question);
  if (snapshot.kept.measured && snapshot.kept.measured->contains(tensor))
    question.equation = snapshot.kept.measured->point(snapshot.kept.measured->find(tensor)).equation;
}

void askAblation(const Workspace& workspace, const Snapshot& snapshot, Question& question) {
  askMetric(workspace, snapshot, chosenMetric(workspace.settings, usualAblationMetric),
            causal::at(causal::numberOf(workspace.settings), leavesOutByPosition(workspace.settings)),
            question);
  question.norms = normsRecomputed;
}

void askPatches(const Workspace& workspace, const Snapshot& snapshot, Question& question) {
  const bool isShare = workspace.settings.chosen(patchShare) == patchAsShare;
  askMetric(workspace, snapshot, chosenMetric(workspace.settings, usualPatchMetric),
            isShare ? patching::share : patching::change, question);
  const auto& measured = snapshot.kept.measured;
  const bool isOtherAnswer =
      question.metric == "difference" && workspace.settings.chosen(againstChoice).empty();
  if (isOtherAnswer && measured && measured->contains(patching::other))
    question.contrast = written(snapshot, static_cast<int>((*measured)[patching::other](0)));
  if (isShare) question.normalization = "0: the open text's number, 1: the other text's";
  question.norms = normsRecomputed;
}

void askDataset(const Workspace& workspace, const Snapshot&, Question& question) {
  question.dataset = datasetWords(workspace.settings);
}

void askEdges(const Workspace& workspace, const Snapshot& snapshot, Question& question) {
  const bool ofOpenText = tellsOfOpenText(workspace.settings);
  askMetric(workspace, snapshot, metricOfEdges(workspace.settings), ofOpenText ? edge::here : edge::mean,
            question);
  question.norms = snapshot.model->config && snapshot.model->config->normPlacement == NormPlacement::Post
                       ? normsRecomputed
                       : normsFrozen;
  if (ofOpenText) return;
  askDataset(workspace, snapshot, question);
  question.answer.clear(), question.contrast.clear();  // each text has its own
}

void askEffects(const Workspace& workspace, const Snapshot& snapshot, Question& question) {
  const DatasetMetric& measure = effectMeasure(workspace.settings.chosen(effectNumber));
  question.metric = measure.id;
  if (snapshot.model->config) question.equation = measure.equation(*snapshot.model->config);
  question.positions = positionsWords(workspace.settings);
  question.norms = measure.id == "direct" ? normsFrozen : normsRecomputed;
  askDataset(workspace, snapshot, question);
}

void askContributions(const Workspace& workspace, const Snapshot& snapshot, Question& question) {
  const ContributionTo to = workspace.settings.residual.to;
  if (to == ContributionTo::FinalState || to == ContributionTo::Length) return;
  question.metric = to == ContributionTo::Logit ? "logit" : "centered";
  question.answer = written(snapshot, snapshot.pass->attributedEntry);
  question.norms = normsFrozen;
}

void askPrediction(const Workspace& workspace, const Snapshot& snapshot, Question& question) {
  const MetricChoice& metric = chosenMetric(workspace.settings, "logit");
  askAbout(
      askedAnswer(workspace.settings, *snapshot.pass, metric.isDifference ? metric : *findMetric("logit")),
      snapshot, question);
  question.metric = question.contrast.empty() ? "logit" : "difference";
}

void askGradient(const Workspace&, const Snapshot& snapshot, Question& question) {
  askAbout({snapshot.pass->predicted}, snapshot, question);
  question.metric = "logit";
}

// The needs that ask more than every number does.
struct Asking {
  const Need& need;
  void (*ask)(const Workspace&, const Snapshot&, Question&);
};
const Asking allAsking[] = {
    {needs::causalMap, askAblation},          {needs::patchMap, askPatches},
    {needs::edgesOfText, askEdges},           {needs::partEffects, askEffects},
    {needs::contributions, askContributions}, {needs::integratedAttribution, askPrediction},
    {needs::influence, askGradient},          {needs::neuronExamplesFound, askDataset},
    {needs::ruleBench, askDataset},           {needs::profiledRules, askDataset}};

std::string comparedWords(const Workspace& workspace, const Snapshot& snapshot) {
  if (!workspace.comparison.isOn() || !snapshot.other) return "";
  if (workspace.comparison.with == Comparison::withoutInterventions)
    return "the same model without interventions";
  const Snapshot& other = *snapshot.other;
  return other.model->name == snapshot.model->name && other.pass->text != snapshot.pass->text
             ? other.pass->text
             : "model " + other.model->name;
}

std::vector<std::string> phrasesOf(const Question& question) {
  const auto quoted = [](const std::string& words) { return "“" + words + "”"; };
  std::vector<std::string> said;
  if (const MetricChoice* metric = findMetric(question.metric)) {
    const std::string of = question.answer.empty() ? "" : " of " + quoted(question.answer);
    said.push_back(metric->words + of +
                   (question.contrast.empty() ? "" : " minus " + quoted(question.contrast)) +
                   (of.empty() || question.position < 0
                        ? ""
                        : ", at token " + std::to_string(question.position) + " " + quoted(question.token)));
  }
  if (!question.norms.empty()) said.push_back("norms " + question.norms);
  if (!question.normalization.empty()) said.push_back(question.normalization);
  if (!question.positions.empty()) said.push_back("mean over " + question.positions);
  if (!question.dataset.empty()) said.push_back(question.dataset);
  for (const std::string& each : question.interventions) said.push_back("with " + each);
  return said;
}

}  // namespace

std::string datasetWords(const ViewSettings& settings) {
  const int count = textsSearched(settings);
  if (count == 0) return "the lines of the open tabs";
  const std::string_view chosen = settings.chosen(neuronCorpus);
  return std::to_string(count) +
         (chosen == corpusOfQuestions ? " held-out questions of the task"
          : chosen == corpusOfRepeats ? " repeats of random tokens"
                                      : " held-out texts of the task") +
         ", seed 1";
}

std::string positionsWords(const ViewSettings& settings) {
  const std::string_view chosen = settings.chosen(countedPositions);
  return chosen == allPositions       ? "all tokens"
         : chosen == lastPosition     ? "the last token"
         : listedPositions(chosen, 0) ? "tokens " + std::string(chosen)
                                      : "the tokens that the task trains";
}

std::vector<std::pair<std::string, std::string>> Question::lines() const {
  std::vector<std::pair<std::string, std::string>> all{
      {"model", model},
      {"weights", weights},
      {"text", text},
      {"source", source},
      {"compared with", compared},
      {"position", position < 0 ? "" : std::to_string(position)},
      {"token", token},
      {"answer", answer},
      {"contrast", contrast},
      {"metric", metric},
      {"equation", equation},
      {"positions", positions},
      {"norms", norms},
      {"normalization", normalization},
      {"dataset", dataset}};
  for (const std::string& each : interventions) all.emplace_back("intervention", each);
  std::erase_if(all, [](const auto& line) { return line.second.empty(); });
  return all;
}

nlohmann::ordered_json questionJson(const Question& question) {
  nlohmann::ordered_json json;
  for (const auto& [name, words] : question.lines())
    if (name == "intervention")
      json["interventions"].push_back(words);
    else if (name == "position")
      json[name] = question.position;
    else
      json[name] = words;
  return json;
}

std::string questionComments(const Question& question) {
  std::string comments;
  for (const auto& [name, words] : question.lines()) comments += "# " + name + ": " + onOneLine(words) + "\n";
  return comments;
}

std::string questionSentence(const Question& question) {
  std::string sentence;
  for (const std::string& each : phrasesOf(question))
    sentence += (sentence.empty() ? "Asked: " : "; ") + each;
  return sentence.empty() ? "" : sentence + ".";
}

Question questionOf(const Workspace& workspace, const Snapshot& snapshot, Needs needs) {
  Question question;
  question.model = snapshot.model->name;
  const auto &config = snapshot.model->config, &loaded = snapshot.model->loadedConfig;
  if (config && loaded && !workspace.changes.empty())
    question.model += ", " + changesInWords(workspace.changes, *loaded, *config);
  question.text = snapshot.pass->text, question.source = snapshot.pass->source;
  question.compared = comparedWords(workspace, snapshot);
  for (const Intervention& each : workspace.interventions) question.interventions.push_back(summaryOf(each));
  if (snapshot.pass->hasTrace()) question.position = selectedPosition(workspace, *snapshot.pass->trace);
  for (const Need* need : needs)
    for (const Asking& asking : allAsking)
      if (need == &asking.need) asking.ask(workspace, snapshot, question);
  const auto& tokens = snapshot.pass->tokens;
  const auto at = static_cast<std::size_t>(question.position);
  if (question.position >= 0 && at < tokens.size()) question.token = tokens[at].label;
  return question;
}

std::string unusualQuestion(const Workspace& workspace, const Snapshot& snapshot, Needs needs,
                            bool listsInterventions) {
  Workspace plain = workspace;
  plain.settings = {}, plain.interventions.clear(), plain.comparison = {};
  const std::vector<std::string> usual = phrasesOf(questionOf(plain, snapshot, needs));
  Question asked = questionOf(workspace, snapshot, needs);
  asked.dataset.clear();  // pictures of many texts name them
  if (!listsInterventions) asked.interventions.clear();
  std::string unusual;
  for (const std::string& each : phrasesOf(asked))
    if (std::ranges::find(usual, each) == usual.end()) unusual += (unusual.empty() ? "" : " · ") + each;
  return unusual;
}

}  // namespace glassformer
