#include "app/lesson/markdown.h"

#include <md4c.h>

#include <utility>

#include "app/lesson/equation.h"
#include "app/lesson/unit_metrics.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

// Collects what md4c calls out.
class MarkdownReader {
 public:
  explicit MarkdownReader(bool readsPage) : readsPage_(readsPage) {}

  int enter(MD_BLOCKTYPE type, void* detail) {
    using Kind = Paragraph::Kind;
    if (type == MD_BLOCK_UL) return lists_.push_back({}), 0;
    if (type == MD_BLOCK_OL) {
      const auto& list = *static_cast<const MD_BLOCK_OL_DETAIL*>(detail);
      return lists_.push_back({true, list.start, list.mark_delimiter}), 0;
    }
    if (type == MD_BLOCK_LI) {
      begin(Kind::Item);
      paragraphs_.back().mark = lists_.back().takeMark();
      return 0;
    }
    if (type == MD_BLOCK_H) {
      begin(Kind::Heading);
      if (readsPage_)
        paragraphs_.back().level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      return 0;
    }
    if (type == MD_BLOCK_P && !isFreshItem()) return begin(Kind::Text);
    if (readsPage_ && type == MD_BLOCK_CODE) return begin(Kind::Code);
    if (readsPage_ && type == MD_BLOCK_TABLE) return isHead_ = true, 0;
    if (type == MD_BLOCK_TR) {
      begin(Kind::Row);
      paragraphs_.back().level = std::exchange(isHead_, false) ? 1 : 0;
    }
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) add(Span::Style::Cell, "");
    if (type == MD_BLOCK_TABLE || type == MD_BLOCK_CODE || type == MD_BLOCK_HTML || type == MD_BLOCK_QUOTE)
      return fail("tables, quotes, code blocks and HTML are not drawn in a lesson");
    return 0;
  }
  int leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
    return 0;
  }
  int enter(MD_SPANTYPE type, void* detail) {
    using enum Span::Style;
    const auto link = [&](const MD_ATTRIBUTE& to) {
      target_.assign(to.text, to.size);
      return styles_.push_back(Link), 0;
    };
    if (readsPage_ && type == MD_SPAN_A) return link(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
    if (readsPage_ && type == MD_SPAN_IMG) {
      if (!paragraphs_.back().spans.empty()) return fail("a picture has a paragraph of its own");
      paragraphs_.back().kind = Paragraph::Kind::Picture;
      link(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
      add(Link, "");  // has the file, where no words follow
      return 0;
    }
    switch (type) {
      case MD_SPAN_EM:
      case MD_SPAN_CODE:
        return styles_.push_back(Token), 0;
      case MD_SPAN_STRONG:
        return styles_.push_back(Strong), 0;
      case MD_SPAN_LATEXMATH:
      case MD_SPAN_LATEXMATH_DISPLAY:
        math_.clear();
        return styles_.push_back(Math), 0;
      default:
        return fail("links and pictures are not drawn in a lesson");
    }
  }
  int leave(MD_SPANTYPE type) {
    if (!wrong_.empty()) return 1;  // md4c goes on behind a span that failed
    if (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY) {
      if (const auto set = setEquation(math_, UnitMetrics(), 16, {}); !set)
        return fail(set.error().message());
      add(Span::Style::Math, math_);
    }
    styles_.pop_back();
    return 0;
  }
  int text(MD_TEXTTYPE type, std::string words) {
    if (type == MD_TEXT_BR) return add(Span::Style::Break, " "), 0;
    if (type == MD_TEXT_SOFTBR) words = " ";
    if (type == MD_TEXT_ENTITY || type == MD_TEXT_HTML)
      return fail("write characters as they are, not as HTML");
    const Span::Style style = styles_.empty() ? Span::Style::Plain : styles_.back();
    if (style == Span::Style::Math)
      math_ += words;
    else
      add(style, words);
    return 0;
  }

  Result<std::vector<Paragraph>> page() {
    if (!wrong_.empty()) return Error{wrong_, "", ""};
    return std::move(paragraphs_);
  }
  Result<Prose> finished() {
    if (!wrong_.empty()) return Error{wrong_, "", ""};
    Prose prose;
    for (Paragraph& p : paragraphs_)
      if (!takeChoice(prose, p) && !takeBlank(prose, p)) prose.paragraphs.push_back(std::move(p));
    return prose;
  }

 private:
  struct List {
    bool isNumbered = false;
    unsigned next = 1;
    char delimiter = '.';
    std::string takeMark() { return isNumbered ? std::to_string(next++) + delimiter : "•"; }
  };

  int begin(Paragraph::Kind kind) {
    paragraphs_.push_back({.kind = kind, .depth = static_cast<int>(lists_.size())});
    return 0;
  }
  // The first paragraph of an item is the item itself.
  bool isFreshItem() const {
    return !paragraphs_.empty() && paragraphs_.back().kind == Paragraph::Kind::Item &&
           paragraphs_.back().spans.empty();
  }
  int fail(const std::string& why) {
    if (wrong_.empty()) wrong_ = why;
    return 1;
  }
  void add(Span::Style style, const std::string& words) {
    if (paragraphs_.empty()) begin(Paragraph::Kind::Text);
    std::vector<Span>& spans = paragraphs_.back().spans;
    using enum Span::Style;
    const std::string target = style == Link ? target_ : "";
    const bool joins = style != Math && style != Break && style != Cell;
    if (!spans.empty() && spans.back().style == style && spans.back().target == target && joins)
      spans.back().text += words;
    else
      spans.push_back({style, words, target});
  }

  static bool takeChoice(Prose& prose, const Paragraph& p) {
    constexpr std::string_view marked = "[(X)] ", open = "[( )] ";
    if (p.kind != Paragraph::Kind::Item || p.spans.empty()) return false;
    const std::string& begin = p.spans.front().text;
    const bool right = begin.starts_with(marked);
    if (!right && !begin.starts_with(open)) return false;
    if (right) prose.right.push_back(static_cast<int>(prose.choices.size()));
    Paragraph choice{.spans = p.spans};
    choice.spans.front().text.erase(0, open.size());
    prose.choices.push_back(std::move(choice));
    return true;
  }
  static bool takeBlank(Prose& prose, const Paragraph& p) {
    const std::string words = p.words();
    if (p.kind != Paragraph::Kind::Text || !words.starts_with("[[") || !words.ends_with("]]")) return false;
    prose.blank = words.substr(2, words.size() - 4);
    return true;
  }

  std::vector<Paragraph> paragraphs_;
  std::vector<Span::Style> styles_;  // the innermost last
  std::vector<List> lists_;          // likewise
  std::string math_, target_, wrong_;
  bool readsPage_, isHead_ = false;
};

MarkdownReader& reader(void* data) { return *static_cast<MarkdownReader*>(data); }

}  // namespace

std::string Paragraph::words() const {
  std::string all;
  for (const Span& span : spans) all += span.text;
  return all;
}

namespace {

void readMarkdown(const std::string& markdown, MarkdownReader& into) {
  MD_PARSER parser{};
  parser.flags = MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_TABLES;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    return reader(data).enter(type, detail);
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* data) { return reader(data).leave(type); };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* data) {
    return reader(data).enter(type, detail);
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* data) { return reader(data).leave(type); };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
    return reader(data).text(type, std::string(text, size));
  };
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &into);
}

}  // namespace

Result<Prose> readProse(const std::string& markdown) {
  MarkdownReader reader(false);
  readMarkdown(markdown, reader);
  return reader.finished();
}

Result<std::vector<Paragraph>> readPage(const std::string& markdown) {
  MarkdownReader reader(true);
  readMarkdown(markdown, reader);
  return reader.page();
}

}  // namespace glassformer
