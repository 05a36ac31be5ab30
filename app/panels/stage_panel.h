#pragma once
#include "app/panels/panel.h"
#include "app/panels/picture_heading.h"
#include "app/panels/scene_pane.h"
#include "app/panels/step_player.h"

namespace glassformer {

struct StagePane;
struct Picture;
struct View;

/// The centre: the chosen view, large, with the controls it has. In a presentation these stand apart; where
/// two pictures are compared, once for both.
class StagePanel : public Panel {
 public:
  StagePanel() : Panel("Stage") {}

  /// Of the picture that was drawn last, or of both.
  const PictureHeading& heading() const { return heading_; }
  /// The numbers that the picture is drawn for, and the player of a step: those that fit into the row.
  void showControls(Ui& ui, Box row);

 protected:
  void content(Ui& ui, const Box& area) override;
  Rgba background(const Theme& theme) const override { return theme.ground; }

 private:
  static void showBeamNumbers(Ui& ui, Box& rest);
  void showViews(Ui& ui, const View& view, Box area);
  static void showQuestion(Ui& ui, const Snapshot& shown, Box& area);
  void showHeading(Ui& ui, Box area);
  static void showTitle(Ui& ui, const StagePane& pane, const std::string& own);
  PictureHeading showPane(Ui& ui, const View& view, const StagePane& pane, const Snapshot& shown, Room room);

  ScenePane view_{"Stage view"}, other_{"Other view"};
  StepPlayer player_;
  PictureHeading heading_;
  ChoiceStrip strip_;
  const Picture* picture_ = nullptr;  // whose choices the strip shows
};

}  // namespace glassformer
