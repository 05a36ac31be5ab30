#pragma once
#include "app/panels/panel.h"
#include "app/panels/scene_view.h"
#include "app/panels/text_field.h"

namespace glassformer {

/// The left region: the text with its tokens, and the map of the model.
class InputPanel : public Panel {
 public:
  InputPanel() : Panel("Input") {}
  void focusText() { field_.focus(); }
  void leaveText() { field_.leave(); }

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  std::string status(const Ui& ui) const;
  void showTabs(Ui& ui, Box row);
  void showComparison(Ui& ui, Box row);
  void showInterventions(Ui& ui, Box& rest);

  TextField field_;
  SceneView map_{"Model map"};
};

}  // namespace glassformer
