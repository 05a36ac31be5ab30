#include "app/views/next_token/shifted_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/selection_commands.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_picture.h"

namespace glassformer {

namespace {

const char *const lossOf = "lens.surprise", *const meanLoss = "lens.loss",
                  *const probabilityOf = "lens.actual_probability", *const saidMost = "lens.top_probability";
constexpr float shiftedChip = 24, shiftedArrow = 20, shiftedNumber = 18, shiftedGap = 20, leastLossBars = 28,
                mostLossBars = 240, shiftedLeast = 56;
constexpr const char* shiftedRows[] = {"reads", "target", "top prediction", "loss −ln p"};

class ShiftedText {
 public:
  explicit ShiftedText(const SceneInput& input)
      : picture_(input),
        scene_(picture_.scene),
        theme_(picture_.theme),
        favourites_(input.snapshot, "lens.top_token", 0),
        sure_(coloring(input, {{saidMost, {}, 0, 1, -1, -1}}, {ColorMap::Sequential, {0, 1}}).range) {}

  Scene drawn() {
    Box area = contentOf(picture_.input, scene_.size);
    addNextTokenHeader(
        picture_, area,
        picture_.input.snapshot.isDifference() ? "Teacher forcing: change of each loss" : "Teacher forcing",
        "All positions at once: the target of each is the next token of the text");
    const Box top = area.takeTop(28);
    if (scene_.sources.contains(meanLoss))
      addMean(top);
    else
      addText(scene_, {top.x, top.center().y}, picture_.count < 2 ? "No next token yet: add one." : "",
              theme_.note())
          .maxWidth = top.width;
    area.takeTop(8);
    arrange(area);
    const TensorRef all{lossOf, {}, 0, -1, -1, -1};
    range_ = coloring(picture_.input, {all},
                      {ColorMap::Sequential, {0, std::max(1e-6f, rangeOf(scene_.sources, all).high)}})
                 .range;
    HitRegion text;
    text.box = area, text.name = "shifted text";
    addTextZoom(picture_, text, true);
    scene_.hits.push_back(std::move(text));
    for (const Row& line : lines_) addLine(line);
    if (next_ < end()) addText(scene_, {area.x, area.bottom() - 4}, more(), theme_.note());
    return std::move(scene_);
  }

 private:
  // So many places of the text, and where they stand.
  struct Row {
    int first = 0;
    std::vector<float> widths;
    Box box;
  };

  // With two decimals, where these would not be zeros.
  static std::string lossWords(float loss) {
    return std::abs(loss) >= 0.005f ? formattedFixed(loss, 2) : formatted(loss);
  }
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  int end() const { return picture_.window.firstKey + picture_.window.count; }
  float widthOf(int t) const {
    const auto width = [&](const std::string& label) {
      return picture_.input.metrics.width(label, FontFace::Mono, Theme::small) + 12;
    };
    const float reads = std::max({shiftedLeast, width(read(t)), width(favourites_({t, 0}))});
    if (t + 1 >= picture_.count) return reads;
    return std::max({reads, width(picture_.input.label(t + 1)), width(lossWords(value({lossOf, {t}})))});
  }
  std::string read(int t) const {
    const std::string label = picture_.input.label(t);
    return label.empty() ? "start" : label;
  }
  std::string more() const {
    return "+ " + countWords(end() - next_, "more place") + "; the wheel shows fewer of them, larger";
  }

  // Lines of the text, as tall as their number allows.
  void arrange(Box area) {
    names_ = area.width > 600 ? widthOfNames() : 0;
    area.takeLeft(names_);
    std::vector<float> widths;
    for (int t = picture_.window.firstKey; t < end(); ++t) widths.push_back(widthOf(t));
    std::vector<Row> all = rowsOf(widths, area.width);
    const float whole = std::accumulate(widths.begin(), widths.end(), 3 * static_cast<float>(widths.size()));
    // As few lines as there have to be, all about as long.
    for (float width = whole / static_cast<float>(all.size()); width < area.width; width += shiftedLeast / 2)
      if (std::vector<Row> even = rowsOf(widths, width); even.size() == all.size()) {
        all = std::move(even);
        break;
      }
    spread(all, area.width);
    constexpr float fixed = 3 * shiftedChip + shiftedArrow + shiftedNumber + shiftedGap;
    const auto count = static_cast<float>(all.size());
    bars_ = std::clamp(area.height / count - fixed, leastLossBars, mostLossBars);
    const auto fitting = std::max<std::size_t>(1, static_cast<std::size_t>(area.height / (fixed + bars_)));
    all.resize(std::min(all.size(), fitting));
    for (Row& line : all) line.box = area.takeTop(fixed + bars_);
    next_ = all.back().first + static_cast<int>(all.back().widths.size());
    lines_ = std::move(all);
  }
  // Over the whole width, within reason.
  static void spread(std::vector<Row>& rows, float width) {
    constexpr float mostSpread = 2;
    float by = mostSpread;
    for (const Row& row : rows) {
      const float gaps = 3 * static_cast<float>(row.widths.size());
      by = std::min(by, (width - gaps) / (std::accumulate(row.widths.begin(), row.widths.end(), 0.0f)));
    }
    for (Row& row : rows)
      for (float& each : row.widths) each *= std::max(by, 1.0f);
  }
  std::vector<Row> rowsOf(const std::vector<float>& widths, float most) const {
    std::vector<Row> all;
    float used = most;
    int t = picture_.window.firstKey;
    for (const float width : widths) {
      if (used + width > most) all.push_back({t, {}, {}}), used = 0;
      all.back().widths.push_back(width);
      used += width + 3, ++t;
    }
    return all;
  }
  float widthOfNames() const {
    float widest = 0;
    for (const char* name : shiftedRows)
      widest = std::max(widest, picture_.input.metrics.width(name, FontFace::Ui, Theme::small));
    return widest + 12;
  }

