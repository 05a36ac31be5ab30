#include "app/views/cost/one_by_one_scene.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "app/drawing/view_header.h"
#include "app/engine/continued_text.h"
#include "app/scene/format.h"
#include "core/lens/across_changes.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

namespace rowwise {
constexpr const char *difference =
                         "steps.difference",  ///< [Y, Z]: a row for each point of a block, NaN: none
    *size = "steps.size",                     ///< [Y, Z]: max |x|, what it is to be compared with
        *reused = "steps.reused",             ///< [T]: rows that each step found computed
            *largest = "steps.largest";       ///< [1]
}  // namespace rowwise

// The text's points as a table: a row for each that a block has, a column for each block, one before them and
// one behind.
struct PointTable {
  struct Place {
    int point, row, column;
  };
  std::vector<std::string> rows;  // "attn.hook_q"
  int columns = 2;
  std::vector<Place> places;

  PointTable(const TensorSet& trace, const ModelConfig& config) : columns(config.layers + 2) {
    bool isBehind = false;
    for (int i = 0; i < trace.count(); ++i) {
      const PointPlace place = placeOfPoint(trace.point(i).name);
      if (place.inEncoder()) continue;
      isBehind = isBehind || place.inBlock();
      places.push_back({i, rowOf(place.part),
                        place.inBlock() ? place.layer + 1
                        : isBehind      ? columns - 1
                                        : 0});
    }
  }

 private:
  int rowOf(const std::string& part) {
    const auto found = std::ranges::find(rows, part);
    if (found != rows.end()) return static_cast<int>(found - rows.begin());
    rows.push_back(part);
    return static_cast<int>(rows.size()) - 1;
  }
};

// max |a − b|; of what is the same infinity in both, nothing.
float largestDifference(const TensorView& a, const TensorView& b) {
  float most = 0;
  a.forEach([&](const std::array<int, maxRank>& at, float x) {
    const float y = b.at(at);
    if (x != y) most = std::max(most, std::abs(x - y));
  });
  return most;
}

// A pass over one token after the other, with all before them kept; what `goesOn` is told of each is how many
// rows it found computed.
std::shared_ptr<const Trace> oneByOne(LivePass& pass, const std::vector<int>& tokens,
                                      const Interventions& interventions, const std::vector<int>& source,
                                      const std::function<bool(int t, int reused)>& goesOn) {
  std::shared_ptr<const Trace> trace;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    trace = nullptr;  // what it was computed in goes on
    trace = pass.run(std::span(tokens).first(t + 1), interventions, source);
    if (!goesOn(static_cast<int>(t), pass.rowsReused())) break;
  }
  return trace;
}

// What runs the text again, either way.
struct BothWays {
  std::shared_ptr<const Transformer> model;
  Interventions interventions;
  std::shared_ptr<const Trace> text;

  ReplayedPass byStep() const {
    LivePass pass(model);
    return {"one token after the other",
            oneByOne(pass, text->tokens(), interventions, text->source(), [](int, int) { return true; }),
            nullptr};
  }
  ReplayedPass atOnce() const { return passAgain("all at once", model, *text, interventions); }
};

// x by steps − x at once, where both are furthest apart, the larger one first.
MultiPassDerivation differenceAcross(const BothWays& ways, const std::string& point) {
  ReplayedPass byStep = ways.byStep(), atOnce = ways.atOnce();
  const TensorView a = (*byStep.trace)[point], b = (*atOnce.trace)[point];
  Cell one = &a.at({}), other = &b.at({});
  b.forEach([&](const std::array<int, maxRank>& at, float y) {
    const float x = a.at(at);
    if (x != y && std::abs(x - y) > std::abs(*one - *other)) one = &a.at(at), other = &b.at(at);
  });
  return {*one < *other ? derivedDifference(other, one) : derivedDifference(one, other),
          {std::move(byStep), std::move(atOnce)}};
}

// The largest |x| at once.
MultiPassDerivation sizeAcross(const BothWays& ways, const std::string& point) {
  ReplayedPass atOnce = ways.atOnce();
  const TensorView values = (*atOnce.trace)[point];
  Cell largest = nullptr;
  values.forEach([&](const std::array<int, maxRank>& at, float x) {
    if (std::isfinite(x) && (!largest || std::abs(x) > std::abs(*largest))) largest = &values.at(at);
  });
  return {{.terms = {{largest, nullptr, largest && *largest < 0 ? -1.0f : 1.0f}}}, {std::move(atOnce)}};
}

Derivation largestKnown(const TensorView& differences) {
  Cell largest = nullptr;
  differences.forEach([&](const std::array<int, maxRank>& at, float x) {
    if (!std::isnan(x) && (!largest || x > *largest)) largest = &differences.at(at);
  });
  return {.terms = {{largest}}};
}

