#include "app/cli/render_command.h"

#include <cstdio>

#include "app/figure/png_figure.h"
#include "app/scene/views.h"

namespace glassformer {

Status RenderCommand::run(const ModelLibrary& library) const {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(size.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 64 || height < 64 ||
      width > 16384 || height > 16384)
    return Error{"\"" + size + "\" is no size", "--size", "WIDTHxHEIGHT, 64 to 16384 each, such as 1280x720"};

  Workspace workspace = initialWorkspace();
  workspace.model = model;
  workspace.view = view;
  if (!text.empty()) workspace.text = text;
  Engine engine([&](const std::string& name) { return library.load(name); }, [] {});
  engine.request(workspace, 1);
  engine.finish();
  const auto snapshot = engine.latest();
  if (!snapshot->error.empty()) return Error{snapshot->error, "render", ""};

  const Theme look = theme == "dark" ? darkTheme() : lightTheme();
  const FigureFonts fonts;
  const Scene scene = viewOf(view).scene(
      {workspace, *snapshot, {static_cast<float>(width), static_cast<float>(height)}, look, fonts, {}});
  return writePng(out, scene, look, fonts, width, height);
}

}  // namespace glassformer
