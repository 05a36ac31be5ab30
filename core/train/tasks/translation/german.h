#pragma once
#include "core/train/tasks/translation/wording.h"

namespace glassformer::translation {

/// The sentence in German, after the fields that its grammars describe:
///   front | finite verb | middle field | other verbs and prefix | clauses
///   Heute | hat         | Anna das Fenster nicht | aufgemacht  | , weil es kalt war.
/// In subordinate clauses a conjunction or relative pronoun stands in front and the finite verb behind the
/// other verbs. The middle field goes from the known to the new: subject, pronouns, definite objects (dative
/// before accusative), adverbs, indefinite objects, nicht, predicate and places.
Text german(const Sentence& sentence);

}  // namespace glassformer::translation
