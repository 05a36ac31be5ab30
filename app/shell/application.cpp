#include "app/shell/application.h"

#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "app/document/model_commands.h"
#include "app/document/selection_commands.h"
#include "app/document/session.h"
#include "app/document/trace_file.h"
#include "app/document/training_commands.h"
#include "app/document/view_commands.h"
#include "app/engine/edited_selection.h"
#include "app/engine/training.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/action.h"
#include "app/panels/widgets.h"
#include "app/shell/drawn_frame.h"
#include "app/shell/style.h"
#include "core/io/files.h"
#include "core/io/picture_note.h"
#include "imgui_internal.h"

namespace glassformer {

namespace {
constexpr int framesToSettle = 3;  // hover and layout follow the event by up to two frames
constexpr double saveAfterSeconds = 0.4;
constexpr float presentedInput = 176;    // pixels of the input, in a presentation
constexpr double lessonSeconds = 0.7;    // from one look at the lesson's file to the next
constexpr double progressSeconds = 0.1;  // from one look at work under way to the next
constexpr double clockSeconds = 0.5;     // from one look at the speaker's clock to the next
constexpr int speakerWidth = 1280, speakerHeight = 800;

}  // namespace

Application::Application(std::unique_ptr<Surface> surface, std::shared_ptr<SnapshotProvider> provider,
                         Workspace initial, ApplicationOptions options)
    : surface_(std::move(surface)),
      imgui_(*surface_),
      painter_(fonts_, heatmaps_),
      history_(std::move(initial)),
      provider_(std::move(provider)),
      session_(std::move(options.session)),
      message_(std::move(options.message)),
      models_(std::move(options.models)),
      loader_(std::move(options.loader)),
      runs_(std::move(options.training)),
      lessons_(options.lessons),
      files_(history_, lessons_, std::move(options.recent), std::move(options.places)) {
  if (!options.model.empty()) history_.apply(commands::setModel(options.model), seconds());
  if (!options.lesson.empty()) report(files_.openLesson(options.lesson, seconds()));
  if (options.startPage) openStartPage();
  snapshot_ = provider_->latest();  // before anything is asked: every answer is news
  provider_->request(history_.current(), history_.revision());
  if (options.asksSystem) systemTheme_ = std::make_unique<SystemTheme>(wakeWindow);
}

Application::~Application() { saveSessionIfDue(true); }

double Application::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A presentation is read from the back row.
float Application::scale() const {
  constexpr float presentationZoom = 1.5f;
  return surface_->displayScale() * history_.current().look.zoom * (presenting_ ? presentationZoom : 1);
}

// One thing at a time is told of, and cancelled: what is packed, a run that is prepared, what is computed.
std::optional<Progress> Application::progress() const {
  if (const auto packing = files_.progress()) return packing;
  return runs_.progress() ? runs_.progress() : provider_->progress();
}

void Application::cancel() {
  if (files_.progress()) return files_.cancel();
  runs_.progress() ? runs_.training()->cancel() : provider_->cancel();
}

bool Application::restless() const {
  // Of what is pressed and let go at once, the second half waits for a frame of its own.
  if (imgui_.hasEvents() || (speaker_ && speaker_->hasEvents())) return true;
  return settleFrames_ > 0 || provider_->latest() != snapshot_ || (working_ && !progress());
}

void Application::run() {
  frame();
  while (!surface_->closing() || !mayClose()) {
    const bool unsaved = savedRevision_ != history_.revision() && !session_.empty();
    const bool reads = history_.current().lesson.isOpen();  // its file, which may be written meanwhile
    const double patience = restless() ? 0
                            : working_ ? progressSeconds
                            : unsaved  ? saveAfterSeconds
                            : reads    ? lessonSeconds
                            : speaker_ ? clockSeconds
                                       : -1,
                 begun = seconds();
    surface_->wait(patience);
    if (reads && lessons_.refresh())
      settleFrames_ = framesToSettle;
    else if (patience == lessonSeconds && !speaker_ && seconds() - begun >= patience)
      continue;  // nothing happened
    // Waking only to save needs no picture.
    const bool onlySaving = unsaved && !working_ && !restless() && seconds() - changedAt_ > saveAfterSeconds;
    saveSessionIfDue(false);
    if (!onlySaving || restless()) frame();
  }
}

bool Application::mayClose() {
  if (closing_.isConfirmed() || !runs_.isRunning()) return true;
  surface_->keepOpen();
  leaveBelow();
  closing_.open();
  settleFrames_ = framesToSettle;
  return false;
}

void Application::frame(bool rendered) {
  const double before = seconds();
  if (surface_->isLost())
    if (const Status renewed = renewGraphics(); !renewed) throw std::runtime_error(renewed.error().message());
  followSpeaker();
  buildFrame();
  buildMilliseconds_ = (seconds() - before) * 1e3;
  if (rendered) render();
  if (runs_.isRunning()) {
    if (rendered) glFinish();  // only then is known what it cost
    runs_.training()->drawn(seconds() - before);
  }
  if (rendered) surface_->present();
  if (speaker_) showSpeaker(rendered);
}

// The speaker's window shares what is lost: it is opened again with the next frame, if it is wanted.
Status Application::renewGraphics() {
  speaker_.reset();
  imgui_.use();
  room_.release(), heatmaps_.release(), imgui_.release();
  if (Status renewed = surface_->renew(); !renewed) return renewed;
  imgui_.make(), heatmaps_.make();
  settleFrames_ = framesToSettle;
  return success();
}

// The speaker's window is there while one presents, where it was asked for; closed, it is not asked for any
// more.
void Application::followSpeaker() {
  Look look = history_.current().look;
  if (speaker_ && speaker_->closing()) look.speaker = false;
  if (speaker_ && speaker_->lostMonitor())
    message_ = "the speaker's window went with its monitor; " + keyText(actionOf("Speaker's window")) +
               " opens it again";
  const bool wanted = presenting_ && look.speaker;
  if (wanted && !speaker_) {
    auto beside = surface_->openBeside(speakerWidth, speakerHeight, "Glassformer: for the speaker");
    if (beside)
      speaker_ = std::make_unique<SpeakerWindow>(std::move(*beside));
    else
      look.speaker = false, message_ = beside.error().message();
  } else if (!wanted && speaker_) {
    speaker_.reset();
    imgui_.letGo();
  }
  imgui_.use();
  if (look != history_.current().look) history_.apply(commands::setLook(look), seconds());
}

// What is done there is done to the same document.
void Application::showSpeaker(bool rendered) {
  const Theme theme = themeNow();
  for (const auto& path : speaker_->takeDropped()) open(path);
  Ui ui = uiOn(speaker_->drawnOn(), theme, surface_->displayScale() * history_.current().look.zoom);
  const RoomShown room{room_.texture(),   surface_->pixels(), imgui_.context(),
                       tools_.isFrozen(), tools_.isBlack(),   presentedSince_};
  speaker_->frame(ui, room, rendered);
  imgui_.use();
  if (speaker_->hadEvents()) settleFrames_ = framesToSettle;
  applyChanges(ui);
}

void Application::followSystemTheme() {
  Look look = history_.current().look;
  const std::optional<bool> dark = systemTheme_ ? systemTheme_->dark() : std::nullopt;
  if (!dark || !look.followsSystem || *dark == look.dark) return;
  look.dark = *dark;
  history_.apply(commands::setLook(look), seconds());
}

void Application::takeSnapshot() {
  auto latest = provider_->latest();
  if (latest == snapshot_) return;
  snapshot_ = std::move(latest);
  // What moves on all the time is not waited for.
  settleFrames_ = std::max(settleFrames_, runs_.isRunning() ? 1 : framesToSettle);
  followEdit();
  if (!snapshot_->standing.refused.empty() && snapshot_->standing.refused == history_.current().model)
    refuseModel();
}

void Application::followFigure() {
  OpenedFigure& opened = files_.openedFigure();
  if (!opened.isWaiting()) return;
  if (std::string other = opened.update(*snapshot_); !other.empty()) message_ = std::move(other);
  settleFrames_ = std::max(settleFrames_, 1);
}

// Positions that were chosen are those of tokens: writing before them moves them along with these. Edits of
// tokens choose for themselves.
void Application::noteEdit(const Workspace& before, bool writes) {
  const Workspace& now = history_.current();
  const bool sameTab =
      now.model == before.model && now.tab == before.tab && now.tabCount() == before.tabCount();
  if (!sameTab || now.selection != before.selection) return editedFrom_.reset();
  const bool edited = now.text != before.text || now.source != before.source;
  const bool read = snapshot_->pass->text == before.text && snapshot_->pass->source == before.source;
  if (writes && edited && read && !editedFrom_) editedFrom_ = snapshot_;
}

void Application::followEdit() {
  const Workspace& now = history_.current();
  if (!editedFrom_ || snapshot_->pass->text != now.text || snapshot_->pass->source != now.source) return;
  const auto before = std::exchange(editedFrom_, nullptr);
  const Selection followed = afterEdit(now.selection, *before, *snapshot_);
  if (followed == now.selection) return;
  history_.apply(commands::select(followed), seconds());
  provider_->request(now, history_.revision());
}

// A model that cannot be opened is a message; what was there stays.
void Application::refuseModel() {
  if (!history_.refuseModel(initialWorkspace().model)) return;
  message_ = snapshot_->standing.error;
  changedAt_ = seconds();
  provider_->request(history_.current(), history_.revision());
}

// The lesson that the workspace names is open: after a start, and where its file has changed.
void Application::followLesson() {
  const std::string& lesson = history_.current().lesson.lesson;
  if (lesson.empty()) return triedLesson_.clear();
  if (lessons_.current(lesson)) return;
  if (lesson == triedLesson_) return;
  triedLesson_ = lesson;
  if (const auto opened = lessons_.open(lesson); !opened)
    message_ = "the lesson cannot be opened: " + opened.error().message();
}

// Where the open lesson is one's own, it goes on with it; else one chooses a file.
void Application::keepStep() {
  const auto lesson = lessons_.current(history_.current().lesson.lesson);
  const bool own =
      lesson && std::ranges::find(lessons_.ships(), lesson->id, &Lesson::id) == lessons_.ships().end();
  if (!own) return leaveBelow(), files_.askWhereToKeepStep();
  report(files_.keepStep(lesson->file, seconds()));
}

void Application::report(const Status& status) {
  if (!status) message_ = status.error().message();
}

void Application::buildFrame() {
  followSystemTheme();
  followLesson();
  takeSnapshot();
  followFigure();
  const Theme theme = themeNow();
  applyStyle(theme, scale());
  imgui_.newFrame();
  // What an event changed while its frame was being built is seen in those that follow.
  if (imgui_.hadEvents()) settleFrames_ = framesToSettle;
  painter_.beginFrame(theme);
  focus_.beginFrame();
  Ui ui = uiOn(DrawnOn{fonts_, painter_, hover_, focus_, numbers_}, theme, scale());
  ui.typesNumber = numbers_.typing();
  ui.usesEnter = focus_.active() && !ImGui::GetIO().WantTextInput;
  working_ = ui.progress.has_value();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  drawPanels(ui, {display.x / ui.scale, display.y / ui.scale});
  handleKeys(ui);
  ImGui::Render();
  settleFrames_ = ui.nextHover == hover_ ? std::max(settleFrames_ - 1, 0) : framesToSettle;
  Target next = std::move(ui.nextHover);
  applyChanges(ui);
  numbers_.endFrame();
  hover_ = std::move(next);
}

Ui Application::uiOn(const DrawnOn& on, const Theme& theme, float scale) {
  return {.history = history_,
          .snapshot = *snapshot_,
          .theme = theme,
          .fonts = on.fonts,
          .painter = on.painter,
          .hover = on.hover,
          .focus = on.focus,
          .numbers = on.numbers,
          .passes = passes_,
          .models = models_,
          .loader = loader_ ? &loader_ : nullptr,
          .training = runs_.training(),
          .lessons = &lessons_,
          .lesson = lessons_.current(history_.current().lesson.lesson),
          .scale = scale,
          .seconds = seconds(),
          .progress = progress(),
          .presenting = presenting_,
          .nextHover = {},
          .commands = {}};
}

void Application::drawPanels(Ui& ui, Point window) {
  const Look& look = ui.workspace().look;
  const Layout layout =
      presenting_ ? presentationLayout(window, ui.workspace()) : layoutOf(window, ui.workspace());
  if (!presenting_) topBar_.draw(ui, layout.top);
  if (!presenting_ && !layout.compact) input_.draw(ui, layout.left);
  const bool covered = isCovered(ui.lesson.get(), ui.workspace());
  if (covered)
    stageCover_.draw(ui, {layout.stage.x, layout.stage.y,
                          layout.stage.width + (layout.narrow || presenting_ ? 0 : layout.right.width),
                          layout.stage.height});
  else
    stage_.draw(ui, layout.stage);
  trainingBar_.draw(ui, layout.training);
  if (presenting_)
    presentation_.draw(ui, layout.bottom);
  else if (covered)
    timelineCover_.draw(ui, layout.bottom);
  else
    timeline_.draw(ui, layout.bottom);
  lessonPanel_.draw(ui, layout.lesson);
  if (!presenting_) {
    if (layout.compact && look.inputOpen) input_.draw(ui, layout.left, true);
    if ((!layout.narrow || look.inspectorOpen) && !covered) inspector_.draw(ui, layout.right, layout.narrow);
    drawSplitters(ui, layout);
  }
  progress_.show(ui, layout.stage);
  drawMessage(ui, window);
  if (presenting_ && inputFrames_ > 0) {
    const float width = std::min(layout.stage.width - 32, 560.0f);
    input_.draw(ui, {layout.stage.x + 16, layout.stage.bottom() - presentedInput, width, presentedInput},
                true);
    inputFrames_ = ui.typing ? framesToSettle : inputFrames_ - 1;
    if (inputFrames_ > 0) ui.animating = true;
  }
  drawOutline(ui, layout);
  for (Overlay* overlay : overlays()) overlay->show(ui, window);
  if (presenting_) tools_.show(ui, window), jump_.show(ui, window);
}

std::vector<Overlay*> Application::overlays() {
  std::vector<Overlay*> all{&palette_,       &keyMap_,     &historyPanel_, &modelPanel_, &library_,
                            &tokenMenu_,     &constraint_, &hypothesis_,   &branches_,   &export_,
                            &trainingPanel_, &why_,        &lessonsPanel_, &start_,      &closing_};
  const auto files = files_.panels();
  all.insert(all.end() - 1, files.begin(), files.end());
  return all;
}

void Application::drawSplitters(Ui& ui, const Layout& layout) {
  Look look = ui.workspace().look;
  const auto handle = [&](const char* name, const Box& box, bool vertical) {
    ImGui::SetNextWindowPos(ui.screen({box.x, box.y}));
    ImGui::SetNextWindowSize({box.width * ui.scale, box.height * ui.scale});
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const float moved = widgets::splitter(ui, name, box, vertical);
    ImGui::End();
    return moved;
  };
  if (!layout.compact)
    look.leftWidth +=
        handle("Left edge", {layout.left.right() - 4, layout.left.y, 8, layout.left.height}, true);
  if (!layout.narrow)
    look.rightWidth -=
        handle("Right edge", {layout.right.x - 4, layout.right.y, 8, layout.right.height}, true);
  look.bottomHeight -=
      handle("Bottom edge", {layout.bottom.x, layout.bottom.y - 4, layout.bottom.width, 8}, false);
  if (look != ui.workspace().look) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ui.emit(commands::setLook(clampedRegions(look, {display.x / ui.scale, display.y / ui.scale})));
  }
}

