#include "app/shell/launch.h"

#include "app/document/session.h"
#include "app/engine/engine.h"
#include "app/engine/training.h"
#include "app/shell/application.h"
#include "app/shell/surface.h"
#include "app/views/views.h"

namespace glassformer {

Workspace welcome() {
  Workspace workspace = initialWorkspace();
  workspace.text += " What was too tired? The";
  workspace.selection.layer = 2;
  workspace.selection.head = 0;
  return workspace;
}

namespace {

std::filesystem::path recentFiles(const std::filesystem::path& session) {
  return session.empty() ? session : session.parent_path() / "recent.txt";
}

}  // namespace

Status launch(const LaunchOptions& options) {
  const bool picture = !options.screenshot.empty();
  const std::filesystem::path state = picture ? std::filesystem::path() : defaultSessionPath();
  const OwnSession own = ownSession(state);
  RestoredSession restored = restoreSession(own.file);
  if (own.number > 1 && restored.message.empty())
    restored.message = "Another window uses the last session; this one is saved as " + own.file.string();
  const bool first = restored.workspace == initialWorkspace();
  if (first) restored.workspace = welcome();
  const bool begins = first && own.number == 1 && !picture && options.lesson.empty() &&
                      options.model.empty() && options.file.empty();
  auto surface = picture ? openHeadless(options.width, options.height)
                         : openWindow(options.width, options.height, "Glassformer");
  if (!surface) return surface.error();
  // The engine starts on its own thread while the window's first frame is being made.
  PackFolders folders = packFolders(options.models, state);
  auto training = std::make_shared<Training>(Training::Options{folders.runs});
  auto engine = std::make_shared<Engine>(options.loader, picture ? std::function<void()>([] {}) : wakeWindow,
                                         neededFor, 2, training);
  Application application(
      std::move(*surface), engine, std::move(restored.workspace),
      {recentFiles(state), own.file, restored.message, !picture, options.models, options.loader, training,
       options.model, options.lessons, options.lesson,
       begins ? Beginning::FirstPicture : Beginning::Instrument, std::move(folders), options.memory});
  if (!options.file.empty()) application.open(options.file);
  if (picture) application.finishFiles();
  if (!picture) {
    application.run();
    return success();
  }
  if (!application.message().empty()) return Error{application.message(), "", ""};
  engine->finish();
  if (const auto snapshot = engine->latest(); !snapshot->standing.refused.empty())
    return Error{snapshot->standing.error, options.screenshot.string(), ""};
  do application.frame();
  while (application.restless());
  const auto shown = engine->latest();
  if (shown->standing.failed()) return Error{"cannot take a screenshot: " + shown->standing.error, "", ""};
  return application.savePicture(options.screenshot);
}

}  // namespace glassformer
