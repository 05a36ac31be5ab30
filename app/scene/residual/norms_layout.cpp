#include "app/scene/residual/norms_layout.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"
#include "app/scene/residual/places_plot.h"

namespace glassformer {

namespace {

struct Addition {
  const char* tensor;
  int layer;
  Rgba color;
  const char* by;
};

// For the selected token two bars per block, what attention adds and what the MLP adds, on one scale.
class AddedBars {
 public:
  explicit AddedBars(ResidualView& view) : view_(view), theme_(view.theme) {
    const auto row = [&](const char* tensor) { return TensorRef{tensor, {0, view.shown}, 0, -1, -1, -1}; };
    const auto most = [&](const char* tensor) { return rangeOf(view.scene.sources, row(tensor)).high; };
    const Range plain{0, roundedUp(std::max(most("lens.attention_norm"), most("lens.mlp_norm")))};
    range_ = coloring(view.input, {row("lens.attention_norm"), row("lens.mlp_norm")},
                      {ColorMap::Sequential, plain})
                 .range;
  }

  void draw(Box box) {
    addText(view_.scene, {box.x, box.y + 8}, "Added for " + view_.quoted(view_.shown),
            {FontFace::Strong, Theme::small, theme_.text})
        .maxWidth = box.width;
    box.takeTop(20);
    addLegend(box.takeTop(28));
    const int layers = view_.config.layers;
    const float row = std::min(160.0f, box.height / static_cast<float>(layers));
    const float thick = std::min(36.0f, row * 0.36f);
    const float label = box.width > 280 ? 60.0f : 24.0f;
    for (int layer = 0; layer < layers; ++layer) {
      Box pair = box.takeTop(row);
      pair = pair.inset(0, (pair.height - 2 * thick) / 2);
      addText(view_.scene, {pair.x, pair.center().y}, (label > 24 ? "Block " : "") + std::to_string(layer),
              {FontFace::Ui, Theme::small, theme_.quiet});
      pair.takeLeft(label);
      addBar(pair.takeTop(thick), {"lens.attention_norm", layer, theme_.attention, "attention"});
      addBar(pair, {"lens.mlp_norm", layer, theme_.feedForward, "the MLP"});
    }
  }

 private:
  void addLegend(const Box& box) {
    float x = box.x;
    for (const auto& [name, color] :
         {std::pair{"attention", theme_.attention}, std::pair{"MLP", theme_.feedForward}}) {
      view_.scene.add(Rect{{x, box.y + 6, 10, 10}, color, {0, 0, 0, 0}, 2, 1});
      addText(view_.scene, {x + 16, box.y + 11}, name, {FontFace::Ui, Theme::small, theme_.quiet});
      x += 16 + view_.input.metrics.width(name, FontFace::Ui, Theme::small) + 20;
    }
  }

  void addBar(const Box& box, const Addition& added) {
    const bool numberless = box.height < 14;
    Bar bar;
    bar.track = {box.x, box.y + 1, box.width - (numberless ? 0.0f : 52.0f), box.height - 2};
    bar.value = {added.tensor, {added.layer, view_.shown}, -1, -1, -1, -1};
    bar.range = range_, bar.color = added.color;
    const auto value = valueOf(view_.scene.sources, bar.value);
    if (!value || !std::isfinite(*value)) return;  // no such token in the other text
    view_.scene.add(bar);
    if (!numberless)
      addText(view_.scene, {box.right(), box.center().y}, formattedFixed(*value, 2),
              {FontFace::Mono, box.height > 24 ? view_.labelSize : Theme::small, theme_.text}, Align::End)
          .value = bar.value;
    HitRegion hit;
    hit.box = box;
    hit.target.cell = bar.value;
    hit.target.layer = added.layer, hit.target.token = view_.shown;
    hit.target.text = std::string("what ") + added.by + " of block " + std::to_string(added.layer) +
                      " adds for " + view_.quoted(view_.shown);
    hit.name = std::string(added.by) + " " + std::to_string(added.layer);
    view_.scene.hits.push_back(std::move(hit));
  }

  ResidualView& view_;
  const Theme& theme_;
  Range range_;
};

}  // namespace

void drawNormsLayout(ResidualView& view, Box area) {
  const std::string length = "how long each token's vector is after each half of each block";
  const std::string scale = view.input.snapshot.isDifference() ? "" : ", on a logarithmic scale";
  addResidualHeader(view, area, length + scale + aboutLines(view.count));
  const Box bars = area.takeRight(std::clamp(area.width * 0.32f, 190.0f, 420.0f));
  area.takeRight(24);
  addPlacesPlot(view, area, {"lens.residual_norm", "residual norms"});
  AddedBars(view).draw(bars);
}

}  // namespace glassformer
