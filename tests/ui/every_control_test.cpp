// Every control of every view, found by itself: whatever Dear ImGui and the pictures register on the stage is
// driven in the real interface, and has to do something real. What a click brings into being is explored in
// turn, so that every layout is reached by its own controls.
//
// What is sampled: of controls that share their code ("head 0.0" to "head 3.3") the first, the middle and the
// last, and once they are known the middle one; one control at a time, from each state that shows a new one,
// in a small window, those that are known in every other state; then all in a large one, or by turns in one
// with everything twice as large, one after the other without starting over, from the first to the last in
// the dark theme, the other way in the light one.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <map>
#include <set>

#include "app/document/change_settings.h"
#include "app/document/cost_settings.h"
#include "app/document/decode_history.h"
#include "app/document/neuron_settings.h"
#include "app/document/session.h"
#include "app/views/views.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

// What controls that share their code have in common: "head 2.1" and "head 3.0" are "head #", "logit of cat"
// and "logit of dog" are "logit of", "next cat" and "next dog" are "next".
std::string familyOf(const ItemRecord& item) {
  if (const auto of = item.label.find(" of "); of != std::string::npos && item.isRegion)
    return item.window + "/" + item.label.substr(0, of + 3);
  for (const std::string entry : {"next", "candidate"})
    if (item.label.starts_with(entry + " ")) return item.window + "/" + entry;
  std::string family = item.window + "/";
  for (const char c : item.label)
    if (!std::isdigit(static_cast<unsigned char>(c)) && c != '.')
      family += c;
    else if (family.back() != '#')
      family += '#';
  return family;
}

// `isKnown`: of such a family one is enough.
template <typename IsKnown>
std::vector<ItemRecord> sampled(const std::vector<ItemRecord>& items, IsKnown isKnown) {
  std::map<std::string, std::vector<ItemRecord>> families;
  for (const ItemRecord& item : items) families[familyOf(item)].push_back(item);
  std::vector<ItemRecord> chosen;
  for (const auto& [family, members] : families) {
    std::set<std::size_t> sample{members.size() / 2};
    if (!isKnown(members.front())) sample.insert({0, members.size() - 1});
    for (const std::size_t i : sample) chosen.push_back(members[i]);
  }
  return chosen;
}

struct Surroundings {
  int width, height;
  float zoom;
  bool dark;
  std::string name() const {
    return std::to_string(width) + (zoom > 1 ? " at 200 %" : "") + (dark ? " dark" : " light");
  }
};

constexpr Surroundings looks[] = {{1280, 720, 1, true}, {1920, 1080, 1, false}, {1920, 1080, 2, true}};

UiDriver::Options optionsOf(const Surroundings& look) {
  UiDriver::Options options;
  options.width = look.width, options.height = look.height;
  options.workspace.look.zoom = look.zoom, options.workspace.look.dark = look.dark;
  options.workspace.look.followsSystem = false;
  options.workspace.settings.landscape.side = 13;  // what is measured anew with most clicks is small
  options.workspace.settings.choose(changesTried, "few");
  options.workspace.settings.choose(tokensChoice, "256");
  options.loader = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, 2, 4, 128);
  };
  return options;
}

// Drives what is on the stage in one window, and keeps what it finds wrong.
class Explorer {
 public:
  explicit Explorer(const Surroundings& look, const UiDriver::Options& options) : look_(look), ui_(options) {
    ImGui::GetIO().MouseDoubleClickTime = 0;  // two clicks on a control are two
  }

