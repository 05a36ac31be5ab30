#include "app/panels/palette_panel.h"

#include <algorithm>
#include <functional>

#include "app/panels/widgets.h"
#include "app/toolkit/item_log.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float paletteRowHeight = 32, paletteFieldHeight = 56;
constexpr int paletteMostRows = 12;

// The entries that answer to what was typed, the best first; all of them in their own order for nothing.
std::vector<PaletteEntry> answers(const Ui& ui, std::string_view typed, bool switchesOff) {
  std::vector<std::pair<int, PaletteEntry>> scored;
  for (PaletteEntry& entry : paletteEntries(ui))
    if (const int score = paletteScore(entry, typed); score >= 0 && (entry.switchesOff || !switchesOff))
      if (!entry.waits || !typed.empty()) scored.emplace_back(score, std::move(entry));
  // Where all words are found somewhere, nothing else is meant.
  const int all = scoreOfWord * wordsTyped(typed);
  const auto isComplete = [&](const auto& each) { return each.first >= all; };
  if (std::ranges::any_of(scored, isComplete)) std::erase_if(scored, std::not_fn(isComplete));
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) {
    return a.second.waits != b.second.waits ? b.second.waits : a.first > b.first;
  });
  std::vector<PaletteEntry> entries;
  for (auto& [score, entry] : scored) entries.push_back(std::move(entry));
  return entries;
}

}  // namespace

void PalettePanel::reset() {
  typed_.fill(0);
  chosen_ = first_ = 0;
  answers_ = paletteMostRows;
  switchesOff_ = isAhead_ = false;
}

void PalettePanel::beginSwitchingOff() {
  open();
  switchesOff_ = true;
}

Box PalettePanel::place(const Ui&, Point window) const {
  const float width = std::min(560.0f, window.x - 32);
  const float top = std::min(96.0f, window.y * 0.12f);
  const int rows = std::clamp(static_cast<int>((window.y - top - 32 - paletteFieldHeight) / paletteRowHeight),
                              1, paletteMostRows);
  return {(window.x - width) / 2, top, width,
          paletteFieldHeight + 8 + static_cast<float>(std::clamp(answers_, 1, rows)) * paletteRowHeight};
}

void PalettePanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area;
  showField(ui, rest.takeTop(paletteFieldHeight));
  const auto entries = answers(ui, typed_.data(), switchesOff_);
  if (answers_ != static_cast<int>(entries.size())) ui.animating = true;  // the next frame has its height
  answers_ = static_cast<int>(entries.size());
  const int rows = static_cast<int>((rest.height - 8) / paletteRowHeight);
  handleKeys(static_cast<int>(entries.size()), rows);
  if (entries.empty())
    ui.drawText({rest.x + 20, rest.y + paletteRowHeight / 2}, "No match.", ui.theme.note());
  for (int i = first_; i < std::min(first_ + rows, static_cast<int>(entries.size())); ++i)
    showEntry(ui, entries[static_cast<std::size_t>(i)], rest.takeTop(paletteRowHeight), i);
  if (run_ && !entries.empty() && !entries[static_cast<std::size_t>(chosen_)].waits) {
    close();
    entries[static_cast<std::size_t>(chosen_)].run(ui);
  }
  run_ = false;
}

void PalettePanel::showField(Ui& ui, const Box& box) {
  ui.draw(Rect{{box.x, box.bottom() - 1, box.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  ImGui::PushFont(ui.fonts.font(FontFace::Ui), ui.fonts.lineHeight(FontFace::Ui, Theme::body * ui.scale));
  ImGui::SetCursorScreenPos(
      ui.screen({box.x + 20, box.center().y - ImGui::GetTextLineHeight() / ui.scale / 2}));
  ImGui::SetNextItemWidth((box.width - 40) * ui.scale);
  if (justOpened()) ImGui::SetKeyboardFocusHere();
  const char* const hint = switchesOff_ ? "Component to ablate: a head, attention layer or MLP"
                                        : "Search views, pictures, heads, actions";
  // The caret stands behind what was typed before the field had the keyboard, which takes a frame.
  const auto toEnd = [](ImGuiInputTextCallbackData* data) {
    if (std::exchange(static_cast<PalettePanel*>(data->UserData)->isAhead_, false))
      data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    return 0;
  };
  if (ImGui::InputTextWithHint("##what", hint, typed_.data(), typed_.size(),
                               ImGuiInputTextFlags_CallbackAlways, toEnd, this))
    chosen_ = first_ = 0;
  if (!ImGui::IsItemActive()) takeAhead();
  nameLastItem("Search");
  ImGui::PopFont();
}

void PalettePanel::takeAhead() {
  std::string ahead = typed_.data();
  for (const ImWchar sign : ImGui::GetIO().InputQueueCharacters) ahead += encodeUtf8(sign);
  if (ahead.size() == std::string_view(typed_.data()).size() || ahead.size() >= typed_.size()) return;
  std::ranges::copy(ahead, typed_.begin());
  isAhead_ = true;
}

void PalettePanel::handleKeys(int count, int rows) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
  if (pressed(ImGuiKey_DownArrow)) ++chosen_;
  if (pressed(ImGuiKey_UpArrow)) --chosen_;
  if (pressed(ImGuiKey_PageDown)) chosen_ += rows;
  if (pressed(ImGuiKey_PageUp)) chosen_ -= rows;
  chosen_ = std::clamp(chosen_, 0, std::max(count - 1, 0));
  first_ = std::clamp(first_, std::max(chosen_ - rows + 1, 0), chosen_);
  run_ |= pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter);
}

void PalettePanel::showEntry(Ui& ui, const PaletteEntry& entry, const Box& row, int index) {
  const Box inner = row.inset(8, 0);
  const std::string id = entry.title + "##" + std::to_string(index);
  const bool clicked = widgets::listRow(ui, id, inner, index == chosen_);
  const Theme& theme = ui.theme;
  const TextStyle aboutStyle = entry.waits ? theme.note() : theme.quietMono();
  const float aboutWidth = ui.metrics().width(entry.about, aboutStyle.face, aboutStyle.size);
  const float room = inner.width - aboutWidth - 40,
              title = ui.metrics().width(entry.title, theme.plain().face, theme.plain().size);
  ui.drawText({inner.x + 12, inner.center().y}, entry.title, entry.waits ? theme.note() : theme.plain(),
              Align::Start, room);
  constexpr float gap = 12, least = 32;
  if (const std::string words = answeringWords(entry, typed_.data()); room - title - gap >= least)
    ui.drawText({inner.x + 12 + title + gap, inner.center().y}, words, theme.note(), Align::Start,
                room - title - gap);
  ui.drawText({inner.right() - 12, inner.center().y}, entry.about, aboutStyle, Align::End);
  if (clicked) chosen_ = index, run_ = true;
}

}  // namespace glassformer
