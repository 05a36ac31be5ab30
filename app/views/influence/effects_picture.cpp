#include "app/views/influence/effects_picture.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "app/document/attention_planes.h"
#include "app/document/effect_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/corpus_choices.h"
#include "app/drawing/text_examples.h"
#include "app/drawing/wording.h"
#include "app/engine/dataset_stats.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float roomForPositions = 500;  // of a picture that has a line to spare
constexpr float effectRowNames = 80, narrowRowNames = 32, effectHeads = 44, effectScale = 64,
                mostEffectRow = 56, exampleRow = 26, exampleHeading = 36, exampleNumber = 56,
                leastEffects = 280, interventionNote = 20, classNames = 64, meaningBelow = 20;

class EffectsPicture {
 public:
  explicit EffectsPicture(InfluencePicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        input_(picture.input),
        theme_(picture.theme),
        shown_(effectMeasure(picture.input.workspace.settings.chosen(effectNumber))),
        rows_(rowNames(picture.config)),
        columns_(columnNames(shown_, picture.config)) {}

  void draw(Box area) {
    const std::vector<Choice> positions = isOfTokensThatCome() && area.height >= roomForPositions
                                              ? positionsChoices(input_.workspace.settings)
                                              : std::vector<Choice>();
    addInfluenceHeader(picture_, area, "Dataset stats", input_.isStill() ? shown_.meaning + hint : "",
                       {families()}, positions);
    area.takeTop(8);
    if (!input_.isStill()) addNames(area);
    if (!picture_.isThere(shown_.mean())) return addInfluenceWaiting(picture_, area);
    if (input_.workspace.interventions.size() > 0) addStanding(area.takeTop(interventionNote));
    if (const float counted = number({effects::counted, {0}}), all = number({effects::counted, {1}});
        isOfTokensThatCome() && counted < all)
      addText(scene_, {area.x, area.takeTop(interventionNote).y + 6},
              "means over the tokens that the task trains: " + formattedFixed(counted, 0) + " of " +
                  formattedFixed(all, 0),
              theme_.note())
          .maxWidth = area.width;
    area.height = std::max(area.height, leastEffects + (isOfParts() ? 0 : classNames));
    scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    if (picture_.config.hasAttention()) {
      const float lines = std::clamp(std::floor((area.height * 0.42f - exampleHeading) / exampleRow), 3.0f,
                                     static_cast<float>(DatasetStats::examplesKept));
      addExamples(area.takeBottom(exampleHeading + exampleRow * lines));
      area.takeBottom(12);
    }
    addMaps(area);
  }

 private:
  // A button for each family of numbers, and where it has several a line of them below.
  std::vector<Choice> families() const {
    std::vector<Choice> choices;
    for (const DatasetMetric& each : datasetMetrics())
      if (choices.empty() || choices.back().label != each.family)
        choices.push_back({each.family, familyMeaning(each), each.family == shown_.family, choose(each)});
    return choices;
  }
  // What is shown, and beside it the others of its family; where it has no room there, below them.
  void addNames(Box& area) {
    std::vector<Choice> choices;
    for (const DatasetMetric& each : datasetMetrics())
      if (each.family == shown_.family && !each.name.empty())
        choices.push_back({each.name, each.meaning, each.id == shown_.id, choose(each)});
    Box line = area.takeTop(Theme::control + 8);
    float y = line.y + Theme::control / 2;
    const auto fits = [&](const std::string& words) {
      return input_.metrics.width(words, FontFace::Ui, Theme::small) <= line.width;
    };
    std::string words = shown_.meaning;
    if (choices.empty()) {
      if (fits(words + hint)) words += hint;
    } else {
      line.width = addChoices(scene_, input_, {line.right(), line.y}, choices, line.width).x - line.x - 16;
      if (!fits(words)) line = area.takeTop(meaningBelow), y = line.center().y;
    }
    addText(scene_, {line.x, y}, words, theme_.note()).maxWidth = line.width;
  }
  // What its first line means, or of several what they have in common.
  static std::string familyMeaning(const DatasetMetric& first) {
    static const std::map<std::string, std::string, std::less<>> meanings{
        {"Attention to", "Mean attention of each head to other tokens"},
        {"Activations", "Norms and cosines of activations, and active neurons"},
        {"Prediction", "Change in each prediction when a component is ablated, as in Ablation"},
        {"Edits", "Smallest edits that change the prediction, as in Counterfactuals"},
        {"Patching", "Effect of activations from another text, as in Patching"}};
    const auto found = meanings.find(first.family);
    return found == meanings.end() ? first.meaning : found->second;
  }
  static Command choose(const DatasetMetric& measure) {
    const bool isUsual = measure.id == datasetMetrics().front().id;
    return commands::choose(effectNumber, isUsual ? "" : measure.id);
  }
  static constexpr const char* hint = ": one text may differ from the mean";
  bool isOfTokensThatCome() const {
    return shown_.id == "loss" || shown_.id == "logit" || shown_.id == "direct";
  }
  bool isOfParts() const { return shown_.columns == DatasetMetric::Columns::Parts; }

  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  HeadId selected() const { return selectedHead(input_.workspace, picture_.config); }
  std::string textsWords() const {
    const float read = number({effects::read, {0}}), all = number({effects::read, {1}});
    return (read < all ? formattedFixed(read, 0) + " of " : "") + corpusWords(input_, all) +
           (read < all ? " read" : "");
  }

  // Which of the interventions the passes over many texts went through.
  void addStanding(const Box& line) {
    const float all = number({effects::interventions, {0}}), here = number({effects::interventions, {1}});
    const std::string with = formattedFixed(all, 0) + " in every text",
                      alone =
                          formattedFixed(here, 0) + " in this text alone: other texts have other positions";
    addText(scene_, {line.x, line.y + 6},
            "interventions: " + (all > 0 ? with : "") + (all > 0 && here > 0 ? ", " : "") +
                (here > 0 ? alone : ""),
            theme_.note())
        .maxWidth = line.width;
  }

  // All on one scale: a spread as large as its mean is seen to be.
  void addMaps(Box area) {
    if (std::string why = shown_.whyNot(picture_.config); !why.empty()) {
      why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
      addText(scene_, {area.x, area.y + 16}, why + ".", theme_.note()).maxWidth = area.width;
      return;
    }
    Range range{-1e-6f, 1e-6f};
    for (const std::string& tensor : {shown_.mean(), shown_.here(), shown_.spread()})
      range = unionOf(range, rangeOf(scene_.sources, {tensor, {0, 0}, 0, 1}));
    scale_ = shown_.isShare ? Coloring{ColorMap::Sequential, {0, roundedUp(range.high)}}
                            : Coloring{ColorMap::Diverging, symmetric({0, roundedUp(symmetric(range).high)})};
    area.takeLeft(rowNameWidth());
    const Box legend = area.takeRight(effectScale);
    const float gap = 10, width = (area.width - 2 * gap) / 3;
    const auto at = [&](int i) {
      return Box{area.x + static_cast<float>(i) * (width + gap), area.y, width, area.height};
    };
    addMap(at(0), shown_.mean(), "mean, " + textsWords(), "on average", true);
    addMap(at(1), shown_.spread(), "spread", "spread of single texts around the mean", false);
    if (picture_.isThere(shown_.here())) addMap(at(2), shown_.here(), "this text", "in this text", false);
    const float high = std::clamp(rowHeight(area) * static_cast<float>(rows_.size()), 60.f, 120.f);
    addColorScale(scene_, input_, {legend.x + 8, legend.y + headings(), legend.width - 8, high}, scale_.map,
                  scale_.range);
  }
  float headings() const { return isOfParts() ? effectHeads : effectHeads + classNames; }
  float rowHeight(const Box& area) const {
    return std::min((area.height - headings()) / static_cast<float>(rows_.size()), mostEffectRow);
  }
  float rowNameWidth() const {
    const bool isOfText = !rows_.empty() && rows_.front() == "text";
    return picture_.config.isEncoderDecoder() || isOfText ? effectRowNames : narrowRowNames;
  }

  void addMap(const Box& area, const std::string& tensor, const std::string& title, const char* words,
              bool hasNames) {
    const int down = static_cast<int>(rows_.size());
    const float height = rowHeight(area);
    Matrix matrix;
    matrix.box = {area.x, area.y + headings(), area.width, height * static_cast<float>(down)};
    matrix.values = {tensor, {0, 0}, 0, 1}, matrix.map = scale_.map, matrix.range = scale_.range;
    matrix.gaps = true;  // not computed yet, or no such part
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, height > 36 && area.width > 320 ? Theme::body : Theme::small, 11);
    scene_.add(Rect{matrix.box, {0, 0, 0, 0}, theme_.line});
    addText(scene_, {area.x, area.y + 10}, title, theme_.strong()).maxWidth = area.width;
    addColumnNames(matrix.box);
    if (hasNames)
      addLabels(scene_, input_,
                {matrix.box, Side::Left, down, rowNameWidth() - 8,
                 [&](int i) { return rows_[static_cast<std::size_t>(i)]; }, [](int) { return false; },
                 FontFace::Ui});
    addHits(matrix, words);
    if (picture_.config.hasAttention() && isOfParts()) addSelected(matrix);
  }
  int across() const { return static_cast<int>(columns_.size()); }
  void addColumnNames(const Box& box) {
    const auto name = [&](int i) { return columns_[static_cast<std::size_t>(i)]; };
    if (!isOfParts())
      return addLabels(scene_, input_,
                       {box, Side::Top, across(), effectHeads + classNames - 24, name,
                        [](int) { return true; }, FontFace::Ui});
    for (int column = 0; column < across(); ++column)
      addText(scene_, {box.cell(0, column, 1, across()).center().x, box.y - 10}, name(column), theme_.note(),
              Align::Middle)
          .maxWidth = box.width / static_cast<float>(across()) + 4;
  }
  void addSelected(const Matrix& matrix) {
    const HeadId head = selected();
    const std::vector<CausalRow> rows = causalRows(picture_.config);
    for (int row = 0; row < static_cast<int>(rows.size()); ++row)
      if (rows[static_cast<std::size_t>(row)].site == head.site &&
          rows[static_cast<std::size_t>(row)].layer == head.layer)
        addOutline(scene_, matrix.box.cell(row, head.head, static_cast<int>(rows.size()), across()),
                   theme_.accent, 2);
  }
  void addHits(const Matrix& matrix, const char* words) {
    const auto cellOf = [columns = across()](const Target& target) {
      return target.cell.index[0] * columns + target.cell.index[1];
    };
    HitRegion& hit = addHitRegion(scene_, matrix.box, matrix.values, matrix.values.tensor);
    hit.rows = static_cast<int>(rows_.size()), hit.columns = across();
    hit.say = [cellOf, words, &shown = shown_, config = picture_.config](const Target& target) {
      const std::string name = nameOfCell(shown, config, cellOf(target));
      if (name.empty()) return std::string("no such component");
      return name + ", " + words + ": " + shown.meaning +
             (shown.columns != DatasetMetric::Columns::Parts ? ""
              : name.starts_with("head") ? "; click to list the texts with the largest effect"
                                         : "; a click opens this text in Ablation");
    };
    if (isOfParts())
      hit.click = [config = picture_.config, rows = causalRows(picture_.config)](const Target& target) {
        const auto part =
            causalPart(config, rows[static_cast<std::size_t>(target.cell.index[0])], target.cell.index[1]);
        if (!part || part->kind != ModelPart::Kind::Head)
          return commands::choosePicture("influence", "leave out");
        return commands::selectHead({part->layer, part->head, part->site});
      };
  }

