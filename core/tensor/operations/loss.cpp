#include "core/tensor/operations/loss.h"

#include <algorithm>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

class CrossEntropy final : public Operation {
 public:
  CrossEntropy(const Extent& extent, Value logits, Targets& targets)
      : Operation(extent), targets_(targets), dLogits_{logits} {}

  void forward(const Work&) override {}

  void backward() override {
    const Value& logits = dLogits_.value;
    targets_.loss = 0;
    for (int r = 0; r < extent_.rows(); ++r) {
      float* gradient = dLogits_.data + r * logits.stride;
      const int target = targets_.token[static_cast<std::size_t>(r)];
      if (target == Targets::none)
        std::fill(gradient, gradient + logits.width, 0.f);
      else
        targets_.loss += targets_.weight * kernels().crossEntropy(logits.data + r * logits.stride, target,
                                                                  targets_.weight, gradient, logits.width);
    }
  }

  std::vector<Gradient*> operands() override { return {&dLogits_}; }

 private:
  Targets& targets_;
  Gradient dLogits_;
};

}  // namespace

void crossEntropy(Tape& tape, const Value& logits, Targets& targets) {
  tape.add(std::make_unique<CrossEntropy>(tape.extent(), logits, targets));
}

double crossEntropyAlone(const Tape& tape, const Value& logits, const Targets& targets) {
  AlignedVector unused(static_cast<std::size_t>(logits.width));
  double loss = 0;
  for (int r = 0; r < tape.extent().rows(); ++r)
    if (const int target = targets.token[static_cast<std::size_t>(r)]; target != Targets::none)
      loss += targets.weight * kernels().crossEntropy(logits.data + r * logits.stride, target, targets.weight,
                                                      unused.data(), logits.width);
  return loss;
}

}  // namespace glassformer
