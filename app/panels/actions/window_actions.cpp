#include <array>

#include "app/document/view_commands.h"
#include "app/panels/actions/action_groups.h"

namespace glassformer {
namespace {

// Steps of zoom that people know from browsers.
constexpr std::array zooms{0.75f, 0.9f, 1.0f, 1.1f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f, 3.0f};

void changeLook(Ui& ui, void (*change)(Look&)) {
  Look look = ui.workspace().look;
  change(look);
  ui.emit(commands::setLook(look));
}

void larger(Ui& ui) {
  changeLook(ui, [](Look& a) {
    for (const float zoom : zooms)
      if (zoom > a.zoom + 0.01f) {
        a.zoom = zoom;
        return;
      }
  });
}

void smaller(Ui& ui) {
  changeLook(ui, [](Look& a) {
    for (std::size_t i = zooms.size(); i-- > 0;)
      if (zooms[i] < a.zoom - 0.01f) {
        a.zoom = zooms[i];
        return;
      }
  });
}

void actualSize(Ui& ui) {
  changeLook(ui, [](Look& a) { a.zoom = 1; });
}

void switchTheme(Ui& ui) {
  changeLook(ui, [](Look& a) { a.dark = !a.dark, a.followsSystem = false; });
}

void switchContrast(Ui& ui) {
  changeLook(ui, [](Look& a) { a.contrast = !a.contrast; });
}

void followSystem(Ui& ui) {
  changeLook(ui, [](Look& a) { a.followsSystem = true; });
}

void toggleAllControls(Ui& ui) {
  changeLook(ui, [](Look& a) { a.allControls = !a.allControls; });
}

constexpr Condition presents{[](const Ui& ui) { return ui.presenting; }, "while presenting"};
bool isWorking(const Ui& ui) { return ui.isWorking(); }
constexpr Condition wasCancelled{
    [](const Ui& ui) { return !ui.snapshot.standing.cancelled.empty() && !ui.progress; },
    "once work was cancelled"};
bool canGrow(const Ui& ui) { return ui.workspace().look.zoom < zooms.back() - 0.01f; }
bool canShrink(const Ui& ui) { return ui.workspace().look.zoom > zooms.front() + 0.01f; }

constexpr Action windowTable[] = {
    {"cancel", "Work", "Cancel", ImGuiKey_Escape, 0, 0, false, ask<Request::Cancel>, isWorking},
    {"start-again", "Work", "Start again", 0, 0, 0, false, ask<Request::Resume>, wasCancelled},

    {"present", "Present", "Start presentation", ImGuiKey_F5, 0, 0, true, ask<Request::Present>},
    {"spotlight", "Present", "Spotlight", ImGuiKey_F6, 0, 0, true, ask<Request::Spotlight>, presents},
    {"pen", "Present", "Pen", ImGuiKey_F7, 0, 0, true, ask<Request::Pen>, presents},
    {"presenter-window", "Present", "Open presenter window", ImGuiKey_F8, 0, 0, true, ask<Request::Speaker>,
     presents},
    {"black-screen", "Present", "Black screen", ImGuiKey_B, 0, 0, false, ask<Request::Black>, presents},
    {"freeze-audience", "Present", "Freeze audience view", ImGuiKey_Period, 0, 0, false, ask<Request::Freeze>,
     presents},

    {"full-screen", "Window", "Full screen", ImGuiKey_F11, 0, 0, true, ask<Request::FullScreen>},
    {"toggle-theme", "Window", "Toggle theme", ImGuiKey_T, 0, 0, false, switchTheme},
    {"system-theme", "Window", "Use system theme", 0, 0, 0, false, followSystem},
    {"high-contrast", "Window", "High contrast", 0, 0, 0, false, switchContrast},
    {"zoom-in", "Window", "Zoom in", control | ImGuiKey_Equal, control | ImGuiKey_KeypadAdd, 0, true, larger,
     canGrow},
    {"zoom-out", "Window", "Zoom out", control | ImGuiKey_Minus, control | ImGuiKey_KeypadSubtract, 0, true,
     smaller, canShrink},
    {"reset-zoom", "Window", "Reset zoom", control | ImGuiKey_0, 0, 0, true, actualSize},
    {"inspector", "Window", "Toggle inspector", ImGuiKey_I, 0, 0, false, ask<Request::Inspector>},
    {"left-panel", "Window", "Toggle left panel", ImGuiKey_M, 0, 0, false, ask<Request::Input>},
    {"all-controls", "Window", "All controls", 0, 0, 0, false, toggleAllControls},
    {"picture-only", "Window", "Show only the picture", ImGuiKey_F9, 0, 0, true, ask<Request::PictureAlone>},

    {"palette", "Help", "Command palette", control | ImGuiKey_P, 0, 0, true, ask<Request::Palette>},
    {"manual", "Help", "Open manual", ImGuiKey_F1, 0, 0, true, ask<Request::Manual>},
    {"shortcuts", "Help", "Keyboard shortcuts", 0, 0, '?', false, ask<Request::KeyMap>},
};

}  // namespace

std::span<const Action> windowActions() { return windowTable; }

}  // namespace glassformer
