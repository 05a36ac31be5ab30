#include "app/panels/scene_pane.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/document/token_edit.h"
#include "app/explain/value_words.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "app/scene/token_landing.h"
#include "app/toolkit/item_log.h"

namespace glassformer {

namespace {

// What the tooltip says: the view's own words, then the value with its name and index.
std::vector<std::pair<std::string, TextStyle>> describe(const Ui& ui, const Scene& scene,
                                                        const Target& target) {
  std::vector<std::pair<std::string, TextStyle>> lines;
  const Theme& theme = ui.theme;
  for (std::size_t at = 0; at < target.text.size();) {
    const std::size_t end = std::min(target.text.find('\n', at), target.text.size());
    lines.push_back({target.text.substr(at, end - at), theme.plain()});
    at = end + 1;
  }
  const TracePoint* point = target.cell.empty() ? nullptr : scene.sources.point(target.cell.tensor);
  const auto value = point ? valueOf(scene.sources, target.cell) : std::nullopt;
  if (!value) return lines;
  lines.push_back(
      {valueWords(scene.sources, target.cell.tensor, *value), {FontFace::Mono, Theme::body, theme.text}});
  const auto rank = static_cast<int>(point->letters.size());
  lines.push_back({point->name + " " + formattedIndex(target.cell.index.data(), rank), theme.quietMono()});
  return lines;
}

// The whole of a shortened text under the pointer; empty when there is none.
std::string hiddenText(const Ui& ui, const Scene& scene, Point at) {
  const ScreenMetrics metrics = ui.metrics();
  for (const Shape& shape : scene.shapes)
    if (const Text* text = std::get_if<Text>(&shape))
      if (isShortened(metrics, *text) && textBox(metrics, *text).contains(at)) return text->text;
  return "";
}

Box regionOnScreen(const Box& box, const Placement& at) {
  const Point p = at.toScreen({box.x, box.y});
  return {p.x, p.y, box.width * at.scale, box.height * at.scale};
}

bool extends(const HitRegion& hit) {
  const ImGuiIO& io = ImGui::GetIO();
  return hit.extend && (io.KeyCtrl || io.KeyShift);
}

// What the wheel and dragging move: the topmost region under the point that can be zoomed or panned.
const HitRegion* movableAt(const Scene& scene, Point at) {
  for (auto region = scene.hits.rbegin(); region != scene.hits.rend(); ++region)
    if ((region->zoom || region->pan) && region->box.contains(at)) return &*region;
  return nullptr;
}

bool isAnyButtonClicked() {
  return ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right) ||
         ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
}

// With Ctrl the wheel zooms the window, and leaves what is below the pointer as it is.
float wheelOverPicture() { return ImGui::GetIO().KeyCtrl ? 0 : ImGui::GetIO().MouseWheel; }

Point fractionOf(const Box& box, Point at) {
  return {(at.x - box.x) / box.width, (at.y - box.y) / box.height};
}

}  // namespace

