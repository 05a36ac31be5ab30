#include "app/views/influence/influence_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/attribution_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/entry_list.h"
#include "app/scene/format.h"
#include "core/lens/influence.h"

namespace glassformer {

std::optional<Scene> InfluencePicture::empty(const SceneInput& input) {
  if (input.snapshot.pass->hasTrace() && input.snapshot.model->config) return std::nullopt;
  return emptyScene(input, "No prediction yet", input.snapshot.standing.errorOr("Type in the Text box."));
}

InfluencePicture::InfluencePicture(const SceneInput& sceneInput)
    : input(sceneInput),
      theme(sceneInput.theme),
      config(sceneInput.config()),
      settings(sceneInput.workspace.settings.influence),
      position(sceneInput.query()),
      streams(config.isEncoderDecoder() ? std::vector{Stream::Source, Stream::Text}
                                        : std::vector{Stream::Text}) {
  scene.size = input.pictureSize();
  scene.sources = input.sources();
}

std::string InfluencePicture::tensor(Stream stream, const char* suffix) const {
  return std::string(stream == Stream::Source ? "lens.source_influence" : "lens.influence") +
         (settings.byInput ? "_by_input" : "") + suffix;
}

float InfluencePicture::widestLabel() const {
  float widest = 0;
  for (const Stream stream : streams) widest = std::max(widest, input.widestLabel(stream, Theme::small));
  return widest;
}

void addInfluenceHeader(InfluencePicture& picture, Box& area, const std::string& title,
                        const std::string& about, const std::vector<std::vector<Choice>>& groups,
                        const std::vector<Choice>& ownLine) {
  addViewHeader(picture.scene, picture.input, area, {title, about, groups, FontFace::Ui, ownLine});
}

std::vector<Choice> influenceKinds(const InfluencePicture& picture) {
  const auto choice = [&](const char* label, const char* tip, bool byInput) {
    return Choice{label, tip, picture.settings.byInput == byInput,
                  commands::changeSettings(
                      [=](ViewSettings& s) { s.influence.byInput = byInput, s.choose(matrixChoice, ""); })};
  };
  return {choice("Gradient norm",
                 "Norm of the gradient of the logit by each token's embedding, ‖∂logit / ∂x_s‖", false),
          choice("Grad × input", "Gradient times input, x_s · ∂logit / ∂x_s: for or against the prediction",
                 true)};
}

Coloring influenceScale(const InfluencePicture& picture, const std::vector<TensorRef>& numbers,
                        bool isSigned) {
  Range range{0, 0};
  for (const TensorRef& ref : numbers) range = unionOf(range, rangeOf(picture.scene.sources, ref));
  const float most = symmetric(range).high;
  const float end = most > 1e-6f ? roundedUp(most) : 1;  // what is switched off has no influence at all
  return coloring(
      picture.input, numbers,
      isSigned ? Coloring{ColorMap::Diverging, {-end, end}} : Coloring{ColorMap::Sequential, {0, end}});
}

float scaleLabelWidth(const InfluencePicture& picture, Range range) {
  float width = 32;
  for (const float end : {range.low, range.high})
    width = std::max(width, picture.input.metrics.width(formattedShort(end), FontFace::Mono, Theme::small));
  return std::ceil(width);
}

std::string influenceWords(const std::string& token, const std::string& prediction, float value) {
  return value == 0 ? "no influence of " + token + " on " + prediction
                    : "the influence of " + token + " on " + prediction;
}

bool isTooLong(const InfluencePicture& picture) {
  const auto many = [](const Snapshot& side) { return side.pass->countOf(Stream::Text) > mostInfluenceRows; };
  const Snapshot& shown = picture.input.snapshot;
  return shown.isDifference() ? many(*shown.sides->a) && many(*shown.sides->b) : many(shown);
}

std::vector<Choice> metricChoicesOf(const ViewSettings& settings, const char* usual) {
  const MetricChoice& chosen = chosenMetric(settings, usual);
  std::vector<Choice> choices;
  for (const MetricChoice& each : metricChoices)
    choices.push_back({each.label, each.tip, &each == &chosen, commands::chooseMetric(each.id)});
  return choices;
}

std::vector<Choice> positionsChoices(const ViewSettings& settings) {
  const auto choice = [&](const char* label, const char* tip, const char* id) {
    return Choice{label, tip, settings.chosen(countedPositions) == id,
                  commands::choose(countedPositions, id)};
  };
  std::vector<Choice> choices{choice("Trained", "mean over the tokens that the task trains", ""),
                              choice("All", "mean over all tokens but the first", allPositions),
                              choice("Last", "the last token alone", lastPosition)};
  const std::string chosen(settings.chosen(countedPositions));
  if (listedPositions(chosen, 0))
    choices.push_back(
        {"Painted", "mean over tokens " + chosen, true, commands::choose(countedPositions, chosen)});
  return choices;
}

void addAttributedLogits(InfluencePicture& picture, Box& column, int entry, int against) {
  addEntryList(picture.scene, picture.input, column,
               {picture.position, entry,
                [](int chosen) {
                  return commands::changeSettings([=](ViewSettings& s) { s.influence.entry = chosen; });
                },
                against, commands::contrast});
}

namespace {

void sayInMiddle(InfluencePicture& picture, const Box& area, const std::string& words) {
  addText(picture.scene, area.center(), words, picture.theme.note(), Align::Middle).maxWidth = area.width;
}

}  // namespace

void addInfluenceWaiting(InfluencePicture& picture, const Box& area) {
  sayInMiddle(picture, area, waitingWords(picture.input));
}

void addMatrixWaiting(InfluencePicture& picture, const Box& area) {
  const Snapshot& shown = picture.input.snapshot;
  const bool unlike =
      shown.isDifference() && std::max(shown.sides->a->pass->countOf(Stream::Text),
                                       shown.sides->b->pass->countOf(Stream::Text)) > mostInfluenceRows;
  sayInMiddle(picture, area,
              unlike ? "One of the texts has more than " + std::to_string(mostInfluenceRows) +
                           " tokens: only single predictions can be compared."
                     : waitingWords(picture.input));
}

}  // namespace glassformer
