#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/interventions_option.h"
#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

struct Figure;
struct FigureFormat;
struct FigureRecipe;
struct FigureSize;
struct Snapshot;
struct Workspace;

/// `glassformer render`: a view as a picture (SVG, PDF, PNG) or as its numbers (CSV, NPY), from the same
/// Scene as in the window but without one. What is not given comes from the figure that is drawn again, from
/// the session file, or else from a first start.
struct RenderCommand {
  static constexpr const char *name = "render", *about = "write a picture, or its numbers, to a file";

  std::string out, session;
  std::string figure;                 ///< one that is to be drawn again; empty: none
  std::optional<std::string> format;  ///< else as `out` ends
  std::optional<std::string> view, model, text, source;
  std::optional<std::string> picture;  ///< one of the view's; else its first
  std::optional<std::string> compare;  ///< another text, set beside the first
  bool difference = false;             ///< the first minus the other, instead
  std::optional<int> token;            ///< which one is selected, from 0
  InterventionOptions interventions;
  std::string against;  ///< *Leave out*: a token whose logit is subtracted, as it is written; empty: none
  bool atMean = false;  ///< *Leave out*: each part is held at its mean over the text
  std::optional<std::string> head;          ///< "2.0": block 2, head 0, counted as in the trace's names
  std::optional<std::string> rule;          ///< "previous": an attention rule
  std::optional<std::string> size, preset;  ///< "1280x720" in pixels of the layout; or a figure size's id
  std::optional<std::string> theme;
  std::optional<float> scale;
  std::optional<bool> caption;
  std::optional<float> millimetres, points;  ///< the width in print, and the size of its text
  std::vector<std::string> without;          ///< parts of the figure: "heads", "bars", "scale"
  bool headsFirst = false, captionAbove = false;
  std::vector<std::string> choices;  ///< "norm=rms"
  bool allTensors = false;
  std::optional<std::string> each;    ///< one picture for each of these: "step", "token", "head", "lesson"
  bool moving = false;                ///< all of them in one file
  double seconds = 1;                 ///< that each is seen then
  std::optional<std::string> lesson;  ///< one that ships, or a file: opened at its first step
  std::filesystem::path shelf;        ///< the folder of those that ship

  static constexpr const char* standardOutput = "-";  ///< as `out`: the main numbers are printed

  /// What can be chosen by name.
  static std::vector<std::string> formats(), viewNames(), presets(), sequences();
  /// Replaces the name of a view by its id; returns the error, or an empty string.
  static std::string readView(std::string& name);

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;

 private:
  Result<FigureRecipe> start(const ModelLibrary& library) const;
  Result<FigureRecipe> recipe(const ModelLibrary& library) const;
  Status drawEach(const ModelLibrary& library, const Workspace& first, const Snapshot& snapshot,
                  const FigureSize& sheet, const FigureFormat& chosen) const;
  Status print(const Figure& drawn, const FigureFormat& chosen) const;
  Status draw(const Workspace& wanted, const Snapshot& snapshot, const FigureSize& sheet,
              const FigureFormat& chosen, const std::filesystem::path& file) const;
};

}  // namespace glassformer
