#include "app/views/positions/filter_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/document/attention_planes.h"
#include "app/document/model_commands.h"
#include "app/drawing/view_header.h"
#include "app/engine/open_model.h"
#include "app/scene/format.h"
#include "app/views/positions/positions_picture.h"
#include "core/lens/attention_stages.h"
#include "core/lens/distance_filter.h"

namespace glassformer {

namespace {

class FilterPicture {
 public:
  explicit FilterPicture(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        head_(selectedHead(input.workspace, input.config())),
        stream_(queriesOf(head_.site)),
        count_(input.countOf(stream_)) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    addTitle(area);
    addFilter(area.takeTop(area.height * 0.4f));
    addLargest(area.takeBottom(28));
    area.takeTop(8);
    const float labels = std::min(96.0f, input_.widestLabel(stream_, Theme::small) + 16);
    const Box names = area.takeLeft(labels), scale = area.takeRight(84);
    const float third = (area.width - 2 * gap) / 3;
    addTable(area.takeLeft(third),
             {attentionPoint(head_.layer, head_.site, "hook_z"), {0, head_.head, 0}, 0, 2}, "A · v", &names);
    area.takeLeft(gap);
    addTable(area.takeLeft(third), whole(filter::convolved), "filter ∗ v");
    area.takeLeft(gap);
    const Coloring colors = addTable(area, whole(filter::error), "difference");
    addColorScale(scene_, input_, {scale.x + 12, scale.y + 24, 0, std::min(scale.height - 24, 180.0f)},
                  colors.map, colors.range);
    return std::move(scene_);
  }

 private:
  static constexpr float gap = 32, ticks = 24;

  TensorRef whole(const char* name) const { return {stageTensor(name, head_), {}, 0, 1}; }

  void addTitle(Box& area) {
    const auto& loaded = input_.snapshot.model->loadedConfig;
    std::vector<std::vector<Choice>> choices;
    const auto choice = [&](const char* label, const char* tip, bool isOpen) {
      return Choice{label, tip, input_.config().zeroPadded == isOpen,
                    commands::setModelChanges(
                        withChange(input_.workspace.changes, *loaded, "open_border", isOpen ? "yes" : "no"))};
    };
    if (loaded)
      choices.push_back(
          {choice("Renormalized", "Weights at the border are renormalized to sum to 1", false),
           choice("Zero padding", "Positions outside the text get weight and contribute zeros: a convolution",
                  true)});
    addViewHeader(
        scene_, input_, area,
        {"Distance filter of " + nameOf(head_),
         isConvolution() ? "Attention by distance alone is a convolution with the kernel w[s − t]"
                         : "not a convolution: it differs by up to " + formatted(std::abs(largest())),
         choices});
  }

  // A bar for every distance s − t, the tokens before at the left.
  void addFilter(Box area) {
    const bool isAhead = scene_.sources.contains(stageTensor(filter::ahead, head_));
    const int first = 1 - count_, last = isAhead ? count_ - 1 : 0, bars = last - first + 1;
    const Box below = area.takeBottom(ticks);
    scene_.add(Rect{area, theme_.panel, theme_.line});
    Box plot = area.inset(8, 6);
    const Box numbers = plot.takeTop(18);
    const auto weightAt = [&](int distance) {
      return TensorRef{stageTensor(distance <= 0 ? filter::behind : filter::ahead, head_),
                       {std::abs(distance)}};
    };
    float most = 1e-9f;
    for (int d = first; d <= last; ++d) most = std::max(most, *valueOf(scene_.sources, weightAt(d)));
    const float width = plot.width / static_cast<float>(bars);
    const int every = static_cast<int>(std::ceil(32 / width));  // distance is written below its bar
    for (int d = first; d <= last; ++d) {
      const TensorRef weight = weightAt(d);
      const Box column = plot.cell(0, d - first, 1, bars);
      scene_.add(
          Bar{column.inset(std::min(2.0f, width * 0.15f), 0), weight, {0, most}, theme_.attention, true});
      const float x = column.center().x;
      const float number = *valueOf(scene_.sources, weight);
      if (width >= 40)
        addText(scene_, {x, numbers.y + 8}, width >= 64 ? formatted(number) : formattedCell(number),
                theme_.mono(), Align::Middle)
            .value = weight;
      if (d % every == 0)
        addText(scene_, {x, below.y + 12}, std::to_string(d), theme_.quietMono(), Align::Middle);
      HitRegion& hit = addHitRegion(scene_, column, weight, "weight at " + std::to_string(d));
      hit.tabStop = false;
    }
  }