  /// Every control by itself, from every state in which there is a new one; returns these states.
  std::vector<Workspace> explore(const char* view) {
    Workspace start = ui_.workspace();
    start.view = view;
    std::vector<Workspace> states = start.comparison.isOn() ? subtracted(start) : std::vector{start};
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Workspace state = states[i];
      restore(state);
      noteNew();
      std::vector<ItemRecord> driven = controls();
      if (i % 2 != 0) std::erase_if(driven, [this](const ItemRecord& item) { return isKnown(item); });
      for (const ItemRecord& item : driven) {
        restore(state);
        drive(item);
        driveMoving(item);
        driveToEnd(item);
        if (leavesDifference(state)) continue;  // what each text has by itself is no part of it
        if (!noteNew() || ui_.workspace().view != state.view) continue;
        states.push_back(ui_.workspace());
        if (!isOnWay(states.back())) states.back().way = {};  // what was left is not part of a session
        for (const ItemRecord& next : controls())  // what is there only while the pointer is where it is
          if (!isKnown(next)) drive(next);
      }
    }
    return states;
  }

  /// The controls of a state one after the other: from the first in the dark theme, from the last in the
  /// light one, as the theme makes no difference to what follows from what. What takes a second, the finest
  /// landscape and the most texts, was measured on the way here.
  void walk(const Workspace& state) {
    restore(state);
    std::vector<std::string> names;
    for (const ItemRecord& item : controls())
      if (item.label != "51²" && item.label != mostTextsChosen) names.push_back(item.label);
    if (!look_.dark) std::ranges::reverse(names);
    for (const std::string& name : names) {
      const auto now = controls();
      const auto item = std::ranges::find(now, name, &ItemRecord::label);
      if (item != now.end()) drive(*item);
      if (ui_.workspace().view != state.view || ui_.workspace().content() != state.content()) restore(state);
    }
  }

  int driven() const { return driven_; }
  const std::string& faults() const { return faults_; }
  /// Families that answered a click in no state at all, although they are no part of a picture that only
  /// speaks.
  std::string idle() const {
    std::string names;
    for (const auto& [family, changed] : changed_)
      if (!changed) names += family + "; ";
    return names;
  }

 private:
  std::vector<ItemRecord> controls() {
    std::vector<ItemRecord> found =
        sampled(ui_.items(), [this](const ItemRecord& item) { return isKnown(item); });
    std::erase_if(found, [](const ItemRecord& item) { return item.window != "Stage"; });
    return found;
  }

  bool leavesDifference(const Workspace& state) const {
    return asksForDifference(state) && !asksForDifference(ui_.workspace());
  }

  // A state for each picture of the view that has a difference.
  static std::vector<Workspace> subtracted(const Workspace& workspace) {
    std::vector<Workspace> states;
    for (const Picture& picture : viewOf(workspace.view).pictures) {
      if (!picture.subtracts) continue;
      states.push_back(workspace);
      states.back().settings.pictures[workspace.view] = picture.id;
    }
    return states;
  }

  // As a session is opened: with every view as it was, but without a way of decoding that was left.
  void restore(const Workspace& left) {
    Workspace state = left;
    if (!isOnWay(state)) state.way = {};
    if (ui_.workspace().document() == state) return;
    REQUIRE(saveSession(folder_ / "state.json", state));
    ui_.app().open(folder_ / "state.json");
    ui_.settle();
    REQUIRE(ui_.workspace().document() == state);
  }

  bool noteNew() {
    bool isNew = false;
    for (const ItemRecord& item : controls()) isNew |= known_.insert(nameOf(ui_.workspace(), item)).second;
    return isNew;
  }

  void drive(const ItemRecord& item) {
    if (item.label == "Stage view" || item.label == "Other view") return;  // what is in it is driven
    const Workspace before = ui_.workspace();
    if (item.disabled && !isThere(item)) return;  // another picture has moved it meanwhile
    if (item.disabled) return driveDisabled(item);
    if (!isOpen(item)) return;  // scrolled out of sight, or gone with the pointer
    ++driven_;
    const int states = ui_.app().history().stateCount();
    ui_.click(item);
    if (item.label.starts_with("number##")) typeNumber(item);
    if (item.label == "Play##step") ui_.click(item);        // which ends it
    const bool asks = ui_.exists("Why/Close##why");         // where a number comes from
    const bool offers = ui_.exists("Candidate menu/Take");  // what can be done with a token
    if (asks || offers) checkLayout(before, item), ui_.press(ImGuiKey_Escape);
    const bool changed = ui_.workspace() != before || asks || offers;
    const bool says = !ui_.app().hover().empty() || !ui_.tooltip().empty();
    const bool answers = changed || (item.isRegion && says) || (!says && moves(item));
    if (!answers && !says) fault(before, item, "does nothing and says nothing");
    changed_[nameOf(before, item)] |= answers;
    checkLayout(before, item);
    if (ui_.app().history().stateCount() > states) checkUndo(before, item);
  }

  // One that every field takes and none begins with.
  void typeNumber(const ItemRecord& item) {
    const bool beginsWithOne = item.label == "number##Temperature" || item.label == "number##Δ";
    const bool isLarge = item.label == "number##D" || item.label == "number##T up to";
    ui_.type(isLarge ? "48" : item.label == "number##Base N" ? "10" : beginsWithOne ? "2" : "1");
    ui_.press(ImGuiKey_Enter);
  }

  // What can be zoomed and moved, is; a double click shows all of it again.
  void driveMoving(const ItemRecord& item) {
    if (!item.isRegion || !isOpen(item)) return;
    const Workspace before = ui_.workspace();
    const auto note = [&] {
      checkLayout(before, item);
      changed_[nameOf(before, item)] |= ui_.workspace() != before;
    };
    ui_.wheel(item, 3), note();
    if (ui_.workspace() == before) return;
    if (isThere(item)) ui_.drag(item, 40, 24), note();
    if (isThere(item)) ui_.drag(item, -80, -48), note();
    if (isThere(item)) ui_.doubleClick(item, 0.5f, 0.5f), note();
    ui_.press(ImGuiKey_Escape);
    ui_.wheel(item, -3), note();
  }

  // A number is stepped as far as it goes, once.
  void driveToEnd(const ItemRecord& item) {
    const bool steps = item.label.starts_with("less##") || item.label.starts_with("more##");
    if (!steps || !ended_.insert(nameOf(ui_.workspace(), item)).second) return;
    const Workspace before = ui_.workspace();
    ui_.waitForEngine(false);  // what is measured on the way is not looked at
    for (int i = 0; i < 120; ++i) {
      const auto now = ui_.items();
      const auto at = std::ranges::find(now, item.label, &ItemRecord::label);
      if (at == now.end() || at->disabled) break;
      ui_.click(*at);
    }
    ui_.waitForEngine(true);
    ui_.settle();
    const auto now = ui_.items();
    const auto at = std::ranges::find(now, item.label, &ItemRecord::label);
    if (at == now.end() || !at->disabled) return fault(before, item, "has no end");
    driveDisabled(*at);
    checkLayout(before, item);
  }

  bool moves(const ItemRecord& item) {
    const Workspace before = ui_.workspace();
    for (const float notches : {3.0f, -3.0f}) {
      if (isThere(item)) ui_.wheel(item, notches);
      if (ui_.workspace() != before) return true;
    }
    return false;
  }

  // Its middle can be clicked: it is in sight, and nothing of another window lies on it.
  bool isOpen(const ItemRecord& item) const {
    const float x = (item.min.x + item.max.x) / 2, y = (item.min.y + item.max.y) / 2;
    return ui_.canClick(item) && isThere(item) &&
           std::ranges::none_of(ui_.items(), [&](const ItemRecord& other) {
             return other.window != item.window && x >= other.min.x && x < other.max.x && y >= other.min.y &&
                    y < other.max.y && x >= other.clipMin.x && x < other.clipMax.x && y >= other.clipMin.y &&
                    y < other.clipMax.y;
           });
  }

  bool isThere(const ItemRecord& item) const {
    return std::ranges::any_of(ui_.items(), [&](const ItemRecord& now) {
      return now.label == item.label && now.window == item.window && now.min.x == item.min.x &&
             now.min.y == item.min.y && now.max.x == item.max.x && now.max.y == item.max.y;
    });
  }

  static std::string nameOf(const Workspace& state, const ItemRecord& item) {
    return state.view + ": " + familyOf(item);
  }
  bool isKnown(const ItemRecord& item) const { return changed_.contains(nameOf(ui_.workspace(), item)); }

  void driveDisabled(const ItemRecord& item) {
    const ImVec2 middle((item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2);
    ImGui::GetIO().AddMousePosEvent(middle.x, middle.y);
    ui_.settle();
    if (ui_.tooltip().empty()) fault(ui_.workspace(), item, "is disabled and does not say why");
  }

  void checkUndo(const Workspace& before, const ItemRecord& item) {
    const Workspace after = ui_.workspace();
    ui_.waitForEngine(false);
    ui_.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    ui_.waitForEngine(true);
    if (ui_.workspace().content() != before.content()) fault(before, item, "cannot be undone");
    ui_.press(ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiMod_Shift);
    if (ui_.workspace().content() != after.content()) fault(before, item, "cannot be done again");
  }

  void checkLayout(const Workspace& before, const ItemRecord& item) {
    if (const std::string found = ui_.layoutFaults(); !found.empty())
      fault(before, item, "leaves " + found.substr(0, 160));
  }

  void fault(const Workspace& before, const ItemRecord& item, const std::string& what) {
    const std::string said = look_.name() + ", " + before.view + ", [" + item.label + "] " + what + "\n";
    if (faults_.size() < 6000) faults_ += said;
  }

  TemporaryFolder folder_;
  Surroundings look_;
  UiDriver ui_;
  std::set<std::string> known_, ended_;
  std::map<std::string, bool> changed_;
  std::string faults_;
  int driven_ = 0;
};

}  // namespace

