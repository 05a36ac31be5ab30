#include "app/panels/manual_panel.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/document/figure_recipe.h"
#include "app/panels/widgets.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr float manualListWidth = 200, manualRowHeight = 32, manualTitleHeight = 44, manualLine = 48;

// Empty where the file is no picture.
Texture pictureTexture(const fs::path& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, file.string().c_str())) return {};
  image.format = PNG_FORMAT_RGBA;
  std::vector<unsigned char> rgba(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, nullptr, rgba.data(), 0, nullptr)) return {};
  const int width = static_cast<int>(image.width), height = static_cast<int>(image.height);
  Texture texture(width, height, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true);
  texture.upload(0, 0, width, height, rgba.data());
  return texture;
}

}  // namespace

void ManualPanel::begin(const Manual& manual, const std::string& target) {
  manual_ = &manual;
  page_ = 0;
  open();
  goTo(target);
}

void ManualPanel::goTo(const std::string& target) {
  const auto place = manual_->find(target, page_).value_or(ManualPlace{page_, ""});
  page_ = place.page, anchor_ = place.anchor, scroll_ = 0;
  release();
}

Box ManualPanel::place(const Ui&, Point window) const {
  const float width = std::min(960.0f, window.x - 32), height = std::min(1000.0f, window.y - 32);
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

void ManualPanel::content(Ui& ui, const Box& area) {
  const Theme& theme = ui.theme;
  ui.draw(Rect{area, theme.panel, theme.line, 0, 1});
  Box rest = area.inset(16, 8);
  const Box title = rest.takeTop(manualTitleHeight);
  ui.drawText({title.x + 8, title.y + 20}, "Manual", {FontFace::Strong, Theme::title, theme.text});
  if (widgets::button(ui, "Close##manual", {title.right() - 32, title.y + 4, 32, 32},
                      {.icon = "✕", .tip = "close   Esc"}))
    close();
  if (manual_->pages().empty())
    return ui.drawText(rest.center(), "No manual was found with the program.",
                       {FontFace::Ui, Theme::body, theme.quiet}, Align::Middle, rest.width);
  list(ui, rest.takeLeft(manualListWidth));
  rest.takeLeft(24);
  rest.takeRight(8);
  rest.takeBottom(16);
  page(ui, rest);
}

void ManualPanel::list(Ui& ui, Box area) {
  const int count = static_cast<int>(manual_->pages().size());
  const bool left = ImGui::IsKeyPressed(ImGuiKey_LeftArrow), right = ImGui::IsKeyPressed(ImGuiKey_RightArrow);
  int chosen = std::clamp(page_ + right - left, 0, count - 1);
  for (int i = 0; i < count; ++i) {
    const ManualPage& page = manual_->pages()[static_cast<std::size_t>(i)];
    const Box row = area.takeTop(manualRowHeight);
    if (widgets::listRow(ui, page.title + "##manual page", row, i == page_)) chosen = i;
    ui.drawText({row.x + 8, row.center().y}, page.title, ui.theme.plain(), Align::Start, row.width - 16);
  }
  if (chosen != page_) goTo(manual_->pages()[static_cast<std::size_t>(chosen)].file.filename().string());
}

void ManualPanel::scroll(const Box& area, float height, bool isUnderPointer) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key) ? 1.0f : 0.0f; };
  const float sheet = area.height - manualLine;
  if (isUnderPointer && !ImGui::GetIO().KeyCtrl) scroll_ -= ImGui::GetIO().MouseWheel * manualLine;
  scroll_ += sheet * (pressed(ImGuiKey_PageDown) - pressed(ImGuiKey_PageUp)) +
             manualLine * (pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow)) +
             height * (pressed(ImGuiKey_End) - pressed(ImGuiKey_Home));
  scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - area.height));
}

void ManualPanel::page(Ui& ui, const Box& area) {
  const LaidPage laid = layPage(manual_->pages()[static_cast<std::size_t>(page_)], area.width, ui.metrics(),
                                ui.theme, Theme::body);
  if (!anchor_.empty())
    for (const auto& [anchor, y] : laid.anchors)
      if (anchor == anchor_) scroll_ = y;
  anchor_.clear();
  scroll(area, laid.height, area.contains(ui.pointer()));
  const Point origin{area.x, std::round((area.y - scroll_) * ui.scale) / ui.scale};
  const auto moved = [&](const Box& box) {
    return Box{box.x + origin.x, box.y + origin.y, box.width, box.height};
  };
  const auto isInSight = [&](const Box& box) { return box.bottom() > area.y && box.y < area.bottom(); };
  ImGui::PushClipRect(ui.screen({area.x, area.y}), ui.screen({area.right(), area.bottom()}), true);
  for (const LaidPage::Picture& shown : laid.pictures)
    if (const Box box = moved(shown.box); isInSight(box)) picture(ui, shown.file, box, area);
  for (const Shape& shape : laid.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    const auto* rect = std::get_if<Rect>(&shape);
    const float y = text ? text->at.y : rect ? rect->box.center().y : 0;
    if (isInSight(moved({0, y - manualLine, 1, 2 * manualLine})))
      ui.painter.paint(ImGui::GetWindowDrawList(), shape,
                       {{origin.x * ui.scale, origin.y * ui.scale}, ui.scale}, true);
  }
  std::string followed;
  for (std::size_t i = 0; i < laid.links.size(); ++i) {
    const Box box = moved(laid.links[i].box);
    const std::string label = laid.links[i].target + "##link " + std::to_string(i);
    if (isInSight(box) && !widgets::isCutOff(ui, box) && widgets::hotArea(ui, label.c_str(), box))
      followed = laid.links[i].target;
  }
  ImGui::PopClipRect();
  if (laid.height - scroll_ > area.height + 1)
    ui.drawText({area.right(), area.bottom() + 8}, "▾ more", ui.theme.note(), Align::End);
  if (!followed.empty()) goTo(followed);
}

void ManualPanel::picture(Ui& ui, const fs::path& file, const Box& box, const Box& seen) {
  if (!pictures_.contains(file)) pictures_.emplace(file, pictureTexture(file));
  const ImVec2 low = ui.screen({box.x, box.y}), high = ui.screen({box.right(), box.bottom()});
  if (const Texture& texture = pictures_.at(file); texture.name())
    ImGui::GetWindowDrawList()->AddImage(static_cast<ImTextureID>(texture.name()), low, high);
  ui.draw(Rect{box, {0, 0, 0, 0}, ui.theme.line, 0, 1});
  const float top = std::max(box.y, seen.y), bottom = std::min(box.bottom(), seen.bottom());
  const bool clicked = widgets::hotArea(ui, (file.stem().string() + "##manual picture").c_str(),
                                        {box.x, top, box.width, bottom - top});
  if (ImGui::IsItemHovered()) widgets::tooltip(ui, "Click to open what this picture shows.");
  if (!clicked) return;
  if (const auto recipe = recipeIn(file)) ui.emit(commands::openFigure(*recipe));
  close();
}

}  // namespace glassformer