// The region of the window that the step of the lesson speaks of.
void Application::drawOutline(Ui& ui, const Layout& layout) {
  if (!ui.lesson || presenting_ || std::ranges::any_of(overlays(), &Overlay::isOpen)) return;
  const auto step = static_cast<std::size_t>(stepOf(*ui.lesson, ui.workspace()));
  const std::string& region = ui.lesson->steps[step].outline;
  if (region.empty()) return;
  Box above = layout.left;  // the rest is the map of the model
  const Box input = above.takeTop(InputPanel::textBottom(layout.left));
  const Box box = region == "input"   ? input
                  : region == "map"   ? above
                  : region == "stage" ? layout.stage
                  : region == "views" ? layout.top
                                      : layout.bottom;
  if (box.width > 1 && box.height > 1)
    ui.painter.paint(ImGui::GetForegroundDrawList(),
                     Rect{box.inset(2), {0, 0, 0, 0}, ui.theme.accent, Theme::radius, 2}, {{0, 0}, ui.scale});
}

void Application::drawMessage(Ui& ui, Point window) {
  const std::string& text = message_.empty() ? snapshot_->standing.error : message_;
  if (text.empty() || (message_.empty() && snapshot_->standing.incomplete)) return;
  constexpr float buttons = 112;
  const float width =
      std::min(window.x - 64, ui.metrics().width(text, FontFace::Ui, Theme::small) + 40 + buttons);
  const Box box{(window.x - width) / 2, window.y - 64, width, 40};
  const Box around = box.inset(-2);
  ImGui::SetNextWindowPos(ui.screen({around.x, around.y}));
  ImGui::SetNextWindowSize({around.width * ui.scale, around.height * ui.scale});
  ImGui::Begin("Message", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  // Above all panels, but without the focus, which would take what is pressed elsewhere away.
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  ui.draw(Rect{box, ui.theme.raised, ui.theme.broken.faded(0.7f), Theme::radius, 1});
  ui.drawText({box.x + 16, box.center().y}, text, ui.theme.plain(), Align::Start, box.width - 40 - buttons);
  if (widgets::button(ui, "Copy##message", {box.right() - buttons + 4, box.y + 4, 64, 32},
                      {.look = widgets::Look::Raised, .tip = "copy this message"}))
    ImGui::SetClipboardText(text.c_str());
  const bool dismissable = !message_.empty();
  if (dismissable && widgets::button(ui, "Dismiss", {box.right() - 36, box.y + 4, 32, 32}, {.icon = "✕"}))
    message_.clear();
  ImGui::End();
}

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
    focus_.clear();
    if (!ui.typing && !(presenting_ && (jump_.takeBack() || tools_.takeBack())))
      present(false);  // what is open above is closed first
  }
  const bool jumps = presenting_ && ui.lesson && !ui.typing && jump_.take(ui);
  if (!jumps) runShortcuts(ui);
}

