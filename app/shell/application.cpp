#include "app/shell/application.h"

#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "app/document/model_commands.h"
#include "app/document/selection_commands.h"
#include "app/document/trace_file.h"
#include "app/document/training_commands.h"
#include "app/document/view_commands.h"
#include "app/engine/training.h"
#include "app/panels/action.h"
#include "app/shell/drawn_frame.h"
#include "app/shell/style.h"
#include "core/io/files.h"
#include "core/io/picture_note.h"
#include "core/model/pass_limit.h"

namespace glassformer {

namespace {
constexpr double lessonSeconds = 0.7;    // from one look at the lesson's file to the next
constexpr double progressSeconds = 0.1;  // from one look at work under way to the next
constexpr double clockSeconds = 0.5;  // from one look at the speaker's clock, or at what fades, to the next
constexpr double noticeSeconds = 8;   // that a message stays which asks for nothing
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
      manual_(options.lessons.empty() ? options.lessons : options.lessons.parent_path() / "manual"),
      files_(history_, lessons_, std::move(options.recent), std::move(options.packs)),
      panels_(focus_, files_, runs_, lessons_, manual_, models_) {
  if (options.memory) history_.apply(commands::setMemory(*options.memory), seconds());
  if (!options.model.empty()) history_.apply(commands::setModel(options.model), seconds());
  if (!options.lesson.empty()) report(files_.openLesson(options.lesson, seconds()));
  panels_.begin(options.beginning);
  snapshot_ = provider_->latest();  // before anything is asked: every answer is news
  ask();
  if (options.asksSystem) systemTheme_ = std::make_unique<SystemTheme>(wakeWindow);
}

Application::~Application() {
  if (session_.isUnsaved(history_)) saveSession();
}

double Application::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A presentation is read from the back row: it is the same picture on every screen, with letters of 18 pixels
// at the least where that is 1280 x 720.
float Application::scale() const {
  constexpr float smallestLetters = 18 / Theme::small;
  constexpr Point usualScreen{1280, 720};
  const Point pixels = surface_->pixels();
  const float room = std::min(pixels.x / usualScreen.x, pixels.y / usualScreen.y);
  return history_.current().look.zoom * (presenting_ ? room * smallestLetters : surface_->displayScale());
}

// One thing at a time is told of, and cancelled: what is packed, a run that is prepared, what is computed.
std::optional<Progress> Application::progress() const {
  if (const auto packing = files_.progress()) return packing;
  return runs_.progress() ? runs_.progress() : provider_->progress();
}

void Application::cancel() {
  if (files_.progress()) return files_.cancel();
  if (!runs_.progress()) return provider_->cancel();
  runs_.training()->cancel();
}

bool Application::restless() const {
  // Of what is pressed and let go at once, the second half waits for a frame of its own.
  if (imgui_.hasEvents() || (speaker_ && speaker_->hasEvents())) return true;
  if (heatmaps_.isBehind() || (speaker_ && speaker_->isBehind())) return true;
  const bool isOld = provider_->latest() != snapshot_;
  return settleFrames_ > 0 || isOld || (working_ && !progress());
}

void Application::run() {
  frame();
  while (!surface_->closing() || !mayClose()) {
    const bool unsaved = session_.isUnsaved(history_);
    const bool reads = history_.current().lesson.isOpen();  // its file, which may be written meanwhile
    const double patience = restless()                ? 0
                            : working_                ? progressSeconds
                            : unsaved                 ? SessionKeeper::patience
                            : reads                   ? lessonSeconds
                            : speaker_ || presenting_ ? clockSeconds
                            : message_.until > 0      ? std::max(0.0, message_.until - seconds())
                                                      : -1,
                 begun = seconds();
    surface_->wait(patience);
    if (reads && lessons_.refresh())
      settleFrames_ = framesToSettle;
    else if (patience == lessonSeconds && !speaker_ && !presenting_ && seconds() - begun >= patience)
      continue;  // nothing happened
    // Waking only to save needs no picture.
    const bool isDue = unsaved && session_.isDue(seconds()), onlySaving = isDue && !working_ && !restless();
    if (isDue) saveSession();
    if (!onlySaving || restless()) frame();
  }
}

bool Application::mayClose() {
  if (panels_.closing().isConfirmed() || !runs_.isRunning()) return true;
  surface_->keepOpen();
  panels_.leaveBelow();
  panels_.closing().open();
  settleFrames_ = framesToSettle;
  return false;
}

void Application::frame(bool rendered) {
  const double before = seconds();
  if (surface_->isLost())
    if (Status renewed = renewGraphics(); !renewed) throw std::runtime_error(renewed.error().message());
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
  panels_.release(), room_.release(), heatmaps_.release(), imgui_.release();
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
    message_ = "the speaker's window went with its monitor; " + keyText(actionOf("presenter-window")) +
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

void Application::followEdit() {
  const auto followed = edit_.follow(history_.current(), *snapshot_);
  if (!followed) return;
  history_.apply(commands::select(*followed), seconds());
  ask();
}

// A model that cannot be opened is a message; what was there stays.
void Application::refuseModel() {
  if (!history_.refuseModel(initialWorkspace().model)) return;
  message_ = snapshot_->standing.error;
  session_.changed(seconds());
  ask();
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
  if (!lesson || lessons_.shipped(lesson->id)) return panels_.leaveBelow(), files_.askWhereToKeepStep();
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
  drawWindow(ui, {display.x / ui.scale, display.y / ui.scale});
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
          .manual = &manual_,
          .lesson = lessons_.current(history_.current().lesson.lesson),
          .scale = scale,
          .seconds = seconds(),
          .progress = progress(),
          .presenting = presenting_,
          .nextHover = {},
          .commands = {}};
}

// What was done last; without it, why there is nothing to be seen.
Message Application::messageShown() const {
  if (!message_.text.empty() || !snapshot_->standing.failed()) return message_;
  Message failure = snapshot_->standing.error;
  failure.dismissable = false;
  return failure;
}

void Application::drawWindow(Ui& ui, Point window) {
  const Message said = messageShown();
  const float below = messageHeight(ui, window.x, said);
  const Point room{window.x, window.y - below};
  panels_.draw(ui, room);
  if (below > 0 && drawMessage(ui, {0, room.y, window.x, below}, said)) message_ = {}, ui.animating = true;
  panels_.drawAbove(ui, room);
  if (presenting_) tools_.show(ui, window), jump_.show(ui, window);
}

void Application::applyChanges(Ui& ui) {
  const std::uint64_t before = history_.revision();
  const Workspace shown = ui.commands.empty() && ui.requests.empty() ? Workspace{} : history_.current();
  for (const Command& command : ui.commands) history_.apply(command, ui.seconds);
  if (!ui.said.empty()) message_ = ui.said, settleFrames_ = framesToSettle;
  if (std::string refusal = history_.takeRefusal(); !refusal.empty())
    message_ = std::move(refusal), settleFrames_ = framesToSettle;
  if (history_.revision() != before) trail_.note(shown, history_.current());
  for (const Request request : ui.requests) serve(request);
  const bool isChanged = history_.revision() != before && history_.current().content() != shown.content();
  if (ui.doneByKey && isChanged) offerUndo(ui);
  if (history_.revision() != before) edit_.note(shown, history_.current(), *snapshot_, panels_.isWriting());
  if (ui.goToState >= 0) history_.goTo(ui.goToState);
  if (panels_.openAsked(ui)) settleFrames_ = framesToSettle;
  takeFiles();
  if (const std::string run = panels_.training().takeDeleted(); !run.empty()) runs_.training()->remove(run);
  if (std::string problem = runs_.update(history_, ui.seconds); !problem.empty())
    message_ = std::move(problem);
  if (panels_.closing().isConfirmed()) surface_->close();
  if (ui.animating) settleFrames_ = std::max(settleFrames_, 1);
  if (history_.revision() == before) return;
  session_.changed(ui.seconds);
  settleFrames_ = framesToSettle;
  ask();
}

// Who meant to write sees what a letter did instead.
void Application::offerUndo(const Ui& ui) {
  note(keyText(*ui.doneByKey) + ": " + ui.doneByKey->title + ". Undo: " + keyText(actionOf("undo")));
}

// What is said for a while.
void Application::note(std::string words) {
  message_ = std::move(words);
  message_.until = seconds() + noticeSeconds;
  settleFrames_ = framesToSettle;
}

void Application::goBack() {
  if (const auto before = trail_.back()) return history_.apply(*before, seconds());
  note("This is the first view.");
}

// For the numbers of what is there now.
void Application::ask() {
  setPassLimit(history_.current().machine.passLimit());
  provider_->request(history_.current(), history_.revision());
}

// A text that is dropped where training is looked at is one to learn from.
bool Application::learn(const std::filesystem::path& path) {
  const bool looksAtTraining = runs_.training() && history_.current().view == "training";
  if (!FileKeeper::isText(path) || !(panels_.training().isOpen() || looksAtTraining)) return false;
  if (!panels_.training().isOpen()) serve(Request::Train);
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
  if (std::string said = files_.takeSaid(); !said.empty()) note(std::move(said));
  if (const auto path = panels_.start().take(); !path.empty()) report(files_.open(path, seconds()));
  for (const auto& path : panels_.exports().takeSaved()) files_.remember(path);
}

void Application::finishFiles() {
  files_.finish();
  frame();
}

void Application::open(const std::filesystem::path& path) {
  if (learn(path)) return;
  files_.setModel(snapshot_->model.get());
  report(files_.open(path, seconds()));
  ask();
  settleFrames_ = framesToSettle;
}

void Application::saveSession() {
  if (Status saved = session_.save(history_); !saved)
    message_ = saved.error().message(), settleFrames_ = framesToSettle;
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
