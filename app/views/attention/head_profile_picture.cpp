#include "app/views/attention/head_profile_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/rule_settings.h"
#include "app/document/training_commands.h"
#include "app/document/view_commands.h"
#include "app/engine/head_profile.h"
#include "app/engine/rule_numbers.h"
#include "app/engine/shown_run.h"
#include "app/scene/format.h"
#include "app/views/attention/circuit_parts.h"
#include "app/views/attention/rule_parts.h"
#include "core/lens/head_circuits.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float leastBiography = 272, lowBiography = 516, pastRow = 22, pastNames = 104, sectionTitle = 30,
                leastThumbnail = 88, lowWeights = 22, headsOfRows = 20, momentLine = 22;
constexpr std::size_t pastLetters = 12;

class BiographyPicture {
 public:
  explicit BiographyPicture(AttentionPicture& picture)
      : picture_(picture), scene_(picture.scene), input_(picture.input), theme_(picture.theme) {}

  void draw(Box area) {
    const auto leads = [](const char* label, const char* tip, const char* to, const char* picture) {
      return Choice{label, tip, false, commands::choosePicture(to, picture)};
    };
    const AttentionPlane plane{.quantity = AttentionQuantity::Pattern, .heads = {picture_.selected}};
    addHeader(picture_, area, plane, headWords(picture_.selected),
              {{leads("Decomposition", "One score by the components that wrote it", "attention", "why"),
                leads("Contributions", "Contribution to the final residual stream or to a logit", "residual",
                      "contributions"),
                leads("Ablation", "Change in the prediction when it, or any other component, is ablated",
                      "influence", "leave out"),
                leads("Dataset stats", "Statistics over a dataset, and the texts with the largest effect",
                      "influence", "many texts")}});
    area.takeTop(8);
    // Lower than that the picture scrolls.
    area.height = std::max(area.height, leastBiography);
    scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    const bool isLow = area.height < lowBiography;
    const Box examples = area.takeBottom(isLow ? examplesOfLines(2) : examplesHeight(area.height, 0.3f));
    area.takeBottom(isLow ? 8 : 16);
    addHeadExamples(picture_, examples, "Most peaked rows");
    Box column = area.takeRight(std::clamp(area.width * 0.46f, 240.0f, 560.0f));
    area.takeRight(24);
    row_ = isLow ? lowWeights : circuitRow;
    // Where there is little height what the weights say stands below the pattern, if no past does.
    const bool isBeside = isLow && !hasPast();
    if (isBeside) addCircuits(column.takeBottom(weightsHeight()));
    if (!scene_.sources.contains(bench::named))
      addRuleWaiting(picture_, area);
    else
      addRules(area, !isBeside);
    addLife(column);
  }

