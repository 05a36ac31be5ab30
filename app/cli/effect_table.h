#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/json_lines.h"
#include "app/engine/loaded_model.h"
#include "app/engine/question.h"
#include "core/lens/rule_fit.h"
#include "core/model/live_pass.h"
#include "core/train/held_out_texts.h"

namespace glassformer {

/// What many texts have in common of a number, beside that of one.
nlohmann::json spreadJson(const Spread& spread, float here);
/// "  +0.123 +- 0.045   +0.100", in columns; without a number that is beside it where that is empty.
void printSpread(const Spread& spread, std::optional<float> here);

/// Texts that are read with interventions, and one beside them.
struct TextsRead {
  const std::vector<TokenText>& texts;
  const std::optional<TokenText>& beside;
  const Interventions& standing;
  Question question = {};  ///< which they are, for what is printed
  bool arePairs = false;   ///< the first with the second, the third with the fourth

  /// Whether that one is all there is.
  bool isAlone() const;
  /// The other one of a pair; null: there is none.
  const TokenText* partnerOf(int i) const;
  const TokenText* partnerOfBeside() const;
};
/// Prints one of datasetMetrics() over them, cell by cell, the largest first.
Status sayMeasure(const LoadedModel& model, LivePass& pass, const std::string& measure, const TextsRead& read,
                  Printed printed);
/// What is asked about edges.
struct EdgesWanted {
  std::string metric = "loss";  ///< id of metricChoices: of each text, of its own answer where it ends
  float threshold = 0;          ///< in nats, or of a logit, from which on one matters; 0: the usual one
  int best = 5;                 ///< as many are listed
};
/// Prints the edges that matter most over them (see core/lens/edge_effects.h), of the text beside with what
/// the gradient says. Where that is the only one that is read, it tells of that alone.
Status sayEdges(const LoadedModel& model, LivePass& pass, const TextsRead& read, const EdgesWanted& wanted,
                Printed printed);
/// "direct, previous, ...": those that it can be.
std::string measuresOfTexts();

}  // namespace glassformer
