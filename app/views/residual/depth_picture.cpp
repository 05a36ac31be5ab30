#include "app/views/residual/depth_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/document/attention_planes.h"
#include "app/document/depth_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/place_names.h"
#include "app/drawing/wording.h"
#include "app/engine/measurements.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "core/lens/depth_gradients.h"
#include "core/model/initialization.h"

namespace glassformer {

namespace {

constexpr std::uint64_t freshSeed = 1;

bool isOfFresh(const Workspace& workspace) {
  return workspace.settings.chosen(gradientWeights) == gradientOfFresh;
}

// The same model, with weights as training starts.
Transformer freshModel(const ModelConfig& config, const ProgressCallback& watch) {
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, freshSeed, watch);
  return {config, std::move(parameters)};
}

void measureDepth(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  const Stream stream = shownStream(pass.workspace, pass.config());
  const Prediction asked = predictionAsked(pass.workspace, pass.trace, pass.config());
  const ProgressCallback watch = begin("measuring gradients");
  const auto measure = [&](const Transformer& model) {
    measureDepthGradients(model, pass.trace, pass.workspace.interventions, asked, stream, set, watch);
  };
  if (isOfFresh(pass.workspace))
    measure(freshModel(pass.config(), watch));
  else
    measure(pass.model);
}

class DepthPicture {
 public:
  explicit DepthPicture(ResidualPicture& picture)
      : picture_(picture),
        theme_(picture.theme),
        variants_(depthVariants(picture.input.config())),
        isDifference_(picture.input.snapshot.isDifference()),
        isOne_(picture.input.workspace.settings.chosen(gradientTokens) == gradientOfToken) {}

  void draw(Box area) {
    addResidualHeader(picture_, area, aboutWords(), choices());
    if (!picture_.isThere(picture_.tensor(depthGradient::mean))) return addWaiting(picture_, area);
    const Box parts = area.takeRight(std::clamp(area.width * 0.36f, 190.0f, 480.0f));
    area.takeRight(area.width < 500 ? 12.0f : 28.0f);
    addCurves(area);
    addParts(parts);
  }

 private:
  static constexpr float titleRow = 22;

  // Of the whole plane of a variant, or of one token: a row through the places.
  TensorRef rowOf(int variant) const {
    if (isOne_) return {picture_.tensor(depthGradient::norms), {variant, 0, picture_.shown}, -1, 1};
    return {picture_.tensor(depthGradient::mean), {variant}, -1, 1};
  }
  TensorRef partAt(const char* part, int place) const {
    if (isOne_) return {picture_.tensor(part), {place, picture_.shown}};
    return {picture_.tensor(depthGradient::meanOf(part)), {place}};
  }
  float number(const TensorRef& ref) const {
    return valueOf(picture_.scene.sources, ref).value_or(std::numeric_limits<float>::quiet_NaN());
  }
  int variantCount() const {
    const auto losses = picture_.scene.sources.find(picture_.tensor(depthGradient::loss));
    return std::min(static_cast<int>(variants_.size()), losses ? losses->extent[0] : 0);
  }
  Rgba colorOf(int variant) const { return variant == 0 ? theme_.accent : headColor(variant, theme_.dark); }

  bool isNextTokens() const {
    return picture_.input.config().stack != Stack::EncoderOnly && picture_.input.countOf(Stream::Text) > 1;
  }
  std::string lossWords() const {
    if (isNextTokens())
      return "L: mean loss of " + countWords(picture_.input.countOf(Stream::Text) - 1, "next token");
    const Snapshot& snapshot = picture_.input.snapshot;
    const Prediction of = snapshot.pass->predicted;
    return "L: −ln p of “" + snapshot.model->entryLabel(of.entry) + "” at “" +
           picture_.input.label(of.position, Stream::Text) + "”";
  }
  std::string aboutWords() const {
    return "‖∂L / ∂x‖ after each sublayer, " +
           (isOne_ ? "at " + picture_.quoted(picture_.shown) : std::string("mean over tokens")) +
           (isDifference_ ? ": here minus there; " : "; ") + lossWords();
  }

  std::vector<std::vector<Choice>> choices() const {
    const bool isFresh = isOfFresh(picture_.input.workspace);
    return {
        {{"Mean", "Mean over the tokens", !isOne_, commands::choose(gradientTokens, "")},
         {"One token", "Only the selected token", isOne_, commands::choose(gradientTokens, gradientOfToken)}},
        {{"Trained", "The trained weights", !isFresh, commands::choose(gradientWeights, "")},
         {"Random init", "The same model with random initial weights (seed 1)", isFresh,
          commands::choose(gradientWeights, gradientOfFresh)}}};
  }