  // All on one scale, which is returned.
  Coloring addTable(Box box, const TensorRef& values, const char* words, const Box* names = nullptr) {
    addText(scene_, {box.x, box.y + 10}, words, theme_.note()).maxWidth = box.width;
    box.takeTop(24);
    const TensorRef attended{attentionPoint(head_.layer, head_.site, "hook_z"), {0, head_.head, 0}, 0, 2};
    const Coloring colors =
        coloring(input_, {values}, {ColorMap::Diverging, symmetric(rangeOf(scene_.sources, attended))});
    Matrix matrix{box, values};
    matrix.map = colors.map, matrix.range = colors.range;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, Theme::small);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    HitRegion& hit = addHitRegion(scene_, box, values, words);
    const TensorView cells = *plane(scene_.sources, values);
    hit.rows = cells.extent[0], hit.columns = cells.extent[1];
    hit.rowAxis = Axis::Token, hit.columnAxis = Axis::Dimension, hit.target.tokens = stream_;
    if (!names) return colors;
    const auto label = [&](int t) { return input_.label(t, stream_); };
    const auto touched = [&](int t) { return input_.hover.touches(t, stream_); };
    addLabels(scene_, input_, {box, Side::Left, count_, names->width, label, touched});
    return colors;
  }

  // Where both are furthest apart.
  TensorRef furthest() const {
    const TensorView error = *plane(scene_.sources, whole(filter::error));
    std::array<int, 2> most{0, 0};
    for (int t = 0; t < error.extent[0]; ++t)
      for (int k = 0; k < error.extent[1]; ++k)
        if (std::abs(error(t, k)) > std::abs(error(most[0], most[1]))) most = {t, k};
    return whole(filter::error).cell(most[0], most[1]);
  }
  float largest() const { return valueOf(scene_.sources, furthest()).value_or(0); }
  // To rounding: each sum has as many terms as the text has tokens.
  bool isConvolution() const {
    const Range values = rangeOf(scene_.sources, whole(filter::convolved));
    const float size = std::max({1.0f, std::abs(values.low), std::abs(values.high)});
    return std::abs(largest()) <= static_cast<float>(count_) * size * std::numeric_limits<float>::epsilon();
  }

  void addLargest(const Box& box) {
    const bool isNothing = isConvolution();
    const bool isShared = !isNothing && !input_.config().zeroPadded;
    const std::string words = "largest difference: " + (isNothing ? "0 to rounding" : formatted(largest())) +
                              (isShared ? ": at the border the weights are renormalized" : "");
    Text& text = addText(scene_, {box.x, box.center().y}, words, theme_.strong());
    text.value = furthest(), text.maxWidth = box.width;
  }

  const SceneInput& input_;
  const Theme& theme_;
  Scene scene_;
  HeadId head_;
  Stream stream_;
  int count_ = 0;
};

void measureFilterOfHead(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  if (pass.config().hasAttention())
    measureFilter(pass.model, pass.trace, selectedHead(pass.workspace, pass.config()), set);
}

}  // namespace

namespace needs {
const Need filterOfHead{.name = "filter of a head", .onPass = measureFilterOfHead};
}  // namespace needs

Scene filterScene(const SceneInput& input) {
  const Snapshot& snapshot = input.snapshot;
  if (!snapshot.model->config) return emptyScene(input, "No model loaded", snapshot.standing.error);
  if (!snapshot.pass->hasTrace())
    return emptyScene(input, "No text to convolve", snapshot.standing.errorOr("Type in the Text box."));
  const HeadId head = selectedHead(input.workspace, input.config());
  if (const std::string why = whyNoFilter(input.config(), head.site); !why.empty())
    return emptyScene(input, "No distance filter", why);
  if (!input.sources().contains(stageTensor(filter::error, head)))
    return emptyScene(input, "Distance filter", waitingWords(input));
  return FilterPicture(input).drawn();
}

}  // namespace glassformer