  void addMean(const Box& box) {
    const std::string words = "mean loss of " + countWords(picture_.count - 1, "place") + ", in nats";
    addText(scene_, {box.x, box.center().y}, words, theme_.note());
    const float x = box.x + picture_.input.metrics.width(words, FontFace::Ui, Theme::small) + 10;
    addText(scene_, {x, box.center().y}, lossWords(value({meanLoss, {0}})),
            {FontFace::Mono, Theme::title - 4, theme_.text})
        .value = {meanLoss, {0}};
    addHitRegion(scene_, {box.x, box.y, x + 80 - box.x, box.height}, {meanLoss, {0}}, "mean loss");
  }

  void addLine(const Row& line) {
    Box rest = line.box;
    const Box reads = rest.takeTop(shiftedChip), arrows = rest.takeTop(shiftedArrow),
              says = rest.takeTop(shiftedChip), would = rest.takeTop(shiftedChip),
              numbers = rest.takeTop(shiftedNumber), bars = rest.takeTop(bars_);
    if (names_ > 0) {
      const Box rows[] = {reads, says, would, numbers};
      for (std::size_t i = 0; i < std::size(shiftedRows); ++i)
        addText(scene_, {rows[i].x - names_, rows[i].center().y}, shiftedRows[i], theme_.note()).maxWidth =
            names_ - 8;
    }
    float x = line.box.x;
    for (std::size_t i = 0; i < line.widths.size(); ++i) {
      const float width = line.widths[i];
      const int t = line.first + static_cast<int>(i);
      const auto column = [&](const Box& row) { return Box{x, row.y, width, row.height}; };
      addPlace(t, column(reads), column(arrows), column(says), column(would));
      if (t + 1 < picture_.count) addLoss(t, column(numbers), column(bars));
      x += width + 3;
    }
  }

  void addPlace(int t, const Box& reads, const Box& arrow, const Box& says, const Box& would) {
    const bool isChosen = t == picture_.input.query(), isLast = t + 1 >= picture_.count;
    addChip(reads, read(t), isChosen ? theme_.accent : theme_.line);
    HitRegion& hit = addHitRegion(
        scene_, {reads.x, reads.y, reads.width, 3 * shiftedChip + shiftedArrow + shiftedNumber + bars_},
        {lossOf, {t}}, "place " + std::to_string(t));
    hit.tabStop = false;
    hit.target.token = t;
    hit.target.text = saying(t);
    hit.click = [t](const Target&) { return commands::selectQuery(t); };
    addFavourite(t, would);
    if (isLast) return;
    scene_.add(Line{
        {{arrow.center().x, arrow.y + 3}, {arrow.center().x, arrow.bottom() - 3}}, theme_.quiet, 1.5f, true});
    addChip(says, picture_.input.label(t + 1), theme_.line);
  }

  // What the model says by itself, and below it how sure it is.
  void addFavourite(int t, const Box& box) {
    addChip(box, favourites_({t, 0}), {0, 0, 0, 0});
    addBar(scene_, picture_.input, {sure_, 0, 0, 2},
           {{box.x + 4, box.bottom() - 4, box.width - 8, 2}, {saidMost, {t, 0}}});
  }

  void addLoss(int t, const Box& number, const Box& bar) {
    if (!std::isfinite(value({lossOf, {t}}))) return;  // of a difference where one text has none
    const bool isChosen = t == picture_.input.query();
    addText(scene_, number.center(), lossWords(value({lossOf, {t}})),
            {FontFace::Mono, Theme::small - 1, isChosen ? theme_.text : theme_.quiet}, Align::Middle)
        .value = {lossOf, {t}};
    scene_.add(Bar{bar.inset(bar.width * 0.25f, 0),
                   {lossOf, {t}},
                   range_,
                   isChosen ? theme_.accent : mix(theme_.ground, theme_.quiet, 0.6f),
                   true});
  }

  void addChip(const Box& box, const std::string& label, Rgba edge) {
    scene_.add(Rect{box.inset(0, 1), theme_.panel, edge, 4});
    addText(scene_, box.center(), label, theme_.mono(), Align::Middle).maxWidth = box.width - 4;
  }

  // "reads up to “was”, is to say “too”: p = 34.2 %"
  std::string saying(int t) const {
    if (t + 1 >= picture_.count) return "no token follows “" + read(t) + "” yet";
    return "reads up to “" + read(t) + "”, target “" + picture_.input.label(t + 1) +
           "”: p = " + formattedPercent(value({probabilityOf, {t}})) + "; prediction “" +
           favourites_({t, 0}) + "”: p = " + formattedPercent(value({saidMost, {t, 0}}));
  }

  NextTokenPicture picture_;
  Scene& scene_;
  const Theme& theme_;
  EntryLabels favourites_;
  Range sure_;
  std::vector<Row> lines_;
  Range range_;
  float bars_ = 40, names_ = 0;
  int next_ = 0;
};

}  // namespace

Scene shiftedTextScene(const SceneInput& input) {
  if (auto empty = withoutPrediction(input)) return std::move(*empty);
  if (input.snapshot.model->config && !input.snapshot.model->continues())
    return emptyScene(input, "No teacher forcing",
                      "a masked language model predicts masked tokens, not the next one");
  if (!input.sources().contains(lossOf)) return emptyScene(input, "Teacher forcing", waitingWords(input));
  return ShiftedText(input).drawn();
}

}  // namespace glassformer
