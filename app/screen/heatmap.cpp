#include "app/screen/heatmap.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
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

// What a frame has time for besides what was drawn before, and what each upload costs, in cells.
constexpr double cellsInFrame = 1.25e6, cellsInUpload = 1e4;
constexpr int firstPiecePage = 1 << 16;  // beside those of tiles

constexpr float maskedValue = -std::numeric_limits<float>::infinity();

// A cell as a whole number that is larger the further from zero the cell is: its bits, with the sign behind
// them. 0: there is none. NaN is above all numbers.
std::uint32_t orderOf(float value, bool gaps) {
  constexpr std::uint32_t nothing = std::bit_cast<std::uint32_t>(maskedValue), infinity = 0x7f800000;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool isNone = bits == nothing || (gaps && (bits & 0x7fffffffu) > infinity);
  return isNone ? 0 : std::rotl(bits, 1) + 1;
}
float valueOfOrder(std::uint32_t order) { return std::bit_cast<float>(std::rotr(order - 1, 1)); }
constexpr std::uint32_t orderOfZero = 2;  // of -0, which is above +0

// Of each column the larger order of what is known and a row's; most rows lie in memory as they are.
void widenBy(const float* row, std::ptrdiff_t step, bool gaps, std::span<std::uint32_t> known) {
  if (step == 1)
    for (std::size_t c = 0; c < known.size(); ++c) known[c] = std::max(known[c], orderOf(row[c], gaps));
  else
    for (std::uint32_t& each : known) each = std::max(each, orderOf(*row, gaps)), row += step;
}

// Whether the mask allows any cell of a square group. But for painted cells it allows diagonal bands and
// first columns: what of these lies in the group crosses its first row or column.
bool allowsAny(const Matrix& matrix, int row, int column, int rowEnd, int columnEnd) {
  if (!matrix.mask) return true;
  const bool everyCell = !matrix.mask->painted.empty();
  for (int r = row; r < rowEnd; ++r)
    for (int c = column; c < (everyCell || r == row ? columnEnd : column + 1); ++c)
      if (isAllowed(matrix, r, c)) return true;
  return false;
}

