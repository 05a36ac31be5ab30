#include "app/panels/export_panel.h"

#include <chrono>
#include <cstdlib>

#include "app/document/view_commands.h"
#include "app/figure/sequences.h"
#include "app/panels/number_field.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "app/toolkit/item_log.h"
#include "core/io/files.h"

namespace glassformer {

namespace {

constexpr float nameWidth = 72, exportColumnWidth = 416, exportGap = 8;

// The next row, with its name on the left.
Box row(Ui& ui, Box& rest, const char* name) {
  Box line = rest.takeTop(Theme::control);
  rest.takeTop(exportGap);
  const Box left = line.takeLeft(nameWidth);
  ui.drawText({left.x, left.center().y}, name, ui.theme.note());
  return line;
}

// Alternatives side by side, one of them on; returns the one that was clicked, or -1. Labels stay unique in
// the window by `group`.
struct Alternative {
  const char* label;
  const char* tip;
  bool on;
};
int alternatives(Ui& ui, const char* group, const Box& line, const std::vector<Alternative>& all,
                 bool enabled = true) {
  ui.draw(Rect{line, ui.theme.raised, ui.theme.line, Theme::radius, 1});
  const auto widthOf = [&](const Alternative& one) {
    return ui.metrics().width(one.label, FontFace::Strong, Theme::small);
  };
  float spare = line.width;
  for (const Alternative& one : all) spare -= widthOf(one);
  Box rest = line;
  int clicked = -1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Box box = rest.takeLeft(widthOf(all[i]) + spare / static_cast<float>(all.size())).inset(2);
    const std::string label = std::string(all[i].label) + "##" + group;
    if (widgets::button(ui, label.c_str(), box, {.enabled = enabled, .on = all[i].on, .tip = all[i].tip}))
      clicked = static_cast<int>(i);
  }
  return clicked;
}

std::string expanded(const std::string& folder) {
  const char* const home = std::getenv("HOME");
  return home && folder.starts_with("~") ? home + folder.substr(1) : folder;
}

}  // namespace

void ExportPanel::reset() {
  error_.clear();
  saved_.clear();
  captionFor_.clear();
}

const FigureFormat& ExportPanel::format() const {
  const FigureFormat* const found = findFigureFormat(settings_.format);
  return found ? *found : figureFormats().front();
}

std::filesystem::path ExportPanel::target() const {
  const std::filesystem::path folder =
      settings_.folder.empty() ? picturesFolder() : std::filesystem::path(expanded(settings_.folder));
  const auto named = [&](const std::string& name) { return folder / (name + "." + format().id); };
  if (settings_.each.empty() || isFilm()) return freeFile(named(name_));
  // Numbered files, none of which is there.
  std::string name = name_;
  for (int number = 2; isThere(numberedFile(named(name), 1)); ++number)
    name = name_ + "-" + std::to_string(number);
  return named(name);
}

Box ExportPanel::place(const Ui&, Point window) const {
  const Point size{std::min(window.x - 48, 1120.0f), std::min(window.y - 32, 680.0f)};
  return {std::round((window.x - size.x) / 2), std::round((window.y - size.y) / 2), size.x, size.y};
}

FigureSize ExportPanel::sheet(const Ui& ui) const { return figureSheet(ui, settings_, ui.scale / shrunk()); }

void ExportPanel::content(Ui& ui, const Box& area) {
  finishSaving();
  ui.draw(Rect{area, {0, 0, 0, 0}, ui.theme.line, 0, 1});
  settings_ = ui.workspace().figure;
  Box rest = area.inset(24);
  Box column = rest.takeRight(exportColumnWidth);
  rest.takeRight(24);
  preview_.update(ui, sheet(ui));
  const Figure& figure = *preview_.figure();
  if (nameFor_ != ui.workspace().view) name_ = nameFor_ = ui.workspace().view;
  if (captionFor_ != figure.generated) captionFor_ = figure.generated, caption_ = figure.caption;

  Box title = column.takeTop(40);
  ui.drawText({title.x, title.y + 16}, "Export figure", {FontFace::Strong, Theme::title, ui.theme.text});
  if (widgets::button(ui, "Close##export", {title.right() - 32, title.y, 32, 32},
                      {.icon = "✕", .tip = "close   Esc"}))
    close();
  if (isNumbers())
    showTables(ui, rest);
  else
    showPicture(ui, rest);
  showChoices(ui, column);
  showSequence(ui, column);
  showCaption(ui, column);
  showPlace(ui, column);
  showOutcome(ui, column);
  handleKeys(ui);
  if (settings_ != ui.workspace().figure) ui.emit(commands::setFigure(settings_));
}

void ExportPanel::showPicture(Ui& ui, const Box& area) {
  ui.draw(Rect{area, ui.theme.raised, {0, 0, 0, 0}, Theme::radius, 1});
  preview_.show(ui, area.inset(16));
}

