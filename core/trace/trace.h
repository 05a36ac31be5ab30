#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tape.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Everything one forward pass computed, under the trace points' names (see core/model/catalogue.h);
/// immutable, and safe to read from any thread for as long as it is held.
class Trace : public TensorSet {
 public:
  Trace() = default;
  explicit Trace(std::vector<int> tokens, std::vector<int> source = {})
      : tokens_(std::move(tokens)), source_(std::move(source)) {}
  /// Of a pass whose points were described before; see TensorSet.
  Trace(std::vector<int> tokens, std::vector<int> source, std::shared_ptr<TracePoints> points,
        std::vector<TensorView> tensors, std::shared_ptr<const void> owner)
      : TensorSet(std::move(points), std::move(tensors), std::move(owner)),
        tokens_(std::move(tokens)),
        source_(std::move(source)) {}

  const std::vector<int>& tokens() const { return tokens_; }
  /// What an encoder-decoder has read; empty otherwise.
  const std::vector<int>& source() const { return source_; }
  int tokenCount() const { return static_cast<int>(tokens_.size()); }

  /// The tape that the tensors lie on, and the weights that the pass has read, under their names.
  void cameFrom(std::shared_ptr<const Tape> tape, std::shared_ptr<const TensorSet> weights) {
    tape_ = std::move(tape), weights_ = std::move(weights);
  }
  /// nullptr where no pass made this.
  const TensorSet* weights() const { return weights_.get(); }
  /// What made a number, down to named tensors and weights: a sum without a name inside a sum is part of it.
  /// Nothing where the trace has no such number.
  std::optional<Derivation> derive(const std::string& name,
                                   const std::array<int, maxRank>& index) const override;
  std::optional<Derivation> derive(Cell cell) const;

 protected:
  bool isThere(Cell cell) const override { return !tape_ || tape_->isMade(cell); }
  void materialize(Cell cell) const override {
    if (tape_) tape_->materialize(cell);
  }
  void makeFor(Cell cell, const std::function<void()>& look) const override {
    tape_ ? tape_->makeFor(cell, look) : look();
  }

 private:
  bool isNamed(Cell cell) const { return locate(cell) || weights_->locate(cell); }

  std::vector<int> tokens_, source_;
  std::shared_ptr<const Tape> tape_;
  std::shared_ptr<const TensorSet> weights_;
};

}  // namespace glassformer
