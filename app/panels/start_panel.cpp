#include "app/panels/start_panel.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>

#include "app/bundles/pack.h"
#include "app/document/model_commands.h"
#include "app/document/view_commands.h"
#include "app/engine/model_info.h"
#include "app/lesson/class_answers.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/action.h"
#include "app/panels/model_glyph.h"
#include "app/panels/widgets.h"
#include "core/io/file_ending.h"
#include "core/io/model_directory.h"
#include "core/io/picture_note.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr float startMargin = 32, startGap = 32, startHeadHeight = 72, startFootHeight = 56,
                startHeadingHeight = 36, startLine = 14, glyphWidth = 56;
constexpr std::size_t mostRuns = 4;  // so that files have room beside them

// Lectures stand above what was opened lately.
enum StartColumn : std::size_t { LessonColumn, ModelColumn, LectureColumn, RecentColumn };

const char* kindOf(const fs::path& path) {
  if (isModelDirectory(path)) return "model";
  if (isLessonFile(path)) return "lesson";
  if (isPictureFile(path)) return "figure";
  if (isAnswersFile(path)) return "answers";
  if (isPack(path)) return "pack";
  return endingOf(path) == ".json" ? "session" : "text";
}

// "24 Nov, 18:05", in the local time; empty where it cannot be told.
std::string lastWritten(const fs::path& path) {
  std::error_code error;
  const auto written = fs::last_write_time(path, error);
  if (error) return "";
  const std::time_t time =
      std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(
          std::chrono::file_clock::to_sys(written)));
  char words[32];
  const std::size_t length = std::strftime(words, sizeof words, "%e %b, %H:%M", std::localtime(&time));
  const std::string text(words, length);
  return text.starts_with(' ') ? text.substr(1) : text;
}

// A card's first sentence.
std::string firstSentence(const std::string& purpose) {
  const std::size_t end = purpose.find(". ");
  return end == std::string::npos ? purpose : purpose.substr(0, end + 1);
}

// In how many steps of the lessons each model is looked at.
std::map<std::string, int> usesOf(const LessonShelf& lessons) {
  std::map<std::string, int> uses;
  for (const auto& lesson : lessons.ships())
    for (int step = 0; step < lesson->stepCount(); ++step)
      if (const auto shown = workspaceAt(*lesson, step, Workspace{})) ++uses[shown->model];
  return uses;
}

bool isMemberOfFamily(const ModelLibrary::Entry& model) { return model.name.find('/') != std::string::npos; }

void leaveLesson(Ui& ui) {
  if (ui.workspace().lesson.isOpen()) ui.emit(commands::closeLesson());
}

void openModelAsTrained(Ui& ui, const std::string& model) {
  leaveLesson(ui);
  ui.emit(commands::setModel(model));
}

}  // namespace

void StartPanel::begin(const LessonShelf& lessons, const std::vector<ModelLibrary::Entry>& models,
                       const std::vector<fs::path>& recent, const Training* training) {
  columns_ = {Column{"LESSONS", "No lessons found next to the program.", 32},
              Column{"MODELS", "No models found next to the program.", 53},
              Column{"LECTURES", "No lecture plans found next to the program.", 32},
              Column{"GO ON", "Recent sessions, models and runs appear here.", 44}};
  offerLessons(LessonColumn, lessons.ships());
  offerLessons(LectureColumn, lessons.lectures());
  offerModels(models, lessons);
  if (training) offerRuns(*training);
  offerRecent(recent);
  at_ = LessonColumn;
  open();
}

void StartPanel::offerLessons(std::size_t column, const std::vector<std::shared_ptr<const Lesson>>& lessons) {
  for (const std::shared_ptr<const Lesson>& lesson : lessons)
    columns_[column].offers.push_back(
        {"lesson " + lesson->id, lesson->title, "", "",
         [lesson](Ui& ui) {
           const bool isOpen = ui.workspace().lesson.lesson == lesson->id;
           ui.emit(commands::goToLessonStep(lesson, isOpen ? ui.workspace().lesson.step : 0));
         },
         lesson});
}

// Those that lessons use most come first. Families of models are in the library.
void StartPanel::offerModels(const std::vector<ModelLibrary::Entry>& models, const LessonShelf& lessons) {
  std::map<std::string, int> uses = usesOf(lessons);
  std::vector<ModelLibrary::Entry> sorted;
  std::ranges::remove_copy_if(models, std::back_inserter(sorted), isMemberOfFamily);
  std::ranges::stable_sort(sorted, std::greater{}, [&](const auto& model) { return uses[model.name]; });
  for (const ModelLibrary::Entry& model : sorted) {
    const ModelInfo info = modelInfo(model.name, model.folder);
    columns_[ModelColumn].offers.push_back({"model " + model.name, model.name, firstSentence(info.purpose),
                                            "", [name = model.name](Ui& ui) { openModelAsTrained(ui, name); },
                                            nullptr, info.config});
  }
}

void StartPanel::offerRecent(const std::vector<fs::path>& recent) {
  std::error_code error;
  for (const fs::path& path : recent)
    if (fs::exists(path, error))
      columns_[RecentColumn].offers.push_back(
          {"recent " + path.string(), path.filename().string(),
           kindOf(path) + std::string(" in ") + path.parent_path().string(), lastWritten(path),
           [this, path](Ui& ui) {
             leaveLesson(ui);
             taken_ = path;
           }});
}

