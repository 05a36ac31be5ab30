#include "app/views/influence/integrated_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/attribution_settings.h"
#include "app/document/view_commands.h"
#include "app/scene/format.h"
#include "app/views/influence/attributed_text.h"
#include "core/lens/integrated_gradients.h"

namespace glassformer {

namespace {

constexpr float totalWidth = 104, totalHeight = 44, pathHeight = 132;

struct NamedTotal {
  integrated::Total place;
  const char* name;
  const char* meaning;
};
constexpr std::array namedTotals{
    NamedTotal{integrated::atInput, "z(x)", "z of the text"},
    NamedTotal{integrated::atBaseline, "z(x′)", "z of the baseline"},
    NamedTotal{integrated::difference, "z(x) − z(x′)", "total to attribute"},
    NamedTotal{integrated::sum, "Σ tokens", "sum of the tokens' attributions"},
    NamedTotal{integrated::error, "error", "error of that sum"},
    NamedTotal{integrated::steps, "gradients", "gradient steps along the path"},
};

class IntegratedPicture {
 public:
  explicit IntegratedPicture(InfluencePicture& picture)
      : picture_(picture),
        input_(picture.input),
        theme_(picture.theme),
        entry_(picture.input.snapshot.pass->predicted.entry),
        against_(chosenAgainst(picture.input.workspace.settings, entry_, picture.config.vocabulary)),
        baseline_(chosenBaseline(picture.input.workspace.settings, picture.config.vocabulary)) {
    for (const Stream stream : picture.streams)
      text_.numbers.push_back(
          {stream == Stream::Source ? integrated::source : integrated::tokens, {}, -1, 0, -1, -1});
  }

  void draw(Box area) {
    addInfluenceHeader(picture_, area, title(), about(), {baselines(), counts()});
    area.takeTop(8);
    Box column = area.takeRight(std::clamp(area.width * 0.24f, 168.0f, 264.0f));
    area.takeRight(24);
    addAttributedLogits(picture_, column, entry_, against_);
    if (!picture_.isThere(integrated::total)) return addInfluenceWaiting(picture_, area);
    addTotals(area);
    text_.scale = scale();
    if (picture_.isThere(integrated::path))
      addPath(column.takeBottom(std::min(pathHeight, column.height * 0.5f)));
    addColorScale(picture_.scene, input_,
                  {column.x + 8, column.y, column.width, std::min(column.height - 16, 160.0f)},
                  text_.scale.map, text_.scale.range);
    addTokens(area);
  }

 private:
  Choice choice(const char* label, const char* tip, bool on, const char* id, const std::string& value) const {
    return {label, tip, on, commands::choose(id, value)};
  }
  std::vector<Choice> baselines() const {
    using enum Baseline::Kind;
    const auto tokenizer = input_.snapshot.model->tokenizer;
    const int token = baseline_.kind == Token ? baseline_.token : tokenizer ? emptyToken(*tokenizer) : 0;
    return {choice("Zero", "Baseline: all embeddings are 0", baseline_.kind == Zero, baselineChoice, ""),
            choice("Mean", "Baseline: the mean embedding of the vocabulary", baseline_.kind == Mean,
                   baselineChoice, meanBaseline),
            choice("Token", "Baseline: the embedding of one token (Ctrl-click a token of the text)",
                   baseline_.kind == Token, baselineChoice, std::to_string(token))};
  }
  std::vector<Choice> counts() const {
    const int chosen = chosenGradients(input_.workspace.settings);
    const auto count = [&](const char* label, int most) {
      return choice(label, "Maximum gradient steps along the path; the worst intervals are refined",
                    chosen == most, gradientsChoice, most == usualGradients ? "" : label);
    };
    return {count("16", fewGradients), count("128", usualGradients), count("4096", manyGradients)};
  }

  std::string quotedEntry(int entry) const { return "“" + input_.entryLabel(entry) + "”"; }
  // "“ tired” after “ too”", of a side of a difference.
  static std::string answerOf(const Snapshot& side) {
    const auto [position, entry] = side.pass->predicted;
    return "“" + side.model->entryLabel(entry) + (side.model->continues() ? "” after “" : "” at “") +
           side.pass->tokens[static_cast<std::size_t>(position)].label + "”";
  }
  std::string title() const {
    if (isDifference_)
      return picture_.titleOf("Integrated gradients", answerOf(*input_.snapshot.sides->a) + " minus " +
                                                          answerOf(*input_.snapshot.sides->b));
    return picture_.titleOf("Integrated gradients", picture_.contrastWords(entry_, against_));
  }
  std::string about() const {
    const std::string from = baseline_.kind == Baseline::Kind::Zero   ? "x′ = 0"
                             : baseline_.kind == Baseline::Kind::Mean ? "x′, the mean embedding"
                                                                      : "x′, " + quotedEntry(baseline_.token);
    const std::string path = "(x_s − x′) · ∫ ∂z / ∂x_s dα along the path from " + from;
    return isDifference_ ? "here minus there, of every token that both texts have: " + path : path;
  }
  std::string attributed() const {
    if (isDifference_) return "contribution to z here, minus that in the other text";
    return against_ < 0 ? "the logit z of " + quotedEntry(entry_)
                        : "z, by which " + quotedEntry(entry_) + " minus " + quotedEntry(against_);
  }

