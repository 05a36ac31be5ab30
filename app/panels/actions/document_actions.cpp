#include <vector>

#include "app/document/branch_commands.h"
#include "app/document/comparison_commands.h"
#include "app/document/text_commands.h"
#include "app/panels/actions/action_groups.h"
#include "app/panels/actions/conditions.h"
#include "app/views/views.h"

namespace glassformer {
namespace {

void keepBranch(Ui& ui) { ui.emit(commands::keepBranch({ui.workspace().text, ui.workspace().source})); }

void newText(Ui& ui) {
  ui.emit(commands::newTab());
  ui.ask(Request::EditText);
}

void closeText(Ui& ui) { ui.emit(commands::closeTab(ui.workspace().tab)); }

template <int by>
void openText(Ui& ui) {
  const int count = ui.workspace().tabCount();
  ui.emit(commands::openTab(((ui.workspace().tab + by) % count + count) % count));
}

// What was changed is compared with what it was, else what runs beside it, else the tab beside this one.
Compared whatToCompare(const Workspace& w) {
  const std::vector<Compared> all = comparables(w);
  if (!w.changes.empty()) return Comparison::asLoaded;
  if (all.empty()) return Comparison::off;
  if (!std::holds_alternative<OtherText>(all.front())) return all.front();
  return OtherText{w.tab + 1 < w.tabCount() ? w.tab + 1 : w.tab - 1};
}

void toggleComparison(Ui& ui) {
  const Workspace& w = ui.workspace();
  ui.emit(commands::compareWith(w.comparison.isOn() ? Comparison::off : whatToCompare(w)));
}

void forgetTrace(Ui& ui) { ui.emit(commands::forgetTrace()); }

void toggleDifference(Ui& ui) {
  const bool on = asksForDifference(ui.workspace());
  if (!ui.workspace().comparison.isOn()) toggleComparison(ui);
  ui.emit(commands::setComparisonMode(on ? ComparisonMode::SideBySide : ComparisonMode::Difference));
}

bool canKeep(const Ui& ui) {
  const Workspace& w = ui.workspace();
  return writesOn(ui) && !keeps(w.branches, {w.text, w.source}) && w.branches.size() < mostBranches;
}
constexpr Condition hasOthers{[](const Ui& ui) { return ui.workspace().tabCount() > 1; },
                              "with a second text"};
constexpr Condition canCompare{[](const Ui& ui) { return !comparables(ui.workspace()).empty(); },
                               "with a second text, or a changed model"};
constexpr Condition canSubtract{[](const Ui& ui) {
                                  const Workspace& w = ui.workspace();
                                  return !comparables(w).empty() &&
                                         viewOf(w.view).picture(w.settings).subtracts;
                                },
                                "with a second text, or a changed model, in a picture that has a difference"};
constexpr Condition hasTraceBeside{[](const Ui& ui) { return !ui.workspace().recordedTrace.empty(); },
                                   "while a trace is compared"};

constexpr Action documentTable[] = {
    {"open-file", "Files", "Open file…", control | ImGuiKey_O, 0, 0, true, ask<Request::OpenFile>},
    {"start-page", "Files", "Start page", control | ImGuiKey_Home, 0, 0, false, ask<Request::StartPage>},
    {"save-session", "Files", "Save session", control | ImGuiKey_S, 0, 0, true, ask<Request::SaveSession>},
    {"save-session-as", "Files", "Save session as…", control | shift | ImGuiKey_S, 0, 0, true,
     ask<Request::SaveSessionAs>},
    {"export-figure", "Files", "Export figure…", control | ImGuiKey_E, 0, 0, true, ask<Request::Export>},
    {"export-bundle", "Files", "Export bundle…", 0, 0, 0, false, ask<Request::PackSession>},
    {"quit", "Files", "Quit", control | ImGuiKey_Q, 0, 0, true, ask<Request::Quit>},

    {"new-tab", "Texts", "New tab", control | ImGuiKey_T, 0, 0, true, newText},
    {"close-tab", "Texts", "Close tab", control | ImGuiKey_W, 0, 0, true, closeText},
    {"next-tab", "Texts", "Next tab", control | ImGuiKey_PageDown, control | ImGuiKey_Tab, 0, true,
     openText<1>, hasOthers},
    {"previous-tab", "Texts", "Previous tab", control | ImGuiKey_PageUp, 0, 0, true, openText<-1>, hasOthers},
    {"save-branch", "Texts", "Save as branch", shift | ImGuiKey_K, 0, 0, false, keepBranch, canKeep},
    {"branches", "Texts", "Branches…", shift | ImGuiKey_B, 0, 0, false, ask<Request::Branches>},
    {"compare", "Texts", "Compare", ImGuiKey_C, 0, 0, false, toggleComparison, canCompare},
    {"difference", "Texts", "Difference", ImGuiKey_D, 0, 0, false, toggleDifference, canSubtract},
    {"compare-recorded", "Texts", "Compare with recorded activations…", 0, 0, 0, false,
     ask<Request::CompareTrace>, hasModel},
    {"close-recorded", "Texts", "Close recorded activations", 0, 0, 0, false, forgetTrace, hasTraceBeside},
};

}  // namespace

std::span<const Action> documentActions() { return documentTable; }

}  // namespace glassformer
