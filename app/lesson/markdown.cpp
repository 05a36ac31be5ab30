#include "app/lesson/markdown.h"

#include <md4c.h>

#include "app/lesson/equation.h"
#include "app/lesson/unit_metrics.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

// Collects what md4c calls out.
class MarkdownReader {
 public:
  int enter(MD_BLOCKTYPE type) {
    using Kind = Paragraph::Kind;
    if (type == MD_BLOCK_LI) return begin(Kind::Item);
    if (type == MD_BLOCK_H) return begin(Kind::Heading);
    if (type == MD_BLOCK_P && !inItem_) return begin(Kind::Text);
    if (type == MD_BLOCK_TABLE || type == MD_BLOCK_CODE || type == MD_BLOCK_HTML || type == MD_BLOCK_QUOTE)
      return fail("tables, quotes, code blocks and HTML are not drawn in a lesson");
    return 0;
  }
  int leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_LI) inItem_ = false;
    return 0;
  }
  int enter(MD_SPANTYPE type) {
    using enum Span::Style;
    switch (type) {
      case MD_SPAN_EM:
      case MD_SPAN_CODE:
        return style_ = Token, 0;
      case MD_SPAN_STRONG:
        return style_ = Strong, 0;
      case MD_SPAN_LATEXMATH:
      case MD_SPAN_LATEXMATH_DISPLAY:
        math_.clear();
        return style_ = Math, 0;
      default:
        return fail("links and pictures are not drawn in a lesson");
    }
  }
  int leave(MD_SPANTYPE type) {
    if (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY) {
      if (const auto set = setEquation(math_, UnitMetrics(), 16, {}); !set)
        return fail(set.error().message());
      add(Span::Style::Math, math_);
    }
    style_ = Span::Style::Plain;
    return 0;
  }
  int text(MD_TEXTTYPE type, std::string words) {
    if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) words = " ";
    if (type == MD_TEXT_ENTITY || type == MD_TEXT_HTML) return fail("write signs as they are, not as HTML");
    if (style_ == Span::Style::Math)
      math_ += words;
    else
      add(style_, words);
    return 0;
  }

  Result<Prose> finished() {
    if (!wrong_.empty()) return Error{wrong_, "", ""};
    Prose prose;
    for (Paragraph& p : paragraphs_)
      if (!takeChoice(prose, p) && !takeBlank(prose, p)) prose.paragraphs.push_back(std::move(p));
    return prose;
  }

 private:
  int begin(Paragraph::Kind kind) {
    inItem_ = kind == Paragraph::Kind::Item;
    paragraphs_.push_back({kind, {}});
    return 0;
  }
  int fail(const std::string& why) {
    if (wrong_.empty()) wrong_ = why;
    return 1;
  }
  void add(Span::Style style, const std::string& words) {
    if (paragraphs_.empty()) begin(Paragraph::Kind::Text);
    std::vector<Span>& spans = paragraphs_.back().spans;
    if (!spans.empty() && spans.back().style == style && style != Span::Style::Math)
      spans.back().text += words;
    else
      spans.push_back({style, words});
  }

  static std::string plain(const Paragraph& p) {
    std::string words;
    for (const Span& span : p.spans) words += span.text;
    return words;
  }
  static bool takeChoice(Prose& prose, const Paragraph& p) {
    if (p.kind != Paragraph::Kind::Item) return false;
    const std::string words = plain(p);
    const bool right = words.starts_with("[(X)] ");
    if (!right && !words.starts_with("[( )] ")) return false;
    if (right) prose.right = static_cast<int>(prose.choices.size());
    prose.choices.push_back(words.substr(6));
    return true;
  }
  static bool takeBlank(Prose& prose, const Paragraph& p) {
    const std::string words = plain(p);
    if (p.kind != Paragraph::Kind::Text || !words.starts_with("[[") || !words.ends_with("]]")) return false;
    prose.blank = words.substr(2, words.size() - 4);
    return true;
  }

  std::vector<Paragraph> paragraphs_;
  Span::Style style_ = Span::Style::Plain;
  std::string math_, wrong_;
  bool inItem_ = false;
};

MarkdownReader& reader(void* data) { return *static_cast<MarkdownReader*>(data); }

}  // namespace

Result<Prose> readProse(const std::string& markdown) {
  MarkdownReader into;
  MD_PARSER parser{};
  parser.flags = MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_TABLES;
  parser.enter_block = [](MD_BLOCKTYPE type, void*, void* data) { return reader(data).enter(type); };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* data) { return reader(data).leave(type); };
  parser.enter_span = [](MD_SPANTYPE type, void*, void* data) { return reader(data).enter(type); };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* data) { return reader(data).leave(type); };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
    return reader(data).text(type, std::string(text, size));
  };
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &into);
  return into.finished();
}

}  // namespace glassformer
