#include "app/cli/cell_words.h"

#include <charconv>

#include "core/text/utf8.h"

namespace glassformer {

Result<CellWords> parsedCell(const std::string& words, const char* option) {
  const auto wrong = [&] {
    return Error{inQuotes(words) + " names no number", option, "POINT[INDEX], such as \"logits[3, 7]\""};
  };
  const std::size_t open = words.find('[');
  if (open == std::string::npos || open == 0 || !words.ends_with(']')) return wrong();
  CellWords cell{.tensor = words.substr(0, open)};
  const char *at = words.data() + open + 1, *const end = words.data() + words.size() - 1;
  for (int& index : cell.index) {
    while (at < end && *at == ' ') ++at;
    if (at < end && *at == '*') {
      ++at;
    } else {
      const auto [rest, error] = std::from_chars(at, end, index);
      if (error != std::errc() || index < 0) return wrong();
      at = rest;
    }
    ++cell.given;
    if (at == end) return cell;
    if (*at++ != ',') return wrong();
  }
  return wrong();
}

}  // namespace glassformer
