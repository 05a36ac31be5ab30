#include "app/panels/first_panel.h"

#include <array>

#include "app/document/text_commands.h"
#include "app/panels/widgets.h"
#include "app/views/attention/first_scene.h"

namespace glassformer {

namespace {

constexpr float buttonHeight = 40, wordWidth = 112, wayWidth = 152, buttonGap = 16, wordsHeight = 64,
                waysHeight = 112;

// The word that decides what "it" means: the other one makes another sentence of the same text.
constexpr std::array words{"tired", "wide"};

std::string with(std::string text, const std::string& word) {
  for (const std::string other : words)
    if (other != word)
      for (std::size_t at = 0; (at = text.find(other, at)) != std::string::npos; at += word.size())
        text.replace(at, other.size(), word);
  return text;
}

Box centred(const Box& row, float width) {
  return {row.center().x - width / 2, row.center().y - buttonHeight / 2, width, buttonHeight};
}

}  // namespace

void FirstPanel::content(Ui& ui, const Box& area) {
  const Workspace& now = ui.workspace();
  if (model_.empty()) model_ = now.model, view_ = now.view, lesson_ = now.lesson.lesson;
  if (model_ != now.model || view_ != now.view || lesson_ != now.lesson.lesson) close();
  ui.typing = true;  // single keys mean nothing yet
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) close();
  Box rest = area;
  ui.drawText({area.x + 32, area.y + 36}, "Glassformer", {FontFace::Strong, Theme::title, ui.theme.text});
  showWays(ui, rest.takeBottom(waysHeight));
  showWords(ui, rest.takeBottom(wordsHeight));
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {rest.width, rest.height}, ui.theme, metrics, ui.hover};
  picture_.show(ui, firstScene(input), rest);
}

void FirstPanel::showWords(Ui& ui, Box row) {
  const auto count = static_cast<float>(words.size());
  Box buttons = centred(row, count * (wordWidth + buttonGap) - buttonGap);
  for (const char* word : words) {
    const bool on = ui.workspace().text.find(word) != std::string::npos;
    if (widgets::button(ui, word, buttons.takeLeft(wordWidth), {.look = widgets::Look::Raised, .on = on}) &&
        !on)
      ui.emit(commands::setText(with(ui.workspace().text, word)));
    buttons.takeLeft(buttonGap);
  }
}

void FirstPanel::showWays(Ui& ui, Box row) {
  Box buttons = centred(row, 2 * wayWidth + buttonGap);
  if (widgets::button(ui, "Look closer", buttons.takeLeft(wayWidth),
                      {.look = widgets::Look::Primary, .tip = "Open the instrument"}))
    close();
  buttons.takeLeft(buttonGap);
  if (widgets::button(ui, "Lessons", buttons.takeLeft(wayWidth),
                      {.look = widgets::Look::Raised, .tip = "Learn step by step"})) {
    close();
    ui.ask(Request::StartPage);
  }
}

}  // namespace glassformer
