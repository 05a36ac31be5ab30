#pragma once
#include "app/panels/panel.h"
#include "app/panels/scene_view.h"

namespace glassformer {

struct StagePart;
struct View;

/// The centre: the chosen view, large, under the controls it has. Says so where the picture is of an older
/// text for longer than one notices.
class StagePanel : public Panel {
 public:
  StagePanel() : Panel("Stage") {}

 protected:
  void content(Ui& ui, const Box& area) override;
  Rgba background(const Theme& theme) const override { return theme.ground; }

 private:
  void showViews(Ui& ui, const View& view, const Box& area);
  void showPart(Ui& ui, const View& view, const StagePart& part);
  void showLag(Ui& ui, const Box& area);

  static constexpr double noticeable = 0.1;  // seconds

  SceneView view_{"Stage view"}, other_{"Other view"};
  double laggingSince_ = -1;  // negative: up to date
};

}  // namespace glassformer
