#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace glassformer {

/// What an intervention puts into a point, made anew for every text: where a head looks, or what a part wrote
/// at another step of training.
class ActivationRule {
 public:
  virtual ~ActivationRule() = default;
  /// Of a text and the source that is read beside it, shaped as the point or as one head's plane of it.
  virtual Tensor values(std::span<const int> tokens, std::span<const int> source) const = 0;
};

enum class InterventionKind { Zero, Scale, Add, Replace, Argmax };

/// What a kind of intervention is called, and the number that it takes.
struct InterventionDescription {
  const char* id;       ///< in files: "scale"
  const char* sign;     ///< what is written between the part and the number: "×"
  const char* meaning;  ///< one line
  bool takesNumber = true;
  const char* number = "";               ///< what that is called: "gain"
  float least = 0, most = 0, usual = 0;  ///< of the number
  float step = 0.1f;
  float (*apply)(float cell, float operand) = nullptr;
  void (*applyToRow)(std::span<float> row) = nullptr;  ///< in place of `apply`: cells that know of each other
  float (*slope)(float operand) = nullptr;             ///< ∂ apply / ∂ cell
};
/// In the order of InterventionKind.
std::span<const InterventionDescription> interventionKinds();
inline const InterventionDescription& described(InterventionKind kind) {
  return interventionKinds()[static_cast<std::size_t>(kind)];
}

/// Overrides part of one trace point while the forward pass runs; everything downstream sees the changed
/// values. `index` selects: -1 means every index of that dimension, so {2, -1, -1} on a pattern [H, T, S] is
/// the whole of head 2 and {2, 5, 3} is one cell.
struct Intervention {
  static constexpr int every = -1;

  std::string point;  ///< name of the trace point
  InterventionKind kind = InterventionKind::Zero;
  std::array<int, maxRank> index{every, every, every, every};
  float value = 0;                       ///< factor (Scale), summand (Add), new value (Replace)
  std::shared_ptr<const Tensor> tensor;  ///< Add, Replace: values element by element instead of `value`; what
                                         ///< it has no element for stays; of a point [H, T, S] it may be
                                         ///< one plane [T, S], the same for all heads that are selected
  std::string origin;  ///< where the tensor's numbers come from, for people: "token 3 ·animal"; may be empty
  /// Replace of a head's pattern: what takes its place, made anew for every text. As it is written (see
  /// core/lens/attention_rule.h), and as whoever knows the model's words has read it: without that
  /// nothing is replaced.
  std::string ruleText;
  std::shared_ptr<const ActivationRule> rule;
  /// Replace: what the point holds for the same text after this step of the run that is trained, read by
  /// `rule` too; −1: nothing of that.
  int step = -1;

  /// Whether it takes a rule, whoever has made it or not.
  bool isByRule() const { return !ruleText.empty() || step >= 0; }

  /// Tensors are the same where their numbers are: one that was saved and opened again is. Rules, which no
  /// file holds, where they are the very same.
  bool operator==(const Intervention& other) const;
};

using Interventions = std::vector<Intervention>;
Interventions withOneMore(Interventions standing, Intervention added);

/// The same for one text: rules have become tensors.
Interventions resolved(const Interventions& interventions, std::span<const int> tokens,
                       std::span<const int> source);

}  // namespace glassformer
