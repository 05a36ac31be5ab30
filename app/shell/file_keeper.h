#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/document/history.h"
#include "app/document/opening.h"
#include "app/lesson/lesson_shelf.h"
#include "app/panels/file_panel.h"
#include "app/shell/figure_weights.h"

namespace glassformer {

/// Between the workspace and the user's files: opens sessions, texts, figures, models, lessons and the
/// answers of a class, saves what can be saved, asks where, and keeps the list of recent ones.
class FileKeeper {
 public:
  FileKeeper(History& history, LessonShelf& lessons, std::filesystem::path recent)
      : history_(history), lessons_(lessons), recent_(std::move(recent)) {}

  /// Whether it is a file, and of no kind that is opened otherwise.
  static bool isText(const std::filesystem::path& path);
  /// What cannot be opened changes nothing.
  Status open(const std::filesystem::path& path, double seconds);
  Status openLesson(const std::string& lesson, double seconds);
  /// The state that is looked at becomes the last step of the lesson in that file.
  Status keepStep(const std::filesystem::path& file, double seconds);

  void askWhatToOpen();
  void askWhereToSave();
  void askWhereToKeepStep();
  /// To the lesson that is open; without one it does nothing.
  void askWhereToSaveAnswers();
  /// Opens and saves what was chosen in the panels.
  void takeChosen(double seconds);
  std::vector<FilePanel*> panels() { return {&openPanel_, &sessionPanel_, &lessonPanel_, &answersPanel_}; }

  const RecentFiles& recent() const { return recent_; }
  void remember(const std::filesystem::path& path) { recent_.add(path); }
  /// The figure that was opened last, until its model is there to be held against it.
  FigureWeights& figureWeights() { return figureWeights_; }

 private:
  std::filesystem::path folder() const;
  std::shared_ptr<const Lesson> lesson() const;
  Status openByKind(const std::filesystem::path& path, double seconds);
  Status openFigure(const std::filesystem::path& path, double seconds);
  Status openAnswers(const std::filesystem::path& path, double seconds);
  Status saveAnswers(const std::filesystem::path& path) const;
  template <typename Act>
  void take(FilePanel& panel, Act act);

  History& history_;
  LessonShelf& lessons_;
  RecentFiles recent_;
  FigureWeights figureWeights_;
  FilePanel openPanel_{FilePanel::Purpose::Open}, sessionPanel_{FilePanel::Purpose::Save},
      lessonPanel_{FilePanel::Purpose::Save}, answersPanel_{FilePanel::Purpose::Save};
};

}  // namespace glassformer
