#include "app/views/attention/output_table.h"

#include <algorithm>

#include "app/document/attribution_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/entry_list.h"
#include "app/scene/format.h"
#include "app/views/attention/parts_table.h"
#include "core/lens/ov_decomposition.h"

namespace glassformer {

namespace {

constexpr std::size_t mostLogits = 5;

// The table, and what it needs to know of the text and of the logit.
class OutputParts {
 public:
  explicit OutputParts(const WhyPicture& picture)
      : picture_(picture),
        input_(picture.input),
        entry_(input_.snapshot.pass->attributedEntry),
        against_(
            chosenAgainst(input_.workspace.settings, entry_, input_.config().vocabulary, subtractedChoice)),
        head_(nameOf(picture.head)) {}

  PartsTable table(int mostRows) const {
    PartsTable parts;
    parts.mostRows = mostRows;
    const bool byBlock = picture_.order == PartOrder::Blocks;
    parts.table = byBlock ? output::blockTable : output::table;
    parts.fromRow = output::fromKey, parts.fromColumn = byBlock ? output::fromBlock : output::fromWriter;
    const TensorView cells = *picture_.sources.find(parts.table);
    parts.rows = keys(cells.extent[0], mostRows);
    parts.columns = picture_.ordered(parts.fromColumn, cells.extent[1]);
    parts.otherRows = picture_.others(parts.rows.size(), cells.extent[0]);
    parts.otherColumns = picture_.others(parts.columns.size(), cells.extent[1]);
    parts.showAll = commands::choose(partOrderChoice, choiceOf(PartOrder::Written));
    parts.inOrder = picture_.order != PartOrder::Largest;
    parts.header = header(parts, cells);
    parts.hitName = "output table";
    parts.dimensions = output::dimensions, parts.sum = output::sum;
    parts.rowAxis = Axis::Key;
    parts.common.query = picture_.query, parts.common.entry = entry_;
    parts.common.queries = picture_.asking, parts.common.keys = picture_.lookedAt;
    parts.common.layer = picture_.head.layer, parts.common.head = picture_.head.head;
    if (!input_.workspace.interventions.empty())
      parts.beside = {{output::interventions, "changed", "change of the head's output by interventions"}};
    addWords(parts);
    addClicks(parts);
    return parts;
  }

 private:
  // "the logit of “a”", "how far the logit of “a” is ahead of that of “b”".
  std::string logit() const {
    const std::string name =
                          input_.config().logitCap > 0 ? "the logit, not yet capped, of “" : "the logit of “",
                      of = name + input_.entryLabel(entry_) + "”";
    return against_ < 0 ? of : of + " minus that of “" + input_.entryLabel(against_) + "”";
  }
  // "“a”", "“a” − “b”".
  std::string quoted() const {
    const std::string entry = "“" + input_.entryLabel(entry_) + "”";
    return against_ < 0 ? entry : entry + " − “" + input_.entryLabel(against_) + "”";
  }

  ViewHeader header(const PartsTable& parts, const TensorView& cells) const {
    const float sum = *valueOf(picture_.sources, {output::sum, {0}});
    const std::string about = (sum < 0.0005f ? "" : "+") + formattedFixed(sum, 3) +
                              (against_ < 0 ? " to " + logit() : " towards " + quoted()) +
                              ": source token (rows) × component (columns)" +
                              picture_.leftOut(parts.rows.size(), cells.extent[0], "keys") +
                              picture_.leftOut(parts.columns.size(), cells.extent[1], "writers");
    return picture_.header(
        "OV output of " + head_ + " to " + quoted() + " at “" + input_.label(picture_.query) + "”", about,
        logits());
  }

