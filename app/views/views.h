#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "app/drawing/parts.h"
#include "app/drawing/picture_number.h"
#include "app/engine/need.h"

namespace glassformer {

/// Whose tokens a picture is of; the pointer means nothing on others.
enum class Reads { Nothing, Text, TextAndSource };

/// One way to draw what a view is about.
struct Picture {
  std::string_view id;  ///< in the session file
  const char *label, *tip;
  Scene (*draw)(const SceneInput&);
  std::vector<const Need*> needs = {};  ///< what is measured while it is looked at
  PointsRead points = nullptr;  ///< and what it reads of a pass besides; null, and no needs: the weights
  /// Which models it is offered of, where few have what it draws; null: all. Asked for, it says what is
  /// missing.
  bool (*isOf)(const ModelConfig& config) = nullptr;
  /// The numbers that it is drawn for; null: none.
  PictureNumbers (*numbers)(const SceneInput&) = nullptr;
  bool isPlayed = false;        ///< chooses one number of a step after the other
  bool subtracts = true;        ///< shows the difference of two texts or models; else both stand side by side
  const char* group = nullptr;  ///< neighbours of one group share a tab of this name; null: it has its own
};

/// What can stand on the stage.
struct View {
  const char* id;                 ///< in the session file and on the command line
  const char* title;              ///< on its tab
  const char* about;              ///< one line, on hover
  std::vector<Picture> pictures;  ///< in the order of their choice
  Reads reads = Reads::Text;
  const char* shortTitle = nullptr;  ///< on its tab in a narrow window; null: the title

  /// The chosen picture; the first one until one is chosen, and for an id that no longer exists.
  const Picture& picture(const ViewSettings& settings) const;
  /// The choice between the pictures that the model has: a tab for each, or for each group of them.
  std::vector<Choice> tabs(const SceneInput& input) const;
  /// The chosen picture; of a trace from elsewhere that does not have what it reads, a sentence in its place.
  Scene scene(const SceneInput& input) const;
  /// A sentence in a picture's place that says why there is none, below the choice of pictures.
  Scene sentence(const SceneInput& input, const std::string& reason) const;
};

/// Every view, in tab order: the one table that tabs, shortcuts, palette, session, engine, export and tests
/// read.
std::span<const View> views();
/// The view of an id; the first one for an id that no longer exists.
const View& viewOf(std::string_view id);
/// What the picture needs that a workspace shows.
Needs neededFor(const Workspace& workspace);

/// Whether the difference of two texts or models is asked for, and the picture has one.
bool asksForDifference(const Workspace& workspace);
/// Whether it is there, too.
bool showsDifference(const Workspace& workspace, const Snapshot& snapshot);

/// What was chosen in a view, but for its picture, is as it was at first.
Command resetChoices(std::string_view view);

}  // namespace glassformer