TEST_CASE("every control of every view does something real, in every size and theme") {
  std::vector<Workspace> states;
  for (const Surroundings& look : looks) {
    Explorer explorer(look, optionsOf(look));
    if (states.empty())
      for (const View& view : views())
        for (Workspace& state : explorer.explore(view.id)) states.push_back(std::move(state));
    else  // every other one, and those between them in the other look
      for (std::size_t i = look.zoom > 1; i < states.size(); i += 2) explorer.walk(states[i]);
    INFO(look.name());
    CHECK(explorer.faults() == "");
    CHECK(explorer.idle() == "");
    CHECK(explorer.driven() > 200);
  }
  CHECK(states.size() > 15);
}

TEST_CASE("every control of the difference of two texts does something real") {
  std::vector<Workspace> states;
  for (const Surroundings& look : looks) {
    UiDriver::Options options = optionsOf(look);
    options.workspace.text = "The animal was too tired.";
    options.workspace.aside = {"The street and the cat was too wide."};
    options.workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
    Explorer explorer(look, options);
    if (states.empty())
      for (const View& view : views())
        for (Workspace& state : explorer.explore(view.id)) states.push_back(std::move(state));
    else
      for (const Workspace& state : states) explorer.walk(state);
    INFO(look.name());
    CHECK(explorer.faults() == "");
    CHECK(explorer.driven() > 200);
  }
}

