#include "app/scene/influence/layouts.h"

#include "app/scene/influence/distance_layout.h"
#include "app/scene/influence/influence_matrix_layout.h"
#include "app/scene/influence/influence_sentence_layout.h"

namespace glassformer {

std::span<const InfluenceLayoutEntry> influenceLayouts() {
  static constexpr InfluenceLayoutEntry table[] = {
      {InfluenceLayout::Sentence, "Sentence", "the text, coloured by its influence on one prediction",
       drawInfluenceSentenceLayout},
      {InfluenceLayout::Matrix, "Matrix", "predictions down, tokens across: what each depends on",
       drawInfluenceMatrixLayout},
      {InfluenceLayout::Distance, "Distance", "how influence fades with the distance between two tokens",
       drawDistanceLayout},
  };
  return table;
}

}  // namespace glassformer
