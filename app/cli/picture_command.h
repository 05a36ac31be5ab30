#pragma once
#include "app/cli/render_command.h"

namespace glassformer {

/// What one picture of the window says of a text, printed as CSV or JSON.
struct PictureCommand : RenderCommand {
  PictureCommand(const char* ofView, const char* itsPicture);

  void addOptions(CLI::App& command);
};

/// `glassformer ablate`
struct AblateCommand : PictureCommand {
  static constexpr const char
      *name = "ablate",
      *about = "print the change in the prediction when each head, attention layer or MLP is ablated";

  AblateCommand() : PictureCommand("influence", "leave out") {}
};

/// `glassformer patch`
struct PatchCommand : PictureCommand {
  static constexpr const char *name = "patch", *about =
                                                   "print the change in the prediction when each activation "
                                                   "comes from another text (activation patching)";

  PatchCommand() : PictureCommand("influence", "patch") {}
};

}  // namespace glassformer
