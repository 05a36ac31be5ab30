#include "app/panels/candidate_row.h"

#include "app/scene/colour.h"
#include "app/scene/format.h"

namespace glassformer {

void drawCandidate(const Ui& ui, const Box& row, const std::string& label, float probability, bool isQuiet,
                   const std::string& word) {
  const Theme& theme = ui.theme;
  const TextStyle style{FontFace::Mono, Theme::small, isQuiet ? theme.quiet : theme.text};
  const float y = row.center().y;
  ui.drawText({row.x + 10, y}, label, style, Align::Start, 116);
  const Box track{row.x + 132, y - 3, 96, 6};
  ui.draw(Rect{track, theme.raised, {0, 0, 0, 0}, 2, 1});
  const Rgba color = isQuiet ? theme.quiet : colorAt(ColorMap::Sequential, 0.7f, theme.dark);
  ui.draw(Rect{{track.x, track.y, track.width * probability, track.height}, color, {0, 0, 0, 0}, 2, 1});
  ui.drawText({track.right() + 64, y}, formattedPercent(probability), style, Align::End);
  ui.drawText({row.right() - 10, y}, word, {FontFace::Ui, Theme::small, theme.feedForward}, Align::End);
}

}  // namespace glassformer