float largestFinite(const TensorView& values) {
  float most = 0;
  values.forEach([&](const auto&, float x) {
    if (std::isfinite(x)) most = std::max(most, std::abs(x));
  });
  return most;
}

class StepsMeasurement : public ContinuedText {
 public:
  static bool isPossible(const ModelConfig& config, const Trace&) { return config.causal(); }
  using ContinuedText::read;
  static Decoding read(Decoding /*any*/) { return {}; }

  StepsMeasurement(const ContinuationKey& key, const JobSide& side, int threads)
      : ContinuedText(key, side, threads), threads_(threads) {}

  JobResult result() const { return {measured_}; }

  bool goOn(const StartJob& begin, const std::function<void()>& more) {
    if (measured_) return true;
    const ProgressCallback watch = begin("computing one token after the other");
    const std::vector<int> tokens = trace_->tokens();
    const int count = static_cast<int>(tokens.size());
    LivePass stepwise(model_, threads_), whole(model_, threads_);
    Tensor reused({count});
    bool isStopped = false;
    const auto byStep = oneByOne(stepwise, tokens, interventions_, trace_->source(), [&](int t, int rows) {
      reused(t) = static_cast<float>(rows);
      isStopped = !watch(t, count);
      return !isStopped;
    });
    if (isStopped) return false;
    measured_ = compared(*byStep, *whole.run(tokens, interventions_, trace_->source()), std::move(reused));
    more();
    return true;
  }

 private:
  std::shared_ptr<const TensorSet> compared(const Trace& byStep, const Trace& atOnce, Tensor reused) const {
    const PointTable table(atOnce, config());
    const int rows = static_cast<int>(table.rows.size());
    const std::vector<float> none(static_cast<std::size_t>(rows * table.columns), NAN);
    Tensor difference({rows, table.columns}, none), size({rows, table.columns}, none);
    float largest = 0;
    for (const auto& [point, row, column] : table.places) {
      const TensorView values = atOnce.tensor(point);
      const float apart = largestDifference(values, byStep[atOnce.point(point).name]);
      difference(row, column) = apart, size(row, column) = largestFinite(values);
      largest = std::max(largest, apart);
    }
    auto set = std::make_shared<TensorSet>();
    std::map<std::pair<int, int>, std::string> names;  // the point of each cell
    for (const auto& [point, row, column] : table.places)
      names[std::pair{row, column}] = atOnce.point(point).name;
    const auto opened = [&](MultiPassDerivation (*across)(const BothWays&, const std::string&)) {
      return [=, ways = BothWays{model_, interventions_, trace_}](const auto& at) -> OpenPasses {
        const auto found = names.find({at[0], at[1]});
        if (found == names.end()) return nullptr;
        return [=, name = found->second] { return across(ways, name); };
      };
    };
    set->addAcross(
        {rowwise::difference, "YZ", "one token at a time against all at once: the largest difference",
         "max |x by steps − x at once|"},
        std::move(difference), opened(differenceAcross));
    set->addAcross({rowwise::size, "YZ", "the largest number there", "max |x|"}, std::move(size),
                   opened(sizeAcross));
    set->add({rowwise::reused, "T", "rows that the step found computed", ""}, std::move(reused));
    set->add({rowwise::largest, "1", "the largest of all differences", ""}, Tensor({1}, {largest}),
             [differences = (*set)[rowwise::difference]](const auto&) { return largestKnown(differences); });
    return set;
  }

  int threads_;
  std::shared_ptr<const TensorSet> measured_;
};

