#include "app/views/attention/decomposition_picture.h"

#include <algorithm>
#include <numeric>

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/wording.h"
#include "app/views/attention/attention_picture.h"
#include "app/views/attention/output_table.h"
#include "app/views/attention/score_table.h"
#include "core/lens/head_reading.h"
#include "core/lens/largest_parts.h"

namespace glassformer {

namespace {

// Leaves as many choices as find room, the chosen ones last of all.
void dropUntilFitting(std::vector<Choice>& choices, const SceneInput& input, float room) {
  while (!choices.empty() && leastWidthOf(input, choices) > room) {
    const auto last = std::find_if(choices.rbegin(), choices.rend(),
                                   [](const Choice& choice) { return !choice.on && !choice.isSubtracted; });
    choices.erase(last == choices.rend() ? choices.end() - 1 : std::next(last).base());
  }
}

}  // namespace

WhyPicture::WhyPicture(const SceneInput& sceneInput)
    : input(sceneInput),
      head(selectedHead(input.workspace, input.config())),
      asking(queriesOf(head.site)),
      lookedAt(keysOf(head.site)),
      query(std::clamp(input.query(asking), 0, std::max(input.countOf(asking) - 1, 0))),
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
  header.choices = {std::move(logits),
                    siteChoices(input),
                    {{"QK score", "The score of query and key, by component", !ofOutput,
                      commands::choose(takenApartChoice, "")},
                     {"OV output", "Contribution of the head to a logit, by source token", ofOutput,
                      commands::choose(takenApartChoice, outputTakenApart)}},
                    {orderedBy(PartOrder::Written, "Model order", "Components in the order of the blocks"),
                     orderedBy(PartOrder::Blocks, "By block", "One row per block"),
                     orderedBy(PartOrder::Largest, "Largest first", "Largest contributions first")}};
  // What is said stands in a line of its own, or beside the choices, where it needs some room.
  constexpr float gap = 8, leastWords = 160;
  const float line = input.pictureSize().x - 2 * marginOf(input, input.pictureSize().x);
  const bool isBeside = input.metrics.width(about, FontFace::Ui, Theme::small) > line;
  const auto left = [&] {
    float room = line - gap - (isBeside ? leastWords : 0);
    for (std::size_t group = 1; group < header.choices.size(); ++group)
      room -= header.choices[group].empty() ? 0 : leastWidthOf(input, header.choices[group]) + gap;
    return room;
  };
  if (left() < 0) header.ownLine.swap(header.choices[1]);
  dropUntilFitting(header.choices[0], input, left());
  return header;
}

Scene WhyPicture::sentence(const std::string& title, const std::string& reason) const {
  Scene scene;
  scene.size = input.pictureSize();
  Box area = contentOf(input, scene.size);
  ViewHeader above = header(title, "");
  above.choices.pop_back();  // there is nothing to order
  addViewHeader(scene, input, area, above);
  scene.about = reason;
  addLines(scene, input, area.center(), area.width, reason, input.theme.note());
  return scene;
}

std::function<Command(const Target&)> WhyPicture::toWriter(int writer, Stream stream) const {
  if (order == PartOrder::Blocks) return nullptr;
  const std::optional<HeadId> wrote = headThatWrote(input.model(), writer, stream);
  if (!wrote) return nullptr;
  return [wrote = *wrote](const Target&) { return commands::selectHead(wrote); };
}

std::function<std::string(int)> WhyPicture::writerNames(Stream stream) const {
  std::vector<std::string> names = glassformer::writerNames(input.model(), stream);
  if (order == PartOrder::Blocks) {
    const auto groups = writersByBlock(input.model(), stream, static_cast<int>(names.size()));
    names.clear();
    for (const WriterGroup& group : groups) names.push_back(group.name);
  }
  return [names = std::move(names)](int writer) { return names[static_cast<std::size_t>(writer)]; };
}

std::string WhyPicture::leftOut(std::size_t shown, int there, const char* what) const {
  if (shown >= static_cast<std::size_t>(there) || order != PartOrder::Largest) return "";
  return "; " + std::to_string(shown) + " of " + std::to_string(there) + " " + what;
}

std::vector<int> WhyPicture::ordered(const char* sums, int count, int most) const {
  if (order == PartOrder::Largest) return largestFirst(*sources.find(sums), most);
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string WhyPicture::others(std::size_t shown, int there) const {
  const auto left = static_cast<std::size_t>(there) - shown;
  return order == PartOrder::Largest && left > 0 ? std::to_string(left) + " others" : "";
}

Scene whyScene(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config)
    return emptyScene(input, "No text yet", input.snapshot.standing.error);
  const WhyPicture picture(input);
  return takesOutputApart(input.workspace.settings) ? outputTableScene(picture) : scoreTableScene(picture);
}

}  // namespace glassformer