// The newest first.
void StartPanel::offerRuns(const Training& training) {
  const std::vector<std::string> kept = training.kept();
  for (std::size_t i = 0; i < std::min(kept.size(), mostRuns); ++i) {
    const std::string& run = kept[kept.size() - 1 - i];
    columns_[RecentColumn].offers.push_back({"run " + run, run.substr(runPrefix.size()), "a run in training",
                                             lastWritten(training.folderOf(run)), [run](Ui& ui) {
                                               openModelAsTrained(ui, run);
                                               ui.emit(commands::setView("training"));
                                             }});
  }
}

Box StartPanel::place(const Ui&, Point window) const {
  const float width = std::min(1160.0f, window.x - 32), height = std::min(680.0f, window.y - 32);
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

void StartPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(startMargin, 16);
  head(ui, rest.takeTop(startHeadHeight));
  foot(ui, rest.takeBottom(startFootHeight));
  moveSideways();
  const float width = (rest.width - 2 * startGap) / 3;
  for (const std::size_t i : {LessonColumn, ModelColumn}) {
    show(ui, i, rest.takeLeft(width));
    rest.takeLeft(startGap);
  }
  const Column& lectures = columns_[LectureColumn];
  const auto count = static_cast<float>(std::max<std::size_t>(lectures.offers.size(), 1));
  show(ui, LectureColumn, rest.takeTop(startHeadingHeight + count * lectures.rowHeight));
  rest.takeTop(16);
  show(ui, RecentColumn, rest);
}

void StartPanel::head(Ui& ui, Box box) {
  if (widgets::button(ui, "Close##start", {box.right() - 20, box.y, 32, 32},
                      {.icon = "✕", .tip = "close   Esc"}))
    close();
  ui.drawText({box.x, box.y + 20}, "Glassformer", {FontFace::Strong, Theme::title, ui.theme.text});
  ui.drawText({box.x, box.y + 46}, "A transformer you can see through. Where do you want to begin?",
              {FontFace::Ui, Theme::body, ui.theme.quiet}, Align::Start, box.width - 48);
}

void StartPanel::foot(Ui& ui, Box box) {
  box.takeTop(startFootHeight - 32);
  const auto button = [&](const char* label, const char* action, Request request) {
    const Action& same = actionOf(action);
    if (isAvailable(same, ui) && widgets::button(ui, label, box.takeLeft(widgets::buttonWidth(ui, label)),
                                                 {.look = widgets::Look::Raised, .tip = keyText(same)}))
      close(), ui.ask(request);
    box.takeLeft(12);
  };
  button("Open a file …##start", "open-file", Request::OpenFile);
  button("All models …##start", "open-model", Request::Library);
  button("New training run …##start", "new-run", Request::Train);
  ui.drawText({box.right(), box.center().y}, keyText(actionOf("start-page")) + " opens this page",
              ui.theme.note(), Align::End, box.width);
}

// ← and → pass over columns without anything in them.
void StartPanel::moveSideways() {
  const auto to = [&](int by) {
    for (std::size_t next = at_ + static_cast<std::size_t>(by); next < columns_.size();
         next += static_cast<std::size_t>(by))
      if (!columns_[next].offers.empty()) return at_ = next;
    return at_;
  };
  if (ImGui::IsKeyPressed(ImGuiKey_RightArrow, true)) to(1);
  if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow, true)) to(-1);
}

void StartPanel::show(Ui& ui, std::size_t i, Box area) {
  Column& column = columns_[i];
  const Box heading = area.takeTop(startHeadingHeight);
  widgets::heading(ui, {heading.x + 12, heading.center().y}, column.heading);
  if (column.offers.empty()) {
    Box words = area.inset(12, 4);
    return widgets::paragraph(ui, words, column.none, ui.theme.note());
  }
  const int count = static_cast<int>(column.offers.size());
  column.rows.show(ui, area, {heading.right() - 12, heading.center().y}, count, column.rowHeight, i == at_,
                   [&](int at, const Box& box) {
                     row(ui, column.offers[static_cast<std::size_t>(at)], box,
                         i == at_ && at == column.rows.chosen());
                   });
}

void StartPanel::row(Ui& ui, const Offer& offer, const Box& box, bool chosen) {
  const Theme& theme = ui.theme;
  const bool entered = chosen && !ui.usesEnter && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (widgets::listRow(ui, offer.title + "##start " + offer.id, box, chosen) || entered) {
    offer.open(ui);
    close();
  }
  Box lines = box.inset(12, offer.words.empty() ? 0 : 3);
  if (offer.config) {
    drawModelGlyph(ui, lines.takeRight(glyphWidth), *offer.config);
    lines.takeRight(12);
  }
  const Box title = offer.words.empty() ? lines : lines.takeTop(20);
  const std::string words = offer.lesson ? reachedWords(*offer.lesson, ui.workspace().look) : offer.detail;
  const float detail = words.empty() ? 0 : ui.metrics().width(words, FontFace::Ui, Theme::small) + 8;
  ui.drawText({title.x, title.center().y}, offer.title, theme.strong(), Align::Start, title.width - detail);
  ui.drawText({title.right(), title.center().y}, words, theme.note(), Align::End);
  if (offer.words.empty()) return;
  const TextStyle quiet{FontFace::Ui, Theme::small - 1, theme.quiet};
  const int most = static_cast<int>(lines.height / startLine);
  for (const std::string& line :
       wrapped(ui.metrics(), offer.words, quiet.face, quiet.size, lines.width, most)) {
    const Box at = lines.takeTop(startLine);
    ui.drawText({at.x, at.center().y}, line, quiet, Align::Start, at.width);
  }
}

}  // namespace glassformer
