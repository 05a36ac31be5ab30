#pragma once
#include <vector>

#include "app/panels/branches_panel.h"
#include "app/panels/candidate_menu.h"
#include "app/panels/closing_panel.h"
#include "app/panels/constraint_panel.h"
#include "app/panels/cover_panel.h"
#include "app/panels/export_panel.h"
#include "app/panels/first_panel.h"
#include "app/panels/history_panel.h"
#include "app/panels/input_panel.h"
#include "app/panels/inspector_panel.h"
#include "app/panels/key_map_panel.h"
#include "app/panels/layout.h"
#include "app/panels/lesson_panel.h"
#include "app/panels/lessons_panel.h"
#include "app/panels/library_panel.h"
#include "app/panels/manual_panel.h"
#include "app/panels/model_panel.h"
#include "app/panels/palette_panel.h"
#include "app/panels/picture_copier.h"
#include "app/panels/presentation_panel.h"
#include "app/panels/progress_panel.h"
#include "app/panels/rule_panel.h"
#include "app/panels/stage_panel.h"
#include "app/panels/start_panel.h"
#include "app/panels/timeline_panel.h"
#include "app/panels/token_menu.h"
#include "app/panels/top_bar.h"
#include "app/panels/training_bar.h"
#include "app/panels/training_panel.h"
#include "app/panels/why_panel.h"
#include "app/shell/file_keeper.h"
#include "app/shell/run_keeper.h"

namespace glassformer {

/// What a window shows first: the instrument alone, or below the start page, or a single picture.
enum class Beginning { Instrument, StartPage, FirstPicture };

/// Every panel of the window: those that stand in its regions, and those that lie above them once they are
/// opened.
class WindowPanels {
 public:
  /// `models` are the built-in ones. All of it is there for as long as the panels are.
  WindowPanels(Focus& focus, FileKeeper& files, const RunKeeper& runs, const LessonShelf& lessons,
               const Manual& manual, const std::vector<ModelLibrary::Entry>& models)
      : focus_(focus), files_(files), runs_(runs), lessons_(lessons), manual_(manual), models_(models) {}

  /// What stands in the regions of the window.
  void draw(Ui& ui, Point window);
  /// What lies above them: in a presentation the text while one writes, what the step of a lesson speaks of,
  /// and whatever is open.
  void drawAbove(Ui& ui, Point window);

  /// Opens the panel that is asked for; false: no panel is.
  bool open(Request request, const History& history);
  void openStartPage();
  /// Drops what panels have on the graphics card.
  void release() { manualPanel_.release(); }
  void begin(Beginning beginning);
  /// Opens what was asked for of a single thing in this frame: of a choice of the model, a number, a token.
  bool openAsked(const Ui& ui);
  /// Nothing below has the keyboard any more.
  void leaveBelow();

  /// The keyboard goes to the text: in a presentation it lies over the stage as long as one types.
  void editText(bool presenting, const Snapshot& snapshot);
  /// The same outside a presentation, with what was typed before.
  void writeText(std::string_view typed, const Snapshot& snapshot);
  bool isWriting() const { return input_.isWriting(); }
  void beginPresentation();
  /// Shows the regions at the sides that the request means, or takes them away: as the look says, or in a
  /// presentation for as long as it lasts.
  Look withSides(Look look, Request request, bool presenting);

  TrainingPanel& training() { return training_; }
  ClosingPanel& closing() { return closing_; }
  StartPanel& start() { return start_; }
  ExportPanel& exports() { return export_; }

 private:
  std::string manualHeading(const Workspace& workspace) const;
  std::vector<Overlay*> overlays();  // in the order in which they lie on each other

  Focus& focus_;
  FileKeeper& files_;
  const RunKeeper& runs_;
  const LessonShelf& lessons_;
  const Manual& manual_;
  const std::vector<ModelLibrary::Entry>& models_;

  TopBar topBar_;
  InputPanel input_;
  StagePanel stage_;
  TimelinePanel timeline_;
  InspectorPanel inspector_;
  TrainingBar trainingBar_;
  LessonPanel lesson_;
  PresentationPanel presentation_{stage_};
  FirstPanel first_;
  ProgressPanel progress_;
  CoverPanel stageCover_{"Stage cover"}, timelineCover_{"Timeline cover"};

  PalettePanel palette_;
  KeyMapPanel keyMap_;
  ExportPanel export_;
  PictureCopier copier_;
  HistoryPanel history_;
  WhyPanel why_;
  ConstraintPanel constraint_;
  RulePanel rule_;
  BranchesPanel branches_;
  ModelPanel model_;
  LibraryPanel library_;
  TokenMenu tokenMenu_;
  CandidateMenu candidateMenu_;
  TrainingPanel training_;
  LessonsPanel lessonsPanel_;
  ManualPanel manualPanel_;
  StartPanel start_;
  ClosingPanel closing_;
  struct Sides {
    bool input = false, inspector = false;
  };
  Sides sides_;          // that are shown, in the window or a presentation
  Layout layout_;        // of the frame that was drawn last
  int inputFrames_ = 0;  // that the input stays in a presentation, unless somebody types
};

}  // namespace glassformer