void ScenePane::show(Ui& ui, const Scene& scene, const Box& where, float fit) {
  fit_ = fit;
  const bool clicked = widgets::hotArea(ui, name_, where);
  nameLastItem(name_);
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && isAnyButtonClicked()) ui.focus.putOnPictures(true);
  const bool activated = ImGui::IsItemActivated(), active = ImGui::IsItemActive();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto placement = [&] {
    return Placement{{(where.x - scroll_.x * fit) * ui.scale, (where.y - scroll_.y * fit) * ui.scale},
                     ui.scale * fit};
  };
  const HitRegion* under = movableAt(scene, placement().toScene({mouse.x, mouse.y}));
  const bool zooms = under && under->zoom && !ImGui::GetIO().KeyShift;
  const Point room = roomIn(where);
  scroll(scene, room, hovered && !zooms);
  const Placement at = placement();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(ui.screen({where.x, where.y}), ui.screen({where.right(), where.bottom()}), true);
  const bool scrolls = scene.size.x > room.x + 1 || scene.size.y > room.y + 1;
  ui.painter.paint(list, scene, at, scrolls);
  if (scene.size.y > room.y + 1) {  // a thin mark of where we are in a tall picture
    const float each = where.height / scene.size.y;
    ui.draw(Rect{{where.right() - 6, where.y + scroll_.y * each, 4, room.y * each},
                 ui.theme.line,
                 {0, 0, 0, 0},
                 2,
                 1});
  }
  list->PopClipRect();
  byKeyboard_ = false;
  ImGui::PushClipRect(ui.screen({where.x, where.y}), ui.screen({where.right(), where.bottom()}), true);
  for (const HitRegion& hit : scene.hits)
    if (!hit.name.empty()) {
      const Box box = regionOnScreen(hit.box, at);
      if (hit.isToken) noteTokens(ui, hit, box);
      logRegion(hit.name.c_str(), {box.x, box.y}, {box.right(), box.bottom()}, name_);
      if ((hit.click || hit.arrows || hit.isCandidate) && hit.tabStop &&
          ui.focus.stop(widgets::focusName(hit.name.c_str())))
        focus(ui, scene, hit, where);
    }
  ImGui::PopClipRect();
  const Point pointer = at.toScene({mouse.x, mouse.y});
  if (activated) press(ui, scene, pointer);
  if (active) drag(ui, pointer), draw(ui, scene, pointer), dragNumber(ui, pointer);
  dragToken(ui, scene, at, where, ImGui::IsItemDeactivated());
  const bool carries = active && press_.token >= 0 && press_.dragged;  // nothing is said meanwhile
  const bool isPointed = hovered && !byKeyboard_ && !carries;
  if (!isPointed) clicked_.reset();
  if (isPointed) point(ui, scene, pointer, clicked && !press_.dragged);
}

void ScenePane::press(const Ui& ui, const Scene& scene, Point at) {
  press_ = {};
  press_.at = at;
  const HitRegion* hit = hitAt(scene, at);
  if (hit && ImGui::GetIO().KeyAlt) press_.change = changeOf(ui, targetAt(*hit, at));
  if (press_.change) {
    ++strokes_, press_.dragged = true;  // letting go is no click
  } else if (hit && hit->isToken) {
    press_.token = hit->target.token;
  } else if (hit && hit->draw) {
    press_.drawn = targetAt(*hit, at);
    press_.stroke = hit->draw(press_.drawn, ++strokes_);
  } else if (const HitRegion* movable = movableAt(scene, at)) {
    press_.size = {movable->box.width, movable->box.height};
    press_.pan = movable->pan;
  }
}

void ScenePane::drag(Ui& ui, Point at) {
  constexpr float threshold = 4;  // a click may slip this far
  const Point by{at.x - press_.at.x, at.y - press_.at.y};
  const bool draggable = press_.pan || press_.token >= 0;
  if (!draggable || (!press_.dragged && std::hypot(by.x, by.y) < threshold)) return;
  press_.dragged = true;
  if (!press_.pan) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  ui.emit(press_.pan({by.x / press_.size.x, by.y / press_.size.y}));
}

// With Alt a number is dragged up and down where it stands, by a step for every few pixels.
void ScenePane::dragNumber(Ui& ui, Point at) {
  constexpr float pixelsPerStep = 4;
  if (!press_.change) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  const NumberChange& change = *press_.change;
  const float steps = std::round((press_.at.y - at.y) / pixelsPerStep),
              value = change.value + steps * change.options.step;
  if (std::exchange(press_.steps, steps) != steps)
    ui.emit(change.to(std::clamp(value, change.options.low, change.options.high),
                      "dragged." + std::to_string(strokes_)));
}

// The first time where the button went down, then wherever the pointer has moved on to another cell.
void ScenePane::draw(Ui& ui, const Scene& scene, Point at) {
  if (!press_.stroke) return;
  const HitRegion* hit = hitAt(scene, at);
  const bool begins = !press_.dragged;
  const Target to = hit && hit->draw ? targetAt(*hit, at) : press_.drawn;
  press_.dragged = true;  // letting go is no click
  if (!begins && to == press_.drawn) return;
  ui.emit(press_.stroke(press_.drawn, to));
  press_.drawn = to;
}

