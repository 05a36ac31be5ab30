#include <algorithm>

#include "app/document/attention_planes.h"
#include "app/document/change_settings.h"
#include "app/document/edge_settings.h"
#include "app/document/lens_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/steps.h"
#include "app/document/taken_apart.h"
#include "app/document/view_commands.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/actions/action_groups.h"
#include "app/panels/actions/conditions.h"
#include "app/panels/lesson_panel.h"
#include "app/views/residual/geometry_vectors.h"
#include "app/views/views.h"
#include "core/model/point_names.h"

namespace glassformer {
namespace {

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
  if (ui.isCovered) return;
  if (ui.lesson)
    turnLessonPage(ui, by);
  else if (!ui.typing)
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

void resetView(Ui& ui) { ui.emit(resetChoices(ui.workspace().view)); }

void letTokensGo(Ui& ui) { ui.emit(commands::letTokensGo()); }

template <bool isSpace>
void showGeometry(Ui& ui) {
  ui.emit({[](Workspace& w) {
             commands::choosePicture("residual", "geometry").apply(w);
             w.settings.choose(dimensionsChoice, isSpace ? threeDimensions : "");
           },
           "", ""});
}

template <bool isOutput>
void takeApart(Ui& ui) {
  ui.emit({[](Workspace& w) {
             commands::choosePicture("attention", "why").apply(w);
             w.settings.choose(takenApartChoice, isOutput ? outputTakenApart : "");
           },
           "", ""});
}

template <PartOrder order>
void orderParts(Ui& ui) {
  ui.emit({[](Workspace& w) {
             commands::choosePicture("attention", "why").apply(w);
             w.settings.choose(partOrderChoice, choiceOf(order));
           },
           "", ""});
}

template <LensSays says>
void showLens(Ui& ui) {
  ui.emit({[](Workspace& w) {
             commands::choosePicture("next_token", "lens").apply(w);
             w.settings.choose(lensSaysChoice, choiceOf(says));
           },
           "", ""});
}

// The selected head from the selected query; towards the selected key, where it does not look at that most.
void askWhatFlipsHead(Ui& ui) {
  const int key = ui.workspace().selection.keyAt(shownSite(ui.workspace(), *ui.snapshot.model->config));
  ui.emit({[key](Workspace& w) {
             commands::choosePicture("influence", "smallest change").apply(w);
             w.settings.choose(flipsAsked, flipsOfHead);
             w.settings.choose(wantedKey, key < 0 ? "" : std::to_string(key));
           },
           "", ""});
}

template <bool ofOpenText>
void showEdges(Ui& ui) {
  ui.emit({[](Workspace& w) {
             commands::choosePicture("influence", "edges").apply(w);
             const std::string_view chosen = w.settings.chosen(edgeTexts);
             if (ofOpenText || chosen.empty()) w.settings.choose(edgeTexts, ofOpenText ? "" : firstEdgeTexts);
           },
           "", ""});
}

void askWhatFlipsAnswer(Ui& ui) {
  ui.emit({[](Workspace& w) {
             commands::choosePicture("influence", "smallest change").apply(w);
             w.settings.choose(flipsAsked, "");
           },
           "", ""});
}

constexpr Condition hasLesson{[](const Ui& ui) { return ui.lesson != nullptr; }, "in a lesson"};
constexpr Condition hasChosenToken{[](const Ui& ui) { return ui.workspace().selection.hasTokens(); },
                                   "once a token is chosen"};
constexpr Condition hasAnswers{[](const Ui& ui) {
                                 const auto isMade = [](const auto& guess) { return guess.second.isMade; };
                                 return ui.lesson &&
                                        std::ranges::any_of(ui.workspace().lesson.guesses, isMade);
                               },
                               "once a question is answered"};

constexpr Action goTable[] = {
    {"lessons", "Lesson", "Lessons", shift | ImGuiKey_L, 0, 0, false, ask<Request::Lessons>},
    {"next-page", "Lesson", "Next lesson page", ImGuiKey_PageDown, 0, 0, true, turnPage<1>, hasModel},
    {"previous-page", "Lesson", "Previous lesson page", ImGuiKey_PageUp, 0, 0, true, turnPage<-1>, hasModel},
    {"restore-page", "Lesson", "Restore page", ImGuiKey_Home, 0, 0, false, turnPage<0>, hasLesson},
    {"close-lesson", "Lesson", "Close lesson", 0, 0, 0, false, closeLesson, hasLesson},
    {"save-answers", "Lesson", "Save answers…", 0, 0, 0, false, ask<Request::SaveAnswers>, hasAnswers},
    {"export-lesson", "Lesson", "Export lesson bundle…", 0, 0, 0, false, ask<Request::PackLesson>, hasLesson},
    {"copy-as-page", "Lesson", "Copy as page…", 0, 0, 0, false, ask<Request::KeepStep>, hasModel},

    {"next-operation", "Go", "Next operation", ImGuiKey_RightArrow, 0, 0, false, moveStep<1>, hasModel},
    {"previous-operation", "Go", "Previous operation", ImGuiKey_LeftArrow, 0, 0, false, moveStep<-1>,
     hasModel},
    {"next-head", "Go", "Next head", ImGuiKey_DownArrow, 0, 0, false, moveHead<1>, attends},
    {"previous-head", "Go", "Previous head", ImGuiKey_UpArrow, 0, 0, false, moveHead<-1>, attends},
    {"next-block", "Go", "Next block", shift | ImGuiKey_DownArrow, 0, 0, false, moveBlock<1>, hasModel},
    {"previous-block", "Go", "Previous block", shift | ImGuiKey_UpArrow, 0, 0, false, moveBlock<-1>,
     hasModel},
    {"next-position", "Go", "Select next token", shift | ImGuiKey_RightArrow, 0, 0, false, moveToken<1>,
     hasTrace},
    {"previous-position", "Go", "Select previous token", shift | ImGuiKey_LeftArrow, 0, 0, false,
     moveToken<-1>, hasTrace},
    {"previous-view", "Go", "Previous view", alt | ImGuiKey_Backspace, 0, 0, false, ask<Request::Back>},
    {"reset-view", "Go", "Reset view", 0, 0, 0, false, resetView},
    {"deselect-token", "Go", "Deselect token", 0, 0, 0, false, letTokensGo, hasChosenToken},
    {"pca-2d", "Go", "PCA in 2D", 0, 0, 0, false, showGeometry<false>, hasModel},
    {"pca-3d", "Go", "PCA in 3D", 0, 0, 0, false, showGeometry<true>, hasModel},
    {"lens-top", "Go", "Logit lens: top token", 0, 0, 0, false, showLens<LensSays::Likeliest>, hasModel},
    {"lens-promoted", "Go", "Logit lens: promoted", 0, 0, 0, false, showLens<LensSays::Promoted>, hasModel},
    {"lens-suppressed", "Go", "Logit lens: suppressed", 0, 0, 0, false, showLens<LensSays::Suppressed>,
     hasModel},
    {"qk-score", "Go", "Decomposition: QK score", 0, 0, 0, false, takeApart<false>, attends},
    {"ov-output", "Go", "Decomposition: OV output", 0, 0, 0, false, takeApart<true>, attends},
    {"model-order", "Go", "Decomposition: model order", 0, 0, 0, false, orderParts<PartOrder::Written>,
     attends},
    {"by-block", "Go", "Decomposition: by block", 0, 0, 0, false, orderParts<PartOrder::Blocks>, attends},
    {"edges-text", "Go", "Edge ablation: this text", 0, 0, 0, false, showEdges<true>, attends},
    {"edges-dataset", "Go", "Edge ablation: dataset", 0, 0, 0, false, showEdges<false>, attends},
    {"flip-prediction", "Go", "Counterfactuals: prediction", 0, 0, 0, false, askWhatFlipsAnswer, hasTrace},
    {"flip-top-key", "Go", "Counterfactuals: top key", 0, 0, 0, false, askWhatFlipsHead, attends},
    {"largest-first", "Go", "Decomposition: largest first", 0, 0, 0, false, orderParts<PartOrder::Largest>,
     attends},
};

}  // namespace

std::span<const Action> goActions() { return goTable; }

}  // namespace glassformer
