#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/engine/job.h"

namespace glassformer {

namespace positionBench {
inline constexpr const char *share = "positions.bench",  ///< [E, W]: right letters; NaN: not measured yet
    *tokens = "positions.bench_tokens",                  ///< [W]: how many tokens a text has
        *texts = "positions.bench_texts";                ///< [1]: of each length
/// What ViewSettings::choices calls how many texts of each length are measured.
inline constexpr const char* textsChoice = "positions.bench_texts";
inline constexpr int usualBenchTexts = 50, mostBenchTexts = 1000;
}  // namespace positionBench

/// The models that ship as positions/..., alike but for their positional encoding, and how many texts of each
/// length they read.
struct PositionBenchKey {
  std::vector<std::string> models;
  int texts = 0;
  bool operator==(const PositionBenchKey&) const = default;
};
/// What is known of one of them.
struct EncodingScores {
  std::string name;
  std::shared_ptr<const Transformer> model = nullptr;  ///< null: not opened yet
  std::shared_ptr<const Tokenizer> tokenizer = nullptr;
  std::vector<float> shares = {};  ///< of right letters, by length, as far as they are known
};

/// How often each goes on right where letters are said again, in texts as long as in training and longer:
/// length by length, each model after the other. JobResult::offered names the models.
class PositionBench final : public Job<PositionBenchKey, std::vector<EncodingScores>> {
 public:
  static constexpr const char *opening = "opening the models of every encoding",
                              *measuring = "measuring every encoding at every length";

  explicit PositionBench(int threads) : threads_(threads) {}

 private:
  using Scores = std::vector<EncodingScores>;

  std::optional<PositionBenchKey> key(const JobSide& side) const override;
  std::string missing(const JobSide& side) const override;
  std::unique_ptr<Scores> start(const PositionBenchKey& key, const JobSide& side,
                                const StartJob& begin) override;
  bool goOn(const PositionBenchKey& key, Scores& models, const JobSide& side, const StartJob& begin,
            const std::function<void()>& more) override;
  JobResult result(const PositionBenchKey& key, const Scores& models, const JobSide&) const override;
  JobResult difference(const JobResult& here, const JobResult&, const Alignments&) const override {
    return here;  // it does not depend on the text
  }

  int threads_;
};

namespace needs {
extern const Need everyEncoding;
}  // namespace needs

}  // namespace glassformer
