#include <algorithm>

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/scene/format.h"
#include "app/views/steps/step_picture.h"

namespace glassformer {

namespace {

// A step of a block as lectures count them, from query to norm. What lies in between, such as keys and
// values, the products before their scale or a layer's neurons, is a step of the stepper alone.
struct LectureStep {
  const char* part;  // of the trace point that it leaves
  const char* title;
};
constexpr LectureStep lectureSteps[] = {
    {"hook_attn_scores", "Scores"},
    {"hook_pattern", "Softmax"},
    {"hook_z", "Weighted sum"},
    {"recurrence.hook_state", "Carry the state on"},
    {"hook_recurrence_out", "Read the state"},
    {"hook_convolution_out", "Convolution"},
    {"hook_mlp_out", "MLP"},
    {"mlp.hook_out", "MLP"},
};

// How lectures call a step; empty: they pass it over.
std::string lectureTitle(const SceneInput& input, const Step& step) {
  if (step.part == StepPart::Norm || step.part == StepPart::Add) return step.title;
  if (step.tensor == comparedPoint(input.sources(), step.layer, step.site, "q")) return "Query";
  for (const auto& [part, title] : lectureSteps)
    if (step.tensor.ends_with(std::string(".") + part)) return title;
  return "";
}

// A token's way through the block in which the stepper stands, else through the selected one.
struct Walk {
  std::vector<Step> steps;
  int at = -1;  // the last of them that the stepper has reached; -1: it is in no block
};
Walk walkOf(const SceneInput& input) {
  const std::vector<Step> all = stepsOf(input.model());
  const int place = placeOf(input.workspace.step, all);
  const Step& now = all[static_cast<std::size_t>(place)];
  const bool isInBlock = now.layer >= 0;
  const AttentionSite site = isInBlock ? now.site : input.workspace.selection.site;
  const int layer = isInBlock ? now.layer : input.layer();
  const bool inEncoder = site == AttentionSite::Encoder && input.config().isEncoderDecoder();
  Walk walk;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    const Step& step = all[static_cast<std::size_t>(i)];
    if (step.layer != layer || (step.site == AttentionSite::Encoder) != inEncoder) continue;
    if (lectureTitle(input, step).empty()) continue;
    if (isInBlock && i <= place) walk.at = static_cast<int>(walk.steps.size());
    walk.steps.push_back(step);
  }
  return walk;
}

// One token on its way through a block, as lectures count the steps: of each the row that is its own, as a
// numbered strip.
class TokenWalk {
 public:
  explicit TokenWalk(const SceneInput& input)
      : input_(input), theme_(input.theme), walk_(walkOf(input)), steps_(walk_.steps) {
    scene_.size = input.size;
    scene_.sources = input.sources();
    stream_ = steps_.empty() ? Stream::Text : steps_.front().stream();
    token_ = std::clamp(input.query(stream_), 0, std::max(input.countOf(stream_) - 1, 0));
  }

  Scene drawn() {
    const float margin = marginOf(input_, scene_.size.x);
    const auto count = static_cast<float>(steps_.size());
    scene_.size.y = std::max(scene_.size.y, 2 * margin + mostHeader(input_) + leastStep * count);
    Box area = contentOf(input_, scene_.size);
    addHeader(area);
    const float height = std::clamp(area.height / count, leastStep, 64.0f);
    words_ = wordsWidth(area.width);
    for (std::size_t i = 0; i < steps_.size(); ++i)
      addStep(steps_[i], static_cast<int>(i), area.takeTop(height));
    return std::move(scene_);
  }

 private:
  static constexpr float leastStep = 28;

  void addHeader(Box& area) {
    const Step& first = steps_.front();
    ViewHeader header;
    header.title = "“" + input_.label(token_, stream_) + "” through " + blockName(first.layer, first.site);
    header.about = "position " + std::to_string(token_) + ", in " + std::to_string(steps_.size()) + " steps" +
                   headsWords();
    const auto beside = [&](int by) {
      const int count = input_.countOf(stream_);
      return commands::selectQuery((token_ + by + count) % count, stream_);
    };
    header.choices = {{{"Token before", "One token: the previous one", false, beside(-1)},
                       {"Token after", "One token: the next one", false, beside(1)}}};
    addViewHeader(scene_, input_, area, header);
  }

  HeadId headOf(const Step& step) const { return {step.layer, input_.head(), step.site}; }
  // Whose attention is shown: in a decoder to the text, and across.
  std::string headsWords() const {
    std::vector<std::string> heads;
    for (const Step& step : steps_)
      if (step.tensor.ends_with("hook_pattern")) heads.push_back(nameOf(headOf(step)));
    if (heads.empty()) return "";
    return heads.size() == 1 ? "; head " + heads[0] : "; heads " + heads[0] + " and " + heads[1];
  }

