#include "core/model/painted_mask.h"

#include <charconv>
#include <optional>

namespace glassformer {
namespace {

constexpr int mostPositions = 1 << 24;

std::optional<int> position(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 0 && value < mostPositions ? std::optional(value) : std::nullopt;
}

// "5.1-"
std::optional<PaintedCell> paintedCell(std::string_view word) {
  const auto point = word.find('.');
  if (word.size() < 4 || point == word.npos || (word.back() != '+' && word.back() != '-'))
    return std::nullopt;
  const auto query = position(word.substr(0, point)),
             key = position(word.substr(point + 1, word.size() - point - 2));
  if (!query || !key) return std::nullopt;
  return PaintedCell{*query, *key, word.back() == '+'};
}

}  // namespace

std::string toText(const PaintedCells& cells) {
  std::string text;
  for (const PaintedCell& cell : cells)
    text += (text.empty() ? "" : " ") + std::to_string(cell.query) + "." + std::to_string(cell.key) +
            (cell.allowed ? "+" : "-");
  return text;
}

Result<PaintedCells> paintedCells(std::string_view text) {
  PaintedCells cells;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    const auto cell = paintedCell(word);
    if (!cell)
      return Error{"\"" + std::string(word) + "\" is not a cell of an edited mask", paintedMaskField,
                   "such as 5.1- (query 5 does not see key 1) or 4.7+"};
    cells.paint(*cell);
  }
  return cells;
}

}  // namespace glassformer
