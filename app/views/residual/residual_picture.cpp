#include "app/views/residual/residual_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/drawing/place_names.h"

namespace glassformer {

namespace {

constexpr float namedHalf = 15;  // pixels a half-layer needs to be named

void addHalf(ResidualPicture& picture, const Box& cell, int place) {
  const bool level = cell.width >= 44;
  std::string name = sublayerName(picture.config, place, false);
  if (picture.input.metrics.width(name, FontFace::Ui, Theme::small) + 7 > cell.width)
    name = sublayerName(picture.config, place, true);
  Text& text =
      addText(picture.scene, {cell.center().x, cell.y + (level ? 20.0f : 3.0f)}, name,
              {FontFace::Ui, level ? Theme::small : Theme::small - 1, picture.theme.quiet}, Align::Middle);
  text.upright = !level;
  if (!level) text.vertical = Align::End;
}

}  // namespace

std::optional<Scene> ResidualPicture::empty(const SceneInput& input) {
  if (input.snapshot.pass->hasTrace() && input.snapshot.model->config) return std::nullopt;
  return emptyScene(input, "No text yet", input.snapshot.standing.errorOr("Type in the Text box."));
}

ResidualPicture::ResidualPicture(const SceneInput& sceneInput, std::optional<Stream> only)
    : input(sceneInput),
      theme(sceneInput.theme),
      settings(sceneInput.workspace.settings.residual),
      isChosen(!only && sceneInput.config().isEncoderDecoder()),
      stream(only.value_or(shownStream(sceneInput.workspace, sceneInput.config()))),
      config(stackOf(sceneInput.config(), stream)),
      count(sceneInput.countOf(stream)),
      places(static_cast<int>(residualPlaces(sceneInput.model(), stream).size())),
      shown(sceneInput.query(stream)) {
  scene.size = input.pictureSize();
  scene.sources = input.sources();
  if (scene.size.y >= 700 && scene.size.x >= 1000 && count <= 16) labelSize = Theme::body;
  const Target hover = input.hover.in(stream);
  for (const int i : {hover.token, hover.query})
    if (i >= 0 && i < count) pointed = i;
}

namespace {

std::vector<Choice> stackChoices(const ResidualPicture& picture) {
  const bool encoder = picture.stream == Stream::Source;
  return {
      {"Decoder", "Residual stream of the decoder", !encoder, commands::selectSite(AttentionSite::Decoder)},
      {"Encoder", "Residual stream of the encoder", encoder, commands::selectSite(AttentionSite::Encoder)}};
}

}  // namespace

std::string placeName(const ModelConfig& config, int place) {
  if (place == 0) return "after the embedding";
  const std::string name = sublayerName(config, place, false);
  return "after " +
         (name == "MLP"     ? "the MLP"
          : name == "cross" ? "cross-attention"
                            : name) +
         " of block " + std::to_string(blockOfPlace(config, place));
}

void addResidualHeader(ResidualPicture& picture, Box& area, const std::string& about,
                       std::vector<std::vector<Choice>> choices) {
  if (picture.isChosen) choices.push_back(stackChoices(picture));
  addViewHeader(picture.scene, picture.input, area, {"Residual stream", about, choices});
}

float tokenDepth(const ResidualPicture& picture, const Box& area) {
  const float widest = picture.input.widestLabel(picture.stream, picture.labelSize);
  return std::clamp(std::ceil((widest + 16) / 16) * 16, 64.0f, area.width < 500 ? 88.0f : 120.0f);
}

float axisHeight(const ResidualPicture& picture, float width) {
  return width / static_cast<float>(picture.places) < namedHalf ? 28 : 56;
}

void addPlaces(ResidualPicture& picture, const Box& box) {
  const float step = box.width / static_cast<float>(picture.places);
  for (int place = 0; place < picture.places && step >= namedHalf; ++place)
    addHalf(picture, box.cell(0, place, 1, picture.places), place);
  const int layers = blocksOf(picture.config, picture.stream);
  const std::string longest = "Block " + std::to_string(layers - 1);
  const int perBlock = placesPerBlock(picture.config);
  const float width = step * static_cast<float>(perBlock);
  const bool roomy = picture.input.metrics.width(longest, FontFace::Ui, Theme::small) + 6 < width;
  const int every = std::max(1, static_cast<int>(std::ceil(24 / width)));
  for (int layer = 0; layer < layers; ++layer) {
    const float from = box.x + step * static_cast<float>(1 + perBlock * layer);
    picture.scene.add(Line{{{from, box.y}, {from, box.bottom()}}, picture.theme.line});
    if (layer % every == 0)
      addText(picture.scene, {from + width / 2, box.bottom() - 9},
              (roomy ? "Block " : "") + std::to_string(layer), picture.theme.note(), Align::Middle);
  }
}

void addTokenHeatmap(ResidualPicture& picture, const TokenHeatmap& heatmap) {
  const Box& box = heatmap.box;
  const Theme& theme = picture.theme;
  const int n = picture.count;
  Matrix matrix;
  matrix.box = box, matrix.values = heatmap.values;
  matrix.map = heatmap.scale.map, matrix.range = heatmap.scale.range;
  picture.scene.add(matrix);
  picture.scene.add(Rect{box, {0, 0, 0, 0}, theme.line});
  const Box chosen = box.cell(picture.shown, 0, n, 1);
  picture.scene.add(Rect{{box.x - 4, chosen.y, 3, std::max(chosen.height, 2.0f)}, theme.accent});
  if (picture.pointed != Target::none)
    addOutline(picture.scene, box.cell(picture.pointed, 0, n, 1), theme.text.faded(0.6f), 1);
  const auto label = [&](int i) { return picture.label(i); };
  const auto strong = [&](int i) { return i == picture.shown || i == picture.pointed; };
  addLabels(picture.scene, picture.input,
            {box, Side::Left, n, heatmap.depth, label, strong, FontFace::Mono, picture.labelSize});
  addColorScale(picture.scene, picture.input,
                {box.right() + 12, box.y, scaleWidth, std::min(box.height, 160.0f)}, matrix.map,
                matrix.range);
  const auto cells = plane(picture.scene.sources, matrix.values);
  HitRegion& hit = addHitRegion(picture.scene, box, matrix.values, heatmap.name);
  hit.rows = n, hit.columns = cells ? cells->extent[1] : 1;
  hit.rowAxis = Axis::Token;
  hit.target.tokens = picture.stream;
  hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
  hit.say = heatmap.say;
}

void addWaiting(ResidualPicture& picture, const Box& area) {
  addText(picture.scene, area.center(), waitingWords(picture.input), picture.theme.note(), Align::Middle);
}

}  // namespace glassformer
