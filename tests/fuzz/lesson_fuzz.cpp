#include "app/lesson/equation.h"
#include "app/lesson/lesson_file.h"
#include "tests/app/views/plain_metrics.h"
#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto lesson = readLesson(std::string(textOf(data, size)));
  if (!lesson) return 0;
  holds(lesson->stepCount() > 0);
  const PlainMetrics metrics;
  for (const LessonStep& step : lesson->steps)
    for (const Paragraph& paragraph : step.prose)
      for (const Span& span : paragraph.spans)
        if (span.style == Span::Style::Math) static_cast<void>(setEquation(span.text, metrics, 16, Rgba{}));
  return 0;
}
