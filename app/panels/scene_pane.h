#pragma once
#include <functional>
#include <optional>

#include "app/panels/number_change.h"

namespace glassformer {

/// Shows a Scene in a box of the current panel: paints it, scrolls it where it is larger, reports what the
/// pointer is on and carries out its clicks.
class ScenePane {
 public:
  explicit ScenePane(const char* name) : name_(name) {}

  /// `fit`: how much smaller than at 100 % it is drawn.
  void show(Ui& ui, const Scene& scene, const Box& where, float fit = 1);

 private:
  /// How much of a scene can be seen at once, in its own pixels.
  Point roomIn(const Box& where) const { return {where.width / fit_, where.height / fit_}; }
  void scroll(const Scene& scene, Point room, bool hovered);
  void point(Ui& ui, const Scene& scene, Point at, bool clicked);
  void focus(Ui& ui, const Scene& scene, const HitRegion& hit, const Box& where);
  void moveInside(const HitRegion& hit);
  void turn(Ui& ui, const HitRegion& hit) const;
  void reveal(const Box& part, const Scene& scene, Point room);
  void press(const Ui& ui, const Scene& scene, Point at);
  void drag(Ui& ui, Point at);
  void dragNumber(Ui& ui, Point at);
  void draw(Ui& ui, const Scene& scene, Point at);
  void dragToken(Ui& ui, const Scene& scene, const Placement& at, const Box& where, bool released);
  void noteTokens(Ui& ui, const HitRegion& hit, const Box& onScreen) const;

  /// What the mouse button went down on, as it was then: how far it is dragged counts from there.
  struct Press {
    Point at, size;
    std::function<Command(Point)> pan;
    Stroke stroke;                       // where it draws
    Target drawn;                        // so far
    std::optional<NumberChange> change;  // of the number it is on, with Alt
    float steps = 0;                     // it was dragged by
    int token = -1;                      // of the text, where it was one
    bool dragged = false;
  };

  const char* name_;
  float fit_ = 1;
  Point scroll_;
  Press press_;
  std::optional<Box> clicked_;  // the choice that the pointer has not left since
  int strokes_ = 0;
  int row_ = 0, column_ = 0;  // of the grid that has the keyboard's mark
  bool byKeyboard_ = false;   // the mark is in this picture, and says what is pointed at
};

}  // namespace glassformer
