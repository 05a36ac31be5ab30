#pragma once
#include <string>
#include <vector>

#include "app/document/workspace.h"
#include "app/scene/view_header.h"

namespace glassformer {

/// A picture of the next-token view while it is being drawn, and what its layouts need to know.
struct NextTokenView {
  explicit NextTokenView(const SceneInput& sceneInput);

  const SceneInput& input;
  const Theme& theme;
  const NextTokenSettings& settings;
  int count;              ///< tokens
  PositionWindow window;  ///< of both layouts over the text, inside it
  Scene scene;

  /// Of a model that fills gaps: what it says belongs to the place itself, nothing comes next.
  bool fills() const { return !input.snapshot.continues(); }
  std::string quoted(int token) const { return "“" + input.label(token) + "”"; }
};

/// The choice of layouts.
std::vector<Choice> nextTokenLayoutChoices(const NextTokenSettings& settings);
void addNextTokenHeader(NextTokenView& view, Box& area, const std::string& title, const std::string& about);

/// The vocabulary entries in a tensor of ids, where one of its dimensions counts positions. Of a difference
/// the ids are those of both texts: "cat", or "cat|dog" where they are not the same.
class EntryLabels {
 public:
  EntryLabels(const Snapshot& snapshot, std::string tensor, std::size_t positionDimension);
  std::string operator()(std::array<int, maxRank> index) const;

 private:
  int entryOf(const TensorSources& sources, std::array<int, maxRank> index, int position) const;

  std::string tensor_;
  std::size_t dimension_;
  std::shared_ptr<const std::vector<std::string>> vocabulary_;
  TensorSources own_, other_;
  Alignment alignment_;  // empty where there is one text
};

/// Makes the wheel zoom a region along the text, and dragging move it.
void addTextZoom(const NextTokenView& view, HitRegion& hit, bool across);
/// Thin marks of what part of the text is shown, beside the box.
void addTextMark(NextTokenView& view, const Box& box, bool across);

}  // namespace glassformer
