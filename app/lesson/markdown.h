#pragma once
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace glassformer {

/// The prose of one step, as md4c reads it: paragraphs, headings, items of lists; *a token*, `a token`,
/// **strong**, $equation$. Every equation is set once, so that none stands raw on the screen.
struct Prose {
  std::vector<Paragraph> paragraphs;
  std::vector<std::string> choices;  ///< items that begin with [( )], as LiaScript writes them
  int right = -1;                    ///< the one with [(X)]
  std::string blank;                 ///< what stands in [[ ]] in a paragraph of its own: "number"; else empty
};
Result<Prose> readProse(const std::string& markdown);

}  // namespace glassformer
