#pragma once
#include "app/document/command.h"
#include "app/document/view_settings.h"
#include "app/scene/geometry.h"

namespace glassformer {

/// What part of the plane is seen: how many times closer than all of it, and where its middle is in that, as
/// fractions from the lower left.
struct Closeup {
  float zoom = 1, x = 0.5f, y = 0.5f;

  bool isWhole() const { return zoom <= 1; }
};

/// What ViewSettings::choices calls it.
inline constexpr const char* closeupChoice = "residual.closeup";
Closeup closeupOf(const ViewSettings& settings);
Command setCloseup(const Closeup& part);
/// What lies at these fractions of the picture, from the upper left, stays there.
Closeup closer(Closeup part, float notches, Point at);

}  // namespace glassformer
