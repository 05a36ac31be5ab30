#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/history.h"
#include "app/document/pin.h"
#include "app/drawing/scene_input.h"
#include "app/engine/model_library.h"
#include "app/engine/progress.h"
#include "app/engine/snapshot.h"
#include "app/panels/focus.h"
#include "app/panels/number_entry.h"
#include "app/scene/scene.h"
#include "app/scene/theme.h"
#include "app/screen/fonts.h"
#include "app/screen/scene_painter.h"
#include "imgui.h"

namespace glassformer {

struct Action;

class Training;
class LessonShelf;
class Manual;
class OpenedPasses;
struct Lesson;

/// What a panel asks of the program beyond a change of the Workspace.
enum class Request {
  Undo,
  Redo,
  EditText,       ///< the keyboard goes to the text
  Constrain,      ///< what the continuation has to be
  Rule,           ///< said of where the selected head looks
  Branches,       ///< their names, and what can be done with each
  OpenFile,       ///< choose a session, a text, a figure or a model
  CompareTrace,   ///< choose what another program computed of the model
  SaveSession,    ///< where it was opened or saved before; else choose where
  SaveSessionAs,  ///< choose where
  FullScreen,     ///< the window, or no longer
  Quit,
  Back,           ///< to what was looked at before
  CopyPicture,    ///< onto the clipboard
  PackSession,    ///< with its models and runs, into one file
  PackLesson,     ///< the open one, with its models
  StartPage,      ///< lessons, models, and what was open lately
  History,        ///< what can be undone and redone
  Lessons,        ///< the list of lessons
  SaveAnswers,    ///< writes the predictions that were made in the open lesson
  KeepStep,       ///< writes what is looked at into a lesson, as its next step
  Palette,        ///< the list of everything that can be done
  SwitchOff,      ///< the same, for the parts of the model
  KeyMap,         ///< the map of keys
  Manual,         ///< at what is in focus
  Model,          ///< the choices that the model is made of
  Library,        ///< the models there are
  Export,         ///< the dialog that saves the view as a figure
  Train,          ///< set up a training run, or open one
  StartTraining,  ///< as the workspace's plan says
  TrainOrPause,
  TrainStep,
  BranchRun,
  MeasureRun,
  Cancel,        ///< what is being worked on
  Resume,        ///< what was cancelled
  Input,         ///< shows the region with text and model, or takes it away
  Inspector,     ///< likewise
  PictureAlone,  ///< neither of them, nor the timeline; or all
  Spotlight,     ///< in a presentation: what is around the pointer alone
  Pen,           ///< in a presentation: draws over everything
  Black,         ///< in a presentation: nothing to be seen
  Freeze,        ///< in a presentation: the room keeps what it sees, while one goes on
  Speaker,       ///< in a presentation: notes, the next step and a clock, in a window of their own
  Present,       ///< stage and caption only, full screen; the same again ends it
};

/// A token of the open text and where a panel shows it.
struct TokenPlace {
  int token = 0;
  Box box;  ///< in the window
};

/// A token that may come next, and where a panel shows it.
struct CandidatePlace {
  int token = -1;  ///< -1: it is still to be chosen
  TensorRef cell;  ///< the number that was clicked
  Box box;         ///< in the window
};

/// What a panel gets to see and do during one frame. Places are in pixels at 100 %; `scale` brings them to
/// the screen.
struct Ui {
  const History& history;
  const Snapshot& snapshot;
  const Theme& theme;
  const Fonts& fonts;
  ScenePainter& painter;
  const Target& hover;   ///< what the pointer was on in the last frame, in whichever panel
  Focus& focus;          ///< what the keyboard is on
  NumberEntry& numbers;  ///< what is done to a number
  OpenedPasses& passes;  ///< that numbers compare
  const std::vector<ModelLibrary::Entry>& models;  ///< built-in ones
  const ModelLoader* loader = nullptr;             ///< of any model; null: none can be loaded
  const Training* training = nullptr;              ///< what is trained; null: nothing can be
  const LessonShelf* lessons = nullptr;            ///< those that ship
  const Manual* manual = nullptr;                  ///< that ships; null: none is there
  std::shared_ptr<const Lesson> lesson = {};       ///< the open one; null: none, or it cannot be read
  float scale = 1;
  double seconds = 0;                     ///< a steady clock
  std::optional<Progress> progress = {};  ///< what the engine is working on
  bool presenting = false;                ///< to a lecture hall

  Target nextHover;                         ///< what the pointer is on in this frame
  std::vector<Command> commands;            ///< take effect at the end of the frame
  std::vector<Request> requests;            ///< likewise
  int goToState = -1;                       ///< of the history; -1: stay
  std::string said;                         ///< of what was done, or why it cannot be; empty: nothing
  std::string manualPage;                   ///< asks for this page of the manual
  std::string modelField;                   ///< asks for the model panel, opened on this choice or number
  std::optional<TokenPlace> tokenMenu;      ///< asks for the menu of this token
  std::optional<CandidatePlace> candidate;  ///< asks what to do with a token that may come next
  Target why;                               ///< asks what made this number
  std::optional<Pin> whyPin;                ///< asks the same of one that is pinned in another pass
  std::optional<TokenPlace> selectedToken;  ///< where the selected one was drawn in this frame
  const Action* doneByKey = nullptr;        ///< the action that a key without Ctrl asked for; null: none did
  bool typing = false;                      ///< a text field takes the keyboard; shortcuts keep off
  bool lettersWrite = false;                ///< letters go to the text, and are no shortcuts
  bool typesNumber = false;                 ///< a number field takes Enter and Esc
  int lettersTaken = 0;                     ///< from A on, by the choices of a question
  bool isCovered = false;                   ///< by something that is open above, which has every key
  bool usesArrows = false;                  ///< a picture with the keyboard's mark takes the arrow keys
  bool usesTab = false;                     ///< a field completes with it
  bool usesEnter = false;                   ///< the control with the mark takes Enter and Space
  bool usesEscape = false;                  ///< something open or marked takes it
  bool animating = false;                   ///< draw another frame soon

  const Workspace& workspace() const { return history.current(); }
  /// For long enough to be spoken of.
  bool isWorking() const { return progress && progress->seconds >= Progress::noticeable; }
  void emit(Command command) { commands.push_back(std::move(command)); }
  void ask(Request request) { requests.push_back(request); }

  ImVec2 screen(Point p) const { return {p.x * scale, p.y * scale}; }
  Point pointer() const {
    const ImVec2 p = ImGui::GetIO().MousePos;
    return {p.x / scale, p.y / scale};
  }
  ScreenMetrics metrics() const { return ScreenMetrics(fonts, scale); }
  void draw(const Shape& shape) const { painter.paint(ImGui::GetWindowDrawList(), shape, {{0, 0}, scale}); }
  void drawText(Point at, const std::string& text, TextStyle style, Align horizontal = Align::Start,
                float maxWidth = 0) const {
    draw(Text{at, text, style, horizontal, Align::Middle, maxWidth, false, {}});
  }
};

}  // namespace glassformer
