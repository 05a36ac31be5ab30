#include "core/io/csv.h"

#include <array>
#include <charconv>
#include <cmath>

namespace glassformer {

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csvRecord(const std::vector<std::string>& fields) {
  std::string record;
  for (std::size_t i = 0; i < fields.size(); ++i) record += (i ? "," : "") + csvField(fields[i]);
  return record + "\r\n";
}

std::string csvNumber(float value) {
  if (std::isnan(value)) return "nan";  // whichever its sign
  std::array<char, 32> digits;
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), written.ptr};
}

}  // namespace glassformer
