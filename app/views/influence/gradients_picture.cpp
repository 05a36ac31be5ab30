#include "app/views/influence/gradients_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/lookup_settings.h"
#include "app/document/selection_commands.h"
#include "app/drawing/head_choices.h"
#include "app/engine/measurements.h"
#include "app/scene/format.h"
#include "app/scene/legend.h"
#include "core/lens/head_gradients.h"

namespace glassformer {

namespace {

void measureGradients(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (!whyNoHeadGradients(pass.config()).empty() || !begin("measuring gradients")(0, 1)) return;
  measureHeadGradients(pass.model, pass.trace, pass.workspace.interventions,
                       selectedHead(pass.workspace, pass.config()),
                       predictionAsked(pass.workspace, pass.trace, pass.config()), set,
                       chosenTemperature(pass.workspace.settings, gradientTemperatureChoice));
}

void readAskedEntry(const ViewSettings& from, ViewSettings& to) {
  to.influence.entry = from.influence.entry;
  readChoices<gradientTemperatureChoice>(from, to);
}

// What a gradient can reach of a head.
struct ReachedPart {
  const char *id, *plural;
};
constexpr std::array reachedParts{ReachedPart{"q", "queries"}, ReachedPart{"k", "keys"},
                                  ReachedPart{"v", "values"}};
constexpr std::array<const char*, 2> kernelNames{"softmax", "argmax"};

class GradientBars {
 public:
  explicit GradientBars(InfluencePicture& picture)
      : picture_(picture),
        theme_(picture.theme),
        head_(selectedHead(picture.input.workspace, picture.config)),
        isDifference_(picture.input.snapshot.isDifference()) {
    const Snapshot& snapshot = picture.input.snapshot;
    prediction_ = picture.prediction(snapshot.model->entryLabel(snapshot.pass->predicted.entry),
                                     snapshot.pass->predicted.position);
  }

  void draw(Box area) {
    addInfluenceHeader(picture_, area,
                       (isDifference_ ? "Change of gradients, " : "Q/K/V gradients, ") + nameOf(head_),
                       prediction_ + ": " + aboutWords(), {neighbouringHeads(picture_.config, head_)});
    const int axes = sharesAxis() ? 1 : 2;
    const auto partHeight = [&](float deep) {
      return (area.height - legend - vectors - deep * static_cast<float>(axes)) / 3;
    };
    isLow_ = partHeight(labelDepth()) < (isDifference_ ? 92.0f : 64.0f);
    const float depth = std::min(labelDepth(), isLow_ ? lowDepth : labelDepth()),
                depths = depth * static_cast<float>(axes);
    const float least = legend + vectors + depths + 3 * leastPart;
    if (isDifference_ && area.height < least) {  // of which half is above and half below; then it scrolls
      area.height = least;
      picture_.scene.size.y = std::max(picture_.scene.size.y, area.bottom() + 16);
    }
    addLegend(picture_.scene, picture_.input, area.takeTop(legend), kernels());
    addVectors(area.takeBottom(vectors));
    const float each = (area.height - depths) / 3;
    if (!isLow_) area.takeLeft(scaleDepth());
    for (const ReachedPart& part : reachedParts) {
      const bool isLabelled = part.id != std::string("k") && (part.id == std::string("v") || !sharesAxis());
      addPart(part, area.takeTop(each + (isLabelled ? depth : 0)), isLabelled ? depth : 0);
    }
  }

 private:
  // Where there is little height, titles stand beside their plots.
  static constexpr float legend = 26, vectors = 74, leastPart = 44, lowDepth = 64, titleBeside = 148;

  Stream streamOf(const ReachedPart& part) const {
    return part.id == std::string("q") ? queriesOf(head_.site) : keysOf(head_.site);
  }
  // Whether one row of tokens below all three is enough.
  bool sharesAxis() const { return queriesOf(head_.site) == keysOf(head_.site); }
  TensorRef norm(const ReachedPart& part, int kernel, int token) const {
    return {headGradient::norms(part.id), {kernel, token}};
  }
  float number(const TensorRef& ref) const { return valueOf(picture_.scene.sources, ref).value_or(NAN); }
  int reachedTokens(const ReachedPart& part, int kernel) const {
    int count = 0;
    for (int t = 0; t < picture_.count(streamOf(part)); ++t) {
      const float reached = number(norm(part, kernel, t));
      count += reached != 0 && !std::isnan(reached);  // it is none where one of two texts has no such token
    }
    return count;
  }
  Rgba colorOf(int kernel) const { return headColor(kernel, theme_.dark); }
  // Where a temperature is said, too, there is less room.
  std::string everyHead() const {
    return chosenTemperature(picture_.input.workspace.settings, gradientTemperatureChoice) == 1
               ? " in every head"
               : "";
  }
  // "softmax", "softmax at τ = 0.3", "softmax, τ → 0".
  std::string kernelWords(int kernel) const {
    const std::string name = kernelNames[static_cast<std::size_t>(kernel)];
    const float temperature = chosenTemperature(picture_.input.workspace.settings, gradientTemperatureChoice);
    if (kernel == headGradient::argmax || temperature == 1) return name;
    return name + (temperature == 0 ? ", τ → 0" : " at τ = " + formattedShort(temperature));
  }

