#include "app/panels/branches_panel.h"

#include <algorithm>

#include "app/document/branch_commands.h"
#include "app/document/text_edit.h"
#include "app/document/workspace.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"

namespace glassformer {

namespace {

constexpr float branchesWidth = 760, branchesMargin = 16, branchRow = 40, branchNameWidth = 150;

}  // namespace

Box BranchesPanel::place(const Ui& ui, Point window) const {
  const auto rows = static_cast<float>(std::max<std::size_t>(ui.workspace().branches.size(), 2));
  const float width = std::min(branchesWidth, window.x - 16),
              height =
                  std::min(rows * branchRow + 2 * branchesMargin + 36 + Theme::control + 8, window.y - 16);
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

void BranchesPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(branchesMargin);
  const Box title = rest.takeTop(36);
  ui.drawText({title.x, title.y + 8}, "Branches", ui.theme.heading());
  showActions(ui, rest.takeBottom(Theme::control));
  const auto& branches = ui.workspace().branches;
  if (branches.empty())
    widgets::paragraph(ui, rest,
                       "No branches yet. A branch is a saved text: save the open one, choose other tokens, "
                       "and compare both in one tree.",
                       ui.theme.note());
  for (int i = 0; i < static_cast<int>(branches.size()) && rest.height >= branchRow; ++i)
    showBranch(ui, i, rest.takeTop(branchRow).inset(0, 4));
}

void BranchesPanel::showBranch(Ui& ui, int branch, Box row) {
  const Branch& shown = ui.workspace().branches[static_cast<std::size_t>(branch)];
  const std::string number = "##" + std::to_string(branch);
  const Box swatch = row.takeLeft(Theme::control);
  if (widgets::button(ui, ("Color" + number).c_str(), swatch, {.icon = "●", .tip = "Next color"}))
    ui.emit(commands::recolorBranch(branch));
  ui.draw(Rect{swatch.inset(8), headColor(shown.color, ui.theme.dark), {0, 0, 0, 0}, 4, 1});
  row.takeLeft(6);
  showName(ui, branch, row.takeLeft(branchNameWidth));
  row.takeLeft(10);
  const auto act = [&](const char* label, const std::string& tip) {
    const std::string name = label + number;
    const Box box = row.takeRight(widgets::buttonWidth(ui, label));
    row.takeRight(6);
    return widgets::button(ui, name.c_str(), box, {.look = widgets::Look::Raised, .tip = tip});
  };
  if (act("Delete", "Delete this branch (undo restores it)")) ui.emit(commands::dropBranch(branch));
  if (act("Compare", "Next to the open text, in every view")) {
    ui.emit(commands::compareWithWriting(shown.writing));
    close();
  }
  if (act("Open in tab", "Open its text in a new tab")) {
    ui.emit(commands::writingToTab(shown.writing));
    close();
  }
  if (act("Open", "Replace the open text by this one")) {
    ui.emit(commands::takeWriting(shown.writing, "branch " + shown.name));
    close();
  }
  // The end of a text is what sets it apart.
  std::string text = displayable(shown.writing.text);
  const TextStyle style = ui.theme.note();
  const ScreenMetrics metrics = ui.metrics();
  for (std::size_t space = 0; metrics.width(text, style.face, style.size) > row.width - 8 &&
                              (space = text.find(' ', 4)) != std::string::npos;)
    text = "…" + text.substr(space);
  ui.drawText({row.x, row.center().y}, text, style, Align::Start, row.width - 8);
}

// What is typed is kept as long as it is typed: an empty name is none.
void BranchesPanel::showName(Ui& ui, int branch, const Box& box) {
  const Branch& shown = ui.workspace().branches[static_cast<std::size_t>(branch)];
  std::string name = naming_ == branch ? typed_ : shown.name;
  const std::string label = "Name##" + std::to_string(branch);
  if (!widgets::textEntry(ui, label.c_str(), box, name, FontFace::Ui)) return;
  naming_ = branch, typed_ = name;
  ui.emit(commands::renameBranch(branch, name));
}

void BranchesPanel::showActions(Ui& ui, Box row) {
  if (widgets::button(ui, "Done", row.takeRight(widgets::buttonWidth(ui, "Done")),
                      {.look = widgets::Look::Primary, .tip = "Esc"}))
    close();
  row.takeRight(8);
  const Workspace& w = ui.workspace();
  const TabText open{w.text, w.source};
  const bool isKept = keeps(w.branches, open);
  const bool isFull = w.branches.size() >= mostBranches;
  const char* const tip = isKept   ? "This text is already a branch"
                          : isFull ? "No more branches can be distinguished"
                                   : "Save the open text as a branch   Shift K";
  if (widgets::button(ui, "Save this text", row.takeRight(widgets::buttonWidth(ui, "Save this text")),
                      {.look = widgets::Look::Raised, .enabled = !isKept && !isFull, .tip = tip}))
    ui.emit(commands::keepBranch(open));
}

}  // namespace glassformer
