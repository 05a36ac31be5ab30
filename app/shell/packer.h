#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/engine/long_work.h"
#include "app/packs/pack.h"

namespace glassformer {

/// Packs and unpacks on a thread of its own, one file at a time: a model may take minutes.
class Packer {
 public:
  explicit Packer(PackPlaces places) : places_(std::move(places)) {}
  /// Cancels.
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  // Each returns at once, and refuses what is asked for while another is under way.

  Status pack(Workspace session, const std::filesystem::path& file);
  Status pack(std::shared_ptr<const Lesson> lesson, const std::filesystem::path& file);
  Status unpack(const std::filesystem::path& file);

  std::optional<Progress> progress() const { return work_.progress(); }
  void cancel() { work_.cancel(); }
  /// Waits until what was asked for is done.
  void finish();

  /// What became of a file: an error, or what lay in it where it was unpacked.
  struct Done {
    std::filesystem::path file;
    Result<Unpacked> unpacked;
  };
  /// What has been done since the last call.
  std::optional<Done> take();

 private:
  Status begin(const std::filesystem::path& file, const char* doing,
               std::function<Result<Unpacked>(const Watch&)> job);

  PackPlaces places_;
  LongWork work_;
  std::mutex mutex_;
  std::optional<Done> done_;
  std::thread thread_;  // last: everything above exists when it starts
};

}  // namespace glassformer
