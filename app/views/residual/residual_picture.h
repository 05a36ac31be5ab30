#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/document/workspace.h"
#include "app/drawing/view_header.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

/// A picture of the residual view while it is being drawn, and what all its pictures need to know.
struct ResidualPicture {
  /// `only`: of this stream, whichever is chosen.
  explicit ResidualPicture(const SceneInput& sceneInput, std::optional<Stream> only = {});
  /// What is said where there is nothing to draw.
  static std::optional<Scene> empty(const SceneInput& input);

  const SceneInput& input;
  const Theme& theme;
  const ResidualSettings& settings;
  bool isChosen;                   ///< whether the stream can be chosen
  Stream stream;                   ///< whose tokens these are
  ModelConfig config;              ///< of their stack, see stackOf()
  int count;                       ///< tokens
  int places;                      ///< of the residual stream
  int shown;                       ///< the selected token
  int pointed = Target::none;      ///< the token under the pointer
  float labelSize = Theme::small;  ///< larger where a large stage shows few tokens
  Scene scene;

  /// Of the stream that is shown: "lens.encoder.residual_norm".
  std::string tensor(std::string_view name) const { return residualMeasurement(name, stream); }
  bool isThere(const std::string& tensor) const { return scene.sources.contains(tensor); }
  std::string label(int token) const { return input.label(token, stream); }
  std::string quoted(int token) const { return "“" + label(token) + "”"; }
};

/// "after attention of block 2".
std::string placeName(const ModelConfig& config, int place);
/// Title, explanation and choices of a picture; takes them off the area.
void addResidualHeader(ResidualPicture& picture, Box& area, const std::string& about,
                       std::vector<std::vector<Choice>> choices = {});
/// As wide as the longest token needs, in steps.
float tokenDepth(const ResidualPicture& picture, const Box& area);
/// Below a picture with places across: what of which block. It is named where there is room,
/// turned where it is little; `axisHeight` says how high that is.
float axisHeight(const ResidualPicture& picture, float width);
void addPlaces(ResidualPicture& picture, const Box& box);

/// A heatmap with tokens down, with its labels, its scale and what it answers to the pointer.
struct TokenHeatmap {
  Box box;
  TensorRef values;
  Coloring scale;
  float depth = 64;  ///< of the labels
  std::string name;  ///< of its hit region
  std::function<std::string(const Target&)> say;
};
void addTokenHeatmap(ResidualPicture& picture, const TokenHeatmap& heatmap);
/// Said instead of a picture whose numbers are on their way.
void addWaiting(ResidualPicture& picture, const Box& area);

inline constexpr float scaleWidth = 72;  ///< of a colour scale with its numbers

}  // namespace glassformer
