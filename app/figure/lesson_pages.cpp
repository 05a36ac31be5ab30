#include "app/figure/lesson_pages.h"

#include <algorithm>

#include "app/figure/pages.h"
#include "app/lesson/lesson_picture.h"
#include "app/lesson/lesson_walk.h"
#include "app/lesson/markdown.h"
#include "app/lesson/prose.h"

namespace glassformer {

namespace {

constexpr Point slide{1280, 720}, paper{794, 1123};
constexpr float slideMillimetres = 338.7f, paperMillimetres = 210, slideText = 20, slideWords = 400,
                slideMargin = 28, paperMargin = 56, paperText = 14, paperPicture = 340, paperFoot = 40;

// A step before and after its prediction, as it stands on the stage.
struct Shown {
  Workspace workspace;
  std::shared_ptr<const Snapshot> snapshot;
};

class LessonPrinter {
 public:
  LessonPrinter(const Lesson& lesson, const ComputedFor& computed, const FigureFonts& fonts)
      : lesson_(lesson), computed_(computed), fonts_(fonts) {}

  Result<std::string> slides() {
    const FigureSize size{"", "", "", slide, slideMillimetres};
    for (int i = 0; i < lesson_.stepCount(); ++i) {
      const LessonStep& step = stepAt(i);
      for (const bool revealed : {false, true}) {
        if (revealed && !step.question) continue;
        const auto shown = show(i, revealed);
        if (!shown) return shown.error();
        const bool covered = step.covers.stage && !revealed;
        Page page;
        const Point room{slide.x - slideWords - slideMargin, slide.y};
        if (!covered) page.figures.push_back({pictureOf(*shown, room), {0, 0}});
        const Box column{room.x, slideMargin, slideWords, slide.y - 2 * slideMargin};
        page.words.add(line({column.x, column.y + 8}, lesson_.title, FontFace::Strong, 14, theme_.quiet));
        float y = column.y + 36;
        y += addProse(page.words, step.prose, {column.x, y}, column.width, slideText);
        y += addQuestion(page.words, i, {column.x, y + 12}, column.width, slideText,
                         revealed ? &*shown : nullptr);
        page.words
            .add(line({column.right(), column.bottom()},
                      std::to_string(i + 1) + " / " + std::to_string(lesson_.stepCount()), FontFace::Ui, 14,
                      theme_.quiet))
            .horizontal = Align::End;
        if (covered)
          page.words
              .add(line({room.x / 2, room.y / 2}, "What do you expect?", FontFace::Strong, 40, theme_.quiet))
              .horizontal = Align::Middle;
        pages_.push_back(std::move(page));
      }
    }
    return pdfOfPages(pages_, size, lesson_.title, lesson_.audience, theme_, fonts_);
  }

