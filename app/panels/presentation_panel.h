#pragma once
#include <optional>

#include "app/panels/choice_strip.h"
#include "app/panels/panel.h"
#include "app/panels/scene_pane.h"

namespace glassformer {

class StagePanel;

/// What stands above the picture in a presentation: its title with the equation, and the text in one line,
/// with what comes next, below its source. Where the pointer moves, the picture's choices and numbers take
/// the place of the title for a while.
class PresentationPanel : public Panel {
 public:
  explicit PresentationPanel(StagePanel& stage) : Panel("Presentation"), stage_(stage) {}
  void begin();

  static float heightFor(const Ui& ui);
  /// How long the choices stay once the pointer rests, in seconds.
  static constexpr double patience = 3;

 protected:
  void content(Ui& ui, const Box& area) override;
  Rgba background(const Theme& theme) const override { return theme.ground; }

 private:
  bool wantsChoices(const Ui& ui, const Box& row);
  void showChoices(Ui& ui, Box row);

  StagePanel& stage_;
  ChoiceStrip strip_;
  ScenePane source_{"Source line"}, text_{"Text line"};
  std::optional<Point> pointer_;           // of the last frame
  double moved_ = -1000, shownSince_ = 0;  // seconds
};

}  // namespace glassformer
