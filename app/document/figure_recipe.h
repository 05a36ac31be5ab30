#pragma once
#include <filesystem>
#include <string>

#include "app/document/command.h"
#include "app/document/workspace.h"
#include "core/result.h"

namespace glassformer {

/// Checksums of where a figure's numbers come from (core/io/checksum.h): another file has another one.
struct FigureOrigin {
  std::string weights;              ///< of the model; empty: there was none
  std::vector<std::string> traces;  ///< from elsewhere: of that which is shown, and that compared with
  bool isKnown() const { return !weights.empty() || !traces.empty(); }
};

/// What made a figure. The file itself carries it (core/io/picture_note.h), so that the figure can be opened,
/// and drawn again from the same weights byte for byte.
struct FigureRecipe {
  Workspace workspace;          ///< what the figure shows of it, see shownBy()
  float width = 0, height = 0;  ///< of the layout, in its pixels
  FigureOrigin origin;
  std::string version;  ///< of the program
};

/// What others may see of a workspace through a figure: what it was made from, and nothing that only lies
/// about beside it: other texts, texts of other models, the lesson, the folder it is saved in.
Workspace shownBy(const Workspace& workspace);

/// As one line of ASCII, with this program's version.
std::string toJsonLine(const FigureRecipe& recipe);
/// Says which field is wrong, or that a newer program wrote it.
Result<FigureRecipe> recipeFromJson(const std::string& json);
/// Of a figure's file. Fails where it carries none.
Result<FigureRecipe> recipeIn(const std::filesystem::path& figure);

namespace commands {
/// Everything as it was when the figure was made, but the look of the window and where figures are saved.
Command openFigure(const FigureRecipe& recipe);
}  // namespace commands

}  // namespace glassformer
