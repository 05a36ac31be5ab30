#include "app/engine/joint_vocabulary.h"

#include "app/document/cuts_settings.h"
#include "app/document/workspace.h"
#include "app/engine/corpus.h"
#include "app/engine/measurements.h"
#include "app/engine/open_model.h"
#include "app/engine/training_origin.h"

namespace glassformer {

namespace {

class PiecesByLanguage final : public BackgroundJob {
 public:
  explicit PiecesByLanguage(int /*threads*/) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override {
    if (!isAsked(of)) return;  // others show what they have
    const JobResult kept{isOf(of) ? measured_ : nullptr, isOf(of) ? missing_ : ""};
    put(snapshot, kept, kept);
  }

  bool prepare(const MeasuredModel& of, const Snapshot&, const StartJob&) override {
    if (!isAsked(of) || isOf(of)) return false;
    tokenizer_ = of.model.shown->tokenizer, model_ = of.model.shown->name;
    measured_ = nullptr, missing_.clear();
    return true;
  }

  void measure(const MeasuredModel& of, const Snapshot&, const StartJob& begin,
               const std::function<void()>& more) override {
    if (!isAsked(of) || !isOf(of) || measured_ || !missing_.empty()) return;
    const ProgressCallback watch = begin("counting the pieces of both languages");
    if (!watch(0, 1)) return;
    if (!of.model.task && !of.model.origin.task.empty()) of.model.task = makeTask(of.model.origin);
    constexpr std::uint64_t seed = 1;
    const auto texts = taskTexts(of.model.task.get(), *tokenizer_, of.model.config(), model_, seed,
                                 jointVocabulary::textsCounted);
    if (!watch(1, 1)) return;
    if (texts)
      measured_ = counted(*texts, of.model.config().vocabulary);
    else
      missing_ = texts.error().message();
    more();
  }

 private:
  static bool isAsked(const MeasuredModel& of) {
    return of.workspace.settings.chosen(cutsChoice).empty() && of.model.config().isEncoderDecoder();
  }
  bool isOf(const MeasuredModel& of) const {
    return tokenizer_ && tokenizer_ == of.model.shown->tokenizer && model_ == of.model.shown->name;
  }

  static std::shared_ptr<const TensorSet> counted(const std::vector<TokenText>& texts, int vocabulary) {
    Tensor count({2, vocabulary});
    for (const TokenText& text : texts) {
      for (const int id : text.source) count(0, id) += 1;
      for (const int id : text.tokens) count(1, id) += 1;
    }
    auto set = std::make_shared<TensorSet>();
    set->add({jointVocabulary::count, "2V",
              "frequency of each token in texts of the task, in sources and targets", "counted"},
             std::move(count));
    return set;
  }

  std::shared_ptr<const Tokenizer> tokenizer_;
  std::string model_, missing_;
  std::shared_ptr<const TensorSet> measured_;
};

}  // namespace

namespace needs {
const Need piecesByLanguage{
    .name = "pieces of both languages", .kept = keptAs<PiecesByLanguage>, .reads = readChoices<cutsChoice>};
}  // namespace needs

}  // namespace glassformer
