#pragma once
#include "core/train/tasks/grammar.h"
#include "core/train/tasks/translation/clause.h"

namespace glassformer::translation {

/// How often hearsay is told in its most probable wording.
inline constexpr double hearsayShare = 0.4;

/// Thinks up one sentence: what is said of whom, in which tense, with which clauses. Only what both languages
/// say naturally, and what English says in one way for one thing only, so that its translation is settled.
Sentence draftSentence(Choices& choices);

}  // namespace glassformer::translation
