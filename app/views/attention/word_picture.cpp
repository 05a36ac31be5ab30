#include "app/views/attention/word_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/document/word_settings.h"
#include "app/drawing/wording.h"
#include "app/engine/measurements.h"
#include "app/views/attention/head_grid.h"
#include "app/views/attention/word_cells.h"
#include "core/lens/attention_stages.h"
#include "core/lens/one_query.h"

namespace glassformer {

namespace {

// Keys that are shown whatever they weigh: the query's own token, and the selected one.
std::vector<int> keysAlwaysShown(const Workspace& workspace, HeadId head, int query) {
  std::vector<int> keys{workspace.selection.keyAt(head.site)};
  if (queriesOf(head.site) == keysOf(head.site)) keys.insert(keys.begin(), query);
  return keys;
}

void measureWord(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (!pass.config().hasAttention()) return;
  const HeadId head = selectedHead(pass.workspace, pass.config());
  const int query = askedPosition(pass, queriesOf(head.site));
  measurePlanes({headScores(pass.workspace, pass.config())}, pass, begin, set);
  measureAttentionStages(pass.model, pass.trace, head, set);
  measureOneQuery(pass.model, pass.trace, head, query, keysAlwaysShown(pass.workspace, head, query), set);
  const std::string block = blockPoint(pass.config(), head.layer, "", queriesOf(head.site));
  for (int i = 0; i < pass.trace.count(); ++i)  // what the picture reads of them is there then
    if (pass.trace.point(i).name.starts_with(block)) (void)pass.trace.tensor(i);
}

class WordPicture {
 public:
  explicit WordPicture(AttentionPicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        theme_(picture.theme),
        table_(picture, measuredQuery()),
        marked_(chosenWordRow(picture.input.workspace.settings, static_cast<int>(table_.rows.size()))) {}

  void draw(Box area) {
    addTitle(area);
    addHeads(area);
    table_.labels = area.takeLeft(table_.labelsWidth());
    table_.columns = WordColumns(order(), area, leastColumn());
    place(area);
    addWords();
    for (std::size_t i = 0; i < shownRows(); ++i) addMark(i), addLabel(i), addWordCells(table_, i);
    addWordLights(table_, shownRows());
    letStep();
  }

 private:
  static constexpr float leastUnit = 17, mostUnit = 40, wordsUnits = 1.4f, vectorUnits = 1.5f;

  std::size_t shownRows() const {
    return marked_ ? static_cast<std::size_t>(*marked_) + 1 : table_.rows.size();
  }
  // As wide as tokens need, within limits.
  float leastColumn() const {
    const float label = picture_.input.widestLabel(picture_.lookedAt, picture_.labelSize) + 4;
    return std::clamp(label, 48.0f, picture_.labelSize > Theme::small ? 72.0f : 58.0f);
  }
  int lastRow() const { return static_cast<int>(table_.rows.size()) - 1; }

  // Just after another query was chosen, the one before is still the one that is measured.
  int measuredQuery() const {
    const auto query = valueOf(scene_.sources, {stageTensor(oneQuery::query, picture_.selected), {0}});
    const bool isThere = query && *query < static_cast<float>(picture_.queries);
    return isThere ? static_cast<int>(*query) : picture_.query();
  }
  std::vector<int> order() const {
    const auto measured = scene_.sources.find(stageTensor(oneQuery::order, picture_.selected));
    if (measured && measured->extent[0] == picture_.keys) {
      const std::vector<float> places = measured->copy();
      return {places.begin(), places.end()};
    }
    const std::vector<float> equal(static_cast<std::size_t>(picture_.keys));
    return keysInOrder(TensorView(equal.data(), {picture_.keys}),
                       keysAlwaysShown(picture_.input.workspace, picture_.selected, table_.query));
  }

  void addTitle(Box& area) {
    const auto show = [](int row) { return commands::choose(wordRowChoice, std::to_string(row)); };
    std::vector<std::vector<Choice>> choices{
        {{"All rows", "All operations at once", !marked_, commands::choose(wordRowChoice, "")},
         {"Step by step", "One row at a time, also with the arrow keys", marked_.has_value(),
          show(marked_.value_or(0))}}};
    if (marked_)
      choices.push_back({{"Previous row", "Hide the last row", false, show(std::max(*marked_ - 1, 0))},
                         {"Next row", "Show one more row", false, show(std::min(*marked_ + 1, lastRow()))}});
    if (picture_.isAcross()) choices.push_back(neighbours());
    addHeader(picture_, area, equation(),
              "Attention of " + picture_.quotedQuery(table_.query) + " · " + nameOf(picture_.selected),
              choices);
    area.takeTop(4);
  }
  // "A = softmax(q · kᵀ / √K + M)": the weights' own equation, with that of the scores in it.
  std::string equation() const {
    const auto of = [&](const std::string& name) {
      const TracePoint* point = scene_.sources.point(name);
      return point ? point->equation : "";
    };
    std::string words = of(attentionPoint(picture_.selected.layer, picture_.site, "hook_pattern"));
    const std::string scores = of(stageTensor(stages::scores, picture_.selected));
    const std::size_t at = words.find("softmax(s)");
    if (at == std::string::npos || !scores.starts_with("s = ")) return words;
    const bool isMasked = isMaskedBefore(picture_.config, picture_.site);
    return words.replace(at + 8, 1, scores.substr(4) + (isMasked ? " + M" : ""));
  }
  // Where keys are other tokens than queries, the words of the columns choose no query.
  std::vector<Choice> neighbours() const {
    const auto beside = [&](int by) {
      return commands::selectQuery((table_.query + by + picture_.queries) % picture_.queries,
                                   picture_.asking);
    };
    return {{"Token before", "Attention of the token before", false, beside(-1)},
            {"Token after", "Attention of the next token", false, beside(1)}};
  }

  void addHeads(Box& area) {
    constexpr float leastWidth = 1000;
    if (area.width < leastWidth) return;
    Box column = takeColumn(picture_, area);
    addHeadGrid(picture_, column, HeadUse::Fold);
    area.takeRight(24);
  }

  // The rows below each other, as high as there is room for.
  void place(Box area) {
    float units = wordsUnits;
    for (const WordRow& row : table_.rows) units += unitsOf(row);
    const float unit = std::clamp(area.height / units, leastUnit, mostUnit);
    scene_.size.y = std::max(scene_.size.y, area.y + unit * units + 8);
    area.height = unit * units;
    words_ = area.takeTop(unit * wordsUnits);
    for (const WordRow& row : table_.rows) table_.boxes.push_back(area.takeTop(unit * unitsOf(row)));
  }
  static float unitsOf(const WordRow& row) { return row.isVector() ? vectorUnits : 1; }

  void addWords() {
    const WordColumns& columns = table_.columns;
    for (int column = 0; column < columns.shown(); ++column)
      addWord(columns.key(column), columns.cell(column, words_));
    if (columns.others == 0) return;
    const std::string count = std::to_string(columns.others);
    HitRegion hit;
    hit.box = columns.cell(columns.shown(), words_), hit.name = "other keys";
    hit.target.text = "The " + count + " keys with the smallest weights, together";
    addText(scene_, hit.box.center(), count + " others", theme_.note(), Align::Middle).maxWidth =
        hit.box.width - 4;
    scene_.hits.push_back(std::move(hit));
  }

  void addWord(int key, const Box& box) {
    const bool isOwn = !picture_.isAcross() && key == table_.query,
               isTouched = picture_.input.hover.touches(key, picture_.lookedAt);
    addText(scene_, box.center(), picture_.keyLabel(key),
            {FontFace::Mono, picture_.labelSize, isOwn || isTouched ? theme_.text : theme_.quiet},
            Align::Middle)
        .maxWidth = box.width - 2;
    if (isOwn) addOutline(scene_, box.inset(2, 1), theme_.accent, 2);
    HitRegion& hit = addHitRegion(scene_, box, {}, "word " + std::to_string(key));
    hit.target = picture_.target();
    hit.target.token = key, hit.target.tokens = picture_.lookedAt;
    hit.target.text = (picture_.isAcross() ? "" : "Attention of ") + picture_.quotedKey(key);
    hit.click = [query = table_.query, site = picture_.site,
                 isAcross = picture_.isAcross()](const Target& target) {
      return isAcross ? commands::selectCell(query, target.token, site)
                      : commands::selectQuery(target.token, target.tokens);
    };
  }

  // Behind the last row, where rows are shown one after the other.
  void addMark(std::size_t i) {
    if (!marked_ || i + 1 < shownRows()) return;
    const Box& row = table_.boxes[i];
    const Box box{table_.labels.x, row.y, table_.columns.all(row).right() - table_.labels.x, row.height};
    scene_.add(Rect{box, theme_.accent.faded(0.14f), {0, 0, 0, 0}, 4});
    scene_.add(Rect{{box.x - 6, box.y, 3, box.height}, theme_.accent, {0, 0, 0, 0}, 1});
  }

  void addLabel(std::size_t i) {
    const WordRow& row = table_.rows[i];
    addText(scene_, {table_.labels.x, table_.boxes[i].center().y}, row.label, table_.labelStyle(row));
    const std::string beside = table_.besideOf(row);
    if (beside.empty()) return;
    const Box box = table_.besideBox(i);
    addText(scene_, {box.x, box.center().y}, beside, table_.besideStyle()).value = row.number;
    if (row.number.empty()) return;
    HitRegion hit = wordHit(table_, box, row.name + " sum");
    hit.target.cell = row.number, hit.target.query = table_.query;
    scene_.hits.push_back(std::move(hit));
  }

  // Wherever the pointer is on the picture, the arrow keys go from row to row.
  void letStep() {
    if (!marked_) return;
    HitRegion all;
    all.box = {0, 0, scene_.size.x, scene_.size.y};
    scene_.hits.insert(scene_.hits.begin(), std::move(all));
    for (HitRegion& hit : scene_.hits)
      hit.arrows = [now = *marked_, last = lastRow()](int right, int down) {
        return commands::choose(wordRowChoice, std::to_string(std::clamp(now + right + down, 0, last)));
      };
  }

  AttentionPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  WordTable table_;
  std::optional<int> marked_;  // the last row that is shown; nothing: all are, and none is marked
  Box words_;
};

}  // namespace

namespace needs {
const Need rowsOfWord{.name = "rows of one word", .onPass = measureWord};
}

void drawWordPicture(AttentionPicture& picture, Box area) {
  waitForNothing(picture);
  WordPicture(picture).draw(area);
}

}  // namespace glassformer
