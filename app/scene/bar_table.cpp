#include "app/scene/bar_table.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"

namespace glassformer {

void addBar(Scene& scene, const Typography& with, const BarTable& table, const BarRow& row) {
  const TextStyle mono = with.theme.mono();
  const Box& box = row.box;
  const float thickness = std::min(table.thickness, box.height), left = table.below ? 0 : table.names,
              right = table.below ? 0 : table.numbers,
              y = table.below ? box.y + (box.height - thickness) / 2 : box.center().y,
              names = table.below ? box.width - table.numbers : table.names;
  if (!row.name.empty())
    addText(scene, {box.x, y}, row.name, row.nameStyle.value_or(mono)).maxWidth = names - 8;
  const float value = valueOf(scene.sources, row.value).value_or(NAN);
  if (!std::isfinite(value)) return;
  if (table.numbers > 0)
    addText(scene, {box.right(), y}, table.words ? table.words(value) : formattedFixed(value, 2),
            row.numberStyle.value_or(mono), Align::End)
        .value = row.value;
  const Box track{box.x + left, table.below ? box.bottom() - thickness - 2 : y - thickness / 2,
                  box.width - left - right, thickness};
  if (table.hasGround) scene.add(Rect{track, with.theme.raised, {0, 0, 0, 0}, 2});
  scene.add(Bar{track, row.value, table.range,
                row.color.value_or(colorAt(ColorMap::Sequential, 0.7f, with.theme.dark))});
}

HitRegion& addBarRow(Scene& scene, const Typography& with, const BarTable& table, const BarRow& row,
                     std::string hitName) {
  addBar(scene, with, table, row);
  return addHitRegion(scene, row.box, row.value, std::move(hitName));
}

}  // namespace glassformer
