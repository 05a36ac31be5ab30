#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/document/history.h"
#include "app/document/opening.h"
#include "app/lesson/lesson_shelf.h"
#include "app/panels/check_panel.h"
#include "app/panels/file_panel.h"
#include "app/shell/file_work.h"
#include "app/shell/opened_figure.h"

namespace glassformer {

/// Between the workspace and the user's files: opens sessions, texts, figures, models, lessons, packs
/// and the answers of a class, saves and packs what can be, asks where, and keeps the list of recent ones.
class FileKeeper {
 public:
  FileKeeper(History& history, LessonShelf& lessons, std::filesystem::path recent, PackFolders folders)
      : history_(history), lessons_(lessons), recent_(std::move(recent)), work_(std::move(folders)) {}

  /// Whether it is a file, and of no kind that is opened otherwise.
  static bool isText(const std::filesystem::path& path);
  /// What cannot be opened changes nothing. A pack opens once it is unpacked: see takeDone().
  Status open(const std::filesystem::path& path, double seconds);
  Status openLesson(const std::string& lesson, double seconds);
  /// The state that is looked at becomes the last step of the lesson in that file.
  Status keepStep(const std::filesystem::path& file, double seconds);

  void askWhatToOpen();
  void askWhatToCompare();
  /// To the session's own file, where it was opened or saved before; else it asks.
  Status save();
  void askWhereToSave();
  void askWhereToKeepStep();
  enum class Packed { Session, Lesson };
  void askWhereToPack(Packed what);
  /// To the lesson that is open; without one it does nothing.
  void askWhereToSaveAnswers();
  /// Opens and saves what was chosen in the panels.
  void takeChosen(double seconds);
  /// What was saved since the last call, in words; empty: nothing.
  std::string takeSaid() { return std::exchange(said_, {}); }

  /// What is packed or unpacked at this moment.
  std::optional<Progress> progress() const { return work_.progress(); }
  void cancel() { work_.cancel(); }
  void finish() { work_.finish(); }
  /// Opens what was unpacked, shows what was checked; says what could not be done.
  Status takeDone(double seconds);
  /// Of what another implementation computed a dump is opened: it is held against this model. Null: none is.
  void setModel(const ShownModel* model) { model_ = model; }

  std::vector<Overlay*> panels() {
    return {&openPanel_,    &tracePanel_, &sessionPanel_, &lessonPanel_,
            &answersPanel_, &packPanel_,  &checkPanel_};
  }

  const RecentFiles& recent() const { return recent_; }
  void remember(const std::filesystem::path& path) { recent_.add(path); }
  /// The figure that was opened last, until what it was made from is there to be held against it.
  OpenedFigure& openedFigure() { return figureOrigin_; }

 private:
  std::filesystem::path folder() const;
  std::shared_ptr<const Lesson> lesson() const;
  Status openByKind(const std::filesystem::path& path, double seconds);
  Status openFigure(const std::filesystem::path& path, double seconds);
  Status openDump(const std::filesystem::path& path, double seconds);
  Status compareWith(const std::filesystem::path& path, double seconds);
  Status openAnswers(const std::filesystem::path& path, double seconds);
  Status pack(const std::filesystem::path& path);
  Status saveAnswers(const std::filesystem::path& path) const;
  Status saveTo(const std::filesystem::path& path);
  template <typename Act>
  void take(FilePanel& panel, Act act);

  History& history_;
  LessonShelf& lessons_;
  RecentFiles recent_;
  OpenedFigure figureOrigin_;
  FilePanel openPanel_{FilePanel::Purpose::Open, "Open",
                       "a session, a lesson, a text, a figure or a model folder"},
      tracePanel_{FilePanel::Purpose::Open, "Compare with",
                  "activations of another program: .npz or .safetensors of trace points"},
      sessionPanel_{FilePanel::Purpose::Save, "Save session", "everything as it is now"},
      lessonPanel_{FilePanel::Purpose::Append, "Keep as a step", "the last one of a lesson"},
      answersPanel_{FilePanel::Purpose::Save, "Save my answers", "to hand in"},
      packPanel_{FilePanel::Purpose::Save, "Pack", "with its models and runs, in one file"};
  CheckPanel checkPanel_;
  const ShownModel* model_ = nullptr;
  Packed packed_ = Packed::Session;
  std::filesystem::path own_;  // the session's file; empty: none yet
  std::string said_;
  FileWork work_;
};

}  // namespace glassformer
