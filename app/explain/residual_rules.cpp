#include "app/explain/operands.h"

#include "app/scene/format.h"

namespace glassformer {

namespace {

// One summand of the logit: the others, and the logit that they make.
std::optional<Explanation> logitPart(const Operands& o) {
  const int token = o.cell.index[0], entry = std::stoi(o.cell.tensor.substr(o.cell.tensor.rfind('.') + 1));
  double others = 0;
  for (int part = 0; part < o.extent(o.cell.tensor, 1); ++part)
    if (part != o.cell.index[1]) others += o.at(o.cell.tensor, {token, part});
  const float logit = o.at("logits", {token, entry});
  const auto rest = static_cast<float>(others);
  return Explanation{
      {"the logit minus what all others add", "= " + formatted(logit) + " − " + signedOperand(rest)},
      logit - rest,
      false};
}

constexpr ExplanationRule residualTable[] = {
    {"lens.logit_attribution.", logitPart},
};

}  // namespace

std::span<const ExplanationRule> residualRules() { return residualTable; }

}  // namespace glassformer
