#pragma once
#include "app/views/influence/influence_picture.h"
#include "core/lens/counterfactual.h"

namespace glassformer {

/// The keys that a head looks at most from a query, and the one that is wanted, with how much each gets; a
/// click wants one, a click on the first anything but that. Takes them off the column.
void addKeysWanted(InfluencePicture& picture, Box& column, const AnswerAsked& asked);
/// "“animal” at 2": tokens come more than once.
std::string keyWords(const InfluencePicture& picture, const HeadId& head, int key);

}  // namespace glassformer
