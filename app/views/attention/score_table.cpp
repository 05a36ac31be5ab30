#include "app/views/attention/score_table.h"

#include "app/document/attention_planes.h"
#include "app/scene/format.h"
#include "app/views/attention/parts_table.h"
#include "core/lens/head_reading.h"
#include "core/lens/score_parts.h"

namespace glassformer {

namespace {

PartsTable scoreParts(const WhyPicture& picture) {
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
  const int count = picture.sources.find(parts.table)->extent[0];
  const auto ordered = [&](const char* sums) {
    return orderedParts(picture.sources, sums, count, picture.order == PartOrder::Largest, mostPartsShown);
  };
  const float sum = *valueOf(picture.sources, {score::sum, {0}});
  const auto name = [model = input.snapshot.model->transformer, byBlock](int writer) {
    return byBlock ? writerGroupName(*model, writer) : writerName(*model, writer);
  };
  parts.rows = ordered(parts.fromRow), parts.columns = ordered(parts.fromColumn);
  parts.inOrder = picture.order != PartOrder::Largest;
  parts.header = picture.header(
      "Why “" + input.label(picture.query) + "” looks at “" + input.label(key) + "” · " + nameOf(head),
      "s = " + formatted(sum) + ": who wrote the query (down) times who wrote the key" +
          picture.leftOut(parts.rows.size(), count, "shown"));
  parts.hitName = "score table";
  parts.dimensions = score::dimensions, parts.rest = score::positions, parts.sum = score::sum;
  parts.common.query = picture.query, parts.common.key = key;
  parts.common.layer = head.layer, parts.common.head = head.head;
  parts.hasRest = valueOf(picture.sources, {score::positions, {0}}).value_or(0) != 0;
  parts.rowName = parts.columnName = name;
  parts.isPointedRow = [](int) { return false; };
  parts.sayCell = [name](int asks, int answers) {
    return name(asks) + " asks, " + name(answers) + " answers";
  };
  parts.sayRow = [name](int writer) { return name(writer) + " on the query's side"; };
  parts.sayColumn = [name](int writer) { return name(writer) + " on the key's side"; };
  parts.clickRow = parts.clickColumn = [&](int writer) { return picture.toWriter(writer); };
  parts.restName = "positions", parts.sayRest = "what positions add";
  parts.saySum = "the score, put together again";
  parts.byDimension = "The same score by dimension: " + picture.sources.point(score::dimensions)->equation;
  return parts;
}

}  // namespace

Scene scoreTableScene(const WhyPicture& picture) {
  if (const std::string reason = whyNoScoreTable(picture.input.config(), picture.head.site); !reason.empty())
    return picture.sentence("This score is not taken apart", reason);
  if (!picture.sources.contains(score::table))
    return picture.sentence("Taking the score apart", waitingWords(picture.input));
  return partsTableScene(picture.input, scoreParts(picture));
}

}  // namespace glassformer
