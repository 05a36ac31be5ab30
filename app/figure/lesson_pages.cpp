#include "app/figure/lesson_pages.h"

#include <algorithm>
#include <optional>

#include "app/figure/pages.h"
#include "app/lesson/lesson_picture.h"
#include "app/lesson/lesson_walk.h"
#include "app/lesson/markdown.h"
#include "app/lesson/prose.h"

namespace glassformer {

namespace {

constexpr Point slide{1280, 720}, paper{794, 1123};
constexpr float slideMillimetres = 338.7f, paperMillimetres = 210, slideText = 20, slideWords = 400,
                slideMargin = 28, slideFoot = 20, paperMargin = 56, paperText = 14, paperPicture = 340,
                paperEnd = paper.y - paperMargin - 40;

// A step before and after its prediction, as it stands on the stage.
struct Shown {
  Workspace workspace;
  std::shared_ptr<const Snapshot> snapshot;
};

// Words from top to bottom, and where they may be cut and go on on another page.
struct Strip {
  std::vector<Shape> shapes;
  std::vector<float> cuts;
  float height = 0;
};

float middleOf(const Shape& shape) {
  if (const auto* text = std::get_if<Text>(&shape)) return text->at.y;
  const auto* rect = std::get_if<Rect>(&shape);
  return rect ? rect->box.center().y : 0;
}
Shape lowered(Shape shape, Point by) {
  if (auto* text = std::get_if<Text>(&shape)) text->at.x += by.x, text->at.y += by.y;
  if (auto* rect = std::get_if<Rect>(&shape)) rect->box.x += by.x, rect->box.y += by.y;
  return shape;
}

class LessonPrinter {
 public:
  LessonPrinter(const Lesson& lesson, const ComputedFor& computed, const FigureFonts& fonts)
      : lesson_(lesson), computed_(computed), fonts_(fonts) {}

  // What is too long for a slide goes on on another one, beside the same picture.
  Result<std::string> slides() {
    const FigureSize size{"", "", "", slide, slideMillimetres};
    for (int i = 0; i < lesson_.stepCount(); ++i)
      for (const bool revealed : {false, true}) {
        if (revealed && !stepAt(i).question) continue;
        const auto shown = show(i, revealed);
        if (!shown) return shown.error();
        addSlides(i, *shown, revealed);
      }
    return pdfOfPages(pages_, size, lesson_.title, lesson_.audience, theme_, fonts_);
  }

  Result<std::string> handout() {
    const FigureSize size{"", "", "", paper, paperMillimetres};
    const float width = paper.x - 2 * paperMargin;
    beginPage();
    flow(heading(lesson_.title, width), paperMargin);
    if (!lesson_.audience.empty()) flow(plain(lesson_.audience, width, paperText, theme_.quiet), paperMargin);
    y_ += 16;
    for (int i = 0; i < lesson_.stepCount(); ++i) {
      const auto shown = show(i, false);
      if (!shown) return shown.error();
      const float picture = stepAt(i).covers.stage ? 0 : paperPicture;
      Strip words = prose(stepAt(i).prose, width, paperText);
      append(words, question(i, width, paperText, nullptr), 8);
      if (y_ + words.height + 12 + picture > paperEnd) beginPage();
      pages_.back().words.add(
          line({paperMargin - 24, y_ + 11}, std::to_string(i + 1), FontFace::Strong, 14, theme_.quiet));
      flow(words, paperMargin);
      y_ += 12;
      if (picture > 0) {
        if (y_ + picture > paperEnd) beginPage();
        pages_.back().figures.push_back({pictureOf(*shown, {width, picture}), {paperMargin, y_}});
        y_ += picture;
      }
      y_ += 24;
    }
    if (Status answered = answers(); !answered) return answered.error();
    return pdfOfPages(pages_, size, lesson_.title, lesson_.audience, theme_, fonts_);
  }

 private:
  const LessonStep& stepAt(int i) const { return lesson_.steps[static_cast<std::size_t>(i)]; }

  Result<Shown> show(int i, bool revealed) const {
    Workspace now = initialWorkspace();
    if (stepAt(i).question) now.lesson.guesses[i] = {{}, revealed};
    auto workspace = workspaceAt(lesson_, i, now);
    if (!workspace) return workspace.error();
    workspace->figure.look = FigureLook::Light, workspace->figure.caption = false;
    const auto snapshot = computed_(*workspace);
    if (snapshot->standing.failed())
      return Error{snapshot->standing.error, "step " + std::to_string(i + 1), ""};
    return Shown{std::move(*workspace), snapshot};
  }