// The texels of rows and columns of cells, `group` x `group` of them each: of each group the value furthest
// from zero; masked where nothing is left of it.
std::vector<float> texelsOf(const TensorView& cells, const Matrix& matrix, const Box& texels, int group) {
  const auto left = static_cast<int>(texels.x), top = static_cast<int>(texels.y),
             width = static_cast<int>(texels.width), height = static_cast<int>(texels.height);
  const int rows = cells.extent[0], columns = cells.extent[1];
  const int firstColumn = std::max(0, left) * group, columnEnd = std::min(columns, (left + width) * group),
            count = std::max(0, columnEnd - firstColumn);
  std::vector<float> values(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), maskedValue);
  std::vector<std::uint32_t> orders(static_cast<std::size_t>(count));
  for (int y = std::max(0, -top); y < height && (top + y) * group < rows; ++y) {
    const int row = (top + y) * group, rowEnd = std::min(rows, row + group);
    std::ranges::fill(orders, 0u);
    for (int r = row; r < rowEnd; ++r)
      widenBy(cells[r].data + firstColumn * cells.stride[1], cells.stride[1], matrix.gaps, orders);
    float* texel = &values[static_cast<std::size_t>(y * width - std::min(left, 0))];
    for (int first = 0; first < count; first += group, ++texel) {
      const int end = std::min(count, first + group);
      const std::uint32_t most = *std::max_element(orders.begin() + first, orders.begin() + end);
      const bool isThere = most > orderOfZero || (most > 0 && allowsAny(matrix, row, firstColumn + first,
                                                                        rowEnd, firstColumn + end));
      if (isThere) *texel = valueOfOrder(most);
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
  piecePages_.clear(), slots_.clear(), pieces_.clear();
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
  forgetUndrawn();
  ++frame_;
  cellsLeft_ = cellsInFrame, isBehind_ = false;
}

// Tensors of earlier snapshots are let go of as soon as nothing of them is drawn: they may be large. The room
// of their tiles is used again once most of it is theirs.
void HeatmapRenderer::forgetUndrawn() {
  const auto isUndrawn = [&](const std::shared_ptr<Owner>& owner) { return owner->drawn != frame_; };
  std::erase_if(tiles_, [&](const auto& entry) { return isUndrawn(entry.second.owner); });
  for (Slot& slot : slots_)
    if (slot.owner && isUndrawn(slot.owner)) pieces_.erase(slot.piece), slot = {};
  std::erase_if(owners_, isUndrawn);
  if (pieces_.empty()) piecePages_.clear(), slots_.clear();
  double drawn = 0;
  for (const auto& [key, tile] : tiles_)
    if (tile.drawn == frame_) drawn += roomOf(tile.width, tile.height);
  const bool isCrowded = 2 * placed_ > pageSize * pageSize && 2 * drawn < placed_;
  if (!pages_.empty() && !isCrowded) return;
  tiles_.clear();
  pages_.resize(1);
  pages_.front().x = pages_.front().y = pages_.front().shelf = 0;
  placed_ = 0;
}

bool HeatmapRenderer::fits(Page& page, int width, int height, Tile& tile) const {
  if (page.x + width > pageSize) page.x = 0, page.y += page.shelf, page.shelf = 0;
  if (page.y + height > pageSize) return false;
  tile.x = page.x, tile.y = page.y;
  page.x += width + gap;
  page.shelf = std::max(page.shelf, height + gap);
  return true;
}

HeatmapRenderer::Key HeatmapRenderer::keyOf(const TensorView& cells, const Matrix& matrix) {
  return {cells.data,      cells.extent[0],         cells.extent[1], cells.stride[0],
          cells.stride[1], matrix.mask.has_value(), matrix.gaps};
}

const std::shared_ptr<HeatmapRenderer::Owner>& HeatmapRenderer::ownerOf(const TensorSources& sources) {
  auto found = std::ranges::find_if(owners_, [&](const auto& owner) { return owner->sources == sources; });
  if (found == owners_.end()) found = owners_.insert(found, std::make_shared<Owner>(Owner{sources, frame_}));
  (*found)->drawn = frame_;
  return *found;
}

// The first one always has.
bool HeatmapRenderer::hasTimeFor(double cells) {
  const bool has = cellsLeft_ == cellsInFrame || cells <= cellsLeft_;
  has ? cellsLeft_ -= cells : isBehind_ = true;
  return has;
}

// A tile is written with what the shader may look at beyond its edges, which is nothing.
const HeatmapRenderer::Tile* HeatmapRenderer::tileOf(const TensorView& cells, const Matrix& matrix,
                                                     const TensorSources& sources) {
  const Key key = keyOf(cells, matrix);
  const int width = cells.extent[1], height = cells.extent[0];
  const auto& owner = ownerOf(sources);
  if (const auto found = tiles_.find(key); found != tiles_.end()) {
    found->second.drawn = frame_, found->second.owner = owner;
    return &found->second;
  }
  if (!hasTimeFor(static_cast<double>(width) * height + cellsInUpload)) return nullptr;

  Tile tile{0, 0, 0, width, height, frame_, owner};
  while (!fits(pages_[static_cast<std::size_t>(tile.page)], width, height, tile))
    if (++tile.page == static_cast<int>(pages_.size())) pages_.emplace_back();
  placed_ += roomOf(width, height);
  const int left = std::min(gap, tile.x), top = std::min(gap, tile.y),
            wide = std::min(left + width + gap, pageSize - tile.x + left),
            high = std::min(top + height + gap, pageSize - tile.y + top);
  const std::vector<float> texels = texelsOf(cells, matrix,
                                             {static_cast<float>(-left), static_cast<float>(-top),
                                              static_cast<float>(wide), static_cast<float>(high)},
                                             1);
  pages_[static_cast<std::size_t>(tile.page)].texture.upload(tile.x - left, tile.y - top, wide, high,
                                                             texels.data());
  return &tiles_.emplace(key, std::move(tile)).first->second;
}

// A part of a plane is cut out of the tile of the whole, so that zooming and panning upload nothing.
void HeatmapRenderer::add(ImDrawList* list, const Matrix& matrix, const TensorSources& sources, Point topLeft,
                          Point bottomRight) {
  const auto cells = plane(sources, matrix.values);
  if (!cells || cells->size() == 0) return;
  Matrix whole = matrix;
  const auto widen = [&](int dimension, int& count) {
    count = -1;
    return dimension < 0 ? 0 : std::exchange(whole.values.index[static_cast<std::size_t>(dimension)], 0);
  };
  const auto row = static_cast<float>(widen(matrix.values.rowDimension, whole.values.rowCount)),
             column = static_cast<float>(widen(matrix.values.columnDimension, whole.values.columnCount));
  const auto all = plane(sources, whole.values);
  if (!all) return;
  const Box seen{column, row, static_cast<float>(cells->extent[1]), static_cast<float>(cells->extent[0])};
  const Box on{topLeft.x, topLeft.y, bottomRight.x - topLeft.x, bottomRight.y - topLeft.y};
  if (std::max(all->extent[0], all->extent[1]) > largestTile)
    return addPieces(list, {whole, *all, seen, on}, sources);
  if (const Tile* tile = tileOf(*all, whole, sources)) {
    const Box texels{static_cast<float>(tile->x) + seen.x, static_cast<float>(tile->y) + seen.y, seen.width,
                     seen.height};
    addQuad(list, matrix, pages_[static_cast<std::size_t>(tile->page)].texture, tile->page, texels, on);
  }
}

// Texels are no larger than pixels: half of that is looked at by the shader beside each.
void HeatmapRenderer::addPieces(ImDrawList* list, const Drawn& drawn, const TensorSources& sources) {
  const Box &cells = drawn.seen, &on = drawn.on;
  if (on.width <= 0 || on.height <= 0) return;
  const float perPixel = std::max(1.0f, std::min(cells.width / on.width, cells.height / on.height));
  const int level = static_cast<int>(std::log2(perPixel)), side = pieceSize << level;
  // Of what is seen, what is not cut off.
  const auto cellAt = [](float at, float first, float length, float firstCell, float count) {
    return firstCell + std::clamp((at - first) / length, 0.0f, 1.0f) * count;
  };
  const ImVec2 low = list->GetClipRectMin(), high = list->GetClipRectMax();
  const float left = cellAt(low.x, on.x, on.width, cells.x, cells.width),
              right = cellAt(high.x, on.x, on.width, cells.x, cells.width),
              top = cellAt(low.y, on.y, on.height, cells.y, cells.height),
              bottom = cellAt(high.y, on.y, on.height, cells.y, cells.height);
  const auto pieceAt = [&](float cell) { return static_cast<int>(cell) / side; };
  const Key plane = keyOf(drawn.cells, drawn.whole);
  for (int row = pieceAt(top); static_cast<float>(row * side) < bottom; ++row)
    for (int column = pieceAt(left); static_cast<float>(column * side) < right; ++column)
      addPiece(list, drawn, {plane, level, row, column}, sources);
}

// A piece, or where it is not there yet the part of a coarser one.
void HeatmapRenderer::addPiece(ImDrawList* list, const Drawn& drawn, const Piece& wanted,
                               const TensorSources& sources) {
  const int side = pieceSize << wanted.level;
  const auto meet = [](const Box& a, const Box& b) {
    const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return Box{x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
  };
  const Box cells =
      meet(drawn.seen, {static_cast<float>(wanted.column * side), static_cast<float>(wanted.row * side),
                        static_cast<float>(side), static_cast<float>(side)});
  if (cells.width <= 0 || cells.height <= 0) return;
  Piece piece = wanted;
  const int* slot = slotOf(piece, drawn, sources);
  while (!slot && (pieceSize << piece.level) < std::max(drawn.cells.extent[0], drawn.cells.extent[1])) {
    ++piece.level, piece.row /= 2, piece.column /= 2;
    if (const auto found = pieces_.find(piece); found != pieces_.end()) slot = &found->second;
  }
  if (!slot) return;
  slots_[static_cast<std::size_t>(*slot)].drawn = frame_;
  const int group = 1 << piece.level, at = *slot % slotsInPage, page = *slot / slotsInPage;
  const auto texel = [&](float cell, int index, int place) {
    return static_cast<float>(place * pieceSlot + pieceEdge) + cell / static_cast<float>(group) -
           static_cast<float>(index * pieceSize);
  };
  const Box texels{texel(cells.x, piece.column, at % slotsAcross),
                   texel(cells.y, piece.row, at / slotsAcross), cells.width / static_cast<float>(group),
                   cells.height / static_cast<float>(group)};
  const float across = drawn.on.width / drawn.seen.width, down = drawn.on.height / drawn.seen.height;
  addQuad(list, drawn.whole, piecePages_[static_cast<std::size_t>(page)], firstPiecePage + page, texels,
          {drawn.on.x + (cells.x - drawn.seen.x) * across, drawn.on.y + (cells.y - drawn.seen.y) * down,
           cells.width * across, cells.height * down});
}

// Where the piece stands; it is written if there is time, over the one not drawn for longest. At its edges
// stand the numbers beside it, so that no seam is seen.
const int* HeatmapRenderer::slotOf(const Piece& piece, const Drawn& drawn, const TensorSources& sources) {
  const auto& owner = ownerOf(sources);
  if (const auto found = pieces_.find(piece); found != pieces_.end()) {
    slots_[static_cast<std::size_t>(found->second)].owner = owner;
    return &found->second;
  }
  const int group = 1 << piece.level;
  if (!hasTimeFor(static_cast<double>(pieceSlot * group) * (pieceSlot * group) + cellsInUpload))
    return nullptr;
  auto slot = slots_.end();
  if (const auto free = std::ranges::find(slots_, nullptr, &Slot::owner); free != slots_.end())
    slot = free;
  else if (static_cast<int>(slots_.size()) < mostPieces)
    slot = slots_.insert(slots_.end(), Slot{});
  else if (slot = std::ranges::min_element(slots_, {}, &Slot::drawn); slot->drawn == frame_)
    return nullptr;  // more than there is room for: coarser, for good
  if (slot->owner) pieces_.erase(slot->piece);
  *slot = {piece, frame_, owner};
  const int index = static_cast<int>(slot - slots_.begin()), at = index % slotsInPage;
  if (index / slotsInPage == static_cast<int>(piecePages_.size()))
    piecePages_.emplace_back(pageSize, pageSize, GL_R32F, GL_RED, GL_FLOAT, false);
  const std::vector<float> texels =
      texelsOf(drawn.cells, drawn.whole,
               {static_cast<float>(piece.column * pieceSize - pieceEdge),
                static_cast<float>(piece.row * pieceSize - pieceEdge), pieceSlot, pieceSlot},
               group);
  piecePages_.at(static_cast<std::size_t>(index / slotsInPage))
      .upload(at % slotsAcross * pieceSlot, at / slotsAcross * pieceSlot, pieceSlot, pieceSlot,
              texels.data());
  return &pieces_.emplace(piece, index).first->second;
}

void HeatmapRenderer::addQuad(ImDrawList* list, const Matrix& matrix, const Texture& texture, int page,
                              const Box& texels, const Box& on) {
  const Style style{matrix.map, matrix.range, page};
  if (!open_ || !(style == style_)) {
    finish(list);
    Call call{this, style};
    list->AddCallback(&HeatmapRenderer::useProgram, &call, sizeof call);
    style_ = style;
    open_ = true;
  }
  constexpr float size = pageSize;
  const auto opacity = static_cast<ImU32>(std::lround(255 * std::clamp(matrix.opacity, 0.0f, 1.0f)));
  list->AddImage(static_cast<ImTextureID>(texture.name()), {on.x, on.y}, {on.right(), on.bottom()},
                 {texels.x / size, texels.y / size}, {texels.right() / size, texels.bottom() / size},
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
