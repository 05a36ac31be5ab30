#include "app/lesson/measure.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "app/drawing/scene_input.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr int deepestMeasure = 64;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" ·\n");
  return begin == std::string::npos ? "" : text.substr(begin);
}

Measured number(double value) { return {{value}, "", false}; }
Measured words(std::string text) { return {{}, std::move(text), true}; }

// What a token stands for, without the space before it.
std::string wordOf(const TokenPiece& token, const std::string& text) {
  return token.isWritten() ? trimmed(text.substr(token.begin, token.end - token.begin)) : token.label;
}

class MeasureReader {
 public:
  MeasureReader(std::string_view expression, const Snapshot& snapshot) : rest_(expression), own_(&snapshot) {}

  Measured whole() {
    Measured value = comparison();
    while (take(",")) {
      const Measured next = comparison();
      if (value.isWords || next.isWords) fail("a list is of numbers");
      value.numbers.insert(value.numbers.end(), next.numbers.begin(), next.numbers.end());
    }
    end();
    return value;
  }

  NamedCells wholeCells() {
    const NamedCells named = cells(name());
    end();
    return named;
  }

 private:
  void end() {
    skip();
    if (!rest_.empty()) fail("the measure should end at " + inQuotes(rest_));
  }
  [[noreturn]] static void fail(const std::string& why) { throw std::runtime_error(why); }
  void skip() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) rest_.remove_prefix(1);
  }
  bool take(std::string_view sign) {
    skip();
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }
  void need(std::string_view sign) {
    if (!take(sign)) fail("a " + std::string(sign) + " is missing before " + inQuotes(rest_));
  }

  Measured comparison() {
    const Measured left = sum();
    for (const char* sign : {"<=", ">=", "==", "!=", "<", ">"})
      if (take(sign)) return number(compares(sign, left, sum()));
    return left;
  }
  static bool compares(std::string_view sign, const Measured& a, const Measured& b) {
    if (a.isWords != b.isWords) fail("words and numbers cannot be compared");
    const auto order = [&] {
      if (a.isWords) return a.words.compare(b.words) + 0.0;
      return a.number() - b.number();
    }();
    if (sign == "==") return order == 0;
    if (sign == "!=") return order != 0;
    if (a.isWords) fail("words are equal or not");
    if (sign == "<=") return order <= 0;
    if (sign == ">=") return order >= 0;
    return sign == "<" ? order < 0 : order > 0;
  }

  using Operation = double (*)(double, double);
  static Measured combined(const Measured& a, const Measured& b, Operation operation) {
    if (a.isWords || b.isWords) fail("words are not numbers");
    const std::size_t count = std::max(a.numbers.size(), b.numbers.size());
    if (a.numbers.empty() || b.numbers.empty() || (a.numbers.size() != count && a.numbers.size() != 1) ||
        (b.numbers.size() != count && b.numbers.size() != 1))
      fail("rows of different length");
    Measured result;
    for (std::size_t i = 0; i < count; ++i)
      result.numbers.push_back(
          operation(a.numbers[a.numbers.size() == 1 ? 0 : i], b.numbers[b.numbers.size() == 1 ? 0 : i]));
    return result;
  }

  Measured sum() {
    Measured value = product();
    while (true)
      if (take("+"))
        value = combined(value, product(), [](double a, double b) { return a + b; });
      else if (take("-"))
        value = combined(value, product(), [](double a, double b) { return a - b; });
      else
        return value;
  }
  Measured product() {
    Measured value = factor();
    while (true)
      if (take("*"))
        value = combined(value, factor(), [](double a, double b) { return a * b; });
      else if (take("/"))
        value = combined(value, factor(), [](double a, double b) { return a / b; });
      else
        return value;
  }

  Measured factor() {
    if (++depth_ > deepestMeasure) fail("it is nested too deeply");
    struct Leave {
      int& depth;
      ~Leave() { --depth; }
    } leave{depth_};
    if (take("-")) return combined(number(0), factor(), [](double a, double b) { return a - b; });
    if (take("(")) {
      const Measured inside = comparison();
      return need(")"), inside;
    }
    skip();
    if (rest_.starts_with('"')) return words(quoted());
    if (!rest_.empty() && (std::isdigit(static_cast<unsigned char>(rest_.front())) || rest_.front() == '.'))
      return number(literal());
    return named(name());
  }

  double literal() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) fail(inQuotes(rest_) + " is not a number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  std::string quoted() {
    const std::size_t end = rest_.find('"', 1);
    if (end == std::string_view::npos) fail("a \" is missing");
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::string name() {
    skip();
    std::size_t length = 0;
    while (length < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[length])) ||
                                     rest_[length] == '_' || rest_[length] == '.'))
      ++length;
    if (length == 0)
      fail(rest_.empty() ? "something is missing at its end" : "value: " + inQuotes(rest_) + "?");
    std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return word;
  }

  Measured named(const std::string& word) {
    struct Function {
      std::string_view name;
      double (*of)(const std::vector<double>&);
    };
    static constexpr auto sumOf = [](const std::vector<double>& n) {
      double sum = 0;
      for (const double x : n) sum += x;
      return sum;
    };
    static constexpr Function overRows[]{
        {"argmax",
         [](const std::vector<double>& n) { return double(std::ranges::max_element(n) - n.begin()); }},
        {"max", [](const std::vector<double>& n) { return std::ranges::max(n); }},
        {"min", [](const std::vector<double>& n) { return std::ranges::min(n); }},
        {"sum", [](const std::vector<double>& n) { return sumOf(n); }},
        {"mean", [](const std::vector<double>& n) { return sumOf(n) / static_cast<double>(n.size()); }},
    };
    struct Single {
      std::string_view name;
      double (*of)(double);
    };
    static constexpr Single overCells[]{{"abs", [](double x) { return std::abs(x); }},
                                        {"sqrt", [](double x) { return std::sqrt(x); }},
                                        {"exp", [](double x) { return std::exp(x); }},
                                        {"log", [](double x) { return std::log(x); }}};
    for (const Function& function : overRows)
      if (word == function.name) {
        const Measured row = factor();
        if (row.isWords || row.numbers.empty()) fail(word + " is of numbers");
        return number(function.of(row.numbers));
      }
    for (const Single& function : overCells)
      if (word == function.name) {
        Measured row = factor();
        for (double& x : row.numbers) x = function.of(x);
        return row;
      }
    if (word.starts_with("other.")) return ofOther(word.substr(6));
    if (word == "next") return words(trimmed(pieceOf(mostProbable())));
    if (word == "p") return probability();
    if (word == "token") return token();
    if (word == "tokens") return number(static_cast<double>(own_->pass->tokens.size()));
    if (word == "continuation") return continuation();
    return values(cells(word));
  }

  Measured ofOther(const std::string& word) {
    if (!own_->other) fail("no comparison is open");
    const Snapshot* const before = own_;
    own_ = own_->other.get();
    const Measured value = named(word);
    own_ = before;
    return value;
  }

  Measured continuation() {
    if (!own_->isDecoded()) fail("the continuation of that strategy is not known yet");
    return words(own_->model->bytesOf(own_->decoded->continuation));
  }

  // The logits behind the last token.
  std::vector<double> lastLogits() const {
    const auto found = own_->pass->trace ? sourcesOf(*own_).find("logits") : std::nullopt;
    if (!found || found->rank != 2 || found->extent[0] == 0) fail("the model has no next token here");
    std::vector<double> logits;
    for (int v = 0; v < found->extent[1]; ++v) logits.push_back((*found)(found->extent[0] - 1, v));
    return logits;
  }
  int mostProbable() const {
    const std::vector<double> logits = lastLogits();
    return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
  }
  std::string pieceOf(int entry) const {
    const std::string bytes = own_->model->bytesOf(std::span(&entry, 1));
    return bytes.empty() ? own_->model->entryLabel(entry) : bytes;
  }
  // As a word first, " street", then as it is written.
  int entryOf(const std::string& word) const {
    const int count =
        own_->model->vocabularyBytes ? static_cast<int>(own_->model->vocabularyBytes->size()) : 0;
    for (const std::string& bytes : {" " + word, word})
      for (int v = 0; v < count; ++v)
        if ((*own_->model->vocabularyBytes)[static_cast<std::size_t>(v)] == bytes) return v;
    for (int v = 0; v < count; ++v)
      if (own_->model->entryLabel(v) == word) return v;
    fail(inQuotes(word) + " is not a token of this model");
  }
  Measured probability() {
    need("(");
    const Measured of = comparison();
    need(")");
    const auto entry =
        static_cast<std::size_t>(of.isWords ? entryOf(of.words) : static_cast<int>(of.number()));
    const std::vector<double> logits = lastLogits();
    if (entry >= logits.size()) fail("the vocabulary has no such entry");
    const double largest = std::ranges::max(logits);
    double all = 0;
    for (const double logit : logits) all += std::exp(logit - largest);
    return number(std::exp(logits[entry] - largest) / all);
  }

  Measured token() {
    need("(");
    const auto at = static_cast<int>(comparison().number());
    need(")");
    const int count = static_cast<int>(own_->pass->tokens.size()), i = at < 0 ? at + count : at;
    if (i < 0 || i >= count) fail("the text has no token " + std::to_string(at));
    return words(wordOf(own_->pass->tokens[static_cast<std::size_t>(i)], own_->pass->text));
  }

  // What an index by a token's text stands for.
  int placeOf(const std::string& word, const std::string& letter) const {
    if (letter == "V") return entryOf(word);
    const bool source = letter == "S" && !own_->pass->sourceTokens.empty();
    const auto& tokens = source ? own_->pass->sourceTokens : own_->pass->tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (wordOf(tokens[i], source ? own_->pass->source : own_->pass->text) == word)
        return static_cast<int>(i);
    fail("the text has no token " + inQuotes(word));
  }

  NamedCells cells(const std::string& tensor) {
    const TensorSources sources = sourcesOf(*own_);
    const TracePoint* const point = sources.point(tensor);
    const auto view = sources.find(tensor);
    if (!point || !view) fail("there is no " + inQuotes(tensor));
    NamedCells named{{tensor, {}}, {}};
    const int rank = view->rank;
    for (int d = 0; d < rank; ++d) named.spans.push_back(d);
    if (!take("[")) return named;
    named.spans.clear();
    for (int d = 0; d < rank; ++d) {
      if (d > 0) need(",");
      const auto dimension = static_cast<std::size_t>(d);
      if (take(":")) {
        named.spans.push_back(d);
        continue;
      }
      skip();
      const std::string letter =
          dimension < point->letters.size() ? std::string(1, point->letters[dimension]) : "";
      const int extent = view->extent[dimension];
      int i = 0;
      if (rest_.starts_with('"'))
        i = placeOf(quoted(), letter);
      else
        i = static_cast<int>(take("-") ? extent - literal() : literal());
      if (i < 0 || i >= extent)
        fail(tensor + " has " + std::to_string(extent) + " along its dimension " + std::to_string(d) +
             ", counted from 0");
      named.first.index[dimension] = i;
    }
    need("]");
    return named;
  }

  Measured values(const NamedCells& named) const {
    const TensorSources sources = sourcesOf(*own_);
    const auto view = sources.find(named.first.tensor);
    Measured result;
    std::function<void(TensorRef, std::size_t)> collect = [&](TensorRef cell, std::size_t span) {
      if (span == named.spans.size()) {
        cell.rowDimension = cell.columnDimension = -1;
        result.numbers.push_back(static_cast<double>(valueOf(sources, cell).value_or(NAN)));
        return;
      }
      const auto d = static_cast<std::size_t>(named.spans[span]);
      for (int i = 0; i < view->extent[d]; ++i) cell.index[d] = i, collect(cell, span + 1);
    };
    std::size_t count = 1;
    for (const int d : named.spans)
      count *= static_cast<std::size_t>(view->extent[static_cast<std::size_t>(d)]);
    if (count > 65536) fail(named.first.tensor + " has " + std::to_string(count) + " cells: name fewer");
    collect(named.first, 0);
    return result;
  }

  std::string_view rest_;
  const Snapshot* own_;
  int depth_ = 0;
};

}  // namespace

Result<Measured> measure(const std::string& expression, const Snapshot& snapshot) try {
  return MeasureReader(expression, snapshot).whole();
} catch (const std::runtime_error& wrong) {
  return Error{wrong.what(), expression, ""};
}

Result<NamedCells> namedCells(const std::string& expression, const Snapshot& snapshot) try {
  return MeasureReader(expression, snapshot).wholeCells();
} catch (const std::runtime_error& wrong) {
  return Error{wrong.what(), expression, ""};
}

}  // namespace glassformer
