#include "app/views/residual/neurons_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/attention_planes.h"
#include "app/document/chosen_number.h"
#include "app/document/neuron_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/switches.h"
#include "app/document/view_commands.h"
#include "app/drawing/corpus_choices.h"
#include "app/drawing/text_examples.h"
#include "app/drawing/wording.h"
#include "app/engine/neuron_search.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"

namespace glassformer {

namespace {

constexpr float neuronNames = 56, leastNeuronRow = 18, mostNeuronRow = 28, exampleLine = 26,
                exampleNumber = 64, weightLine = 22, leastNeurons = 440, leastActivations = 280,
                weightTitle = 40;

class NeuronsPicture {
 public:
  explicit NeuronsPicture(ResidualPicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        input_(picture.input),
        theme_(picture.theme),
        model_(picture.input.config()),
        id_(shownNeuron(picture.input.workspace, picture.input.snapshot)),
        point_(neuronPoint(model_, id_.layer, id_.stream)),
        byIndex_(picture.input.workspace.settings.chosen(neuronOrder) == neuronsByIndex),
        list_(listed()) {
    if (isDifference() && chosenNumber(input_.workspace.settings, neuronChoice, -1) < 0)
      id_.neuron = list_->front();
  }

  void draw(Box area) {
    addHeader(area);
    // Lower than that the picture scrolls.
    area.height =
        std::max(area.height,
                 isDifference() || input_.snapshot.model->hasNoWeights() ? leastActivations : leastNeurons);
    scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    // What weights say, and where a neuron is strongest in other texts, is the same for both texts.
    if (isDifference() || input_.snapshot.model->hasNoWeights()) return addActivations(area);
    const float examples = 32 + exampleLine * std::clamp(std::floor((area.height * 0.34f - 32) / exampleLine),
                                                         3.0f, static_cast<float>(NeuronExamples::kept));
    Box found = area.takeBottom(examples);
    area.takeBottom(16);
    const Box column = area.takeRight(std::clamp(area.width * 0.34f, 216.0f, 360.0f));
    area.takeRight(24);
    addActivations(area);
    addWeights(column);
    addExamples(found);
  }

 private:
  std::string name() const { return nameOf(model_, id_); }
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  bool isDifference() const { return input_.snapshot.isDifference(); }
  bool isOff() const {
    const Interventions& all = input_.workspace.interventions;
    return std::ranges::find(all, neuronOff(point_, id_.neuron)) != all.end();
  }
  std::string blockWords() const {
    const char* stack = !model_.isEncoderDecoder()     ? "block "
                        : id_.stream == Stream::Source ? "encoder "
                                                       : "decoder ";
    return stack + std::to_string(id_.layer);
  }

  void addHeader(Box& area) {
    const auto block = [&](const char* label, const char* tip, int by) {
      const int blocks = blocksOf(model_, id_.stream), next = (id_.layer + by + blocks) % blocks;
      return Choice{label, tip, false, {[next](Workspace& w) { w.selection.layer = next; }, "", ""}};
    };
    std::vector<std::vector<Choice>> choices{
        {{isDifference() ? "Most changed" : "Strongest",
          isDifference() ? "Neurons with the largest difference between the texts first"
                         : "Neurons with the largest activation on this text first",
          !byIndex_, commands::choose(neuronOrder, "")},
         {"By index", "Order of the weights", byIndex_, commands::choose(neuronOrder, neuronsByIndex)}},
        {block("Before", "Neurons of the previous block", -1),
         block("After", "Neurons of the next block", 1)}};
    if (picture_.isChosen) choices.push_back(stacks());
    const char* about = input_.snapshot.model->hasNoWeights()     ? "a, as the file has it"
                        : model_.activation == Activation::SwiGlu ? "a = silu(n · W_gate) ⊙ (n · W_in)"
                        : model_.activation == Activation::GeGlu  ? "a = GELU(n · W_gate) ⊙ (n · W_in)"
                                                                  : "a = f(n · W_in + b)";
    addViewHeader(scene_, input_, area, {"MLP neurons of " + blockWords(), about, choices});
    area.takeTop(8);
  }
  std::vector<Choice> stacks() const {
    const bool encoder = id_.stream == Stream::Source;
    return {{"Decoder", "Neurons of the decoder", !encoder, commands::selectSite(AttentionSite::Decoder)},
            {"Encoder", "Neurons of the encoder", encoder, commands::selectSite(AttentionSite::Encoder)}};
  }

  // The neurons as they are listed.
  std::shared_ptr<const std::vector<int>> listed() const {
    std::vector<int> all(static_cast<std::size_t>(model_.feedForward));
    std::iota(all.begin(), all.end(), 0);
    if (isDifference() && !byIndex_)
      all = strongestFirst((*input_.snapshot.pass->trace)[point_]);
    else if (const auto order = scene_.sources.find(neurons::order); order && !byIndex_)
      for (int place = 0; place < model_.feedForward; ++place)
        all[static_cast<std::size_t>(place)] = static_cast<int>((*order)(place));
    return std::make_shared<const std::vector<int>>(std::move(all));
  }

  // The heatmap, and below it the chosen neuron's bars over the same tokens.
  void addActivations(Box area) {
    const float depth = std::clamp(std::ceil((input_.widestLabel(id_.stream, Theme::small) + 16) / 8) * 8,
                                   40.0f, 88.0f),
                bars = std::clamp(area.height * 0.24f, 56.0f, 120.0f);
    area.takeLeft(neuronNames);
    const Box colors = area.takeRight(80);
    Box chosen = area.takeBottom(bars + depth);
    const Box title = area.takeBottom(36);
    rows_ = std::clamp(static_cast<int>(area.height / leastNeuronRow), 1, model_.feedForward);
    const int last = std::max(0, model_.feedForward - rows_);
    first_ = std::clamp(chosenNumber(input_.workspace.settings, firstNeuron, 0), 0, last);
    const Range all = rangeOf(scene_.sources, {point_, {0, 0}, 0, 1});
    scale_ = all.low < 0 ? Coloring{ColorMap::Diverging, symmetric(all)}
                         : Coloring{ColorMap::Sequential, {0, std::max(all.high, 1e-6f)}};
    const float height = std::min(area.height / static_cast<float>(rows_), mostNeuronRow);
    for (int row = 0; row < rows_; ++row)
      addNeuron({area.x, area.y + static_cast<float>(row) * height, area.width, height}, first_ + row);
    addColorScale(scene_, input_,
                  {colors.x + 8, area.y + 1, colors.width - 8, height * static_cast<float>(rows_) - 2},
                  scale_.map, scale_.range);
    addTitle(title);
    addBars(chosen, depth);
  }

  void addNeuron(const Box& row, int place) {
    const int neuron = (*list_)[static_cast<std::size_t>(place)], count = picture_.count;
    const bool isChosen = neuron == id_.neuron;
    const TensorRef cells{point_, {0, neuron}, -1, 0};
    scene_.add(Matrix{row.inset(0, 1), cells, scale_.map, scale_.range});
    addText(scene_, {row.x - 10, row.center().y}, std::to_string(neuron),
            {FontFace::Mono, Theme::small, isChosen ? theme_.accent : theme_.quiet}, Align::End);
    if (isChosen) addOutline(scene_, row, theme_.accent, 1.5f);
    HitRegion& hit = addHitRegion(scene_, row, cells, "neuron " + std::to_string(neuron));
    hit.columns = count;
    hit.target.layer = id_.layer, hit.target.tokens = id_.stream, hit.columnAxis = Axis::Token;
    hit.say = [neuron, words = blockWords()](const Target&) {
      return "neuron " + std::to_string(neuron) + " of " + words +
             "; click to select it, wheel and arrows scroll";
    };
    hit.click = [neuron](const Target&) { return commands::choose(neuronChoice, std::to_string(neuron)); };
    hit.zoom = [first = first_](float notches, Point) {
      return commands::choose(firstNeuron,
                              std::to_string(std::max(0, first - static_cast<int>(std::round(3 * notches)))));
    };
    hit.arrows = [step = steps()](int, int down) { return step(down); };
  }

  // What goes so many neurons down the list, and keeps the one it comes to in sight.
  std::function<Command(int down)> steps() const {
    return [list = list_, rows = rows_, first = first_, chosen = id_.neuron](int down) {
      const auto found = std::ranges::find(*list, chosen);
      const int last = static_cast<int>(list->size()) - 1,
                place = std::clamp(static_cast<int>(found - list->begin()) + down, 0, last),
                shown = std::clamp(first, place - rows + 1, place);
      return commands::changeSettings(
          [neuron = (*list)[static_cast<std::size_t>(place)], shown](ViewSettings& s) {
            s.choose(neuronChoice, std::to_string(neuron));
            s.choose(firstNeuron, shown <= 0 ? "" : std::to_string(shown));
          });
    };
  }

  // "L2N37 at every token", and the switch.
  void addTitle(const Box& line) {
    const std::vector<Choice> choices{{isOff() ? "Restore neuron" : "Ablate neuron",
                                       "Zero-ablate this neuron", isOff(),
                                       commands::toggleNeuron(point_, id_.neuron)}};
    const Box at = addChoices(scene_, input_, {line.right(), line.y + 4}, choices);
    const float room = at.x - line.x - 16;
    addText(scene_, {line.x, line.y + 20},
            wordingFor(room, input_, theme_.strong(),
                       {name() + (isOff() ? ", ablated" : " at every token"), name()}),
            theme_.strong())
        .maxWidth = room;
  }

  void addBars(const Box& box, float depth) {
    const Box plot{box.x, box.y, box.width, box.height - depth};
    const TensorRef cells{point_, {0, id_.neuron}, -1, 0};
    const Range own = rangeOf(scene_.sources, cells);
    const float high = own.high > 0 ? roundedUp(own.high) : 0, low = own.low < 0 ? -roundedUp(-own.low) : 0;
    const Range range = high == low ? Range{0, 1} : Range{low, high};
    addValueAxis(scene_, input_, plot, range);
    for (int token = 0; token < picture_.count; ++token) {
      const Box column = plot.cell(0, token, 1, picture_.count);
      const TensorRef cell{point_, {token, id_.neuron}};
      if (token == picture_.shown || token == picture_.pointed) scene_.add(Rect{column, theme_.raised});
      const float inset = std::min(6.0f, column.width * 0.15f), value = number(cell);
      if (std::isfinite(value))
        scene_.add(Bar{column.inset(inset, 0), cell, range, signColor(value, theme_.dark), true});
      addBarHit({column.x, column.y, column.width, column.height + depth}, token, cell);
    }
    AxisLabels labels{plot, Side::Bottom, picture_.count, depth};
    labels.label = [&](int i) { return picture_.label(i); };
    labels.strong = [&](int i) { return i == picture_.shown || i == picture_.pointed; };
    addLabels(scene_, input_, labels);
  }
  void addBarHit(const Box& box, int token, const TensorRef& cell) {
    HitRegion& hit = addHitRegion(scene_, box, cell, "activation " + std::to_string(token));
    hit.target.token = token, hit.target.tokens = id_.stream;
    hit.target.text = name() + " at " + picture_.quoted(token);
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
    hit.tabStop = picture_.count <= 64;
  }

  struct WeightList {
    const char *tensor, *title, *what;
    std::string scale;  // the trace point of σ
  };
  void addWeights(Box area) {
    const bool isGated = model_.hasGatedMlp();
    const std::string reading = neuronScalePoint(model_, id_.layer, id_.stream);
    std::vector<WeightList> lists{{neurons::reads, isGated ? "Reads, at the gate" : "Reads",
                                   "contribution of its embedding to the neuron's input", reading}};
    if (isGated)
      lists.push_back({neurons::readsLinear, "Reads, through the gate",
                       "contribution of its embedding to the linear branch", reading});
    lists.push_back(
        {neurons::writes, "Writes", "change of its logit when the neuron is 1", writingScalePoint(model_)});
    const float each = area.height / static_cast<float>(lists.size());
    for (const WeightList& list : lists) addWeightList(area.takeTop(each), list);
  }

  // The tokens that are read or promoted most at the left, those against them at the right.
  void addWeightList(Box area, const WeightList& list) {
    addText(scene_, {area.x, area.y + 10}, list.title, theme_.strong());
    const Box title = area.takeTop(weightTitle);
    if (const std::string missing = whyNoList(list); !missing.empty()) {
      addLines(scene_, input_, {title.x, title.y + 30}, title.width, missing, theme_.note(), Align::Start);
      return;
    }
    addScaleWords({title.x, title.y + 30}, title.width, list);
    const int rows = std::clamp(static_cast<int>(area.height / weightLine), 1, 10);
    const std::vector<int> order = extremes(list.tensor, rows);
    const Range range = symmetric(rangeOf(scene_.sources, {list.tensor, {}, -1, 0}));
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool isLeft = i < order.size() / 2;
      const std::size_t row = isLeft ? i : i - order.size() / 2;
      Box half{area.x, area.y + weightLine * static_cast<float>(row), area.width / 2 - 8, weightLine};
      if (!isLeft) half.x = area.x + area.width / 2 + 8;
      addWeight(half, list, order[i], range);
    }
  }

