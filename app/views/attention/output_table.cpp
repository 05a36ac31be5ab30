#include "app/views/attention/output_table.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/entry_list.h"
#include "app/scene/format.h"
#include "app/views/attention/parts_table.h"
#include "core/lens/output_parts.h"

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
        head_(nameOf(picture.head)) {}

  PartsTable table() const {
    PartsTable parts;
    const bool byBlock = picture_.order == PartOrder::Blocks,
               largestFirst = picture_.order == PartOrder::Largest;
    parts.table = byBlock ? output::blockTable : output::table;
    parts.fromRow = output::fromKey, parts.fromColumn = byBlock ? output::fromBlock : output::fromWriter;
    const TensorView cells = *picture_.sources.find(parts.table);
    parts.rows = keys(cells.extent[0]);
    parts.columns =
        orderedParts(picture_.sources, parts.fromColumn, cells.extent[1], largestFirst, mostPartsShown);
    parts.inOrder = !largestFirst;
    parts.header = header(parts, cells);
    parts.hitName = "output table";
    parts.dimensions = output::dimensions, parts.rest = output::interventions, parts.sum = output::sum;
    parts.rowAxis = Axis::Key;
    parts.common.query = picture_.query, parts.common.entry = entry_;
    parts.common.queries = picture_.asking, parts.common.keys = picture_.lookedAt;
    parts.common.layer = picture_.head.layer, parts.common.head = picture_.head.head;
    parts.hasRest = !input_.workspace.interventions.empty();
    addWords(parts);
    addClicks(parts);
    return parts;
  }

 private:
  std::string logit() const {
    return (input_.config().logitCap > 0 ? "the logit, not yet capped, of “" : "the logit of “") +
           input_.entryLabel(entry_) + "”";
  }

  ViewHeader header(const PartsTable& parts, const TensorView& cells) const {
    const float sum = *valueOf(picture_.sources, {output::sum, {0}});
    const std::string about = (sum < 0.0005f ? "" : "+") + formattedFixed(sum, 3) + " to " + logit() +
                              ": from which key (down), times who wrote its value" +
                              picture_.leftOut(parts.rows.size(), cells.extent[0], "keys") +
                              picture_.leftOut(parts.columns.size(), cells.extent[1], "writers");
    return picture_.header("What " + head_ + " adds to “" + input_.entryLabel(entry_) + "” at “" +
                               input_.label(picture_.query) + "”",
                           about, logits());
  }

  // The likeliest tokens, and the one that is asked about.
  std::vector<Choice> logits() const {
    const std::vector<int> likeliest = likeliestEntries(input_, picture_.query, mostLogits);
    std::vector<Choice> choices;
    const auto choose = [&](int entry) {
      const int chosen = entry == likeliest.front() ? -1 : entry;
      return commands::changeSettings([=](ViewSettings& s) { s.residual.entry = chosen; });
    };
    for (std::size_t i = 0; i < likeliest.size(); ++i) {
      const bool isListed = std::ranges::find(likeliest, entry_) != likeliest.end();
      const int entry = i + 1 == likeliest.size() && !isListed ? entry_ : likeliest[i];
      choices.push_back({input_.entryLabel(entry),
                         "what the head adds to the logit of “" + input_.entryLabel(entry) + "”",
                         entry == entry_, choose(entry)});
    }
    return choices;
  }

  // As the text has them those between the first and the last that the head looks at.
  std::vector<int> keys(int count) const {
    if (picture_.order == PartOrder::Largest)
      return orderedParts(picture_.sources, output::fromKey, count, true, mostPartsShown);
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
      return "all that " + head + " takes of what " + writer(w) + " wrote";
    };
    parts.restName = "changed", parts.sayRest = "what interventions add to what the head computed";
    parts.saySum = "what " + head_ + " adds to " + logit() + ", put together again";
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
  int entry_;
  std::string head_;
};

}  // namespace

Scene outputTableScene(const WhyPicture& picture) {
  const std::string reason =
      whyNoOutputTable(picture.input.model(), picture.head, picture.input.countOf(picture.lookedAt));
  if (!reason.empty()) return picture.sentence("What this head writes is not taken apart", reason);
  // Where another attention has just been chosen, the table may still be that of the one before.
  const TracePoint* table = picture.sources.point(output::table);
  if (!table || table->keys != picture.lookedAt)
    return picture.sentence("Taking the head's output apart", waitingWords(picture.input));
  const OutputParts parts(picture);
  return partsTableScene(picture.input, parts.table());
}

}  // namespace glassformer
