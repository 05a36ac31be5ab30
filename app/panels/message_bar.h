#pragma once
#include <string>

#include "app/panels/ui.h"

namespace glassformer {

/// What the program says about what was done, or why it cannot be.
struct Message {
  Message(std::string words = "") : text(std::move(words)) {}
  std::string text;  ///< empty: nothing
  double until = 0;  ///< on the clock of Ui::seconds; 0: until it is dismissed
  bool dismissable = true;
};

/// The height of the line below everything else that says it, in a window of this width; it covers nothing.
float messageHeight(const Ui& ui, float width, const Message& message);
/// Draws it there, with buttons to copy and to dismiss it. True: it is to go.
bool drawMessage(Ui& ui, const Box& line, const Message& message);

}  // namespace glassformer
