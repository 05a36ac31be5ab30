#pragma once
#include "app/engine/need.h"

namespace glassformer {

/// Which entries of a vocabulary that two languages share serve which: how often each stands in the sources
/// and in the targets of so many held-out texts of the model's task.
namespace jointVocabulary {
inline constexpr int textsCounted = 400;
inline constexpr const char* count = "pieces.count";  ///< [2, V]: in sources, in targets
}  // namespace jointVocabulary

namespace needs {
/// pieces.*, of a model that reads a source, while *Cuts* shows its own tokens.
extern const Need piecesByLanguage;
}  // namespace needs

}  // namespace glassformer