// Around the stage every control is driven in a window of its own: many change how the window looks.
TEST_CASE("every control around the stage does something real") {
  for (const Surroundings& look : {Surroundings{1280, 720, 1, true}, Surroundings{1920, 1080, 2, false}}) {
    std::vector<ItemRecord> all =
        sampled(UiDriver(optionsOf(look)).items(), [](const ItemRecord&) { return false; });
    std::erase_if(all, [](const ItemRecord& item) { return item.window == "Stage"; });
    CHECK(all.size() > 20);
    for (const ItemRecord& item : all) {
      UiDriver ui(optionsOf(look));
      INFO(look.name() << ", " << item.window << "/" << item.label);
      const Workspace before = ui.workspace();
      const std::size_t shown = ui.items().size();
      if (item.disabled) {
        ImGui::GetIO().AddMousePosEvent((item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2);
        ui.settle();
        CHECK(ui.tooltip() != "");
        continue;
      }
      if (!ui.canClick(item)) continue;
      if (item.window.ends_with("edge"))
        for (const float far : {-4000.0f, 8000.0f}) {
          ui.drag(ui.find(item.label), far, far);
          CHECK(ui.layoutFaults().substr(0, 400) == "");
          CHECK(ui.workspace() != before);
        }
      else
        ui.click(item);
      const bool opened = ui.items().size() != shown;
      const bool says = !ui.app().hover().empty() || !ui.tooltip().empty() || ui.exists("Outside");
      const bool answered = ui.workspace() != before || opened || says;
      if (!answered) ui.type("x");  // a field waits for more than a click
      CHECK((ui.workspace() != before || answered));
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    }
  }
}