// Which tensors will be written, the main one first, and which others there are.
void ExportPanel::showTables(Ui& ui, Box area) const {
  ui.draw(Rect{area, ui.theme.raised, {0, 0, 0, 0}, Theme::radius, 1});
  area = area.inset(16);
  const auto& tables = preview_.figure()->numbers;
  const Rgba text = ui.theme.text;
  for (std::size_t i = 0; i < tables.size() && area.height >= 40; ++i) {
    const bool written = i == 0 || settings_.allNumbers;
    if (i == 1 && !written) {
      const Box line = area.takeTop(40);
      ui.drawText({line.x, line.y + 24}, "Also in this view, saved with All:", ui.theme.note());
    }
    const Box line = area.takeTop(written ? 44.0f : 24.0f);
    const TensorView values = tables[i].values.view();
    const std::string shape = std::to_string(values.extent[0]) + " × " + std::to_string(values.extent[1]);
    const TextStyle name{FontFace::Mono, Theme::small, written ? text : ui.theme.quiet};
    const float width = ui.metrics().width(shape, name.face, name.size);
    ui.drawText({line.x, line.y + 10}, tables[i].name(), name, Align::Start, line.width - width - 16);
    ui.drawText({line.right(), line.y + 10}, shape, name, Align::End);
    if (written)
      ui.drawText({line.x, line.y + 28}, tables[i].meaning, ui.theme.note(), Align::Start, line.width);
  }
}

void ExportPanel::showChoices(Ui& ui, Box& rest) {
  std::vector<Alternative> formats;
  for (const FigureFormat& f : figureFormats()) formats.push_back({f.title, f.about, &f == &format()});
  if (const int i = alternatives(ui, "format", row(ui, rest, "Format"), formats); i >= 0)
    settings_.format = figureFormats()[static_cast<std::size_t>(i)].id;
  showSize(ui, rest);
  const FigureLook look = settings_.look;
  const int chosen = alternatives(ui, "look", row(ui, rest, "Look"),
                                  {{"Light", "dark on light", look == FigureLook::Light},
                                   {"Paper", "dark on white, for paper", look == FigureLook::Paper},
                                   {"Dark", "light on dark, for dark slides", look == FigureLook::Dark},
                                   {"Window theme", "the theme of the window", look == FigureLook::AsWindow}},
                                  !isNumbers());
  constexpr FigureLook looks[] = {FigureLook::Light, FigureLook::Paper, FigureLook::Dark,
                                  FigureLook::AsWindow};
  if (chosen >= 0) settings_.look = looks[chosen];
  showParts(ui, rest);
}

// What stands beside a picture, each there or not, and on which side.
void ExportPanel::showParts(Ui& ui, Box& rest) {
  const int chosen =
      alternatives(ui, "parts", row(ui, rest, "Parts"),
                   {{"Heads", "thumbnails of all heads, where the picture has them", settings_.heads},
                    {"Bars", "the strongest ones as bars, where the picture has them", settings_.bars},
                    {"Scale", "legend of the colors", settings_.colorScale},
                    {"Heads first", "thumbnails and bars left of the picture", settings_.headsFirst}},
                   !isNumbers());
  bool* const parts[] = {&settings_.heads, &settings_.bars, &settings_.colorScale, &settings_.headsFirst};
  if (chosen >= 0) *parts[chosen] = !*parts[chosen];
}

void ExportPanel::showSize(Ui& ui, Box& rest) {
  std::vector<Alternative> sizes;
  const FigureSize* const known = findFigureSize(settings_.size);
  for (const FigureSize& s : figureSizes()) sizes.push_back({s.title, s.about, &s == known});
  sizes.push_back({"Window", "the size of the window", !known});
  if (const int i = alternatives(ui, "size", row(ui, rest, "Size"), sizes, !isNumbers()); i >= 0) {
    settings_.size =
        i < static_cast<int>(figureSizes().size()) ? figureSizes()[static_cast<std::size_t>(i)].id : "window";
    settings_.millimetres = settings_.points = 0;  // those of another size
  }
  const Figure& figure = *preview_.figure();
  Box line = row(ui, rest, isNumbers() ? "Tensors" : "Printed");
  if (isNumbers()) {
    const std::string all = "All " + std::to_string(figure.numbers.size());
    const int chosen = alternatives(ui, "tensors", line,
                                    {{"Main", "the largest picture's numbers", !settings_.allNumbers},
                                     {all.c_str(), "one file for each tensor", settings_.allNumbers}});
    if (chosen >= 0) settings_.allNumbers = chosen == 1;
    return;
  }
  showPrinted(ui, line);
  if (!format().hasPixels) return;
  line = row(ui, rest, "");
  const Box control = line.takeLeft(112);
  settings_.scale = widgets::numberField(
      ui, "Scale", {control.x - nameWidth, control.y, nameWidth + control.width, control.height},
      settings_.scale,
      {.low = 0.5f,
       .high = 8,
       .step = 0.5f,
       .decimals = 1,
       .tip = "pixels per pixel of the layout",
       .width = control.width});
  line.takeLeft(12);
  ui.drawText({line.x, line.center().y},
              std::to_string(figure.pixelWidth(settings_.scale)) + " × " +
                  std::to_string(figure.pixelHeight(settings_.scale)) + " pixels",
              ui.theme.plain());
}

