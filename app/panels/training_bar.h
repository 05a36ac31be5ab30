#pragma once
#include "app/panels/panel.h"
#include "app/panels/scene_pane.h"

namespace glassformer {

/// The line below the stage while a run is open: start and pause, where it stands, and the slider through its
/// history.
class TrainingBar : public Panel {
 public:
  TrainingBar() : Panel("Training bar") {}

  static constexpr float height = 48;
  /// Whether there is anything to say.
  static bool isNeeded(const Workspace& workspace) {
    return isRun(workspace.model) || workspace.view == "training";
  }

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  void showButtons(Ui& ui, Box& row, const RunReport& run);

  ScenePane strip_{"Run strip"};
};

}  // namespace glassformer
