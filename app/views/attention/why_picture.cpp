#include "app/views/attention/why_picture.h"

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/views/attention/output_table.h"
#include "app/views/attention/score_table.h"
#include "app/views/views.h"
#include "core/lens/head_reading.h"

namespace glassformer {

namespace {

float marginOf(Point size) { return size.x < 800 ? 16.0f : 24.0f; }

// Leaves as many choices as find room, the chosen one last of all.
void dropUntilFitting(std::vector<Choice>& choices, const SceneInput& input, float room) {
  while (!choices.empty() && widthOf(input, choices) > room)
    choices.erase(choices.end() - (choices.size() > 1 && choices.back().on ? 2 : 1));
}

}  // namespace

WhyPicture::WhyPicture(const SceneInput& sceneInput)
    : input(sceneInput),
      head(selectedHead(input.workspace, input.config())),
      query(std::clamp(input.query(), 0, std::max(input.tokenCount() - 1, 0))),
      order(partOrder(input.workspace.settings)),
      sources(input.sources()) {}

ViewHeader WhyPicture::header(const std::string& title, const std::string& about,
                              std::vector<Choice> logits) const {
  const bool ofOutput = takesOutputApart(input.workspace.settings);
  const auto orderedBy = [&](PartOrder by, const char* label, const char* tip) {
    return Choice{label, tip, order == by, commands::choose(partOrderChoice, choiceOf(by))};
  };
  ViewHeader header;
  header.title = title, header.about = about;
  header.pictures = pictureChoices(input, "attention");
  header.choices = {std::move(logits),
                    {{"Score", "why the token looks there: the score of query and key", !ofOutput,
                      commands::choose(takenApartChoice, "")},
                     {"Output", "what comes of it: what the head writes towards a logit", ofOutput,
                      commands::choose(takenApartChoice, outputTakenApart)}},
                    {orderedBy(PartOrder::Written, "As written", "in the order of the blocks"),
                     orderedBy(PartOrder::Blocks, "By block", "all that a block wrote as one"),
                     orderedBy(PartOrder::Largest, "Largest first", "those who do most")}};
  // What is said stands in a line of its own, or beside the choices, where it needs some room.
  constexpr float gap = 8, leastWords = 160;
  const float line = input.pictureSize().x - 2 * marginOf(input.pictureSize());
  const float words = input.metrics.width(about, FontFace::Ui, Theme::small);
  const float others = widthOf(input, header.choices[1]) + widthOf(input, header.choices[2]) + 3 * gap;
  dropUntilFitting(header.choices[0], input, line - others - (words > line ? leastWords : 0));
  return header;
}

Scene WhyPicture::sentence(const std::string& title, const std::string& reason) const {
  Scene scene;
  scene.size = input.pictureSize();
  Box area = Box{0, 0, scene.size.x, scene.size.y}.inset(marginOf(scene.size));
  ViewHeader above = header(title, "");
  above.choices.pop_back();  // there is nothing to order
  addViewHeader(scene, input, area, above);
  scene.about = reason;
  addText(scene, area.center(), reason, input.theme.note(), Align::Middle).maxWidth = area.width;
  return scene;
}

std::function<Command(const Target&)> WhyPicture::toWriter(int writer) const {
  if (order == PartOrder::Blocks) return nullptr;
  const std::optional<HeadId> wrote = headThatWrote(input.model(), writer);
  if (!wrote) return nullptr;
  return [wrote = *wrote](const Target&) { return commands::selectHead(wrote); };
}

std::string WhyPicture::leftOut(std::size_t shown, int there, const char* what) const {
  if (shown >= static_cast<std::size_t>(there) || order != PartOrder::Largest) return "";
  return "; " + std::to_string(shown) + " of " + std::to_string(there) + " " + what;
}

Scene whyScene(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config)
    return emptyScene(input, "No forward pass yet", input.snapshot.standing.error);
  const WhyPicture picture(input);
  if (input.snapshot.isDifference())
    return picture.sentence("No difference of two tables", "Side by side shows those of both texts.");
  return takesOutputApart(input.workspace.settings) ? outputTableScene(picture) : scoreTableScene(picture);
}

}  // namespace glassformer
