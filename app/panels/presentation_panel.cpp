#include "app/panels/presentation_panel.h"

#include <algorithm>
#include <cmath>

#include "app/document/text_edit.h"
#include "app/lesson/lesson_walk.h"
#include "app/scene/format.h"
#include "app/views/views.h"
#include "core/lens/contributions.h"

namespace glassformer {

namespace {

// As much of the end of a text as fits: where it grows is what a lecture talks about.
std::string endOf(const Ui& ui, std::string text, float width) {
  const ScreenMetrics metrics = ui.metrics();
  std::replace(text.begin(), text.end(), '\n', ' ');
  const float cell = metrics.width("0", FontFace::Mono, Theme::body);
  std::size_t begin = 0, length = text.size();
  for (std::size_t at = 0; at < text.size(); at += graphemeLength(text, at)) ++begin;
  length = begin, begin = 0;
  const auto most = static_cast<std::size_t>(std::max(width / cell - 2, 1.0f));
  for (; length > most; --length) begin += graphemeLength(text, begin);
  return begin ? "…" + text.substr(begin) : text;
}

// "next: ·animal 99.9 %"; nothing where the model writes nothing on, or a lesson asks for it.
std::string nextWords(const Ui& ui) {
  const Snapshot& snapshot = ui.snapshot;
  if (!snapshot.pass->hasTrace() || !snapshot.model->continues() ||
      !snapshot.pass->trace->contains("logits") || isCovered(ui.lesson.get(), ui.workspace()))
    return "";
  const Trace& trace = *snapshot.pass->trace;
  const int last = trace.tokenCount() - 1, best = likeliestEntry(trace, last);
  const TensorView logits = trace["logits"][last];
  float sum = 0;
  for (int v = 0; v < logits.extent[0]; ++v) sum += std::exp(logits(v) - logits(best));
  return "next: " + snapshot.model->entryLabel(best) + "  " + formattedFixed(100 / sum, 1) + " %";
}

}  // namespace

void PresentationPanel::content(Ui& ui, const Box& area) {
  constexpr double hintSeconds = 4;
  const Theme& theme = ui.theme;
  Box rest = area.inset(24, 8);
  ui.draw(Rect{{area.x, area.y, area.width, 1}, theme.line, {0, 0, 0, 0}, 0, 1});
  if (ui.seconds - began_ < hintSeconds) {
    const std::string hint = "Esc ends the presentation";
    const Box where = rest.takeRight(ui.metrics().width(hint, FontFace::Ui, Theme::small) + 16);
    ui.drawText({where.right(), where.center().y}, hint, theme.note(), Align::End);
    ui.animating = true;
  }
  const float middle = rest.center().y;
  if (const std::string next = nextWords(ui); !next.empty()) {
    const Box where = rest.takeRight(ui.metrics().width(next, FontFace::Mono, Theme::body) + 24);
    ui.drawText({where.right(), where.center().y}, next, {FontFace::Mono, Theme::body, ui.theme.accent},
                Align::End);
  }
  ui.drawText({rest.x, middle - 12}, endOf(ui, displayable(ui.workspace().text), rest.width),
              {FontFace::Mono, Theme::body, theme.text}, Align::Start, rest.width);
  ui.drawText({rest.x, middle + 13}, ui.snapshot.model->name + " · " + viewOf(ui.workspace().view).about,
              theme.note(), Align::Start, rest.width);
}

}  // namespace glassformer
