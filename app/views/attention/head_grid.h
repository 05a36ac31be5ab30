#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// What a picture does with several heads: folds them into one plane, draws them all, or compares two.
enum class HeadUse { Fold, Together, Compare };

/// The patterns of all heads as thumbnails, layers down and heads across. A click shows a head; with Ctrl or
/// Shift it joins or leaves the set, or becomes the other one of two. Clicks on the numbers choose a layer's
/// heads, or the heads of one number. Returns where the thumbnails stand and takes them off `column`; they
/// use at most `share` of its height.
Box addHeadGrid(AttentionPicture& picture, Box& column, HeadUse use, float share = 0.7f);

/// How much lies above the thumbnails: what they are, and the heads' numbers.
inline constexpr float headGridTitles = 38;

/// One, Mean, Max: what a plane shows of the chosen heads.
std::vector<Choice> foldChoices(const AttentionPicture& picture);

}  // namespace glassformer
