// What keys and panels ask of the program.
#include "app/document/view_commands.h"
#include "app/engine/training.h"
#include "app/panels/action.h"
#include "app/shell/application.h"

namespace glassformer {

void Application::handleKeys(Ui& ui) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
  if (pressed(ImGuiKey_Tab) && !ImGui::GetIO().KeyCtrl && !ui.usesTab) {
    focus_.move(ImGui::GetIO().KeyShift ? -1 : 1);
    settleFrames_ = framesToSettle;
  }
  if (ImGui::IsMouseClicked(0)) focus_.clear();
  if (ui.usesEnter && (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_Space))) {
    focus_.activate();
    settleFrames_ = framesToSettle;
  }
  ui.usesEscape = ui.typing || focus_.active() || presenting_;
  if (pressed(ImGuiKey_Escape)) {
    if (!ui.usesEscape && !ui.isWorking()) ui.emit(commands::letTokensGo());
    focus_.clear();
    if (!ui.typing && !(presenting_ && (jump_.takeBack() || tools_.takeBack())))
      present(false);  // what is open above is closed first
  }
  zoomByWheel(ui);
  writeLetters(ui);
  const bool jumps = presenting_ && ui.lesson && !ui.typing && jump_.take(ui);
  if (!jumps) runShortcuts(ui);
}

// Where the input is a drawer, it opens for this.
void Application::openInput() {
  Look look = history_.current().look;
  look.inputOpen = true, look.inputClosed = false;
  if (!presenting_) history_.apply(commands::setLook(look), seconds());
}

void Application::editText() {
  openInput();
  panels_.editText(presenting_, *snapshot_);
}

// Who just types, types into the text, unless a picture was clicked or the keyboard's mark is somewhere.
void Application::writeLetters(Ui& ui) {
  ui.lettersWrite = lettersWrite_ = !ui.typing && !presenting_ && !focus_.isOnPictures() &&
                                    !focus_.active() && !snapshot_->model->hasNoWeights() &&
                                    ui.lettersTaken == 0;
  const std::string letters = ui.lettersWrite ? typedLetters() : "";
  if (letters.empty()) return;
  openInput();
  panels_.writeText(letters, *snapshot_);
  settleFrames_ = framesToSettle;
}

void Application::zoomByWheel(Ui& ui) const {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl || io.MouseWheel == 0) return;
  const Action& zoom = actionOf(io.MouseWheel > 0 ? "zoom-in" : "zoom-out");
  if (isAvailable(zoom, ui)) zoom.run(ui);
}

void Application::present(bool on) {
  if (on == presenting_) return;
  presenting_ = on;
  presentedSince_ = seconds();
  if (on) panels_.beginPresentation();
  tools_.end(), jump_.end();
  surface_->setFullScreen(on || fullScreen_);
  settleFrames_ = framesToSettle;
}

void Application::openSpeaker(bool open) {
  Look look = history_.current().look;
  look.speaker = open;
  history_.apply(commands::setLook(look), seconds());
}

// What goes on meanwhile is seen in the speaker's window.
void Application::freeze() {
  tools_.toggle(PresenterTools::Tool::Freeze);
  if (tools_.isFrozen()) openSpeaker(true);
}

void Application::serve(Request request) {
  settleFrames_ = framesToSettle;
  const bool takesModel = request == Request::Model || request == Request::Constrain ||
                          request == Request::SwitchOff || request == Request::Branches ||
                          (request == Request::StartTraining && history_.current().plan.keepsModel);
  if (takesModel && snapshot_->model->hasNoWeights()) {
    message_ = std::string(needsWeightsWords);
    return;
  }
  if (panels_.open(request, history_)) return;
  switch (request) {
    case Request::Undo:
      return history_.undo();
    case Request::Redo:
      return history_.redo();
    case Request::EditText:
      return editText();
    case Request::Input:
    case Request::Inspector:
    case Request::PictureAlone:
      return history_.apply(
          commands::setLook(panels_.withSides(history_.current().look, request, presenting_)), seconds());
    case Request::Spotlight:
      return tools_.toggle(PresenterTools::Tool::Spotlight);
    case Request::Pen:
      return tools_.toggle(PresenterTools::Tool::Pen);
    case Request::Black:
      return tools_.toggle(PresenterTools::Tool::Black);
    case Request::Freeze:
      return freeze();
    case Request::Speaker:
      return openSpeaker(!history_.current().look.speaker);
    case Request::OpenFile:
      return panels_.leaveBelow(), files_.askWhatToOpen();
    case Request::CompareTrace:
      return files_.askWhatToCompare();
    case Request::SaveSession:
      return panels_.leaveBelow(), report(files_.save());
    case Request::SaveSessionAs:
      return panels_.leaveBelow(), files_.askWhereToSave();
    case Request::FullScreen:
      fullScreen_ = !fullScreen_;
      return surface_->setFullScreen(fullScreen_ || presenting_);
    case Request::Quit:
      return surface_->close();
    case Request::Back:
      return goBack();
    case Request::PackSession:
      // What is packed of a run stands still, and is saved.
      if (runs_.isRunning()) runs_.training()->pause();
      return panels_.leaveBelow(), files_.askWhereToPack(FileKeeper::Packed::Session);
    case Request::PackLesson:
      return panels_.leaveBelow(), files_.askWhereToPack(FileKeeper::Packed::Lesson);
    case Request::SaveAnswers:
      return panels_.leaveBelow(), files_.askWhereToSaveAnswers();
    case Request::KeepStep:
      return keepStep();
    case Request::StartTraining:
      return runs_.start(history_.current(), *snapshot_);
    case Request::TrainOrPause:
      return runs_.isRunning() ? runs_.training()->pause() : runs_.training()->go();
    case Request::TrainStep:
      return runs_.training()->step();
    case Request::BranchRun:
      return runs_.branch(history_.current());
    case Request::MeasureRun:
      return runs_.training()->measure();
    case Request::Cancel:
      return cancel();
    case Request::Resume:
      return provider_->resume();
    case Request::Present:
      return present(!presenting_);
    default:  // what asks for a panel
      return;
  }
}

}  // namespace glassformer
