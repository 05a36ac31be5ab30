#include "app/views/attention/head_detector_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/rule_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/engine/rule_numbers.h"
#include "app/scene/format.h"
#include "app/views/attention/rule_parts.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float blockNames = 88, headNumbers = 26, mostBenchCell = 120, benchScale = 72, leastBench = 452;
constexpr std::size_t ruleLetters = 28;

class RulePicture {
 public:
  explicit RulePicture(AttentionPicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        input_(picture.input),
        theme_(picture.theme),
        config_(picture.config),
        rule_(ruleAsked(picture.input.workspace)),
        shown_(picture.input.workspace.settings.chosen(benchNumber)) {}

  void draw(Box area) {
    addRuleHeader(area);
    // Lower than that the picture scrolls.
    area.height = std::max(area.height, leastBench);
    scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    const Box differs = area.takeBottom(examplesHeight(area.height, 0.32f));
    area.takeBottom(16);
    addHeadExamples(picture_, differs, "Where " + nameOf(picture_.selected) + " differs from the rule");
    if (!scene_.sources.contains(bench::agreement)) return addRuleWaiting(picture_, area);
    const Box column = area.takeRight(std::clamp(area.width * 0.44f, 256.0f, 440.0f));
    area.takeRight(24);
    addHeads(area);
    addSelected(column);
  }

 private:
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  std::string said() const { return "“" + excerpt(nameOfRule(rule_), ruleLetters) + "”"; }
  bool isShown(const char* number) const { return shown_ == number; }
  const char* shownTensor() const {
    return isShown(benchRecovered) ? bench::recovered : isShown(benchWorth) ? bench::worth : bench::agreement;
  }
  // Why the loss cannot be told, where it is shown; else empty.
  std::string whyNoLoss() const { return shown_.empty() ? "" : whyNoRecoveredLoss(config_); }

  void addRuleHeader(Box& area) {
    const auto choice = [&](const char* label, const char* tip, const char* value) {
      return Choice{label, tip, shown_ == value, commands::choose(benchNumber, value)};
    };
    const char* const equation = isShown(benchRecovered) ? "(L_u − L_r) / (L_u − L)"
                                 : isShown(benchWorth)   ? "L_u − L, in nats"
                                                         : "Σ min(A, P)";
    addHeader(
        picture_, area, equation, "Heads by " + said(),
        {{choice("Overlap", "Overlap of every head with the attention rule, Σ min(A, P)", ""),
          choice("Loss recovered", "Share of the loss that the rule recovers, relative to uniform attention",
                 benchRecovered),
          choice("Uniform loss", "Loss added when the head attends uniformly, in nats", benchWorth)},
         {{"Ablation", "Change in the prediction when the selected head is ablated", false,
           commands::choosePicture("influence", "leave out")}}});
    area.takeTop(8);
  }

  std::vector<HeadId> firstHeads() const {
    std::vector<HeadId> rows;
    for (const AttentionSite site : sitesOf(config_))
      for (int layer = 0; layer < blocksAt(config_, site); ++layer) rows.push_back({layer, 0, site});
    return rows;
  }
  static std::string blockWords(HeadId head) {
    const char* const stack = head.site == AttentionSite::Encoder   ? "encoder "
                              : head.site == AttentionSite::Decoder ? "decoder "
                              : head.site == AttentionSite::Cross   ? "across "
                                                                    : "block ";
    return stack + std::to_string(head.layer);
  }

  // A row for each block, a column for each head.
  void addHeads(Box area) {
    if (const std::string none = whyNoLoss(); !none.empty()) {
      addText(scene_, {area.x, area.y + 16}, "Cannot ablate: no number " + none, theme_.note()).maxWidth =
          area.width;
      return;
    }
    const std::vector<HeadId> rows = firstHeads();
    const int down = static_cast<int>(rows.size()), across = config_.heads;
    area.takeLeft(blockNames);
    area.takeRight(benchScale);
    area.takeTop(headNumbers);
    const float width = std::min(area.width / static_cast<float>(across), mostBenchCell),
                height = std::min(area.height / static_cast<float>(down), mostBenchCell);
    Matrix matrix;
    matrix.box = {area.x, area.y, width * static_cast<float>(across), height * static_cast<float>(down)};
    matrix.values = {shownTensor(), {0, 0}, 0, 1};
    matrix.gaps = true;  // not computed yet, or nothing to say
    const Coloring colors = coloringOf(matrix.values);
    matrix.map = colors.map, matrix.range = colors.range;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, height > 36 ? Theme::body : Theme::small, 11);
    scene_.add(Rect{matrix.box, {0, 0, 0, 0}, theme_.line, 0, 1});
    addColorScale(
        scene_, input_,
        {matrix.box.right() + 16, matrix.box.y, benchScale - 16, std::min(matrix.box.height, 160.0f)},
        colors.map, colors.range);
    const int row = benchRow(config_, picture_.selected);
    addLabels(scene_, input_,
              {matrix.box, Side::Left, down, blockNames - 8,
               [&](int i) { return blockWords(rows[static_cast<std::size_t>(i)]); },
               [&](int i) { return i == row; }, FontFace::Ui});
    addLabels(scene_, input_,
              {matrix.box, Side::Top, across, headNumbers, [](int i) { return std::to_string(i); },
               [&](int i) { return i == picture_.selected.head; }, FontFace::Ui, Theme::small, true});
    addOutline(scene_, matrix.box.cell(row, picture_.selected.head, down, across), theme_.accent, 2);
    addHeadHits(matrix, rows);
  }

