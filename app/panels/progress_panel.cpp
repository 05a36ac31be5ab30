#include "app/panels/progress_panel.h"

#include <cctype>
#include <filesystem>
#include <functional>

#include "app/panels/action.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "app/toolkit/item_log.h"

namespace glassformer {

namespace {

constexpr float progressHeight = 40, progressMargin = 16, progressGap = 8, barWidth = 120, percentWidth = 40;

float widthOf(const Ui& ui, const std::string& words) {
  return std::ceil(ui.metrics().width(words, FontFace::Ui, Theme::small));
}

std::string capitalized(std::string words) {
  if (!words.empty()) words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  return words;
}

// Words, and what `rest` puts in `restWidth` behind them.
void line(Ui& ui, const Box& room, const std::string& words, float restWidth,
          const std::function<void(Box)>& rest) {
  const float wordsWidth = std::min(widthOf(ui, words), room.width - 4 * progressMargin - restWidth);
  const float width = wordsWidth + restWidth + 2 * progressMargin;
  const Box box{std::floor(room.center().x - width / 2), room.y, width, room.height};
  ui.drawText({box.x + progressMargin, box.center().y}, words, ui.theme.plain(), Align::Start,
              wordsWidth + 1);
  logRegion(words.c_str(), ui.screen({box.x + progressMargin, box.y + 8}),
            ui.screen({box.x + progressMargin + wordsWidth, box.bottom() - 8}));
  Box behind = box;
  rest(behind.takeRight(restWidth + progressMargin).inset(0, 4));
}

}  // namespace

Box ProgressPanel::takeRoom(Ui& ui, Box& stage) {
  noteLag(ui);
  if (ui.isWorking()) dismissed_.clear();
  if (ui.isWorking() || isCancelled(ui) || isLagging(ui))
    until_ = ui.seconds + lingering;
  else if (ui.seconds < until_)
    ui.animating = true;
  return ui.seconds < until_ ? stage.takeBottom(progressHeight) : Box{};
}

void ProgressPanel::show(Ui& ui, const Box& room) {
  if (room.height == 0) return;
  ImGui::SetNextWindowPos(ui.screen({room.x, room.y}));
  ImGui::SetNextWindowSize(ui.screen({room.width, room.height}));
  ImGui::Begin("Progress", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);  // somebody may be typing
  ui.draw(Rect{room, ui.theme.raised, {0, 0, 0, 0}, 0, 1});
  ui.draw(Rect{{room.x, room.y, room.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  if (ui.isWorking())
    showWork(ui, room);
  else if (isCancelled(ui))
    showCancelled(ui, room);
  else if (isLagging(ui))
    showLag(ui, room);
  ImGui::End();
}

bool ProgressPanel::isCancelled(const Ui& ui) const {
  const std::string& cancelled = ui.snapshot.standing.cancelled;
  return !cancelled.empty() && cancelled != dismissed_ && !ui.progress;
}

bool ProgressPanel::isLagging(const Ui& ui) const {
  return laggingSince_ >= 0 && ui.seconds - laggingSince_ >= lagNoticeable;
}

void ProgressPanel::showWork(Ui& ui, const Box& room) {
  const Progress& work = *ui.progress;
  const Action& cancel = actionOf("cancel");
  const float button = widgets::buttonWidth(ui, "Cancel");
  const bool counted = work.total > 0;
  const float width = button + progressGap + (counted ? progressGap + barWidth + percentWidth : 0);
  line(ui, room, capitalized(work.doing), width, [&](Box rest) {
    rest.takeRight(4);
    if (widgets::button(ui, "Cancel", rest.takeRight(button),
                        {.look = widgets::Look::Raised, .tip = "earlier results stay   " + keyText(cancel)}))
      cancel.run(ui);
    if (!counted) return;
    rest.takeRight(progressGap);
    ui.drawText({rest.right(), rest.center().y}, formattedFixed(work.fraction() * 100, 0) + " %",
                ui.theme.quietMono(), Align::End);
    rest.takeRight(percentWidth);
    const Box track{rest.right() - barWidth, rest.center().y - 2, barWidth, 4};
    ui.draw(Rect{track, ui.theme.line, {0, 0, 0, 0}, 2, 1});
    ui.draw(Rect{{track.x, track.y, track.width * work.fraction(), track.height},
                 ui.theme.accent,
                 {0, 0, 0, 0},
                 2,
                 1});
  });
}

void ProgressPanel::showCancelled(Ui& ui, const Box& room) {
  const Action& again = actionOf("start-again");
  const float button = widgets::buttonWidth(ui, "Start again"), close = 32;
  line(ui, room, "Cancelled: " + ui.snapshot.standing.cancelled, button + close + 2 * progressGap,
       [&](Box rest) {
         rest.takeRight(4);
         if (widgets::button(ui, "Dismiss##cancelled", rest.takeRight(close), {.icon = "✕"}))
           dismissed_ = ui.snapshot.standing.cancelled;
         rest.takeRight(progressGap / 2);
         if (widgets::button(ui, "Start again", rest.takeRight(button),
                             {.look = widgets::Look::Raised, .tip = "so does any change of the text"}))
           again.run(ui);
       });
}

void ProgressPanel::noteLag(Ui& ui) {
  if (ui.snapshot.revision >= ui.history.revision()) {
    laggingSince_ = -1;
    return;
  }
  if (laggingSince_ < 0) laggingSince_ = ui.seconds;
  if (!isLagging(ui)) ui.animating = true;  // look again soon
}

void ProgressPanel::showLag(Ui& ui, const Box& room) {
  const std::string& asked = ui.workspace().model;
  line(ui, room,
       asked == ui.snapshot.standing.asked ? "catching up"
                                           : "opening " + std::filesystem::path(asked).filename().string(),
       0, [](const Box&) {});
}

}  // namespace glassformer
