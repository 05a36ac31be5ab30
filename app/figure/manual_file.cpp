#include "app/figure/manual_file.h"

#include <cstdio>

#include "app/figure/page_flow.h"
#include "app/figure/scene_painting.h"
#include "app/figure/svg_pen.h"
#include "app/lesson/equation.h"
#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/text/base64.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr const char* manualTitle = "Glassformer: the manual";
constexpr std::size_t largestPicture = std::size_t{4} << 20;
constexpr float htmlText = 17, paperPictureWidth = 400;
constexpr const char* style =
    "body{max-width:42em;margin:2em auto;padding:0 1em;font:17px/1.5 "
    "Inter,system-ui,sans-serif;color:#14171c}"
    "code,pre{font-family:'JetBrains Mono',monospace;font-size:.86em;background:#eef1f5;border-radius:4px}"
    "code{padding:.1em .25em}pre{padding:.7em;white-space:pre-wrap}a{color:#1f5fd1}img{max-width:100%;border:"
    "1px solid #d5dae2}table{border-collapse:collapse}th,td{text-align:left;padding:.2em 1em .2em 0;"
    "border-bottom:1px solid #d5dae2}h1{margin-top:2.5em}";

class HtmlWriter {
 public:
  explicit HtmlWriter(const FigureFonts& fonts) : fonts_(fonts), pen_(fonts) {}

  std::string write(const Manual& manual) {
    std::string contents = "<ul>\n", body;
    for (const ManualPage& page : manual.pages()) {
      stem_ = page.file.stem().string();
      contents += "<li><a href=\"#" + stem_ + "\">" + xmlText(page.title) + "</a></li>\n";
      body += "<section id=\"" + stem_ + "\">\n" + paragraphs(page) + "</section>\n";
    }
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
           std::string(manualTitle) + "</title>\n<style>" + style + pen_.fontFaces() +
           "</style></head><body>\n<h1>" + manualTitle + "</h1>\n" + contents + "</ul>\n" + body +
           "</body></html>\n";
  }

 private:
  // Opens and closes what holds items, rows and so on.
  std::string paragraphs(const ManualPage& page) {
    std::string html, open;
    const auto within = [&](const std::string& tag) {
      if (tag == open) return;
      if (!open.empty()) html += "</" + open + ">\n";
      if (!tag.empty()) html += "<" + tag + ">\n";
      open = tag;
    };
    for (const Paragraph& p : page.paragraphs) {
      using Kind = Paragraph::Kind;
      within(p.kind == Kind::Row ? "table" : p.kind != Kind::Item ? "" : p.mark == "•" ? "ul" : "ol");
      html += paragraph(p, page.file.parent_path());
    }
    within("");
    return html;
  }

  std::string paragraph(const Paragraph& p, const fs::path& folder) {
    switch (p.kind) {
      case Paragraph::Kind::Heading: {  // the first of a page is its section's
        const std::string tag = "h" + std::to_string(p.level);
        const std::string id = p.level == 1 ? "" : " id=\"" + stem_ + "." + anchorOf(p.words()) + "\"";
        return "<" + tag + id + ">" + spans(p) + "</" + tag + ">\n";
      }
      case Paragraph::Kind::Item:
        return "<li>" + spans(p) + "</li>\n";
      case Paragraph::Kind::Code:
        return "<pre>" + xmlText(p.words()) + "</pre>\n";
      case Paragraph::Kind::Picture:
        return picture(folder / p.spans.front().target, p.words());
      case Paragraph::Kind::Row: {
        std::string row = "<tr>";
        for (const Paragraph& cell : cellsOf(p)) row += (p.level == 1 ? "<th>" : "<td>") + spans(cell);
        return row + "</tr>\n";
      }
      default:
        return "<p>" + spans(p) + "</p>\n";
    }
  }

  std::string spans(const Paragraph& p) {
    std::string html;
    for (const Span& span : p.spans) {
      const std::string words = xmlText(span.text);
      switch (span.style) {
        case Span::Style::Strong:
          html += "<strong>" + words + "</strong>";
          break;
        case Span::Style::Token:
          html += "<code>" + words + "</code>";
          break;
        case Span::Style::Link:
          html += "<a href=\"" + address(span.target) + "\">" + words + "</a>";
          break;
        case Span::Style::Break:
          html += "<br>";
          break;
        case Span::Style::Math:
          html += equation(span.text);
          break;
        default:
          html += words;
      }
    }
    return html;
  }

  // "04_positions.md#curves" is "#04_positions.curves" here.
  std::string address(const std::string& target) const {
    const std::size_t hash = std::min(target.find('#'), target.size());
    const std::string page = hash == 0 ? stem_ : fs::path(target.substr(0, hash)).stem().string();
    return "#" + page + (hash < target.size() ? "." + target.substr(hash + 1) : "");
  }

  static std::string picture(const fs::path& file, const std::string& words) {
    const auto bytes = readTextFile(file, largestPicture);
    return "<p><img width=\"560\" alt=\"" + xmlText(words) + "\" src=\"data:image/png;base64," +
           base64(bytes ? *bytes : "") + "\"></p>\n";
  }

  // As SVG, whose axis lies at the height of a minus sign.
  std::string equation(const std::string& tex) {
    constexpr float axis = 0.36f * htmlText;
    const auto set = setEquation(tex, fonts_, htmlText, paperTheme().text);
    if (!set) return xmlText(tex);  // is not read from a page like that
    Scene scene;
    for (const Text& text : set->texts) scene.shapes.emplace_back(text);
    for (const Rect& rule : set->rules) scene.shapes.emplace_back(rule);
    const std::size_t before = pen_.body().size();
    paintScene(pen_, scene, paperTheme(), fonts_);
    char frame[200];
    const auto number = [](float value) { return static_cast<double>(value); };
    std::snprintf(frame, sizeof frame,
                  "<svg width=\"%.1f\" height=\"%.1f\" viewBox=\"0 %.1f %.1f %.1f\" "
                  "style=\"vertical-align:%.1fpx\">",
                  number(set->width), number(set->above + set->below), number(-set->above),
                  number(set->width), number(set->above + set->below), number(axis - set->below));
    return frame + pen_.body().substr(before) + "</svg>";
  }

  const FigureFonts& fonts_;
  SvgPen pen_;        // of every equation
  std::string stem_;  // of the page
};

}  // namespace

std::string manualPdf(const Manual& manual, const FigureFonts& fonts) {
  PaperFlow paper;
  for (const ManualPage& page : manual.pages()) {
    LaidPage laid = layPage(page, Paper::width, fonts, paperTheme(), Paper::text, paperPictureWidth);
    paper.beginPage();
    paper.flow({std::move(laid.shapes), std::move(laid.cuts), laid.height, std::move(laid.pictures)});
  }
  return paper.pdf(manualTitle, "", fonts);
}

std::string manualHtml(const Manual& manual, const FigureFonts& fonts) {
  return HtmlWriter(fonts).write(manual);
}

Status writeManual(const fs::path& folder, const fs::path& file) {
  const Manual manual(folder);
  if (!manual.wrong().empty()) return Error{manual.wrong(), folder.string(), ""};
  if (manual.pages().empty()) return Error{"no manual was found with the program", folder.string(), ""};
  const FigureFonts fonts;
  const std::string ending = endingOf(file);
  if (ending == ".pdf") return writeFile(file, manualPdf(manual, fonts));
  if (ending == ".html") return writeFile(file, manualHtml(manual, fonts));
  return Error{"cannot write the manual: the name must end in .html or .pdf", file.string(), ""};
}

}  // namespace glassformer