  Figure pictureOf(const Shown& shown, Point room) const {
    Figure figure =
        makeFigure(shown.workspace, *shown.snapshot, {"", "", "", room, slideMillimetres}, fonts_);
    figure.theme.ground = theme_.ground;
    for (FigureScene& scene : figure.scenes)
      adaptToStep(scene.picture, lesson_, shown.workspace, *shown.snapshot, figure.theme);
    return figure;
  }

  static Text line(Point at, const std::string& words, FontFace face, float size, Rgba color) {
    Text text;
    text.at = at, text.text = words, text.style = {face, size, color};
    return text;
  }

  static void append(Strip& strip, Strip more, float gap = 0) {
    if (more.height <= 0) return;
    strip.height += gap;
    for (Shape& shape : more.shapes) strip.shapes.push_back(lowered(std::move(shape), {0, strip.height}));
    for (const float cut : more.cuts) strip.cuts.push_back(strip.height + cut);
    strip.height += more.height;
  }

  Strip prose(std::span<const Paragraph> paragraphs, float width, float size, std::optional<Rgba> color = {},
              Point at = {}) const {
    Theme theme = theme_;
    theme.text = color.value_or(theme.text);
    LaidProse laid = layProse(paragraphs, at, width, fonts_, theme, size);
    return {std::move(laid.shapes), std::move(laid.lineEnds), at.y + laid.height};
  }
  Strip plain(const std::string& words, float width, float size, Rgba color,
              Span::Style style = Span::Style::Plain) const {
    const Paragraph paragraph{.spans = {{style, words}}};
    return prose(std::span(&paragraph, 1), width, size, color);
  }
  Strip heading(const std::string& words, float width) const {
    return plain(words, width, 18, theme_.text, Span::Style::Strong);
  }

  // The choices, or a line to write on; where the step is revealed, what came, and why.
  Strip question(int i, float width, float size, const Shown* revealed) const {
    Strip strip;
    if (!stepAt(i).question) return strip;
    const LessonQuestion& question = *stepAt(i).question;
    for (std::size_t c = 0; c < question.choices.size(); ++c)
      append(strip, choice(question.choices[c], static_cast<char>('A' + c), width, size),
             c > 0 ? 6.0f : 0.0f);
    if (revealed) {
      append(strip, plain(answerWords(question, *revealed), width, size, theme_.accent, Span::Style::Strong),
             8);
      append(strip, why(question, width, size), 4);
    } else if (question.choices.empty()) {
      const float row = size * 1.9f;
      append(strip, {{Rect{{0, row - 6, width / 2, 1}, theme_.quiet, {0, 0, 0, 0}, 0, 0}}, {row}, row});
    }
    return strip;
  }

  Strip choice(const Paragraph& words, char letter, float width, float size) const {
    const float above = size * 0.2f;
    Strip row = prose(std::span(&words, 1), width - 48, size, {}, {40, above});
    row.height += above;
    row.cuts = {row.height};
    row.shapes.emplace_back(Rect{{0, 0, width, row.height}, {0, 0, 0, 0}, theme_.line, 4, 1});
    row.shapes.emplace_back(line({12, above + 0.75f * size}, std::string(1, letter), FontFace::Strong,
                                 size * 0.9f, theme_.quiet));
    return row;
  }

  Strip why(const LessonQuestion& question, float width, float size) const {
    const auto words = readProse(question.why);
    return words ? prose(words->paragraphs, width, size) : Strip{};
  }

  // Puts what of a strip lies between two cuts onto a page.
  static void put(Page& page, const Strip& strip, float from, float to, Point at) {
    for (const Shape& shape : strip.shapes)
      if (const float y = middleOf(shape); y >= from && y < to)
        page.words.shapes.push_back(lowered(shape, {at.x, at.y - from}));
  }
  // The last place where it may be cut so that no more than `room` lies between; what cannot be cut is put
  // whole.
  static float cutAfter(const Strip& strip, float from, float room) {
    float last = -1;
    for (const float cut : strip.cuts)
      if (cut > from && (last < 0 || cut <= from + room)) last = cut;
    return last < 0 || strip.height <= from + room ? strip.height : last;
  }
  // Down the page, and on on others.
  void flow(const Strip& strip, float x) {
    for (float from = 0; from < strip.height;) {
      float to = cutAfter(strip, from, paperEnd - y_);
      if (y_ + to - from > paperEnd && y_ > paperMargin) {
        beginPage();
        to = cutAfter(strip, from, paperEnd - y_);
      }
      put(pages_.back(), strip, from, to, {x, y_});
      y_ += to - from, from = to;
      if (from < strip.height) beginPage();
    }
  }