  // Logarithmic, for what vanishes does so by factors; linear where something is 0, and of a difference.
  Range rangeOfAll() const {
    float least = std::numeric_limits<float>::max(), most = 0;
    Range all{0, 0};
    for (int z = 0; z < variantCount(); ++z) {
      all = unionOf(all, rangeOf(picture_.scene.sources, rowOf(z)));
      if (const auto cells = plane(picture_.scene.sources, rowOf(z)))
        cells->forEach([&](const auto&, float value) {
          if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
        });
    }
    if (isDifference_) {
      const float end = symmetric(all).high;
      return {end > 0 ? -roundedUp(end) : -1, end > 0 ? roundedUp(end) : 1};
    }
    if (!(most > 0)) return {0, 1};
    if (!(least > 0)) return {0, roundedUp(most)};
    return {roundedDown(std::max(least, Range::smallest)), roundedUp(most), true};
  }

  // Each with its loss, in its colour.
  void addLosses(Box& area) {
    std::vector<LegendEntry> entries;
    for (int z = 0; z < variantCount(); ++z) {
      const TensorRef loss{picture_.tensor(depthGradient::loss), {z}};
      entries.push_back({std::string(variants_[static_cast<std::size_t>(z)].words) +
                             (isDifference_ ? ", ΔL = " : ", L = ") + formattedShort(number(loss)),
                         colorOf(z), 2.5f, loss});
    }
    area.takeTop(addLegend(picture_.scene, picture_.input, area, entries).height + 10);
  }

  void addCurves(Box area) {
    const float depth = tokenDepth(picture_, area);
    addLosses(area);
    area.takeLeft(depth), area.takeRight(scaleWidth);
    Box plot = area.takeTop(area.height * 0.5f);
    const Box axis = plot.takeBottom(axisHeight(picture_, plot.width));
    Plot lines{plot, rangeOfAll(), {}};
    for (int z = 0; z < variantCount(); ++z)
      lines.lines.push_back({rowOf(z), colorOf(z), z == 0 ? 3.0f : 2.0f, "", 1, true});
    addPlot(picture_.scene, picture_.input, lines, "gradient by depth", nullptr).say = sayDepth();
    addPlaces(picture_, axis);
    area.takeTop(8);
    addTokens(area, depth);
  }

  std::function<std::string(const Target&)> sayDepth() const {
    std::vector<TensorRef> rows;
    for (int z = 0; z < variantCount(); ++z) rows.push_back(rowOf(z));
    const int last = picture_.places - 1;
    return [rows, last, variants = variants_, sources = picture_.scene.sources, config = picture_.config,
            isDifference = isDifference_](const Target& target) {
      const int place = target.cell.index[1];
      std::string words = placeName(config, place);
      for (std::size_t z = 0; z < rows.size(); ++z) {
        const auto here = valueOf(sources, rows[z].cell(0, place)),
                   end = valueOf(sources, rows[z].cell(0, last));
        if (!here || !end) continue;
        words += "\n" + std::string(variants[z].words) + ": " + formatted(*here);
        if (!isDifference && *end > 0)
          words += ", " + formattedShort(*here / *end) + " times that at the end";
      }
      return words;
    };
  }

  // Of the model as it is, token by token.
  void addTokens(Box area, float depth) {
    area.height = std::min(area.height, 32.0f * static_cast<float>(picture_.count));
    TokenHeatmap heatmap;
    heatmap.box = area;
    heatmap.values = {picture_.tensor(depthGradient::norms), {}, 2, 1};
    const float most = rangeOf(picture_.scene.sources, heatmap.values).high;
    heatmap.scale = coloring(picture_.input, {heatmap.values},
                             {ColorMap::Sequential, {0, most > 0 ? roundedUp(most) : 1}});
    heatmap.depth = depth, heatmap.name = "gradient of each token";
    std::vector<std::string> labels;
    for (int i = 0; i < picture_.count; ++i) labels.push_back(picture_.label(i));
    heatmap.say = [labels, config = picture_.config](const Target& target) {
      return "“" + labels[static_cast<std::size_t>(target.token)] + "” " +
             placeName(config, target.cell.index[1]);
    };
    addTokenHeatmap(picture_, heatmap);
  }
  struct Part {
    const char *name, *words, *means;
    Rgba color;
  };
  std::array<Part, 3> parts() const {
    return {
        Part{depthGradient::whole, "arrives at x", "the gradient before", theme_.accent},
        Part{depthGradient::skip, "through the skip, × 1", "gradient through the skip around", theme_.quiet},
        Part{depthGradient::sublayer, "through the sublayer", "gradient through", theme_.feedForward}};
  }