// How wide it is in print, and how large its text; of a preset both can be chosen.
void ExportPanel::showPrinted(Ui& ui, Box line) {
  const FigureSize size = sheet(ui);
  if (!findFigureSize(settings_.size)) {
    const float height = size.millimetres * size.layout.y / size.layout.x;
    ui.drawText({line.x, line.center().y},
                formattedFixed(size.millimetres, 0) + " × " + formattedFixed(height, 0) + " mm, text of " +
                    formattedFixed(size.points(), 1) + " pt",
                ui.theme.plain());
    return;
  }
  constexpr float field = 96, between = 12;
  const Box type = line.takeRight((line.width - between) * 0.46f);
  line.takeRight(between);
  const float wide = widgets::numberField(ui, "Width, mm", line, size.millimetres,
                                          {.low = 10,
                                           .high = mostMillimetres,
                                           .step = 1,
                                           .tip = "width of the figure in print; more fits into a wider one",
                                           .width = field});
  if (std::abs(wide - size.millimetres) > 0.6f) settings_.millimetres = wide;
  const float points = widgets::numberField(ui, "Type, pt", type, size.points(),
                                            {.low = leastPoints,
                                             .high = mostPoints,
                                             .step = 0.5f,
                                             .decimals = 1,
                                             .tip = "the size of its text in print",
                                             .width = field});
  if (std::abs(points - size.points()) > 0.06f) settings_.points = points;
}

// One figure, or one for each of what can be gone through; in one file that moves, or in numbered ones.
void ExportPanel::showSequence(Ui& ui, Box& rest) {
  std::vector<Alternative> all{{"This", "one figure, of the selected one", settings_.each.empty()}};
  for (const Sequence& sequence : sequences())
    all.push_back({sequence.title, sequence.about, settings_.each == sequence.id});
  if (const int i = alternatives(ui, "each", row(ui, rest, "Each of"), all); i >= 0)
    settings_.each = i == 0 ? "" : sequences()[static_cast<std::size_t>(i - 1)].id;
  if (settings_.each.empty()) return;
  Box line = row(ui, rest, "As");
  const Box seconds = line.takeRight(nameWidth + 112);
  line.takeRight(exportGap);
  const int chosen = alternatives(ui, "moves", line,
                                  {{"Film", "one file that shows one after the other: SVG and GIF", isFilm()},
                                   {"Files", "a file for each, numbered", !isFilm()}},
                                  format().film != nullptr);
  if (chosen >= 0) settings_.moves = chosen == 0;
  if (isFilm())
    settings_.seconds = widgets::numberField(ui, "Seconds", seconds, settings_.seconds,
                                             {.low = leastFrameSeconds,
                                              .high = mostFrameSeconds,
                                              .step = 0.1f,
                                              .decimals = 1,
                                              .tip = "seconds for each frame",
                                              .width = 112});
}

void ExportPanel::showCaption(Ui& ui, Box& rest) {
  const bool above = settings_.captionAbove;
  const int chosen = alternatives(ui, "caption", row(ui, rest, "Caption"),
                                  {{"Below", "description of the figure", settings_.caption && !above},
                                   {"Above", "the same, above the picture", settings_.caption && above},
                                   {"None", "only the picture", !settings_.caption}},
                                  !isNumbers());
  if (chosen >= 0) settings_.caption = chosen < 2;
  if (chosen >= 0 && chosen < 2) settings_.captionAbove = chosen == 1;
  if (widgets::textEntry(ui, "Caption text", row(ui, rest, ""), caption_, FontFace::Ui,
                         settings_.caption && !isNumbers())) {
    settings_.editedCaption = caption_ == captionFor_ ? "" : caption_;
    settings_.captionReplaced = settings_.editedCaption.empty() ? "" : captionFor_;
  }
}

