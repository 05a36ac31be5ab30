#include "app/views/influence/patch_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/switches.h"
#include "app/document/view_commands.h"
#include "app/drawing/wording.h"
#include "app/engine/patch_map.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float patchRowName = 72, mostPatchHeight = 96, mostPatchWidth = 96, patchLegend = 84;

class PatchPicture {
 public:
  explicit PatchPicture(InfluencePicture& picture)
      : picture_(picture),
        input_(picture.input),
        theme_(picture.theme),
        kind_(patchKind(picture.input.workspace.settings)),
        metric_(chosenMetric(picture.input.workspace.settings, usualPatchMetric)),
        isShare_(picture.input.workspace.settings.chosen(patchShare) == patchAsShare &&
                 picture.isThere(patching::share)),
        values_{isShare_ ? patching::share : patching::change, {0, 0}, 0, 1} {}

  void draw(Box area) {
    addInfluenceHeader(picture_, area, title(),
                       "Each patch takes one activation from the other text; later layers are recomputed",
                       {choices(), {share()}}, metricChoicesOf(input_.workspace.settings, usualPatchMetric));
    area.takeTop(8);
    if (!input_.workspace.comparison.isOn())
      return say(area, "Compare with another text first: + opens one in a tab, C sets both side by side.");
    const TracePoint* changes = picture_.scene.sources.point(patching::change);
    if (!changes || changes->letters.ends_with('H') != kind_.byHead)
      return addInfluenceWaiting(picture_, area);
    if (metric_.isDifference) addLead(area.takeTop(28));
    addMap(area);
  }

 private:
  std::string answer(int entry) const { return "“" + input_.entryLabel(entry) + "”"; }
  float number(const char* tensor) const {
    return valueOf(picture_.scene.sources, {tensor, {0}}).value_or(0);
  }

  std::string title() const {
    return picture_.titleOf(
        "Activation patching",
        picture_.prediction(input_.entryLabel(input_.snapshot.pass->predicted.entry), picture_.position));
  }
  std::vector<Choice> choices() const {
    std::vector<Choice> all;
    for (const PatchKind& kind : patchKinds)
      all.push_back(
          {kind.label, kind.tip, &kind == &kind_,
           commands::changeSettings([id = kind.id](ViewSettings& s) { s.choices[patchChoice] = id; })});
    return all;
  }
  Choice share() const {
    return {"Normalized", "0: value of the open text; 1: value of the other text (Wang et al. 2022)",
            isShare_, commands::choose(patchShare, isShare_ ? "" : patchAsShare)};
  }
  void say(const Box& area, const std::string& words) {
    addLines(picture_.scene, input_, area.center(), area.width, words,
             {FontFace::Ui, Theme::body, theme_.quiet});
  }

  // "·animal is ahead of ·street by 8.31", which patches change.
  void addLead(const Box& row) {
    const int other = static_cast<int>(number(patching::other)), own = input_.snapshot.pass->predicted.entry;
    const std::string words = other == own ? "both texts are answered by " + answer(own) + ", whose logit is "
                                           : answer(own) + " minus " + answer(other) + " by ";
    Text& text = addText(picture_.scene, {row.x, row.center().y}, words + formatted(number(patching::lead)),
                         theme_.plain());
    text.maxWidth = row.width;
    addHitRegion(picture_.scene, row, {patching::lead, {0}}, "lead");
  }

  void addMap(Box area) {
    const TensorView cells = *picture_.scene.sources.find(patching::change);
    const int rows = cells.extent[0], columns = cells.extent[1];
    const float above = kind_.byHead ? 28.0f : std::min(96.0f, area.height * 0.25f);
    const Box legend = area.takeRight(patchLegend);
    const float width = std::min((area.width - patchRowName) / static_cast<float>(columns), mostPatchWidth),
                height = std::min((area.height - above) / static_cast<float>(rows), mostPatchHeight);
    const Box map{area.x + patchRowName, area.y + above, width * static_cast<float>(columns),
                  height * static_cast<float>(rows)};
    Matrix matrix;
    matrix.values = values_, matrix.box = map, matrix.map = ColorMap::Diverging;
    matrix.range = symmetric(rangeOf(picture_.scene.sources, values_));
    picture_.scene.add(matrix);
    addCellNumbers(picture_.scene, input_, matrix, Theme::small, 11);
    picture_.scene.add(Rect{map, {0, 0, 0, 0}, theme_.line});
    addColorScale(picture_.scene, input_,
                  {legend.x + 12, map.y, legend.width - 12, std::min(160.0f, map.height)}, matrix.map,
                  matrix.range);
    const auto token = [&](int i) { return input_.label(i); };
    const auto head = [](int i) { return "head " + std::to_string(i); };
    const auto block = [](int i) { return "block " + std::to_string(i); };
    const auto none = [](int) { return false; };
    const auto pointed = [&](int i) { return input_.hover.touches(i) || i == picture_.position; };
    addLabels(picture_.scene, input_, {map, Side::Left, rows, patchRowName - 8, block, none, FontFace::Ui});
    if (kind_.byHead)
      for (int i = 0; i < columns; ++i)
        addText(picture_.scene, {map.x + (static_cast<float>(i) + 0.5f) * width, map.y - 12}, head(i),
                theme_.note(), Align::Middle)
            .maxWidth = width - 2;
    else
      addLabels(picture_.scene, input_, {map, Side::Top, columns, above - 8, token, pointed});
    addHits(map, rows, columns);
  }

  void addHits(const Box& map, int rows, int columns) {
    HitRegion& hit = addHitRegion(picture_.scene, map, values_, "patches");
    hit.rows = rows, hit.columns = columns;
    hit.rowAxis = Axis::Layer, hit.columnAxis = kind_.byHead ? Axis::Head : Axis::Token;
    const bool isOpenText = input_.snapshot.other != nullptr;  // the other's patches are only looked at
    hit.say = [kind = &kind_, isOpenText](const Target& target) {
      return std::string(kind->byHead ? "the head's output" : kind->tip) + ", taken from the other text" +
             (isOpenText && target.layer >= 0 ? "; a click keeps the patch" : "");
    };
    if (isOpenText)
      hit.click = [config = picture_.config, here = input_.snapshot.pass, other = input_.snapshot.other->pass,
                   kind = &kind_](const Target& target) {
        const Alignment alignment = align(here->trace->tokens(), other->trace->tokens());
        const int column = kind->byHead ? target.head : target.token;
        auto patch = patchOfCell(config, *here->trace, *other->trace, alignment, *kind, target.layer, column);
        if (!patch) return Command{[](Workspace&) {}, "", ""};
        patch->origin = patchOrigin(*here, *other, alignment, *kind, column);
        return commands::addIntervention(*patch, "setting " + summaryOf(*patch));
      };
  }

  InfluencePicture& picture_;
  const SceneInput& input_;
  const Theme& theme_;
  const PatchKind& kind_;
  const MetricChoice& metric_;
  bool isShare_;
  TensorRef values_;
};

}  // namespace

void drawPatchPicture(InfluencePicture& picture, Box area) {
  if (const std::string reason = whyNoPatch(picture.input.snapshot); !reason.empty())
    picture.scene = emptyScene(picture.input, "No patching", reason);
  else
    PatchPicture(picture).draw(area);
}

}  // namespace glassformer
