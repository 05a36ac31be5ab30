#pragma once
#include <optional>
#include <vector>

#include "app/document/command.h"
#include "app/document/workspace.h"

namespace glassformer {

/// The views and pictures that were looked at, so that one comes back from where a jump led.
class ViewTrail {
 public:
  /// The document was `before` and is `now`: another view or picture is a place to come back to.
  void note(const Workspace& before, const Workspace& now);
  /// Leads back by one, with what was chosen there; nothing where it begins.
  std::optional<Command> back();

 private:
  struct Place {
    std::string view, step;
    ViewSettings settings;
    Selection selection;
  };
  static constexpr std::size_t most_ = 100;
  std::vector<Place> places_;  // the newest last
};

}  // namespace glassformer
