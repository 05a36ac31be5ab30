#include "app/panels/file_panel.h"

#include <algorithm>

#include "app/panels/widgets.h"
#include "app/scene/text_metrics.h"
#include "app/toolkit/item_log.h"
#include "core/io/adapter.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

constexpr float fileRowHeight = 28, fileFieldHeight = 56, fileTitleHeight = 48, fileFootHeight = 48;
constexpr int fileMostRows = 12;

bool startsWith(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

std::string asFolder(const fs::path& path) {
  const std::string text = path.string();
  return text.ends_with('/') ? text : text + "/";
}

}  // namespace

void FilePanel::begin(const fs::path& path, std::vector<fs::path> recent) {
  recent_ = std::move(recent);
  failure_.clear(), replaced_.clear();
  listed_ = "?";
  chosen_ = -1, first_ = 0;
  setTyped(path.string());
  writing_ = false, toEnd_ = true;
  open();
}

void FilePanel::setTyped(const std::string& text) {
  typed_.fill(0);
  std::copy_n(text.data(), std::min(text.size(), typed_.size() - 1), typed_.data());
  retyped_ = true;
}

Box FilePanel::place(const Ui&, Point window) const {
  const float width = std::min(720.0f, window.x - 32);
  const float height = std::min(
      fileTitleHeight + fileFieldHeight + fileMostRows * fileRowHeight + fileFootHeight, window.y - 32);
  return {(window.x - width) / 2, std::min(72.0f, (window.y - height) / 2), width, height};
}

// What lies in the folder that is being typed and begins like the rest of it, folders first; before anything
// is typed beyond a folder, what was open lately comes first.
void FilePanel::list() {
  const std::string typed = typed_.data();
  if (typed == listed_) return;
  listed_ = typed;
  entries_.clear();
  chosen_ = -1, first_ = 0;
  const std::size_t slash = typed.rfind('/');
  const fs::path folder = slash == std::string::npos ? fs::path(".") : fs::path(typed.substr(0, slash + 1));
  const std::string beginning = slash == std::string::npos ? typed : typed.substr(slash + 1);
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool hidden = name.starts_with('.') && !beginning.starts_with('.');
    if (!hidden && startsWith(name, beginning))
      entries_.push_back({it->path(), name, it->is_directory(error), false});
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.folder != b.folder ? a.folder : a.name < b.name; });
  if (!beginning.empty() || purpose_ == Purpose::Save) return;
  for (std::size_t i = recent_.size(); i-- > 0;)
    entries_.insert(entries_.begin(),
                    {recent_[i], recent_[i].string(), fs::is_directory(recent_[i], error), true});
}

void FilePanel::content(Ui& ui, const Box& area) {
  const Theme& theme = ui.theme;
  ui.draw(Rect{area, theme.panel, theme.line, 0, 1});
  Box rest = area;
  const Box title = rest.takeTop(fileTitleHeight);
  ui.drawText({title.x + 20, title.center().y}, name(), theme.heading());
  ui.drawText({title.right() - 20, title.center().y}, about_, theme.note(), Align::End, title.width - 180);
  showField(ui, rest.takeTop(fileFieldHeight));
  Box foot = rest.takeBottom(fileFootHeight).inset(20, 8);
  showFailure(ui, rest);
  list();
  const int rows = std::max(1, static_cast<int>(rest.height / fileRowHeight));
  handleKeys(ui, rows);
  const int count = static_cast<int>(entries_.size());
  for (int i = first_; i < std::min(first_ + rows, count); ++i)
    showEntry(ui, entries_[static_cast<std::size_t>(i)], rest.takeTop(fileRowHeight), i);
  if (replaced_.empty())
    showFoot(ui, foot);
  else
    askToReplace(ui, foot);
}

void FilePanel::showFoot(Ui& ui, Box foot) {
  const char* word = purpose_ == Purpose::Open ? "Open##path" : "Save##path";
  if (widgets::button(ui, word, foot.takeRight(88),
                      {.look = widgets::Look::Primary, .enabled = typed_[0] != 0}))
    choose(typed_.data(), false);
  foot.takeRight(8);
  if (widgets::button(ui, "Cancel##path", foot.takeRight(88), {.look = widgets::Look::Raised, .tip = "Esc"}))
    close();
}

void FilePanel::askToReplace(Ui& ui, Box foot) {
  const auto button = [&](const char* label, widgets::Look look) {
    const bool pressed = widgets::button(ui, label, foot.takeRight(88), {.look = look});
    foot.takeRight(8);
    return pressed;
  };
  const bool replaces = button("Replace", widgets::Look::Primary),
             keeps = button("Cancel##replace", widgets::Look::Raised);
  ui.drawText({foot.x, foot.center().y}, "Replace " + replaced_.filename().string() + "?", ui.theme.plain(),
              Align::Start, foot.width);
  if (replaces) taken_ = replaced_;
  if (replaces || keeps) replaced_.clear();
}

