#pragma once
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace glassformer {

/// The prose of one step, as md4c reads it (CommonMark): paragraphs, headings, items of lists in lists,
/// breaks; *a token*, `a token`, **strong**, $equation$. Every equation is set once, so that none stands raw
/// on the screen.
struct Prose {
  std::vector<Paragraph> paragraphs;
  std::vector<Paragraph> choices;  ///< items that begin with [( )], as LiaScript writes them
  std::vector<int> right;          ///< those with [(X)]
  std::string blank;               ///< what stands in [[ ]] in a paragraph of its own: "number"; else empty
};
Result<Prose> readProse(const std::string& markdown);
/// A page of the manual: also links, pictures in paragraphs of their own, tables and blocks of code.
Result<std::vector<Paragraph>> readPage(const std::string& markdown);

}  // namespace glassformer
