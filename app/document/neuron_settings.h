#pragma once
#include <string>

#include "app/document/command.h"
#include "app/document/tab_text.h"
#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls the neuron that is looked at, the order in which they are listed
/// ("index", or the strongest first), the first that is in sight, and the texts in which examples are
/// searched: "tabs", "questions", "repeats" (random tokens, said twice), or else as many of its own task.
inline constexpr const char *neuronChoice = "residual.neuron", *neuronOrder = "residual.neuron_order",
                            *neuronsByIndex = "index", *firstNeuron = "residual.first_neuron",
                            *neuronCorpus = "residual.corpus", *corpusOfTabs = "tabs",
                            *corpusOfQuestions = "questions", *corpusOfRepeats = "repeats",
                            *manyTextsChosen = "2000", *mostTextsChosen = "10000";
inline constexpr int fewTexts = 200, manyTexts = 2000, mostTexts = 10'000;

/// How many texts of its task, or questions, a model reads; 0: the lines of all tabs.
inline int textsSearched(const ViewSettings& settings) {
  const std::string_view chosen = settings.chosen(neuronCorpus);
  return chosen == corpusOfTabs      ? 0
         : chosen == manyTextsChosen ? manyTexts
         : chosen == mostTextsChosen ? mostTexts
                                     : fewTexts;
}

namespace commands {

/// Opens a text in which a neuron is strong in a tab of its own, at that token of the text or its source.
Command openExample(TabText writing, int token, bool inSource);
/// Switches a neuron of a point [T, F] off at all tokens, or on again; it stays the one that is looked at.
Command toggleNeuron(const std::string& point, int neuron);

}  // namespace commands
}  // namespace glassformer
