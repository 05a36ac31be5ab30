#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>

#include "app/bundles/pack.h"
#include "app/engine/long_work.h"
#include "app/engine/model_check.h"

namespace glassformer {

/// What takes long with files, on a thread of its own, one file at a time: packs, and unpacks, and holds a
/// model against what another implementation computed.
class FileWork {
 public:
  explicit FileWork(PackFolders folders) : folders_(std::move(folders)) {}
  /// Cancels.
  ~FileWork();
  FileWork(const FileWork&) = delete;
  FileWork& operator=(const FileWork&) = delete;

  // Each returns at once, and refuses what is asked for while another is under way.

  Status pack(Workspace session, const std::filesystem::path& file);
  Status pack(std::shared_ptr<const Lesson> lesson, const std::filesystem::path& file);
  Status unpack(const std::filesystem::path& file);
  Status check(const std::filesystem::path& dump, LoadedModel model);

  std::optional<Progress> progress() const { return progress_.progress(); }
  void cancel() { progress_.cancel(); }
  /// Waits until what was asked for is done.
  void finish();

  /// What became of a file: it was packed, unpacked, or checked against.
  using Outcome = std::variant<std::monostate, Unpacked, ModelCheck>;
  struct Done {
    std::filesystem::path file;
    Result<Outcome> outcome;
  };
  /// What has been done since the last call.
  std::optional<Done> take();

 private:
  Status begin(const std::filesystem::path& file, const char* doing,
               std::function<Result<Outcome>(const ProgressCallback&)> job);

  PackFolders folders_;
  LongWork progress_;
  std::mutex mutex_;
  std::optional<Done> done_;
  std::thread thread_;  // last: everything above exists when it starts
};

}  // namespace glassformer
