#include "app/lesson/equation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "app/scene/theme.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

// Scripts of body text are as large as small text, and so are their own: the back row reads them.
constexpr float scriptSize = Theme::small / Theme::body, scriptShift = 0.42f, thinSpace = 0.17f,
                relationSpace = 0.28f;
constexpr int deepestNesting = 32;

// How an atom keeps its distance (TeX's classes, as far as they are needed).
enum class Class { Ordinary, Binary, Relation, Function, Open, Close, Comma };

struct Symbol {
  std::string_view name, text;
  Class kind = Class::Ordinary;
};

constexpr std::array symbols{
    Symbol{"alpha", "α"},
    Symbol{"beta", "β"},
    Symbol{"gamma", "γ"},
    Symbol{"delta", "δ"},
    Symbol{"epsilon", "ε"},
    Symbol{"varepsilon", "ε"},
    Symbol{"eta", "η"},
    Symbol{"theta", "θ"},
    Symbol{"lambda", "λ"},
    Symbol{"mu", "μ"},
    Symbol{"pi", "π"},
    Symbol{"sigma", "σ"},
    Symbol{"tau", "τ"},
    Symbol{"phi", "φ"},
    Symbol{"omega", "ω"},
    Symbol{"Delta", "Δ"},
    Symbol{"Sigma", "Σ"},
    Symbol{"infty", "∞"},
    Symbol{"partial", "∂"},
    Symbol{"nabla", "∇"},
    Symbol{"top", "⊤"},
    Symbol{"ldots", "…"},
    Symbol{"dots", "…"},
    Symbol{"prime", "′"},
    Symbol{"sum", "Σ", Class::Function},
    Symbol{"prod", "∏", Class::Function},
    Symbol{"cdot", "·", Class::Binary},
    Symbol{"times", "×", Class::Binary},
    Symbol{"odot", "⊙", Class::Binary},
    Symbol{"pm", "±", Class::Binary},
    Symbol{"leq", "≤", Class::Relation},
    Symbol{"le", "≤", Class::Relation},
    Symbol{"geq", "≥", Class::Relation},
    Symbol{"ge", "≥", Class::Relation},
    Symbol{"neq", "≠", Class::Relation},
    Symbol{"approx", "≈", Class::Relation},
    Symbol{"in", "∈", Class::Relation},
    Symbol{"to", "→", Class::Relation},
    Symbol{"leftarrow", "←", Class::Relation},
    Symbol{"propto", "∝", Class::Relation},
    Symbol{"sim", "∼", Class::Relation},
    Symbol{"quad", "   "},
    Symbol{"exp", "exp", Class::Function},
    Symbol{"log", "log", Class::Function},
    Symbol{"ln", "ln", Class::Function},
    Symbol{"max", "max", Class::Function},
    Symbol{"min", "min", Class::Function},
    Symbol{"argmax", "argmax", Class::Function},
    Symbol{"tanh", "tanh", Class::Function},
    Symbol{"sin", "sin", Class::Function},
    Symbol{"cos", "cos", Class::Function},
    Symbol{"softmax", "softmax", Class::Function},
};

// A piece of an equation around its own left end.
struct Piece {
  SetEquation set;
  Class kind = Class::Ordinary;
};

class Setter {
 public:
  Setter(std::string_view tex, const TextMetrics& metrics, Rgba color)
      : tex_(tex), metrics_(metrics), color_(color) {}

  SetEquation whole(float size) {
    least_ = size * scriptSize;
    SetEquation set = list(size, '\0');
    if (at_ < tex_.size()) throw std::runtime_error("there is a } too many");
    return set;
  }

 private:
  void skipSpaces() {
    while (at_ < tex_.size() && std::isspace(static_cast<unsigned char>(tex_[at_]))) ++at_;
  }
  bool take(char c) {
    skipSpaces();
    if (at_ >= tex_.size() || tex_[at_] != c) return false;
    ++at_;
    return true;
  }

  // Everything up to `end`, one behind the other.
  SetEquation list(float size, char end) {
    if (++depth_ > deepestNesting) throw std::runtime_error("it is nested too deeply");
    SetEquation row;
    Class before = Class::Open;
    for (skipSpaces(); at_ < tex_.size() && tex_[at_] != '}'; skipSpaces()) {
      Piece piece = withScripts(atom(size), size);
      // A sign behind nothing it could stand between is no operation: "−1".
      const bool joins = before == Class::Ordinary || before == Class::Close;
      if (piece.kind == Class::Binary && !joins) piece.kind = Class::Ordinary;
      row.width += distance(before, piece.kind) * size;
      append(row, piece.set, row.width, 0);
      row.width += piece.set.width;
      before = piece.kind;
    }
    if (end && !take(end)) throw std::runtime_error("a } is missing");
    --depth_;
    return row;
  }

  static float distance(Class before, Class now) {
    if (before == Class::Relation || now == Class::Relation) return relationSpace;
    if (before == Class::Binary || now == Class::Binary) return thinSpace + 0.05f;
    if (before == Class::Comma) return thinSpace;
    if (before == Class::Function && now != Class::Open) return thinSpace;
    return now == Class::Function && before != Class::Open ? thinSpace : 0;
  }

  Piece withScripts(Piece base, float size) {
    float widest = 0;
    const float end = base.set.width;
    bool up = false, down = false;
    while (true) {
      const bool raised = take('^');
      if (!raised && !take('_')) break;
      if (std::exchange(raised ? up : down, true)) throw std::runtime_error("two scripts at one position");
      const SetEquation script = argument(std::max(size * scriptSize, least_));
      const float shift = (raised ? -1 : 1) * scriptShift * size;
      append(base.set, script, end + 0.04f * size, shift);
      widest = std::max(widest, script.width + 0.08f * size);
    }
    base.set.width = end + widest;
    return base;
  }

