#include "app/drawing/entry_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float rowHeight = 24;
constexpr std::size_t mostEntries = 5;

// Of a difference those of the first text; where the position is the second's alone, of that one.
struct Logits {
  TensorView row;
  bool there = false;
};
Logits logitsAt(const SceneInput& input, int t) {
  const Snapshot* snapshot = &input.snapshot;
  if (snapshot->isDifference()) {
    const Alignment::Column column = snapshot->sides->alignments.text[t];
    t = column.a >= 0 ? column.a : column.b;
    snapshot = column.a >= 0 ? snapshot->sides->a.get() : snapshot->sides->b.get();
  }
  if (!snapshot->pass->hasTrace() || !snapshot->pass->trace->contains("logits")) return {};
  return {(*snapshot->pass->trace)["logits"][t], true};
}

std::vector<int> listed(const SceneInput& input, const EntryList& list) {
  std::vector<int> order = likeliestEntries(input, list.position, mostEntries);
  const auto isListed = [&](int entry) { return std::ranges::find(order, entry) != order.end(); };
  if (!order.empty() && list.chosen >= 0 && !isListed(list.chosen)) order.back() = list.chosen;
  if (!order.empty() && list.against >= 0 && !isListed(list.against)) order.push_back(list.against);
  return order;
}

void addRow(Scene& scene, const SceneInput& input, const EntryList& list, const Box& row, int entry,
            bool answer) {
  const Theme& theme = input.theme;
  const bool on = entry == list.chosen, pointed = input.hover.entry == entry;
  if ((on || pointed) && !input.isStill())
    scene.add(Rect{row.inset(0, 1), on ? theme.accent.faded(0.24f) : theme.raised, {0, 0, 0, 0}, 4});
  const TensorRef logit{"logits", {list.position, entry}};
  const auto value = valueOf(scene.sources, logit);
  const std::string label = input.entryLabel(entry);
  const bool isSubtracted = entry == list.against;
  if (isSubtracted) addOutline(scene, row.inset(1, 2), theme.accent, 1);
  addText(scene, {row.x + 8, row.center().y}, (isSubtracted ? "− " : "") + label,
          {FontFace::Mono, Theme::small, on ? theme.text : theme.quiet})
      .maxWidth = row.width - 84;
  if (value && std::isfinite(*value))
    addText(scene, {row.right() - 8, row.center().y}, formattedFixed(*value, 2),
            {FontFace::Mono, Theme::small, on ? theme.text : theme.quiet}, Align::End)
        .value = logit;
  HitRegion& hit = addHitRegion(scene, row, logit, "logit of " + label);
  hit.target.token = list.position, hit.target.entry = entry;
  hit.target.text = "the logit of “" + label + "” " + (input.snapshot.model->continues() ? "after" : "at") +
                    " “" + input.label(list.position) + "”" + (answer ? ", the model's answer" : "") +
                    (list.subtract ? isSubtracted ? "; Ctrl with a click subtracts it no longer"
                                                  : "; Ctrl with a click subtracts it"
                                   : "");
  hit.click = [choose = list.choose, chosen = answer ? -1 : entry](const Target&) { return choose(chosen); };
  if (list.subtract)
    hit.extend = [subtract = list.subtract, wanted = isSubtracted ? -1 : entry](const Target&) {
      return subtract(wanted);
    };
}

}  // namespace

std::vector<int> likeliestEntries(const SceneInput& input, int position, std::size_t count) {
  const Logits logits = logitsAt(input, position);
  if (!logits.there) return {};
  std::vector<int> order(static_cast<std::size_t>(logits.row.extent[0]));
  std::iota(order.begin(), order.end(), 0);
  count = std::min(count, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
      [&](int a, int b) { return logits.row(a) != logits.row(b) ? logits.row(a) > logits.row(b) : a < b; });
  order.resize(count);
  return order;
}

void addEntryList(Scene& scene, const SceneInput& input, Box& area, const EntryList& list) {
  const std::vector<int> entries = listed(input, list);
  const Box title = area.takeTop(24);
  addText(scene, {title.x, title.y + 10}, list.title, input.theme.strong());
  for (std::size_t i = 0; i < entries.size(); ++i)
    addRow(scene, input, list, area.takeTop(rowHeight), entries[i], i == 0);
  area.takeTop(16);
}

}  // namespace glassformer
