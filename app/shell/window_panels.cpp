#include "app/shell/window_panels.h"

#include <algorithm>

#include "app/lesson/lesson_walk.h"
#include "app/panels/lesson_outline.h"
#include "app/panels/splitters.h"
#include "app/views/views.h"

namespace glassformer {

namespace {
constexpr float presentedInput = 176;  // pixels of the input, in a presentation
constexpr int framesToWrite = 3;       // until a text field that was opened has the keyboard

Layout shownLayout(const Ui& ui, Point window) {
  return ui.presenting ? presentationLayout(window, ui.workspace(), PresentationPanel::heightFor(ui))
                       : layoutOf(window, ui.workspace());
}

bool readsText(const Snapshot& snapshot) {
  return snapshot.model->config && snapshot.model->config->isEncoderDecoder();
}

}  // namespace

void WindowPanels::begin(Beginning beginning) {
  if (beginning == Beginning::StartPage) openStartPage();
  if (beginning == Beginning::FirstPicture) first_.open();
}

void WindowPanels::draw(Ui& ui, Point window) {
  if (ui.presenting) first_.close();
  if (first_.isOpen()) return first_.draw(ui, {0, 0, window.x, window.y});
  const Look& look = ui.workspace().look;
  Layout layout = shownLayout(ui, window);
  const Box progress = progress_.takeRoom(ui, layout.stage);
  layout_ = layout;
  if (!ui.presenting)
    sides_ = {layout.compact ? look.inputOpen : !look.inputClosed,
              layout.narrow ? look.inspectorOpen : !look.inspectorClosed};
  if (!ui.presenting) topBar_.draw(ui, layout.top);
  input_.outline(why_.made());
  if (sides_.input && !layout.compact) input_.draw(ui, layout.left);
  const Cover cover = coveredNow(ui.lesson.get(), ui.workspace());
  if (cover.stage)
    stageCover_.draw(
        ui, {layout.stage.x, layout.stage.y, layout.stage.width + (layout.narrow ? 0 : layout.right.width),
             layout.stage.height});
  else
    stage_.draw(ui, layout.stage);
  trainingBar_.draw(ui, layout.training);
  if (ui.presenting)
    presentation_.draw(ui, layout.top);
  else if (cover.next || cover.tokens)
    timelineCover_.draw(ui, layout.bottom);
  else
    timeline_.draw(ui, layout.bottom);
  lesson_.draw(ui, layout.lesson);
  if (sides_.input && layout.compact) input_.draw(ui, layout.left, true);
  if (sides_.inspector && !cover.stage) inspector_.draw(ui, layout.right, layout.narrow);
  if (!ui.presenting) drawSplitters(ui, layout);
  progress_.show(ui, progress);
}

void WindowPanels::drawAbove(Ui& ui, Point window) {
  const Layout& layout = layout_;
  if (ui.presenting && inputFrames_ > 0) {
    const float width = std::min(layout.stage.width - 32, 560.0f);
    input_.draw(ui, {layout.stage.x + 16, layout.stage.bottom() - presentedInput, width, presentedInput},
                true);
    inputFrames_ = ui.typing ? framesToWrite : inputFrames_ - 1;
    if (inputFrames_ > 0) ui.animating = true;
  }
  const std::vector<Overlay*> above = overlays();
  if (!ui.presenting && std::ranges::none_of(above, &Overlay::isOpen))
    drawLessonOutline(ui, layout, input_, sides_.input);
  for (Overlay* overlay : above)
    overlay->show(ui, window, overlay == &manualPanel_ || !manualPanel_.isOpen());
  copier_.goOn(ui);
}

Look WindowPanels::withSides(Look look, Request request, bool presenting) {
  Sides wanted = sides_;
  if (request == Request::Input) wanted.input = !wanted.input;
  if (request == Request::Inspector) wanted.inspector = !wanted.inspector;
  if (request == Request::PictureAlone) wanted.input = wanted.inspector = !(sides_.input || sides_.inspector);
  sides_ = wanted;
  if (presenting) return look;
  (layout_.compact ? look.inputOpen : look.inputClosed) = layout_.compact == wanted.input;
  if (request == Request::PictureAlone) look.timelineClosed = !wanted.input;
  (layout_.narrow ? look.inspectorOpen : look.inspectorClosed) = layout_.narrow == wanted.inspector;
  return look;
}

std::vector<Overlay*> WindowPanels::overlays() {
  std::vector<Overlay*> all{&palette_,       &keyMap_,       &history_, &model_,    &library_, &tokenMenu_,
                            &candidateMenu_, &constraint_,   &rule_,    &branches_, &export_,  &training_,
                            &why_,           &lessonsPanel_, &start_,   &closing_};
  const auto files = files_.panels();
  all.insert(all.end() - 1, files.begin(), files.end());
  all.push_back(&manualPanel_);
  return all;
}

// Of what is in focus: the panel that is open, else the lecture, else the picture.
std::string WindowPanels::manualHeading(const Workspace& workspace) const {
  const std::pair<const Overlay*, const char*> panels[]{{&training_, "Set up a run"},
                                                        {&library_, "Models that ship"},
                                                        {&export_, "Export"},
                                                        {&model_, "Edit the architecture"},
                                                        {&why_, "Derivation"},
                                                        {&rule_, "Head detector"},
                                                        {&constraint_, "Constraints"},
                                                        {&branches_, "Branches"},
                                                        {&tokenMenu_, "Edit text"},
                                                        {&candidateMenu_, "Sampling"},
                                                        {&history_, "Undo and sessions"},
                                                        {&palette_, "Keys"},
                                                        {&keyMap_, "Keys"},
                                                        {&lessonsPanel_, "Lessons"},
                                                        {&start_, "First hour"}};
  for (const auto& [panel, heading] : panels)
    if (panel->isOpen()) return heading;
  if (first_.isOpen()) return "First hour";
  const auto isOpen = [&](const auto& lecture) { return lecture->id == workspace.lesson.lesson; };
  if (std::ranges::any_of(lessons_.lectures(), isOpen)) return "A lecture";
  return viewOf(workspace.view).picture(workspace.settings).label;
}

bool WindowPanels::open(Request request, const History& history) {
  if (request == Request::Train) return training_.begin(*runs_.training()), true;
  const auto begin = [&](auto act) { return leaveBelow(), act(), true; };
  switch (request) {
    case Request::Constrain:
      return begin([&] { constraint_.begin(history.current()); });
    case Request::Rule:
      return begin([&] { rule_.open(); });
    case Request::Branches:
      return begin([&] { branches_.open(); });
    case Request::StartPage:
      return begin([&] { openStartPage(); });
    case Request::History:
      return begin([&] { history_.open(); });
    case Request::Lessons:
      return begin([&] { lessonsPanel_.open(); });
    case Request::Palette:
      return begin([&] { palette_.open(); });
    case Request::SwitchOff:
      return begin([&] { palette_.beginSwitchingOff(); });
    case Request::KeyMap:
      return begin([&] { keyMap_.open(); });
    case Request::Manual:
      return begin([&] { manualPanel_.begin(manual_, manualHeading(history.current())); });
    case Request::Model:
      return begin([&] { model_.open(); });
    case Request::Library:
      return begin([&] {
        library_.begin(models_, runs_.training(), files_.recent().paths(), history.current().model);
      });
    case Request::CopyPicture:
      return copier_.ask(), true;
    case Request::Export:
      return begin([&] { export_.open(); });
    default:
      return false;
  }
}

void WindowPanels::openStartPage() {
  start_.begin(lessons_, models_, files_.recent().paths(), runs_.training());
}

bool WindowPanels::openAsked(const Ui& ui) {
  if (ui.manualPage.empty() && ui.modelField.empty() && ui.why.cell.empty() && !ui.whyPin && !ui.tokenMenu &&
      !ui.candidate)
    return false;
  leaveBelow();
  if (!ui.manualPage.empty()) manualPanel_.begin(manual_, ui.manualPage);
  if (!ui.modelField.empty()) model_.begin(ui.modelField);
  if (!ui.why.cell.empty()) why_.ask(ui.why);
  if (ui.whyPin) why_.ask(*ui.whyPin);
  if (ui.tokenMenu) tokenMenu_.begin(*ui.tokenMenu, ui.snapshot);
  if (ui.candidate) candidateMenu_.begin(*ui.candidate, ui.snapshot);
  return true;
}

void WindowPanels::leaveBelow() {
  focus_.clear();
  input_.leaveText();
}

void WindowPanels::editText(bool presenting, const Snapshot& snapshot) {
  if (presenting) inputFrames_ = framesToWrite;
  input_.focusText(readsText(snapshot));
}

void WindowPanels::writeText(std::string_view typed, const Snapshot& snapshot) {
  input_.writeText(readsText(snapshot), typed);
}

void WindowPanels::beginPresentation() {
  presentation_.begin();
  sides_ = {};
  inputFrames_ = 0;
}

}  // namespace glassformer
