#pragma once
#include <functional>
#include <optional>
#include <string>

#include "app/panels/number_field.h"

namespace glassformer {

/// How a number of the open model can be changed where it stands.
struct NumberChange {
  float value = 0;  ///< what it is now; 0 where that is no finite number
  widgets::NumberOptions options;
  std::function<Command(float value, std::string gesture)> to;
  std::optional<Command> back;  ///< to what the model makes of it, where it is held at something else
};

/// A weight is typed over; a number of the trace is held by an intervention; an attention weight by its
/// score, so that its row still adds up to 1. Nothing for numbers that are measured, of the other text or of
/// a difference, and for weights that are being trained.
std::optional<NumberChange> changeOf(const Ui& ui, const Target& target);

}  // namespace glassformer