  // Only what was computed is said.
  std::string aboutWords() const {
    if (isDifference_) return "‖∂z / ∂q‖, ‖∂z / ∂k‖, ‖∂z / ∂v‖ here minus those of the other text";
    const bool isNothing = reachedTokens(reachedParts[0], headGradient::argmax) == 0 &&
                           reachedTokens(reachedParts[1], headGradient::argmax) == 0;
    return isNothing ? "the gradient of argmax is 0: W_Q and W_K do not learn"
                     : "‖∂z / ∂q‖, ‖∂z / ∂k‖, ‖∂z / ∂v‖ of the logit z";
  }

  std::vector<LegendEntry> kernels() const {
    std::vector<LegendEntry> entries;
    for (int kernel = 0; kernel < 2; ++kernel) {
      const TensorRef logit{headGradient::logit, {kernel}};
      entries.push_back({kernelWords(kernel) + everyHead() + (isDifference_ ? ", Δz = " : ", z = ") +
                             formatted(number(logit)),
                         colorOf(kernel), 0, logit});
    }
    return entries;
  }

  float labelDepth() const {
    const float widest = std::max(picture_.input.widestLabel(queriesOf(head_.site), Theme::small),
                                  picture_.input.widestLabel(keysOf(head_.site), Theme::small));
    return std::clamp(std::ceil((widest + 16) / 8) * 8, 40.0f, 88.0f);
  }
  float endOf(const ReachedPart& part) const {
    const Range all = rangeOf(picture_.scene.sources, {headGradient::norms(part.id), {}, 0, 1});
    const float most = isDifference_ ? symmetric(all).high : all.high;
    return most > 0 ? roundedUp(most) : 1;
  }
  float scaleDepth() const {
    float width = 24;
    for (const ReachedPart& part : reachedParts)
      width = std::max(
          width, picture_.input.metrics.width(formattedShort(endOf(part)), FontFace::Mono, Theme::small));
    return std::ceil(width) + 12;
  }

  void addPart(const ReachedPart& part, Box box, float depth) {
    const Stream stream = streamOf(part);
    const int count = picture_.count(stream);
    const Box tokens = box.takeBottom(depth);
    if (isLow_)
      addPartTitle(part, box.takeLeft(titleBeside), count), box.takeLeft(scaleDepth()), box.takeTop(4);
    else
      addPartTitle(part, box.takeTop(24), count);
    box.takeBottom(4);
    const Range range{isDifference_ ? -endOf(part) : 0, endOf(part)};
    const TextStyle quiet = theme_.quietMono();
    addText(picture_.scene, {box.x - 8, box.y + 6}, formattedShort(range.high), quiet, Align::End);
    const float zero = box.bottom() - range.fraction(0) * box.height;
    if (box.height > 30)
      addText(picture_.scene, {box.x - 8, zero - (isDifference_ ? 0 : 6)}, "0", quiet, Align::End);
    picture_.scene.add(Line{{{box.x, zero}, {box.right(), zero}}, theme_.line});
    const Box plot{box.x, box.y, std::min(box.width, 72.0f * static_cast<float>(count)), box.height};
    for (int token = 0; token < count; ++token)
      addToken(part, plot.cell(0, token, 1, count), range, token, depth);
    if (depth <= 0) return;
    AxisLabels labels{{plot.x, tokens.y, plot.width, 0}, Side::Bottom, count, depth};
    labels.label = [&](int i) { return picture_.input.label(i, stream); };
    labels.strong = [&](int i) { return isAsked(i, stream) || picture_.isPointed(i, stream); };
    addLabels(picture_.scene, picture_.input, labels);
  }
  bool isAsked(int token, Stream stream) const {
    return stream == Stream::Text && token == picture_.position;
  }

  // "queries  ‖∂z / ∂q‖", and how many tokens something reaches through argmax.
  void addPartTitle(const ReachedPart& part, const Box& box, int count) {
    const int reached = reachedTokens(part, headGradient::argmax);
    const std::string ofAll = std::to_string(reached) + " of " + std::to_string(count) + " tokens",
                      words = reached == 0 && isDifference_ ? "argmax: no difference"
                              : reached == 0 && isLow_      ? "argmax: exactly 0"
                              : reached == 0                ? "argmax: exactly 0 for every token"
                              : isLow_                      ? "argmax: " + ofAll
                              : isDifference_               ? "argmax: a difference at " + ofAll
                                              : "argmax: " + ofAll + ", those that are selected";
    const float width = isLow_ ? 0 : picture_.input.metrics.width(words, FontFace::Ui, Theme::small);
    addText(picture_.scene, {box.x, box.y + 10}, std::string(part.plural) + ", ‖∂z / ∂" + part.id + "‖",
            theme_.strong())
        .maxWidth = box.width - width - 16;
    const Point at = isLow_ ? Point{box.x, box.y + 28} : Point{box.right(), box.y + 10};
    addText(picture_.scene, at, words,
            {FontFace::Ui, Theme::small, reached == 0 ? theme_.text : theme_.quiet},
            isLow_ ? Align::Start : Align::End)
        .maxWidth = box.width;
  }

