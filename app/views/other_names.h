#pragma once
#include <span>
#include <string_view>

#include "app/views/views.h"

namespace glassformer {

/// Former label and synonyms of a view or a picture, which keep a name that people know findable: on the
/// command line, in lessons and in the palette.
struct OtherNames {
  std::string_view id;        ///< "attention", or "attention/matrix"
  std::string_view formerly;  ///< its label in earlier releases, "Leave out"; empty: it has kept its label
  std::string_view words;     ///< synonyms in papers and courses, with commas between them
};
std::span<const OtherNames> otherNames();

/// The names of a view; of one of its pictures, if a picture is given.
const OtherNames& otherNamesOf(const View& view, const Picture* picture = nullptr);

/// The view of this id, title or former title, in any case, with "_" or a space between words; null: none.
const View* findView(std::string_view name);
/// The picture of this id, label or former label; ids come first. Null: the view has none.
const Picture* findPicture(const View& view, std::string_view name);

}  // namespace glassformer
