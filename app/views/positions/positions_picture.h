#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/document/position_hands.h"
#include "app/document/workspace.h"
#include "app/drawing/view_header.h"

namespace glassformer {

/// One of the two encodings that are compared.
struct EncodingTable {
  PositionTable table;
  const char* title;
  std::string tensor;  ///< [C, D]; what is measured on it carries the name on
  const char* name;    ///< of its hit regions
  int color;           ///< head colour of its curves
};
const std::array<EncodingTable, 2>& encodingTables();
const EncodingTable& encodingTable(PositionTable table);

/// A picture of the positions view while it is being drawn, and what its pictures need to know.
struct PositionsPicture {
  explicit PositionsPicture(const SceneInput& sceneInput);
  /// What is said where there is nothing to draw.
  static std::optional<Scene> empty(const SceneInput& input);

  const SceneInput& input;
  const Theme& theme;
  const ModelConfig& config;
  const PositionsSettings& settings;
  int context, width;
  SinusoidPairs hands;      ///< of the table that is drawn
  int dimension, position;  ///< chosen for the plots
  Scene scene;

  /// "position 5 · “animal”"
  std::string positionName(int t) const;
  std::vector<std::string> positionNames() const;
};

/// A pair of the table that is drawn, at position t, as an arrow shows it.
TensorRef phasorOf(const PositionsPicture& picture, int pair, int t);
/// Title, pictures, explanation and the picture's own choices; takes them off the area. Where two texts are
/// subtracted and the picture does not depend on the text, it says so.
void addPositionsHeader(PositionsPicture& picture, Box& area, const std::string& about,
                        const std::vector<std::vector<Choice>>& choices = {});
/// The model's encoding, or sinusoids.
std::vector<Choice> tableChoices(const PositionsPicture& picture);

/// The cells of a table over positions down and dimensions across, signed, in a frame.
Matrix addTable(PositionsPicture& picture, const Box& box, const std::string& tensor);

/// A heatmap over positions down and dimensions across, signed, with its axes, its scale and what it answers
/// to the pointer.
struct DimensionTable {
  Box box;
  std::string tensor;
  std::string name;  ///< of its hit region
  int rows = 0;
};
void addDimensionTable(PositionsPicture& picture, const DimensionTable& table);
/// An outline along one column or row of a heatmap; nothing where there is no such one.
void markColumn(PositionsPicture& picture, const Box& box, int i, int count, bool chosen);
/// The same along both columns, or rows, of a pair.
void markPair(PositionsPicture& picture, const Box& box, int pair, bool chosen);
void markPairOfRows(PositionsPicture& picture, const Box& box, int pair, bool chosen);
void markRow(PositionsPicture& picture, const Box& box, int i, int count, bool chosen);

/// The numbers of positions or dimensions beside a box; those that are `strong` stand out.
void addNumbers(PositionsPicture& picture, const Box& box, Side side, int count, float depth,
                std::function<bool(int)> strong);

inline constexpr float tickWidth = 40, tickHeight = 24, halvesGap = 24;
inline constexpr float scaleStrip = 76;  ///< of a colour scale with its numbers

}  // namespace glassformer