// A dragged token: a mark where it would land, and once it is let go of, the edit.
void ScenePane::dragToken(Ui& ui, const Scene& scene, const Placement& at, const Box& where, bool released) {
  if (press_.token < 0 || !press_.dragged) return;
  const int token = press_.token;
  if (released) press_.token = -1;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  constexpr float slack = 24;  // further away it is given up
  if (!where.inset(-slack).contains({mouse.x / ui.scale, mouse.y / ui.scale})) return;
  const auto landing = tokenLandingAt(scene, at.toScene({mouse.x, mouse.y}));
  if (!landing || landing->gap == token || landing->gap == token + 1) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  ui.painter.paint(ImGui::GetWindowDrawList(),
                   Rect{landing->mark.inset(-0.5f), ui.theme.accent, {0, 0, 0, 0}, 1, 1}, at);
  if (released) ui.emit(commands::moveToken(ui.snapshot.pass->tokenized(), token, landing->gap));
}

// Where the selected one is, for its menu, which a right click or the menu key opens.
void ScenePane::noteTokens(Ui& ui, const HitRegion& hit, const Box& onScreen) const {
  const TokenPlace place{
      hit.target.token,
      {onScreen.x / ui.scale, onScreen.y / ui.scale, onScreen.width / ui.scale, onScreen.height / ui.scale}};
  const int last = static_cast<int>(ui.snapshot.pass->tokens.size()) - 1,
            chosen = ui.workspace().selection.query;
  const int unchosen = ui.snapshot.pass->hasTrace() ? ui.snapshot.positionOr(-1, Stream::Text) : last;
  if (place.token == (chosen < 0 ? unchosen : std::min(chosen, last))) ui.selectedToken = place;
  const bool marked = ui.focus.name() == widgets::focusName(hit.name.c_str());
  if (marked && !ui.typing && (ui.focus.activated() || ImGui::IsKeyPressed(ImGuiKey_Menu, false)))
    ui.tokenMenu = place;
  const Point pointer = ui.pointer();
  const bool asked =
      ImGui::IsMouseClicked(ImGuiMouseButton_Right) || ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (!ImGui::IsItemHovered() || !place.box.contains(pointer) || !asked) return;
  ui.emit(commands::selectQuery(place.token));
  ui.tokenMenu = place;
}

// The keyboard's mark on a region: on one of its cells where it is a grid. Says what is there, as the pointer
// does.
void ScenePane::focus(Ui& ui, const Scene& scene, const HitRegion& hit, const Box& where) {
  byKeyboard_ = true;
  row_ = std::clamp(row_, 0, hit.rows - 1), column_ = std::clamp(column_, 0, hit.columns - 1);
  if (hit.arrows) {
    turn(ui, hit);
  } else if (hit.rows > 1 || hit.columns > 1) {
    ui.usesArrows = true;
    if (!ui.typing) moveInside(hit);
  }
  const Box cell = hit.box.cell(row_, column_, hit.rows, hit.columns);
  reveal(cell, scene, roomIn(where));
  const Target target = targetAt(hit, cell.center());
  ui.nextHover = target;
  const auto marked = [&](const Box& box) {
    return Box{where.x + (box.x - scroll_.x) * fit_, where.y + (box.y - scroll_.y) * fit_, box.width * fit_,
               box.height * fit_};
  };
  widgets::focusMark(ui, marked(cell));
  if (ui.focus.activated() && hit.isCandidate) ui.candidate = {target.entry, target.cell, marked(cell)};
  if (!ui.focus.activated() || !hit.click) return;
  ui.emit(extends(hit) ? hit.extend(target) : hit.click(target));
}