 private:
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }

  bool hasPast() const { return scene_.sources.contains(biography::agreement); }

  // Those that fit it best first; where all have no room beside what the weights say, three at least.
  void addRules(Box area, bool withCircuits) {
    const Box title = area.takeTop(sectionTitle);
    addText(scene_, {title.x, title.y + 12}, "Attention rules", theme_.strong());
    addWorth(picture_, title);
    const Box heads = area.takeTop(headsOfRows);
    addNamedHeads(picture_, heads);
    const auto& named = benchRules();
    std::vector<int> order(named.size());
    std::iota(order.begin(), order.end(), 0);
    const auto fit = [&](int i) {
      const float agreement = number({bench::named, {i}});
      return std::isfinite(agreement) ? agreement : -1;
    };
    std::ranges::stable_sort(order, std::greater<>(), fit);
    const float room = area.height - (withCircuits ? weightsHeight() : 0);
    const auto shown =
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(room / namedRowHeight), 3, std::ssize(order));
    addMoreRules(heads, static_cast<int>(std::ssize(order) - shown));
    order.resize(static_cast<std::size_t>(shown));
    for (const int i : order) {
      const BenchRule& each = named[static_cast<std::size_t>(i)];
      addNamedRow(picture_, area.takeTop(namedRowHeight),
                  {each.id,
                   each.meaning,
                   {bench::named, {i}},
                   {bench::namedRecovered, {i}},
                   false,
                   commands::testRule(each.id),
                   " A click compares it with every head."});
    }
    if (withCircuits) addCircuits(area);
  }
  void addMoreRules(const Box& line, int left) {
    if (left <= 0) return;
    const std::string words = "+ " + std::to_string(left) + " more";
    addText(scene_, {line.x + 6, line.y + 8}, words, theme_.note());
    HitRegion hit;
    hit.box = {line.x, line.y - 2, 88, line.height}, hit.target.text = "a click shows all of them";
    hit.click = [](const Target&) { return commands::choosePicture("attention", "hypothesis"); };
    hit.name = "more rules";
    scene_.hits.push_back(std::move(hit));
  }

  float weightsHeight() const {
    return scene_.sources.contains(circuit::ov) ? 8 + sectionTitle + 4 * row_ : 0;
  }
  // The strongest of what its weights alone say.
  void addCircuits(Box area) {
    area.takeTop(8);
    if (!scene_.sources.contains(circuit::ov) || area.height < sectionTitle + row_) return;
    const Box title = area.takeTop(sectionTitle);
    addText(scene_, {title.x, title.y + 12}, "QK and OV circuits", theme_.strong());
    const auto open = [](const Target&) { return commands::choosePicture("attention", "circuits"); };
    for (const CircuitPairs* pairs : {&comparedPairs, &promotedPairs, &suppressedPairs})
      if (area.height >= row_ && countOf(picture_, *pairs) > 0)
        addCircuitPair(picture_, area.takeTop(row_), *pairs, 0, open);
    if (const auto best = strongestComposition(picture_); best && area.height >= row_)
      addComposition(area.takeTop(row_), *best);
  }
  void addComposition(const Box& line, const Composed& best) {
    const std::string words = wordsOf(picture_, *best.by, best.head);
    addText(scene_, {line.x, line.center().y}, words, theme_.plain()).maxWidth = line.width - 64;
    addText(scene_, {line.right(), line.center().y}, formattedFixed(number(best.number), 2), theme_.mono(),
            Align::End)
        .value = best.number;
    HitRegion hit;
    hit.box = line, hit.target.cell = best.number, hit.name = "strongest composition";
    hit.target.text = words + ", more than of any other head; by chance it would be " +
                      formatted(number({circuit::byChance, {0}})) + ". A click shows all of them.";
    hit.click = [](const Target&) { return commands::choosePicture("attention", "circuits"); };
    scene_.hits.push_back(std::move(hit));
  }

  // The pattern on the open text, and below it, of a model in training, how it came about.
  void addLife(Box area) {
    const float rows =
                    hasPast() ? static_cast<float>(scene_.sources.find(biography::agreement)->extent[0]) : 0,
                past = sectionTitle + pastRow * rows + 24 + momentLine;
    if (hasPast()) addPast(area.takeBottom(std::min(past, area.height - leastThumbnail - sectionTitle)));
    if (!hasPast() && !input_.isStill() && area.height > sectionTitle + leastThumbnail + 24)
      addText(scene_, {area.x, area.takeBottom(24).center().y}, whyNoPast(), theme_.note()).maxWidth =
          area.width;
    area.takeBottom(hasPast() ? 8 : 0);
    addPattern(area);
  }

  std::string whyNoPast() const {
    return std::string("Training history: ") + (isMoving(input_.workspace, input_.snapshot)
                                                    ? "measured when the run pauses (Ctrl+Space)."
                                                    : "train one (Shift+T).");
  }

  void addPattern(Box area) {
    const Box title = area.takeTop(sectionTitle);
    addText(scene_, {title.x, title.y + 12}, "On this text", theme_.strong());
    const HeadId head = picture_.selected;
    area.takeRight(scaleRoom);
    const float cell = std::min(area.width / static_cast<float>(picture_.keys),
                                area.height / static_cast<float>(picture_.queries));
    Matrix matrix;
    matrix.box = {area.x, area.y, cell * static_cast<float>(picture_.keys),
                  cell * static_cast<float>(picture_.queries)};
    matrix.values = {attentionPoint(head.layer, head.site, "hook_pattern"), {head.head, 0, 0}, 1, 2};
    const Coloring colors = coloring(input_, {matrix.values}, {ColorMap::Sequential, {0, 1}});
    matrix.map = colors.map, matrix.range = colors.range;
    if (picture_.isMasked()) matrix.mask = picture_.mask;
    scene_.add(matrix);
    scene_.add(Rect{matrix.box, {0, 0, 0, 0}, theme_.line, 0, 1});
    addScale(matrix);
    HitRegion hit;
    hit.box = matrix.box, hit.target = picture_.target();
    hit.target.cell = matrix.values, hit.target.layer = head.layer, hit.target.head = head.head;
    hit.rows = picture_.queries, hit.columns = picture_.keys;
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.click = [](const Target&) { return commands::choosePicture("attention", "matrix"); };
    hit.say = [](const Target&) { return std::string("a click shows the pattern with its tokens"); };
    hit.name = "its pattern";
    scene_.hits.push_back(std::move(hit));
  }

  static constexpr float scaleRoom = 56;  // at the right of a heatmap
  void addScale(const Matrix& matrix) {
    addColorScale(scene_, input_,
                  {matrix.box.right() + 12, matrix.box.y, 10, std::min(matrix.box.height, 160.0f)},
                  matrix.map, matrix.range);
  }

  // A row for each rule, a column for each step of the past.
  void addPast(Box area) {
    const Box title = area.takeTop(sectionTitle), moment = area.takeBottom(momentLine);
    area.takeRight(scaleRoom);
    addText(scene_, {title.x, title.y + 14}, "Training history", theme_.strong());
    const Box foot = area.takeBottom(24);
    area.takeLeft(pastNames);
    const TensorView agreement = *scene_.sources.find(biography::agreement);
    const int rows = agreement.extent[0], columns = agreement.extent[1];
    const Matrix matrix{.box = area,
                        .values = {biography::agreement, {0, 0}, 0, 1},
                        .map = ColorMap::Sequential,
                        .range = {0, 1},
                        .gaps = true};
    scene_.add(matrix);
    scene_.add(Rect{area, {0, 0, 0, 0}, theme_.line, 0, 1});
    addScale(matrix);
    const int most = mostLearned();
    addLabels(scene_, input_,
              {area, Side::Left, rows, pastNames - 8, [&](int i) { return nameOfRow(i); },
               [=](int i) { return i == most; }, FontFace::Ui});
    addStepsBelow(foot, columns);
    addPastHit(matrix, rows, columns);
    addMoments(area, rows, columns);
    addMoment(moment, most);
  }
  std::string nameOfRow(int row) const {
    const auto& named = benchRules();
    return row < static_cast<int>(named.size()) ? named[static_cast<std::size_t>(row)].name
                                                : excerpt(ruleAsked(input_.workspace), pastLetters);
  }
  int stepAt(int column) const { return static_cast<int>(number({biography::steps, {column}})); }

  // The first and the last, and a mark at the one that all views show.
  void addStepsBelow(const Box& foot, int columns) {
    const Box steps{foot.x + pastNames, foot.y, foot.width - pastNames, foot.height};
    const TensorRef first{biography::steps, {0}}, last{biography::steps, {columns - 1}};
    addText(scene_, {steps.x, steps.center().y}, "step " + std::to_string(stepAt(0)), theme_.quietMono())
        .value = first;
    addText(scene_, {steps.right(), steps.center().y}, std::to_string(stepAt(columns - 1)),
            theme_.quietMono(), Align::End)
        .value = last;
    int shown = 0;
    while (shown + 1 < columns && stepAt(shown + 1) <= input_.snapshot.training->step) ++shown;
    const Box column = steps.cell(0, shown, 1, columns);
    scene_.add(
        Rect{{column.x, steps.y + 1, std::max(column.width, 3.0f), 3}, theme_.accent, {0, 0, 0, 0}, 0, 1});
  }

  // The rule that forms and of which the head learned most; below 0: none forms.
  int mostLearned() const {
    const TensorView formed = *scene_.sources.find(biography::formed),
                     rise = *scene_.sources.find(biography::rise);
    int most = -1;
    for (int row = 0; row < rise.extent[0]; ++row)
      if (std::isfinite(formed(row)) && (most < 0 || rise(row) > rise(most))) most = row;
    return most;
  }
  // An outline where each rule forms.
  void addMoments(const Box& cells, int rows, int columns) {
    for (int row = 0; row < rows; ++row) {
      const float formed = number({biography::formed, {row}});
      if (!std::isfinite(formed)) continue;
      int column = 0;
      while (stepAt(column) != static_cast<int>(formed)) ++column;
      addOutline(scene_, cells.cell(row, column, rows, columns), theme_.text);
    }
  }
  // In words, and the way to before that.
  void addMoment(Box line, int most) {
    if (most < 0) {
      addText(scene_, {line.x, line.center().y}, "No attention rule emerges.", theme_.note()).maxWidth =
          line.width;
      return;
    }
    const TensorRef before{biography::before, {most}}, at{biography::formed, {most}};
    const std::string back = "before it ›", said = nameOfRow(most) + " emerges at step " + stepOf(at);
    const float width = input_.metrics.width(back, FontFace::Ui, Theme::small) + 8;
    addStepLink(line.takeRight(width), back, before, Align::End, theme_.accent,
                "step " + stepOf(before) + ", before the rule emerged; Ctrl+B branches there",
                "before it formed");
    addStepLink(line, said, at, Align::Start, theme_.text,
                "from step " + stepOf(at) + " on its overlap is more than half of the final one with “" +
                    nameOfRow(most) + "”; a click shows every view as it was then",
                "emergence");
  }
  std::string stepOf(const TensorRef& step) const { return std::to_string(static_cast<int>(number(step))); }
  void addStepLink(const Box& box, const std::string& words, const TensorRef& step, Align side, Rgba color,
                   const std::string& tip, const char* name) {
    Text& text = addText(scene_, {side == Align::End ? box.right() : box.x, box.center().y}, words,
                         {FontFace::Ui, Theme::small, color}, side);
    text.maxWidth = box.width, text.value = step;
    HitRegion hit;
    hit.box = box, hit.target.cell = step, hit.target.text = tip, hit.name = name;
    hit.click = [at = static_cast<int>(number(step)),
                 newest = input_.snapshot.training->run->step](const Target&) {
      return commands::showStepOfRun(at >= newest ? TrainingSettings::newest : at);
    };
    scene_.hits.push_back(std::move(hit));
  }

  void addPastHit(const Matrix& matrix, int rows, int columns) {
    std::vector<int> steps;
    for (int i = 0; i < columns; ++i) steps.push_back(stepAt(i));
    std::vector<std::string> names;
    for (int i = 0; i < rows; ++i) names.push_back(nameOfRow(i));
    HitRegion hit;
    hit.box = matrix.box, hit.target.cell = matrix.values, hit.rows = rows, hit.columns = columns;
    hit.say = [steps, names](const Target& target) {
      return names[static_cast<std::size_t>(target.cell.index[0])] + " after step " +
             std::to_string(steps[static_cast<std::size_t>(target.cell.index[1])]) +
             "; a click shows every view as it was then";
    };
    hit.click = [steps, newest = input_.snapshot.training->run->step](const Target& target) {
      const int step = steps[static_cast<std::size_t>(target.cell.index[1])];
      return commands::showStepOfRun(step >= newest ? TrainingSettings::newest : step);
    };
    hit.name = "its past";
    scene_.hits.push_back(std::move(hit));
  }

  AttentionPicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  float row_ = circuitRow;  // of what the weights say
};

}  // namespace

void drawBiographyPicture(AttentionPicture& picture, Box area) { BiographyPicture(picture).draw(area); }

}  // namespace glassformer
