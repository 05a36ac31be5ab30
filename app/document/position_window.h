#pragma once

namespace glassformer {

/// The part of a text that a zoomed picture shows: `count` queries and as many keys, or where there are more
/// of the ones than of the others, as large a share of either. A count of 0 shows everything, however long
/// the text becomes. Whatever is stored, a picture shows clamped() or shownWindow().
struct PositionWindow {
  int firstQuery = 0, firstKey = 0;
  int count = 0;

  bool operator==(const PositionWindow&) const = default;
};

/// As few positions as a picture can be zoomed to.
inline constexpr int fewestPositions = 4;

/// The window inside a text of `total` positions, its count the number really shown.
PositionWindow clamped(const PositionWindow& window, int total);
/// `notches` steps closer (above 0) or further away; what lies at these fractions of the picture, 0 to 1,
/// stays there. As far away as possible is everything.
PositionWindow zoomed(const PositionWindow& window, int total, float notches, float atQuery, float atKey);
/// Moved by fractions of what is shown, to higher positions where positive.
PositionWindow panned(const PositionWindow& window, int total, float byQueries, float byKeys);

/// The same for a plane of so many queries and keys.
struct PlaneWindow {
  int firstQuery = 0, firstKey = 0, queries = 0, keys = 0;
};
PlaneWindow shownWindow(const PositionWindow& window, int queries, int keys);
PositionWindow zoomed(const PositionWindow& window, int queries, int keys, float notches, float atQuery,
                      float atKey);
PositionWindow panned(const PositionWindow& window, int queries, int keys, float byQueries, float byKeys);

}  // namespace glassformer
