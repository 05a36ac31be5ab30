#include "app/lesson/manual_pages.h"

#include <algorithm>

#include "app/lesson/markdown.h"
#include "core/io/file_ending.h"
#include "core/io/files.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t largestPage = std::size_t{1} << 20;
constexpr float gapBelow = 0.6f, gapAboveHeading = 1.1f, columnGap = 1.2f, codeSize = 0.86f,
                codePadding = 0.7f;

// Puts the paragraphs of a page below each other.
class PageLayout {
 public:
  PageLayout(const ManualPage& page, float width, const TextMetrics& metrics, const Theme& theme, float size,
             float pictureWidth)
      : page_(page),
        width_(width),
        metrics_(metrics),
        theme_(theme),
        size_(size),
        pictureWidth_(std::min(width, pictureWidth)) {}

  LaidPage laid() {
    for (std::size_t i = 0; i < page_.paragraphs.size(); ++i) {
      const Paragraph& paragraph = page_.paragraphs[i];
      switch (paragraph.kind) {
        case Paragraph::Kind::Code:
          code(paragraph);
          break;
        case Paragraph::Kind::Picture:
          picture(paragraph);
          break;
        case Paragraph::Kind::Row:
          if (paragraph.level == 1) measureColumns(i);
          row(paragraph);
          break;
        default:
          prose(paragraph);
      }
    }
    return std::move(laid_);
  }

 private:
  float& y() { return laid_.height; }
  void endLine() { laid_.cuts.push_back(y()); }

  // Returns how tall it is.
  float words(const Paragraph& paragraph, Point at, float width, float size) {
    LaidProse lines = layProse(std::span(&paragraph, 1), at, width, metrics_, theme_, size);
    laid_.shapes.insert(laid_.shapes.end(), lines.shapes.begin(), lines.shapes.end());
    laid_.links.insert(laid_.links.end(), lines.links.begin(), lines.links.end());
    if (paragraph.kind == Paragraph::Kind::Text || paragraph.kind == Paragraph::Kind::Item)
      laid_.cuts.insert(laid_.cuts.end(), lines.lineEnds.begin(), lines.lineEnds.end());
    return lines.height;
  }

  // A heading stays on the sheet of what follows it.
  void prose(const Paragraph& paragraph) {
    float size = size_;
    if (paragraph.kind == Paragraph::Kind::Heading) {
      if (y() > 0) y() += gapAboveHeading * size_;
      size *= paragraph.level == 1 ? 1.6f : paragraph.level == 2 ? 1.25f : 1.05f;
      laid_.anchors.emplace_back(anchorOf(paragraph.words()), y());
    }
    y() += words(paragraph, {0, y()}, width_, size) + gapBelow * size_;
  }