  TensorRef total(int place) const { return {integrated::total, {place}}; }
  float number(const TensorRef& ref) const { return valueOf(picture_.scene.sources, ref).value_or(NAN); }

  // The numbers that have to agree, side by side, or in two lines.
  // Of a difference without what its two sums are off by: that is no difference of theirs.
  void addTotals(Box& area) {
    const int all = isDifference_ ? integrated::error : static_cast<int>(namedTotals.size()),
              columns = area.width >= totalWidth * static_cast<float>(all) ? all : all / 2,
              rows = all / columns;
    const Box table = area.takeTop(totalHeight * static_cast<float>(rows) + 12);
    for (int i = 0; i < all; ++i) {
      const NamedTotal& named = namedTotals[static_cast<std::size_t>(i)];
      const Box cell{table.x + totalWidth * static_cast<float>(i % columns),
                     table.y + totalHeight * static_cast<float>(i / columns), totalWidth, totalHeight};
      const float value = number(total(named.place));
      addText(picture_.scene, {cell.x, cell.y + 10}, named.name, theme_.note()).maxWidth = cell.width - 8;
      addText(picture_.scene, {cell.x, cell.y + 30},
              named.place == integrated::steps ? formattedFixed(value, 0) : formatted(value),
              {FontFace::Mono, Theme::body, theme_.text})
          .value = total(named.place);
      HitRegion& hit =
          addHitRegion(picture_.scene, cell, total(named.place), std::string("total ") + named.name);
      hit.target.text = named.meaning;
      if (isDifference_) hit.target.text += ", here minus there";
    }
  }

  Coloring scale() const {
    Range range{0, 0};
    for (const TensorRef& ref : text_.numbers) range = unionOf(range, rangeOf(picture_.scene.sources, ref));
    const float most = symmetric(range).high, end = most > 1e-6f ? roundedUp(most) : 1;
    return {ColorMap::Diverging, {-end, end}};
  }

  void addTokens(const Box& area) {
    text_.say = [&](int token, Stream stream, float value) {
      if (std::isnan(value)) return "one text alone has " + picture_.quoted(token, stream);
      return value == 0 ? "nothing of " + picture_.quoted(token, stream) + " reaches " + attributed()
                        : "what " + picture_.quoted(token, stream) + " adds to " + attributed();
    };
    text_.extend = [pass = input_.snapshot.pass](const Target& target) {
      const auto& of = pass->tokensOf(target.tokens);
      return commands::choose(baselineChoice, std::to_string(of[static_cast<std::size_t>(target.token)].id));
    };
    addAttributedText(picture_, area, text_);
  }
  // z where the path is divided, from the baseline to the text.
  void addPath(Box box) {
    if (box.height < 96) return;
    addText(picture_.scene, {box.x, box.y + 10}, "z along the path", theme_.strong());
    box.takeTop(28);
    const Box foot = box.takeBottom(22);
    box = box.inset(8, 4);
    const TensorView path = *picture_.scene.sources.find(integrated::path);
    Range up{path(0, 1), path(0, 1)};
    for (int i = 0; i < path.extent[0]; ++i) up = unionOf(up, {path(i, 1), path(i, 1)});
    if (up.low == up.high) up.high = up.low + 1;
    Line line{{}, theme_.attention, 1.5f};
    for (int i = 0; i < path.extent[0]; ++i) {
      const Dot dot{box, {integrated::path, {i, 0}, -1, 1}, {0, 1}, up, 2.5f, theme_.attention};
      line.points.push_back(dotCenter(dot, path(i, 0), path(i, 1)));
      picture_.scene.add(dot);
    }
    picture_.scene.add(Line{{{box.x, box.bottom() + 4}, {box.right(), box.bottom() + 4}}, theme_.line});
    picture_.scene.add(std::move(line));
    addText(picture_.scene, {foot.x + 4, foot.y + 12}, "baseline", theme_.note()).maxWidth = foot.width / 2;
    addText(picture_.scene, {foot.right() - 4, foot.y + 12}, "text", theme_.note(), Align::End);
  }

  InfluencePicture& picture_;
  const SceneInput& input_;
  const Theme& theme_;
  int entry_, against_;
  bool isDifference_ = input_.snapshot.isDifference();
  Baseline baseline_;
  AttributedText text_;
};

}  // namespace

void drawIntegratedPicture(InfluencePicture& picture, Box area) { IntegratedPicture(picture).draw(area); }

}  // namespace glassformer