  // The likeliest tokens, the one that is asked about and the one that is subtracted.
  std::vector<Choice> logits() const {
    std::vector<int> listed = likeliestEntries(input_, picture_.query, mostLogits);
    const int answer = listed.front();
    const auto isListed = [&](int entry) { return std::ranges::find(listed, entry) != listed.end(); };
    if (!isListed(entry_)) listed.back() = entry_;
    if (against_ >= 0 && !isListed(against_)) listed.push_back(against_);
    std::vector<Choice> choices;
    for (const int entry : listed) choices.push_back(logitChoice(entry, entry == answer));
    return choices;
  }
  Choice logitChoice(int entry, bool isAnswer) const {
    const bool isSubtracted = entry == against_;
    const int chosen = isAnswer ? -1 : entry;
    return {input_.entryLabel(entry),
            "Contribution of the head to the logit of “" + input_.entryLabel(entry) +
                "”; Ctrl with a click " + (isSubtracted ? "subtracts it no longer" : "subtracts it"),
            entry == entry_,
            commands::changeSettings([=](ViewSettings& s) { s.residual.entry = chosen; }),
            commands::choose(subtractedChoice, isSubtracted ? "" : std::to_string(entry)),
            isSubtracted};
  }

  // As the text has them those between the first and the last that the head looks at.
  std::vector<int> keys(int count, int most) const {
    if (picture_.order == PartOrder::Largest) return picture_.ordered(output::fromKey, count, most);
    const HeadId head = picture_.head;
    const TensorView pattern = (*picture_.sources.find(
        attentionPoint(head.layer, head.site, "hook_pattern")))[head.head][picture_.query];
    int first = 0, last = count - 1;
    while (first < last && pattern(first) == 0) ++first;
    while (first < last && pattern(last) == 0) --last;
    std::vector<int> seen;
    for (int key = first; key <= last; ++key) seen.push_back(key);
    return seen;
  }

  void addWords(PartsTable& parts) const {
    const auto writer = picture_.writerNames(picture_.lookedAt);
    const auto key = [labels = input_.labels(picture_.lookedAt)](int k) {
      return labels[static_cast<std::size_t>(k)];
    };
    parts.rowName = key, parts.columnName = writer;
    parts.isPointedRow = [&hover = input_.hover, stream = picture_.lookedAt](int k) {
      return hover.touches(k, stream);
    };
    parts.sayCell = [=, head = head_](int k, int w) {
      return head + " takes from “" + key(k) + "” what " + writer(w) + " wrote";
    };
    parts.sayRow = [=, head = head_](int k) { return "all that " + head + " takes from “" + key(k) + "”"; };
    parts.sayColumn = [=, head = head_](int w) {
      return "all that " + head + " reads of the output of " + writer(w) + " wrote";
    };
    parts.sayOtherRows = "what " + head_ + " takes from " + parts.otherRows;
    parts.sayOtherColumns = "what " + head_ + " reads of the output of " + parts.otherColumns + " wrote";
    parts.saySum = "what " + head_ + " to " + logit() + ", put together again";
    parts.byDimension =
        "The same by dimension of the head: " + picture_.sources.point(output::dimensions)->equation + ",  " +
        picture_.sources.point(output::worth)->equation;
  }

  void addClicks(PartsTable& parts) const {
    const auto select = [query = picture_.query, site = picture_.head.site](int k) {
      return commands::selectCell(query, k, site);
    };
    parts.clickRow = [=](int k) { return [=](const Target&) { return select(k); }; };
    parts.clickCell = [=](const Target& target) { return select(target.key); };
    parts.clickColumn = [this](int w) { return picture_.toWriter(w, picture_.lookedAt); };
  }

  const WhyPicture& picture_;
  const SceneInput& input_;
  int entry_, against_;
  std::string head_;
};

}  // namespace

Scene outputTableScene(const WhyPicture& picture) {
  const std::string reason =
      whyNoOutputTable(picture.input.model(), picture.head, picture.input.countOf(picture.lookedAt));
  if (!reason.empty()) return picture.sentence("The output of this head has no decomposition", reason);
  // Where another attention has just been chosen, the table may still be that of the one before.
  const TracePoint* table = picture.sources.point(output::table);
  if (!table || table->keys != picture.lookedAt)
    return picture.sentence("Decomposing the head's output", waitingWords(picture.input));
  const OutputParts parts(picture);
  return partsTableScene(picture.input, [&](int mostRows) { return parts.table(mostRows); });
}

}  // namespace glassformer
