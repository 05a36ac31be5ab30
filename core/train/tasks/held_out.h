#pragma once
#include <string_view>

namespace glassformer {

enum class Split { Training, HeldOut };

/// Whether a combination of words ("because|dog|hill|steep") is among the tenth that training never shows: a
/// fixed hash of the words, so that every seed and every version of the prose holds out the same ones.
bool isHeldOut(std::string_view combination);

}  // namespace glassformer
