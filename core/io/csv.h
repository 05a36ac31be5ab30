#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// Comma-separated values by RFC 4180: records end in CRLF; a field that holds a comma, a quotation mark or a
/// line break is quoted, quotation marks in it doubled.

std::string csvField(std::string_view text);
/// One record with its line end.
std::string csvRecord(const std::vector<std::string>& fields);
/// The shortest digits that read back as the same float: "0.1", "-3.4e+38", "nan", "-inf".
std::string csvNumber(float value);

}  // namespace glassformer
