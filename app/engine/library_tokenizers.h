#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/engine/need.h"

namespace glassformer {

/// Puts the tokenizer of a model into a list; models that cut every text alike share one entry.
void addTokenizer(std::vector<NamedTokenizer>& list, const std::string& model,
                  const std::shared_ptr<const Tokenizer>& tokenizer);

/// The tokenizers of the open model and of those that ship, in this order: read one after the other, once,
/// while a picture looks at them.
class LibraryTokenizers final : public BackgroundJob {
 public:
  static constexpr const char* doing = "reading the library's tokenizers";

  explicit LibraryTokenizers(int /*threads*/) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  std::vector<std::string> models_;          // whose tokenizers are asked for, besides the open one's
  std::size_t read_ = 0;                     // of these
  std::shared_ptr<const Tokenizer> opened_;  // the open one's
  std::vector<NamedTokenizer> tokenizers_;
};

}  // namespace glassformer
