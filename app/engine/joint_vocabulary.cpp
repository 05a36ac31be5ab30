#include "app/engine/joint_vocabulary.h"

#include "app/document/cuts_settings.h"
#include "app/document/workspace.h"
#include "app/engine/corpus.h"
#include "app/engine/job.h"
#include "app/engine/open_model.h"
#include "app/engine/training_origin.h"

namespace glassformer {

namespace {

// The tokenizer, and the name of a model whose task has both languages.
using PiecesKey = std::pair<std::shared_ptr<const Tokenizer>, std::string>;

class PiecesByLanguage final : public WholeJob<PiecesKey> {
 public:
  explicit PiecesByLanguage(int /*threads*/) {}

 private:
  std::optional<PiecesKey> key(const JobSide& side) const override {
    const OpenModel& open = side.of.model;
    const bool isAsked =
        side.workspace().settings.chosen(cutsChoice).empty() && open.config().isEncoderDecoder();
    return isAsked ? std::optional<PiecesKey>({open.shown->tokenizer, open.shown->name}) : std::nullopt;
  }

  Result measureAll(const PiecesKey& key, const JobSide& side, const StartJob& begin) override {
    const ProgressCallback watch = begin("counting the pieces of both languages");
    if (!watch(0, 1)) return std::nullopt;
    OpenModel& open = side.of.model;
    if (!open.task && !open.origin.task.empty()) open.task = makeTask(open.origin);
    constexpr std::uint64_t seed = 1;
    const auto texts = taskTexts(open.task.get(), *key.first, open.config(), key.second, seed,
                                 jointVocabulary::textsCounted);
    if (!watch(1, 1)) return std::nullopt;
    if (!texts) return JobResult{.missing = texts.error().message()};
    return JobResult{counted(*texts, open.config().vocabulary)};
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
};

}  // namespace

namespace needs {
const Need piecesByLanguage{
    .name = "pieces of both languages", .kept = keptAs<PiecesByLanguage>, .reads = readChoices<cutsChoice>};
}  // namespace needs

}  // namespace glassformer
