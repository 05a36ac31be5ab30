#include "app/screen/heatmap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/embedded/embedded_file.h"
#include "imgui.h"

namespace glassformer {

namespace {

void setColor(GLint uniform, Rgba c) {
  glUniform4f(uniform, static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255,
              static_cast<float>(c.b) / 255, static_cast<float>(c.a) / 255);
}

// Slots of Dear ImGui's vertex layout, taken from its own program, which is current while a list is drawn.
Program makeProgram() {
  GLint current = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &current);
  const auto slot = [&](const char* name) {
    return static_cast<GLuint>(glGetAttribLocation(static_cast<GLuint>(current), name));
  };
  return Program(embeddedText("shaders/heatmap.vert"), embeddedText("shaders/heatmap.frag"),
                 {{"Position", slot("Position")}, {"UV", slot("UV")}, {"Color", slot("Color")}});
}

constexpr float maskedValue = -std::numeric_limits<float>::infinity();

// What a tile of rows x columns texels holds: the cells, masked ones as minus infinity; for planes larger
// than a page the value furthest from zero of each group of cells.
std::vector<float> texelsOf(const TensorView& cells, const Matrix& matrix, int rows, int columns) {
  std::vector<float> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), maskedValue);
  for (int i = 0; i < cells.extent[0]; ++i) {
    const auto row = static_cast<std::int64_t>(i) * rows / cells.extent[0];
    const float* value = cells[i].data;
    for (int j = 0; j < cells.extent[1]; ++j, value += cells.stride[1]) {
      if (*value == 0 ? isMasked(matrix, i, j, 0) : *value == maskedValue) continue;
      if (matrix.gaps && std::isnan(*value)) continue;
      const auto column = static_cast<std::int64_t>(j) * columns / cells.extent[1];
      float& pool = values[static_cast<std::size_t>(row * columns + column)];
      if (pool == maskedValue || std::isnan(*value) || std::abs(*value) > std::abs(pool)) pool = *value;
    }
  }
  return values;
}

}  // namespace

struct HeatmapRenderer::Call {
  HeatmapRenderer* renderer;
  Style style;
};

void HeatmapRenderer::make() {
  colors_ = Texture(256, colorMapCount, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true);
}

void HeatmapRenderer::release() {
  program_ = Program(), colors_ = Texture();
  pages_.clear(), tiles_.clear(), owners_.clear();
}

// What lies around a tile is wiped when the tile is written, not the page beforehand: a page is 16 MB, and
// someone who types needs a new one every few keys.
void HeatmapRenderer::wipeAround(const Tile& tile) {
  static const std::vector<float> blank(static_cast<std::size_t>(pageSize + 2 * gap) * gap, maskedValue);
  const auto wipe = [&](int left, int top, int right, int bottom) {
    left = std::max(left, 0), top = std::max(top, 0);
    const int width = std::min(right, pageSize) - left, height = std::min(bottom, pageSize) - top;
    if (width > 0 && height > 0)
      pages_[static_cast<std::size_t>(tile.page)].texture.upload(left, top, width, height, blank.data());
  };
  const int right = tile.x + tile.width, bottom = tile.y + tile.height;
  wipe(tile.x - gap, tile.y - gap, right + gap, tile.y);
  wipe(tile.x - gap, tile.y, tile.x, bottom);
  wipe(right, tile.y, right + gap, bottom);
  wipe(tile.x - gap, bottom, right + gap, bottom + gap);
}

void HeatmapRenderer::uploadColors() {
  for (int map = 0; map < colorMapCount; ++map) {
    const ColorTable table = colorTable(static_cast<ColorMap>(map), theme_.dark);
    colors_.upload(0, map, 256, 1, table.data());
  }
}

void HeatmapRenderer::beginFrame(const Theme& theme) {
  const bool changed = theme.dark != theme_.dark || pages_.empty();
  theme_ = theme;
  if (changed) uploadColors();
  // Tensors of earlier snapshots pile up while someone types; now, with nothing drawn yet, is the time to
  // drop them. What the last frame showed entirely is likely to be shown again, however much it is.
  const bool stale = std::any_of(tiles_.begin(), tiles_.end(),
                                 [&](const auto& entry) { return entry.second.drawn != frame_; });
  ++frame_;
  const bool crowded =
      !pages_.empty() && (pages_.size() > 1 || owners_.size() > 6 || pages_[0].y > pageSize / 2);
  if (pages_.empty() || (crowded && stale)) {
    tiles_.clear();
    owners_.clear();
    pages_.resize(1);
    pages_.front().x = pages_.front().y = pages_.front().shelf = 0;
  }
}

bool HeatmapRenderer::fits(Page& page, int width, int height, Tile& tile) const {
  if (page.x + width > pageSize) page.x = 0, page.y += page.shelf, page.shelf = 0;
  if (page.y + height > pageSize) return false;
  tile.x = page.x, tile.y = page.y;
  page.x += width + gap;
  page.shelf = std::max(page.shelf, height + gap);
  return true;
}

