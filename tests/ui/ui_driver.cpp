#include "tests/ui/ui_driver.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <tuple>

#include "app/engine/training.h"
#include "app/views/views.h"
#include "imgui_internal.h"
#include "tests/small_model.h"
#include "tests/this_build.h"

namespace glassformer {

Result<LoadedModel> smallModel(const std::string& name, const ProgressCallback&) {
  return makeSmallModel(name);
}

Result<LoadedModel> storiesModel(const std::string&, const ProgressCallback&) {
  return ModelLibrary(std::filesystem::path(SOURCE_FOLDER) / "app").load("stories");
}

UiDriver::UiDriver(const Options& options) {
  auto surface = openHeadless(options.width, options.height);
  if (!surface) throw std::runtime_error(surface.error().message());
  surface_ = surface->get();
  if (!options.runs.empty())
    training_ = std::make_shared<Training>(Training::Options{.folder = options.runs, .threads = 1});
  engine_ = std::make_shared<Engine>(
      options.loader ? options.loader : smallModel, [] {}, neededFor, 1, training_);
  Workspace workspace = options.workspace;
  workspace.look.allControls = options.allControls;
  app_ = std::make_unique<Application>(std::move(*surface), engine_, std::move(workspace),
                                       ApplicationOptions{options.recent,
                                                          options.session,
                                                          options.message,
                                                          false,
                                                          options.models,
                                                          options.loader ? options.loader : smallModel,
                                                          training_,
                                                          {},
                                                          options.lessons,
                                                          options.lesson,
                                                          options.beginning,
                                                          {{"small"}, options.runs, options.packs}});
  attachItemLog(ImGui::GetCurrentContext(), &log_);
  ImGui::GetIO().AddFocusEvent(true);
  settle();
}

UiDriver::~UiDriver() { attachItemLog(ImGui::GetCurrentContext(), nullptr); }

void UiDriver::lookAs(const UsualLook& look) {
  surface_->resize(look.width, look.height);
  if (workspace().look.dark != look.dark) press(ImGuiKey_T);
  if (workspace().look.dark != look.dark) click("Top bar/Toggle theme");  // where letters write
  settle();
  if (workspace().look.dark != look.dark) throw std::runtime_error("Nothing switches the theme here");
}

void UiDriver::frames(int count) {
  while (count-- > 0) app_->frame(false);
}

void UiDriver::settle() {
  frames(2);
  if (waits_) engine_->finish();
  const auto isPrepared = [&] { return !training_ || !training_->progress(); };
  for (int i = 0; i < 20 && (app_->restless() || !isPrepared()); ++i) {
    app_->frame(false);
    if (waits_) engine_->finish();  // an answer can lead to another question
  }
}

void UiDriver::asTheWindow() {
  app_->frame(false);
  for (int i = 0; i < 20 && app_->restless(); ++i) app_->frame(false);
}

namespace {
std::string_view shown(std::string_view label) { return label.substr(0, label.find("##")); }
}  // namespace

const ItemRecord* UiDriver::lookup(std::string_view wanted, int& matches) const {
  std::string_view window, label = wanted;
  if (const std::size_t slash = wanted.find('/'); slash != std::string_view::npos)
    window = wanted.substr(0, slash), label = wanted.substr(slash + 1);
  const ItemRecord* hit = nullptr;
  matches = 0;
  for (const auto& [id, item] : log_.items) {
    if (item.frame != ImGui::GetFrameCount() || item.isWindow || item.label.empty()) continue;
    if (item.label != label && shown(item.label) != label) continue;
    if (!window.empty() && item.window != window && item.pane != window) continue;
    hit = &item;
    ++matches;
  }
  return hit;
}

std::string UiDriver::onScreen() const {
  std::string text;
  for (const auto& [id, item] : log_.items)
    if (item.frame == ImGui::GetFrameCount() && !item.label.empty() && !item.isWindow)
      text += "[" + item.window + "/" + item.label + "] ";
  return text;
}

ItemRecord UiDriver::find(std::string_view label) {
  int matches = 0;
  const ItemRecord* item = lookup(label, matches);
  if (matches == 1) return *item;
  throw std::runtime_error((matches ? "several widgets are called \"" : "no widget is called \"") +
                           std::string(label) + "\"; on screen: " + onScreen());
}

bool UiDriver::exists(std::string_view label) {
  int matches = 0;
  lookup(label, matches);
  return matches > 0;
}

ImVec2 UiDriver::place(const ItemRecord& item, float x, float y) const {
  if (item.disabled) throw std::runtime_error("\"" + item.label + "\" is disabled");
  const ImVec2 p(item.min.x + (item.max.x - item.min.x) * x, item.min.y + (item.max.y - item.min.y) * y);
  if (p.x < item.clipMin.x || p.x >= item.clipMax.x || p.y < item.clipMin.y || p.y >= item.clipMax.y)
    throw std::runtime_error("\"" + item.label + "\" cannot be seen there: scroll to it first");
  return p;
}

std::vector<ItemRecord> UiDriver::items() const {
  std::vector<ItemRecord> all;
  for (const auto& [id, item] : log_.items)
    if (item.frame == ImGui::GetFrameCount() && !item.isWindow && !item.label.empty()) all.push_back(item);
  std::ranges::sort(all, [](const ItemRecord& a, const ItemRecord& b) {
    return std::tie(a.window, a.min.y, a.min.x, a.label) < std::tie(b.window, b.min.y, b.min.x, b.label);
  });
  return all;
}

std::string UiDriver::texts() {
  app_->painter().keepTexts(true);
  frames(1);
  std::string said;
  for (const DrawnText& text : app_->painter().texts()) said += text.text + "\n";
  app_->painter().keepTexts(false);
  return said;
}

std::string UiDriver::tooltip() {
  app_->painter().keepTexts(true);
  frames(1);
  std::string said;
  for (const DrawnText& text : app_->painter().texts())
    if (text.list == ImGui::GetForegroundDrawList()) said += text.text + "\n";
  app_->painter().keepTexts(false);
  return said;
}

bool UiDriver::canClick(const ItemRecord& item, float x, float y) const {
  const ImVec2 p(item.min.x + (item.max.x - item.min.x) * x, item.min.y + (item.max.y - item.min.y) * y);
  return !item.disabled && p.x >= item.clipMin.x && p.x < item.clipMax.x && p.y >= item.clipMin.y &&
         p.y < item.clipMax.y;
}

void UiDriver::hover(std::string_view label, float x, float y) { hover(find(label), x, y); }
void UiDriver::click(std::string_view label, float x, float y) { click(find(label), x, y); }
void UiDriver::drag(std::string_view label, float byX, float byY) { drag(find(label), byX, byY); }
void UiDriver::wheel(std::string_view label, float notches) { wheel(find(label), notches); }

void UiDriver::hover(const ItemRecord& item, float x, float y) {
  const ImVec2 p = place(item, x, y);
  ImGui::GetIO().AddMousePosEvent(p.x, p.y);
  settle();
}

void UiDriver::click(const ItemRecord& item, float x, float y) {
  const ImVec2 p = place(item, x, y);
  ImGui::GetIO().AddMousePosEvent(p.x, p.y);
  frames(2);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  frames(1);
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  settle();
}

void UiDriver::rightClick(std::string_view label, float x, float y) {
  hover(label, x, y);
  ImGui::GetIO().AddMouseButtonEvent(1, true);
  frames(1);
  ImGui::GetIO().AddMouseButtonEvent(1, false);
  settle();
}

void UiDriver::clickWith(int modifiers, std::string_view label, float x, float y) {
  hold(modifiers, true);
  click(label, x, y);
  hold(modifiers, false);
}

void UiDriver::dragWith(int modifiers, std::string_view label, ImVec2 from, ImVec2 by) {
  hold(modifiers, true);
  drag(find(label), by.x, by.y, from);
  hold(modifiers, false);
}

void UiDriver::hold(int modifiers, bool down) {
  for (const int m : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
    if (modifiers & m) ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(m), down);
  frames(1);
}

void UiDriver::doubleClick(std::string_view label, float x, float y) { doubleClick(find(label), x, y); }

void UiDriver::doubleClick(const ItemRecord& item, float x, float y) {
  const float before = ImGui::GetIO().MouseDoubleClickTime;
  ImGui::GetIO().MouseDoubleClickTime = 10;  // however slow the frames are
  click(item, x, y);
  click(item, x, y);
  ImGui::GetIO().MouseDoubleClickTime = before;
}

void UiDriver::drag(const ItemRecord& item, float byX, float byY, ImVec2 at) {
  ImGuiIO& io = ImGui::GetIO();
  const ImVec2 from = place(item, at.x, at.y);
  io.AddMousePosEvent(from.x, from.y);
  frames(2);
  io.AddMouseButtonEvent(0, true);
  frames(2);
  for (int i = 1; i <= 5; ++i) {
    io.AddMousePosEvent(from.x + byX * static_cast<float>(i) / 5, from.y + byY * static_cast<float>(i) / 5);
    frames(1);
  }
  io.AddMouseButtonEvent(0, false);
  settle();
}

void UiDriver::wheel(const ItemRecord& item, float notches) {
  hover(item);
  ImGui::GetIO().AddMouseWheelEvent(0, notches);
  settle();
}

void UiDriver::type(std::string_view text) {
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    unsigned code = 0;
    at += ImTextCharFromUtf8(&code, at, end);
    ImGui::GetIO().AddInputCharacter(code);
    frames(1);
  }
  settle();
}

