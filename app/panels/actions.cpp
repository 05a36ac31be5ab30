#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/attention_commands.h"
#include "app/document/attention_planes.h"
#include "app/document/branch_commands.h"
#include "app/document/comparison_commands.h"
#include "app/document/decoding_commands.h"
#include "app/document/hypothesis_settings.h"
#include "app/document/model_commands.h"
#include "app/document/selection_commands.h"
#include "app/document/steps.h"
#include "app/document/switches.h"
#include "app/document/text_commands.h"
#include "app/document/token_edit.h"
#include "app/document/trace_file.h"
#include "app/document/training_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/parts.h"
#include "app/engine/patch_map.h"
#include "app/engine/training.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/action.h"
#include "app/panels/lesson_panel.h"
#include "app/panels/model_panel.h"
#include "app/panels/number_change.h"
#include "app/panels/pinned_numbers.h"
#include "app/panels/timeline_panel.h"
#include "app/panels/why_panel.h"
#include "app/views/residual/geometry_vectors.h"
#include "app/views/views.h"
#include "core/lens/patching.h"
#include "core/model/point_names.h"

namespace glassformer {

namespace {

// What actions do.

template <Request request>
void ask(Ui& ui) {
  ui.ask(request);
}

template <int by>
void moveStep(Ui& ui) {
  const auto steps = stepsOf(*ui.snapshot.model->transformer);
  const int last = static_cast<int>(steps.size()) - 1,
            next = std::clamp(placeOf(ui.workspace().step, steps) + by, 0, last);
  ui.emit(commands::setStep(nameOf(steps[static_cast<std::size_t>(next)])));
}

// Page keys, which clickers have: through the lesson, and through the model where none is open.
template <int by>
void turnPage(Ui& ui) {
  if (ui.lesson)
    turnLessonPage(ui, by);
  else
    moveStep<by>(ui);
}
void closeLesson(Ui& ui) { ui.emit(commands::closeLesson()); }

// Through all heads of all blocks, in order.
template <int by>
void moveHead(Ui& ui) {
  const ModelConfig& config = *ui.snapshot.model->config;
  const Selection& at = ui.workspace().selection;
  const int count = blocksAt(config, shownSite(ui.workspace(), config)) * config.heads;
  const int next = std::clamp(at.layer * config.heads + at.head + by, 0, count - 1);
  ui.emit(commands::selectHead(next / config.heads, next % config.heads));
}

template <int by>
void moveBlock(Ui& ui) {
  const ModelConfig& config = *ui.snapshot.model->config;
  const Selection& at = ui.workspace().selection;
  const int last = blocksAt(config, shownSite(ui.workspace(), config)) - 1;
  ui.emit(commands::selectHead(std::clamp(at.layer + by, 0, last), at.head));
}

template <int by>
void moveToken(Ui& ui) {
  const int last = ui.snapshot.pass->trace->tokenCount() - 1;
  const int at = ui.snapshot.positionOr(ui.workspace().selection.query, Stream::Text);
  ui.emit(commands::selectQuery(std::clamp(at + by, 0, last)));
}

// The selected token of the newest text, whether or not the model read as far as it.
int selectedToken(const Ui& ui) {
  const int last = static_cast<int>(ui.snapshot.pass->tokens.size()) - 1,
            chosen = ui.workspace().selection.query;
  if (chosen < 0 && ui.snapshot.pass->hasTrace() && ui.snapshot.pass->countOf(Stream::Text) == last + 1)
    return ui.snapshot.positionOr(chosen, Stream::Text);
  return chosen < 0 || chosen > last ? last : chosen;
}

void editToken(Ui& ui) {
  if (ui.tokenMenu) return;  // of the one with the keyboard's mark
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const TokenPlace middle{selectedToken(ui), {display.x / ui.scale / 2, display.y / ui.scale / 2, 0, 0}};
  ui.tokenMenu = ui.selectedToken.value_or(middle);
}

void deleteToken(Ui& ui) { ui.emit(commands::deleteToken(ui.snapshot.pass->tokenized(), selectedToken(ui))); }

void maskToken(Ui& ui) {
  const int mask = ui.snapshot.model->maskToken, token = selectedToken(ui);
  const bool spaced =
      ui.snapshot.pass->text[ui.snapshot.pass->tokens[static_cast<std::size_t>(token)].begin] == ' ';
  ui.emit(commands::replaceToken(ui.snapshot.pass->tokenized(), token,
                                 (spaced ? " " : "") + ui.snapshot.model->tokenizer->tokenBytes(mask)));
}

template <int by>
void shiftToken(Ui& ui) {
  const int token = selectedToken(ui);
  ui.emit(commands::moveToken(ui.snapshot.pass->tokenized(), token, by > 0 ? token + 2 : token - 1));
}

template <DecodingStrategy strategy>
void decodeBy(Ui& ui) {
  Decoding decoding = ui.workspace().decoding;
  decoding.strategy = strategy;
  ui.emit(commands::setDecoding(decoding, nameOf(strategy)));
}

void appendNext(Ui& ui) { ui.emit(commands::appendText(ui.snapshot.pass->text, nextBytes(ui))); }
void appendAll(Ui& ui) { ui.emit(commands::appendText(ui.snapshot.pass->text, continuationBytes(ui))); }

// To another place of what was decoded.
template <int by>
void goBeside(Ui& ui) {
  ui.emit(commands::goToPlace(*placeBeside(ui, by)));
}
void searchFromHere(Ui& ui) { ui.emit(commands::searchFromHere()); }

void keepBranch(Ui& ui) { ui.emit(commands::keepBranch({ui.workspace().text, ui.workspace().source})); }

void newText(Ui& ui) {
  ui.emit(commands::newTab());
  ui.ask(Request::EditText);
}
void closeText(Ui& ui) { ui.emit(commands::closeTab(ui.workspace().tab)); }

template <int by>
void openText(Ui& ui) {
  const int count = ui.workspace().tabCount();
  ui.emit(commands::openTab(((ui.workspace().tab + by) % count + count) % count));
}

// What was changed is compared with what it was, else what runs beside it, else the tab beside this one.
Compared whatToCompare(const Workspace& w) {
  const std::vector<Compared> all = comparables(w);
  if (!w.changes.empty()) return Comparison::asLoaded;
  if (all.empty()) return Comparison::off;
  if (!std::holds_alternative<OtherText>(all.front())) return all.front();
  return OtherText{w.tab + 1 < w.tabCount() ? w.tab + 1 : w.tab - 1};
}

void toggleComparison(Ui& ui) {
  const Workspace& w = ui.workspace();
  ui.emit(commands::compareWith(w.comparison.isOn() ? Comparison::off : whatToCompare(w)));
}

void forgetTrace(Ui& ui) { ui.emit(commands::forgetTrace()); }

void toggleDifference(Ui& ui) {
  const Comparison& comparison = ui.workspace().comparison;
  const bool on = comparison.isOn() && comparison.mode == ComparisonMode::Difference;
  if (!comparison.isOn()) toggleComparison(ui);
  ui.emit(commands::setComparisonMode(on ? ComparisonMode::SideBySide : ComparisonMode::Difference));
}

// What lets the tokens of the selected block exchange information: recurrence, where it does not attend.
void toggleMixing(Ui& ui) {
  const ModelConfig& config = *ui.snapshot.model->config;
  const HeadId head = selectedHead(ui.workspace(), config);
  ui.emit(commands::togglePart(mixingPart(config, head.layer, head.site)));
}

// The selected head, or the MLP of its block.
template <ModelPart::Kind kind>
ModelPart selectedPart(const Ui& ui) {
  const HeadId head = selectedHead(ui.workspace(), *ui.snapshot.model->config);
  ModelPart part{kind, head.layer, kind == ModelPart::Kind::Head ? head.head : 0, head.site};
  if (kind == ModelPart::Kind::Mlp && part.site == AttentionSite::Across) part.site = AttentionSite::Decoder;
  return part;
}
template <ModelPart::Kind kind>
void togglePart(Ui& ui) {
  ui.emit(commands::togglePart(selectedPart<kind>(ui)));
}
template <ModelPart::Kind kind>
void holdPartAtStep(Ui& ui) {
  ui.emit(commands::toggleHeldAsAtStep(selectedPart<kind>(ui), ui.snapshot.training->step));
}

// What the stream of the key's token has in front of the selected block, for the query's; nothing where it
// has none, or both are the same token.
std::optional<Intervention> streamOfKey(const Ui& ui) {
  const Selection& selection = ui.workspace().selection;
  if (!ui.snapshot.model->config || !ui.snapshot.pass->hasTrace() || selection.key < 0) return std::nullopt;
  const ModelConfig& config = *ui.snapshot.model->config;
  const Trace& trace = *ui.snapshot.pass->trace;
  const std::string point =
      blockPoint(config, std::clamp(selection.layer, 0, config.layers - 1), "hook_resid_pre");
  const int query = ui.snapshot.positionOr(selection.query, Stream::Text), key = selection.key;
  const bool isThere = trace.contains(point) && query >= 0 && std::max(query, key) < trace.tokenCount();
  if (!isThere || query == key) return std::nullopt;
  Intervention taken = patchAt(trace, trace, point, query, key);
  taken.origin = tokenWords(*ui.snapshot.pass, key);
  return taken;
}
void takeStreamOfKey(Ui& ui) {
  if (const auto taken = streamOfKey(ui))
    ui.emit(commands::addIntervention(*taken, "setting " + summaryOf(*taken)));
}
bool hasStreamOfKey(const Ui& ui) { return streamOfKey(ui).has_value(); }

void toggleArgmaxOfHead(Ui& ui) {
  ui.emit(commands::toggleArgmax(selectedHead(ui.workspace(), *ui.snapshot.model->config)));
}
// The number that the pointer is on, to be typed over.
void changeNumber(Ui& ui) {
  if (ui.snapshot.model->isRecorded()) {
    ui.said = needsWeightsWords;
    return;
  }
  ui.why = ui.hover;
  ui.numbers.ask(WhyPanel::changeField);
}
void switchAllOn(Ui& ui) { ui.emit(commands::clearInterventions()); }

void paintMask(Ui& ui) {
  const Workspace& workspace = ui.workspace();
  const bool open =
      workspace.view == "attention" && viewOf("attention").picture(workspace.settings).id == "matrix";
  ui.emit(commands::choosePicture("attention", "matrix"));
  ui.emit(commands::changeSettings([open](ViewSettings& s) {
    s.attention.painting = !(open && s.attention.painting), s.attention.pairing = false;
  }));
}
void paintPattern(Ui& ui) {
  const Workspace& workspace = ui.workspace();
  const bool open =
      workspace.view == "attention" && viewOf("attention").picture(workspace.settings).id == "matrix";
  ui.emit(commands::paintHypothesis(!(open && workspace.settings.attention.pairing)));
}

// To the next weights of the run that are kept, or those before.
template <int by>
void moveInRun(Ui& ui) {
  const std::vector<int> steps = ui.snapshot.training->side->weights->steps();
  const auto at = std::ranges::find(steps, ui.snapshot.training->step);
  const auto i = std::clamp<std::ptrdiff_t>((at == steps.end() ? std::ssize(steps) : at - steps.begin()) + by,
                                            0, std::ssize(steps) - 1);
  const bool last = i + 1 == std::ssize(steps);
  ui.emit(commands::showStepOfRun(last ? TrainingSettings::newest : steps[static_cast<std::size_t>(i)]));
}
void newestStep(Ui& ui) { ui.emit(commands::showStepOfRun(TrainingSettings::newest)); }

void setMemory(Ui& ui) {
  ui.ask(Request::Model);
  ui.numbers.ask(ModelPanel::memoryField);
}

void modelAsLoaded(Ui& ui) { ui.emit(commands::resetModel()); }

// Steps of zoom that people know from browsers.
constexpr std::array zooms{0.75f, 0.9f, 1.0f, 1.1f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f, 3.0f};

template <bool isSpace>
void showGeometry(Ui& ui) {
  ui.emit({[](Workspace& w) {
             commands::choosePicture("residual", "geometry").apply(w);
             w.settings.choose(dimensionsChoice, isSpace ? threeDimensions : "");
           },
           "", ""});
}

void changeLook(Ui& ui, void (*change)(Look&)) {
  Look look = ui.workspace().look;
  change(look);
  ui.emit(commands::setLook(look));
}
void larger(Ui& ui) {
  changeLook(ui, [](Look& a) {
    for (const float zoom : zooms)
      if (zoom > a.zoom + 0.01f) {
        a.zoom = zoom;
        return;
      }
  });
}
void smaller(Ui& ui) {
  changeLook(ui, [](Look& a) {
    for (std::size_t i = zooms.size(); i-- > 0;)
      if (zooms[i] < a.zoom - 0.01f) {
        a.zoom = zooms[i];
        return;
      }
  });
}
void actualSize(Ui& ui) {
  changeLook(ui, [](Look& a) { a.zoom = 1; });
}
void switchTheme(Ui& ui) {
  changeLook(ui, [](Look& a) { a.dark = !a.dark, a.followsSystem = false; });
}
void switchContrast(Ui& ui) {
  changeLook(ui, [](Look& a) { a.contrast = !a.contrast; });
}
void followSystem(Ui& ui) {
  changeLook(ui, [](Look& a) { a.followsSystem = true; });
}
void toggleInspector(Ui& ui) {
  changeLook(ui, [](Look& a) { a.inspectorOpen = !a.inspectorOpen; });
}
void askWhy(Ui& ui) { ui.why = ui.hover; }
void pinNumber(Ui& ui) { ui.emit(commands::togglePin(pinOf(ui.hover.cell))); }
void unpinAll(Ui& ui) { ui.emit(commands::unpinAll()); }

void toggleInput(Ui& ui) {
  changeLook(ui, [](Look& a) { a.inputOpen = !a.inputOpen; });
}

// When they can be done.

bool hasLesson(const Ui& ui) { return ui.lesson != nullptr; }
bool hasAnswers(const Ui& ui) {
  const auto isMade = [](const auto& guess) { return guess.second.isMade; };
  return ui.lesson && std::ranges::any_of(ui.workspace().lesson.guesses, isMade);
}
bool canTrain(const Ui& ui) { return ui.training != nullptr; }
bool hasRun(const Ui& ui) { return canTrain(ui) && ui.snapshot.training->run && isRun(ui.workspace().model); }
bool hasRunThatIs(const Ui& ui, RunReport::State state) {
  return hasRun(ui) && ui.snapshot.training->run->state == state;
}
bool hasUnfinishedRun(const Ui& ui) { return hasRun(ui) && !hasRunThatIs(ui, RunReport::State::Finished); }
bool hasPausedRun(const Ui& ui) { return hasRunThatIs(ui, RunReport::State::Paused); }
bool hasUnmeasuredRun(const Ui& ui) {
  return hasRun(ui) && !hasUnfinishedRun(ui) && !ui.snapshot.training->run->measured && !ui.progress;
}
bool isInPast(const Ui& ui) {
  return hasRun(ui) && ui.workspace().settings.training.at != TrainingSettings::newest;
}
// From the newest step a run goes on as it is.
bool canBranch(const Ui& ui) { return isInPast(ui) || hasRunThatIs(ui, RunReport::State::Diverged); }
bool hasModel(const Ui& ui) { return ui.snapshot.model->config.has_value(); }
bool attends(const Ui& ui) { return hasModel(ui) && ui.snapshot.model->config->attends(); }
bool hasMlp(const Ui& ui) { return hasModel(ui) && ui.snapshot.model->config->hasFeedForward(); }
bool attendsInRun(const Ui& ui) { return hasRun(ui) && attends(ui); }
bool hasMlpInRun(const Ui& ui) { return hasRun(ui) && hasMlp(ui); }
bool hasTrace(const Ui& ui) { return ui.snapshot.pass->hasTrace() && hasModel(ui); }
bool paintable(const Ui& ui) { return hasTrace(ui) && attends(ui); }
bool presents(const Ui& ui) { return ui.presenting; }
// In a presentation its key makes the screen black, as everywhere.
bool beams(const Ui& ui) { return !ui.presenting && (!hasModel(ui) || ui.snapshot.model->continues()); }
bool writesOn(const Ui& ui) { return !hasModel(ui) || ui.snapshot.model->continues(); }
bool canKeep(const Ui& ui) {
  const Workspace& w = ui.workspace();
  return writesOn(ui) && !keeps(w.branches, {w.text, w.source}) && w.branches.size() < mostBranches;
}
bool hasTokens(const Ui& ui) { return !ui.snapshot.pass->tokens.empty(); }
bool hasMask(const Ui& ui) { return hasTokens(ui) && ui.snapshot.model->maskToken >= 0; }
bool hasOthers(const Ui& ui) { return ui.workspace().tabCount() > 1; }
bool isWorking(const Ui& ui) { return ui.isWorking(); }
bool wasCancelled(const Ui& ui) { return !ui.snapshot.standing.cancelled.empty() && !ui.progress; }
// A norm's scale is only looked at.
bool pointsAtNumber(const Ui& ui) {
  return changeOf(ui, ui.hover) || (ui.snapshot.model->isRecorded() && !ui.hover.cell.empty());
}
bool hasPins(const Ui& ui) { return !ui.workspace().pins.empty(); }
bool pointsAtAnyNumber(const Ui& ui) { return !ui.hover.cell.empty(); }
bool hasInterventions(const Ui& ui) { return !ui.workspace().interventions.empty(); }
bool canCompare(const Ui& ui) { return !comparables(ui.workspace()).empty(); }
bool hasTraceBeside(const Ui& ui) { return !ui.workspace().elsewhere.empty(); }
bool hasChanges(const Ui& ui) { return !ui.workspace().changes.empty(); }
bool canUndo(const Ui& ui) { return ui.history.canUndo(); }
bool canRedo(const Ui& ui) { return ui.history.canRedo(); }
bool canConstrain(const Ui& ui) { return hasModel(ui) && ui.snapshot.model->continues(); }
bool canSayWhereHeadLooks(const Ui& ui) {
  if (!hasTrace(ui) || !attends(ui)) return false;
  const HeadId head = selectedHead(ui.workspace(), *ui.snapshot.model->config);
  return ui.snapshot.pass->trace->contains(attentionPoint(head.layer, head.site, "hook_pattern"));
}
bool canAppendNext(const Ui& ui) { return hasTrace(ui) && !nextBytes(ui).empty(); }
bool canAppendAll(const Ui& ui) { return hasTrace(ui) && !continuationBytes(ui).empty(); }
template <int by>
bool canGoBeside(const Ui& ui) {
  return placeBeside(ui, by).has_value();
}
bool looksAtHypothesis(const Ui& ui) { return ui.snapshot.decoded->root != ui.snapshot.pass->text; }
bool canGrow(const Ui& ui) { return ui.workspace().look.zoom < zooms.back() - 0.01f; }
bool canShrink(const Ui& ui) { return ui.workspace().look.zoom > zooms.front() + 0.01f; }

constexpr auto control = ImGuiMod_Ctrl, shift = ImGuiMod_Shift, alt = ImGuiMod_Alt;

constexpr Action table[] = {
    {"Edit", "Edit the text", control | ImGuiKey_L, ImGuiKey_Enter, '/', false, ask<Request::EditText>},
    {"Edit", "Undo", control | ImGuiKey_Z, 0, 0, true, ask<Request::Undo>, canUndo},
    {"Edit", "Redo", control | shift | ImGuiKey_Z, control | ImGuiKey_Y, 0, true, ask<Request::Redo>,
     canRedo},
    {"Edit", "History", control | ImGuiKey_H, 0, 0, true, ask<Request::History>},
    {"Edit", "Append the next token", ImGuiKey_Space, 0, 0, false, appendNext, canAppendNext},
    {"Edit", "Constrain the continuation", shift | ImGuiKey_C, 0, 0, false, ask<Request::Constrain>,
     canConstrain},
    {"Edit", "Say where the head looks", shift | ImGuiKey_H, 0, 0, false, ask<Request::Hypothesis>,
     canSayWhereHeadLooks},
    {"Edit", "Paint where the head looks", shift | ImGuiKey_P, 0, 0, false, paintPattern,
     canSayWhereHeadLooks},
    {"Edit", "Append the whole continuation", shift | ImGuiKey_Space, 0, 0, false, appendAll, canAppendAll},

    {"Token", "Change the token", ImGuiKey_R, ImGuiKey_Menu, 0, false, editToken, hasTokens},
    {"Token", "Delete the token", ImGuiKey_Delete, 0, 0, false, deleteToken, hasTokens},
    {"Token", "Mask the token", alt | ImGuiKey_M, 0, 0, false, maskToken, hasMask},
    {"Token", "Move the token left", alt | ImGuiKey_LeftArrow, 0, 0, false, shiftToken<-1>, hasTokens},
    {"Token", "Move the token right", alt | ImGuiKey_RightArrow, 0, 0, false, shiftToken<1>, hasTokens},

    {"Files", "Open", control | ImGuiKey_O, 0, 0, true, ask<Request::OpenFile>},
    {"Files", "Start page", control | ImGuiKey_Home, 0, 0, false, ask<Request::StartPage>},
    {"Files", "Save session", control | ImGuiKey_S, 0, 0, true, ask<Request::SaveSession>},
    {"Files", "Pack the session with its models and runs", 0, 0, 0, false, ask<Request::PackSession>},
    {"Files", "Export figure", control | ImGuiKey_E, 0, 0, true, ask<Request::Export>},

    {"Texts", "New text", control | ImGuiKey_T, 0, 0, true, newText},
    {"Texts", "Close text", control | ImGuiKey_W, 0, 0, true, closeText},
    {"Texts", "Next text", control | ImGuiKey_PageDown, control | ImGuiKey_Tab, 0, true, openText<1>,
     hasOthers},
    {"Texts", "Previous text", control | ImGuiKey_PageUp, 0, 0, true, openText<-1>, hasOthers},
    {"Texts", "Keep this text as a branch", shift | ImGuiKey_K, 0, 0, false, keepBranch, canKeep},
    {"Texts", "Branches", shift | ImGuiKey_B, 0, 0, false, ask<Request::Branches>},
    {"Texts", "Compare", ImGuiKey_C, 0, 0, false, toggleComparison, canCompare},
    {"Texts", "Difference", ImGuiKey_D, 0, 0, false, toggleDifference, canCompare},
    {"Texts", "Compare with a trace from elsewhere", 0, 0, 0, false, ask<Request::CompareTrace>, hasModel},
    {"Texts", "Let the trace compared with go", 0, 0, 0, false, forgetTrace, hasTraceBeside},

    {"Lesson", "Lessons", shift | ImGuiKey_L, 0, 0, false, ask<Request::Lessons>},
    {"Lesson", "Next page", ImGuiKey_PageDown, 0, 0, false, turnPage<1>, hasModel},
    {"Lesson", "Previous page", ImGuiKey_PageUp, 0, 0, false, turnPage<-1>, hasModel},
    {"Lesson", "Back to the lesson", ImGuiKey_Home, 0, 0, false, turnPage<0>, hasLesson},
    {"Lesson", "Close the lesson", 0, 0, 0, false, closeLesson, hasLesson},
    {"Lesson", "Save my answers", 0, 0, 0, false, ask<Request::SaveAnswers>, hasAnswers},
    {"Lesson", "Pack the lesson with its models", 0, 0, 0, false, ask<Request::PackLesson>, hasLesson},
    {"Lesson", "Keep this state as a step of a lesson", 0, 0, 0, false, ask<Request::KeepStep>, hasModel},

    {"Go", "Next step", ImGuiKey_RightArrow, 0, 0, false, moveStep<1>, hasModel},
    {"Go", "Previous step", ImGuiKey_LeftArrow, 0, 0, false, moveStep<-1>, hasModel},
    {"Go", "Next head", ImGuiKey_DownArrow, 0, 0, false, moveHead<1>, attends},
    {"Go", "Previous head", ImGuiKey_UpArrow, 0, 0, false, moveHead<-1>, attends},
    {"Go", "Next block", shift | ImGuiKey_DownArrow, 0, 0, false, moveBlock<1>, hasModel},
    {"Go", "Previous block", shift | ImGuiKey_UpArrow, 0, 0, false, moveBlock<-1>, hasModel},
    {"Go", "Next token", shift | ImGuiKey_RightArrow, 0, 0, false, moveToken<1>, hasTrace},
    {"Go", "Previous token", shift | ImGuiKey_LeftArrow, 0, 0, false, moveToken<-1>, hasTrace},
    {"Go", "Geometry in two dimensions", 0, 0, 0, false, showGeometry<false>, hasModel},
    {"Go", "Geometry in three dimensions", 0, 0, 0, false, showGeometry<true>, hasModel},

    {"Model", "Model library", shift | ImGuiKey_O, 0, 0, false, ask<Request::Library>},
    {"Model", "Choices of the model", shift | ImGuiKey_M, 0, 0, false, ask<Request::Model>},
    {"Model", "Memory for passes", 0, 0, 0, false, setMemory, hasModel},
    {"Model", "Paint the mask", ImGuiKey_P, 0, 0, false, paintMask, paintable},
    {"Model", "Model as it was loaded", 0, 0, 0, false, modelAsLoaded, hasChanges},

    {"Training", "Train a model", shift | ImGuiKey_T, 0, 0, false, ask<Request::Train>, canTrain},
    {"Training", "Train or pause", control | ImGuiKey_Space, 0, 0, false, ask<Request::TrainOrPause>,
     hasUnfinishedRun},
    {"Training", "Train one step", control | ImGuiKey_Enter, 0, 0, false, ask<Request::TrainStep>,
     hasPausedRun},
    {"Training", "Go on from this step", control | ImGuiKey_B, 0, 0, false, ask<Request::BranchRun>,
     canBranch},
    {"Training", "Measure what was learned", 0, 0, 0, false, ask<Request::MeasureRun>, hasUnmeasuredRun},
    {"Training", "Earlier in the run", control | ImGuiKey_LeftArrow, 0, 0, false, moveInRun<-1>, hasRun},
    {"Training", "Later in the run", control | ImGuiKey_RightArrow, 0, 0, false, moveInRun<1>, hasRun},
    {"Training", "Newest step", control | ImGuiKey_End, 0, 0, false, newestStep, isInPast},

    {"Number", "Where this number comes from", ImGuiKey_W, 0, 0, false, askWhy, pointsAtAnyNumber},
    {"Number", "Pin the number pointed at, or let it go", ImGuiKey_K, 0, 0, false, pinNumber,
     pointsAtAnyNumber},
    {"Number", "Let all pinned numbers go", 0, 0, 0, false, unpinAll, hasPins},
    {"Number", "Change the number pointed at", ImGuiKey_N, 0, 0, false, changeNumber, pointsAtNumber},

    {switchGroup, "Switch this head off or on", ImGuiKey_X, 0, 0, false, togglePart<ModelPart::Kind::Head>,
     attends},
    {switchGroup, "Switch this head's softmax to argmax or back", control | shift | ImGuiKey_X, 0, 0, false,
     toggleArgmaxOfHead, attends},
    {switchGroup, "Give the query's token the key's vector in front of this block", 0, 0, 0, false,
     takeStreamOfKey, hasStreamOfKey},
    {switchGroup, "Freeze this head as it is at this step of the training, or let it go", 0, 0, 0, false,
     holdPartAtStep<ModelPart::Kind::Head>, attendsInRun},
    {switchGroup, "Freeze this block's MLP as it is at this step of the training, or let it go", 0, 0, 0,
     false, holdPartAtStep<ModelPart::Kind::Mlp>, hasMlpInRun},
    {switchGroup, "Switch attention, or its stand-in, off or on", shift | ImGuiKey_X, 0, 0, false,
     toggleMixing, hasModel},
    {switchGroup, "Switch this block's MLP off or on", control | ImGuiKey_X, 0, 0, false,
     togglePart<ModelPart::Kind::Mlp>, hasMlp},
    {switchGroup, "Switch everything on again", 0, 0, 0, false, switchAllOn, hasInterventions},

    {"Decode", "Decode greedily", ImGuiKey_G, 0, 0, false, decodeBy<DecodingStrategy::Greedy>, writesOn},
    {"Decode", "Decode by sampling", ImGuiKey_S, 0, 0, false, decodeBy<DecodingStrategy::Sampling>, writesOn},
    {"Decode", "Decode by beam search", ImGuiKey_B, 0, 0, false, decodeBy<DecodingStrategy::Beam>, beams},

    {"Decode", "Back in the decoded text", ImGuiKey_Backspace, 0, 0, false, goBeside<-1>, canGoBeside<-1>},
    {"Decode", "Forward in the decoded text", shift | ImGuiKey_Backspace, 0, 0, false, goBeside<1>,
     canGoBeside<1>},
    {"Decode", "To where decoding began", control | ImGuiKey_Backspace, 0, 0, false, goBeside<-toTheEnd>,
     canGoBeside<-1>},
    {"Decode", "To the end of the decoded text", control | shift | ImGuiKey_Backspace, 0, 0, false,
     goBeside<toTheEnd>, canGoBeside<1>},
    {"Decode", "Let the tree grow from the open text", 0, 0, 0, false, searchFromHere, looksAtHypothesis},

    {"Work", "Cancel", ImGuiKey_Escape, 0, 0, false, ask<Request::Cancel>, isWorking},
    {"Work", "Start again", 0, 0, 0, false, ask<Request::Resume>, wasCancelled},

    {"Present", "Present", ImGuiKey_F5, 0, 0, true, ask<Request::Present>},
    {"Present", "Spotlight", ImGuiKey_F6, 0, 0, true, ask<Request::Spotlight>, presents},
    {"Present", "Pen", ImGuiKey_F7, 0, 0, true, ask<Request::Pen>, presents},
    {"Present", "Speaker's window", ImGuiKey_F8, 0, 0, true, ask<Request::Speaker>, presents},
    {"Present", "Black screen", ImGuiKey_B, 0, 0, false, ask<Request::Black>, presents},
    {"Present", "Freeze what the room sees", ImGuiKey_Period, 0, 0, false, ask<Request::Freeze>, presents},

    {"Window", "Switch theme", ImGuiKey_T, 0, 0, false, switchTheme},
    {"Window", "Follow the system's theme", 0, 0, 0, false, followSystem},
    {"Window", "High contrast", 0, 0, 0, false, switchContrast},
    {"Window", "Larger", control | ImGuiKey_Equal, control | ImGuiKey_KeypadAdd, 0, true, larger, canGrow},
    {"Window", "Smaller", control | ImGuiKey_Minus, control | ImGuiKey_KeypadSubtract, 0, true, smaller,
     canShrink},
    {"Window", "Actual size", control | ImGuiKey_0, 0, 0, true, actualSize},
    {"Window", "Inspector", ImGuiKey_I, 0, 0, false, toggleInspector},
    {"Window", "Text and model", ImGuiKey_M, 0, 0, false, toggleInput},

    {"Help", "Find anything", control | ImGuiKey_P, 0, 0, true, ask<Request::Palette>},
    {"Help", "Keys", ImGuiKey_F1, 0, '?', false, ask<Request::KeyMap>},
};

}  // namespace

std::span<const Action> actions() { return table; }

const Action& actionOf(std::string_view title) {
  return *std::find_if(std::begin(table), std::end(table), [&](const Action& a) { return a.title == title; });
}

bool isAvailable(const Action& action, const Ui& ui) { return !action.available || action.available(ui); }

}  // namespace glassformer