  // Empty where there is one.
  std::string whyNoList(const WeightList& list) const {
    if (scene_.sources.contains(list.tensor)) return "";
    const std::string none =
        list.tensor == neurons::writes ? whyNoWriting(model_, id_.stream) : whyNoReading(model_);
    if (!none.empty()) return none;
    return input_.snapshot.kept.missing.empty() ? waitingWords(input_) : input_.snapshot.kept.missing;
  }

  // "to be divided by σ = 0.834 at “tired”".
  void addScaleWords(Point at, float width, const WeightList& list) {
    const bool isWriting = list.tensor == neurons::writes;
    if (list.scale.empty()) {
      addText(scene_, at, "no norm between", theme_.note()).maxWidth = width;
      return;
    }
    const Stream stream = isWriting ? Stream::Text : id_.stream;
    const int token = std::clamp(input_.query(stream), 0, std::max(0, input_.countOf(stream) - 1));
    const TensorRef sigma{list.scale, {token, 0}};
    Text& text =
        addText(scene_, at, "÷ σ = " + formatted(number(sigma)) + " at “" + input_.label(token, stream) + "”",
                theme_.note());
    text.value = sigma, text.maxWidth = width;
  }

  // The entries with the largest numbers, and as many with the least, each from the outside in.
  std::vector<int> extremes(const char* tensor, int count) const {
    const TensorView values = *scene_.sources.find(tensor);
    std::vector<int> order(static_cast<std::size_t>(values.extent[0]));
    std::iota(order.begin(), order.end(), 0);
    const auto n = static_cast<std::ptrdiff_t>(std::min(order.size() / 2, static_cast<std::size_t>(count)));
    const auto byValue = [&](int v) { return values(v); };
    std::ranges::partial_sort(order, order.begin() + n, std::greater<>(), byValue);
    std::vector<int> both(order.begin(), order.begin() + n);
    std::ranges::partial_sort(order, order.begin() + n, std::less<>(), byValue);
    both.insert(both.end(), order.begin(), order.begin() + n);
    return both;
  }

