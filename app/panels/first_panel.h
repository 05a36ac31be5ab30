#pragma once
#include "app/panels/panel.h"
#include "app/panels/scene_pane.h"

namespace glassformer {

/// The window of a first start: one picture, two words to try, and the ways on to the instrument and to the
/// lessons.
class FirstPanel : public Panel {
 public:
  FirstPanel() : Panel("First picture") {}
  void open() { open_ = true, model_.clear(); }
  void close() { open_ = false; }
  bool isOpen() const { return open_; }

 protected:
  void content(Ui& ui, const Box& area) override;
  Rgba background(const Theme& theme) const override { return theme.ground; }

 private:
  void showWords(Ui& ui, Box row);
  void showWays(Ui& ui, Box row);

  bool open_ = false;
  std::string model_, view_, lesson_;  // that it was opened over: whoever chooses others goes there
  ScenePane picture_{"First"};
};

}  // namespace glassformer
