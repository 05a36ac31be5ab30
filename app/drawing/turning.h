#pragma once
#include <functional>

#include "app/document/command.h"
#include "app/document/surface_angle.h"
#include "app/document/view_settings.h"
#include "app/scene/target.h"

namespace glassformer {

/// How what is seen from aside is turned: what ViewSettings::choices calls it, and how it stands at first.
struct Turning {
  const char* choice;
  SurfaceAngle usual = {};

  /// The angle that was chosen, else the usual one; what is no angle counts for nothing.
  SurfaceAngle of(const ViewSettings& settings) const;
  Command turn(SurfaceAngle angle) const;
};

/// Lets a region be turned by dragging, by the arrow keys and, back to the usual angle, by a double click:
/// what is in front follows the pointer.
void letTurn(HitRegion& hit, SurfaceAngle now, const std::function<Command(SurfaceAngle)>& turn,
             SurfaceAngle usual = {});

}  // namespace glassformer
