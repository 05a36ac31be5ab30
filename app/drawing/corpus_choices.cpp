#include "app/drawing/corpus_choices.h"

#include "app/document/view_commands.h"
#include "app/scene/format.h"

namespace glassformer {

std::vector<Choice> corpusChoices(const SceneInput& input, int most) {
  const ViewSettings& settings = input.workspace.settings;
  const std::string_view corpus = settings.chosen(neuronCorpus);
  std::vector<Choice> choices;
  for (const int count : {fewTexts, manyTexts, mostTexts})
    if (count <= most)
      choices.push_back(
          {std::to_string(count), "texts of the model's own task, as many",
           corpus != corpusOfQuestions && corpus != corpusOfRepeats && textsSearched(settings) == count,
           commands::choose(neuronCorpus, count == fewTexts ? "" : std::to_string(count))});
  choices.push_back({"Test questions", "Held-out test questions of the model's task",
                     corpus == corpusOfQuestions, commands::choose(neuronCorpus, corpusOfQuestions)});
  if (input.snapshot.model->continues())
    choices.push_back({"Repeats", "Random tokens, then the same tokens again (Olsson et al. 2022)",
                       corpus == corpusOfRepeats, commands::choose(neuronCorpus, corpusOfRepeats)});
  choices.push_back({"Open tabs", "Every line of the open tabs", corpus == corpusOfTabs,
                     commands::choose(neuronCorpus, corpusOfTabs)});
  return choices;
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
