#include "app/views/model_map/map_ink.h"

namespace glassformer {
namespace {

float presenceOf(bool lit) { return lit ? 0.9f : 0.35f; }

}  // namespace

void MapInk::block(const Box& frame, bool lit) {
  scene_.add(Rect{frame, theme_.raised.faded(presenceOf(lit)), theme_.line, Theme::radius, 1});
}

void MapInk::box(const Box& box, Marks marks, bool framed) {
  const auto [lit, pointed, outlined] = marks;
  if (!framed && !lit && !pointed && !outlined) return;
  const Rgba ground = lit       ? theme_.accent.faded(0.18f)
                      : pointed ? theme_.touched
                                : mix(theme_.panel, theme_.raised, 0.7f);
  const Rgba line = outlined ? theme_.text : lit ? theme_.accent : framed ? theme_.line : Rgba{0, 0, 0, 0};
  scene_.add(Rect{box, ground, line, 4, outlined ? 1.5f : 1.0f});
}

void MapInk::sum(Point center, float radius, bool lit) {
  const Rgba ink = lit ? theme_.accent : theme_.quiet;
  scene_.add(Rect{{center.x - radius, center.y - radius, 2 * radius, 2 * radius},
                  lit ? mix(theme_.panel, theme_.accent, 0.3f) : theme_.panel,
                  ink,
                  radius,
                  1});
  scene_.add(Line{{{center.x - 3, center.y}, {center.x + 3, center.y}}, ink, 1, false});
  scene_.add(Line{{{center.x, center.y - 3}, {center.x, center.y + 3}}, ink, 1, false});
}

void MapInk::cut(Point at, bool lit) {
  const Rgba ground = mix(theme_.panel, theme_.raised, presenceOf(lit));
  scene_.add(Rect{{at.x - 2, at.y, 4, 10}, ground, {0, 0, 0, 0}, 0, 1});
}

}  // namespace glassformer
