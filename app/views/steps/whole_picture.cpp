#include "app/views/steps/whole_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/place_names.h"
#include "app/drawing/view_header.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_scene.h"
#include "core/lens/neurons.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

// The attentions of the stack that reads a stream.
std::vector<AttentionSite> sitesReading(const ModelConfig& config, Stream stream) {
  std::vector<AttentionSite> sites;
  if (!config.hasAttention()) return sites;
  for (const AttentionSite site : sitesOf(config))
    if (queriesOf(site) == stream) sites.push_back(site);
  return sites;
}

// The points that the picture reads are there then.
void makeParts(const MeasuredPass& pass, const StartJob&, TensorSet&) {
  for (int i = 0; i < pass.trace.count(); ++i)
    if (const std::string& name = pass.trace.point(i).name;
        name.ends_with("hook_pattern") || name.ends_with("mlp.hook_post"))
      (void)pass.trace.tensor(i);
}

class WholeModel {
 public:
  explicit WholeModel(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        config_(input.config()),
        stream_(shownStream(input.workspace, input.config())),
        norms_(residualMeasurement("residual_norm", stream_)),
        tokens_(input.countOf(stream_)),
        blocks_(blocksOf(input.config(), stream_)),
        sums_(sumsPerBlock(config_, stream_)),
        places_(1 + blocks_ * sums_),
        token_(input.query(stream_)) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
    if (!input.isStill()) scene_.sources.makeNothing();
  }

  Scene drawn() {
    Box area = contentOf(input_, scene_.size);
    addTitle(area);
    const Box words = area.takeLeft(std::min(input_.widestLabel(stream_, Theme::small) + 16, 96.0f)),
              next = area.takeRight(area.width < 700 ? 132.0f : 200.0f);
    area.takeRight(16);
    across_ = area;
    const Box titles = area.takeTop(24);
    const float mlp = config_.hasFeedForward() ? std::clamp(area.height * 0.16f, 40.0f, 110.0f) : 0;
    const Box mlps = area.takeBottom(mlp), heads = area.takeBottom(headsHeight(area.height * 0.42f));
    area.takeBottom(12);
    lane_ = area;
    addBlocks(titles, heads, mlps);
    addStream();
    addWords({words.x, lane_.y, words.width, lane_.height});
    if (heads.height > 0) addRowName(words, heads, "heads");
    if (mlp > 0) addRowName(words, mlps, "MLP");
    addNext({next.x, titles.y, next.width, mlps.bottom() - titles.y});
    return std::move(scene_);
  }

 private:
  void addTitle(Box& area) {
    ViewHeader header;
    header.title = stream_ == Stream::Source ? "The whole encoder" : "The whole model";
    header.about =
        "Words in, the residual stream (log scale) through " + blocksWords(config_) + ", next token out";
    addViewHeader(scene_, input_, area, header);
  }

  // Of a place of the stream, of as many as there are from left to right.
  float at(float place) const { return across_.x + across_.width * place / static_cast<float>(places_); }
  // From before a block's first sum to behind its last.
  Box ofBlock(int layer, const Box& row) const {
    const float first = at(static_cast<float>(layer * sums_) + 0.6f),
                end = at(static_cast<float>((layer + 1) * sums_) + 0.4f);
    return {first, row.y, end - first, row.height};
  }

  void addBlocks(const Box& titles, const Box& heads, const Box& mlps) {
    const Range range = neuronRange();
    for (int layer = 0; layer < blocks_; ++layer) {
      const Box title = ofBlock(layer, titles);
      const Box frame{title.x, title.y, title.width, mlps.bottom() - title.y};
      scene_.add(Rect{frame, theme_.panel, theme_.line, Theme::radius});
      addBlockTitle(layer, title);
      if (heads.height > 0) addHeads(layer, headsBox(ofBlock(layer, heads)));
      if (mlps.height > 0) addNeurons(layer, ofBlock(layer, mlps).inset(6, 6), range);
    }
  }
  static Box headsBox(const Box& block) { return block.inset(6, 2); }
  void addRowName(const Box& words, const Box& row, const char* name) {
    addText(scene_, {words.right() - 8, row.center().y}, name, theme_.note(), Align::End);
  }

