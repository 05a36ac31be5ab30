#include "app/cli/computed.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "app/cli/percent_lines.h"
#include "app/cli/prompt.h"
#include "app/views/views.h"

namespace glassformer {

Computer::Computer(const ModelLibrary& library, std::optional<OpenedModel> opened)
    : engine_(
          [&library, opened = std::move(opened)](const std::string& name,
                                                 const ProgressCallback& watch) -> Result<LoadedModel> {
            if (opened && opened->asked == name) return opened->model;
            return library.loadOrTrace(name, watch);
          },
          [] {}, neededFor) {}

std::shared_ptr<const Snapshot> Computer::operator()(const Workspace& workspace) {
  engine_.request(workspace, ++revision_);
  engine_.finish();
  return engine_.latest();
}

namespace {

// Says how far each piece of work is that takes longer, for as long as this lives.
class ProgressLines {
 public:
  ProgressLines(std::FILE* to, const Engine& engine)
      : to_(to), thread_([this, &engine](const std::stop_token& stop) { follow(engine, stop); }) {}

 private:
  void follow(const Engine& engine, const std::stop_token& stop) {
    int piece = -1;
    ProgressCallback lines;
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, stop, std::chrono::milliseconds(100), [] { return false; })) {
      if (stop.stop_requested()) return;
      const auto progress = engine.progress();
      if (!progress || progress->doing.empty()) continue;
      if (std::exchange(piece, progress->piece) != progress->piece)
        lines = percentLines(to_, progress->doing, std::chrono::seconds(1));
      lines(progress->done, progress->total);
    }
  }

  std::FILE* to_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;  // last: everything above exists when it starts
};

// The window shows as much of a text as the model reads; a command's numbers would be another text's.
Status readWhole(const Snapshot& snapshot) {
  const auto& config = snapshot.model->config;
  if (!config || snapshot.model->hasNoWeights()) return success();
  for (const Stream stream : {Stream::Text, Stream::Source})
    if (Status fits = checkLength(snapshot.pass->tokensOf(stream).size(), *config, stream); !fits)
      return fits;
  return success();
}

}  // namespace

Result<std::shared_ptr<const Snapshot>> computed(const ModelLibrary& library, const Workspace& workspace,
                                                 std::FILE* progress, std::optional<OpenedModel> opened) {
  Computer computer(library, std::move(opened));
  const auto snapshot = [&] {
    std::optional<ProgressLines> lines;
    if (progress) lines.emplace(progress, computer.engine());
    return computer(workspace);
  }();
  if (!snapshot->standing.error.empty()) return Error{snapshot->standing.error, "", ""};
  if (Status whole = readWhole(*snapshot); !whole) return whole.error();
  return snapshot;
}

}  // namespace glassformer
