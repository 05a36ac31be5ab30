#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"

namespace glassformer {

/// A note inside a picture that those who show it pass over: in an SVG the text of <metadata>, in a PNG a
/// text chunk (PNG specification, 11.3.3) under the keyword "Glassformer", in a GIF a comment at its end
/// (GIF89a, 24), in a PDF a comment in front of its last "startxref" (ISO 32000-1, 7.2.4), where no offset
/// changes. One line of ASCII.

/// Whether a file ends like one of these: .svg, .png, .gif or .pdf.
bool isPictureFile(const std::filesystem::path& file);

/// The picture with the note in it; `picture` is the whole file, and carries none yet.
std::string withNote(std::string picture, std::string_view note);

/// The note that a picture carries. Fails where it carries none, is cut, or is no such picture.
Result<std::string> noteIn(std::string_view picture);

}  // namespace glassformer