  void addStep(const Step& step, int number, Box row) {
    const std::string tensor = tensorOf(step, input_.head());
    const TracePoint* point = scene_.sources.point(tensor);
    const Box line = row.inset(0, std::min(4.0f, row.height / 8));
    if (number == walk_.at && !input_.isStill())
      scene_.add(Rect{{line.x, line.y, 3, line.height}, theme_.accent, {0, 0, 0, 0}, 1});
    Box rest = line;
    const Box count = rest.takeLeft(28), words = rest.takeLeft(words_);
    const TextStyle quiet = theme_.quietMono();
    const TextStyle title{FontFace::Strong, Theme::small, number == walk_.at ? theme_.accent : theme_.text};
    const bool isHigh = line.height >= 36;
    const float first = isHigh ? line.center().y - 9 : line.center().y;
    addText(scene_, {count.right() - 10, first}, std::to_string(number + 1), quiet, Align::End);
    addText(scene_, {words.x, first}, wordsOf(step), title).maxWidth = words.width - 12;
    addTitleHit(step, {count.x, line.y, words.right() - count.x, line.height});
    if (!point) {
      addText(scene_, {rest.x, rest.center().y}, waitingWords(input_), quiet).maxWidth = rest.width;
      return;
    }
    if (isHigh) addText(scene_, {words.x, first + 19}, point->equation, quiet).maxWidth = words.width - 12;
    addStrip(step, *point, rest);
  }
  // Of what stands left of the strips: the widest equation, where there is room for it.
  float wordsWidth(float width) const {
    float widest = 0;
    for (const Step& step : steps_)
      if (const TracePoint* point = scene_.sources.point(tensorOf(step, input_.head())))
        widest = std::max(widest, input_.metrics.width(point->equation, FontFace::Mono, Theme::small) + 16);
    return std::min(std::max(widest, std::min(300.0f, width * 0.44f)), width * 0.5f);
  }
  // "Query · cross.L1H2"
  std::string wordsOf(const Step& step) const {
    const std::string title = lectureTitle(input_, step);
    return step.perHead ? title + " · " + nameOf(headOf(step)) : title;
  }

  // Opens the step as its equation.
  void addTitleHit(const Step& step, const Box& box) {
    HitRegion& hit = addHitRegion(scene_, box, {}, "walk to " + nameOf(step));
    hit.target.text = "open this step";
    hit.click = [name = nameOf(step)](const Target&) {
      const Command open = commands::setStep(name), picture = commands::choosePicture("step", "equation");
      return Command{[=](Workspace& w) { open.apply(w), picture.apply(w); }, "", ""};
    };
  }

  void addStrip(const Step& step, const TracePoint& point, Box box) {
    TensorRef values = planeOf(point, *scene_.sources.find(point.name), input_);
    if (values.rowDimension < 0) return;
    values.index[static_cast<std::size_t>(values.rowDimension)] = token_, values.rowCount = 1;
    if (!plane(scene_.sources, values)) return;
    const Box told = box.takeRight(box.width > 420 ? 168 : 112);
    Matrix strip;
    strip.values = values, strip.box = box;
    const Coloring colors = stepColoring(input_, {values});
    strip.map = colors.map, strip.range = colors.range;
    scene_.add(strip);
    addCellNumbers(scene_, input_, strip, Theme::small);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    const bool overKeys = point.letters.back() == 'S';
    HitRegion& hit = addHitRegion(scene_, box, values, "strip of " + nameOf(step));
    hit.target.layer = step.layer;
    if (step.perHead) hit.target.head = input_.head();
    hit.columns = plane(scene_.sources, values)->extent[1];
    hit.target.keys = point.keys;
    hit.columnAxis = overKeys ? Axis::Key : Axis::Dimension;
    if (overKeys)
      hit.target.query = token_, hit.target.queries = stream_;
    else
      hit.target.token = token_, hit.target.tokens = stream_;
    if (overKeys) addLargest(point, values, told);
  }

  // The key with the largest number.
  void addLargest(const TracePoint& point, const TensorRef& values, const Box& box) {
    const TensorView row = *plane(scene_.sources, values);
    int largest = 0;
    for (int key = 1; key < row.extent[1]; ++key)
      if (row(0, key) > row(0, largest)) largest = key;
    const TensorRef cell = values.cell(0, largest);
    addText(scene_, {box.x + 12, box.center().y},
            formattedValue(point.name, row(0, largest)) + "  " + input_.label(largest, point.keys),
            theme_.mono())
        .maxWidth = box.width - 12;
    std::get<Text>(scene_.shapes.back()).value = cell;
  }

  const SceneInput& input_;
  const Theme& theme_;
  const Walk walk_;
  const std::vector<Step>& steps_;
  Scene scene_;
  Stream stream_ = Stream::Text;
  int token_ = 0;
  float words_ = 0;
};

}  // namespace

std::optional<std::vector<std::string>> pointsOfWalk(const Workspace&, const ModelConfig&) {
  return std::vector<std::string>{};
}

Scene tokenWalkScene(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config)
    return emptyScene(input, "No text yet", input.snapshot.standing.error);
  if (walkOf(input).steps.empty())
    return emptyScene(input, "No block to walk through", "no operation of this block to draw");
  return TokenWalk(input).drawn();
}

}  // namespace glassformer
