#include "app/explain/value_words.h"

#include <cmath>

#include "app/engine/rule_numbers.h"
#include "app/scene/format.h"

namespace glassformer {

std::string valueWords(const TensorSources& sources, std::string_view tensor, float value) {
  const std::string words = formattedValue(tensor, value);
  const bool saysNothing = std::isnan(value) && tensor.starts_with("hypothesis.") &&
                           words == formattedValue(bench::agreement, value);
  const auto read = saysNothing ? sources.find(bench::read) : std::nullopt;
  return read && (*read)(0) < (*read)(1) ? "still being read" : words;
}

}  // namespace glassformer
