#include "app/views/residual/norms_picture.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/document/norm_settings.h"
#include "app/document/view_commands.h"
#include "app/scene/format.h"
#include "app/scene/legend.h"
#include "app/views/residual/places_plot.h"

namespace glassformer {

namespace {

struct Addition {
  std::string tensor;
  int layer;
  Rgba color;
  const char* by;
};

bool isAddedAsShare(const ResidualPicture& picture) {
  return picture.config.residual && picture.input.workspace.settings.chosen(addedLength) == addedAsShare;
}

// ‖f(x)‖ beside ‖f(x)‖ / ‖x‖; without residual connections there is nothing that it is added to.
std::vector<std::vector<Choice>> addedChoices(const ResidualPicture& picture) {
  if (!picture.config.residual) return {};
  const bool isShare = isAddedAsShare(picture);
  return {
      {{"Norm", "Norm of the update by each sublayer, ‖f(x)‖", !isShare, commands::choose(addedLength, "")},
       {"Relative", "Norm of the update relative to the residual stream, ‖f(x)‖ / ‖x‖", isShare,
        commands::choose(addedLength, addedAsShare)}}};
}

// For the selected token a bar for what each sublayer adds, block by block on one scale.
class AddedBars {
 public:
  explicit AddedBars(ResidualPicture& picture)
      : picture_(picture), theme_(picture.theme), isShare_(isAddedAsShare(picture)) {
    const Rgba across = mix(theme_.attention, theme_.feedForward, 0.5f);
    for (const auto& [name, color, by] : {std::tuple{"attention", theme_.attention, "attention"},
                                          {"recurrence", theme_.attention, "recurrence"},
                                          {"convolution", theme_.attention, "convolution"},
                                          {"cross_attention", across, "cross-attention"},
                                          {"mlp", theme_.feedForward, "the MLP"}})
      if (const std::string tensor = picture.tensor(name + std::string(isShare_ ? "_share" : "_norm"));
          picture.isThere(tensor))
        kinds_.push_back({tensor, 0, color, by});
    std::vector<TensorRef> rows;
    float most = 0;
    for (const Addition& kind : kinds_) {
      rows.push_back({kind.tensor, {0, picture.shown}, 0, -1, -1, -1});
      most = std::max(most, rangeOf(picture.scene.sources, rows.back()).high);
    }
    range_ = coloring(picture.input, rows, {ColorMap::Sequential, {0, roundedUp(most)}}).range;
  }

  void draw(Box box) {
    addText(picture_.scene, {box.x, box.y + 8},
            "Added for " + picture_.quoted(picture_.shown) + (isShare_ ? ": ‖f(x)‖ / ‖x‖" : ": ‖f(x)‖"),
            theme_.strong())
        .maxWidth = box.width;
    box.takeTop(20);
    box.takeTop(addLegend(picture_.scene, picture_.input, box, legend()).height + 8);
    const int layers = blocksOf(picture_.config, picture_.stream);
    const auto bars = static_cast<float>(kinds_.size());
    const float row = std::min(160.0f, box.height / static_cast<float>(layers));
    const float thick = std::min(36.0f, row * 0.72f / bars);
    const float label = box.width > 280 ? 60.0f : 24.0f;
    for (int layer = 0; layer < layers; ++layer) {
      Box group = box.takeTop(row);
      group = group.inset(0, (group.height - bars * thick) / 2);
      addText(picture_.scene, {group.x, group.center().y},
              (label > 24 ? "Block " : "") + std::to_string(layer), theme_.note());
      group.takeLeft(label);
      for (Addition added : kinds_) {
        added.layer = layer;
        addBar(group.takeTop(thick), added);
      }
    }
  }

 private:
  static std::string shortName(const Addition& kind) {
    const std::string by = kind.by;
    return by == "the MLP" ? "MLP" : by == "cross-attention" ? "cross" : by;
  }

  std::vector<LegendEntry> legend() const {
    std::vector<LegendEntry> entries;
    for (const Addition& kind : kinds_) entries.push_back({shortName(kind), kind.color, 0});
    return entries;
  }

  void addBar(const Box& box, const Addition& added) {
    const bool numberless = box.height < 14;
    Bar bar;
    bar.track = {box.x, box.y + 1, box.width - (numberless ? 0.0f : 52.0f), box.height - 2};
    bar.value = {added.tensor, {added.layer, picture_.shown}, -1, -1, -1, -1};
    bar.range = range_, bar.color = added.color;
    const auto value = valueOf(picture_.scene.sources, bar.value);
    if (!value || !std::isfinite(*value)) return;  // no such token in the other text
    picture_.scene.add(bar);
    if (!numberless)
      addText(picture_.scene, {box.right(), box.center().y}, formattedFixed(*value, 2),
              {FontFace::Mono, box.height > 24 ? picture_.labelSize : Theme::small, theme_.text}, Align::End)
          .value = bar.value;
    HitRegion& hit = addHitRegion(picture_.scene, box, bar.value,
                                  std::string(added.by) + " " + std::to_string(added.layer));
    hit.target.layer = added.layer, hit.target.token = picture_.shown, hit.target.tokens = picture_.stream;
    hit.target.text = std::string("what ") + added.by + " of block " + std::to_string(added.layer) +
                      " adds for " + picture_.quoted(picture_.shown) +
                      (isShare_ ? ", relative to the stream" : "");
  }

  ResidualPicture& picture_;
  const Theme& theme_;
  bool isShare_;
  std::vector<Addition> kinds_;
  Range range_;
};

}  // namespace

void drawNormsPicture(ResidualPicture& picture, Box area) {
  const std::string length = "‖x‖ of each token after each sublayer";
  const std::string scale = picture.input.snapshot.isDifference() ? "" : ", on a logarithmic scale";
  addResidualHeader(picture, area, length + scale + aboutLines(picture.count), addedChoices(picture));
  const Box bars = area.takeRight(std::clamp(area.width * 0.32f, 190.0f, 420.0f));
  area.takeRight(24);
  addPlacesPlot(picture, area, {picture.tensor("residual_norm"), "residual norms"});
  AddedBars(picture).draw(bars);
}

}  // namespace glassformer
