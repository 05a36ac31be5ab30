#include "app/panels/model_glyph.h"

#include <algorithm>

namespace glassformer {

namespace {

constexpr float barShare = 0.6f, largestCell = 9, stackGap = 3;

// In a stack each block has the height of a cell and a bar.
void drawStack(const Ui& ui, Point foot, int blocks, int heads, bool hasMlp, float cell) {
  const float bar = hasMlp ? cell * barShare : 0, width = static_cast<float>(heads) * cell;
  for (int block = 0; block < blocks; ++block) {
    const float y = foot.y - static_cast<float>(block + 1) * (cell + bar);
    for (int head = 0; head < heads; ++head)
      ui.draw(Rect{{foot.x + static_cast<float>(head) * cell, y + bar, cell - 1, cell - 1},
                   ui.theme.attention,
                   {0, 0, 0, 0},
                   1});
    if (hasMlp) ui.draw(Rect{{foot.x, y, width - 1, bar - 1}, ui.theme.feedForward, {0, 0, 0, 0}, 1});
  }
}

}  // namespace

void drawModelGlyph(const Ui& ui, const Box& box, const ModelConfig& config) {
  const int encoder = config.isEncoderDecoder() ? config.encoderBlocks() : 0;
  const int stacks = encoder ? 2 : 1, blocks = std::max({config.layers, encoder, 1});
  const bool hasMlp = config.hasFeedForward();
  const float rows = static_cast<float>(blocks) * (hasMlp ? 1 + barShare : 1);
  const auto columns = static_cast<float>(config.heads * stacks) + (encoder ? stackGap / largestCell : 0);
  const float cell = std::min({box.height / rows, box.width / columns, largestCell});
  const float width = static_cast<float>(config.heads) * cell;
  const float all = encoder ? 2 * width + stackGap : width, height = rows * cell;
  const Point foot{box.center().x - all / 2, box.center().y + height / 2};
  if (encoder) drawStack(ui, foot, encoder, config.heads, hasMlp, cell);
  drawStack(ui, {foot.x + (encoder ? width + stackGap : 0), foot.y}, config.layers, config.heads, hasMlp,
            cell);
}

}  // namespace glassformer
