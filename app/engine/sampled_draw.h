#pragma once
#include <string>

#include "app/engine/need.h"

namespace glassformer {

/// What else is measured beside the stages of sampling (core/decode/sampling_chain.h).
namespace sampled {
inline constexpr const char *place = "lens.sampling_place",  ///< [1]: the position that the draw follows
    *chosen = "lens.sampling_chosen",  ///< [1]: the token that the text goes on with there; −1: none yet
        *by = "lens.sampling_by";  ///< [1]: who chose that, as ChosenBy numbers them; −1: it was written
}  // namespace sampled

/// Where the draw is that a snapshot shows: behind this position, and so behind this text. Behind the last
/// one, where none was measured.
struct PlaceOfDraw {
  int position = 0;
  std::string text;
};
PlaceOfDraw placeOfDraw(const Snapshot& snapshot);

/// The stages of sampling and the draw behind the selected token, usually the last one. A draw that happened
/// keeps its random number, settings and constraint.
void measureSampledDraw(const MeasuredPass& pass, const StartJob& begin, TensorSet& set);

}  // namespace glassformer
