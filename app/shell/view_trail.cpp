#include "app/shell/view_trail.h"

namespace glassformer {

void ViewTrail::note(const Workspace& before, const Workspace& now) {
  if (before.view == now.view && before.settings.pictures == now.settings.pictures) return;
  places_.push_back({before.view, before.step, before.settings, before.selection});
  if (places_.size() > most_) places_.erase(places_.begin());
}

std::optional<Command> ViewTrail::back() {
  if (places_.empty()) return std::nullopt;
  Place place = std::move(places_.back());
  places_.pop_back();
  return Command{[place = std::move(place)](Workspace& w) {
                   w.view = place.view, w.step = place.step;
                   w.settings = place.settings, w.selection = place.selection;
                 },
                 "", ""};
}

}  // namespace glassformer