void UiDriver::touchPicture() {
  const auto panes = {"Stage view", "Model map", "Token strip"};
  const auto pane = std::ranges::find_if(panes, [&](const char* name) { return exists(name); });
  if (pane == panes.end()) throw std::runtime_error("no picture is there to be clicked");
  ImGuiIO& io = ImGui::GetIO();
  const ImVec2 before = io.MousePos, there = place(find(*pane), 0.01f, 0.01f);
  io.AddMousePosEvent(there.x, there.y);
  frames(2);
  for (const bool down : {true, false}) io.AddMouseButtonEvent(2, down), frames(1);
  io.AddMousePosEvent(before.x, before.y);
  settle();
}

void UiDriver::typeKeys(std::string_view letters) {
  ImGuiIO& io = ImGui::GetIO();
  for (const char letter : letters) {
    const bool isCapital = letter >= 'A' && letter <= 'Z';
    const auto key = static_cast<ImGuiKey>(ImGuiKey_A + ((letter | 32) - 'a'));
    io.AddKeyEvent(ImGuiMod_Shift, isCapital);
    io.AddKeyEvent(key, true);
    io.AddInputCharacter(static_cast<unsigned>(letter));
    io.AddKeyEvent(key, false);
    io.AddKeyEvent(ImGuiMod_Shift, false);
    frames(4);
  }
  settle();
}