const HeatmapRenderer::Tile& HeatmapRenderer::tileOf(const TensorView& cells, const Matrix& matrix,
                                                     const TensorSources& sources) {
  const Key key{cells.data,      cells.extent[0],         cells.extent[1], cells.stride[0],
                cells.stride[1], matrix.mask.has_value(), matrix.gaps};
  if (const auto found = tiles_.find(key); found != tiles_.end()) {
    found->second.drawn = frame_;
    return found->second;
  }
  if (std::find(owners_.begin(), owners_.end(), sources) == owners_.end()) owners_.push_back(sources);

  Tile tile{0, 0, 0, std::min(cells.extent[1], pageSize), std::min(cells.extent[0], pageSize), frame_};
  while (!fits(pages_[static_cast<std::size_t>(tile.page)], tile.width, tile.height, tile))
    if (++tile.page == static_cast<int>(pages_.size())) pages_.emplace_back();
  wipeAround(tile);
  Texture& texture = pages_[static_cast<std::size_t>(tile.page)].texture;
  const bool whole = tile.width == cells.extent[1] && tile.height == cells.extent[0];
  if (whole && !matrix.mask && !matrix.gaps && cells.stride[1] == 1 && cells.stride[0] >= tile.width) {
    texture.upload(tile.x, tile.y, tile.width, tile.height, cells.data, static_cast<int>(cells.stride[0]));
  } else {
    const std::vector<float> values = texelsOf(cells, matrix, tile.height, tile.width);
    texture.upload(tile.x, tile.y, tile.width, tile.height, values.data());
  }
  return tiles_.emplace(key, tile).first->second;
}

// A part of a plane is cut out of the tile of the whole, so that zooming and panning upload nothing.
HeatmapRenderer::Tile HeatmapRenderer::windowTile(const TensorView& cells, const Matrix& matrix,
                                                  const TensorSources& sources) {
  Matrix whole = matrix;
  const auto widen = [&](int dimension, int& count) {
    count = -1;
    return dimension < 0 ? 0 : std::exchange(whole.values.index[static_cast<std::size_t>(dimension)], 0);
  };
  const int row = widen(matrix.values.rowDimension, whole.values.rowCount);
  const int column = widen(matrix.values.columnDimension, whole.values.columnCount);
  const auto all = plane(sources, whole.values);
  const bool tooLarge = !all || all->extent[0] > pageSize || all->extent[1] > pageSize;
  if (tooLarge || all->size() == cells.size()) return tileOf(cells, matrix, sources);
  const Tile tile = tileOf(*all, whole, sources);
  return {tile.page, tile.x + column, tile.y + row, cells.extent[1], cells.extent[0], frame_};
}

void HeatmapRenderer::add(ImDrawList* list, const Matrix& matrix, const TensorSources& sources, Point topLeft,
                          Point bottomRight) {
  const auto cells = plane(sources, matrix.values);
  if (!cells || cells->size() == 0) return;
  const Tile tile = windowTile(*cells, matrix, sources);
  const Style style{matrix.map, matrix.range, tile.page};
  if (!open_ || !(style == style_)) {
    finish(list);
    Call call{this, style};
    list->AddCallback(&HeatmapRenderer::useProgram, &call, sizeof call);
    style_ = style;
    open_ = true;
  }
  constexpr float size = pageSize;
  const auto opacity = static_cast<ImU32>(std::lround(255 * std::clamp(matrix.opacity, 0.0f, 1.0f)));
  list->AddImage(
      static_cast<ImTextureID>(pages_[static_cast<std::size_t>(tile.page)].texture.name()),
      {topLeft.x, topLeft.y}, {bottomRight.x, bottomRight.y},
      {static_cast<float>(tile.x) / size, static_cast<float>(tile.y) / size},
      {static_cast<float>(tile.x + tile.width) / size, static_cast<float>(tile.y + tile.height) / size},
      IM_COL32(255, 255, 255, 0) | opacity << IM_COL32_A_SHIFT);
}

void HeatmapRenderer::finish(ImDrawList* list) {
  if (open_) list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
  open_ = false;
}

void HeatmapRenderer::useProgram(const ImDrawList*, const ImDrawCmd* command) {
  const Call& call = *static_cast<const Call*>(command->UserCallbackData);
  HeatmapRenderer& self = *call.renderer;
  if (!self.program_.name()) self.program_ = makeProgram();
  const ImDrawData* data = ImGui::GetDrawData();
  const float left = data->DisplayPos.x, right = left + data->DisplaySize.x;
  const float top = data->DisplayPos.y, bottom = top + data->DisplaySize.y;
  const float projection[16] = {2 / (right - left),
                                0,
                                0,
                                0,
                                0,
                                2 / (top - bottom),
                                0,
                                0,
                                0,
                                0,
                                -1,
                                0,
                                (right + left) / (left - right),
                                (top + bottom) / (bottom - top),
                                0,
                                1};
  const Program& p = self.program_;
  const Range range = call.style.range;
  glUseProgram(p.name());
  glUniformMatrix4fv(p.uniform("projection"), 1, GL_FALSE, projection);
  glUniform2f(p.uniform("atlasSize"), pageSize, pageSize);
  glUniform1i(p.uniform("atlas"), 0);
  glUniform1i(p.uniform("colors"), 1);
  const float low = range.logarithmic ? std::log(range.low) : range.low;
  const float high = range.logarithmic ? std::log(range.high) : range.high;
  glUniform2f(p.uniform("range"), low, 1 / std::max(high - low, 1e-20f));
  glUniform1i(p.uniform("logarithmic"), range.logarithmic);
  const bool diverging = call.style.map == ColorMap::Diverging;
  glUniform1f(p.uniform("neutral"), diverging ? (range.low + range.high) / 2 : range.low);
  glUniform1f(p.uniform("row"), (static_cast<float>(call.style.map) + 0.5f) / colorMapCount);
  setColor(p.uniform("maskedColor"), self.theme_.masked);
  setColor(p.uniform("brokenColor"), self.theme_.broken);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, self.colors_.name());
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace glassformer
