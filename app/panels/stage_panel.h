#pragma once
#include "app/panels/panel.h"
#include "app/panels/scene_pane.h"
#include "app/panels/step_player.h"

namespace glassformer {

struct StagePane;
struct View;

/// The centre: the chosen view, large, under the controls it has.
class StagePanel : public Panel {
 public:
  StagePanel() : Panel("Stage") {}

 protected:
  void content(Ui& ui, const Box& area) override;
  Rgba background(const Theme& theme) const override { return theme.ground; }

 private:
  static const Snapshot& shownBy(const Ui& ui);
  void showViews(Ui& ui, const View& view, const Box& area);
  void showPane(Ui& ui, const View& view, const StagePane& pane, const Snapshot& shown);

  ScenePane view_{"Stage view"}, other_{"Other view"};
  StepPlayer player_;
};

}  // namespace glassformer
