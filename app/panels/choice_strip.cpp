#include "app/panels/choice_strip.h"

#include <algorithm>

#include "app/panels/widgets.h"

namespace glassformer {

namespace {

constexpr float groupGap = 16, choiceGap = 4, mostTightening = 18;

float widthOf(const Ui& ui, const ChoiceStrip::Group& group) {
  float width = -choiceGap;
  for (const Choice& choice : group) width += widgets::buttonWidth(ui, choice.label.c_str()) + choiceGap;
  return width;
}

// "Matrix ▾": the choice that is on.
std::string foldedLabel(const ChoiceStrip::Group& group) {
  const auto on = std::ranges::find(group, true, &Choice::on);
  return (on == group.end() ? std::string("…") : on->label) + " ▾";
}

float foldedWidth(const Ui& ui, const ChoiceStrip::Group& group) {
  return widgets::buttonWidth(ui, foldedLabel(group).c_str());
}

// Which groups are folded so that all stand in a line: the leading ones first, then the last. A single choice
// gains nothing by it.
std::vector<bool> foldedIn(const Ui& ui, const std::vector<ChoiceStrip::Group>& groups, std::size_t leading,
                           float room) {
  std::vector<bool> folded(groups.size());
  float width = -groupGap;
  for (const auto& group : groups) width += widthOf(ui, group) + groupGap;
  for (std::size_t step = 0; step < groups.size() && width > room; ++step) {
    const std::size_t i = step < leading ? step : groups.size() - 1 - (step - leading);
    const float gain = widthOf(ui, groups[i]) - foldedWidth(ui, groups[i]);
    if (groups[i].size() > 1 && gain > 0) folded[i] = true, width -= gain;
  }
  return folded;
}

// True where it was clicked.
bool showChoice(Ui& ui, Box& row, const Choice& choice, float tightening) {
  const float width = widgets::buttonWidth(ui, choice.label.c_str()) - tightening;
  const std::string label = choice.label + "##choice";
  const bool clicked = widgets::button(ui, label.c_str(), row.takeLeft(width),
                                       {.enabled = choice.missing.empty(),
                                        .on = choice.on,
                                        .tip = choice.missing.empty() ? choice.tip : choice.missing});
  row.takeLeft(choiceGap);
  if (!clicked) return false;
  const bool extends = choice.extended.apply && ImGui::GetIO().KeyCtrl;
  ui.emit(extends ? choice.extended : choice.command);
  return true;
}

}  // namespace

Box ChoiceStrip::show(Ui& ui, Box row, const std::vector<Group>& groups, std::size_t leading) {
  if (open_ >= static_cast<int>(groups.size())) close();
  if (isOpen()) return showOpen(ui, row, groups[static_cast<std::size_t>(open_)]), Box{};
  const std::vector<bool> folded = foldedIn(ui, groups, leading, row.width);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (folded[i]) {
      showFolded(ui, row, groups[i], static_cast<int>(i));
    } else {
      for (const Choice& choice : groups[i]) showChoice(ui, row, choice, 0);
      row.takeLeft(groupGap - choiceGap);
    }
  }
  return row;
}

void ChoiceStrip::showFolded(Ui& ui, Box& row, const Group& group, int index) {
  const std::string label = foldedLabel(group) + "##group " + std::to_string(index);
  if (widgets::button(ui, label.c_str(), row.takeLeft(foldedWidth(ui, group)),
                      {.look = widgets::Look::Raised}))
    open_ = index;
  row.takeLeft(groupGap);
}

void ChoiceStrip::showOpen(Ui& ui, Box row, const Group& group) {
  if (widgets::button(ui, "Back##choices", row.takeLeft(Theme::control), {.icon = "‹"})) return close();
  row.takeLeft(choiceGap);
  const float over = std::max(widthOf(ui, group) - row.width, 0.0f);
  const float tightening = std::min(over / static_cast<float>(group.size()), mostTightening);
  for (const Choice& choice : group)
    if (showChoice(ui, row, choice, tightening)) return close();
}

}  // namespace glassformer
