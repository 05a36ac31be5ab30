#pragma once
#include <string>

#include "app/figure/figure_fonts.h"
#include "app/lesson/lesson_check.h"

namespace glassformer {

/// A lesson as slides for those who cannot bring the program: PDF, a page per step, its picture beside its
/// words; where the step asks something, another page shows what came.
Result<std::string> lessonSlides(const Lesson& lesson, const ComputedFor& computed, const FigureFonts& fonts);

/// A lesson on paper, A4: every step with its picture, words and question; the answers on a page of their
/// own.
Result<std::string> lessonHandout(const Lesson& lesson, const ComputedFor& computed,
                                  const FigureFonts& fonts);

}  // namespace glassformer
