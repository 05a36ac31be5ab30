#include "app/scene/attention/layouts.h"

#include "app/scene/attention/arcs_layout.h"
#include "app/scene/attention/matrix_layout.h"
#include "app/scene/attention/sentence_layout.h"
#include "app/scene/attention/two_heads_layout.h"

namespace glassformer {

std::span<const AttentionLayoutEntry> attentionLayouts() {
  static constexpr AttentionLayoutEntry table[] = {
      {AttentionLayout::Matrix, "Matrix", "queries down, keys across: every pair of tokens",
       drawMatrixLayout},
      {AttentionLayout::Sentence, "Sentence",
       "the text, coloured by what one token looks at and who looks at it", drawSentenceLayout},
      {AttentionLayout::Arcs, "Arcs", "arcs from each token back to those it looks at, several heads at once",
       drawArcsLayout},
      {AttentionLayout::TwoHeads, "Two heads", "two heads side by side, and their difference",
       drawTwoHeadsLayout},
  };
  return table;
}

}  // namespace glassformer
