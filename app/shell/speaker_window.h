#pragma once
#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/panels/speaker_panel.h"
#include "app/screen/fonts.h"
#include "app/screen/heatmap.h"
#include "app/screen/scene_painter.h"
#include "app/shell/imgui_session.h"
#include "app/shell/surface.h"

namespace glassformer {

/// What a window draws with, and where its pointer and its keyboard are.
struct DrawnOn {
  const Fonts& fonts;
  ScenePainter& painter;
  Target& hover;
  Focus& focus;
  NumberEntry& numbers;
};

/// A window of its own for who speaks, beside the one that a room sees: the room's picture, on which mouse
/// and keyboard work as on the instrument itself, what the step's note says, what comes next, and the time.
class SpeakerWindow {
 public:
  explicit SpeakerWindow(std::unique_ptr<Surface> surface);

  DrawnOn drawnOn() { return {fonts_, painter_, hover_, focus_, numbers_}; }
  /// One frame, at once; not `rendered`, only built. Another context is to be made current afterwards.
  void frame(Ui& ui, const RoomShown& room, bool rendered);

  bool closing() const { return surface_->closing(); }
  bool lostMonitor() const { return surface_->lostMonitor(); }
  bool hasEvents() const { return imgui_.hasEvents(); }
  /// Whether it had no time for all that it shows.
  bool isBehind() const { return heatmaps_.isBehind(); }
  bool hadEvents() const { return imgui_.hadEvents(); }
  std::vector<std::filesystem::path> takeDropped() { return surface_->takeDropped(); }
  Surface& surface() { return *surface_; }
  const ImGuiSession& imgui() const { return imgui_; }
  /// Where the room's picture lies, in pixels at 100 %.
  const Box& picture() const { return panel_.picture(); }
  ScenePainter& painter() { return painter_; }

 private:
  void passOn(const Ui& ui, const RoomShown& room);

  std::unique_ptr<Surface> surface_;
  ImGuiSession imgui_;  // before all that draws
  Fonts fonts_;
  HeatmapRenderer heatmaps_;
  ScenePainter painter_;
  Target hover_;
  Focus focus_;
  NumberEntry numbers_;
  SpeakerPanel panel_;
  bool isInside_ = false;       // the pointer, in the room's picture
  std::array<bool, 3> held_{};  // buttons that were pressed there
};

}  // namespace glassformer
