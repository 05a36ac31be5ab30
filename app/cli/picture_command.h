#pragma once
#include "app/cli/render_command.h"

namespace glassformer {

/// What one picture of the window says of a text, printed as CSV or JSON.
struct PictureCommand : RenderCommand {
  PictureCommand(const char* ofView, const char* itsPicture);

  void addOptions(CLI::App& command);
};

/// `glassformer causal`
struct CausalCommand : PictureCommand {
  static constexpr const char *name = "causal",
                              *about =
                                  "print what becomes of the answer without each head, attention and MLP";

  CausalCommand() : PictureCommand("influence", "leave out") {}
};

/// `glassformer patch`
struct PatchCommand : PictureCommand {
  static constexpr const char *name = "patch",
                              *about =
                                  "print what a text's answer takes over from another one, place by place";

  PatchCommand() : PictureCommand("influence", "patch") {}
};

}  // namespace glassformer
