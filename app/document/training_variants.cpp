#include "app/document/training_variants.h"

#include <utility>

#include "core/train/training_numbers.h"

namespace glassformer {

namespace {

constexpr TrainingVariant table[] = {
    {"none", "one run alone", "", ""},
    {"its own numbers", "any number and choice of its own: see “Beside it” above", "", ""},
    {"post-norm", "norms behind each sublayer, as in 2017: x ← norm(x + f(x))", "norm_placement", "post"},
    {"pre-norm", "norms in front of each sublayer: x ← x + f(norm(x))", "norm_placement", "pre"},
    {"no warm-up", "the learning rate begins at its peak", "warmup", "0"},
    {"no clipping", "gradients are as long as they are", "clip", "0"},
    {"dropout", "training leaves out a tenth of what goes into the stream", "resid_pdrop", "0.1"},
    {"no residuals", "each sublayer replaces the stream: x ← f(norm(x))", "residual", "no"},
    {"tied unembedding", "logits compare with the embeddings themselves", "tie_word_embeddings", "yes"},
    {"untied unembedding", "the unembedding is a matrix of its own", "tie_word_embeddings", "no"},
    {"random positions", "learned positions begin as noise, not as sinusoids", "sinusoidal-start", "0"},
    {"equal heads", "all heads of an attention begin the same: nothing parts them", "equal-heads", "1"},
    {"nearly equal heads", "heads begin the same but for a little noise, which parts them", "equal-heads",
     "0.999"},
    {"SGD", "gradient descent with momentum in place of AdamW", "optimizer", "sgd"},
    {"no positions", "nothing says where a token stands", "position_embedding_type", "none"},
    {"recurrence", "a simple recurrent network in place of attention", "mixing", "recurrence"},
    {"ResNet", "few channels, taps over the tokens beside, all channels again", blockField, "resnet"},
    {"ConvNeXt", "one filter per channel over the tokens beside, then the MLP", blockField, "convnext"},
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
