#include "app/scene/positions/layouts.h"

#include "app/scene/positions/curves_layout.h"
#include "app/scene/positions/differences_layout.h"
#include "app/scene/positions/phasors_layout.h"
#include "app/scene/positions/scores_layout.h"
#include "app/scene/positions/tables_layout.h"

namespace glassformer {

std::span<const PositionsLayoutEntry> positionsLayouts() {
  static constexpr PositionsLayoutEntry table[] = {
      {PositionsLayout::Encoding, "Encoding", "what is added to the embedding at each position",
       drawTablesLayout},
      {PositionsLayout::Curves, "Curves", "pairs of dimensions over position, as many as you like",
       drawCurvesLayout},
      {PositionsLayout::Phasors, "Phasors", "each pair of dimensions as an arrow that turns with position",
       drawPhasorsLayout},
      {PositionsLayout::Similarity, "Similarity", "how alike any two positions are", drawTablesLayout},
      {PositionsLayout::Differences, "Difference",
       "how the encoding changes Δ positions further: p(t + Δ) − p(t)", drawDifferencesLayout},
      {PositionsLayout::Scores, "Scores", "what positions alone contribute to a head's scores",
       drawScoresLayout},
  };
  return table;
}

}  // namespace glassformer
