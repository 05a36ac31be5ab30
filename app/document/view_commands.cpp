#include "app/document/view_commands.h"

#include <set>

#include "app/document/workspace.h"

namespace glassformer::commands {

Command setView(std::string view) {
  return {[view = std::move(view)](Workspace& w) { w.view = view; }, "", ""};
}

Command choosePicture(std::string view, std::string picture) {
  return {[view = std::move(view), picture = std::move(picture)](Workspace& w) {
            w.view = view, w.settings.pictures[view] = picture;
          },
          "", ""};
}

Command setStep(std::string step) {
  return {[step = std::move(step)](Workspace& w) {
            w.step = step, w.view = "step";
            // What is the same at every step gives way to the picture of one.
            const auto picture = w.settings.pictures.find("step");
            if (picture != w.settings.pictures.end() &&
                (picture->second == "parallels" || picture->second == "slips"))
              w.settings.pictures.erase(picture);
          },
          "", ""};
}

Command changeSettings(std::function<void(ViewSettings&)> change) {
  return {[change = std::move(change)](Workspace& w) { change(w.settings); }, "", ""};
}

Command choose(std::string choice, std::string value) {
  return changeSettings([choice = std::move(choice), value = std::move(value)](ViewSettings& settings) {
    settings.choose(choice, value);
  });
}

Command togglePair(int pair, int width) {
  return changeSettings([=](ViewSettings& settings) {
    const std::vector<int> shown = shownPairs(settings.positions, width);
    std::set<int> pairs(shown.begin(), shown.end());
    if (pairs.contains(pair) && pairs.size() > 1)
      pairs.erase(pair);
    else if (static_cast<int>(pairs.size()) < mostPairs)
      pairs.insert(pair);
    settings.positions.pairs.assign(pairs.begin(), pairs.end());
  });
}

Command setLook(Look look) {
  return {[look](Workspace& w) { w.look = look; }, "", ""};
}

Command setMemory(float gigabytes) {
  return {[gigabytes](Workspace& w) { w.machine.memory = gigabytes; }, "", ""};
}

Command setFigure(FigureSettings figure) {
  return {[figure = std::move(figure)](Workspace& w) { w.figure = figure; }, "", ""};
}

Command togglePin(Pin pin) {
  return {[pin = std::move(pin)](Workspace& w) {
            if (std::erase(w.pins, pin) > 0) return;
            if (w.pins.size() == mostPins) w.pins.erase(w.pins.begin());
            w.pins.push_back(pin);
          },
          "pinning a number", ""};
}

Command unpinAll() {
  return {[](Workspace& w) { w.pins.clear(); }, "letting all pins go", ""};
}

}  // namespace glassformer::commands
