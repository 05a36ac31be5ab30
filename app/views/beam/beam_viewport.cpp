#include "app/views/beam/beam_viewport.h"

#include <cmath>

namespace glassformer {

namespace {
constexpr float widestAlone = 240;  // columns of a small tree do not spread any further
constexpr float readableRow = 0.8f;
constexpr float roomyColumn = 120, widestColumn = 280;  // nodes grow between the two
constexpr float perNotch = 1.25f;
}  // namespace

BeamViewport::BeamViewport(Box area, int columns, float height, TreeSection section, float readable)
    : area_(area),
      columns_(static_cast<float>(std::max(columns, 1))),
      height_(std::max(height, 1.0f)),
      fittingColumn_(std::min(area.width / columns_, widestAlone)),
      fittingRow_(std::min(area.height / height_, roomyScale(area, columns))),
      section_(section),
      readable_(readable) {
  apply(section.zoom > 0 ? section.zoom : readableZoom());
}

float BeamViewport::roomyScale(const Box& area, int columns) {
  return std::max(1.0f,
                  std::min(area.width / static_cast<float>(std::max(columns, 1)), widestAlone) / roomyColumn);
}

float BeamViewport::letterSize() const { return std::floor(std::clamp(13 * rowScale_, 11.0f, 22.0f)); }

float BeamViewport::mostZoom() const {
  return std::max({1.0f, widestColumn / fittingColumn_, widestColumn / roomyColumn / fittingRow_});
}

float BeamViewport::readableZoom() const {
  return std::max({1.0f, readable_ / fittingColumn_, readableRow / fittingRow_});
}

void BeamViewport::apply(float zoom) {
  zoom_ = std::clamp(zoom, 1.0f, mostZoom());
  columnWidth_ = std::min(fittingColumn_ * zoom_, std::max(fittingColumn_, widestColumn));
  rowScale_ = std::min(fittingRow_ * zoom_, std::max(1.0f, columnWidth_ / roomyColumn));
}

Point BeamViewport::offset() const {
  const Point whole = size();
  return {std::clamp(section_.x * whole.x - area_.width / 2, 0.0f, std::max(0.0f, whole.x - area_.width)),
          std::clamp(section_.y * whole.y - area_.height / 2, 0.0f, std::max(0.0f, whole.y - area_.height))};
}

Point BeamViewport::place(float column, float y) const {
  const Point from = offset();
  return {area_.x + column * columnWidth_ - from.x, area_.y + y * rowScale_ - from.y};
}

void BeamViewport::moveTo(float top, float bottom) {
  const float highest = bottom * rowScale_ - area_.height, lowest = top * rowScale_;
  const float y = highest > lowest ? (highest + lowest) / 2 : std::clamp(offset().y, highest, lowest);
  section_.y = (y + area_.height / 2) / size().y;
}

TreeSection BeamViewport::zoomed(float notches, Point at) const {
  const Point from = offset(), before = size();
  const Point kept{(from.x + at.x * area_.width) / before.x, (from.y + at.y * area_.height) / before.y};
  BeamViewport next = *this;
  next.apply(zoom_ * std::pow(perNotch, notches));
  const Point after = next.size();
  // offset = kept · size − at · area, and the middle is half an area behind it.
  return {next.zoom_, kept.x + (0.5f - at.x) * area_.width / after.x,
          kept.y + (0.5f - at.y) * area_.height / after.y};
}

TreeSection BeamViewport::panned(Point by) const {
  const Point from = offset(), whole = size();
  return {zoom_, (from.x + (0.5f - by.x) * area_.width) / whole.x,
          (from.y + (0.5f - by.y) * area_.height) / whole.y};
}

}  // namespace glassformer