  // The texts in which the selected head matters most.
  void addExamples(Box area) {
    const Box heading = area.takeTop(exampleHeading);
    const Box at = addChoices(scene_, input_, {heading.right(), heading.y}, corpusChoices(input_));
    const std::string title = "Largest effects of " + nameOf(selected());
    const float end = heading.x + input_.metrics.width(title, FontFace::Strong, Theme::small) + 12;
    addText(scene_, {heading.x, heading.y + 14}, title, theme_.strong()).maxWidth = at.x - heading.x - 16;
    const auto examples = scene_.sources.find(effects::example);
    if (!examples) {
      addText(scene_, {area.x, area.y + 12},
              number({effects::read, {1}}) == 0 ? "No text yet" : waitingWords(input_), theme_.note())
          .maxWidth = area.width;
      return;
    }
    most_ = roundedUp(std::max(rangeOf(scene_.sources, {effects::rises, {0, 0}, 0, 1}).high, 1e-3f));
    const std::string colours = "; colors to " + formattedShort(most_);
    const float room = at.x - end - 16;
    addText(scene_, {end, heading.y + 14},
            wordingFor(room, input_, theme_.note(),
                       {"rise of the loss when it is ablated, in nats" + colours,
                        "the loss rises by, in nats" + colours, "in nats", ""}),
            theme_.note());
    for (int i = 0; i < examples->extent[0] && area.height >= exampleRow; ++i)
      addExample(area.takeTop(exampleRow), i);
  }

