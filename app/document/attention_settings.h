#pragma once
#include <vector>

#include "app/document/position_window.h"
#include "core/lens/attention_plane.h"

namespace glassformer {

/// What is drawn of a head: what is compared, what the mask leaves, what comes of it, what that moves.
enum class AttentionStage { Scores, Masked, Pattern, Moved };
/// What is laid side by side: two heads' patterns, what two heads move, or what one head looks at and moves.
enum class AttentionPair { Patterns, Moved, OneHead };

/// How shares become colours: Fitting is linear for short texts, and logarithmic where an even share of the
/// keys would be told from nothing no longer.
enum class ShareScale { Fitting, Linear, Logarithmic };

/// Settings of the attention view. The head that it shows is the selected one; `heads` are those put beside
/// it.
struct AttentionSettings {
  AttentionStage stage = AttentionStage::Pattern;
  HeadFold fold = HeadFold::One;  ///< One: the selected head; Average or Maximum: of `heads`
  std::vector<HeadId> heads;      ///< sorted; empty: the selected one, and to fold all heads of its layer
  HeadId other{-1, -1};           ///< the second of two heads; outside the model: the next one
  AttentionPair pair = AttentionPair::Patterns;
  bool moreShown = false;  ///< the choices for rows
  RowOrder order = RowOrder::Text;
  bool normalized = false;
  ShareScale scale = ShareScale::Fitting;
  int leastPercent = 10;  ///< the weakest arc, in percent of the strongest possible one
  PositionWindow window;
  bool painting = false;  ///< the mask, on the cells of the matrix
  bool pairing = false;   ///< the rule, there as well

  bool operator==(const AttentionSettings&) const = default;
};

}  // namespace glassformer
