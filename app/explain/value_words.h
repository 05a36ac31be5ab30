#pragma once
#include <string>
#include <string_view>

#include "app/scene/tensor_ref.h"

namespace glassformer {

/// A number of the tensor of that name among what a picture draws from, see formattedValue(). While texts are
/// still being read, a rule of which none has said anything yet is "still being read".
std::string valueWords(const TensorSources& sources, std::string_view tensor, float value);

}  // namespace glassformer
