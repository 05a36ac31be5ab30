#include "app/panels/opened_passes.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/drawing/compared_side.h"

namespace glassformer {
namespace {

bool isReady(const std::future<OpenedAcross>& running) {
  return running.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

const Snapshot& sideOf(const Ui& ui, Target::Source side) {
  Target target;
  target.source = side;
  return snapshotOf(ui.snapshot, target);
}

}  // namespace

void OpenedPasses::abandon(Opening& opening) {
  if (opening.running.valid()) abandoned_.push_back(std::move(opening.running));
}

// Those that nobody asked for in the last frame, but for the newest of them.
void OpenedPasses::forgetOld(int frame) {
  std::erase_if(abandoned_, isReady);
  std::ranges::stable_sort(openings_, std::greater<>(), &Opening::frame);
  while (openings_.size() > kept && openings_.back().frame + 1 < frame) {
    abandon(openings_.back());
    openings_.pop_back();
  }
}

const OpenedAcross* OpenedPasses::of(Ui& ui, Target::Source side, const TensorRef& cell) {
  const Snapshot& shown = sideOf(ui, side);
  const auto number = namedNumber(shown, cell);
  if (!number || !std::isfinite(number->value) || !comparesPasses(shown, cell)) return nullptr;
  const int frame = ImGui::GetFrameCount();
  forgetOld(frame);
  auto found = std::ranges::find_if(openings_, [&](const Opening& each) {
    return each.side == side && each.cell.tensor == cell.tensor && each.cell.index == cell.index;
  });
  if (found == openings_.end()) found = openings_.insert(found, Opening{side, cell});
  const bool isSame = found->trace == shown.pass->trace && found->value == number->value;
  if (!isSame) {
    abandon(*found);
    *found = {side, cell, shown.pass->trace, number->value};
    found->running = std::async(std::launch::async, [shown, cell] { return openedAcross(shown, cell); });
  }
  found->frame = frame;
  if (!found->done && isReady(found->running))
    found->done = std::make_shared<const OpenedAcross>(found->running.get());
  if (!found->done) ui.animating = true;
  return found->done.get();
}

const Snapshot* OpenedPasses::passOf(Ui& ui, const Pin& pin) {
  if (!pin.in) return &ui.snapshot;
  const OpenedAcross* const opened =
      of(ui, Target::Source::This, {.tensor = pin.in->point, .index = pin.in->index});
  const auto pass = static_cast<std::size_t>(pin.in->pass);
  return opened && pass < opened->passes.size() ? opened->passes[pass].get() : nullptr;
}

}  // namespace glassformer
