#pragma once
#include "app/document/position_window.h"

namespace glassformer {

/// Settings of the next-token view.
struct NextTokenSettings {
  PositionWindow window;  ///< of both pictures of the whole text; its keys are the positions

  bool operator==(const NextTokenSettings&) const = default;
};

}  // namespace glassformer
