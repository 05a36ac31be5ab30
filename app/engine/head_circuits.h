#pragma once
#include <memory>
#include <vector>

#include "app/engine/need.h"
#include "app/engine/searched_texts.h"
#include "core/lens/head_circuits.h"

namespace glassformer {

/// What the weights of one head say: see core/lens/head_circuits.h.
class CircuitReading {
 public:
  /// Of which head, and which tokens are asked about.
  struct Asked {
    std::shared_ptr<const Transformer> model;
    HeadId head;
    AskedTokens tokens;
    bool operator==(const Asked&) const = default;
  };
  /// Of the selected head, the tokens that occur in texts, for others were hardly trained; where there are no
  /// texts the first of the vocabulary.
  static Asked askedOf(const MeasuredModel& of, const SearchedTexts& texts);
  static constexpr int tokensWithoutTexts = 4096;
  static constexpr const char* doing = "reading the weights of a head";

  /// Null where that has not been read.
  std::shared_ptr<const TensorSet> of(const Asked& asked) const { return asked == asked_ ? set_ : nullptr; }
  /// A set with what was read besides, as far as it was.
  std::shared_ptr<const TensorSet> addedTo(std::shared_ptr<const TensorSet> set, const Asked& asked) const;
  /// True where something was read that was not known.
  bool read(const Asked& asked, const StartJob& begin);

 private:
  Asked asked_;
  std::shared_ptr<const TensorSet> set_;
};

/// The circuits of the selected head, among the tokens of the texts that are searched.
class HeadCircuits final : public BackgroundJob {
 public:
  explicit HeadCircuits(int /*threads*/) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  bool hasTexts(const MeasuredModel& of) const;
  JobResult keptFor(const MeasuredModel& of) const;

  std::shared_ptr<const Transformer> model_;
  SearchedTexts texts_;
  HeadId head_{-1, -1};
  CircuitReading reading_;
};

}  // namespace glassformer
