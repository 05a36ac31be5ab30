#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/history.h"
#include "app/engine/snapshot_provider.h"
#include "app/lesson/lesson_shelf.h"
#include "app/panels/message_bar.h"
#include "app/panels/opened_passes.h"
#include "app/panels/presenter_tools.h"
#include "app/panels/step_jump.h"
#include "app/screen/room_picture.h"
#include "app/shell/edit_follower.h"
#include "app/shell/file_keeper.h"
#include "app/shell/imgui_session.h"
#include "app/shell/run_keeper.h"
#include "app/shell/session_keeper.h"
#include "app/shell/speaker_window.h"
#include "app/shell/surface.h"
#include "app/shell/system_theme.h"
#include "app/shell/view_trail.h"
#include "app/shell/window_panels.h"

namespace glassformer {

struct ApplicationOptions {
  std::filesystem::path recent;                  ///< where the list of recent files is kept; empty: nowhere
  std::filesystem::path session;                 ///< where the session is kept; empty: nowhere
  std::string message;                           ///< shown at the start
  bool asksSystem = false;                       ///< for dark or light
  std::vector<ModelLibrary::Entry> models = {};  ///< built-in ones
  ModelLoader loader = {};                       ///< for what is computed beside the window
  std::shared_ptr<Training> training = {};       ///< null: nothing can be trained
  std::string model = {};                        ///< opens, if it can be; empty: the workspace's
  std::filesystem::path lessons = {};            ///< the folder of those that ship
  std::string lesson = {};                       ///< opens: one that ships, or a file
  Beginning beginning = Beginning::Instrument;
  PackFolders packs = {};            ///< what packs take along, and where they are unpacked
  std::optional<float> memory = {};  ///< gigabytes of one pass; without, the workspace's
};

/// The program with its window: owns the document, draws the window, hands every change to the provider of
/// snapshots and keeps the session file current. Draws only when something happened.
class Application {
 public:
  Application(std::unique_ptr<Surface> surface, std::shared_ptr<SnapshotProvider> provider, Workspace initial,
              ApplicationOptions options);
  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  /// Until the window is closed.
  void run();
  bool isClosing() const { return surface_->closing(); }
  /// Whether it can be closed at once. A run that goes on asks first.
  bool mayClose();
  /// One frame, at once. Without `rendered` it is built, with everything that follows from its events, but
  /// not drawn.
  void frame(bool rendered = true);
  /// Everything that is on the graphics card, anew: what was there is lost. Done by itself where that
  /// happens.
  Status renewGraphics();
  void resize(int width, int height) { surface_->resize(width, height); }
  /// Opens a session, a text, a figure or a model, as a file dropped onto the window does; where training is
  /// looked at, a text is one to learn from. A failure is shown.
  void open(const std::filesystem::path& path);

  const History& history() const { return history_; }
  const Snapshot& snapshot() const { return *snapshot_; }
  const Target& hover() const { return hover_; }
  const Focus& focus() const { return focus_; }
  ScenePainter& painter() { return painter_; }
  /// The window beside this one, in a presentation; null: none is open.
  SpeakerWindow* speaker() { return speaker_.get(); }
  const Fonts& fonts() const { return fonts_; }
  /// Whether letters that are typed now go to the text.
  bool lettersWrite() const { return lettersWrite_; }
  const std::string& message() const { return message_.text; }
  /// Milliseconds the last frame took up to its draw list: scenes, panels and layout, without the renderer.
  double buildMilliseconds() const { return buildMilliseconds_; }
  /// Whether another frame is due although nothing happened (a hover to settle, a newer snapshot).
  bool restless() const;
  /// Waits for what is packed or unpacked, and opens it.
  void finishFiles();

  /// What was drawn last: RGBA, top row first.
  std::vector<unsigned char> pixels() const;
  Status savePicture(const std::filesystem::path& png) const;

 private:
  void buildFrame();
  void render();
  Message messageShown() const;
  void drawWindow(Ui& ui, Point window);
  void followLesson();
  void keepStep();
  void report(const Status& status);
  void handleKeys(Ui& ui);
  void serve(Request request);
  std::optional<Progress> progress() const;
  void cancel();
  void present(bool on);
  void followSpeaker();
  void showSpeaker(bool rendered);
  void openSpeaker(bool open);
  void freeze();
  Ui uiOn(const DrawnOn& on, const Theme& theme, float scale);
  void takeFiles();
  bool learn(const std::filesystem::path& path);
  void followSystemTheme();
  Theme themeNow() const { return themeFor(history_.current().look.dark, history_.current().look.contrast); }
  void takeSnapshot();
  void followFigure();
  void followEdit();
  void refuseModel();
  void openInput();
  void editText();
  void writeLetters(Ui& ui);
  void zoomByWheel(Ui& ui) const;
  void applyChanges(Ui& ui);
  void offerUndo(const Ui& ui);
  void note(std::string words);
  void goBack();
  void ask();
  void saveSession();
  float scale() const;
  double seconds() const;

  std::unique_ptr<Surface> surface_;
  ImGuiSession imgui_;  // before all that draws
  Fonts fonts_;
  HeatmapRenderer heatmaps_;
  ScenePainter painter_;
  History history_;
  std::shared_ptr<SnapshotProvider> provider_;
  std::shared_ptr<const Snapshot> snapshot_;
  EditFollower edit_;
  ViewTrail trail_;
  SessionKeeper session_;
  Message message_;
  std::vector<ModelLibrary::Entry> models_;
  ModelLoader loader_;
  RunKeeper runs_;

  OpenedPasses passes_;
  LessonShelf lessons_;
  Manual manual_;
  std::string triedLesson_;  // that could not be opened: said once
  FileKeeper files_;
  Focus focus_;
  WindowPanels panels_;

  std::unique_ptr<SystemTheme> systemTheme_;  // null: not asked
  NumberEntry numbers_;
  bool presenting_ = false, fullScreen_ = false, lettersWrite_ = false;
  PresenterTools tools_;
  StepJump jump_;
  double presentedSince_ = 0;
  RoomPicture room_;
  std::unique_ptr<SpeakerWindow> speaker_;  // null: there is none
  bool working_ = false;                    // of the engine, as the last frame has it
  Target hover_;
  double buildMilliseconds_ = 0;
  static constexpr int framesToSettle = 3;  // hover and layout follow the event by up to two frames
  int settleFrames_ = 0;                    // frames still to draw after the last event
};

}  // namespace glassformer