  void sayParts(const Box& box, const std::string& words) {
    addLines(picture_.scene, picture_.input, {box.x, box.y + 40}, box.width, words, theme_.note(),
             Align::Start);
  }

  void addParts(Box box) {
    const std::string of = isOne_ ? " at " + picture_.quoted(picture_.shown) : "";
    addText(picture_.scene, {box.x, box.y + 8}, "∂L/∂x = skip + sublayer" + of, theme_.strong()).maxWidth =
        box.width;
    if (!picture_.isThere(picture_.tensor(depthGradient::skip)))
      return sayParts(box, "No residual connections: the gradient has no skip.");
    box.takeTop(titleRow);
    std::vector<LegendEntry> entries;
    for (const Part& part : parts()) entries.push_back({part.words, part.color, 0});
    box.takeTop(addLegend(picture_.scene, picture_.input, box, entries).height);
    addRest(box.takeBottom(24));
    box.takeTop(6);
    if (isOne_ && !isDifference_ && isNothing())
      return sayParts(box, "No loss depends on this token: its next token is not known.");
    float most = 0;
    std::vector<TensorRef> planes;
    for (const Part& part : parts())
      for (int place = 1; place < picture_.places; ++place) {
        planes.push_back(partAt(part.name, place));
        const float length = number(planes.back());
        if (std::isfinite(length)) most = std::max(most, std::abs(length));
      }
    const Range range = isDifference_ ? Range{-std::max(most, 1e-12f), std::max(most, 1e-12f)}
                                      : Range{0, most > 0 ? roundedUp(most) : 1};
    const int sums = picture_.places - 1;
    const float row = std::min(76.0f, box.height / static_cast<float>(sums));
    for (int place = 1; place < picture_.places; ++place) addSum(box.takeTop(row), place, range);
  }

  bool isNothing() const {
    for (int place = 0; place < picture_.places; ++place)
      if (number(rowOf(0).cell(0, place)) != 0) return false;
    return true;
  }

  // How far both parts are from the sum, at most: 0 but for rounding.
  void addRest(const Box& row) {
    float most = 0;
    TensorRef at;
    for (int place = 1; place < picture_.places; ++place)
      if (const TensorRef rest = partAt(depthGradient::rest, place); at.empty() || number(rest) > most)
        most = number(rest), at = rest;
    if (isDifference_ || at.empty()) return;
    const std::string words = "both sides differ by ≤ " + formatted(most);
    Text& text = addText(picture_.scene, {row.x, row.y + 14}, words, theme_.note());
    text.value = at, text.maxWidth = row.width;
    HitRegion& hit = addHitRegion(
        picture_.scene,
        {row.x, row.y + 4,
         std::min(row.width, picture_.input.metrics.width(words, FontFace::Ui, Theme::small)), 20},
        at, "both sides");
    hit.tabStop = false;
  }

  void addSum(Box box, int place, Range range) {
    const float thick = std::min(18.0f, box.height * 0.84f / 3);
    box = box.inset(0, (box.height - 3 * thick) / 2);
    const float label = box.width > 280 ? 74.0f : 52.0f;
    if (thick * 3 >= 13)
      addText(picture_.scene, {box.x, box.center().y}, placeLabel(picture_.config, place), theme_.note())
          .maxWidth = label - 6;
    box.takeLeft(label);
    for (const Part& part : parts()) {
      const Box line = box.takeTop(thick);
      const bool isNumbered = thick >= 13;
      const TensorRef length = partAt(part.name, place);
      if (!std::isfinite(number(length))) continue;
      HitRegion& hit = addBarRow(picture_.scene, picture_.input,
                                 {range, 0, isNumbered ? 60.0f : 0, thick - 1, formattedShort},
                                 {line, length, "", part.color},
                                 std::string(part.words) + ", " + placeLabel(picture_.config, place));
      hit.target.layer = blockOfPlace(picture_.config, place);
      if (isOne_) hit.target.token = picture_.shown, hit.target.tokens = picture_.stream;
      hit.target.text = std::string(part.means) + " " + placeWords(picture_.config, place);
      hit.tabStop = part.name == std::string_view(depthGradient::whole);
    }
  }

  ResidualPicture& picture_;
  const Theme& theme_;
  std::vector<DepthVariant> variants_;
  bool isDifference_, isOne_;
};

}  // namespace

namespace needs {
static void readDepth(const ViewSettings& from, ViewSettings& to) {
  to.influence.entry = from.influence.entry;
  readChoices<gradientWeights>(from, to);
}
const Need depthGradients{.name = "gradient by depth", .onPass = measureDepth, .reads = readDepth};
}  // namespace needs

void drawDepthPicture(ResidualPicture& picture, Box area) { DepthPicture(picture).draw(area); }

}  // namespace glassformer