// In as many lines as it needs, in place of the last rows.
void FilePanel::showFailure(Ui& ui, Box& rest) const {
  if (failure_.empty()) return;
  constexpr int mostLines = 6;
  constexpr float lineHeight = 20;
  const TextStyle style{FontFace::Ui, Theme::small, ui.theme.broken};
  const auto lines = wrapped(ui.metrics(), failure_, style.face, style.size, rest.width - 40, mostLines);
  Box place = rest.takeBottom(static_cast<float>(lines.size()) * lineHeight + 8).inset(20, 4);
  for (const std::string& words : lines) {
    const Box row = place.takeTop(lineHeight);
    ui.drawText({row.x, row.center().y}, words, style);
  }
}

void FilePanel::showField(Ui& ui, const Box& box) {
  const Box frame = box.inset(16, 8);
  ui.draw(Rect{frame, ui.theme.ground, ui.theme.accent, Theme::radius, 1});
  ImGui::PushFont(ui.fonts.font(FontFace::Mono),
                  ui.fonts.lineHeight(FontFace::Mono, Theme::small * ui.scale));
  ImGui::SetCursorScreenPos(
      ui.screen({frame.x + 12, frame.center().y - ImGui::GetTextLineHeight() / ui.scale / 2}));
  ImGui::SetNextItemWidth((frame.width - 24) * ui.scale);
  // Enter and a click on a row take the keyboard away.
  if (!writing_ && !ImGui::IsMouseDown(0)) ImGui::SetKeyboardFocusHere(), ui.animating = true;
  // A field that is being edited shows its own copy: what we wrote goes in through its callback.
  const auto takeOver = [](ImGuiInputTextCallbackData* data) {
    FilePanel& self = *static_cast<FilePanel*>(data->UserData);
    if (std::exchange(self.toEnd_, false))
      data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    if (!std::exchange(self.retyped_, false)) return 0;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, self.typed_.data());
    return 0;
  };
  if (ImGui::InputText("##path", typed_.data(), typed_.size(), ImGuiInputTextFlags_CallbackAlways, takeOver,
                       this))
    failure_.clear(), replaced_.clear();
  writing_ = ImGui::IsItemActive();
  nameLastItem("Path");
  ImGui::PopFont();
}

void FilePanel::handleKeys(Ui& ui, int rows) {
  ui.usesTab = true;
  const int count = static_cast<int>(entries_.size());
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
  if (pressed(ImGuiKey_DownArrow)) ++chosen_;
  if (pressed(ImGuiKey_UpArrow)) --chosen_;
  chosen_ = std::clamp(chosen_, -1, count - 1);
  first_ = std::clamp(first_, std::max(chosen_ - rows + 1, 0), std::max(chosen_, 0));
  const auto entryAt = [&](int i) -> const Entry& { return entries_[static_cast<std::size_t>(i)]; };
  if (pressed(ImGuiKey_Tab) && count > 0) {
    const Entry entry = entryAt(std::max(chosen_, 0));
    setTyped(entry.folder ? asFolder(entry.path) : entry.path.string());
  }
  if (!pressed(ImGuiKey_Enter) && !pressed(ImGuiKey_KeypadEnter)) return;
  if (!replaced_.empty()) {
    taken_ = std::exchange(replaced_, {});
  } else if (chosen_ >= 0) {
    const Entry entry = entryAt(chosen_);
    choose(entry.path, entry.folder);
  } else {
    choose(typed_.data(), false);
  }
}

// A folder is gone into, unless it is a model.
void FilePanel::choose(const fs::path& path, bool folder) {
  std::error_code error;
  if (folder && !fs::exists(path / "config.json", error) && !isAdapter(path)) return setTyped(asFolder(path));
  if (path.empty()) return;
  if (purpose_ == Purpose::Open)
    taken_ = path;
  else
    save(path);
}

void FilePanel::save(const fs::path& path) {
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    return fail("The folder " + folder.string() + " does not exist. Choose one that does.");
  if (purpose_ == Purpose::Save && fs::exists(path, error))
    replaced_ = path, toEnd_ = true;
  else
    taken_ = path;
}

void FilePanel::showEntry(Ui& ui, const Entry& entry, const Box& row, int index) {
  const Box inner = row.inset(8, 0);
  const std::string id = entry.name + "##" + std::to_string(index);
  const bool clicked = widgets::listRow(ui, id, inner, index == chosen_);
  const Theme& theme = ui.theme;
  const char* kind = entry.recent ? "recent" : entry.folder ? "folder" : "";
  ui.drawText({inner.x + 12, inner.center().y}, entry.name + (entry.folder ? "/" : ""),
              {FontFace::Mono, Theme::small, entry.folder || entry.recent ? theme.text : theme.quiet},
              Align::Start, inner.width - 96);
  ui.drawText({inner.right() - 12, inner.center().y}, kind, {FontFace::Ui, Theme::small - 1, theme.quiet},
              Align::End);
  if (clicked) choose(entry.path, entry.folder);
}

}  // namespace glassformer