  void addBlockTitle(int layer, const Box& box) {
    const std::string number = std::to_string(layer), whole = "Block " + number;
    const float room = box.width - 8;
    const bool isWide = input_.metrics.width(whole, FontFace::Strong, Theme::small) <= room;
    addText(scene_, box.center(), isWide ? whole : number, theme_.strong(), Align::Middle).maxWidth = room;
    HitRegion& hit = addHitRegion(scene_, box, {}, "block " + number);
    hit.target.layer = layer;
    hit.target.text = "One token through block " + number;
    hit.click = [layer](const Target&) {
      const Command open = commands::choosePicture("step", "walk");
      return Command{[=](Workspace& w) { w.selection.layer = layer, open.apply(w); }, "", ""};
    };
  }

  // The patterns of a block's heads as thumbnails, as large as they fit.
  void addHeads(int layer, const Box& box) {
    const std::vector<AttentionSite> sites = sitesReading(config_, stream_);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      Box row = box.cell(static_cast<int>(i), 0, static_cast<int>(sites.size()), 1);
      const int columns = headColumns(row);
      const float side = sideOf(row, columns);
      row.x += (row.width - side * static_cast<float>(columns)) / 2;
      for (int head = 0; head < config_.heads; ++head)
        addHead({row.x + side * static_cast<float>(head % columns),
                 row.y + side * static_cast<float>(head / columns), side, side},
                {layer, head, sites[i]});
    }
  }
  int headRows(int columns) const { return (config_.heads + columns - 1) / columns; }
  // In which as many columns the thumbnails become largest.
  int headColumns(const Box& box) const {
    int columns = 1;
    for (int more = 2; more <= config_.heads; ++more)
      if (sideOf(box, more) > sideOf(box, columns)) columns = more;
    return columns;
  }
  float sideOf(const Box& box, int columns) const {
    constexpr float largest = 96;
    return std::min({box.width / static_cast<float>(columns),
                     box.height / static_cast<float>(headRows(columns)), largest});
  }
  // What the thumbnails of all blocks need of this height.
  float headsHeight(float most) const {
    const auto sites = static_cast<float>(sitesReading(config_, stream_).size());
    if (sites == 0) return 0;
    const Box box = headsBox(ofBlock(0, {0, 0, 0, most / sites}));
    const int columns = headColumns(box);
    return sites * (sideOf(box, columns) * static_cast<float>(headRows(columns)) + 4);
  }

  void addHead(const Box& cell, HeadId head) {
    Matrix pattern;
    pattern.box = cell.inset(std::min(2.0f, cell.width / 8));
    pattern.values = {attentionPoint(head.layer, head.site, "hook_pattern"), {head.head, 0, 0}, 1, 2};
    if (keysOf(head.site) == Stream::Text) pattern.mask = config_.maskOf(head.layer);
    const bool isThere = scene_.sources.contains(pattern.values.tensor);
    if (isThere) scene_.add(pattern);
    const bool isSelected = head == selectedHead(input_.workspace, config_);
    scene_.add(
        Rect{pattern.box, {0, 0, 0, 0}, isSelected ? theme_.accent : theme_.line, 0, isSelected ? 2.0f : 1});
    HitRegion& hit = addHitRegion(scene_, cell, {}, "head " + nameOf(head));
    hit.target.layer = head.layer, hit.target.head = head.head;
    hit.target.text = "Attention of head " + nameOf(head);
    hit.click = [head](const Target&) {
      const Command select = commands::selectHead(head),
                    open = commands::choosePicture("attention", "matrix");
      return Command{[=](Workspace& w) { select.apply(w), open.apply(w); }, "", ""};
    };
  }

  TensorRef neuronsOf(int layer) const { return {neuronPoint(config_, layer, stream_), {0, 0}, 0, 1}; }
  Range neuronRange() const {
    Range range{0, 0};
    for (int layer = 0; layer < blocks_ && config_.hasFeedForward(); ++layer)
      if (scene_.sources.contains(neuronsOf(layer).tensor))
        range = unionOf(range, rangeOf(scene_.sources, neuronsOf(layer)));
    return symmetric(range);
  }
  void addNeurons(int layer, const Box& box, Range range) {
    Matrix neurons;
    neurons.box = box, neurons.values = neuronsOf(layer);
    neurons.map = ColorMap::Diverging, neurons.range = range;
    const auto cells = plane(scene_.sources, neurons.values);
    if (!cells) return;
    scene_.add(neurons);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    HitRegion& hit = addHitRegion(scene_, box, neurons.values, "MLP " + std::to_string(layer));
    hit.target.layer = layer, hit.target.tokens = stream_;
    hit.rows = cells->extent[0], hit.columns = cells->extent[1];
    hit.rowAxis = Axis::Token, hit.columnAxis = Axis::Dimension;
    hit.click = [point = neurons.values.tensor](const Target&) {
      const Command step = commands::setStep(point), open = commands::choosePicture("step", "equation");
      return Command{[=](Workspace& w) { step.apply(w), open.apply(w); }, "", ""};
    };
  }

  // Ribbons, equally thicker where the stream is as many times longer; of texts too long for them a map of
  // colours.
  void addStream() {
    const TensorRef all{norms_, {0, 0}, 1, 0};
    if (!plane(scene_.sources, all)) return;
    constexpr float leastRibbon = 4;
    const Range lengths = rangeOf(scene_.sources, all);
    const Range range{std::max(lengths.low, 1e-6f) / 2, std::max(lengths.high, 2e-6f), true};
    const float row = lane_.height / static_cast<float>(tokens_);
    if (row < leastRibbon) {
      Matrix map;
      map.box = lane_, map.values = all, map.range = range;
      scene_.add(map);
    }
    for (int t = 0; t < tokens_ && row >= leastRibbon; ++t)
      for (int place = 0; place < places_; ++place) addRibbon(t, place, range, std::min(row * 0.85f, 24.0f));
    HitRegion& hit = addHitRegion(scene_, lane_, all, "residual stream");
    hit.target.tokens = stream_;
    hit.rows = tokens_, hit.columns = places_, hit.rowAxis = Axis::Token;
  }
  void addRibbon(int t, int place, Range range, float thickness) {
    const float y = lane_.cell(t, 0, tokens_, 1).center().y;
    const bool isSelected = t == token_, isTouched = input_.hover.touches(t, stream_);
    Ribbon ribbon;
    ribbon.from = {at(static_cast<float>(place)), y}, ribbon.to = {at(static_cast<float>(place + 1)), y};
    ribbon.value = {norms_, {place, t}};
    ribbon.range = range, ribbon.thickness = thickness;
    ribbon.color = isSelected ? theme_.accent : isTouched ? theme_.text : theme_.quiet.faded(0.55f);
    scene_.add(ribbon);
  }

  void addWords(const Box& box) {
    const auto label = [&](int i) { return input_.label(i, stream_); };
    const auto strong = [&](int i) { return i == token_ || input_.hover.touches(i, stream_); };
    addLabels(scene_, input_,
              {{box.right(), box.y, 1, box.height}, Side::Left, tokens_, box.width, label, strong});
    HitRegion& hit = addHitRegion(scene_, box, {}, "words in");
    hit.rows = tokens_, hit.rowAxis = Axis::Token;
    hit.target.tokens = stream_;
    hit.say = [labels = input_.labels(stream_)](const Target& target) {
      return "“" + labels[static_cast<std::size_t>(target.token)] + "”";
    };
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
  }

  // The most probable next tokens.
  void addNext(Box box) {
    const std::vector<int> entries =
        stream_ == Stream::Text ? likeliestTokens(input_, 8) : std::vector<int>{};
    if (entries.empty()) return;
    const Box title = box.takeTop(24);
    addText(scene_, {title.x, title.center().y}, "After “" + input_.label(token_, stream_) + "”",
            theme_.strong())
        .maxWidth = title.width;
    const int last = scene_.sources.find(nextTokenRef(0, 0).tensor)->extent[0] - 1;
    const float row = std::clamp(box.height / 8, 36.0f, 44.0f);
    for (const int entry : entries)
      if (box.height >= row) addEntry(box.takeTop(row), entry, nextTokenRef(last, entry));
  }
  void addEntry(const Box& row, int entry, const TensorRef& probability) {
    HitRegion& hit = addBarRow(scene_, input_, {.numbers = 60, .words = formattedPercent, .below = true},
                               {row, probability, input_.entryLabel(entry), {}, {}, theme_.quietMono()},
                               "next " + input_.entryLabel(entry));
    hit.target.entry = entry;
    hit.click = [](const Target&) { return commands::setView("next_token"); };
  }

  const SceneInput& input_;
  const Theme& theme_;
  const ModelConfig& config_;
  Stream stream_;
  std::string norms_;
  int tokens_, blocks_, sums_, places_, token_;
  Box across_, lane_;
  Scene scene_;
};

}  // namespace

namespace needs {
const Need partsOfModel{.name = "components of the model", .onPass = makeParts};
}

Scene wholeModelScene(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config)
    return emptyScene(input, "No text yet", input.snapshot.standing.error);
  return WholeModel(input).drawn();
}

}  // namespace glassformer
