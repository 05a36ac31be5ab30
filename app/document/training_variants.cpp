#include "app/document/training_variants.h"

namespace glassformer {

namespace {

constexpr TrainingVariant table[] = {
    {"none", "one run alone", nullptr, nullptr, ""},
    {"post-norm", "norms behind each sublayer, as in 2017: x ← norm(x + f(x))", "norm_placement", "post", ""},
    {"pre-norm", "norms in front of each sublayer: x ← x + f(norm(x))", "norm_placement", "pre", ""},
    {"no warm-up", "the learning rate begins at its peak", nullptr, nullptr, noWarmup},
    {"no residual connections", "each sublayer replaces the stream: x ← f(norm(x))", "residual", "no", ""},
    {"tied unembedding", "logits compare with the embeddings themselves", "tie_word_embeddings", "yes", ""},
    {"untied unembedding", "the unembedding is a matrix of its own", "tie_word_embeddings", "no", ""},
    {"no positions", "nothing says where a token stands", "position_embedding_type", "none", ""},
    {"recurrence", "a simple recurrent network in place of attention", "mixing", "recurrence", ""},
};

ModelChanges changesOf(const TrainingVariant& variant) {
  return variant.field ? ModelChanges{{variant.field, variant.value}} : ModelChanges{};
}

}  // namespace

std::span<const TrainingVariant> trainingVariants() { return table; }

int variantOf(const TrainingPlan& plan) {
  for (int i = 1; plan.two && i < static_cast<int>(std::size(table)); ++i)
    if (changesOf(table[i]) == plan.otherChanges && table[i].schedule == plan.otherSchedule) return i;
  return 0;
}

void setVariant(TrainingPlan& plan, int variant) {
  const TrainingVariant& chosen = table[variant];
  plan.two = variant > 0;
  plan.otherChanges = changesOf(chosen);
  plan.otherSchedule = chosen.schedule;
}

}  // namespace glassformer
