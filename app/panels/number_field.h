#pragma once
#include <span>
#include <string>

#include "app/panels/ui.h"

namespace glassformer::widgets {

struct NumberOptions {
  float low = 0, high = 10, step = 1;
  int decimals = 0;  ///< of the step; a number that is typed may have one more, where there are any
  /// Numbers that steps go through instead, in order; others can be typed, with as many digits as they have.
  std::span<const float> rungs = {};
  const char* atLow = "";  ///< what the lowest number is called, where it has a name: "off"
  std::string tip = {};
  float width = 104;  ///< of the part behind the name
};

/// "name  −  number  +"; returns the new number. The buttons step it, faster the longer they are held; the
/// number itself is dragged, turned by the wheel, and typed after a click or Enter: Enter, Tab or a click
/// elsewhere take what was typed, Esc leaves what was. NaN is a field that nobody has filled. What is no
/// number between the limits is refused and says so. `ui.numbers.gesture` tells one such change from the
/// next.
float numberField(Ui& ui, const char* name, const Box& box, float value, const NumberOptions& options);

/// Says below the field of that name, for a while, why a number cannot be.
void refuse(Ui& ui, const char* name, std::string why);

/// The number as it is written: with as many decimals as the options have, or one more.
std::string numberText(float value, const NumberOptions& options);

/// How many steps a button that is held for so long has made, the one of the click included.
int stepsHeld(float seconds);

}  // namespace glassformer::widgets