namespace {

struct Arrows {
  int right = 0, down = 0;
};
Arrows arrowsPressed() {
  if (ImGui::GetIO().KeyMods != 0) return {};
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
  return {pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow),
          pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow)};
}

}  // namespace

void ScenePane::turn(Ui& ui, const HitRegion& hit) const {
  if (ui.typing) return;
  ui.usesArrows = true;
  if (const auto [right, down] = arrowsPressed(); right != 0 || down != 0) ui.emit(hit.arrows(right, down));
}

void ScenePane::moveInside(const HitRegion& hit) {
  const auto [right, down] = arrowsPressed();
  row_ = std::clamp(row_ + down, 0, hit.rows - 1);
  column_ = std::clamp(column_ + right, 0, hit.columns - 1);
}

void ScenePane::reveal(const Box& part, const Scene& scene, Point room) {
  const auto along = [](float scroll, float begin, float end, float seen) {
    return std::clamp(scroll, std::min(end + 16 - seen, begin - 16), begin - 16);
  };
  if (scene.size.x > room.x) scroll_.x = along(scroll_.x, part.x, part.right(), room.x);
  if (scene.size.y > room.y) scroll_.y = along(scroll_.y, part.y, part.bottom(), room.y);
}

void ScenePane::scroll(const Scene& scene, Point room, bool hovered) {
  if (hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool sideways = io.KeyShift || scene.size.y <= room.y;
    (sideways ? scroll_.x : scroll_.y) -= wheelOverPicture() * 48;
    scroll_.x -= io.MouseWheelH * 48;
  }
  scroll_.x = std::clamp(scroll_.x, 0.0f, std::max(0.0f, scene.size.x - room.x));
  scroll_.y = std::clamp(scroll_.y, 0.0f, std::max(0.0f, scene.size.y - room.y));
}

void ScenePane::point(Ui& ui, const Scene& scene, Point at, bool clicked) {
  std::vector<std::pair<std::string, TextStyle>> lines;
  const HitRegion* const hit = hitAt(scene, at);
  if (clicked && !hit) ui.emit(commands::letTokensGo());
  if (hit) {
    const Target target = targetAt(*hit, at);
    ui.nextHover = target;
    if (hit->arrows) turn(ui, *hit);
    const ImGuiIO& io = ImGui::GetIO();
    const HitRegion* movable = movableAt(scene, at);
    if (const float turned = wheelOverPicture(); movable && movable->zoom && turned != 0 && !io.KeyShift)
      ui.emit(movable->zoom(turned, fractionOf(movable->box, at)));
    const HitRegion* reset = hit->click || !movable ? hit : movable;
    if (reset->reset && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) ui.emit(reset->reset());
    const auto& click = extends(*hit) ? hit->extend : hit->click;
    if (hit->isCandidate && !press_.dragged) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (hit->isCandidate && clicked)
      ui.candidate = {target.entry, target.cell, {ui.pointer().x, ui.pointer().y, 0, 0}};
    const bool doesNothing = !click && !movable && !hit->draw && !hit->isCandidate,
               isNumber = !target.cell.empty();
    const bool asks = ImGui::IsMouseClicked(ImGuiMouseButton_Right) || (clicked && doesNothing);
    if (asks && isNumber && !hit->isToken) ui.why = target;
    if (click) {
      if (!press_.dragged) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (clicked) ui.emit(click(target));
      // Whoever clicks a choice has read what it says, which would cover what it brings.
      if (clicked && !isNumber) clicked_ = hit->box;
    }
    lines = describe(ui, scene, target);
  }
  if (clicked_ && !clicked_->contains(at)) clicked_.reset();
  if (clicked_) return;
  const std::string hidden = hiddenText(ui, scene, at);
  const bool said = std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
    return line.first.find(hidden) != std::string::npos;
  });
  if (!hidden.empty() && !said) lines.insert(lines.begin(), {hidden, ui.theme.plain()});
  if (!lines.empty()) widgets::tooltip(ui, lines);
}

}  // namespace glassformer
