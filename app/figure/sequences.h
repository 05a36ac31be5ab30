#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine/loaded_model.h"
#include "app/figure/figure_formats.h"
#include "app/lesson/lesson.h"
#include "core/watch.h"

namespace glassformer {

/// What is looked at in one frame of a sequence.
struct SequenceFrame {
  Workspace workspace;
  std::optional<LoadedModel> model = {};  ///< of a run, as it was after a step; else the loader's
};

/// What a sequence goes through.
struct SequenceInput {
  const Workspace& workspace;
  const Snapshot& snapshot;
  std::shared_ptr<const Lesson> lesson;  ///< the open one; null: none
};

/// A way to go through something, a figure for each.
struct Sequence {
  const char* id;
  const char* title;
  const char* about;
  std::vector<SequenceFrame> (*frames)(const SequenceInput&);  ///< none where there is nothing to go through
};
/// In the order of the menu: the steps of the model, tokens of the text, heads, steps of the open lesson,
/// kept steps of the open run.
std::span<const Sequence> sequences();
/// nullptr where there is none of that id.
const Sequence* findSequence(std::string_view id);

/// How the figures of a sequence are written.
struct SequenceFile {
  std::filesystem::path file;  ///< "walk.png": without `moves` as "walk-001.png", "walk-002.png", ...
  FigureSize sheet;
  const FigureFormat& format;
  bool moves = false;  ///< one file that shows them one after the other; where the format can
  double seconds = 1;  ///< that each is seen then
  float scale = 1;     ///< pixels of each pixel of the layout
  bool allNumbers = false;
};

/// "walk.png" as "walk-001.png".
std::filesystem::path numberedFile(const std::filesystem::path& file, std::size_t number);

/// Computes every frame, with an engine of its own, and writes it. Stopped by the watch it leaves what is
/// written, of a film nothing. The files, in their order.
Result<std::vector<WrittenFigure>> writeSequence(const std::vector<SequenceFrame>& frames,
                                                 const ModelLoader& loader, const SequenceFile& how,
                                                 const ProgressCallback& watch = noProgress);

}  // namespace glassformer
