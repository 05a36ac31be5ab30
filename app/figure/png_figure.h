#pragma once
#include <filesystem>

#include "app/figure/figure_fonts.h"
#include "app/scene/scene.h"
#include "app/scene/theme.h"
#include "core/result.h"

namespace glassformer {

/// Draws a scene into a PNG file of width x height pixels, on the theme's ground. `fonts` are those the scene
/// was laid out with.
Status writePng(const std::filesystem::path& file, const Scene& scene, const Theme& theme,
                const FigureFonts& fonts, int width, int height);

}  // namespace glassformer
