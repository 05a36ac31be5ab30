#include "app/views/attention/score_table.h"

#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/view_commands.h"
#include "app/scene/format.h"
#include "app/views/attention/parts_table.h"
#include "core/lens/qk_decomposition.h"

namespace glassformer {

namespace {

// What interventions do to the score, by the sides on which they do it, as far as it is more than rounding.
std::vector<PartsTable::Beside> putInByHand(const WhyPicture& picture, float score) {
  const auto isMoreThan = [&](const char* tensor, double least) {
    return std::abs(valueOf(picture.sources, {tensor, {0}}).value_or(0)) > least;
  };
  std::vector<PartsTable::Beside> lines;
  for (const PartsTable::Beside& side :
       {PartsTable::Beside{score::byHandQuery, "by hand, query",
                           "change of the query by interventions, times the unchanged key"},
        {score::byHandKey, "by hand, key", "change of the key by interventions, times the unchanged query"},
        {score::byHandBoth, "by hand, both",
         "change of the query times change of the key, both by interventions"}})
    if (isMoreThan(side.tensor, score::leastByHand(score))) lines.push_back(side);
  if (lines.empty() && isMoreThan(score::byHand, 0))
    lines.push_back(
        {score::byHand, "put in by hand", "interventions on stream, query or key, which no component wrote"});
  return lines;
}

PartsTable scoreParts(const WhyPicture& picture, int mostRows) {
  const SceneInput& input = picture.input;
  const HeadId head = picture.head;
  const TensorView pattern =
      (*picture.sources.find(attentionPoint(head.layer, head.site, "hook_pattern")))[head.head];
  const int key = keyAskedAbout(input.workspace, head.site, pattern, picture.query);
  const bool byBlock = picture.order == PartOrder::Blocks;
  PartsTable parts;
  parts.table = byBlock ? score::blockTable : score::table;
  parts.fromRow = byBlock ? score::fromQueryBlock : score::fromQuery;
  parts.fromColumn = byBlock ? score::fromKeyBlock : score::fromKey;
  const TensorView cells = *picture.sources.find(parts.table);
  const float sum = *valueOf(picture.sources, {score::sum, {0}});
  const auto asks = picture.writerNames(picture.asking), answers = picture.writerNames(picture.lookedAt);
  parts.mostRows = mostRows;
  parts.rows = picture.ordered(parts.fromRow, cells.extent[0], mostRows);
  parts.columns = picture.ordered(parts.fromColumn, cells.extent[1]);
  parts.otherRows = picture.others(parts.rows.size(), cells.extent[0]);
  parts.otherColumns = picture.others(parts.columns.size(), cells.extent[1]);
  parts.showAll = commands::choose(partOrderChoice, choiceOf(PartOrder::Written));
  parts.inOrder = picture.order != PartOrder::Largest;
  const std::string who =
      picture.head.site == AttentionSite::Cross
          ? "query component of the decoder (rows) × key component of the encoder (columns)"
          : "query component (rows) × key component (columns)";
  parts.header = picture.header(
      "QK score: “" + input.label(picture.query, picture.asking) + "” attends to “" +
          input.label(key, picture.lookedAt) + "” · " + nameOf(head),
      "s = " + formatted(sum) + ": " + who + picture.leftOut(parts.rows.size(), cells.extent[0], "shown"));
  parts.hitName = "score table";
  parts.dimensions = score::dimensions, parts.sum = score::sum;
  parts.common.query = picture.query, parts.common.key = key;
  parts.common.queries = picture.asking, parts.common.keys = picture.lookedAt;
  parts.common.layer = head.layer, parts.common.head = head.head;
  const auto isThere = [&](const char* tensor) {
    return valueOf(picture.sources, {tensor, {0}}).value_or(0) != 0;
  };
  if (isThere(score::positions))
    parts.beside.push_back({score::positions, "positions", "Contribution of positions"});
  for (PartsTable::Beside& byHand : putInByHand(picture, sum)) parts.beside.push_back(std::move(byHand));
  if (picture.sources.contains(score::capped))
    parts.beside.push_back({score::capped, "capped to", "Score after the soft cap"});
  parts.rowName = asks, parts.columnName = answers;
  parts.isPointedRow = [](int) { return false; };
  parts.sayCell = [=](int i, int j) { return asks(i) + " in the query, " + answers(j) + " in the key"; };
  parts.sayRow = [=](int writer) { return asks(writer) + " on the query's side"; };
  parts.sayColumn = [=](int writer) { return answers(writer) + " on the key's side"; };
  parts.sayOtherRows = parts.otherRows + " on the query's side, added up";
  parts.sayOtherColumns = parts.otherColumns + " on the key's side, added up";
  parts.clickRow = [&](int writer) { return picture.toWriter(writer, picture.asking); };
  parts.clickColumn = [&](int writer) { return picture.toWriter(writer, picture.lookedAt); };
  parts.saySum = picture.sources.contains(score::capped) ? "Score before the soft cap: sum of all cells"
                                                         : "Score: sum of all cells";
  parts.byDimension = "The same score by dimension: " + picture.sources.point(score::dimensions)->equation;
  return parts;
}

}  // namespace

Scene scoreTableScene(const WhyPicture& picture) {
  if (const std::string reason = whyNoScoreTable(picture.input.config(), picture.head.site); !reason.empty())
    return picture.sentence("This score has no decomposition", reason);
  // Where another attention has just been chosen, the table may still be that of the one before.
  const TracePoint* table = picture.sources.point(score::table);
  if (!table || table->rows != picture.asking || table->keys != picture.lookedAt)
    return picture.sentence("Decomposing the score", waitingWords(picture.input));
  return partsTableScene(picture.input, [&](int mostRows) { return scoreParts(picture, mostRows); });
}

}  // namespace glassformer
