#include "app/cli/size_option.h"

#include <charconv>

#include "core/text/utf8.h"

namespace glassformer {

Result<PixelSize> parsedSize(const std::string& size) {
  PixelSize parsed;
  const char* const end = size.data() + size.size();
  const auto width = std::from_chars(size.data(), end, parsed.width);
  const bool crossed = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
  const auto height = std::from_chars(crossed ? width.ptr + 1 : end, end, parsed.height);
  const auto fits = [](int pixels) { return pixels >= 64 && pixels <= 16384; };
  if (height.ec == std::errc() && height.ptr == end && fits(parsed.width) && fits(parsed.height))
    return parsed;
  return Error{inQuotes(size) + " is not a size", "--size",
               "WIDTHxHEIGHT, 64 to 16384 each, such as 1280x720"};
}

}  // namespace glassformer
