#pragma once
#include <filesystem>

#include "app/figure/png_figure.h"

namespace glassformer {

/// Pictures as other programs wrote them; a file that cannot be read fails the test.
FigurePixels readPng(const std::filesystem::path& file);
/// Without compression, as pdftoppm writes it in half of the time that a PNG takes.
FigurePixels readPpm(const std::filesystem::path& file);

/// A picture six times smaller, so that it does not matter how edges are drawn that run between pixels.
FigurePixels reduced(const FigurePixels& large);

/// How far two pictures of one size are apart: the share of pixels in which some colour differs by more than
/// a quarter of its range, even from the pixels around.
double differingShare(const FigurePixels& a, const FigurePixels& b);

}  // namespace glassformer
