#include "app/panels/lesson_words.h"

#include "app/lesson/markdown.h"
#include "app/lesson/prose.h"

namespace glassformer {

void showLessonWords(const Ui& ui, const std::string& markdown, float size, Rgba color, Box& rest) {
  constexpr float below = 8;
  const auto prose = readProse(markdown);
  // What is no prose is shown as it is written.
  const std::vector<Paragraph> asWritten{{Paragraph::Kind::Text, {{Span::Style::Plain, markdown}}}};
  Theme theme = ui.theme;
  theme.text = color;
  const LaidProse laid = layProse(prose ? prose->paragraphs : asWritten, {rest.x, rest.y}, rest.width,
                                  ui.metrics(), theme, size);
  for (const Shape& shape : laid.shapes) ui.draw(shape);
  rest.takeTop(laid.height + below);
}

}  // namespace glassformer
