#include "app/drawing/corpus_choices.h"

#include "app/document/neuron_settings.h"
#include "app/document/view_commands.h"
#include "app/scene/format.h"

namespace glassformer {

std::vector<Choice> corpusChoices(const SceneInput& input) {
  const ViewSettings& settings = input.workspace.settings;
  const std::string_view corpus = settings.chosen(neuronCorpus);
  return {{"200", "texts of the model's own task, as many",
           corpus != corpusOfQuestions && textsSearched(settings) == fewTexts,
           commands::choose(neuronCorpus, "")},
          {"2000", "texts of the model's own task, as many", corpus == manyTextsChosen,
           commands::choose(neuronCorpus, manyTextsChosen)},
          {"10000", "texts of the model's own task, as many", corpus == mostTextsChosen,
           commands::choose(neuronCorpus, mostTextsChosen)},
          {"Questions",
           "the held-out questions of the model's task that have one right answer, up to where it comes",
           corpus == corpusOfQuestions, commands::choose(neuronCorpus, corpusOfQuestions)},
          {"Tabs", "every line of the texts that are open, such as a file that was dropped",
           corpus == corpusOfTabs, commands::choose(neuronCorpus, corpusOfTabs)}};
}

std::string corpusWords(const SceneInput& input, float count) {
  const std::string_view corpus = input.workspace.settings.chosen(neuronCorpus);
  return formattedFixed(count, 0) +
         (corpus == corpusOfTabs        ? " line"
          : corpus == corpusOfQuestions ? " question"
                                        : " text") +
         (count == 1 ? "" : "s");
}

}  // namespace glassformer
