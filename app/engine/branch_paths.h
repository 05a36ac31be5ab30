#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "app/document/workspace.h"
#include "app/engine/continued_text.h"
#include "core/decode/many_samples.h"
#include "core/decode/path_tree.h"

namespace glassformer {

/// Where a path of the tree comes from.
enum class PathKind { Text, Branch, Greedy, Beam, Sample };

namespace paths {
inline constexpr int mostHypotheses = 8, mostSamples = 8;
inline constexpr const char *kind = "paths.kind",  ///< [Y]: a PathKind
    *index = "paths.index",                        ///< [Y]: which of that kind
        *end = "paths.end",                        ///< [Y]: the node it ends at; -1: it begins otherwise
            *total = "paths.total",                ///< [Y]: Σ ln p behind what all have in common
                *length = "paths.length",          ///< [Y]: tokens behind that
                    *count = "paths.count",        ///< [Y]: of a sample, how many are alike; NaN: it is none
                        *score = "paths.score",  ///< [Y]: of a beam's, what it is ranked by; NaN: it is none
                            *parent = "paths.parent",    ///< [N]: -1: the root
                                *token = "paths.token",  ///< [N]: -1: the root
                                    *probability =
                                        "paths.probability",  ///< [N]: p of the token, by the model
                                        *logProbability = "paths.log_probability",  ///< [N]: ln p of it
                                            *cumulative =
                                                "paths.cumulative",  ///< [N]: Σ ln p from the root on
                                                *root =
                                                    "paths.root";  ///< [1]: tokens that all have in common
}  // namespace paths

/// The open text, the branches that are kept, and how greedy decoding, the beam and samples go on, as one
/// tree; every token with the model's own probability, whatever chose it.
class BranchPaths : public ContinuedText {
 public:
  static constexpr const char* doing = "growing the tree of branches";

  /// A text that fills the context has its place among those that are kept, too.
  static bool isPossible(const ModelConfig&, const Trace&) { return true; }
  using ContinuedText::read;
  static void read(const ViewSettings& from, ViewSettings& to);
  static constexpr bool readsBranches = true;

  BranchPaths(const ContinuationKey& key, const JobSide& side, int threads);
  bool goOn(const StartJob& begin, const std::function<void()>& more);
  JobResult result() const { return {measured_}; }

 private:
  // One way through the tree, and what is known of it.
  struct Path {
    PathKind kind = PathKind::Text;
    int index = 0;
    std::vector<int> tokens;
    std::optional<int> count;
    std::optional<double> score;
  };
  void addWritten(const std::vector<Branch>& branches, const JobSide& side);
  void addGreedy(const NextTokenLogits& logits);
  bool addHypotheses(const NextTokenLogits& logits, const ProgressCallback& watch);
  bool addSamples(const NextTokenLogits& logits, const std::function<bool()>& goesOn);
  void add(PathKind kind, int index, std::vector<int> added);
  bool grow(const NextTokenLogits& logits, const std::function<bool()>& goesOn);
  std::shared_ptr<const TensorSet> asTensors() const;
  void addSums(Tensor probability, Tensor logProbability, Tensor cumulative, TensorSet& set) const;
  TensorSet::DerivationOf scoresMadeOf(const TensorView& cumulative) const;

  std::vector<Path> paths_;
  PathTree tree_;
  std::shared_ptr<const TensorSet> measured_;
  bool isWhole_ = false;
};

/// What is chosen to be drawn beside what is written: see branch.h.
bool showsGreedy(const ViewSettings& settings);
bool showsHypotheses(const ViewSettings& settings);
bool showsSamples(const ViewSettings& settings);

}  // namespace glassformer