class StepsPicture {
 public:
  explicit StepsPicture(const SceneInput& input)
      : input_(input), theme_(input.theme), table_(*input.snapshot.pass->trace, input.config()) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
    rows_ = static_cast<int>(table_.rows.size());
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    addViewHeader(scene_, input_, area,
                  {"Cache check: cached decoding against one pass",
                   "Under a causal mask no row depends on later tokens",

                   {}});
    addWords(area.takeTop(52));
    area.takeTop(26);
    area.takeRight(72);
    names_ = std::min(240.0f, area.width * 0.36f);
    area.takeLeft(names_);
    // A model with many points scrolls: its digits are to be read.
    const auto rows = static_cast<float>(rows_);
    const float margin = scene_.size.y - area.bottom();
    area.height = std::clamp(area.height, leastRow * rows, 30.0f * rows);
    scene_.size.y = std::max(scene_.size.y, area.bottom() + margin);
    addTable(area);
    return std::move(scene_);
  }

 private:
  static constexpr float leastRow = 17;

  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }

  void addWords(const Box& box) {
    const int count = scene_.sources.find(rowwise::reused)->extent[0];
    int computed = 0;
    for (int t = 0; t < count; ++t) computed += t + 1 - static_cast<int>(value({rowwise::reused, {t}}));
    const std::string words = std::to_string(count) + (count == 1 ? " step, " : " steps, ") +
                              std::to_string(computed) +
                              " rows computed in all, the others read again; one pass computes " +
                              std::to_string(count) + " at once";
    addText(scene_, {box.x, box.y + 10}, words, theme_.strong()).maxWidth = box.width;
    const std::string label = "largest difference of all numbers",
                      digits = formatted(value({rowwise::largest, {0}}));
    addText(scene_, {box.x, box.y + 34}, label, theme_.note());
    const float x = box.x + input_.metrics.width(label, FontFace::Ui, Theme::small) + 10;
    addText(scene_, {x, box.y + 34}, digits, theme_.mono()).value = {rowwise::largest, {0}};
    HitRegion& hit = addHitRegion(scene_, {box.x, box.y + 24, x + 80 - box.x, 20}, {rowwise::largest, {0}},
                                  "largest difference");
    hit.target.text = "one token at a time against one pass: equal, or equal up to rounding";
  }

  std::string columnName(int column) const {
    return column == 0                    ? "before"
           : column == table_.columns - 1 ? "after"
                                          : "block " + std::to_string(column - 1);
  }

  void addTable(const Box& box) {
    const Range range{0, std::max(value({rowwise::largest, {0}}), 1e-9f)};
    Matrix matrix;
    matrix.box = box, matrix.values = {rowwise::difference, {}, 0, 1, -1, -1};
    matrix.map = ColorMap::Sequential, matrix.range = range, matrix.gaps = true;
    scene_.add(matrix);
    addNumbers(matrix);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    const auto never = [](int) { return false; };
    addLabels(scene_, input_,
              {box, Side::Left, rows_, names_ - 8,
               [this](int row) { return table_.rows[static_cast<std::size_t>(row)]; }, never, FontFace::Mono,
               box.height / static_cast<float>(rows_) < 20 ? Theme::small - 2 : Theme::small});
    for (int column = 0; column < table_.columns; ++column) {
      const Box cell = box.cell(0, column, 1, table_.columns);
      addText(scene_, {cell.center().x, box.y - 13}, columnName(column), theme_.note(), Align::Middle)
          .maxWidth = cell.width - 4;
    }
    const bool isNothing = value({rowwise::largest, {0}}) == 0;
    if (!isNothing)
      addColorScale(scene_, input_, {box.right() + 12, box.y, 56, std::min(box.height, 160.0f)},
                    ColorMap::Sequential, range);
    HitRegion& hit = addHitRegion(scene_, box, matrix.values, "differences by point");
    hit.rows = rows_, hit.columns = table_.columns;
    hit.say = [table = table_, sources = scene_.sources](const Target& target) {
      const auto [row, column] = std::pair{target.cell.index[0], target.cell.index[1]};
      const auto largest = valueOf(sources, {rowwise::size, {row, column}});
      if (!largest || std::isnan(*largest)) return std::string("no such point here");
      return table.rows[static_cast<std::size_t>(row)] + ": numbers up to " + formatted(*largest);
    };
  }

  void addNumbers(const Matrix& matrix) {
    for (const auto& [point, row, column] : table_.places) {
      const Box cell = matrix.box.cell(row, column, rows_, table_.columns);
      const TensorRef ref{rowwise::difference, {row, column}};
      const std::string digits = formatted(value(ref));
      const TextStyle style{FontFace::Mono, cell.height < 17 ? Theme::small - 2 : Theme::small,
                            inkOn(cellColor(matrix, value(ref), theme_.dark))};
      if (cell.height < 12 || input_.metrics.width(digits, style.face, style.size) + 6 > cell.width) continue;
      addText(scene_, cell.center(), digits, style, Align::Middle).value = ref;
    }
  }

  const SceneInput& input_;
  const Theme& theme_;
  PointTable table_;
  int rows_ = 0;
  float names_ = 0;
  Scene scene_;
};

}  // namespace

namespace needs {
const Need oneByOne{.name = "one token at a time", .kept = keptAs<ContinuationJob<StepsMeasurement>>};
}  // namespace needs

Scene oneByOneScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (!snapshot.model->config) return emptyScene(input, "No model loaded", snapshot.standing.error);
  if (!snapshot.model->continues() || !snapshot.model->config->causal())
    return emptyScene(input, "No cache check",
                      "this model has no cache: each new token changes earlier rows");
  if (!snapshot.pass->hasTrace())
    return emptyScene(input, "No text yet", snapshot.standing.errorOr("Type in the Text box."));
  if (!input.sources().contains(rowwise::difference))
    return emptyScene(input, "Cache check: cached decoding against one pass", waitingWords(input));
  return StepsPicture(input).drawn();
}

}  // namespace glassformer
