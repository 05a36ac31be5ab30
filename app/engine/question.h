#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/document/workspace.h"
#include "app/engine/need.h"
#include "app/engine/snapshot.h"

namespace glassformer {

/// The question that numbers answer, so that they cannot be mistaken for another one's answer: it stands in
/// captions and in every file of numbers. What is not asked stays empty.
struct Question {
  std::string model;          ///< "stories", with what was changed of it
  std::string weights;        ///< their checksum; empty: not taken
  std::string text, source;   ///< that are read
  std::string compared;       ///< with what: a text, a model, the same without interventions
  int position = -1;          ///< of the token whose next one, or whose gap, is asked about, from 0
  std::string token;          ///< that token, as it is written
  std::string answer;         ///< whose logit or probability is asked about
  std::string contrast;       ///< whose logit is subtracted
  std::string metric;         ///< id of metricChoices, or the name of another measure
  std::string equation;       ///< "z without − z"
  std::string positions;      ///< the tokens that a mean is over
  std::string norms;          ///< "recomputed" or "frozen"
  std::string normalization;  ///< what a share is of
  std::string dataset;        ///< "200 held-out texts of the task, seed 1"
  std::vector<std::string> interventions;  ///< in force in every pass

  /// Those that are asked, in this order, as words: an intervention is a line of its own.
  std::vector<std::pair<std::string, std::string>> lines() const;
};

/// {"model": "stories", "position": 18, …}: those that are asked.
nlohmann::ordered_json questionJson(const Question& question);
/// "# model: stories\n# text: …\n", each on one line, to stand above a table.
std::string questionComments(const Question& question);

/// What a picture that needs these measurements asks, of what a snapshot shows.
Question questionOf(const Workspace& workspace, const Snapshot& snapshot, Needs needs);

/// In a sentence for a caption: "Asked about “ animal” after token 18 “The”: logit difference to “ street”,
/// norms frozen, over 200 held-out texts of the task, seed 1."; empty where nothing is asked that does not
/// stand in the picture anyway.
std::string questionSentence(const Question& question);

/// The part of the question that is not plain, to stand above a picture: another metric, other positions,
/// and interventions, where nothing else on screen lists them. Empty: it is what the picture asks at first.
std::string unusualQuestion(const Workspace& workspace, const Snapshot& snapshot, Needs needs,
                            bool listsInterventions);

/// What norms do while something is changed or attributed.
inline constexpr const char *normsRecomputed = "recomputed", *normsFrozen = "frozen";
/// Which texts are read where many are: "200 held-out texts of the task, seed 1", "the lines of the open
/// tabs".
std::string datasetWords(const ViewSettings& settings);
/// Over which of their tokens means are taken.
std::string positionsWords(const ViewSettings& settings);

}  // namespace glassformer