  void addWeight(const Box& box, const WeightList& list, int entry, Range range) {
    const TensorRef cell{list.tensor, {entry}};
    // From the middle: as long as the number is beside the largest.
    HitRegion& hit = addBarRow(
        scene_, input_, {.range = range, .thickness = 2, .below = true},
        {box, cell, input_.entryLabel(entry), signColor(number(cell), theme_.dark), {}, theme_.quietMono()},
        std::string(list.title) + " of " + input_.entryLabel(entry));
    hit.target.entry = entry;
    hit.target.text = "“" + input_.entryLabel(entry) + "” " + list.what;
    hit.tabStop = false;
  }

  void addExamples(Box area) {
    const Box heading = area.takeTop(32);
    const Box at = addChoices(scene_, input_, {heading.right(), heading.y}, corpusChoices(input_));
    const bool isRead = scene_.sources.contains(neuronExamples::searched);
    std::string where;
    if (isRead) {
      const float read = number({neuronExamples::searched, {0}}),
                  all = number({neuronExamples::searched, {1}});
      where = (read < all ? ", " + formattedFixed(read, 0) + " of " : " in ") + corpusWords(input_, all) +
              (read < all ? " read" : "");
    }
    const float room = at.x - heading.x - 16;
    addText(scene_, {heading.x, heading.y + 14},
            wordingFor(room, input_, theme_.strong(),
                       {"Strongest examples of " + name() + where, "Strongest examples" + where,
                        "Strongest examples"}),
            theme_.strong())
        .maxWidth = room;
    if (!scene_.sources.contains(neuronExamples::activation)) {
      const std::string& missing = input_.snapshot.kept.missing;
      addText(scene_, {area.x, area.y + 12},
              !missing.empty() ? missing
              : isRead         ? "The file has no line."
                               : waitingWords(input_),
              theme_.note())
          .maxWidth = area.width;
      return;
    }
    const TensorView found = *scene_.sources.find(neuronExamples::activation);
    const Range all = rangeOf(scene_.sources, {neuronExamples::around, {0, 0}, 0, 1});
    exampleScale_ = symmetric(unionOf(all, {-1e-6f, 1e-6f}));
    for (int i = 0; i < found.extent[0] && area.height >= exampleLine; ++i)
      addExample(area.takeTop(exampleLine), i);
  }

