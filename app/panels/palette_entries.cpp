#include "app/panels/palette_entries.h"

#include <algorithm>
#include <cctype>

#include "app/document/attention_planes.h"
#include "app/document/command.h"
#include "app/document/steps.h"
#include "app/document/switches.h"
#include "app/panels/action.h"
#include "app/scene/parts.h"
#include "app/scene/views.h"

namespace glassformer {

namespace {

// 8 at the beginning of the text, 4 at that of a word, 1 inside, -1 nowhere.
int bestPlace(std::string_view text, std::string_view word) {
  int best = -1;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    best = std::max(best, at == 0 ? 8 : text[at - 1] == ' ' ? 4 : 1);
  return best;
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace

std::vector<PaletteEntry> paletteEntries(const Ui& ui) {
  std::vector<PaletteEntry> entries;
  int number = 0;
  for (const View& view : views())
    entries.push_back({std::string(view.title) + " view", ++number <= 9 ? std::to_string(number) : "",
                       [id = view.id](Ui& u) { u.emit(commands::setView(id)); }});
  for (const Action& action : actions())
    if (isAvailable(action, ui)) entries.push_back({action.title, keyText(action), action.run});
  for (const ModelLibrary::Entry& model : ui.models)
    entries.push_back({"Open model " + model.name, "model",
                       [name = model.name](Ui& u) { u.emit(commands::setModel(name)); }});
  if (!ui.snapshot.config) return entries;
  const ModelConfig& config = *ui.snapshot.config;
  const auto eachHead = [&](auto visit) {
    for (const AttentionSite site : sitesOf(config))
      for (int layer = 0; layer < config.layers; ++layer)
        for (int head = 0; head < config.heads; ++head) visit(HeadId{layer, head, site});
  };
  eachHead([&](HeadId head) {
    entries.push_back(
        {blockName(head.layer, head.site) + " · head " + std::to_string(head.head), "head", [=](Ui& u) {
           u.emit(commands::selectHead(head));
           u.emit(commands::setView("attention"));
         }});
  });
  std::vector<ModelPart> parts = wholeParts(config);
  eachHead([&](HeadId head) { parts.push_back({ModelPart::Kind::Head, head.layer, head.head, head.site}); });
  for (const ModelPart& part : parts)
    entries.push_back(
        {"Switch " + nameOf(part) + (isOff(ui.workspace().interventions, part) ? " on" : " off"), "model",
         [part](Ui& u) { u.emit(commands::togglePart(part)); }});
  const auto steps = stepsOf(config);
  for (std::size_t i = 0; i < steps.size(); ++i)
    entries.push_back(
        {fullTitle(steps[i]), "step", [i](Ui& u) { u.emit(commands::setStep(static_cast<int>(i))); }});
  for (int i = 0; i < (ui.snapshot.trace ? ui.snapshot.trace->tokenCount() : 0); ++i)
    entries.push_back(
        {"Token " + std::to_string(i) + "  " + ui.snapshot.tokens[static_cast<std::size_t>(i)].label, "token",
         [i](Ui& u) { u.emit(commands::selectQuery(i)); }});
  return entries;
}

int paletteScore(std::string_view title, std::string_view typed) {
  const std::string text = lowered(title), query = lowered(typed);
  int score = 0;
  for (std::size_t at = 0; at < query.size();) {
    const std::size_t begin = query.find_first_not_of(' ', at);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(query.find(' ', begin), query.size());
    const int best = bestPlace(text, query.substr(begin, end - begin));
    if (best < 0) return -1;
    score += best;
    at = end;
  }
  return score;
}

}  // namespace glassformer