  Result<std::string> handout() {
    const FigureSize size{"", "", "", paper, paperMillimetres};
    const float width = paper.x - 2 * paperMargin;
    beginPage(lesson_.title + (lesson_.audience.empty() ? "" : " · " + lesson_.audience));
    for (int i = 0; i < lesson_.stepCount(); ++i) {
      const LessonStep& step = stepAt(i);
      const auto shown = show(i, false);
      if (!shown) return shown.error();
      const float picture = step.covers.stage ? 0 : paperPicture;
      Scene words;
      float height = addProse(words, step.prose, {0, 0}, width, paperText);
      height += addQuestion(words, i, {0, height + 8}, width, paperText, nullptr);
      if (y_ + picture + height > paper.y - paperMargin - paperFoot) beginPage("");
      Page& page = pages_.back();
      page.words.add(
          line({paperMargin - 24, y_ + 11}, std::to_string(i + 1), FontFace::Strong, 14, theme_.quiet));
      addProse(page.words, step.prose, {paperMargin, y_}, width, paperText);
      const float prose = layProse(step.prose, {0, 0}, width, fonts_, theme_, paperText).height;
      addQuestion(page.words, i, {paperMargin, y_ + prose + 8}, width, paperText, nullptr);
      y_ += height + 12;
      if (picture > 0) {
        page.figures.push_back({pictureOf(*shown, {width, picture}), {paperMargin, y_}});
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

  float addProse(Scene& words, std::span<const Paragraph> prose, Point at, float width, float size) const {
    LaidProse laid = layProse(prose, at, width, fonts_, theme_, size);
    for (Shape& shape : laid.shapes) words.shapes.push_back(std::move(shape));
    return laid.height;
  }

  // The choices, or a line to write on; where the step is revealed, what came.
  float addQuestion(Scene& words, int i, Point at, float width, float size, const Shown* revealed) const {
    if (!stepAt(i).question) return 0;
    const LessonQuestion& question = *stepAt(i).question;
    const float begin = at.y, row = size * 1.9f;
    for (std::size_t c = 0; c < question.choices.size(); ++c, at.y += row) {
      words.add(Rect{{at.x, at.y, width, row - 6}, {0, 0, 0, 0}, theme_.line, 4, 1});
      words.add(line({at.x + 12, at.y + row / 2 - 3}, std::string(1, static_cast<char>('A' + c)),
                     FontFace::Strong, size * 0.9f, theme_.quiet));
      words.add(line({at.x + 40, at.y + row / 2 - 3}, question.choices[c], FontFace::Ui, size, theme_.text))
          .maxWidth = width - 48;
    }
    if (revealed)
      words
          .add(line({at.x, at.y + row / 2}, answerWords(question, *revealed), FontFace::Strong, size,
                    theme_.accent))
          .maxWidth = width;
    else if (question.choices.empty())
      words.add(Rect{{at.x, at.y + row - 6, width / 2, 1}, theme_.quiet, {0, 0, 0, 0}, 0, 0});
    if (revealed || question.choices.empty()) at.y += row;
    if (revealed) at.y += addWhy(words, question, at, width, size);
    return at.y - begin;
  }

  float addWhy(Scene& words, const LessonQuestion& question, Point at, float width, float size) const {
    const auto why = readProse(question.why);
    return why ? addProse(words, why->paragraphs, at, width, size) : 0;
  }

  static std::string answerWords(const LessonQuestion& question, const Shown& shown) {
    const auto answer = answerOf(question, *shown.snapshot);
    if (!answer) return answer.error().message();
    if (question.kind != LessonQuestion::Kind::Bars) return answer->words;
    std::string words;
    for (std::size_t i = 0; i < answer->values.size(); ++i) {
      char number[16];
      std::snprintf(number, sizeof number, "%.2f", static_cast<double>(answer->values[i]));
      words += (i ? ", " : "") + question.choices[i] + " " + number;
    }
    return words;
  }

  void beginPage(const std::string& title) {
    pages_.emplace_back();
    y_ = paperMargin;
    pages_.back()
        .words
        .add(line({paper.x - paperMargin, paper.y - paperMargin + 16}, std::to_string(pages_.size()),
                  FontFace::Ui, 12, theme_.quiet))
        .horizontal = Align::End;
    if (title.empty()) return;
    pages_.back().words.add(line({paperMargin, y_}, title, FontFace::Strong, 18, theme_.text));
    y_ += 36;
  }

  Status answers() {
    beginPage("Answers");
    for (int i = 0; i < lesson_.stepCount(); ++i) {
      if (!stepAt(i).question) continue;
      const auto shown = show(i, true);
      if (!shown) return shown.error();
      pages_.back().words.add(
          line({paperMargin, y_}, std::to_string(i + 1), FontFace::Strong, paperText, theme_.quiet));
      pages_.back()
          .words
          .add(line({paperMargin + 36, y_}, answerWords(*stepAt(i).question, *shown), FontFace::Ui, paperText,
                    theme_.text))
          .maxWidth = paper.x - 2 * paperMargin - 36;
      const Point below{paperMargin + 36, y_ + 14};
      const float width = paper.x - paperMargin - below.x;
      y_ += 32 + addWhy(pages_.back().words, *stepAt(i).question, below, width, paperText);
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
