#include "app/document/training_variants.h"

#include <utility>

#include "core/train/training_numbers.h"

namespace glassformer {

namespace {

constexpr TrainingVariant table[] = {
    {"none", "one run alone", "", ""},
    {"post-norm", "norms behind each sublayer, as in 2017: x ← norm(x + f(x))", "norm_placement", "post"},
    {"pre-norm", "norms in front of each sublayer: x ← x + f(norm(x))", "norm_placement", "pre"},
    {"no warm-up", "the learning rate begins at its peak", "warmup", "0"},
    {"no clipping", "gradients are as long as they are", "clip", "0"},
    {"dropout", "training leaves out a tenth of what goes into the stream", "resid_pdrop", "0.1"},
    {"no residual connections", "each sublayer replaces the stream: x ← f(norm(x))", "residual", "no"},
    {"tied unembedding", "logits compare with the embeddings themselves", "tie_word_embeddings", "yes"},
    {"untied unembedding", "the unembedding is a matrix of its own", "tie_word_embeddings", "no"},
    {"no positions", "nothing says where a token stands", "position_embedding_type", "none"},
    {"recurrence", "a simple recurrent network in place of attention", "mixing", "recurrence"},
    {"ResNet", "few channels, taps over the tokens beside, all channels again", blockField, "resnet"},
    {"ConvNeXt", "one filter per channel over the tokens beside, then the MLP", blockField, "convnext"},
};

// What a variant makes of the run beside the first.
TrainingPlan withVariant(TrainingPlan plan, const TrainingVariant& variant) {
  plan.otherChanges.clear(), plan.otherNumbers.clear(), plan.otherSchedule.clear();
  plan.two = *variant.field != '\0';
  if (plan.two)
    (findTrainingNumber(variant.field) ? plan.otherNumbers
                                       : plan.otherChanges) = {{variant.field, variant.value}};
  return plan;
}

}  // namespace

std::span<const TrainingVariant> trainingVariants() { return table; }

int variantOf(const TrainingPlan& plan) {
  for (int i = 1; plan.two && i < static_cast<int>(std::size(table)); ++i)
    if (withVariant(plan, table[i]) == plan) return i;
  return 0;
}

void setVariant(TrainingPlan& plan, int variant) { plan = withVariant(std::move(plan), table[variant]); }

}  // namespace glassformer
