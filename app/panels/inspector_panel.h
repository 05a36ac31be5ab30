#pragma once
#include <map>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/scene_pane.h"

namespace glassformer {

/// The right region: the number the pointer is on, or was on last: value, name, index by name, meaning, and
/// the equation with its operands filled in. Below it the numbers that are pinned, and what comes next at the
/// selected position.
class InspectorPanel : public Panel {
 public:
  InspectorPanel() : Panel("Inspector") {}

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  void showNumber(Ui& ui, Box& rest);
  void showIndices(Ui& ui, const TracePoint& point, Box& rest);
  void showEquation(Ui& ui, const TracePoint& point, Box& rest);
  void showNextTokens(Ui& ui, Box rest);

  // Of the last frame: another view or picture, or another choice of what it shows, has other numbers, and
  // another step of a lesson may ask for this one.
  std::string view_;
  std::map<std::string, std::string, std::less<>> pictures_, choices_;
  int lessonStep_ = 0;
  Target last_;  // stays in its view when the pointer leaves, so that its text can be read
  ScenePane next_{"Next tokens"};
};

}  // namespace glassformer
