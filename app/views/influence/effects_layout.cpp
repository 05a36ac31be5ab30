#include "app/views/influence/effects_layout.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/effect_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/corpus_choices.h"
#include "app/drawing/text_examples.h"
#include "app/engine/effect_bench.h"
#include "app/scene/format.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

constexpr float effectRowNames = 80, narrowRowNames = 32, effectHeads = 44, effectScale = 64,
                mostEffectRow = 56, exampleRow = 26, exampleHeading = 36, exampleNumber = 56,
                leastEffects = 320, interventionNote = 20;

// Of one number the three pictures, and how it is called.
struct EffectShown {
  const char *mean, *spread, *here, *label, *tip, *choice;
};
constexpr EffectShown effectsShown[] = {
    {effects::loss, effects::lossSpread, effects::lossHere, "Loss",
     "by how much the loss of the tokens that come rises without each part", ""},
    {effects::logit, effects::logitSpread, effects::logitHere, "Logit",
     "what the logits of the tokens that come change by without each part", effectOnLogit},
    {effects::direct, effects::directSpread, effects::directHere, "Direct",
     "what each part itself adds to the logits of the tokens that come", effectDirect}};

const EffectShown& shownEffect(const ViewSettings& settings) {
  const auto found = std::ranges::find(effectsShown, settings.chosen(effectNumber), &EffectShown::choice);
  return found == std::end(effectsShown) ? effectsShown[0] : *found;
}

class EffectsPicture {
 public:
  explicit EffectsPicture(InfluenceView& view)
      : view_(view),
        scene_(view.scene),
        input_(view.input),
        theme_(view.theme),
        shown_(shownEffect(view.input.workspace.settings)),
        rows_(causalRows(view.config)),
        columns_(causalColumns(view.config)) {}

  void draw(Box area) {
    std::vector<Choice> numbers;
    for (const EffectShown& each : effectsShown)
      numbers.push_back(
          {each.label, each.tip, each.mean == shown_.mean, commands::choose(effectNumber, each.choice)});
    addInfluenceHeader(view_, area, "What each part does, over many texts",
                       std::string(shown_.tip) + ": what holds for one text may not hold for all", {numbers});
    area.takeTop(8);
    if (!view_.isThere(effects::loss)) return addInfluenceWaiting(view_, area);
    if (input_.workspace.interventions.size() > 0) addStanding(area.takeTop(interventionNote));
    area.height = std::max(area.height, leastEffects);
    scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    if (view_.config.attends()) {
      const float lines = std::clamp(std::floor((area.height * 0.42f - exampleHeading) / exampleRow), 3.0f,
                                     static_cast<float>(EffectBench::examplesKept));
      addExamples(area.takeBottom(exampleHeading + exampleRow * lines));
      area.takeBottom(12);
    }
    addMaps(area);
  }

 private:
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  HeadId selected() const { return selectedHead(input_.workspace, view_.config); }
  std::string textsWords() const {
    const float read = number({effects::read, {0}}), all = number({effects::read, {1}});
    const bool areLines = input_.workspace.settings.chosen(neuronCorpus) == corpusOfTabs;
    return (read < all ? formattedFixed(read, 0) + " of " : "") + formattedFixed(all, 0) +
           (areLines ? " line" : " text") + (all == 1 ? "" : "s") + (read < all ? " read" : "");
  }

  std::string nameOfRow(int row) const {
    const CausalRow& each = rows_[static_cast<std::size_t>(row)];
    const std::string name = nameOf(HeadId{each.layer, 0, each.site});
    return name.substr(0, name.rfind('H'));  // "L2", "cross.L2"
  }
  std::string nameOfColumn(int column) const {
    const int heads = columns_ - 2;
    return column < heads ? std::to_string(column) : column > heads ? "MLP" : heads > 0 ? "all" : "mix";
  }

  // Which of the interventions the passes over many texts went through.
  void addStanding(const Box& line) {
    const float all = number({effects::interventions, {0}}), here = number({effects::interventions, {1}});
    const std::string with = formattedFixed(all, 0) + " in every text",
                      alone = formattedFixed(here, 0) + " in this one alone, as it means nothing in others";
    addText(scene_, {line.x, line.y + 6},
            "interventions: " + (all > 0 ? with : "") + (all > 0 && here > 0 ? ", " : "") +
                (here > 0 ? alone : ""),
            theme_.note())
        .maxWidth = line.width;
  }

  // All on one scale: a spread as large as its mean is seen to be.
  void addMaps(Box area) {
    if (shown_.choice == std::string_view(effectDirect) && !isLogitSumOfParts(view_.config)) {
      addText(scene_, {area.x, area.y + 16}, "In this model a logit is no sum of what its parts add.",
              theme_.note())
          .maxWidth = area.width;
      return;
    }
    Range range{-1e-6f, 1e-6f};
    for (const char* tensor : {shown_.mean, shown_.here, shown_.spread})
      range = unionOf(range, rangeOf(scene_.sources, {tensor, {0, 0}, 0, 1}));
    scale_ = {ColorMap::Diverging, symmetric(range)};
    area.takeLeft(rowNames());
    const Box legend = area.takeRight(effectScale);
    const float gap = 10, width = (area.width - 2 * gap) / 3;
    const auto at = [&](int i) {
      return Box{area.x + static_cast<float>(i) * (width + gap), area.y, width, area.height};
    };
    addMap(at(0), shown_.mean, "mean, " + textsWords(), "on average", true);
    addMap(at(1), shown_.spread, "spread", "how far single texts lie from the mean", false);
    addMap(at(2), shown_.here, "this text", "in this text", false);
    addColorScale(scene_, input_, {legend.x + 8, legend.y + effectHeads, legend.width - 8, 120}, scale_.map,
                  scale_.range);
  }
  float rowNames() const { return view_.config.reads() ? effectRowNames : narrowRowNames; }

