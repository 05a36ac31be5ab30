#include "app/views/influence/edges_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "app/document/attention_planes.h"
#include "app/document/attribution_settings.h"
#include "app/document/edge_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/corpus_choices.h"
#include "app/engine/asked_metric.h"
#include "app/engine/dataset_edges.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float edgeRow = 22, edgeHeading = 28, leastEdges = 360, edgeNames = 164, edgeNumber = 72,
                edgeNode = 26, edgeThickness = 9, edgeRowNames = 44, edgeBars = 132,
                listedBelow = 4;                 // of the edges, where the list stands below the graph
constexpr float siteNames = 56, aloneLine = 20;  // more, for "dec.L1H0.k"
constexpr std::size_t mostDrawn = 48;
constexpr float widthForWords = 1000, widthForSentence = 560, widthForBoth = 720, narrowNumber = 58;

// An edge by its row and column in the table.
struct DrawnEdge {
  int sender = 0, receiver = 0;
  float mean = 0;
};

class EdgesPicture {
 public:
  explicit EdgesPicture(InfluencePicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        input_(picture.input),
        theme_(picture.theme),
        edges_(edgesOf(picture.input.model())),
        threshold_(thresholdOfEdges(picture.input.workspace.settings)),
        ofOpenText_(tellsOfOpenText(picture.input.workspace.settings)),
        metric_(metricOfEdges(picture.input.workspace.settings)) {}

  void draw(Box area) {
    const bool isWide = area.width > widthForWords;
    isNarrow_ = area.width < widthForBoth;
    std::vector<std::vector<Choice>> groups{thresholds(), whichTexts()};
    if (!ofOpenText_) groups.push_back(howMany());
    if (metric_.kind == Metric::Kind::Loss) groups.push_back(positionsChoices(input_.workspace.settings));
    addInfluenceHeader(picture_, area, title(), isWide ? "Effect of each component → head edge" : "", groups,
                       metricChoicesOf(input_.workspace.settings, usualEdgeMetric));
    area.takeTop(8);
    if (!picture_.isThere(told())) return addInfluenceWaiting(picture_, area);
    area.height = std::max(area.height, leastEdges);
    scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    if (isEstimated() && isNarrow_) column_ = narrowNumber;
    float width = edgeNames + column_ * static_cast<float>(columns().size()) +
                  (picture_.config.isEncoderDecoder() ? siteNames : 0);
    const bool isBeside = area.width > 2 * width - (column_ < edgeNumber ? 100 : 60);
    hasBars_ = isEstimated() && isBeside && area.width > 2 * (width + edgeBars);
    if (hasBars_) width += edgeBars;
    takeUpDrawn();
    const bool isTight = isBeside && isNarrow_;  // words have no room beside the list
    if (isTight) addWords(area), area.takeTop(8);
    const Box list = isBeside ? area.takeRight(width) : area.takeBottom(edgeHeading + listedBelow * edgeRow);
    if (isBeside) area.takeRight(24);
    if (!isTight) addWords(area);
    addGraph(area);
    addList(list);
  }

 private:
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  // Whether the gradient says anything of what is told.
  bool isEstimated() const { return ofOpenText_ && picture_.isThere(edge::estimate); }
  bool isOfAnswer() const { return metric_.kind == Metric::Kind::Answer; }
  bool isDivergence() const { return metric_.kind == Metric::Kind::Divergence; }
  std::string title() const {
    if (!ofOpenText_)
      return isDivergence()         ? "Edge ablation: KL of the predictions"
             : !isOfAnswer()        ? "Edge ablation over a dataset"
             : metric_.isDifference ? "Edge ablation: logit difference of the answers"
                                    : "Edge ablation: answers over a dataset";
    if (metric_.kind == Metric::Kind::Loss) return "Edge ablation on this text";
    const AnswerMetric asked = askedAnswer(input_.workspace.settings, *input_.snapshot.pass, metric_);
    return picture_.titleOf("Edge ablation", picture_.contrastWords(asked.prediction.entry, asked.against));
  }
  std::string metricWords() const {
    if (isOfAnswer()) return "its " + std::string(metric_.words);
    if (isDivergence()) return "p";
    return picture_.config.stack == Stack::EncoderOnly ? "masked predictions" : "the loss";
  }
  const char* unit() const { return isOfAnswer() ? "" : " nats"; }

  std::vector<Choice> thresholds() const {
    std::vector<Choice> choices;
    for (const char* each : metric_.isLogit() ? edgeLogitThresholds : edgeThresholds) {
      const bool isUsual = std::string_view(each) == usualThresholdOfEdges(input_.workspace.settings);
      const char* const number = isNarrow_ && !ofOpenText_ && *each == '0' ? each + 1 : each;  // "≥ .003"
      choices.push_back({std::string("≥ ") + number, "Smallest effect of the edges shown",
                         std::strtof(each, nullptr) == threshold_,
                         commands::choose(edgeThreshold, isUsual ? "" : each)});
    }
    return choices;
  }

  // Whoever chooses many reads the first of them.
  std::vector<Choice> whichTexts() const {
    std::vector<Choice> all{{"This text", "Only the open text; edges with the largest estimates come first",
                             ofOpenText_, commands::choose(edgeTexts, "")}};
    for (Choice& many : corpusChoices(input_, manyTexts)) {
      if (ofOpenText_) {
        many.on = false;
        many.command.apply = [takeUp = many.command.apply](Workspace& w) {
          takeUp(w);
          w.settings.choose(edgeTexts, firstEdgeTexts);
        };
      }
      all.push_back(std::move(many));
    }
    return all;
  }

  std::vector<Choice> howMany() const {
    const bool readsAll = input_.workspace.settings.chosen(edgeTexts) == allEdgeTexts;
    return {{std::to_string(DatasetEdgeAblation::usualTexts),
             "the first of these texts: each takes hundreds of passes", !readsAll,
             commands::choose(edgeTexts, firstEdgeTexts)},
            {"All", "all of these texts; Esc stops, and earlier results stay", readsAll,
             commands::choose(edgeTexts, allEdgeTexts)}};
  }
  std::string nameOfSender(int sender) const {
    return nameOf(edges_.senders[static_cast<std::size_t>(sender)]);
  }
  std::string nameOfEdge(int sender, int receiver) const {
    return nameOfSender(sender) + " → " + nameOf(edges_.receivers[static_cast<std::size_t>(receiver)]);
  }

  // What the picture tells of every edge.
  const char* told() const { return ofOpenText_ ? edge::here : edge::mean; }

  // Those above the threshold, on average where there are many texts, the strongest last, so that they lie
  // above the others.
  void takeUpDrawn() {
    const TensorView means = *scene_.sources.find(told());
    for (int s = 0; s < means.extent[0]; ++s)
      for (int r = 0; r < means.extent[1]; ++r)
        if (std::abs(means(s, r)) >= threshold_) drawn_.push_back({s, r, means(s, r)});
    std::ranges::stable_sort(drawn_, std::less<>(), [](const DrawnEdge& e) { return std::abs(e.mean); });
    above_ = drawn_.size();
    if (drawn_.size() > mostDrawn)
      drawn_.erase(drawn_.begin(), drawn_.end() - static_cast<std::ptrdiff_t>(mostDrawn));
    for (const DrawnEdge& each : drawn_) most_ = std::max(most_, std::abs(each.mean));
  }

  // Rows of the graph: what the stream begins with, then the blocks, upwards.
  int rowOf(const ContributionPart& part) const {
    using Kind = ContributionPart::Kind;
    const bool begins =
        part.kind == Kind::Embedding || part.kind == Kind::Position || part.kind == Kind::TokenType;
    return begins ? 0 : part.head.layer + 1;
  }
  // What is drawn, in words.
  void addWords(Box& area) {
    const Box title = area.takeTop(edgeHeading);
    addText(scene_, {title.x, title.y + 10},
            (above_ > drawn_.size() ? std::to_string(drawn_.size()) + " of " : "") + std::to_string(above_) +
                (above_ == 1 ? " edge whose ablation changes " : " edges whose ablation changes ") +
                metricWords() + " by ≥ " + formattedShort(threshold_) + unit() +
                (ofOpenText_ ? triedWords() : " on average, " + textsWords()),
            theme_.strong())
        .maxWidth = title.width;
    addAlone(area.takeTop(aloneLine));
  }
  void addGraph(const Box& area) {
    layOut(area);
    for (const DrawnEdge& each : drawn_) addRibbon(each);
    for (const auto& [part, box] : nodes_) addNode(part, box);
  }
  // What the graph alone makes of the open text.
  void addAlone(const Box& line) {
    const float told = number({edge::alone, {0}}), answers = number({edge::alone, {1}});
    if (!std::isfinite(told)) return;
    const std::string by = formattedFixed(told, 2) + unit(),
                      stay = ", " + formattedFixed(100 * answers, 0) + " % of ";
    addText(scene_, {line.x, line.y + 8},
            line.width < widthForSentence ? "circuit only: " + by + stay + "predictions stay"
                                          : "circuit only: this text, change in " + metricWords() + " " + by +
                                                stay + "the top tokens stay",
            theme_.note())
        .maxWidth = line.width;
    HitRegion& hit = addHitRegion(scene_, line, {edge::alone, {0}}, "circuit only");
    hit.tabStop = false;
    hit.target.text = "All other edges are ablated together, in one pass";
  }
  // Nothing once all are.
  std::string triedWords() const {
    const float tried = number({edge::tried, {0}}), all = number({edge::tried, {1}});
    return tried < all ? ", " + formattedFixed(tried, 0) + " of " + formattedFixed(all, 0) + " tried" : "";
  }
  std::string textsWords() const {
    const float read = number({edge::read, {0}}), all = number({edge::read, {1}});
    return (read < all ? formattedFixed(read, 0) + " of " : "") + corpusWords(input_, all) +
           (read < all ? " read" : "");
  }

  // A box for every part that writes; heads of the last block, which only read, too.
  void layOut(Box area) {
    std::map<int, std::vector<ContributionPart>> rows;
    for (const ContributionPart& part : contributionParts(input_.model()))
      if (part.kind != ContributionPart::Kind::OutputBias) rows[rowOf(part)].push_back(part);
    const int count = picture_.config.layers + 1;
    area.takeLeft(edgeRowNames);
    for (const auto& [row, inRow] : rows) {
      const Box line = area.cell(count - 1 - row, 0, count, 1);
      addText(scene_, {area.x - 8, line.center().y}, row == 0 ? "in" : "L" + std::to_string(row - 1),
              theme_.note(), Align::End);
      const int across = static_cast<int>(inRow.size());
      for (int i = 0; i < across; ++i) {
        const Box cell = line.cell(0, i, 1, across);
        const float width = std::min(cell.width - 6, 84.0f), height = std::min(line.height * 0.5f, edgeNode);
        nodes_.push_back({inRow[static_cast<std::size_t>(i)],
                          {cell.center().x - width / 2, cell.center().y - height / 2, width, height}});
      }
    }
  }
  const Box* boxOf(const ContributionPart& part) const {
    const auto found = std::ranges::find(nodes_, part, &std::pair<ContributionPart, Box>::first);
    return found == nodes_.end() ? nullptr : &found->second;
  }

  // Queries enter at the left of a head's lower edge, keys in the middle, values at the right.
  void addRibbon(const DrawnEdge& each) {
    const EdgeReceiver& receiver = edges_.receivers[static_cast<std::size_t>(each.receiver)];
    const Box* const to = boxOf({ContributionPart::Kind::Head, receiver.head});
    if (!to) return;
    const Box& from = *boxOf(edges_.senders[static_cast<std::size_t>(each.sender)]);
    const float port = (static_cast<float>(receiver.part) + 0.5f) / 3;
    Ribbon ribbon;
    ribbon.from = {to->x + port * to->width, to->bottom()}, ribbon.to = {from.center().x, from.y};
    ribbon.downwards = true;
    ribbon.value = {told(), {each.sender, each.receiver}};
    ribbon.range = {0, roundedUp(most_)}, ribbon.thickness = edgeThickness;
    ribbon.color = signColor(each.mean, theme_.dark);
    const bool isOfSelected = receiver.head == selectedHead(input_.workspace, picture_.config);
    ribbon.color.a *= isOfSelected ? 0.9f : 0.5f;
    scene_.add(ribbon);
  }

  void addNode(const ContributionPart& of, const Box& box) {
    const bool isHead = of.kind == ContributionPart::Kind::Head;
    const bool isSelected = isHead && of.head == selectedHead(input_.workspace, picture_.config);
    scene_.add(
        Rect{box, theme_.raised, isSelected ? theme_.accent : theme_.line, 4, isSelected ? 2.0f : 1.0f});
    const std::string name = nameOf(of);
    const std::string stack = of.head.site == AttentionSite::Cross ? "cross " : "";  // the row says its block
    const std::string inRow = isHead                                   ? stack + std::to_string(of.head.head)
                              : of.kind == ContributionPart::Kind::Mlp ? "MLP"
                                                                       : name;
    addText(scene_, box.center(), inRow, theme_.note(), Align::Middle).maxWidth = box.width - 4;
    HitRegion& hit = addHitRegion(scene_, box, {}, "edges of " + name);
    hit.target.text = name + (isHead ? readWords(of.head) + "; a click selects it" : "");
    if (isHead) hit.click = [head = of.head](const Target&) { return commands::selectHead(head); };
  }

  // ": reads L0H1 by keys (0.35)", the strongest of those that are drawn.
  std::string readWords(HeadId head) const {
    constexpr const char* parts[] = {"queries", "keys", "values"};
    constexpr int mostNamed = 3;
    std::string words;
    int named = 0;
    for (auto each = drawn_.rbegin(); each != drawn_.rend() && named < mostNamed; ++each) {
      const EdgeReceiver& to = edges_.receivers[static_cast<std::size_t>(each->receiver)];
      if (!(to.head == head)) continue;
      words += (named++ ? ", " : ": reads ") + nameOfSender(each->sender) + " by " +
               parts[static_cast<int>(to.part)] + " (" + formattedShort(each->mean) + ")";
    }
    return words;
  }

  // ": the gradient says 0.123, off by -0.045".
  std::string estimateWords(int sender, int receiver) const {
    if (!isEstimated()) return "";
    return ": estimate by the gradient " + formattedFixed(number({edge::estimate, {sender, receiver}}), 3) +
           ", error " + formattedFixed(number({edge::error, {sender, receiver}}), 3);
  }

  HitRegion edgeHit(int sender, int receiver) const {
    constexpr const char* parts[] = {"queries", "keys", "values"};
    const EdgeReceiver& to = edges_.receivers[static_cast<std::size_t>(receiver)];
    const float often = number({edge::often, {sender, receiver}});
    HitRegion hit;
    hit.target.cell = {told(), {sender, receiver}};
    hit.target.text =
        "what " + nameOfSender(sender) + " writes, as the " + parts[static_cast<int>(to.part)] + " of " +
        nameOf(to).substr(0, nameOf(to).size() - 2) + " read it" +
        (std::isfinite(often) ? ": matters in " + formattedFixed(100 * often, 0) + " % of the texts" : "") +
        estimateWords(sender, receiver) + "; a click selects that head";
    hit.click = [head = to.head](const Target&) { return commands::selectHead(head); };
    return hit;
  }

  struct ListColumn {
    const char *title, *tensor;
  };
  static constexpr ListColumn ofManyTexts[] = {{"mean", edge::mean},
                                               {"± spread", edge::spread},
                                               {"this text", edge::here},
                                               {"frequency", edge::often}},
                              ofThisText[] = {{"this text", edge::here}},
                              estimated[] = {{"exactly", edge::here},
                                             {"gradient", edge::estimate},
                                             {"off by", edge::error}};
  std::span<const ListColumn> columns() const {
    if (!ofOpenText_) return ofManyTexts;
    return isEstimated() ? std::span<const ListColumn>(estimated) : ofThisText;
  }

  // The strongest, on average where there are many texts, one a line.
  void addList(Box area) {
    const Box heading = area.takeTop(edgeHeading);
    const float names =
        heading.width - column_ * static_cast<float>(columns().size()) - (hasBars_ ? edgeBars : 0);
    addText(scene_, {heading.x, heading.y + 10}, "strongest first", theme_.strong()).maxWidth = names - 8;
    for (std::size_t c = 0; c < columns().size(); ++c)
      addText(scene_, {columnEnd(heading, names, c), heading.y + 10}, columns()[c].title, theme_.note(),
              Align::End);
    const auto listed = scene_.sources.find(edge::sender);
    if (!listed) {
      addText(scene_, {area.x, area.y + 12}, waitingWords(input_), theme_.note()).maxWidth = area.width;
      return;
    }
    takeUpScale(*listed);
    for (int i = 0; i < listed->extent[0] && area.height >= edgeRow; ++i)
      addListed(area.takeTop(edgeRow), names, i);
  }
  // One for what is exact and what is estimated.
  void takeUpScale(const TensorView& listed) {
    for (int i = 0; hasBars_ && i < listed.extent[0]; ++i)
      for (const char* tensor : {edge::here, edge::estimate})
        if (const float value = number(edgeCell(tensor, i)); std::isfinite(value))
          mostListed_ = std::max(mostListed_, std::abs(value));
  }
  // Of the edge at a place of the list.
  TensorRef edgeCell(const char* tensor, int place) const {
    return {tensor,
            {static_cast<int>(number({edge::sender, {place}})),
             static_cast<int>(number({edge::receiver, {place}}))}};
  }
  float columnEnd(const Box& line, float names, std::size_t column) const {
    return line.x + names + column_ * static_cast<float>(column + 1);
  }
  void addListed(const Box& line, float names, int place) {
    const int sender = static_cast<int>(number({edge::sender, {place}})),
              receiver = static_cast<int>(number({edge::receiver, {place}}));
    addText(scene_, {line.x, line.center().y}, nameOfEdge(sender, receiver), theme_.mono()).maxWidth =
        names - 4;
    for (std::size_t c = 0; c < columns().size(); ++c) {
      const ListColumn& column = columns()[c];
      const TensorRef ref{column.tensor, {sender, receiver}};
      const float value = number(ref);
      if (!std::isfinite(value)) continue;
      const bool isShare = column.tensor == edge::often;
      addText(scene_, {columnEnd(line, names, c), line.center().y},
              isShare ? formattedFixed(100 * value, 0) + " %" : formattedFixed(value, 3), theme_.mono(),
              Align::End)
          .value = ref;
    }
    HitRegion hit = edgeHit(sender, receiver);
    hit.box = line, hit.name = "edge " + std::to_string(place);
    scene_.hits.push_back(std::move(hit));
    if (!isEstimated()) return;
    addColumnHit(line, names, place, 1, "gradient " + std::to_string(place));
    addColumnHit(line, names, place, 2, "off by " + std::to_string(place));
    if (hasBars_) addBars(line, place);
  }
  // A number beside the edge's own, which opens by itself.
  void addColumnHit(const Box& line, float names, int place, std::size_t column, std::string name) {
    const TensorRef cell = edgeCell(columns()[column].tensor, place);
    HitRegion hit = edgeHit(cell.index[0], cell.index[1]);
    hit.box = {columnEnd(line, names, column) - column_, line.y, column_, line.height};
    hit.target.cell = cell, hit.name = std::move(name), hit.tabStop = false;
    scene_.hits.push_back(std::move(hit));
  }
  // What is exact above what the gradient says, both from the same middle.
  void addBars(Box line, int place) {
    Box bars = line.takeRight(edgeBars - 16);
    const float middle = bars.center().x;
    scene_.add(Rect{{middle, bars.y, 1, bars.height}, theme_.line});
    int row = 0;
    for (const char* tensor : {edge::here, edge::estimate}) {
      const TensorRef cell = edgeCell(tensor, place);
      const float value = number(cell), y = line.y + 4 + 8 * static_cast<float>(row++);
      if (!std::isfinite(value)) continue;
      const bool isBelow = value < 0;
      const Box track{isBelow ? bars.x : middle, y, bars.width / 2, 6};
      Rgba color = signColor(value, theme_.dark);
      if (tensor == edge::estimate) color.a *= 0.5f;
      scene_.add(Bar{track, cell, isBelow ? Range{-mostListed_, 0} : Range{0, mostListed_}, color});
      HitRegion hit = edgeHit(cell.index[0], cell.index[1]);
      hit.box = {bars.x, y - 1, bars.width, 8}, hit.target.cell = cell, hit.tabStop = false;
      hit.name = (tensor == edge::here ? "bar exactly " : "bar gradient ") + std::to_string(place);
      scene_.hits.push_back(std::move(hit));
    }
  }

  InfluencePicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  ModelEdges edges_;
  float threshold_, most_ = 1e-6f, column_ = edgeNumber;
  bool ofOpenText_;
  const MetricChoice& metric_;
  std::vector<DrawnEdge> drawn_;
  bool isNarrow_ = false, hasBars_ = false;
  float mostListed_ = 1e-6f;
  std::size_t above_ = 0;  // as many are above the threshold, drawn or not
  std::vector<std::pair<ContributionPart, Box>> nodes_;
};

}  // namespace

void drawEdgesPicture(InfluencePicture& picture, Box area) {
  if (const std::string& missing = picture.input.snapshot.kept.missing; !missing.empty())
    picture.scene = emptyScene(picture.input, "No edges", missing);
  else
    EdgesPicture(picture).draw(area);
}

}  // namespace glassformer
