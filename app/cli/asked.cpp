#include "app/cli/asked.h"

#include "app/document/metric_settings.h"
#include "app/document/switches.h"
#include "app/scene/format.h"
#include "core/io/checksum.h"

namespace glassformer {

Question askedOf(const LoadedModel& model, const std::vector<std::string>& choices, const TabText& read,
                 const Interventions& standing) {
  Question question;
  question.model = model.name;
  for (const std::string& choice : choices) question.model += ", " + choice;
  question.weights = checksumOf(model.transformer->parameters());
  question.text = read.text, question.source = read.source;
  for (const Intervention& each : standing) question.interventions.push_back(summaryOf(each));
  return question;
}

void askAbout(const AnswerMetric& answer, const std::vector<int>& tokens, const Tokenizer& tokenizer,
              Question& question) {
  const auto written = [&](int id) { return id < 0 ? "" : tokenizer.decode(std::vector{id}); };
  question.position = answer.prediction.position;
  question.token = written(tokens[static_cast<std::size_t>(answer.prediction.position)]);
  question.answer = written(answer.prediction.entry);
  question.contrast = written(answer.against);
  for (const MetricChoice& metric : metricChoices)
    if (metric.kind == Metric::Kind::Answer && metric.as == answer.as &&
        metric.isDifference == (answer.against >= 0))
      question.metric = metric.id;
}

std::string datasetWords(std::size_t texts, const char* kind, std::uint64_t seed) {
  return std::to_string(texts) + " " + kind + ", seed " + std::to_string(seed);
}

std::string datasetWords(std::size_t texts, const std::string& file) {
  return countWords(static_cast<std::int64_t>(texts), "line") + " of " + file;
}

}  // namespace glassformer
