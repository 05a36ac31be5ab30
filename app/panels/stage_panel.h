#pragma once
#include "app/panels/panel.h"
#include "app/panels/scene_pane.h"
#include "app/panels/step_player.h"

namespace glassformer {

struct StagePane;
struct View;

/// A picture's title, its equation or explanation, and its choices.
struct PictureHeading {
  std::string title, about;
  PictureChoices choices;
};

/// The centre: the chosen view, large, with the controls it has; in a presentation these stand apart.
class StagePanel : public Panel {
 public:
  StagePanel() : Panel("Stage") {}

  /// Of the picture that was drawn last.
  const PictureHeading& heading() const { return heading_; }
  /// The numbers that the picture is drawn for, and the player of a step: those that fit into the row.
  void showControls(Ui& ui, Box row);

 protected:
  void content(Ui& ui, const Box& area) override;
  Rgba background(const Theme& theme) const override { return theme.ground; }

 private:
  static const Snapshot& shownBy(const Ui& ui);
  static void showBeamNumbers(Ui& ui, Box& rest);
  void showViews(Ui& ui, const View& view, const Box& area);
  void showPane(Ui& ui, const View& view, const StagePane& pane, const Snapshot& shown);

  ScenePane view_{"Stage view"}, other_{"Other view"};
  StepPlayer player_;
  PictureHeading heading_;
};

}  // namespace glassformer
