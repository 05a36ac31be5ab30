#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "app/document/branch.h"
#include "app/document/decode_history.h"
#include "app/document/decoding.h"
#include "app/document/figure_settings.h"
#include "app/document/model_changes.h"
#include "app/document/paused_intervention.h"
#include "app/document/pin.h"
#include "app/document/tab_text.h"
#include "app/document/training_plan.h"
#include "app/document/view_settings.h"
#include "core/model/pass_limit.h"
#include "core/model/point_names.h"
#include "core/trace/interventions.h"

namespace glassformer {

/// What the user points at for longer than a hover. Positions may lie beyond the text; whoever reads them
/// clamps.
struct Selection {
  int layer = 0;
  int head = 0;
  int query = -1;  ///< -1: the last token
  int key = -1;    ///< -1: none
  int dimension = 0;
  // Of a model that reads a source besides: which attention is shown, and what is chosen in the source.
  AttentionSite site = AttentionSite::Self;  ///< Only: the text's own attention, whatever the model
  int source = -1;     ///< the token that looks inside the source, or is looked at from the text
  int sourceKey = -1;  ///< what it looks at

  bool hasTokens() const { return std::max({query, key, source, sourceKey}) >= 0; }
  int queryIn(Stream stream) const { return stream == Stream::Text ? query : source; }
  int keyAt(AttentionSite at) const {
    return keysOf(at) == Stream::Text ? key : at == AttentionSite::Cross ? source : sourceKey;
  }

  bool operator==(const Selection&) const = default;
};

/// How a text was decoded when a prepared one opened beside it with settings of its own; whoever opens its
/// tab again finds that.
struct LeftTab {
  TabText writing;
  Decoding decoding;
  DecodeHistory way;
  bool operator==(const LeftTab&) const = default;
};

/// What lies before one who works with the models of one kind of text: all tabs, and how they are looked at
/// and gone on with.
struct TabGroup {
  std::vector<TabText> tabs;
  int open = 0;
  Decoding decoding;
  Selection selection;
  std::vector<Branch> branches;
  DecodeHistory way;
  std::vector<LeftTab> left;
  bool operator==(const TabGroup&) const = default;
};

/// Two texts, or one text computed in two ways, looked at together: every view draws both beside each other,
/// or their difference.
enum class ComparisonMode { SideBySide, Difference };
/// Another text than the open one, by its tab ...
struct OtherText {
  int tab = 0;
  bool operator==(const OtherText&) const = default;
};
/// ... or the same text, computed otherwise: by the model without interventions or as it was loaded, by the
/// run that is trained beside it, or by another program (Content::recordedTrace).
enum class ComputedBy { WithoutInterventions, AsLoaded, OtherRun, RecordedTrace };
using Compared = std::variant<std::monostate, OtherText, ComputedBy>;

struct Comparison {
  static constexpr Compared off{}, withoutInterventions{ComputedBy::WithoutInterventions},
      asLoaded{ComputedBy::AsLoaded}, otherRun{ComputedBy::OtherRun},
      recordedTrace{ComputedBy::RecordedTrace};

  Compared with;
  ComparisonMode mode = ComparisonMode::SideBySide;

  bool isOn() const { return with != off; }
  /// Of the other text; nothing where the same one is compared.
  std::optional<int> otherTab() const {
    const auto* text = std::get_if<OtherText>(&with);
    return text ? std::optional(text->tab) : std::nullopt;
  }
  bool operator==(const Comparison&) const = default;
};

/// How the window looks.
struct Look {
  bool dark = true;
  bool followsSystem = true;  ///< dark or light as the system says, where it says so
  bool contrast = false;      ///< as high as it gets
  bool speaker = false;       ///< a presentation opens the speaker's window beside the one a room sees
  float zoom = 1;             ///< of everything, on top of the display's own scale
  float leftWidth = 304;      ///< in pixels at 100 %
  float rightWidth = 320;
  float bottomHeight = 152;
  // Of the drawers, where the window is too narrow for columns; and of the regions around the stage.
  bool inspectorOpen = false, inputOpen = false;
  bool inspectorClosed = false, inputClosed = false, timelineClosed = false;
  bool allControls = false;            ///< those that few need, too
  std::map<std::string, int> reached;  ///< how many steps of each lesson were seen

  bool operator==(const Look&) const = default;
};

/// What the program takes of the machine.
struct Machine {
  static constexpr float leastMemory = 0.1f, mostMemory = 1000;
  /// Gigabytes of one pass: see core/model/pass_limit.h. 0: as much as is usual on this machine.
  float memory = 0;

