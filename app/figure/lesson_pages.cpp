#include "app/figure/lesson_pages.h"

#include <algorithm>
#include <optional>

#include "app/figure/page_flow.h"
#include "app/lesson/lesson_picture.h"
#include "app/lesson/lesson_walk.h"
#include "app/lesson/markdown.h"
#include "app/lesson/prose.h"

namespace glassformer {

namespace {

constexpr Point slide{1280, 720};
constexpr float slideMillimetres = 338.7f, slideText = 20, slideWords = 400, slideMargin = 28, slideFoot = 20,
                paperPicture = 340;

// A step before and after its prediction, as it stands on the stage.
struct Shown {
  Workspace workspace;
  std::shared_ptr<const Snapshot> snapshot;
};

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
    constexpr float width = Paper::width;
    paper_.beginPage();
    paper_.flow(heading(lesson_.title, width));
    if (!lesson_.audience.empty()) paper_.flow(plain(lesson_.audience, width, Paper::text, theme_.quiet));
    paper_.skip(16);
    for (int i = 0; i < lesson_.stepCount(); ++i) {
      const auto shown = show(i, false);
      if (!shown) return shown.error();
      const float picture = stepAt(i).covers.stage ? 0 : paperPicture;
      Strip words = prose(stepAt(i).prose, width, Paper::text);
      words.append(question(i, width, Paper::text, nullptr), 8);
      paper_.makeRoom(words.height + 12 + picture);
      paper_.page().words.add(lineOfText({Paper::margin - 24, paper_.y() + 11}, std::to_string(i + 1),
                                         FontFace::Strong, 14, theme_.quiet));
      paper_.flow(words);
      paper_.skip(12);
      if (picture > 0) {
        paper_.makeRoom(picture);
        paper_.page().figures.push_back({pictureOf(*shown, {width, picture}), {Paper::margin, paper_.y()}});
        paper_.skip(picture);
      }
      paper_.skip(24);
    }
    if (Status answered = answers(); !answered) return answered.error();
    return paper_.pdf(lesson_.title, lesson_.audience, fonts_);
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
      strip.append(choice(question.choices[c], static_cast<char>('A' + c), width, size), c > 0 ? 6.0f : 0.0f);
    if (revealed) {
      strip.append(plain(answerWords(question, *revealed), width, size, theme_.accent, Span::Style::Strong),
                   8);
      strip.append(why(question, width, size), 4);
    } else if (question.choices.empty()) {
      const float row = size * 1.9f;
      strip.append({{Rect{{0, row - 6, width / 2, 1}, theme_.quiet, {0, 0, 0, 0}, 0, 0}}, {row}, row});
    }
    return strip;
  }

  Strip choice(const Paragraph& words, char letter, float width, float size) const {
    const float above = size * 0.2f;
    Strip row = prose(std::span(&words, 1), width - 48, size, {}, {40, above});
    row.height += above;
    row.cuts = {row.height};
    row.shapes.emplace_back(Rect{{0, 0, width, row.height}, {0, 0, 0, 0}, theme_.line, 4, 1});
    row.shapes.emplace_back(lineOfText({12, above + 0.75f * size}, std::string(1, letter), FontFace::Strong,
                                       size * 0.9f, theme_.quiet));
    return row;
  }

  Strip why(const LessonQuestion& question, float width, float size) const {
    const auto words = readProse(question.why);
    return words ? prose(words->paragraphs, width, size) : Strip{};
  }

  void addSlides(int i, const Shown& shown, bool revealed) {
    const bool covered = stepAt(i).covers.stage && !revealed;
    const Point room{slide.x - slideWords - slideMargin, slide.y};
    const Box column{room.x, slideMargin, slideWords, slide.y - 2 * slideMargin - slideFoot};
    Strip words = plain(lesson_.title, column.width, 14, theme_.quiet, Span::Style::Strong);
    words.append(prose(stepAt(i).prose, column.width, slideText), 12);
    words.append(question(i, column.width, slideText, revealed ? &shown : nullptr), 12);
    for (float from = 0; from < words.height;) {
      const float to = words.cutAfter(from, column.height);
      Page page;
      if (!covered) page.figures.push_back({pictureOf(shown, room), {0, 0}});
      words.put(page, from, to, {column.x, column.y});
      page.words
          .add(lineOfText({column.right(), slide.y - slideMargin},
                          std::to_string(i + 1) + " / " + std::to_string(lesson_.stepCount()), FontFace::Ui,
                          14, theme_.quiet))
          .horizontal = Align::End;
      if (covered)
        page.words
            .add(lineOfText({room.x / 2, room.y / 2}, "Your prediction?", FontFace::Strong, 40, theme_.quiet))
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

  Status answers() {
    constexpr float indent = 36, width = Paper::width - indent;
    paper_.beginPage();
    paper_.flow(heading("Answers", width));
    paper_.skip(16);
    for (int i = 0; i < lesson_.stepCount(); ++i) {
      if (!stepAt(i).question) continue;
      const auto shown = show(i, true);
      if (!shown) return shown.error();
      Strip answer = plain(answerWords(*stepAt(i).question, *shown), width, Paper::text, theme_.text);
      answer.append(why(*stepAt(i).question, width, Paper::text));
      if (answer.height < Paper::end - Paper::margin) paper_.makeRoom(answer.height);
      paper_.page().words.add(lineOfText({Paper::margin, paper_.y() + 0.75f * Paper::text},
                                         std::to_string(i + 1), FontFace::Strong, Paper::text, theme_.quiet));
      paper_.flow(answer, Paper::margin + indent);
      paper_.skip(14);
    }
    return success();
  }

  const Lesson& lesson_;
  const ComputedFor& computed_;
  const FigureFonts& fonts_;
  Theme theme_ = paperTheme();
  std::vector<Page> pages_;  // of slides
  PaperFlow paper_;          // of a handout
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