// Where the input is a drawer, it opens for this; in a presentation it lies over the stage as long as one
// types.
void Application::editText() {
  if (presenting_) {
    inputFrames_ = framesToSettle;
    return input_.focusText(snapshot_->model->config && snapshot_->model->config->reads());
  }
  Look look = history_.current().look;
  look.inputOpen = true;
  history_.apply(commands::setLook(look), seconds());
  input_.focusText(snapshot_->model->config && snapshot_->model->config->reads());
}

// The keyboard is the overlay's alone.
void Application::leaveBelow() {
  focus_.clear();
  input_.leaveText();
}

void Application::present(bool on) {
  if (on == presenting_) return;
  presenting_ = on;
  presentedSince_ = seconds();
  if (on) presentation_.begin(presentedSince_);
  tools_.end(), jump_.end();
  inputFrames_ = 0;
  surface_->setFullScreen(on);
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

void Application::openStartPage() {
  start_.begin(lessons_, models_, files_.recent().paths(), runs_.training());
}

void Application::serve(Request request) {
  settleFrames_ = framesToSettle;
  const bool takesModel = request == Request::Model || request == Request::Constrain ||
                          request == Request::SwitchOff || request == Request::Branches ||
                          (request == Request::StartTraining && history_.current().plan.keepsModel);
  if (takesModel && snapshot_->model->isRecorded()) {
    message_ = needsWeightsWords;
    return;
  }
  switch (request) {
    case Request::Undo:
      return history_.undo();
    case Request::Redo:
      return history_.redo();
    case Request::EditText:
      return editText();
    case Request::Constrain:
      return leaveBelow(), constraint_.begin(history_.current());
    case Request::Hypothesis:
      return leaveBelow(), hypothesis_.begin(history_.current(), *snapshot_);
    case Request::Branches:
      return leaveBelow(), branches_.open();
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
      return leaveBelow(), files_.askWhatToOpen();
    case Request::CompareTrace:
      return files_.askWhatToCompare();
    case Request::SaveSession:
      return leaveBelow(), files_.askWhereToSave();
    case Request::PackSession:
      // What is packed of a run stands still, and is saved.
      if (runs_.isRunning()) runs_.training()->pause();
      return leaveBelow(), files_.askWhereToPack(FileKeeper::Packed::Session);
    case Request::PackLesson:
      return leaveBelow(), files_.askWhereToPack(FileKeeper::Packed::Lesson);
    case Request::StartPage:
      return leaveBelow(), openStartPage();
    case Request::History:
      return leaveBelow(), historyPanel_.open();
    case Request::Lessons:
      return leaveBelow(), lessonsPanel_.open();
    case Request::SaveAnswers:
      return leaveBelow(), files_.askWhereToSaveAnswers();
    case Request::KeepStep:
      return keepStep();
    case Request::Palette:
      return leaveBelow(), palette_.open();
    case Request::SwitchOff:
      return leaveBelow(), palette_.beginSwitchingOff();
    case Request::KeyMap:
      return leaveBelow(), keyMap_.open();
    case Request::Model:
      return leaveBelow(), modelPanel_.open();
    case Request::Library:
      return leaveBelow(),
             library_.begin(models_, runs_.training(), files_.recent().paths(), history_.current().model);
    case Request::Export:
      return leaveBelow(), export_.open();
    case Request::Train:
      return leaveBelow(), trainingPanel_.begin(*runs_.training());
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
  }
}

void Application::applyChanges(Ui& ui) {
  const std::uint64_t before = history_.revision();
  const Workspace shown = ui.commands.empty() && ui.requests.empty() ? Workspace{} : history_.current();
  for (const Command& command : ui.commands) history_.apply(command, ui.seconds);
  if (!ui.said.empty()) message_ = ui.said, settleFrames_ = framesToSettle;
  if (std::string refusal = history_.takeRefusal(); !refusal.empty())
    message_ = std::move(refusal), settleFrames_ = framesToSettle;
  for (const Request request : ui.requests) serve(request);
  if (history_.revision() != before) noteEdit(shown, input_.isWriting());
  if (ui.goToState >= 0) history_.goTo(ui.goToState);
  if (!ui.modelField.empty()) leaveBelow(), modelPanel_.begin(ui.modelField), settleFrames_ = framesToSettle;
  if (!ui.why.cell.empty()) leaveBelow(), why_.ask(ui.why), settleFrames_ = framesToSettle;
  if (ui.whyPin) leaveBelow(), why_.ask(*ui.whyPin), settleFrames_ = framesToSettle;
  if (ui.tokenMenu) leaveBelow(), tokenMenu_.begin(*ui.tokenMenu, *snapshot_), settleFrames_ = framesToSettle;
  takeFiles();
  if (const std::string run = trainingPanel_.takeDeleted(); !run.empty()) runs_.training()->remove(run);
  if (std::string problem = runs_.update(history_, ui.seconds); !problem.empty())
    message_ = std::move(problem);
  if (closing_.isConfirmed()) surface_->close();
  if (ui.animating) settleFrames_ = std::max(settleFrames_, 1);
  if (history_.revision() == before) return;
  changedAt_ = ui.seconds;
  settleFrames_ = framesToSettle;
  provider_->request(history_.current(), history_.revision());
}

// A text that is dropped where training is looked at is one to learn from.
bool Application::learn(const std::filesystem::path& path) {
  const bool looksAtTraining = runs_.training() && history_.current().view == "training";
  if (!FileKeeper::isText(path) || !(trainingPanel_.isOpen() || looksAtTraining)) return false;
  if (!trainingPanel_.isOpen()) serve(Request::Train);
  const TrainingPlan before = TrainingPanel::planOf(history_.current());
  TrainingPlan plan = before;
  plan.task = textTaskName, plan.file = path.string();
  history_.apply(commands::setUpRun(before, std::move(plan)), seconds());
  settleFrames_ = framesToSettle;
  return true;
}

// What was dropped onto the window or chosen in a panel.
void Application::takeFiles() {
  files_.setModel(snapshot_->model.get());
  for (const auto& path : surface_->takeDropped()) open(path);
  files_.takeChosen(seconds());
  report(files_.takeDone(seconds()));
  if (const auto path = start_.take(); !path.empty()) report(files_.open(path, seconds()));
  for (const auto& path : export_.takeSaved()) files_.remember(path);
}

void Application::finishFiles() {
  files_.finish();
  frame();
}

void Application::open(const std::filesystem::path& path) {
  if (learn(path)) return;
  files_.setModel(snapshot_->model.get());
  report(files_.open(path, seconds()));
  provider_->request(history_.current(), history_.revision());
  settleFrames_ = framesToSettle;
}

void Application::saveSessionIfDue(bool now) {
  if (session_.empty() || savedRevision_ == history_.revision()) return;
  if (!now && seconds() - changedAt_ < saveAfterSeconds) return;
  savedRevision_ = history_.revision();
  if (const Status status = saveSession(session_, history_.current()); !status) {
    message_ = status.error().message();
    session_.clear();  // said once
    settleFrames_ = framesToSettle;
  }
}

void Application::render() {
  const bool hides = speaker_ || tools_.isFrozen();
  const unsigned framebuffer = surface_->framebuffer();
  drawFrame(hides ? room_.begin(surface_->pixels()) : framebuffer, surface_->pixels(), themeNow().ground);
  if (hides) room_.show(framebuffer, tools_.isFrozen());
  if (tools_.isBlack()) drawBlack(framebuffer);
}

std::vector<unsigned char> Application::pixels() const { return pixelsOf(*surface_); }

Status Application::savePicture(const std::filesystem::path& png) const {
  return glassformer::savePicture(*surface_, png);
}

}  // namespace glassformer
