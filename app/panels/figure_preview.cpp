#include "app/panels/figure_preview.h"

#include "app/figure/png_figure.h"
#include "app/panels/layout.h"

namespace glassformer {

FigureSize figureSheet(const Ui& ui, const FigureSettings& settings, float scale) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const Box stage = layoutOf({window.x / scale, window.y / scale}, ui.workspace()).stage;
  return sizeFor(settings, pixelSize({stage.width, stage.height}));
}

void FigurePreview::update(const Ui& ui, const FigureSize& size) {
  const Snapshot& s = ui.snapshot;
  const Shown now{ui.history.revision(), s.revision, s.pass->trace, s.decoded->beam, s.other,
                  s.difference,          size.layout};
  if (figure_ && now == shown_) return;
  shown_ = now;
  figure_ = std::make_shared<const Figure>(makeFigure(ui.workspace(), ui.snapshot, size, fonts_));
  pictureScale_ = 0;
}

void FigurePreview::show(Ui& ui, const Box& where) {
  const Point layout = figure_->size.layout;
  const float scale = std::min(where.width / layout.x, where.height / layout.y);
  const float pixels = scale * ui.scale;
  if (pixels <= 0) return;
  if (pixels != pictureScale_) {
    const FigurePixels drawn = figurePixels(*figure_, pixels, fonts_);
    picture_ = Texture(drawn.width, drawn.height, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, false);
    picture_.upload(0, 0, drawn.width, drawn.height, drawn.rgba.data());
    pictureScale_ = pixels;
  }
  const Box box{where.x + (where.width - layout.x * scale) / 2,
                where.y + (where.height - layout.y * scale) / 2, layout.x * scale, layout.y * scale};
  ImVec2 low = ui.screen({box.x, box.y});
  low = {std::round(low.x), std::round(low.y)};
  const ImVec2 high{low.x + static_cast<float>(picture_.width()),
                    low.y + static_cast<float>(picture_.height())};
  ImGui::GetWindowDrawList()->AddImage(static_cast<ImTextureID>(picture_.name()), low, high);
  ui.draw(Rect{box.inset(-1), {0, 0, 0, 0}, ui.theme.line, 0, 1});
}

}  // namespace glassformer
