#pragma once
#include <string>
#include <string_view>

namespace glassformer {

/// Of a number that is made of no others: what it is, in a sentence, by the name of its tensor: counted,
/// chosen, measured by a clock, or drawn. Empty for what is made of others, and for weights.
std::string groundWords(std::string_view tensor);

}  // namespace glassformer
