#pragma once
#include "app/panels/ui.h"

namespace glassformer::widgets {

/// Our own controls. Each fills the box it is given (pixels at 100 %), answers to the pointer, and reports
/// its label so that tests find it. Labels may end in "##something" to stay unique; that part is not drawn.

enum class Look { Quiet, Raised, Primary };

struct ButtonOptions {
  Look look = Look::Quiet;
  bool enabled = true;
  bool on = false;             ///< pressed in, for toggles and tabs
  const char* icon = nullptr;  ///< drawn in place of the label
  std::string tip = {};        ///< on hover, with its shortcut
};

/// What the keyboard's mark calls a control of the current panel.
std::string focusName(const char* label);
/// The outline of the control that has it.
void focusMark(const Ui& ui, const Box& box);

/// An area that answers to the pointer; never without extent, which Dear ImGui does not allow. True where it
/// was clicked.
bool hotArea(const Ui& ui, const char* label, const Box& box);

/// True in the frame in which it was clicked.
bool button(Ui& ui, const char* label, const Box& box, const ButtonOptions& options = {});

/// Whether the lower edge of what is scrolled cuts through a box: a button there waits until it is scrolled
/// to.
bool isCutOff(const Ui& ui, const Box& box);

/// Width that a button's label needs.
float buttonWidth(const Ui& ui, const char* label);

/// "name  −  label  +": one of a few labels, one after the other; returns which. The part behind the name is
/// `width` wide.
int labelStepper(Ui& ui, const char* name, const Box& box, const std::vector<std::string>& labels, int chosen,
                 const std::string& tip, float width);

/// Drag handle between two regions; returns by how much it moved this frame.
float splitter(Ui& ui, const char* name, const Box& box, bool vertical);

/// A box with lines of text beside the pointer, kept inside the window.
void tooltip(Ui& ui, const std::vector<std::pair<std::string, TextStyle>>& lines);
void tooltip(Ui& ui, const std::string& text);

/// The ground of one row of a list, which can be clicked and reached by keyboard; what it says is drawn over
/// it. `chosen` marks it. True in the frame in which it was clicked.
bool listRow(Ui& ui, const std::string& label, const Box& box, bool chosen);

/// Which row of a list of `count` is chosen after the arrow keys, Home and End of this frame.
int chosenByKeys(int chosen, int count);

/// A text in as many lines as it needs, taken from the top of `rest` with `after` below; as far as there is
/// room.
void paragraph(Ui& ui, Box& rest, const std::string& text, TextStyle style, float after = 8);

/// A section's heading, small and quiet.
void heading(Ui& ui, Point at, const std::string& text);

}  // namespace glassformer::widgets
