#pragma once
#include <optional>
#include <string>

#include "app/document/workspace.h"
#include "app/drawing/entry_labels.h"
#include "app/drawing/view_header.h"

namespace glassformer {

/// A picture of the next-token view while it is being drawn, and what its pictures need to know.
struct NextTokenPicture {
  explicit NextTokenPicture(const SceneInput& sceneInput);

  const SceneInput& input;
  const Theme& theme;
  const NextTokenSettings& settings;
  int count;              ///< tokens
  PositionWindow window;  ///< of both pictures over the text, inside it
  Scene scene;

  /// Of a model that fills gaps: what it says belongs to the place itself, nothing comes next.
  bool fills() const { return !input.snapshot.model->continues(); }
  std::string quoted(int token) const { return "“" + input.label(token) + "”"; }
};

/// What is said where there is nothing to draw.
std::optional<Scene> withoutPrediction(const SceneInput& input);
void addNextTokenHeader(NextTokenPicture& picture, Box& area, const std::string& title,
                        const std::string& about, std::vector<std::vector<Choice>> choices = {});

/// Makes the wheel zoom a region along the text, and dragging move it.
void addTextZoom(const NextTokenPicture& picture, HitRegion& hit, bool across);
/// Thin marks of what part of the text is shown, beside the box.
void addTextMark(NextTokenPicture& picture, const Box& box, bool across);

}  // namespace glassformer