  void addSlides(int i, const Shown& shown, bool revealed) {
    const bool covered = stepAt(i).covers.stage && !revealed;
    const Point room{slide.x - slideWords - slideMargin, slide.y};
    const Box column{room.x, slideMargin, slideWords, slide.y - 2 * slideMargin - slideFoot};
    Strip words = plain(lesson_.title, column.width, 14, theme_.quiet, Span::Style::Strong);
    append(words, prose(stepAt(i).prose, column.width, slideText), 12);
    append(words, question(i, column.width, slideText, revealed ? &shown : nullptr), 12);
    for (float from = 0; from < words.height;) {
      const float to = cutAfter(words, from, column.height);
      Page page;
      if (!covered) page.figures.push_back({pictureOf(shown, room), {0, 0}});
      put(page, words, from, to, {column.x, column.y});
      page.words
          .add(line({column.right(), slide.y - slideMargin},
                    std::to_string(i + 1) + " / " + std::to_string(lesson_.stepCount()), FontFace::Ui, 14,
                    theme_.quiet))
          .horizontal = Align::End;
      if (covered)
        page.words.add(line({room.x / 2, room.y / 2}, "Your prediction?", FontFace::Strong, 40, theme_.quiet))
            .horizontal = Align::Middle;
      pages_.push_back(std::move(page));
      from = to;
    }
  }

  static std::string answerWords(const LessonQuestion& question, const Shown& shown) {
    const auto answer = answerOf(question, *shown.snapshot);
    if (!answer) return answer.error().message();
    if (question.kind != LessonQuestion::Kind::Bars) return answer->words;
    std::string words;
    for (std::size_t i = 0; i < answer->values.size(); ++i) {
      char number[16];
      std::snprintf(number, sizeof number, "%.2f", static_cast<double>(answer->values[i]));
      words += (i ? ", " : "") + question.choices[i].words() + " " + number;
    }
    return words;
  }

  void beginPage() {
    pages_.emplace_back();
    y_ = paperMargin;
    pages_.back()
        .words
        .add(line({paper.x - paperMargin, paper.y - paperMargin + 16}, std::to_string(pages_.size()),
                  FontFace::Ui, 12, theme_.quiet))
        .horizontal = Align::End;
  }

  Status answers() {
    constexpr float indent = 36, width = paper.x - 2 * paperMargin - indent;
    beginPage();
    flow(heading("Answers", width), paperMargin);
    y_ += 16;
    for (int i = 0; i < lesson_.stepCount(); ++i) {
      if (!stepAt(i).question) continue;
      const auto shown = show(i, true);
      if (!shown) return shown.error();
      Strip answer = plain(answerWords(*stepAt(i).question, *shown), width, paperText, theme_.text);
      append(answer, why(*stepAt(i).question, width, paperText));
      if (y_ + answer.height > paperEnd && answer.height < paperEnd - paperMargin) beginPage();
      pages_.back().words.add(line({paperMargin, y_ + 0.75f * paperText}, std::to_string(i + 1),
                                   FontFace::Strong, paperText, theme_.quiet));
      flow(answer, paperMargin + indent);
      y_ += 14;
    }
    return success();
  }

  const Lesson& lesson_;
  const ComputedFor& computed_;
  const FigureFonts& fonts_;
  Theme theme_ = [] {
    Theme white = lightTheme();
    white.ground = rgb(0xFFFFFF);
    return white;
  }();
  std::vector<Page> pages_;
  float y_ = 0;  // down to where the page is full
};

}  // namespace

Result<std::string> lessonSlides(const Lesson& lesson, const ComputedFor& computed,
                                 const FigureFonts& fonts) {
  return LessonPrinter(lesson, computed, fonts).slides();
}

Result<std::string> lessonHandout(const Lesson& lesson, const ComputedFor& computed,
                                  const FigureFonts& fonts) {
  return LessonPrinter(lesson, computed, fonts).handout();
}

}  // namespace glassformer
