#include "app/views/influence/counterfactuals_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/document/view_commands.h"
#include "app/drawing/entry_list.h"
#include "app/drawing/wording.h"
#include "app/engine/counterfactual_search.h"
#include "app/scene/format.h"
#include "app/views/influence/asked_keys.h"

namespace glassformer {

namespace {

constexpr float changeRow = 30, highChangeRow = 58, otherRow = 28, belowOthers = 4, changesTitle = 44,
                changesGap = 32, shareWidth = 148, entryWidth = 104;

// One of the lists: what is found, and what it does.
struct FlipList {
  const char *answers, *others, *othersP;  // tensors
  const char* name;                        // of its rows
};
constexpr FlipList ofReplacements{changes::replacementP, changes::replacementOthers,
                                  changes::replacementOthersP, "replacement"},
    ofHeadSets{changes::headP, changes::headOthers, changes::headOthersP, "head set"};

class ChangesPicture {
 public:
  explicit ChangesPicture(InfluencePicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        input_(picture.input),
        theme_(picture.theme),
        asked_(*changesAsked(picture.input.workspace, picture.input.snapshot)),
        answer_(answerOf(*picture.input.snapshot.pass->trace, asked_)) {}

  void draw(Box area) {
    addInfluenceHeader(picture_, area, title(),
                       std::string("One pass per edit; the best edits of every position come first") +
                           (input_.isStill() ? "" : "; a click takes it"),
                       {whatIsAsked(), budgets()});
    area.takeTop(8);
    Box column = area.takeRight(std::clamp(area.width * 0.24f, 168.0f, 264.0f));
    area.takeRight(24);
    addWanted(column);
    const bool isThere = picture_.isThere(changes::replacementCounts) &&
                         picture_.isThere(changes::lookedAt) == asked_.head.has_value();
    if (!isThere) return addInfluenceWaiting(picture_, area);
    if (area.width >= 720) {
      Box left = area;
      const Box right = left.takeRight((area.width - changesGap) / 2);
      left.takeRight(changesGap);
      addReplacements(left);
      addHeadSets(right);
    } else {
      const auto sets = scene_.sources.find(changes::headSets);
      const float needed = changesTitle + changeRow * static_cast<float>(sets ? sets->extent[0] : 0);
      const Box below = area.takeBottom(std::min(needed, (area.height - 16) / 2));
      area.takeBottom(16);
      addReplacements(area);
      addHeadSets(below);
    }
  }

 private:
  // Rows of a list: high ones where all of it has room for them, and with more room higher ones, for what
  // becomes of other answers.
  void chooseRows(const Box& area, const std::optional<TensorView>& rows, const FlipList& list) {
    const float count = rows ? static_cast<float>(rows->extent[0]) : 0;
    isHigh_ = count * highChangeRow <= area.height;
    const auto others = scene_.sources.find(list.others);
    const int most = others ? others->extent[1] : 0;
    others_ =
        isHigh_ && count > 0
            ? std::clamp(static_cast<int>((area.height / count - highChangeRow - belowOthers) / otherRow), 0,
                         most)
            : 0;
  }
  float rowHeight() const {
    if (!isHigh_) return changeRow;
    return highChangeRow + (others_ > 0 ? static_cast<float>(others_) * otherRow + belowOthers : 0);
  }
  std::vector<Choice> budgets() const {
    const ChangeBudget& chosen = chosenBudget(input_.workspace.settings);
    std::vector<Choice> all;
    for (const ChangeBudget& budget : changeBudgets)
      all.push_back(
          {budget.label, budget.tip, &budget == &chosen, commands::choose(changesTried, budget.id)});
    return all;
  }
  std::vector<Choice> whatIsAsked() const {
    if (!picture_.config.hasAttention()) return {};
    const auto choice = [&](const char* label, const char* tip, bool ofHead) {
      return Choice{label, tip, asked_.head.has_value() == ofHead,
                    commands::choose(flipsAsked, ofHead ? flipsOfHead : "")};
    };
    return {choice("Prediction", "Smallest edits that change the prediction", false),
            choice("Top key", "Smallest edits that change the selected head's top key", true)};
  }
  void addWanted(Box& column) {
    if (asked_.head) {
      addKeysWanted(picture_, column, asked_);
    } else {
      EntryList wanted{picture_.position, asked_.target < 0 ? answer_ : asked_.target, [](int entry) {
                         return commands::choose(wantedAnswer, entry < 0 ? "" : std::to_string(entry));
                       }};
      wanted.title = "Wanted prediction";
      addEntryList(scene_, input_, column, wanted);
    }
    const char* any = asked_.head ? "any other key" : "any other token";
    addText(scene_, {column.x, column.y - 6}, asked_.target < 0 ? any : "only this one", theme_.note());
  }
  std::string entry(int id) const {
    return asked_.head ? keyWords(picture_, *asked_.head, id) : "“" + input_.entryLabel(id) + "”";
  }
  std::string title() const {
    if (asked_.head) {
      const std::string from = picture_.titleOf(
          "Counterfactuals", "top key of " + nameOf(*asked_.head) + " for " +
                                 picture_.quoted(asked_.position, queriesOf(asked_.head->site)));
      return asked_.target < 0 ? from : from + " → " + entry(asked_.target);
    }
    const std::string here = picture_.prediction(input_.entryLabel(answer_), picture_.position);
    return picture_.titleOf("Counterfactuals", here) +
           (asked_.target < 0 ? "" : " → " + entry(asked_.target));
  }
  // The answer in a row of the list: of a head the key, by its place, for tokens come more than once.
  std::string rowEntry(int id, const std::string& label) const {
    return asked_.head ? std::to_string(id) + " " + label : input_.entryLabel(id);
  }
  std::string rowEntry(int id) const {
    return rowEntry(id, asked_.head ? input_.label(id, keysOf(asked_.head->site)) : "");
  }
  float number(const char* tensor, int row, int column) const {
    return valueOf(scene_.sources, {tensor, {row, column}}).value_or(NAN);
  }
  static std::string counted(float count) { return formattedFixed(count, 0); }

  void addTitle(Box& area, const std::string& words, const std::string& about) {
    const Box box = area.takeTop(changesTitle);
    addText(scene_, {box.x, box.y + 10}, words, theme_.heading()).maxWidth = box.width;
    area.takeTop(
        addLines(scene_, input_, {box.x, box.y + 31}, box.width, about, theme_.note(), Align::Start));
  }

  void addReplacements(Box area) {
    const float tried = number(changes::replacementCounts, 0, 0),
                all = number(changes::replacementCounts, 1, 0),
                flips = number(changes::replacementCounts, 2, 0);
    addTitle(area, "Token edits",
             (tried == all ? "all " + counted(all) : counted(tried) + " of " + counted(all)) +
                 " replacements tried, " +
                 (flips == 0 ? "none does" : counted(flips) + (flips == 1 ? " does" : " do")));
    const auto rows = scene_.sources.find(changes::replacements);
    chooseRows(area, rows, ofReplacements);
    for (int i = 0; rows && i < rows->extent[0] && area.height >= rowHeight(); ++i)
      addReplacement(area.takeTop(rowHeight()), i);
  }

  void addReplacement(const Box& row, int i) {
    const auto at = [&](changes::Replacement column) {
      return static_cast<int>(number(changes::replacements, i, column));
    };
    const TokenReplacement change{at(changes::inSource) == 1 ? Stream::Source : Stream::Text,
                                  at(changes::position), at(changes::token)};
    const std::string old = input_.label(change.position, change.stream),
                      token = input_.entryLabel(change.token);
    const bool isSpelled = at(changes::isSpelled) == 1;
    const std::string where =
        (change.stream == Stream::Source ? "source " : "") + std::to_string(change.position);
    const int now = at(changes::newAnswer);
    const bool isOpenText = input_.snapshot.pass->text == input_.workspace.text;
    const bool isLookedAt =
        asked_.head && keysOf(asked_.head->site) == change.stream && now == change.position;
    HitRegion hit =
        addFlipRow(row, where, old + " → " + token, isLookedAt ? rowEntry(now, token) : rowEntry(now),
                   ofReplacements, i, isSpelled);
    hit.target.token = change.position, hit.target.tokens = change.stream;
    hit.target.text = "“" + old + "” at position " + where + " replaced by “" + token +
                      "”: " + flipWords(changes::replacementP, i, now) +
                      (isSpelled ? isOpenText ? "; a click takes it" : "" : "; no text spells these tokens");
    const auto written = writtenWith(input_.snapshot, change);
    if (written && isOpenText)
      hit.click = [before = TabText(input_.snapshot.pass->text, input_.snapshot.pass->source),
                   after = *written](const Target&) { return commands::takeReplacement(before, after); };
    addHits(row, ofReplacements, i, std::move(hit));
  }

  // "all 8 single heads, 20 of 28 pairs tried", "all 92 sets of up to 3 heads, 50 of 70 sets of 4 tried"
  std::string headWords() const {
    const auto sizes = scene_.sources.find(changes::headCounts);
    if (!sizes) return asked_.head ? "no head comes before this one" : "this model has no heads to ablate";
    std::string words;
    float sets = 0;
    int through = 0;  // sizes of which all sets were tried
    while (through < sizes->extent[0] && (*sizes)(through, 1) == (*sizes)(through, 2))
      sets += (*sizes)(through++, 2);
    const int together = through > 2 ? through : 0;
    if (together > 0)
      words = "all " + counted(sets) + " sets of up to " + counted((*sizes)(together - 1, 0)) + " heads";
    for (int i = together; i < sizes->extent[0]; ++i) {
      const float tried = (*sizes)(i, 1), all = (*sizes)(i, 2);
      static constexpr const char* names[] = {"single heads", "pairs", "sets of three"};
      const int size = static_cast<int>((*sizes)(i, 0));
      words += (i > 0 ? ", " : "") +
               (tried == all ? "all " + counted(all) : counted(tried) + " of " + counted(all)) + " " +
               (size <= 3 ? names[size - 1] : ("sets of " + std::to_string(size)).c_str());
    }
    return words + " tried" + (scene_.sources.contains(changes::headSets) ? "" : ", none does");
  }

  void addHeadSets(Box area) {
    const auto rows = scene_.sources.find(changes::headSets);
    const int members = rows ? rows->extent[1] : 0;
    addTitle(area,
             members == 0   ? "Ablation sets"
             : members == 1 ? "Single heads ablated"
                            : std::to_string(members) + " heads ablated together",
             headWords());
    chooseRows(area, rows, ofHeadSets);
    for (int i = 0; rows && i < rows->extent[0] && area.height >= rowHeight(); ++i)
      addHeadSet(area.takeTop(rowHeight()), i, members);
  }

  void addHeadSet(const Box& row, int i, int members) {
    const std::vector<HeadId> heads = everyHead(picture_.config);
    std::string names;
    Interventions off;
    for (int k = 0; k < members; ++k) {
      const HeadId& head = heads[static_cast<std::size_t>(number(changes::headSets, i, k))];
      names += (k > 0 ? " + " : "") + nameOf(head);
      off.push_back(headOff(head));
    }
    const int now = static_cast<int>(number(changes::headAnswer, i, 0));
    HitRegion hit = addFlipRow(row, "", names, rowEntry(now), ofHeadSets, i, true);
    hit.target.text = names + " ablated: " + flipWords(changes::headP, i, now) + "; a click ablates " +
                      (members == 1 ? "it" : "them");
    hit.click = [off](const Target&) { return commands::takeInterventions(off); };
    addHits(row, ofHeadSets, i, std::move(hit));
  }

  std::string share(const char* tensor, int row, int column) const {
    return formattedPercent(number(tensor, row, column));
  }
  std::string flipWords(const char* tensor, int row, int now) const {
    return entry(answer_) + " from " + share(tensor, row, changes::oldBefore) + " to " +
           share(tensor, row, changes::oldAfter) + ", " + entry(now) + " from " +
           share(tensor, row, changes::newBefore) + " to " + share(tensor, row, changes::newAfter);
  }

  // What changes, what the answer is then, and how probable that was and is.
  HitRegion addFlipRow(const Box& row, const std::string& where, const std::string& change,
                       const std::string& now, const FlipList& list, int i, bool canBeTaken) {
    const float middle = middleOf(row, 0);
    const bool isPointed = input_.hover.cell == TensorRef{list.answers, {i, changes::newAfter}};
    if (isPointed && !input_.isStill()) scene_.add(Rect{row.inset(0, 1), theme_.raised, {0, 0, 0, 0}, 4, 1});
    const TextStyle token{FontFace::Mono, 14, canBeTaken ? theme_.text : theme_.quiet},
        quiet = theme_.quietMono();
    const float name = entryStart(row), first = where.empty() ? 0 : 32;
    if (!where.empty())
      addText(scene_, {row.x + 4, middle},
              where.substr(0, where.find(' ')) == "source" ? "s" + where.substr(7) : where, quiet)
          .maxWidth = first - 4;
    addText(scene_, {row.x + 4 + first, middle}, change, token).maxWidth = name - first - 12;
    addText(scene_, {row.x + name, middle}, now, token).maxWidth = entryWidth;
    addProbabilities(row, 0, list, i, theme_.text);
    // With room what becomes of the answer that it was, and of others.
    for (int line = 1; line < lines(list, i); ++line) {
      addText(scene_, {row.x + name, middleOf(row, line)}, lineEntry(list, i, line),
              {FontFace::Mono, 14, theme_.quiet})
          .maxWidth = entryWidth;
      addProbabilities(row, line, list, i, theme_.quiet);
    }
    scene_.add(Line{{{row.x, row.bottom()}, {row.right(), row.bottom()}}, theme_.line.faded(0.5f), 1, false});
    HitRegion hit;
    hit.box = row, hit.target.cell = {list.answers, {i, changes::newAfter}};
    return hit;
  }
  static float entryStart(const Box& row) { return std::max(64.0f, row.width - shareWidth - 112); }

  // Lines of a row: the new answer, the one that it was, and others.
  int lines(const FlipList& list, int i) const {
    if (!isHigh_) return 1;
    int others = 0;
    while (others < others_ && std::isfinite(number(list.others, i, others))) ++others;
    return 2 + others;
  }
  float middleOf(const Box& row, int line) const {
    if (!isHigh_) return row.center().y;
    const float second = row.y + highChangeRow - changeRow / 2 - 1;
    return line == 0 ? row.y + changeRow / 2 + 2 : second + otherRow * static_cast<float>(line - 1);
  }
  std::string lineEntry(const FlipList& list, int i, int line) const {
    return rowEntry(line == 1 ? answer_ : static_cast<int>(number(list.others, i, line - 2)));
  }
  // How probable it was before, or is with the change.
  static TensorRef cellOf(const FlipList& list, int i, int line, bool isBefore) {
    if (line > 1) return {list.othersP, {i, line - 2, isBefore ? 0 : 1}};
    const int before = line == 0 ? changes::newBefore : changes::oldBefore,
              after = line == 0 ? changes::newAfter : changes::oldAfter;
    return {list.answers, {i, isBefore ? before : after}};
  }

  // Before and after, at the end of a row; with room as bars below, the one before thinner.
  void addProbabilities(const Box& row, int line, const FlipList& list, int i, Rgba color) {
    const float middle = middleOf(row, line);
    const auto probability = [&](float x, bool isBefore, Rgba ink) {
      const TensorRef p = cellOf(list, i, line, isBefore);
      addText(scene_, {x, middle}, formattedPercent(valueOf(scene_.sources, p).value_or(NAN)),
              {FontFace::Mono, Theme::small, ink}, Align::End)
          .value = p;
    };
    probability(row.right() - shareWidth / 2 - 12, true, theme_.quiet);
    addText(scene_, {row.right() - shareWidth / 2 + 1, middle}, "→", theme_.quietMono(), Align::Middle);
    probability(row.right() - 4, false, color);
    if (!isHigh_) return;
    const float y = middle + 8;
    const auto bar = [&](bool isBefore, float at, float height, Rgba ink) {
      const TensorRef p = cellOf(list, i, line, isBefore);
      if (std::isfinite(valueOf(scene_.sources, p).value_or(NAN)))
        scene_.add(Bar{{row.right() - shareWidth, at, shareWidth - 4, height}, p, {0, 1}, ink, false, 1});
    };
    bar(true, y, 2, theme_.quiet);
    bar(false, y + 3, 3, theme_.accent);
  }

  // The row, and on it every number of its lines by itself.
  void addHits(const Box& row, const FlipList& list, int i, HitRegion whole) {
    whole.name = list.name + (" " + std::to_string(i));
    scene_.hits.push_back(whole);
    for (int line = 0; line < lines(list, i); ++line)
      for (const bool isBefore : {true, false}) {
        HitRegion hit = whole;
        hit.target.cell = cellOf(list, i, line, isBefore), hit.tabStop = false;
        const float left = row.right() - (isBefore ? shareWidth : shareWidth / 2),
                    height = isHigh_ ? 26 : row.height;
        hit.box = {left, middleOf(row, line) - 12, shareWidth / 2, height};
        if (!isHigh_) hit.box.y = row.y;
        hit.name += " line " + std::to_string(line) + (isBefore ? " before" : " after");
        if (line > 1)
          hit.target.text =
              entry(static_cast<int>(number(list.others, i, line - 2))) + " from " +
              formattedPercent(valueOf(scene_.sources, cellOf(list, i, line, true)).value_or(NAN)) + " to " +
              formattedPercent(valueOf(scene_.sources, cellOf(list, i, line, false)).value_or(NAN));
        scene_.hits.push_back(std::move(hit));
      }
  }

  InfluencePicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  AnswerAsked asked_;
  int answer_;
  bool isHigh_ = false;  // rows that have room for the answer that it was, too
  int others_ = 0;       // and for so many others
};

}  // namespace

void drawChangesPicture(InfluencePicture& picture, Box area) {
  if (const std::string& missing = picture.input.snapshot.kept.missing; !missing.empty())
    picture.scene = emptyScene(picture.input, "No counterfactuals", missing);
  else
    ChangesPicture(picture).draw(area);
}

}  // namespace glassformer
