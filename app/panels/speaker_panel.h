#pragma once
#include <string>

#include "app/lesson/lesson.h"
#include "app/panels/panel.h"

struct ImGuiContext;

namespace glassformer {

/// What a room is shown in a presentation, as the speaker's window sees it.
struct RoomShown {
  unsigned texture = 0;             ///< what goes on, bottom row first
  Point pixels;                     ///< its size
  ImGuiContext* context = nullptr;  ///< that takes what is done to it
  bool frozen = false;              ///< the room sees an earlier picture,
  bool black = false;               ///< or none
  double since = 0;                 ///< when the presentation began, as Ui::seconds counts
};

/// All of the speaker's window: the room's picture, the note to this step, what the next one says, how long
/// one has spoken and what time it is.
class SpeakerPanel : public Panel {
 public:
  SpeakerPanel() : Panel("Speaker") {}

  void show(Ui& ui, const Box& area, const RoomShown& room) {
    room_ = &room;
    draw(ui, area);
  }
  /// Where the room's picture lay in the last frame.
  const Box& picture() const { return picture_; }

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  void showTime(Ui& ui, Box row);
  void showPicture(Ui& ui, Box& rest);
  void showControls(Ui& ui, Box row);
  void showNote(Ui& ui, Box rest);
  void showLesson(Ui& ui, Box rest);
  void showTopic(Ui& ui, const LessonStep& step, Box& rest);
  void showMarks(Ui& ui, Box row);

  const RoomShown* room_ = nullptr;  // of the frame that is drawn
  Box picture_;
  float scroll_ = 0, height_ = 0;  // of the note
  int step_ = -1;                  // of the last frame
};

/// "4:07", "1:02:30".
std::string clockWords(double seconds);

}  // namespace glassformer
