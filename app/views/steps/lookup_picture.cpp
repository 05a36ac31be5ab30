#include <algorithm>

#include "app/document/attention_planes.h"
#include "app/document/lookup_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "app/views/steps/step_picture.h"
#include "core/lens/attention_stages.h"
#include "core/lens/lookup.h"

namespace glassformer {

namespace {

// A head as a table: a key and a value for every token, and how much of each value one query takes.
class LookupTable {
 public:
  explicit LookupTable(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        head_(selectedHead(input.workspace, input.config())),
        asking_(queriesOf(head_.site)),
        lookedAt_(keysOf(head_.site)),
        mode_(chosenLookup(input.workspace.settings)) {
    scene_.size = input.size;
    scene_.sources = input.sources();
    query_ = std::clamp(input.query(asking_), 0, std::max(input.countOf(asking_) - 1, 0));
    keys_ = input.countOf(lookedAt_);
  }

  Scene drawn() {
    const float margin = marginOf(input_, scene_.size.x);
    const float rows = static_cast<float>(keys_) + 2.4f;  // query and read out are a little higher
    scene_.size.y = std::max(scene_.size.y, 2 * margin + mostHeader(input_) + wordsHeight + leastRow * rows);
    Box area = contentOf(input_, scene_.size);
    addTitle(area);
    const float height = std::clamp((area.height - wordsHeight) / rows, leastRow, 40.0f);
    place(area);
    addQuery(area.takeTop(height * 1.2f));
    const Box words = area.takeTop(wordsHeight);
    addWords(words);
    const Box table{area.x, area.y, area.width, height * static_cast<float>(keys_)};
    addRows(table);
    addReadOut({area.x, table.bottom() + 6, area.width, height * 1.2f - 6});
    return std::move(scene_);
  }

 private:
  static constexpr float wordsHeight = 24, leastRow = 14;

  struct Column {
    float x = 0, width = 0;
  };
  Box in(const Column& column, const Box& row) const { return {column.x, row.y, column.width, row.height}; }

  void addTitle(Box& area) {
    ViewHeader header;
    header.title = "Soft lookup of “" + input_.label(query_, asking_) + "” in " + nameOf(head_);
    header.about = "every key compared with the query";
    const int count = input_.countOf(asking_);
    const auto mode = [&](const char* label, const char* tip, const char* value, bool on) {
      return Choice{label, tip, on, commands::choose(lookupTemperatureChoice, value)};
    };
    const float tau = mode_.value_or(0);
    header.choices = {{mode("Exact", "Exact match: only a key equal to the query counts, as in a dictionary",
                            exactLookup, !mode_),
                       mode("Argmax", "Hard attention: only the best key counts", "0", mode_ && tau == 0),
                       mode("Softmax", "Soft match: every value counts by its weight", "", tau == 1)},
                      {{"Token before", "Lookup of the previous token", false,
                        commands::selectQuery((query_ + count - 1) % count, asking_)},
                       {"Token after", "Lookup of the next token", false,
                        commands::selectQuery((query_ + 1) % count, asking_)}}};
    addViewHeader(scene_, input_, area, header);
  }

  void place(const Box& area) {
    float x = area.x;
    const auto take = [&](float width) {
      const Column column{x, width - 12};
      x += width;
      return column;
    };
    const float strips = (area.width - 88 - 60 - 92 - 116 - 44) / 2;
    labels_ = take(88), key_ = take(strips), length_ = take(60), score_ = take(92), soft_ = take(116),
    hard_ = take(44), value_ = take(strips);
  }

  std::string point(const char* name) const { return attentionPoint(head_.layer, head_.site, name); }
  TensorRef rowOf(const std::string& table, int row) const {
    const auto tensor = scene_.sources.find(table);
    const int own = tensor ? head_.head * tensor->extent[1] / input_.config().heads : 0;
    TensorRef ref{table, {row, own, 0}, 0, 2};
    ref.rowCount = 1;
    return ref;
  }
  std::string compared(const char* which) const {
    return comparedPoint(scene_.sources, head_.layer, head_.site, which);
  }

  void addMatrix(TensorRef values, const Box& box, const TensorRef& scaledAs, const char* name) {
    Matrix matrix;
    matrix.values = values, matrix.box = box;
    const Coloring colors = stepColoring(input_, {scaledAs});
    matrix.map = colors.map, matrix.range = colors.range;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, Theme::small);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    HitRegion& hit = addHitRegion(scene_, box, values, name);
    const TensorView cells = *plane(scene_.sources, values);
    hit.rows = cells.extent[0], hit.columns = cells.extent[1];
    hit.columnAxis = Axis::Dimension;
  }
  TensorRef whole(TensorRef row) const {
    row.index[0] = 0, row.rowCount = -1;
    return row;
  }

  void addQuery(Box row) {
    row.height -= 6;
    const TensorRef q = rowOf(compared("q"), query_);
    if (!plane(scene_.sources, q)) return;
    addText(scene_, {labels_.x + labels_.width, row.center().y}, "query", theme_.strong(), Align::End);
    addMatrix(q, in(key_, row), whole(q), "query");
  }

  void addWords(const Box& row) {
    const TextStyle quiet = theme_.note();
    const auto word = [&](const Column& column, const char* text) {
      addText(scene_, {column.x, row.center().y}, text, quiet).maxWidth = column.width + 8;
    };
    word(key_, "key"), word(length_, "‖k‖"), word(score_, "score"), word(soft_, sharesWords().c_str());
    word(hard_, "hard"), word(value_, "value");
  }