  double passLimit() const { return memory > 0 ? 1e9 * memory : usualPassLimit(); }
  bool operator==(const Machine&) const = default;
};

/// What is written and changed. Whether that is another, or the pins are, is what undo and redo go by, and
/// they bring back all of it.
struct Content {
  std::string model = "stories";          ///< name of a built-in model, or a directory
  ModelChanges changes;                   ///< what its config has otherwise than it was loaded
  std::string text;                       ///< of the open tab, as far as it is written; any bytes
  std::string source;                     ///< what a model that reads a source reads beside it
  std::vector<TabText> aside;             ///< the other tabs, in their order
  int tab = 0;                            ///< place of the open tab among all
  std::vector<Branch> branches;           ///< texts that are kept, in the order in which they were
  DecodeHistory way;                      ///< that the open text lies on, or one that it has left
  std::vector<LeftTab> left;              ///< tabs whose decoding waits for them to be opened again
  std::map<std::string, TabGroup> desks;  ///< the tabs left behind with models of other texts, see deskOf()
  Interventions interventions;
  std::vector<PausedIntervention> paused;  ///< by place, see intervention_list.h
  std::string rule;                        ///< an attention rule, see core/lens/attention_rule.h
  std::string recordedTrace;  ///< the file of what another program computed of the text; empty: none
  Decoding decoding;
  /// Those of the steps that come, of the open run and of the one beside it: Schedule::description(). Empty
  /// until the run has said by which it goes.
  std::array<std::string, 2> schedules;
  std::optional<TrainingPlan> setUp;  ///< of a run that is to begin, where it is no longer Document::plan

  int tabCount() const { return static_cast<int>(aside.size()) + 1; }
  const std::string& textOfTab(int i) const {
    return i == tab ? text : aside[static_cast<std::size_t>(i < tab ? i : i - 1)].text;
  }
  const std::string& sourceOfTab(int i) const {
    return i == tab ? source : aside[static_cast<std::size_t>(i < tab ? i : i - 1)].source;
  }
  bool operator==(const Content&) const = default;
};

/// Which part of that is looked at: with the content it says what is to be computed, and what views measure
/// besides.
struct Inquiry {
  Comparison comparison;
  std::string step;  ///< of the layer stepper: nameOf() in steps.h; empty: the first
  Selection selection;

  bool operator==(const Inquiry&) const = default;
};

/// What a learner expected, before it was shown.
struct Guess {
  /// The choice's number, the number itself, the token's position, query and key of a cell, or the height of
  /// every bar.
  std::vector<float> values;
  bool isMade = false;  ///< and so is to be compared with what came
  bool operator==(const Guess&) const = default;
};

/// Whether a number can be an answer of somebody: finite, and no larger than anything that is asked for.
inline bool isAnswer(float value) { return std::abs(value) <= 1e9f; }

/// The lesson that is open, and how far it has got.
struct LessonProgress {
  std::string lesson;  ///< the name of one that ships, or a file; empty: none
  int step = 0;
  std::map<int, Guess> guesses;           ///< by step
  std::map<int, int> hints;               ///< as many are uncovered, by step
  std::map<int, std::vector<int>> votes;  ///< of a room, for each choice, by step
  std::map<int, std::vector<std::vector<float>>>
      room;            ///< what a class handed in, as guesses have it, by step
  std::string before;  ///< the session that lay here before it, as session files have it
  std::set<int> done;  ///< steps at which what is to be tried was done

  bool isOpen() const { return !lesson.empty(); }
  bool operator==(const LessonProgress&) const = default;
};

/// What the user works on, and how it is shown: a session that is opened brings it, a lesson patches it.
struct Document : Content, Inquiry {
  std::string view = "attention";  ///< id in app/views/views.cpp
  ViewSettings settings;
  FigureSettings figure;
  TrainingPlan plan;  ///< of the run that was begun last, or is to begin next
  LessonProgress lesson;
  std::vector<Pin> pins;  ///< numbers that stay in sight, in the order in which they were pinned

  Content& content() { return *this; }
  const Content& content() const { return *this; }
  const Inquiry& inquiry() const { return *this; }
  bool operator==(const Document&) const = default;
};

/// Everything the user is looking at, as one value: copied for undo, compared by the engine, written down as
/// the session. Nothing computed is in it.
struct Workspace : Document {
  Look look;
  Machine machine;

  /// Whether controls that few need are shown: when asked for, and in lessons, which speak of them.
  bool offersAll() const { return look.allControls || lesson.isOpen(); }

  Document& document() { return *this; }
  const Document& document() const { return *this; }
  bool operator==(const Workspace&) const = default;
};

/// What a first start shows.
Workspace initialWorkspace();

}  // namespace glassformer