  int exampleToken(int example, int token) const {
    const bool inSource = id_.stream == Stream::Source;
    const float id = number({inSource ? neuronExamples::source : neuronExamples::tokens, {example, token}});
    return std::isfinite(id) ? static_cast<int>(id) : -1;
  }

  // The number, and the tokens around the one where it is largest in their colours: that one at two thirds.
  void addExample(const Box& line, int example) {
    const TensorRef activation{neuronExamples::activation, {example}};
    const int at = static_cast<int>(number({neuronExamples::token, {example}}));
    addText(scene_, {line.x + exampleNumber - 12, line.center().y}, formattedFixed(number(activation), 2),
            theme_.mono(), Align::End)
        .value = activation;
    const Box words{line.x + exampleNumber, line.y + 2, line.width - exampleNumber, line.height - 4};
    float right = words.x + words.width * 0.66f, left = right;
    for (int k = NeuronExamples::before; k >= 0; --k)
      if (!addExampleWord(words, left, -1, example, at, k)) break;
    for (int k = NeuronExamples::before + 1; k < NeuronExamples::window; ++k)
      if (!addExampleWord(words, right, 1, example, at, k)) break;
    HitRegion& hit = addHitRegion(scene_, line, activation, "example " + std::to_string(example));
    hit.target.text = "the neuron is " + formatted(number(activation)) + " at “" +
                      input_.entryLabel(exampleToken(example, at)) + "”; a click opens the text";
    hit.click = [open = opening(example)](const Target&) { return open; };
  }

