#include "app/document/training_variants.h"

#include <utility>

#include "core/train/training_numbers.h"

namespace glassformer {

namespace {

constexpr TrainingVariant table[] = {
    {"none", "One run", "", ""},
    {"its own numbers", "Other settings: see “Second run” above", "", ""},
    {"post-norm", "Norms after each sublayer, as in 2017: x ← norm(x + f(x))", "norm_placement", "post"},
    {"pre-norm", "Norms before each sublayer: x ← x + f(norm(x))", "norm_placement", "pre"},
    {"no warm-up", "The learning rate starts at its peak", "warmup", "0"},
    {"no clipping", "Gradients are not clipped", "clip", "0"},
    {"dropout", "A tenth of the sublayer outputs is set to 0 during training", "resid_pdrop", "0.1"},
    {"no residuals", "Each sublayer replaces the stream: x ← f(norm(x))", "residual", "no"},
    {"tied unembedding", "One matrix for embedding and unembedding", "tie_word_embeddings", "yes"},
    {"untied unembedding", "Separate matrices for embedding and unembedding", "tie_word_embeddings", "no"},
    {"random positions", "Learned positions start as noise instead of sinusoids", "sinusoidal-start", "0"},
    {"equal heads", "All heads of a layer start with the same weights and stay equal", "equal-heads", "1"},
    {"nearly equal heads", "Heads start with the same weights and a little noise", "equal-heads", "0.999"},
    {"SGD", "SGD with momentum instead of AdamW", "optimizer", "sgd"},
    {"no positions", "No position information", "position_embedding_type", "none"},
    {"recurrence", "A simple RNN instead of attention", "mixing", "recurrence"},
    {"ResNet", "Bottleneck convolution over neighboring tokens", blockField, "resnet"},
    {"ConvNeXt", "One filter per channel over neighboring tokens, then the MLP", blockField, "convnext"},
};

// What a variant makes of the run beside the first.
TrainingPlan withVariant(TrainingPlan plan, int variant) {
  plan.two = variant > 0;
  setPlanBeside(plan, {});
  const auto [label, meaning, field, value] = table[variant];
  if (*field) (findTrainingNumber(field) ? plan.otherNumbers : plan.otherChanges) = {{field, value}};
  return plan;
}

}  // namespace

std::span<const TrainingVariant> trainingVariants() { return table; }

int variantOf(const TrainingPlan& plan) {
  if (!plan.two) return 0;
  for (int i = ownNumbersVariant + 1; i < static_cast<int>(std::size(table)); ++i)
    if (withVariant(plan, i) == plan) return i;
  return ownNumbersVariant;
}

void setVariant(TrainingPlan& plan, int variant) { plan = withVariant(std::move(plan), variant); }

}  // namespace glassformer
