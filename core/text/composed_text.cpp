#include "core/text/composed_text.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace glassformer {
namespace {

bool isAscii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

// As it is, where it is no valid UTF-8.
std::string composed(std::string_view stretch) {
  utf8proc_uint8_t* made = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(stretch.data()),
                                 static_cast<utf8proc_ssize_t>(stretch.size()), &made,
                                 static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  return size < 0 ? std::string(stretch)
                  : std::string(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
}

}  // namespace

// An ASCII character composes with nothing before it, so that a stretch may end there; it may compose with
// what follows.
ComposedText::ComposedText(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && !isAscii(text[end])) ++end;
    const std::string_view stretch = text.substr(at, end - at);
    const std::string made = stretch.size() == 1 ? std::string(stretch) : composed(stretch);
    if (made != stretch) changes_.push_back({text_.size(), text_.size() + made.size(), at, end});
    text_ += made;
    at = end;
  }
}

std::size_t ComposedText::originOf(std::size_t bytes) const {
  const auto after = std::ranges::partition_point(changes_, [&](const Change& c) { return c.begin < bytes; });
  if (after == changes_.begin()) return bytes;
  const Change& last = *std::prev(after);
  return bytes < last.end ? last.to : last.to + (bytes - last.end);
}

}  // namespace glassformer