  // False where there is no such token, or no room for it. `edge` moves on in the direction.
  bool addExampleWord(const Box& words, float& edge, int direction, int example, int at, int k) {
    const int entry = exampleToken(example, at - NeuronExamples::before + k);
    if (entry < 0 || at - NeuronExamples::before + k < 0) return false;
    const std::string label = input_.entryLabel(entry);
    const float width = input_.metrics.width(label, FontFace::Mono, Theme::small) + 8;
    const Box box{direction < 0 ? edge - width : edge, words.y, width, words.height};
    if (box.x < words.x || box.right() > words.right()) return false;
    edge += static_cast<float>(direction) * width;
    const TensorRef cell{neuronExamples::around, {example, k}};
    const Matrix matrix{box, cell, ColorMap::Diverging, exampleScale_};
    const Rgba ink = inkOn(cellColor(matrix, number(cell), theme_.dark));
    scene_.add(matrix);
    addText(scene_, box.center(), label, {FontFace::Mono, Theme::small, ink}, Align::Middle);
    if (k == NeuronExamples::before) addOutline(scene_, box, theme_.text, 1);
    return true;
  }

  // The whole of it, at the token where the neuron is strongest.
  Command opening(int example) const {
    return commands::openExample(
        writingOfRow(input_, scene_.sources, neuronExamples::tokens, neuronExamples::source, example),
        static_cast<int>(number({neuronExamples::token, {example}})), id_.stream == Stream::Source);
  }

  ResidualPicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const ModelConfig& model_;
  NeuronId id_;
  std::string point_;
  bool byIndex_;
  std::shared_ptr<const std::vector<int>> list_;
  int rows_ = 1, first_ = 0;
  Coloring scale_;
  Range exampleScale_;
};

}  // namespace

void drawNeuronsPicture(ResidualPicture& picture, Box area) {
  if (!picture.input.config().hasFeedForward())
    picture.scene = emptyScene(picture.input, "No MLP neurons", "this model has no MLP");
  else
    NeuronsPicture(picture).draw(area);
}

}  // namespace glassformer
