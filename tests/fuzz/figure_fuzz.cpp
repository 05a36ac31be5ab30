#include "app/document/figure_recipe.h"
#include "core/io/picture_note.h"
#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  writeSeed(*argc, *argv, "recipe",
            toJsonLine(FigureRecipe{initialWorkspace(), 640, 480, {"0123", {"4567"}}, "0.1"}));
  return 0;
}

// The note of a picture, or the recipe itself.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = textOf(data, size);
  if (bytes.starts_with('{')) {
    static_cast<void>(recipeFromJson(std::string(bytes)));
    return 0;
  }
  if (const auto note = noteIn(bytes)) static_cast<void>(recipeFromJson(*note));
  return 0;
}
