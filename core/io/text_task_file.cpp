#include "core/io/text_task_file.h"

#include "core/io/files.h"

namespace glassformer {

Result<std::shared_ptr<const TrainingTask>> readTextTask(const std::filesystem::path& path, TextTokens tokens,
                                                         std::uint64_t seed, int steps) {
  Result<std::string> text = readTextFile(path, mostTextBytes);
  if (!text) return text.error();
  return textTask(path.filename().string(), *std::move(text), tokens, seed, steps);
}

}  // namespace glassformer
