#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/engine/need.h"

namespace glassformer {

namespace positionBench {
inline constexpr const char *share = "positions.bench",  ///< [E, W]: right letters; NaN: not measured yet
    *tokens = "positions.bench_tokens",                  ///< [W]: how many tokens a text has
        *texts = "positions.bench_texts";                ///< [1]: of each length
/// What ViewSettings::choices calls how many texts of each length are measured.
inline constexpr const char* textsChoice = "positions.bench_texts";
inline constexpr int usualBenchTexts = 50, mostBenchTexts = 1000;
}  // namespace positionBench

/// The models that ship as positions/..., alike but for their positional encoding: how often each goes on
/// right where letters are said again, in texts as long as in training and longer. Length by length, each
/// model after the other; what is measured stays while other pictures are looked at. Kept::offered names the
/// models.
class PositionBench final : public BackgroundJob {
 public:
  static constexpr const char *opening = "opening the models of every encoding",
                              *measuring = "measuring every encoding at every length";

  explicit PositionBench(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  struct Measured {
    std::string name;
    std::shared_ptr<const Transformer> model;  ///< null: not opened yet
    std::shared_ptr<const Tokenizer> tokenizer;
    std::vector<float> shares;  ///< as far as they are known
  };
  bool openModels(const MeasuredModel& of, const ProgressCallback& watch);
  std::shared_ptr<const TensorSet> tensors() const;

  int threads_;
  int texts_ = 0;
  std::vector<Measured> models_;
};

namespace needs {
extern const Need everyEncoding;
}  // namespace needs

}  // namespace glassformer