  Coloring coloringOf(const TensorRef& values) const {
    if (isShown(benchRecovered)) return {ColorMap::Diverging, {-1, 1}};
    const Range all = rangeOf(scene_.sources, values);
    if (isShown(benchWorth)) return {ColorMap::Diverging, symmetric(unionOf(all, {-1e-6f, 1e-6f}))};
    return {ColorMap::Sequential, {0, std::max(roundedUp(std::max(all.high, 0.0f)), 0.01f)}};
  }

  void addHeadHits(const Matrix& matrix, const std::vector<HeadId>& rows) {
    const int down = static_cast<int>(rows.size()), across = config_.heads;
    HitRegion hit;
    hit.box = matrix.box, hit.target.cell = matrix.values;
    hit.rows = down, hit.columns = across, hit.columnAxis = Axis::Head;
    if (down == config_.layers) hit.rowAxis = Axis::Layer;
    const auto headAt = [rows](int row, int column) {
      return HeadId{rows[static_cast<std::size_t>(row)].layer, column,
                    rows[static_cast<std::size_t>(row)].site};
    };
    hit.say = [headAt, said = said(), what = shown_](const Target& target) {
      const std::string name = nameOf(headAt(target.cell.index[0], target.cell.index[1]));
      if (what == benchWorth) return name + ": loss that uniform attention adds";
      return name + (what == benchRecovered ? " replaced by " : " and ") + said;
    };
    hit.click = [headAt](const Target& target) {
      return commands::selectHead(headAt(target.cell.index[0], target.cell.index[1]));
    };
    hit.arrows = [headAt, row = benchRow(config_, picture_.selected), column = picture_.selected.head, down,
                  across](int right, int below) {
      return commands::selectHead(
          headAt(std::clamp(row + below, 0, down - 1), std::clamp(column + right, 0, across - 1)));
    };
    hit.name = "heads by attention rule";
    scene_.hits.push_back(std::move(hit));
  }

  // Of the selected head: the rules that have a name, and its texts by agreement.
  void addSelected(Box area) {
    const Box title = area.takeTop(headNumbers + 4);
    addText(scene_, {title.x, title.y + 12}, nameOf(picture_.selected), theme_.heading());
    addWorth(picture_, title);
    addNamedHeads(picture_, area.takeTop(20));
    const auto& named = benchRules();
    const bool isNamed = std::ranges::find(named, rule_, &BenchRule::id) != named.end();
    // A little closer where the distribution has no room below them otherwise.
    constexpr float gap = 12, leastDistribution = 72, closest = 20;
    const float room = (area.height - gap - leastDistribution) / static_cast<float>(named.size() + !isNamed);
    const float height = room < closest ? namedRowHeight : std::min(room, namedRowHeight);
    const auto addRow = [&](const BenchRule& each, const TensorRef& agreement, const TensorRef& recovered) {
      if (area.height >= height) addNamed(area.takeTop(height), each, agreement, recovered);
    };
    if (!isNamed) addRow({rule_, rule_, "The current rule."}, {bench::own, {0}}, {bench::own, {1}});
    for (int i = 0; i < static_cast<int>(named.size()); ++i)
      addRow(named[static_cast<std::size_t>(i)], {bench::named, {i}}, {bench::namedRecovered, {i}});
    area.takeTop(gap);
    if (area.height >= leastDistribution - 0.5f) addDistribution(area);
  }

  void addNamed(const Box& row, const BenchRule& named, const TensorRef& agreement,
                const TensorRef& recovered) {
    const bool isAsked = named.id == rule_;
    addNamedRow(picture_, row,
                {named.id, named.meaning, agreement, recovered, isAsked, commands::sayRule(named.id),
                 isAsked ? "" : " A click compares it with every head."});
  }

  void addDistribution(Box area) {
    const TensorRef bins{bench::distribution, {0}, -1, 0};
    const Box words = area.takeBottom(20);
    area.takeTop(8);
    const Range range{0, std::max(1.0f, rangeOf(scene_.sources, bins).high)};
    scene_.add(Line{{{area.x, area.bottom()}, {area.right(), area.bottom()}}, theme_.line, 1, false});
    for (int i = 0; i < agreementBins; ++i) addBin(area.cell(0, i, 1, agreementBins), i, range);
    addText(scene_, {words.x, words.center().y}, "0", theme_.quietMono());
    addText(scene_, words.center(), "texts by overlap", theme_.note(), Align::Middle).maxWidth =
        words.width - 40;
    addText(scene_, {words.right(), words.center().y}, "1", theme_.quietMono(), Align::End);
  }
  void addBin(const Box& column, int bin, Range range) {
    const TensorRef count{bench::distribution, {bin}};
    if (number(count) > 0)
      scene_.add(
          Bar{column.inset(1, 0), count, range, colorAt(ColorMap::Sequential, 0.7f, theme_.dark), true, 1});
    HitRegion hit;
    hit.box = column, hit.target.cell = count;
    hit.target.text = "texts with an overlap from " + formattedBin(bin, agreementBins);
    hit.name = "agreement bin " + std::to_string(bin), hit.tabStop = false;
    scene_.hits.push_back(std::move(hit));
  }

  AttentionPicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const ModelConfig& config_;
  std::string rule_, shown_;
};

}  // namespace

void drawRulePicture(AttentionPicture& picture, Box area) { RulePicture(picture).draw(area); }

}  // namespace glassformer