void UiDriver::press(ImGuiKey key, int modifiers) {
  const bool isLetter = key >= ImGuiKey_A && key <= ImGuiKey_Z;
  if (isLetter && (modifiers & ~ImGuiMod_Shift) == 0 && app_->lettersWrite()) touchPicture();
  ImGuiIO& io = ImGui::GetIO();
  for (const int m : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
    if (modifiers & m) io.AddKeyEvent(static_cast<ImGuiKey>(m), true);
  frames(1);
  io.AddKeyEvent(key, true);
  frames(2);
  io.AddKeyEvent(key, false);
  for (const int m : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
    if (modifiers & m) io.AddKeyEvent(static_cast<ImGuiKey>(m), false);
  settle();
}

namespace {

bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() - 1 && b.x < a.right() - 1 && a.y < b.bottom() - 1 && b.y < a.bottom() - 1;
}

bool inside(const Box& a, const Box& b) {
  return a.x >= b.x - 1 && a.y >= b.y - 1 && a.right() <= b.right() + 1 && a.bottom() <= b.bottom() + 1;
}

// What of a text can be seen.
Box visible(const DrawnText& text) {
  const float x = std::max(text.box.x, text.clip.x), y = std::max(text.box.y, text.clip.y);
  return {x, y, std::min(text.box.right(), text.clip.right()) - x,
          std::min(text.box.bottom(), text.clip.bottom()) - y};
}

std::string textFaults(const std::vector<DrawnText>& texts) {
  std::string faults;
  std::vector<const DrawnText*> seen;
  for (const DrawnText& text : texts) {
    if (!overlap(text.box, text.clip)) continue;
    if (!inside(text.box, text.clip) && !text.scrolls) faults += "\"" + text.text + "\" is cut off; ";
    for (const DrawnText* other : seen)
      if (other->list == text.list && overlap(visible(text), visible(*other)))
        faults += "\"" + text.text + "\" lies on \"" + other->text + "\"; ";
    seen.push_back(&text);
  }
  return faults;
}

}  // namespace

std::string UiDriver::textsBelow(float pixels) {
  app_->painter().keepTexts(true);
  frames(1);
  std::string small;
  for (const DrawnText& text : app_->painter().texts())
    if (text.size < pixels && overlap(text.box, text.clip)) small += text.text + "\n";
  app_->painter().keepTexts(false);
  return small;
}

float UiDriver::shareOfScreen(std::string_view picture) {
  const ItemRecord item = find(picture);
  const std::vector<unsigned char> all = pixels();
  const auto width = static_cast<int>(surface_->pixels().x), height = static_cast<int>(surface_->pixels().y);
  const auto pixel = [&](int x, int y) {
    const auto at =
        4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return std::array{all[at], all[at + 1], all[at + 2]};
  };
  const int left = static_cast<int>(item.min.x) + 2, top = static_cast<int>(item.min.y) + 2;
  const auto ground = pixel(left, top);
  int x0 = width, y0 = height, x1 = 0, y1 = 0;
  for (int y = top; y < static_cast<int>(item.max.y) - 2; ++y)
    for (int x = left; x < static_cast<int>(item.max.x) - 2; ++x)
      if (pixel(x, y) != ground)
        x0 = std::min(x0, x), y0 = std::min(y0, y), x1 = std::max(x1, x + 1), y1 = std::max(y1, y + 1);
  return x1 > x0 ? static_cast<float>((x1 - x0) * (y1 - y0)) / static_cast<float>(width * height) : 0;
}

bool UiDriver::scrolls() {
  app_->painter().keepTexts(true);
  frames(1);
  const bool any = std::ranges::any_of(app_->painter().texts(), &DrawnText::scrolls);
  app_->painter().keepTexts(false);
  return any;
}

std::string UiDriver::layoutFaults() {
  app_->painter().keepTexts(true);
  frames(1);
  std::string faults = textFaults(app_->painter().texts());
  app_->painter().keepTexts(false);
  std::vector<const ItemRecord*> items;
  for (const auto& [id, item] : log_.items)
    if (item.frame == ImGui::GetFrameCount() && !item.isWindow && !item.label.empty()) items.push_back(&item);
  const auto box = [](const ItemRecord& item) {  // as far as it can be seen
    const float x = std::max(item.min.x, item.clipMin.x), y = std::max(item.min.y, item.clipMin.y);
    return Box{x, y, std::min(item.max.x, item.clipMax.x) - x, std::min(item.max.y, item.clipMax.y) - y};
  };
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Box a = box(*items[i]), b = box(*items[j]);
      if (items[i]->window == items[j]->window && overlap(a, b) && !inside(a, b) && !inside(b, a))
        faults += "[" + items[i]->label + "] overlaps [" + items[j]->label + "]; ";
    }
  return faults;
}

std::vector<unsigned char> UiDriver::pixels() {
  app_->frame();
  return app_->pixels();
}

void UiDriver::screenshot(const std::string& name) {
  settle();
  if (std::getenv("GLASSFORMER_WITHOUT_SCREENSHOTS")) return;
  app_->frame();
  const Status saved = app_->savePicture(std::filesystem::path(thisBuild().screenshots) / (name + ".png"));
  if (!saved) throw std::runtime_error(saved.error().message());
}

}  // namespace glassformer
