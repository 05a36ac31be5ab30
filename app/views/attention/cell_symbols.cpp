#include "app/views/attention/cell_symbols.h"

#include <algorithm>
#include <cctype>

#include "app/document/view_commands.h"

namespace glassformer {

namespace {

constexpr const char *symbolsChoice = "attention.symbols", *withSymbols = "yes";
constexpr int mostSymbols = 16;  // tokens: more leave no room for them

bool hasSymbols(const AttentionPicture& picture, const AttentionPlane& plane) {
  const bool isNamed = plane.quantity == AttentionQuantity::Scores ||
                       plane.quantity == AttentionQuantity::Masked ||
                       plane.quantity == AttentionQuantity::Pattern;
  return isNamed && plane.fold == HeadFold::One && plane.order == RowOrder::Text && !plane.normalized &&
         !picture.input.snapshot.isDifference() && std::max(picture.queries, picture.keys) <= mostSymbols;
}

// "q" and "k" of the one token that is meant; what is turned by rotary positions is written as that.
std::string ofToken(const std::string& word, int token, const char* turned) {
  return word.ends_with("_R") ? "R" + subscript(token) + turned + subscript(token) : word + subscript(token);
}

std::string wordOfCell(const std::string& word, bool isTransposed, int query, int key) {
  if (word == "q" || word == "q_R") return ofToken(word, query, "q");
  if (word == "k" || word == "k_R") return ofToken(word, key, "k");
  if (word == "x") return ofToken(word, isTransposed ? key : query, "x");
  if (word == "t" || word == "s") return std::to_string(word == "t" ? query : key);
  return word;
}

// Behind "s = ", and inside "mask( )".
std::string allowedPart(std::string equation) {
  if (equation.starts_with("s = ")) equation.erase(0, 4);
  if (equation.starts_with("mask(") && equation.ends_with(")"))
    equation = equation.substr(5, equation.size() - 6);
  return equation;
}

class CellSymbols {
  using Lines = std::vector<std::string>;
  static constexpr float lineHeight = 18;

 public:
  CellSymbols(AttentionPicture& picture, const AttentionPlane& plane, const Matrix& matrix)
      : picture_(picture), plane_(plane), matrix_(matrix) {
    if (const TracePoint* point = picture.scene.sources.point(matrix.values.tensor))
      equation_ = allowedPart(point->equation);
  }

  void add() {
    const int rows = matrix_.values.rowCount, columns = matrix_.values.columnCount;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        addSymbol(matrix_.box.cell(row, column, rows, columns), matrix_.values.cell(row, column));
  }

 private:
  void addSymbol(const Box& cell, const TensorRef& ref) {
    const int query = ref.index[static_cast<std::size_t>(matrix_.values.rowDimension)],
              key = ref.index[static_cast<std::size_t>(matrix_.values.columnDimension)];
    const bool seen = plane_.quantity == AttentionQuantity::Scores || picture_.allows(query, key);
    const auto value = valueOf(picture_.scene.sources, ref);
    const Rgba ink =
        seen && value ? inkOn(cellColor(matrix_, *value, picture_.theme.dark)) : picture_.theme.quiet;
    for (const Lines& lines : symbolsOf(query, key, seen))
      if (fit(lines, cell)) return addLines(lines, cell.center(), ink);
  }
  // From the one that says most to the shortest one: what is divided by may stand below.
  std::vector<Lines> symbolsOf(int query, int key, bool seen) const {
    const std::string both = subscript(query) + (std::max(query, key) > 9 ? "," : "") + subscript(key);
    if (plane_.quantity == AttentionQuantity::Pattern) return {{seen ? "A" + both : "0"}};
    if (!seen) return {{"−∞"}};
    const std::string whole = ofCell(equation_, query, key);
    std::vector<Lines> all{{whole}, {"s" + both}};
    if (const auto divided = whole.find('/'); divided != std::string::npos && divided == whole.rfind('/'))
      all.insert(all.begin() + 1, {whole.substr(0, divided), whole.substr(divided)});
    return all;
  }
  bool fit(const Lines& lines, const Box& cell) const {
    return cell.height >= lineHeight * static_cast<float>(lines.size()) &&
           std::ranges::all_of(lines, [&](const std::string& line) {
             return picture_.input.metrics.width(line, FontFace::Mono, Theme::small) <= cell.width - 6;
           });
  }
  void addLines(const Lines& lines, Point middle, Rgba ink) {
    middle.y -= lineHeight * static_cast<float>(lines.size() - 1) / 2;
    for (const std::string& line : lines) {
      addText(picture_.scene, middle, line, {FontFace::Mono, Theme::small, ink}, Align::Middle);
      middle.y += lineHeight;
    }
  }

  AttentionPicture& picture_;
  const AttentionPlane& plane_;
  const Matrix& matrix_;
  std::string equation_;
};

}  // namespace

std::string subscript(int number) {
  std::string signs;
  for (const char digit : std::to_string(number))
    signs += {'\xE2', '\x82', static_cast<char>('\x80' + (digit - '0'))};  // U+2080 is ₀
  return signs;
}

std::string ofCell(const std::string& equation, int query, int key) {
  const auto isLetter = [&](std::size_t at) {
    return at < equation.size() &&
           (std::isalpha(static_cast<unsigned char>(equation[at])) || equation[at] == '_');
  };
  const std::string transposed = "ᵀ";  // of two vectors there is nothing to transpose
  std::string written;
  for (std::size_t i = 0; i < equation.size();) {
    std::size_t end = i;
    while (isLetter(end)) ++end;
    const std::string word = equation.substr(i, end - i);
    const bool isTransposed = equation.compare(end, transposed.size(), transposed) == 0;
    if (word.empty())
      written += isTransposed ? "" : equation.substr(i, 1), i += isTransposed ? transposed.size() : 1;
    else
      written += wordOfCell(word, isTransposed, query, key), i = end;
  }
  for (const char* sign : {"·", "/"})  // close together: cells are narrow
    for (const std::string spaced = std::string(" ") + sign + " "; written.find(spaced) != std::string::npos;)
      written.replace(written.find(spaced), spaced.size(), sign);
  return written;
}

bool showsSymbols(const AttentionPicture& picture, const AttentionPlane& plane) {
  return hasSymbols(picture, plane) && picture.input.workspace.settings.chosen(symbolsChoice) == withSymbols;
}

std::vector<Choice> symbolChoice(const AttentionPicture& picture, const AttentionPlane& plane) {
  if (!hasSymbols(picture, plane)) return {};
  const bool on = showsSymbols(picture, plane);
  return {{"Symbols", "Symbols instead of numbers in the cells: q₂·k₁", on,
           commands::choose(symbolsChoice, on ? "" : withSymbols)}};
}

void addCellSymbols(AttentionPicture& picture, const AttentionPlane& plane, const Matrix& matrix) {
  CellSymbols(picture, plane, matrix).add();
}

}  // namespace glassformer
