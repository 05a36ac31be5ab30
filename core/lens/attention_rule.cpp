#include "core/lens/attention_rule.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

namespace glassformer {

namespace {
constexpr std::string_view anyKey = "any";
constexpr StockHypothesis subject{
    "subject", "subject",
    "Attends to the word after the article that began the sentence, or the last that had one.",
    "latest (word[key - 1] in {the, a, an, der, die, das, ein, eine} and "
    "(key = 1 or text[key - 2] in {\".\", \"!\", \"?\", \"<|endoftext|>\"}))"};
}  // namespace

/// Reads a hypothesis from left to right, a function for every line of the grammar.
class HypothesisReader {
 public:
  explicit HypothesisReader(std::string_view text) : text_(text) {}

  Result<AttentionRule> read() try {
    AttentionRule hypothesis;
    hypothesis.text_ = trimmed(text_);
    do hypothesis.clauses_.push_back(clause());
    while (took("+"));
    if (!atEnd()) fail("“and”, “or”, “+” or the end");
    return hypothesis;
  } catch (const Misread& misread) {
    return misread.error;
  }

 private:
  using Row = AttentionRule::Row;
  using RowOf = AttentionRule::RowOf;
  struct Misread {
    Error error;
  };
  enum class Said { Token, Text, Word, Constant };

  struct Place {
    enum class Of { Query, Key, Number } of = Of::Number;
    int offset = 0;
    int at(int t, int s) const { return offset + (of == Of::Query ? t : of == Of::Key ? s : 0); }
  };
  struct Saying {
    Said said = Said::Constant;
    Place place;
    std::string constant;

    // Null where the place is outside of the text.
    const std::string* in(const RuleContext& over, int t, int s) const {
      if (said == Said::Constant) return &constant;
      const SpokenTokens& spoken = place.of == Place::Of::Query ? over.queries : over.keys;
      const int at = place.at(t, s);
      const auto& all = said == Said::Text ? spoken.texts : said == Said::Word ? spoken.words : spoken.bytes;
      return at < 0 || at >= static_cast<int>(all.size()) ? nullptr : &all[static_cast<std::size_t>(at)];
    }
    std::optional<int> idIn(const RuleContext& over, int t, int s) const {
      const SpokenTokens& spoken = place.of == Place::Of::Query ? over.queries : over.keys;
      const int at = place.at(t, s);
      if (at < 0 || at >= static_cast<int>(spoken.ids.size())) return std::nullopt;
      return spoken.ids[static_cast<std::size_t>(at)];
    }
  };

