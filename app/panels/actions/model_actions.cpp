#include <algorithm>

#include "app/document/model_commands.h"
#include "app/document/training_commands.h"
#include "app/document/view_commands.h"
#include "app/panels/actions/action_groups.h"
#include "app/panels/actions/conditions.h"
#include "app/panels/model_panel.h"
#include "app/views/views.h"

namespace glassformer {
namespace {

void paintMask(Ui& ui) {
  const Workspace& workspace = ui.workspace();
  const bool open =
      workspace.view == "attention" && viewOf("attention").picture(workspace.settings).id == "matrix";
  ui.emit(commands::choosePicture("attention", "matrix"));
  ui.emit(commands::changeSettings([open](ViewSettings& s) {
    s.attention.painting = !(open && s.attention.painting), s.attention.pairing = false;
  }));
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
constexpr Condition whileTraining{hasUnfinishedRun, "while a model is trained"},
    whilePaused{hasPausedRun, "while a run is paused"}, whenEnded{hasUnmeasuredRun, "once a run has ended"},
    inPast{isInPast, "at an earlier step of a run"}, fromPast{canBranch, "at an earlier step of a run"};
bool paintable(const Ui& ui) { return hasTrace(ui) && attends(ui); }
constexpr Condition hasChanges{[](const Ui& ui) { return !ui.workspace().changes.empty(); },
                               "once a choice is changed"};

constexpr Action modelTable[] = {
    {"open-model", "Model", "Open model…", shift | ImGuiKey_O, 0, 0, false, ask<Request::Library>},
    {"architecture", "Model", "Edit architecture…", shift | ImGuiKey_M, 0, 0, false, ask<Request::Model>},
    {"memory-limit", "Model", "Set memory limit…", 0, 0, 0, false, setMemory, hasModel},
    {"edit-mask", "Model", "Edit mask", ImGuiKey_P, 0, 0, false, paintMask, paintable},
    {"reset-model", "Model", "Reset model", 0, 0, 0, false, modelAsLoaded, hasChanges},

    {"new-run", "Training", "New training run…", shift | ImGuiKey_T, 0, 0, false, ask<Request::Train>,
     canTrain},
    {"train-or-pause", "Training", "Start or pause training", control | ImGuiKey_Space, 0, 0, false,
     ask<Request::TrainOrPause>, whileTraining},
    {"train-step", "Training", "Train one step", control | ImGuiKey_Enter, 0, 0, false,
     ask<Request::TrainStep>, whilePaused},
    {"branch-run", "Training", "Branch here", control | ImGuiKey_B, 0, 0, false, ask<Request::BranchRun>,
     fromPast},
    {"evaluate-run", "Training", "Evaluate run", 0, 0, 0, false, ask<Request::MeasureRun>, whenEnded},
    {"previous-checkpoint", "Training", "Previous checkpoint", control | ImGuiKey_LeftArrow, 0, 0, false,
     moveInRun<-1>, withRun},
    {"next-checkpoint", "Training", "Next checkpoint", control | ImGuiKey_RightArrow, 0, 0, false,
     moveInRun<1>, withRun},
    {"latest-checkpoint", "Training", "Latest checkpoint", control | ImGuiKey_End, 0, 0, false, newestStep,
     inPast},
};

}  // namespace

std::span<const Action> modelActions() { return modelTable; }

}  // namespace glassformer
