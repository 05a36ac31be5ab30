#include "app/panels/picture_copier.h"

#ifdef GLASSFORMER_PORTAL
#include <gio/gio.h>
#endif

#include <chrono>
#include <cstdlib>

#include "app/figure/figure_formats.h"
#include "app/panels/ui.h"

namespace glassformer {

#ifdef GLASSFORMER_PORTAL

Status putOnClipboard(const std::string& png) {
  const char* const wayland = std::getenv("WAYLAND_DISPLAY");
  const bool isWayland = wayland && *wayland;
  const char* const x11[] = {"xclip", "-selection", "clipboard", "-target", "image/png", "-in", nullptr};
  const char* const wl[] = {"wl-copy", "--type", "image/png", nullptr};
  const char* const* const program = isWayland ? wl : x11;
  GError* error = nullptr;
  GSubprocess* const process = g_subprocess_newv(program, G_SUBPROCESS_FLAGS_STDIN_PIPE, &error);
  if (process) {
    GBytes* const bytes = g_bytes_new_static(png.data(), png.size());
    if (g_subprocess_communicate(process, bytes, nullptr, nullptr, nullptr, &error))
      g_subprocess_wait_check(process, nullptr, &error);
    g_bytes_unref(bytes);
    g_object_unref(process);
  }
  if (!error) return success();
  const bool isMissing = g_error_matches(error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);
  const std::string why = isMissing ? "install the program " + std::string(program[0]) : error->message;
  g_error_free(error);
  return Error{"the picture cannot be copied: " + why, "", ""};
}

#else

Status putOnClipboard(const std::string&) {
  return Error{"the picture cannot be copied on this system: save it as a file", "", ""};
}

#endif

void PictureCopier::goOn(Ui& ui) {
  if (asked_ && !copying_.valid()) {
    asked_ = false;
    const FigureSettings& settings = ui.workspace().figure;
    preview_.update(ui, figureSheet(ui, settings, ui.scale));
    copying_ = std::async(std::launch::async, [figure = preview_.figure(), scale = settings.scale] {
      return putOnClipboard(findFigureFormat("png")->picture(*figure, scale, FigureFonts()));
    });
  }
  if (!copying_.valid()) return;
  ui.animating = true;
  if (copying_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  const Status copied = copying_.get();
  ui.said = copied ? "Copied the picture." : copied.error().message();
}

}  // namespace glassformer