  // What is written at the place, or that it ends there; `meant`: what could stand there.
  [[noreturn]] void fail(const std::string& meant) { failAt(at_, meant); }
  [[noreturn]] void failAt(std::size_t at, const std::string& meant) {
    skipSpaces(at);
    const std::string found = at < text_.size() ? std::string(text_.substr(at, 12)) : "";
    throw Misread{{"here " + meant + " is meant, " +
                       (found.empty() ? "and the hypothesis ends" : "not “" + found + "”"),
                   "character " + std::to_string(at + 1), ""}};
  }
  void skipSpaces(std::size_t& at) const {
    while (at < text_.size() && isSpaceByte(text_[at])) ++at;
  }
  bool atEnd() {
    skipSpaces(at_);
    return at_ == text_.size();
  }
  bool isNext(std::string_view sign) {
    skipSpaces(at_);
    return text_.substr(at_).starts_with(sign);
  }
  bool took(std::string_view sign) {
    if (!isNext(sign)) return false;
    at_ += sign.size();
    return true;
  }
  void expect(std::string_view sign) {
    if (!took(sign)) fail("“" + std::string(sign) + "”");
  }
  // The word that comes next, without taking it.
  std::string_view nextWord() {
    skipSpaces(at_);
    std::size_t end = at_;
    while (end < text_.size() && isWordByte(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  bool tookWord(std::string_view word) {
    if (nextWord() != word) return false;
    at_ += word.size();
    return true;
  }
  bool isNumberNext() {
    skipSpaces(at_);
    return at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.');
  }
  template <typename Number>
  Number number(const char* meant) {
    skipSpaces(at_);
    Number value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail(meant);
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  int wholeNumber(const char* meant) {
    const std::size_t from = at_;
    const int value = isNumberNext() ? number<int>(meant) : (fail(meant), 0);
    constexpr int most = 1'000'000;
    if (value > most) failAt(from, "a position of at most 1,000,000");
    return value;
  }

  // Whether "0.3 *" comes next: a weight, where "+ 1" would be a place.
  bool isWeightNext() {
    const std::size_t before = at_;
    bool isWeight = false;
    if (isNumberNext()) {
      float value = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      at_ = static_cast<std::size_t>(end - text_.data());
      isWeight = error == std::errc() && isNext("*");
    }
    at_ = before;
    return isWeight;
  }

  AttentionRule::Clause clause() {
    float weight = 1;
    if (isWeightNext()) {
      const std::size_t from = at_;
      weight = number<float>("a weight");
      if (!(weight > 0 && weight <= 1e6f)) failAt(from, "a weight above 0, of at most 1,000,000");
      expect("*");
    }
    return {weight, either()};
  }

  RowOf either() {
    RowOf row = both();
    while (tookWord("or")) row = joined(std::move(row), both(), [](bool a, bool b) { return a || b; });
    return row;
  }
  RowOf both() {
    RowOf row = unit();
    while (tookWord("and")) row = joined(std::move(row), unit(), [](bool a, bool b) { return a && b; });
    return row;
  }
  static RowOf joined(RowOf a, RowOf b, bool (*join)(bool, bool)) {
    return [a = std::move(a), b = std::move(b), join](const RuleContext& over, int t) {
      Row row = a(over, t);
      const Row other = b(over, t);
      for (std::size_t s = 0; s < row.size(); ++s) row[s] = join(row[s] != 0, other[s] != 0);
      return row;
    };
  }

  RowOf unit() {
    constexpr int deepest = 100;
    if (++depth_ > deepest) fail("something that is nested less deep");
    RowOf row = tookWord("not")        ? negated(unit())
                : tookWord("latest")   ? extreme(unit(), true)
                : tookWord("earliest") ? extreme(unit(), false)
                : took("(")            ? inBrackets()
                                       : predicate();
    --depth_;
    return row;
  }
  RowOf inBrackets() {
    RowOf row = either();
    expect(")");
    return row;
  }
  static RowOf negated(RowOf of) {
    return [of = std::move(of)](const RuleContext& over, int t) {
      Row row = of(over, t);
      for (char& fits : row) fits = !fits;
      return row;
    };
  }
  static RowOf extreme(RowOf of, bool last) {
    return [of = std::move(of), last](const RuleContext& over, int t) {
      const Row row = of(over, t);
      Row one(row.size(), 0);
      const int count = static_cast<int>(row.size());
      for (int i = 0; i < count; ++i) {
        const int s = last ? count - 1 - i : i;
        if (!row[static_cast<std::size_t>(s)] || !over.sees(t, s)) continue;
        one[static_cast<std::size_t>(s)] = 1;
        break;
      }
      return one;
    };
  }

  RowOf predicate() {
    if (isNumberNext()) return places();
    const std::string_view word = nextWord();
    if (word == "query" || word == "key") return places();
    if (isSaying()) return sayings();
    if (tookWord("pairs")) return pairs();
    if (tookWord(anyKey) || tookWord("uniform"))
      return eachKey([](const RuleContext&, int, int) { return true; });
    if (tookWord(subject.id)) return HypothesisReader(subject.equation).either();
    const auto stock =
        std::ranges::find(headHypotheses(), word == "current" ? "itself" : word, &DetectionPattern::id);
    if (stock == headHypotheses().end() || word.empty()) failToKnow();
    at_ += word.size();
    return [stock = &*stock](const RuleContext& over, int t) {
      Row row(static_cast<std::size_t>(over.keyCount()), 0);
      for (const int s : stock->row(over.tokens(), t)) row[static_cast<std::size_t>(s)] = 1;
      return row;
    };
  }
  [[noreturn]] void failToKnow() {
    std::string names;
    for (const StockHypothesis& each : stockHypotheses()) names += std::string(each.id) + ", ";
    fail("query, key, token[…], text[…], word[…], pairs {…}, " + names + "any, not, latest or earliest");
  }

  template <typename Fits>
  static RowOf eachKey(Fits fits) {
    return [fits](const RuleContext& over, int t) {
      Row row(static_cast<std::size_t>(over.keyCount()));
      for (int s = 0; s < over.keyCount(); ++s) row[static_cast<std::size_t>(s)] = fits(over, t, s);
      return row;
    };
  }

  Place place() {
    constexpr const char* meant = "a position (query, key or a number)";
    Place place;
    if (tookWord("query"))
      place.of = Place::Of::Query;
    else if (tookWord("key"))
      place.of = Place::Of::Key;
    else
      place.offset = wholeNumber(meant);
    while (isNext("+") || isNext("-")) {
      const std::size_t sign = at_;
      const bool adds = text_[sign] == '+';
      ++at_;
      if (!isNumberNext() || isWeightNext()) {  // the next clause
        at_ = sign;
        if (!adds) failAt(sign + 1, "a number");
        break;
      }
      place.offset += (adds ? 1 : -1) * wholeNumber("a number");
    }
    return place;
  }

  std::string relation(bool ordered) {
    for (const char* sign : {"==", "!=", "<=", ">=", "=", "<", ">"})
      if (const bool isOrder = sign[0] == '<' || sign[0] == '>'; (ordered || !isOrder) && took(sign))
        return sign[0] == '=' ? "=" : sign;
    fail(ordered ? "=, !=, <, <=, > or >=" : "=, != or in {…}");
  }

  RowOf places() {
    const Place left = place();
    const std::string sign = relation(true);
    const Place right = place();
    return eachKey([=](const RuleContext&, int t, int s) {
      const int a = left.at(t, s), b = right.at(t, s);
      return sign == "="    ? a == b
             : sign == "!=" ? a != b
             : sign == "<"  ? a < b
             : sign == "<=" ? a <= b
             : sign == ">"  ? a > b
                            : a >= b;
    });
  }

  bool isSaying() {
    const std::string_view word = nextWord();
    if (isNext("\"")) return true;
    if (word != "token" && word != "text" && word != "word") return false;
    std::size_t behind = at_ + word.size();
    skipSpaces(behind);
    return behind < text_.size() && text_[behind] == '[';
  }

  Saying saying() {
    if (!isSaying() || isNext("\"")) return {Said::Constant, {}, constant()};
    const std::string_view word = nextWord();
    at_ += word.size();
    Saying saying{word == "token" ? Said::Token : word == "text" ? Said::Text : Said::Word, {}, {}};
    expect("[");
    saying.place = place();
    expect("]");
    return saying;
  }

  // What is said, in quotes or as a bare word.
  std::string constant() {
    if (took("\"")) {
      const std::size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) failAt(text_.size(), "the closing quote");
      std::string words(text_.substr(at_, end - at_));
      at_ = end + 1;
      return words;
    }
    const std::string_view word = nextWord();
    if (word.empty()) fail("a word, or token[…], text[…] or word[…]");
    at_ += word.size();
    return std::string(word);
  }

  // As it is compared with a token's bytes, or with what is said in small letters.
  static std::string comparable(Said with, const std::string& constant) {
    return with == Said::Token ? constant : comparableWord(constant);
  }

  RowOf sayings() {
    const std::size_t from = at_;
    Saying left = saying();
    if (tookWord("in")) return isAmong(std::move(left), from);
    const bool equal = relation(false) == "=";
    Saying right = saying();
    if (left.said == Said::Constant && right.said == Said::Constant)
      failAt(from, "a token[…], text[…] or word[…] on one side");
    if (left.said == Said::Constant) left.constant = comparable(right.said, left.constant);
    if (right.said == Said::Constant) right.constant = comparable(left.said, right.constant);
    const bool hasToken = left.said == Said::Token || right.said == Said::Token;
    if (hasToken && left.said != right.said && left.said != Said::Constant && right.said != Said::Constant)
      failAt(from, "a token compared with a token, or text[…] and word[…] with each other");
    if (left.said == Said::Token && right.said == Said::Token)
      return eachKey([=](const RuleContext& over, int t, int s) {
        const auto a = left.idIn(over, t, s), b = right.idIn(over, t, s);
        return a && b && (*a == *b) == equal;
      });
    return eachKey([=](const RuleContext& over, int t, int s) {
      const std::string *a = left.in(over, t, s), *b = right.in(over, t, s);
      return a && b && (*a == *b) == equal;
    });
  }

  RowOf isAmong(Saying left, std::size_t from) {
    if (left.said == Said::Constant) failAt(from, "token[…], text[…] or word[…]");
    expect("{");
    std::set<std::string> words;
    do words.insert(comparable(left.said, constant()));
    while (took(","));
    if (!took("}")) fail("“,” or “}”");
    return eachKey([left = std::move(left), words = std::move(words)](const RuleContext& over, int t, int s) {
      const std::string* said = left.in(over, t, s);
      return said && words.contains(*said);
    });
  }

  RowOf pairs() {
    std::set<std::pair<int, int>> pairs;
    expect("{");
    while (!isNext("}")) {
      const int query = wholeNumber("a pair, query:key");
      expect(":");
      pairs.emplace(query, wholeNumber("the number of a key"));
      if (!took(",")) break;
    }
    if (!took("}")) fail("“,” or “}”");
    return eachKey([pairs = std::move(pairs)](const RuleContext&, int t, int s) {
      return pairs.contains({t, s});
    });
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

std::span<const StockHypothesis> stockHypotheses() {
  static const std::vector<StockHypothesis> all = [] {
    std::vector<StockHypothesis> stock(headHypotheses().begin(), headHypotheses().end());
    stock.push_back(subject);
    return stock;
  }();
  return all;
}

const StockHypothesis* findStockHypothesis(std::string_view id) {
  const auto found = std::ranges::find(stockHypotheses(), id, &StockHypothesis::id);
  return found == stockHypotheses().end() ? nullptr : &*found;
}

Result<AttentionRule> AttentionRule::read(std::string_view text) { return HypothesisReader(text).read(); }

Tensor AttentionRule::pattern(const RuleContext& over) const {
  const int T = over.queryCount(), S = over.keyCount();
  Tensor pattern({T, S});
  for (int t = 0; t < T; ++t) {
    float whole = 0;
    for (const Clause& clause : clauses_) {
      Row row = clause.row(over, t);
      for (int s = 0; s < S; ++s) row[static_cast<std::size_t>(s)] &= over.sees(t, s) ? 1 : 0;
      const auto fit = std::ranges::count(row, 1);
      if (fit == 0) continue;
      whole += clause.weight;
      for (int s = 0; s < S; ++s)
        if (row[static_cast<std::size_t>(s)]) pattern(t, s) += clause.weight / static_cast<float>(fit);
    }
    for (int s = 0; s < S && whole > 0; ++s) pattern(t, s) /= whole;
  }
  return pattern;
}

std::string pairsText(const std::vector<std::pair<int, int>>& queriesAndKeys) {
  std::string text = "pairs {";
  for (const auto& [query, key] : queriesAndKeys)
    text += (text.back() == '{' ? "" : ", ") + std::to_string(query) + ":" + std::to_string(key);
  return text + "}";
}

std::vector<std::pair<int, int>> pairsOf(std::string_view text) {
  const bool isPairs = text.starts_with("pairs") && text.find('}') == text.size() - 1;
  if (!isPairs || !AttentionRule::read(text)) return {};
  std::set<std::pair<int, int>> pairs;
  for (std::size_t at = text.find('{') + 1; (at = text.find_first_of("0123456789", at)) != text.npos;) {
    const std::size_t colon = text.find(':', at), key = text.find_first_of("0123456789", colon);
    pairs.emplace(std::atoi(text.data() + at), std::atoi(text.data() + key));
    at = std::min(text.find(',', key), text.size());
  }
  return {pairs.begin(), pairs.end()};
}

void fillSilentRows(const RuleContext& over, Tensor& pattern) {
  const int S = over.keyCount();
  for (int t = 0; t < over.queryCount(); ++t) {
    float* row = &pattern(t, 0);
    if (std::accumulate(row, row + S, 0.0f) > 0) continue;
    int seen = 0;
    for (int s = 0; s < S; ++s) seen += over.sees(t, s) ? 1 : 0;
    for (int s = 0; s < S; ++s) row[s] = over.sees(t, s) ? 1 / static_cast<float>(seen) : 0;
  }
}

Tensor uniformPattern(const RuleContext& over) {
  Tensor pattern({over.queryCount(), over.keyCount()});
  fillSilentRows(over, pattern);
  return pattern;
}

}  // namespace glassformer
