#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/engine/job.h"

namespace glassformer {

/// Puts the tokenizer of a model into a list; models that cut every text alike share one entry.
void addTokenizer(std::vector<NamedTokenizer>& list, const std::string& model,
                  const std::shared_ptr<const Tokenizer>& tokenizer);

/// Whose tokenizers are read: the open model's, which stands first, and those of other models.
struct LibraryTokenizersKey {
  std::shared_ptr<const Tokenizer> opened;
  std::string name;
  std::vector<std::string> others;
  bool operator==(const LibraryTokenizersKey&) const = default;
};
/// Those that were read.
struct LibraryTokenizersState {
  std::vector<NamedTokenizer> tokenizers;
  std::size_t read = 0;  ///< of the others
};

/// The tokenizers of the open model and of those that ship, in this order: read one after the other, while a
/// picture looks at them.
class LibraryTokenizers final : public Job<LibraryTokenizersKey, LibraryTokenizersState> {
 public:
  static constexpr const char* doing = "reading the library's tokenizers";

  explicit LibraryTokenizers(int /*threads*/) {}

 private:
  std::optional<LibraryTokenizersKey> key(const JobSide& side) const override;
  std::unique_ptr<LibraryTokenizersState> start(const LibraryTokenizersKey& key, const JobSide& side,
                                                const StartJob& begin) override;
  bool goOn(const LibraryTokenizersKey& key, LibraryTokenizersState& state, const JobSide& side,
            const StartJob& begin, const std::function<void()>& more) override;
  JobResult result(const LibraryTokenizersKey&, const LibraryTokenizersState& state,
                   const JobSide&) const override {
    return {.tokenizers = state.tokenizers};
  }
};

}  // namespace glassformer
