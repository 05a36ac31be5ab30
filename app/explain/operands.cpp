#include "app/explain/operands.h"

#include "app/scene/format.h"

namespace glassformer {

std::string signedOperand(float value) { return value < 0 ? "(" + formatted(value) + ")" : formatted(value); }

}  // namespace glassformer
