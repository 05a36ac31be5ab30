#pragma once
#include <string>

namespace glassformer {

/// Our own processor time for a frame with each picture on the stage of a window of 1920 x 1080, with the
/// mouse moving over it, and for the first frames after the choice: every picture of the table of views, on
/// every kind of model, and with every choice that it offers. `program` is argv[0]; `view` and `picture`
/// measure these alone, where they are not empty. Prints a table, slowest first, and marks what is above the
/// budget.
void measurePictures(const char* program, const std::string& view = "", const std::string& picture = "");
/// The same of texts and models so large that nobody looks at every cell: 8,192 tokens, and 32 x 32 heads,
/// while nothing moves, and while somebody points, zooms and selects. The pictures of attention, or those of
/// `view`.
void measureExtremes(const char* program, const std::string& view = "", const std::string& picture = "");

}  // namespace glassformer
