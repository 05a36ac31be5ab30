#include "tests/core/train/tasks/translation/clauses.h"

// Out of line: GCC 12 otherwise takes the empty optionals of a temporary for uninitialized memory.
namespace glassformer::translation {

Told::Told(NounPhrase subject, const Verb& verb) : Told(verb) { clause.subject = std::move(subject); }
Told::Told(const Verb& verb) { clause.verb = &verb; }
Told::operator Sentence() const { return {.clause = clause}; }

}  // namespace glassformer::translation