  void addToken(const ReachedPart& part, const Box& column, Range range, int token, float depth) {
    const Stream stream = streamOf(part);
    if (isAsked(token, stream) || picture_.isPointed(token, stream))
      picture_.scene.add(Rect{column, theme_.raised});
    const float width = std::min(column.width * 0.4f, 18.0f), middle = column.center().x;
    for (int kernel = 0; kernel < 2; ++kernel) {
      if (number(norm(part, kernel, token)) == 0) continue;  // a bar of nothing would look like a little
      picture_.scene.add(Bar{{middle + (kernel == 0 ? -width : 0), column.y, width, column.height},
                             norm(part, kernel, token),
                             range,
                             colorOf(kernel),
                             true,
                             1});
    }
    HitRegion& hit = addHitRegion(picture_.scene, {column.x, column.y, column.width, column.height + depth},
                                  norm(part, headGradient::softmax, token),
                                  std::string(part.plural) + " " + std::to_string(token));
    hit.target.token = token, hit.target.tokens = stream;
    hit.target.text = picture_.quoted(token, stream) + ": through softmax " +
                      formatted(number(norm(part, headGradient::softmax, token))) + ", through argmax " +
                      formatted(number(norm(part, headGradient::argmax, token)));
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
    hit.tabStop = picture_.count(stream) <= 64;
  }

  // Which vector stands at the foot: what is pointed at, else the query of the prediction's own token where
  // it has one here, or the first value.
  std::pair<ReachedPart, int> shownVector() const {
    const TensorRef& cell = picture_.input.hover.cell;
    for (const ReachedPart& part : reachedParts)
      if ((cell.tensor == headGradient::norms(part.id) || cell.tensor == headGradient::vectors(part.id)) &&
          cell.index[1] < picture_.count(streamOf(part)))
        return {part, cell.index[1]};
    return {reachedParts[0], picture_.count(streamOf(reachedParts[0])) - 1 < picture_.position
                                 ? 0
                                 : std::max(picture_.position, 0)};
  }

  // Its gradient through softmax and through argmax, dimension by dimension.
  void addVectors(Box area) {
    const auto [part, token] = shownVector();
    const Box words = area.takeTop(24);
    addText(picture_.scene, {words.x, words.y + 12},
            std::string("∂z / ∂") + part.id + " of " + picture_.quoted(token, streamOf(part)) +
                ", by dimension; point at a bar for another",
            theme_.note())
        .maxWidth = words.width;
    Box box = area;
    box.takeLeft(64), box.takeRight(84), box.takeBottom(6);
    const TensorRef vectors{headGradient::vectors(part.id), {0, token, 0}, 0, 2};
    const Range range = symmetric(rangeOf(picture_.scene.sources, vectors));
    Matrix matrix{box, vectors, ColorMap::Diverging, range};
    matrix.gaps = isDifference_;
    picture_.scene.add(matrix);
    picture_.scene.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    for (int kernel = 0; kernel < 2; ++kernel)
      addText(picture_.scene, {box.x - 8, box.cell(kernel, 0, 2, 1).center().y},
              kernelNames[static_cast<std::size_t>(kernel)], theme_.note(), Align::End);
    addColorScale(picture_.scene, picture_.input, {box.right() + 12, box.y, 0, box.height},
                  ColorMap::Diverging, range);
    HitRegion& hit = addHitRegion(picture_.scene, box, vectors, "gradient of a vector");
    hit.rows = 2, hit.columns = plane(picture_.scene.sources, vectors)->extent[1];
    hit.columnAxis = Axis::Dimension;
  }

  InfluencePicture& picture_;
  const Theme& theme_;
  HeadId head_;
  std::string prediction_;
  bool isDifference_, isLow_ = false;
};

}  // namespace

namespace needs {
const Need headGradients{.name = "gradients in a head", .onPass = measureGradients, .reads = readAskedEntry};
}  // namespace needs

void drawGradientsPicture(InfluencePicture& picture, Box area) {
  const std::string reason = whyNoHeadGradients(picture.config);
  if (reason.empty() && picture.isThere(headGradient::logit)) return GradientBars(picture).draw(area);
  addInfluenceHeader(picture, area, "Gradients through softmax and argmax", reason);
  if (reason.empty()) return addInfluenceWaiting(picture, area);
  addText(picture.scene, area.center(), "No gradients: " + reason + ".", picture.theme.note(), Align::Middle)
      .maxWidth = area.width;
}

}  // namespace glassformer
