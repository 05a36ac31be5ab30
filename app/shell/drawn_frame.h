#pragma once
#include <filesystem>
#include <vector>

#include "app/scene/theme.h"
#include "app/shell/surface.h"

namespace glassformer {

/// Draws what Dear ImGui has laid out, on a ground, into a framebuffer of the current surface.
void drawFrame(unsigned framebuffer, Point pixels, Rgba ground);

/// Leaves nothing to be seen of it.
void drawBlack(unsigned framebuffer);

/// What was drawn last on the current surface: RGBA, top row first.
std::vector<unsigned char> pixelsOf(const Surface& surface);
Status savePicture(const Surface& surface, const std::filesystem::path& png);

}  // namespace glassformer
