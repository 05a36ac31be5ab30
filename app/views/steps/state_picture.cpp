#include "app/views/steps/state_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/model_commands.h"
#include "app/document/selection_commands.h"
#include "app/drawing/view_header.h"
#include "app/engine/measurements.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "core/lens/attention_stages.h"
#include "core/lens/linear_state.h"

namespace glassformer {

namespace {

void measureState(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  const HeadId head = selectedHead(pass.workspace, pass.config());
  if (whyNoLinearState(pass.config(), head.site).empty())
    measureLinearState(pass.config(), pass.trace, head, set);
}

void addStateHeader(AttentionPicture& picture, Box& area, const std::string& title,
                    const std::vector<std::vector<Choice>>& choices) {
  addViewHeader(picture.scene, picture.input, area,
                {title, "S ← S + φ(k) vᵀ,  z ← z + φ(k)", choices, FontFace::Mono});
}

// The state after one token with all that touches it, in line with its rows and columns: φ(k) and φ(q) stand
// beside it, v above and what is read out below. Of two texts all of it is what is here minus what is there.
class StatePicture {
 public:
  explicit StatePicture(AttentionPicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        theme_(picture.theme),
        token_(std::max(picture.query(), 0)),
        isDifference_(picture.input.snapshot.isDifference()) {
    width_ = scene_.sources.find(named(linearState::state))->extent[1];
  }

  void draw(Box area) {
    addStateHeader(picture_, area,
                   (isDifference_ ? "Change in the state of " : "State of ") + nameOf(picture_.selected) +
                       " after " + picture_.quotedQuery(token_),
                   {tokenChoices()});
    const float words = isDifference_ && !isInOneAlone() ? 24 : 48, least = words + leastPicture;
    if (area.height < least) {  // then the picture scrolls
      area.height = least;
      scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    }
    addWords(area.takeTop(words));
    // What came of each token stands beside the state where there is room, so that the state is larger.
    if (area.width > leastBeside) {
      Box right = area.takeRight(area.width * 0.45f);
      addScales(right.takeTop(scaleHeight + titles));
      addSteps(right);
    } else {
      addSteps(area.takeBottom(std::clamp(area.height * 0.32f, leastSteps, 220.0f)));
      area.takeBottom(8);
      addScales(area.takeRight(std::min(scalesWidth, area.width * 0.42f)));
    }
    addState(area);
  }

 private:
  static constexpr float strip = 18, gap = 8, titles = 24, leastSide = 72, leastSteps = 88;
  static constexpr float leastBeside = 800, scaleHeight = 160, scalesWidth = 280;
  static constexpr float leastPicture = leastSteps + gap + titles + 3 * strip + 2 * gap + leastSide + 8;

  std::string named(const char* tensor) const { return stageTensor(tensor, picture_.selected); }
  // A row of a table [T, K] at the shown token, laid across or down.
  TensorRef across(const std::string& table) const {
    TensorRef ref{table, {token_, 0}, 0, 1};
    ref.rowCount = 1;
    return ref;
  }
  TensorRef down(const std::string& table) const {
    TensorRef ref{table, {token_, 0}, 1, 0};
    ref.columnCount = 1;
    return ref;
  }
  // The same of a point [T, H', K].
  TensorRef acrossPoint(const char* point) const {
    TensorRef ref = atHead(attentionPoint(picture_.selected.layer, picture_.site, point));
    ref.rowDimension = 0, ref.columnDimension = 2, ref.rowCount = 1;
    return ref;
  }
  TensorRef featuresDown(const char* which) const {
    TensorRef ref = atHead(comparedPoint(scene_.sources, picture_.selected.layer, picture_.site, which));
    ref.rowDimension = 2, ref.columnDimension = 0, ref.columnCount = 1;
    return ref;
  }
  TensorRef atHead(const std::string& point) const {
    const int heads = scene_.sources.find(point)->extent[1];
    return {point, {token_, picture_.selected.head * heads / picture_.config.heads, 0}};
  }
  TensorRef state() const { return {named(linearState::state), {token_, 0, 0}, 1, 2}; }

  // One range for all tokens, so that what grows is seen to.
  Range rangeOfAll(const TensorRef& ref) const {
    TensorRef every = ref;
    every.index = {}, every.rowCount = every.columnCount = -1;
    return rangeOf(scene_.sources, every);
  }
  // The same of a point, over all tokens of its head.
  Range rangeOfHead(TensorRef ref) const {
    ref.index[0] = 0, ref.rowCount = ref.columnCount = -1;
    return rangeOf(scene_.sources, ref);
  }
  Coloring features() const {
    return ofPositive(unionOf(rangeOfHead(featuresDown("q")), rangeOfHead(featuresDown("k"))));
  }
  Coloring sums() const { return ofPositive(rangeOfAll(down(named(linearState::sum)))); }
  // Of numbers that are positive, as long as nothing is subtracted from them.
  Coloring ofPositive(Range all) const {
    if (isDifference_) return {ColorMap::Diverging, symmetric({0, roundedUp(symmetric(all).high)})};
    return {ColorMap::Sequential, {0, roundedUp(all.high)}};
  }
  Coloring states() const {
    Range all{0, 0};
    for (int t = 0; t < picture_.queries; ++t)
      all = unionOf(all, rangeOf(scene_.sources, {named(linearState::state), {t, 0, 0}, 1, 2}));
    return {ColorMap::Diverging, symmetric({0, roundedUp(symmetric(all).high)})};
  }
  Coloring values() const {
    const Range all =
        unionOf(rangeOfHead(acrossPoint("hook_v")), rangeOfAll(across(named(linearState::out))));
    return {ColorMap::Diverging, symmetric({0, roundedUp(symmetric(all).high)})};
  }

  std::vector<Choice> tokenChoices() const {
    const auto beside = [&](int by) {
      return commands::selectQuery((token_ + by + picture_.queries) % picture_.queries, picture_.asking);
    };
    return {{"Token before", "State after the previous token", false, beside(-1)},
            {"Token after", "State after the next token", false, beside(1)}};
  }

  // How much is kept, and how far what is read is from what the pass has.
  void addWords(const Box& box) {
    if (isDifference_) return addWordsOfDifference(box);
    const std::string K = std::to_string(width_), tokens = std::to_string(token_ + 1);
    addText(scene_, {box.x, box.y + 12},
            "Kept: " + K + " × " + K + " + " + K +
                " numbers, however long the text; keys and values would be 2 · " + tokens + " · " + K + ".",
            theme_.note())
        .maxWidth = box.width;
    const TensorRef error{named(linearState::error), {token_}};
    const float value = valueOf(scene_.sources, error).value_or(NAN);
    Text& text = addText(
        scene_, {box.x, box.y + 34},
        "out = φ(q)ᵀ S / φ(q)ᵀ z, at most " + formatted(value) + " from the output of the whole pattern",
        theme_.plain());
    text.value = error, text.maxWidth = box.width;
    addHitRegion(scene_, {box.x, box.y + 24, box.width, 20}, error, "apart");
  }

  // A state sums over all tokens so far, and so differs from the first on that does.
  void addWordsOfDifference(const Box& box) {
    addText(scene_, {box.x, box.y + 12},
            "This text minus the other one: the state of a head after all tokens so far.", theme_.note())
        .maxWidth = box.width;
    if (isInOneAlone())
      addText(scene_, {box.x, box.y + 34}, "Only one of the texts has this token.", theme_.plain()).maxWidth =
          box.width;
  }
  bool isInOneAlone() const { return std::isnan(valueOf(scene_.sources, sizeAfter(token_)).value_or(NAN)); }
  TensorRef sizeAfter(int t) const { return {named(linearState::size), {t}}; }

  void addState(Box area) {
    constexpr float pitch = strip + 22, beside = 92;
    const float wide = area.width - 2 * pitch - beside,
                high = area.height - titles - (strip + gap) - 2 * strip - gap;
    const float side = std::clamp(std::min(wide, high), leastSide, 480.0f);
    const float x = area.x + gap + 2 * pitch, y = area.y + titles + strip + gap;
    const Box keys{area.x + gap, y, strip, side}, queries{keys.x + pitch, y, strip, side};
    const Box square{x, y, side, side}, sum{square.right() + 34, y, strip, side};
    addPart(keys, featuresDown("k"), features(), "φ(k)");
    addPart(queries, featuresDown("q"), features(), "φ(q)");
    addPart(square, state(), states(), "S");
    addPart(sum, down(named(linearState::sum)), sums(), "z");
    const Box v{x, y - strip - gap, side, strip}, out{x, square.bottom() + gap, side, strip},
        own{x, out.bottom(), side, strip};
    addPart(v, acrossPoint("hook_v"), values(), "v");
    addPart(out, across(named(linearState::out)), values(), "out");
    addPart(own, acrossPoint("hook_z"), values(), "in the pass");
  }

  // What is down has its name above, what is across, and the square, at its right.
  void addPart(const Box& box, const TensorRef& values, const Coloring& colors, const char* name) {
    Matrix matrix{box, values, colors.map, colors.range};
    matrix.gaps = isDifference_;
    scene_.add(matrix);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    const bool isAcross = box.height == strip, isSquare = box.width == box.height && !isAcross;
    if (isAcross || isSquare)
      addText(scene_, {box.right() + 8, box.y + strip / 2}, name, theme_.note());
    else
      addText(scene_, {box.center().x, box.y - 12}, name, theme_.note(), Align::Middle);
    HitRegion& hit = addHitRegion(scene_, box, values, std::string("state ") + name);
    const TensorView cells = *plane(scene_.sources, values);
    hit.rows = cells.extent[0], hit.columns = cells.extent[1];
    if (isAcross || isSquare) hit.columnAxis = Axis::Dimension;
    hit.tabStop = isSquare;
  }

  void addScales(Box box) {
    box.takeTop(titles);
    float x = box.x;
    const auto scale = [&](const char* name, const Coloring& colors) {
      addText(scene_, {x, box.y - 12}, name, theme_.note());
      addColorScale(scene_, picture_.input, {x, box.y, 10, std::min(box.height, scaleHeight) - 16},
                    colors.map, colors.range);
      x += box.width / 4;
    };
    scale("φ", features()), scale("S", states()), scale("z", sums()), scale("v, out", values());
  }

  // ‖S_t‖ over the text; a click chooses the token.
  void addSteps(Box area) {
    const Box title = area.takeTop(28);
    addText(scene_, {title.x, title.y + 10},
            isDifference_ ? "‖S‖ after each token, minus that of the other text; click one"
                          : "‖S‖ after each token; click one",
            theme_.note())
        .maxWidth = title.width;
    const float depth = std::min(labelDepth(picture_, area), area.height - 24);
    const Range all = rangeOf(scene_.sources, {named(linearState::size), {}, -1, 0});
    const float most = roundedUp(isDifference_ ? symmetric(all).high : all.high);
    const Range range{isDifference_ ? -most : 0, most};
    area.takeLeft(52);
    area.width = std::min(area.width, 72.0f * static_cast<float>(picture_.queries));
    const Box plot{area.x, area.y, area.width, area.height - depth};
    addValueAxis(scene_, picture_.input, plot, range);
    for (int t = 0; t < picture_.queries; ++t) addStep(plot.cell(0, t, 1, picture_.queries), t, range, depth);
    AxisLabels labels{{plot.x, plot.bottom(), plot.width, 0}, Side::Bottom, picture_.queries, depth};
    labels.label = [&](int t) { return picture_.queryLabel(t); };
    labels.strong = [&](int t) { return t == token_; };
    addLabels(scene_, picture_.input, labels);
  }

  void addStep(const Box& column, int t, Range range, float depth) {
    const TensorRef size = sizeAfter(t);
    if (t == token_) scene_.add(Rect{column, theme_.raised});
    const float inset = std::max(1.0f, column.width * 0.2f);
    scene_.add(
        Bar{column.inset(inset, 0), size, range, t <= token_ ? theme_.attention : theme_.line, true, 1});
    HitRegion& hit = addHitRegion(scene_, {column.x, column.y, column.width, column.height + depth}, {},
                                  "state after " + std::to_string(t));
    hit.target = picture_.target();
    hit.target.cell = size, hit.target.query = t;
    hit.target.text = "the state after " + picture_.quotedQuery(t);
    hit.click = [stream = picture_.asking](const Target& target) {
      return commands::selectQuery(target.query, stream);
    };
    hit.arrows = [stream = picture_.asking, t = token_, last = picture_.queries - 1](int right, int) {
      return commands::selectQuery(std::clamp(t + right, 0, last), stream);
    };
    hit.tabStop = picture_.queries <= 64;
  }

  AttentionPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  int token_, width_ = 0;
  bool isDifference_;
};

// The model with linear attention in place of its own, and under the causal mask.
std::vector<Choice> wayToLinear(const AttentionPicture& picture) {
  const auto& loaded = picture.input.snapshot.model->loadedConfig;
  const bool isOther =
      picture.config.kernel != AttentionKernel::Linear || picture.config.mask.kind != MaskKind::Causal;
  if (!loaded || !isOther || picture.isAcross() || picture.site == AttentionSite::Encoder) return {};
  ModelChanges changes = picture.input.workspace.changes;
  for (const auto& [field, value] : {std::pair{"attention_kernel", "linear"}, {"mask", "causal"}})
    changes = withChange(changes, *loaded, field, value);
  return {{"Linear attention",
           "This model with linear attention, for which it was not trained (undo restores it)", false,
           commands::setModelChanges(changes)}};
}

}  // namespace

namespace needs {
const Need runningState{.name = "running state", .onPass = measureState};
}  // namespace needs

void drawStatePicture(AttentionPicture& picture, Box area) {
  const std::string reason = whyNoLinearState(picture.config, picture.site);
  if (reason.empty() && picture.scene.sources.contains(stageTensor(linearState::error, picture.selected)))
    return StatePicture(picture).draw(area);
  addStateHeader(picture, area, "Recurrent state", {});
  const Point middle = area.center();
  addText(picture.scene, middle,
          reason.empty() ? waitingWords(picture.input) : "No running state: " + reason + ".",
          {FontFace::Ui, Theme::body, picture.theme.quiet}, Align::Middle)
      .maxWidth = area.width;
  if (reason.empty() || picture.input.snapshot.isDifference()) return;
  const std::vector<Choice> way = wayToLinear(picture);
  addChoices(picture.scene, picture.input, {middle.x + widthOf(picture.input, way) / 2, middle.y + 24}, way);
}

}  // namespace glassformer
