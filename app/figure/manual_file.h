#pragma once
#include <filesystem>
#include <string>

#include "app/figure/figure_fonts.h"
#include "app/lesson/manual_pages.h"

namespace glassformer {

/// The manual on paper, A4.
std::string manualPdf(const Manual& manual, const FigureFonts& fonts);
/// The manual as one HTML file with everything in it: pictures, and equations as SVG.
std::string manualHtml(const Manual& manual, const FigureFonts& fonts);
/// Writes one of the two, as the file's name ends.
Status writeManual(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace glassformer