  void code(const Paragraph& paragraph) {
    const float size = codeSize * size_, line = 1.6f * size, padding = codePadding * size;
    std::string text = paragraph.words();
    while (text.ends_with('\n')) text.pop_back();
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      for (const std::string& piece :
           wrapped(metrics_, text.substr(at, end - at), FontFace::Mono, size, width_ - 2 * padding)) {
        laid_.shapes.emplace_back(Rect{{0, y(), width_, line}, theme_.raised, {0, 0, 0, 0}});
        Text shown{{padding, y() + line / 2}, piece, {FontFace::Mono, size, theme_.text}};
        shown.vertical = Align::Middle;
        laid_.shapes.emplace_back(std::move(shown));
        y() += line;
        endLine();
      }
      at = end + 1;
    }
    y() += gapBelow * size_;
  }

  void picture(const Paragraph& paragraph) {
    const float height = pictureWidth_ * manualPicture.y / manualPicture.x;
    laid_.pictures.push_back(
        {{0, y(), pictureWidth_, height}, page_.file.parent_path() / paragraph.spans.front().target});
    y() += height;
    endLine();
    y() += gapBelow * size_;
  }

  // As wide as what is in them asks for, narrower where that is more than there is.
  void measureColumns(std::size_t row) {
    columns_.clear();
    for (; row < page_.paragraphs.size() && page_.paragraphs[row].kind == Paragraph::Kind::Row; ++row) {
      const std::vector<Paragraph> cells = cellsOf(page_.paragraphs[row]);
      columns_.resize(std::max(columns_.size(), cells.size()));
      for (std::size_t i = 0; i < cells.size(); ++i)
        columns_[i] = std::max(
            columns_[i], metrics_.width(cells[i].words(), FontFace::Mono, size_) + 1.5f * columnGap * size_);
    }
    float all = 0;
    for (float& width : columns_) all += width = std::min(width, width_ / 2);
    if (all > width_)
      for (float& width : columns_) width *= width_ / all;
  }

  void row(const Paragraph& paragraph) {
    float x = 0, height = 0;
    const std::vector<Paragraph> cells = cellsOf(paragraph);
    for (std::size_t i = 0; i < cells.size() && i < columns_.size(); x += columns_[i++])
      height = std::max(height, words(cells[i], {x, y()}, columns_[i] - columnGap * size_, size_));
    y() += height;
    laid_.shapes.emplace_back(Rect{{0, y(), width_, 1}, theme_.line, {0, 0, 0, 0}});
    y() += gapBelow / 2 * size_;
    if (paragraph.level == 0) endLine();
  }

  const ManualPage& page_;
  float width_;
  const TextMetrics& metrics_;
  const Theme& theme_;
  float size_, pictureWidth_;
  std::vector<float> columns_;  // of the table
  LaidPage laid_;
};

}  // namespace

LaidPage layPage(const ManualPage& page, float width, const TextMetrics& metrics, const Theme& theme,
                 float size, float pictureWidth) {
  return PageLayout(page, width, metrics, theme, size, pictureWidth).laid();
}

std::vector<Paragraph> cellsOf(const Paragraph& row) {
  std::vector<Paragraph> cells;
  const auto kind = row.level == 1 ? Paragraph::Kind::Heading : Paragraph::Kind::Row;
  for (const Span& span : row.spans)
    if (span.style == Span::Style::Cell)
      cells.push_back({.kind = kind});
    else if (!cells.empty())
      cells.back().spans.push_back(span);
  return cells;
}

std::string anchorOf(std::string_view heading) {
  std::string anchor;
  for (const char c : heading)
    if (c >= 'A' && c <= 'Z')
      anchor += static_cast<char>(c - 'A' + 'a');
    else if (c == ' ')
      anchor += '-';
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || static_cast<signed char>(c) < 0)
      anchor += c;
  return anchor;
}

Manual::Manual(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (endingOf(entry.path()) == ".md") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const auto text = readTextFile(file, largestPage);
    auto page = text ? readPage(*text) : Result<std::vector<Paragraph>>(text.error());
    if (page && !page->empty())
      pages_.push_back({file, page->front().words(), std::move(*page)});
    else
      wrong_ += file.filename().string() + ": " + (page ? "it is empty" : page.error().message()) + "\n";
  }
}

std::optional<ManualPlace> Manual::find(const std::string& target, int page) const {
  const std::size_t hash = target.find('#');
  const std::string file = target.substr(0, hash);
  const bool isLink = hash != target.npos || file.ends_with(".md");
  const std::string anchor = !isLink ? anchorOf(target) : hash == target.npos ? "" : target.substr(hash + 1);
  for (int i = 0; i < static_cast<int>(pages_.size()); ++i) {
    const ManualPage& here = pages_[static_cast<std::size_t>(i)];
    if (isLink && (file.empty() ? i != page : here.file.filename() != file)) continue;
    const auto isAsked = [&](const Paragraph& p) {
      return p.kind == Paragraph::Kind::Heading && anchorOf(p.words()) == anchor;
    };
    if (anchor.empty() || std::ranges::any_of(here.paragraphs, isAsked)) return ManualPlace{i, anchor};
  }
  return std::nullopt;
}

}  // namespace glassformer
