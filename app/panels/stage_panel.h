#pragma once
#include "app/panels/panel.h"
#include "app/panels/scene_view.h"

namespace glassformer {

/// The centre: the chosen view, large.
class StagePanel : public Panel {
 public:
  StagePanel() : Panel("Stage") {}

 protected:
  void content(Ui& ui, const Box& area) override;
  Rgba background(const Theme& theme) const override { return theme.ground; }

 private:
  SceneView view_{"Stage view"};
};

}  // namespace glassformer
