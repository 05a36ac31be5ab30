#pragma once

namespace glassformer {

/// How many bytes one forward pass may take. A pass that would take more drops the squares of attention
/// (Tape::dropSquares()); one that takes more even so is refused (core/model/memory_need.h). It is the
/// program's, as its memory is: the application or the command line sets it; it may be asked from any thread.
double passLimit();
void setPassLimit(double bytes);

/// A quarter of the memory that the machine had to spare when this was first asked for: there may be a pass
/// to look at and the next one, of two texts.
double usualPassLimit();

}  // namespace glassformer