  // By how much, which token suffers most, and the text in the colours of how much each does.
  void addExample(const Box& line, int example) {
    const TensorRef loss{effects::example, {example}};
    addText(scene_, {line.x + exampleNumber - 12, line.center().y}, formattedFixed(number(loss), 2),
            theme_.mono(), Align::End)
        .value = loss;
    const int worst = static_cast<int>(number({effects::worst, {example}}));
    const std::vector<int> tokens = tokensInRow(scene_.sources, effects::tokens, example);
    const std::string next = "“" + input_.entryLabel(tokens[static_cast<std::size_t>(worst) + 1]) + "”";
    const float words = std::min(128.0f, line.width * 0.2f);
    addText(scene_, {line.x + exampleNumber, line.center().y}, next, theme_.note()).maxWidth = words - 8;
    Box room{line.x + exampleNumber + words, line.y + 2, line.width - exampleNumber - words, line.height - 4};
    for (int t = firstShown(tokens, worst + 1, room.width); t < static_cast<int>(tokens.size()); ++t)
      if (!addToken(room, example, t, tokens[static_cast<std::size_t>(t)])) break;
    HitRegion& hit = addHitRegion(scene_, line, loss, "matters " + std::to_string(example));
    hit.target.text = "without " + nameOf(selected()) + " the loss of this text rises, most of all of " +
                      next + "; a click opens it";
    hit.click = [open = commands::openExample(
                     writingOfRow(input_, scene_.sources, effects::tokens, effects::source, example), worst,
                     false)](const Target&) { return open; };
  }
  float widthOfToken(int entry) const {
    return input_.metrics.width(input_.entryLabel(entry), FontFace::Mono, Theme::small) + 8;
  }
  // So that a token is in sight, with half of the room before it.
  int firstShown(const std::vector<int>& tokens, int token, float width) const {
    int first = token;
    for (float left = width * 0.7f; first > 0; --first)
      if ((left -= widthOfToken(tokens[static_cast<std::size_t>(first)])) < 0) break;
    return first;
  }
  // False where there is no room for it. The first token is said by nobody.
  bool addToken(Box& room, int example, int token, int entry) {
    const float width = widthOfToken(entry);
    if (width > room.width) return false;
    const Box box = room.takeLeft(width);
    Rgba ink = theme_.quiet;
    if (token > 0) {
      const TensorRef rise{effects::rises, {example, token - 1}};
      const Matrix matrix{box, rise, ColorMap::Diverging, {-most_, most_}};
      scene_.add(matrix);
      ink = inkOn(cellColor(matrix, number(rise), theme_.dark));
    }
    addText(scene_, box.center(), input_.entryLabel(entry), {FontFace::Mono, Theme::small, ink},
            Align::Middle);
    return true;
  }

  InfluencePicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const DatasetMetric& shown_;
  std::vector<std::string> rows_, columns_;
  Coloring scale_;
  float most_ = 1;
};

}  // namespace

void drawEffectsPicture(InfluencePicture& picture, Box area) {
  if (const std::string& missing = picture.input.snapshot.kept.missing; !missing.empty())
    picture.scene = emptyScene(picture.input, "No ablation", missing);
  else
    EffectsPicture(picture).draw(area);
}

}  // namespace glassformer
