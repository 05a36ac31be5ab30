#pragma once
#include "app/document/position_window.h"

namespace glassformer {

/// Which picture the next-token view draws: one position's distribution, the likeliest tokens along the text,
/// or the logit lens at every position.
enum class NextTokenLayout { Distribution, Text, Lens };

/// Settings of the next-token view.
struct NextTokenSettings {
  NextTokenLayout layout = NextTokenLayout::Distribution;
  PositionWindow window;  ///< of both layouts over the text; its keys are the positions

  bool operator==(const NextTokenSettings&) const = default;
};

}  // namespace glassformer