void ExportPanel::showPlace(Ui& ui, Box& rest) {
  std::string folder = settings_.folder.empty() ? picturesFolder().string() : settings_.folder;
  if (widgets::textEntry(ui, "Folder", row(ui, rest, "Folder"), folder)) settings_.folder = folder;
  Box line = row(ui, rest, "File");
  const Box ending = line.takeRight(48);
  widgets::textEntry(ui, "File name", line, name_);
  ui.drawText({ending.x + 8, ending.center().y}, std::string(".") + format().id, ui.theme.mono());
  const std::filesystem::path file = target();
  if (file.stem() == name_) return;
  const Box note = rest.takeTop(20);
  ui.drawText({line.x, note.center().y - 4}, "is there already: saves " + file.filename().string(),
              ui.theme.note(), Align::Start, ending.right() - line.x);
}

void ExportPanel::showOutcome(Ui& ui, Box rest) {
  Box line = rest.takeBottom(Theme::control);
  const bool saving = saving_.valid(), failed = !error_.empty();
  if (widgets::button(ui, "Save##export", line.takeRight(104),
                      {.look = widgets::Look::Primary, .enabled = !saving && !name_.empty()}))
    save(ui);
  line.takeRight(exportGap);
  if (!isNumbers() && widgets::button(ui, "Copy picture##export", line.takeRight(112),
                                      {.look = widgets::Look::Raised, .tip = "Copy to the clipboard"}))
    ui.ask(Request::CopyPicture);
  line.takeRight(exportGap);
  if (saving && work_.progress() &&
      widgets::button(ui, "Cancel##export", line.takeRight(80), {.look = widgets::Look::Raised}))
    work_.cancel();
  const char* const copy = failed ? "Copy message" : "Copy path";
  if ((failed || !saved_.empty()) &&
      widgets::button(ui, copy, line.takeRight(112), {.look = widgets::Look::Raised}))
    ImGui::SetClipboardText((failed ? error_ : saved_.front().file.string()).c_str());
  rest.takeTop(exportGap);
  std::string words = failed ? error_ : saving ? "Saving …" : "";
  if (const auto progress = work_.progress(); saving && progress && progress->total > 0)
    words = "Drawing " + std::to_string(progress->done + 1) + " of " + std::to_string(progress->total) + " …";
  if (!saved_.empty()) {
    words = "Saved " + saved_.front().file.string();
    if (saved_.size() > 1) words += " and " + std::to_string(saved_.size() - 1) + " more next to it";
  }
  const TextStyle style{FontFace::Ui, Theme::small, failed ? ui.theme.broken : ui.theme.text};
  if (failed)
    logRegion("export error", ui.screen({rest.x, rest.y}), ui.screen({rest.right(), rest.bottom()}));
  for (const std::string& part : wrapped(ui.metrics(), words, style.face, style.size, rest.width, 3)) {
    const Box place = rest.takeTop(20);
    ui.drawText({place.x, place.center().y}, part, style);
  }
  if (saving) ui.animating = true;
}

// Enter belongs to the control with the keyboard's mark, where one has it and it is no text.
void ExportPanel::handleKeys(const Ui& ui) {
  if (ui.usesEnter || ui.typesNumber) return;
  if ((ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false)) &&
      !saving_.valid() && !name_.empty())
    save(ui);
}

void ExportPanel::save(const Ui& ui) {
  error_.clear();
  saved_.clear();
  if (!settings_.each.empty()) return saveSequence(ui);
  saving_ = std::async(std::launch::async, [figure = preview_.figure(), &format = format(), file = target(),
                                            scale = settings_.scale, all = settings_.allNumbers] {
    return writeFigure(*figure, format, file, scale, all, FigureFonts());
  });
}

void ExportPanel::saveSequence(const Ui& ui) {
  const Sequence* const sequence = findSequence(settings_.each);
  std::vector<SequenceFrame> frames;
  if (sequence && ui.loader) frames = sequence->frames({ui.workspace(), ui.snapshot, ui.lesson});
  if (frames.empty()) {
    error_ = "No frames: no " + std::string(settings_.each == "lesson" ? "lesson is open."
                                            : settings_.each == "run"  ? "run is open."
                                                                       : "model is open.");
    return;
  }
  const SequenceFile how{
      target(),        sheet(ui),           format(), isFilm(), static_cast<double>(settings_.seconds),
      settings_.scale, settings_.allNumbers};
  const ProgressCallback watch = work_.begin("drawing a sequence");
  saving_ =
      std::async(std::launch::async, [this, how, watch, frames = std::move(frames), loader = *ui.loader] {
        Outcome outcome = writeSequence(frames, loader, how, watch);
        work_.end();
        return outcome;
      });
}

void ExportPanel::finishSaving() {
  if (!saving_.valid() || saving_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  Outcome outcome = saving_.get();
  if (!outcome) {
    error_ = outcome.error().message();
    return;
  }
  saved_ = std::move(*outcome);
  if (!isNumbers())  // only a picture can be opened again
    for (const WrittenFigure& figure : saved_) justSaved_.push_back(figure.file);
}

}  // namespace glassformer
