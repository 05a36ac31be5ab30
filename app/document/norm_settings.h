#pragma once

namespace glassformer {

/// What ViewSettings::choices says of how what sublayers add is told: "share", of the length of what it is
/// added to; empty: as a length.
inline constexpr const char *addedLength = "residual.added", *addedAsShare = "share";

}  // namespace glassformer