  std::string sharesWords() const {
    if (isExact()) return "key = query";
    const float tau = mode_.value_or(0);
    return tau == 0 ? "softmax, τ → 0" : tau == 1 ? "softmax(s)" : "softmax(s / " + formatted(tau) + ")";
  }
  // Where queries and keys are compared at all.
  bool isExact() const { return !mode_ && scene_.sources.contains(stageTensor(lookup::exact, head_)); }
  bool isFound() const {
    const TensorRef row{stageTensor(lookup::exact, head_), {query_, 0}, -1, 1};
    return rangeOf(scene_.sources, row).high > 0;
  }

  void addRows(const Box& rows) {
    const TensorRef k = whole(rowOf(compared("k"), 0)), v = whole(rowOf(point("hook_v"), 0));
    if (plane(scene_.sources, k)) addMatrix(k, in(key_, rows), k, "keys");
    addMatrix(v, in(value_, rows), v, "values");
    const auto label = [&](int i) { return input_.label(i, lookedAt_); };
    const auto touched = [&](int i) { return input_.hover.touches(i, lookedAt_); };
    addLabels(scene_, input_,
              {{labels_.x + labels_.width + 8, rows.y, 1, rows.height},
               Side::Left,
               keys_,
               labels_.width,
               label,
               touched});
    const TensorRef scores{point("hook_attn_scores"), {head_.head, query_, 0}, -1, 2};
    const Range range = rangeOf(scene_.sources, scores);
    for (int key = 0; key < keys_; ++key) {
      const Box row = rows.cell(key, 0, keys_, 1);
      addNumber({stageTensor(lookup::length, head_), {key, 0}}, in(length_, row), {}, theme_.text);
      addNumber(scores.cell(0, key), in(score_, row), {std::min(range.low, 0.0f), std::max(range.high, 0.0f)},
                theme_.feedForward);
      addNumber({stageTensor(lookup::share, head_), {query_, key}}, in(soft_, row), {0, 1}, theme_.attention);
      addNumber({stageTensor(lookup::hard, head_), {query_, key}}, in(hard_, row), {0, 1}, theme_.text);
    }
  }

  void addNumber(const TensorRef& cell, const Box& box, Range range, Rgba color) {
    const auto value = valueOf(scene_.sources, cell);
    if (!value) return;
    if (box.height >= 12) {
      const bool isWhole = *value == 0 || *value == 1;
      addText(scene_, {box.x, box.center().y}, isWhole ? formattedFixed(*value, 0) : formattedCell(*value),
              theme_.mono())
          .value = cell;
    }
    const float words = 48;
    if (std::isfinite(*value) && box.width > words + 16)
      scene_.add(Bar{
          {box.x + words, box.y + box.height / 4, box.width - words, box.height / 2}, cell, range, color});
    HitRegion& hit = addHitRegion(scene_, box, cell, "number of the lookup");
    hit.target.query = query_, hit.target.queries = asking_, hit.tabStop = false;
  }

  // What the lengths of keys say about the best one; and in an exact lookup, whether there is a key at all.
  std::string remark(float width) const {
    const auto lengths = scene_.sources.find(stageTensor(lookup::length, head_));
    const auto scores = plane(scene_.sources, {point("hook_attn_scores"), {head_.head, query_, 0}, -1, 2});
    if (!lengths || !scores) return "";
    if (isExact()) return isFound() ? "a key is the query" : "no key equals the query: no match";
    return wordingFor(
        width, input_, theme_.note(),
        areAsLong(*lengths, (*scores)[0])
            ? std::vector<std::string>{"keys equally long: the largest q · k is the nearest key",
                                       "the largest q · k is the nearest key"}
            : std::vector<std::string>{"keys of different lengths: the largest q · k need not be the nearest",
                                       "the largest q · k need not be the nearest key"});
  }

  void addReadOut(Box row) {
    const float room = value_.x - labels_.x - 88;
    addText(scene_, {labels_.x, row.center().y}, remark(room), theme_.note()).maxWidth = room;
    const TensorRef all{stageTensor(lookup::value, head_), {0, 0}, 0, 1};
    TensorRef z = all;
    z.index[0] = query_, z.rowCount = 1;
    if (!plane(scene_.sources, z)) return;
    addText(scene_, {value_.x - 12, row.center().y}, "output", theme_.strong(), Align::End);
    if (isExact() && !isFound())
      return void(addText(scene_, {value_.x, row.center().y}, "nothing", theme_.note()));
    addMatrix(z, in(value_, row), whole(rowOf(point("hook_v"), 0)), "output");
  }

  const SceneInput& input_;
  const Theme& theme_;
  Scene scene_;
  HeadId head_;
  Stream asking_, lookedAt_;
  std::optional<float> mode_;  // the temperature; nothing: an exact lookup
  int query_ = 0, keys_ = 0;
  Column labels_, key_, length_, score_, soft_, hard_, value_;
};

}  // namespace

Scene lookupScene(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config)
    return emptyScene(input, "No text yet", input.snapshot.standing.error);
  const ModelConfig& config = input.config();
  if (!config.hasAttention()) return emptyScene(input, "No lookup", "this model has no attention");
  if (!hasSoftmax(config)) return emptyScene(input, "No soft lookup", "this attention has no softmax");
  if (!input.sources().contains(stageTensor(lookup::share, selectedHead(input.workspace, input.config()))))
    return emptyScene(input, "Computing the lookup", waitingWords(input));
  return LookupTable(input).drawn();
}

}  // namespace glassformer
