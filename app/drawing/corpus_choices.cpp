#include "app/drawing/corpus_choices.h"

#include "app/document/neuron_settings.h"
#include "app/document/view_commands.h"

namespace glassformer {

std::vector<Choice> corpusChoices(const SceneInput& input) {
  const ViewSettings& settings = input.workspace.settings;
  const std::string_view corpus = settings.chosen(neuronCorpus);
  return {{"200", "texts of the model's own task, as many", textsSearched(settings) == fewTexts,
           commands::choose(neuronCorpus, "")},
          {"2000", "texts of the model's own task, as many", corpus == manyTextsChosen,
           commands::choose(neuronCorpus, manyTextsChosen)},
          {"Tabs", "every line of the texts that are open, such as a file that was dropped",
           corpus == corpusOfTabs, commands::choose(neuronCorpus, corpusOfTabs)}};
}

}  // namespace glassformer