  // What a command or a script applies to: a group, or one atom.
  SetEquation argument(float size) { return take('{') ? list(size, '}') : atom(size).set; }

  Piece atom(float size) {
    skipSpaces();
    if (at_ >= tex_.size()) throw std::runtime_error("something is missing at its end");
    const char c = tex_[at_];
    if (c == '{') return ++at_, Piece{list(size, '}'), Class::Ordinary};
    if (c == '\\') return ++at_, command(size);
    if (c == '^' || c == '_' || c == '}')
      throw std::runtime_error(std::string("a symbol is missing before ") + c);
    const std::size_t length = nextCharacter(tex_, at_) - at_;
    const std::string sign(tex_.substr(at_, length));
    at_ += length;
    switch (c) {
      case '-':
        return {words("−", size), Class::Binary};
      case '+':
        return {words("+", size), Class::Binary};
      case '=':
      case '<':
      case '>':
        return {words(sign, size), Class::Relation};
      case ',':
        return {words(",", size), Class::Comma};
      case '(':
      case '[':
        return {words(sign, size), Class::Open};
      case ')':
      case ']':
        return {words(sign, size), Class::Close};
      case '\'':
        return {words("′", size), Class::Ordinary};
      default:
        return {words(sign, size), Class::Ordinary};
    }
  }

  Piece command(float size) {
    const std::size_t begin = at_;
    while (at_ < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[at_]))) ++at_;
    std::string_view name = tex_.substr(begin, at_ - begin);
    if (name.empty() && at_ < tex_.size()) name = tex_.substr(at_++, 1);
    if (name == "," || name == ";" || name == " ") return {words(" ", size), Class::Ordinary};
    if (name == "{" || name == "}" || name == "|")
      return {words(std::string(name == "|" ? "‖" : name), size), Class::Ordinary};
    if (name == "left" || name == "right") return atom(size);
    if (name == "hat") return accented(size);
    if (name == "frac") return fraction(size);
    if (name == "sqrt") return root(size);
    if (name == "mathrm" || name == "text" || name == "operatorname")
      return {words(raw(), size), Class::Ordinary};
    if (name == "mathbb") {
      if (const std::string letter = raw(); letter == "R") return {words("ℝ", size), Class::Ordinary};
      throw std::runtime_error("\\mathbb knows R only");
    }
    const auto known = std::ranges::find(symbols, name, &Symbol::name);
    if (known == symbols.end())
      throw std::runtime_error("\\" + excerpt(std::string(name), 24) + " is not known here");
    return {words(std::string(known->text), size), known->kind};
  }

  // The letters in braces as they stand.
  std::string raw() {
    if (!take('{')) throw std::runtime_error("a { is missing");
    const std::size_t end = tex_.find('}', at_);
    if (end == std::string_view::npos) throw std::runtime_error("a } is missing");
    const std::string letters(tex_.substr(at_, end - at_));
    at_ = end + 1;
    return letters;
  }

  // Of one letter.
  Piece accented(float size) {
    Piece letter = atom(size);
    if (letter.set.texts.size() != 1) throw std::runtime_error("\\hat takes one letter");
    letter.set.texts.front().text += "\u0302";
    return letter;
  }

  Piece fraction(float size) {
    const float small = size * 0.82f, gap = 0.12f * size;
    const SetEquation top = argument(small), bottom = argument(small);
    SetEquation set;
    set.width = std::max(top.width, bottom.width) + 0.24f * size;
    append(set, top, (set.width - top.width) / 2, -top.below - gap);
    append(set, bottom, (set.width - bottom.width) / 2, bottom.above + gap);
    set.rules.push_back(Rect{{0.04f * size, -0.5f, set.width - 0.08f * size, 1}, color_});
    return {set, Class::Ordinary};
  }

  Piece root(float size) {
    const SetEquation under = argument(size);
    SetEquation set = words("√", size);
    const float begin = set.width;
    append(set, under, begin + 0.04f * size, 0);
    set.width = begin + under.width + 0.1f * size;
    const float roof = -std::max(under.above, 0.5f * size) - 0.06f * size;
    set.rules.push_back(Rect{{begin - 0.04f * size, roof, under.width + 0.12f * size, 1}, color_});
    set.above = std::max(set.above, -roof + 1);
    return {set, Class::Ordinary};
  }

  SetEquation words(const std::string& text, float size) const {
    SetEquation set;
    set.width = metrics_.width(text, FontFace::Ui, size);
    set.above = set.below = 0.62f * size;
    set.texts.push_back(Text{{0, 0}, text, {FontFace::Ui, size, color_}});
    return set;
  }

  static void append(SetEquation& to, const SetEquation& piece, float x, float y) {
    for (Text text : piece.texts) text.at.x += x, text.at.y += y, to.texts.push_back(std::move(text));
    for (Rect rule : piece.rules) rule.box.x += x, rule.box.y += y, to.rules.push_back(rule);
    to.above = std::max(to.above, piece.above - y);
    to.below = std::max(to.below, piece.below + y);
  }

  std::string_view tex_;
  float least_ = 0;  // size of a script
  const TextMetrics& metrics_;
  Rgba color_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<SetEquation> setEquation(std::string_view tex, const TextMetrics& metrics, float size,
                                Rgba color) try {
  return Setter(tex, metrics, color).whole(size);
} catch (const std::runtime_error& wrong) {
  return Error{wrong.what(), "the equation " + excerpt(std::string(tex), 60), ""};
}

}  // namespace glassformer
