#pragma once
#include <string>
#include <utility>

namespace glassformer {

/// What a person does to a number: there is one pointer and one keyboard, and so one of these for all number
/// fields of the window.
struct NumberEntry {
  std::string field;         ///< whose number is being typed; empty: none
  std::string typed;         ///< what stands there
  bool hasKeyboard = false;  ///< it does already
  bool byKeyboard = false;   ///< it was begun by Enter, so that the mark stays when it ends

  std::string refused;  ///< the field that took no such number
  std::string why;
  double refusedAt = 0;  ///< seconds, see Ui

  std::string asked;  ///< a name: the next field of it that is drawn is to be typed in
  int askedFor = 0;   ///< frames that are waited for it

  float wheel = 0;        ///< notches that were not yet a step
  double wheeledAt = -1;  ///< seconds
  int gesture = 0;        ///< grows with every one, so that each is undone by itself
  std::string stepped;    ///< the field whose buttons were pressed last ...
  int steppedIn = -1;     ///< ... in this gesture

  /// A press of a button of this field. Presses in a row are one gesture, however many they are.
  void step(const std::string& of) {
    if (stepped != of || steppedIn != gesture) ++gesture;
    stepped = of, steppedIn = gesture;
  }
  bool typing() const { return !field.empty(); }
  /// Begins typing in the field of that name, as soon as one is on screen.
  void ask(std::string name) { asked = std::move(name), askedFor = 3; }
  void endFrame() {
    if (askedFor > 0 && --askedFor == 0) asked.clear();
  }
};

}  // namespace glassformer
