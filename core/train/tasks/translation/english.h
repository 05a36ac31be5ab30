#pragma once
#include "core/train/tasks/translation/wording.h"

namespace glassformer::translation {

/// The sentence in English: verb after subject, questions and negations with "do", adverbs of frequency
/// before the verb, the particle of a verb behind a pronoun ("turns it on").
Text english(const Sentence& sentence);

}  // namespace glassformer::translation