  void addMap(const Box& area, const char* tensor, const std::string& title, const char* words,
              bool hasNames) {
    const int down = static_cast<int>(rows_.size());
    const float height = std::min((area.height - effectHeads) / static_cast<float>(down), mostEffectRow);
    Matrix matrix;
    matrix.box = {area.x, area.y + effectHeads, area.width, height * static_cast<float>(down)};
    matrix.values = {tensor, {0, 0}, 0, 1}, matrix.map = scale_.map, matrix.range = scale_.range;
    matrix.gaps = true;  // not computed yet, or no such part
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, height > 36 && area.width > 320 ? Theme::body : Theme::small, 11);
    scene_.add(Rect{matrix.box, {0, 0, 0, 0}, theme_.line, 0, 1});
    addText(scene_, {area.x, area.y + 10}, title, theme_.strong()).maxWidth = area.width;
    for (int column = 0; column < columns_; ++column)
      addText(scene_, {matrix.box.cell(0, column, 1, columns_).center().x, matrix.box.y - 10},
              nameOfColumn(column), theme_.note(), Align::Middle)
          .maxWidth = area.width / static_cast<float>(columns_) + 4;
    if (hasNames)
      addLabels(scene_, input_,
                {matrix.box, Side::Left, down, rowNames() - 8, [&](int i) { return nameOfRow(i); },
                 [](int) { return false; }, FontFace::Ui});
    addHits(matrix, words);
    if (view_.config.attends()) addSelected(matrix);
  }
  void addSelected(const Matrix& matrix) {
    const HeadId head = selected();
    for (int row = 0; row < static_cast<int>(rows_.size()); ++row)
      if (rows_[static_cast<std::size_t>(row)].site == head.site &&
          rows_[static_cast<std::size_t>(row)].layer == head.layer)
        addOutline(scene_, matrix.box.cell(row, head.head, static_cast<int>(rows_.size()), columns_),
                   theme_.accent, 2);
  }
  void addHits(const Matrix& matrix, const char* words) {
    HitRegion hit;
    hit.box = matrix.box, hit.target.cell = matrix.values;
    hit.rows = static_cast<int>(rows_.size()), hit.columns = columns_;
    const auto partAt = [config = view_.config, rows = rows_](const Target& target) {
      return causalPart(config, rows[static_cast<std::size_t>(target.cell.index[0])], target.cell.index[1]);
    };
    hit.say = [partAt, words, what = std::string(shown_.tip)](const Target& target) {
      const auto part = partAt(target);
      if (!part) return std::string("there is no such part");
      return nameOf(*part) + ", " + words + ": " + what +
             (part->kind == ModelPart::Kind::Head ? "; a click looks for the texts where it matters most"
                                                  : "; a click shows every part left out of this text");
    };
    hit.click = [partAt](const Target& target) {
      const auto part = partAt(target);
      if (!part || part->kind != ModelPart::Kind::Head)
        return commands::choosePicture("influence", "leave out");
      return commands::selectHead({part->layer, part->head, part->site});
    };
    hit.name = matrix.values.tensor;
    scene_.hits.push_back(std::move(hit));
  }

  // The texts in which the selected head matters most.
  void addExamples(Box area) {
    const Box heading = area.takeTop(exampleHeading);
    const Box at = addChoices(scene_, input_, {heading.right(), heading.y}, corpusChoices(input_));
    const std::string title = "Where " + nameOf(selected()) + " matters most";
    const float end = heading.x + input_.metrics.width(title, FontFace::Strong, Theme::small) + 12;
    addText(scene_, {heading.x, heading.y + 14}, title, theme_.strong()).maxWidth = at.x - heading.x - 16;
    const auto examples = scene_.sources.find(effects::example);
    if (!examples) {
      addText(scene_, {area.x, area.y + 12},
              number({effects::read, {1}}) == 0 ? "There is no text." : waitingWords(input_), theme_.note())
          .maxWidth = area.width;
      return;
    }
    most_ = roundedUp(std::max(rangeOf(scene_.sources, {effects::rises, {0, 0}, 0, 1}).high, 1e-3f));
    if (at.x - end > 120)
      addText(scene_, {end, heading.y + 14},
              "by how much the loss rises without it, in nats; colours to " + formattedShort(most_),
              theme_.note())
          .maxWidth = at.x - end - 16;
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
    HitRegion hit;
    hit.box = line, hit.target.cell = loss;
    hit.target.text = "without " + nameOf(selected()) + " the loss of this text rises, most of all of " +
                      next + "; a click opens it";
    hit.name = "matters " + std::to_string(example);
    hit.click = [open = commands::openExample(
                     writingOfRow(input_, scene_.sources, effects::tokens, effects::source, example), worst,
                     false)](const Target&) { return open; };
    scene_.hits.push_back(std::move(hit));
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

  InfluenceView& view_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const EffectShown& shown_;
  std::vector<CausalRow> rows_;
  int columns_;
  Coloring scale_;
  float most_ = 1;
};

}  // namespace

void drawEffectsLayout(InfluenceView& view, Box area) {
  if (const std::string& missing = view.input.snapshot.kept.missing; !missing.empty())
    view.scene = emptyScene(view.input, "Nothing is left out here", missing);
  else
    EffectsPicture(view).draw(area);
}

}  // namespace glassformer
