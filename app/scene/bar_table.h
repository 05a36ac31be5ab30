#pragma once
#include <functional>
#include <optional>
#include <string>

#include "app/scene/text_metrics.h"

namespace glassformer {

/// What the rows of a table of bars have in common: a name at the left, a bar, its number at the right.
struct BarTable {
  Range range;
  float names = 0, numbers = 56;                      ///< how wide the columns beside the bars are; 0: none
  float thickness = 8;                                ///< of a bar; as much of it as a row has room for
  std::function<std::string(float)> words = nullptr;  ///< how a number is written; else with two decimals
  bool below = false;                                 ///< the bar stands below its name and number
  bool hasGround = false;                             ///< all of the range lies behind a bar
};
struct BarRow {
  Box box;
  TensorRef value;
  std::string name = {};
  std::optional<Rgba> color = {};                             ///< else that of shares
  std::optional<TextStyle> nameStyle = {}, numberStyle = {};  ///< else as tokens and numbers are written
};
/// A number that is none has no bar.
void addBar(Scene& scene, const Typography& with, const BarTable& table, const BarRow& row);
/// With a hit region over all of the row.
HitRegion& addBarRow(Scene& scene, const Typography& with, const BarTable& table, const BarRow& row,
                     std::string hitName);

}  // namespace glassformer
