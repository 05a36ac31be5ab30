#pragma once
#include <optional>
#include <vector>

#include "app/document/patch_settings.h"
#include "app/engine/dataset_metrics.h"
#include "core/lens/ablation.h"

namespace glassformer {

/// What is asked about the answer of one text, the likeliest entry behind its last token, as *Ablation*,
/// *Counterfactuals* and *Patching* in *Attribution* compute it. All are empty where the watch stopped them.

/// What leaving out each part does to the answer, a number of it in the cells of everyPartOff().
std::vector<float> answerWithoutParts(const MeasuredText& text,
                                      float (*number)(const AblationEffect& without));

/// 1 where a head belongs to a smallest set of heads whose absence makes another answer, else 0, in the cells
/// of everyPartOff(); `headSetsTried` of a size at most.
std::vector<float> headsThatFlip(const MeasuredText& text);
/// Of such a set without which another answer comes, or, where the head belongs to none, of the head alone.
/// The search is run again, as long as it takes.
OpenPasses madeByFlippingHeads(const TextAgain& text, int cell);
inline constexpr int headSetsTried = 150;

inline constexpr int replacementsTried = 200;

/// The text with the first single token, best guess first, that makes another answer; nothing where none of
/// the `replacementsTried` best guesses does, or where it was stopped.
std::optional<TokenText> changedVersion(const MeasuredText& text);

/// Where a patch at one position stands, as seen from where both texts of a pair differ.
inline constexpr const char* patchPlaces[] = {"before", "changed", "between", "last"};

/// By how much the answer of the text is ahead of that of its partner, or of its changed version, changes by
/// patches from there: of heads in the cells of everyPartOff(), else block by block in the mean over each of
/// patchPlaces. NaN where there is no such place, and everywhere where the text has no changed version.
std::vector<float> patchesOf(const MeasuredText& text, const PatchKind& kind);
OpenPasses madeByPatching(const TextAgain& text, const PatchKind& kind, int cell);

}  // namespace glassformer
