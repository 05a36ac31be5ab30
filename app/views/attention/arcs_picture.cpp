#include "app/views/attention/arcs_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/document/attention_commands.h"
#include "app/document/selection_commands.h"
#include "app/drawing/strong_cells.h"
#include "app/scene/format.h"
#include "app/views/attention/head_grid.h"

namespace glassformer {

namespace {

constexpr std::size_t mostArcs = 1500;
constexpr float widestWord = 104, thickest = 7;

struct Arc {
  int plane, query, key;
  float value;
};

// Of one text a line of tokens shows one stretch, wherever the keys of the matrix are zoomed to.
PlaneWindow partOnLines(const AttentionPicture& picture) {
  PositionWindow window = picture.settings.window;
  if (!picture.isAcross()) window.firstKey = window.firstQuery;
  return shownWindow(window, picture.queries, picture.keys);
}

constexpr int cellsAtOnce = 32;

class ArcsBuilder {
 public:
  ArcsBuilder(AttentionPicture& picture, std::vector<AttentionPlane> planes)
      : picture_(picture), planes_(std::move(planes)), part_(partOnLines(picture)) {
    range_ = {0, 0};
    for (const AttentionPlane& plane : planes_)
      range_ = unionOf(range_, {0, scaleOf(picture, plane).range.high});
    collect();
  }

  // Of one text a line of its tokens below the arcs; from a target to its source a line of either.
  void draw(Box area) {
    const Box whole = area;
    const Line below{picture_.asking, part_.firstQuery, part_.queries, Side::Bottom};
    const Line above{picture_.lookedAt, part_.firstKey, part_.keys, Side::Top};
    const bool across = picture_.isAcross();
    const Box words = area.takeBottom(depthOf(below, area.width)),
              source = across ? area.takeTop(depthOf(above, area.width)) : Box{};
    line_ = lineIn(area, below);
    sourceLine_ = across ? lineIn(area, above) : line_;
    addArcs();
    addWords(words, below, line_);
    if (across) addWords(source, above, sourceLine_);
    if (!across) return addHit({line_.x, whole.y, line_.width, whole.height}, below);
    const float middle = area.center().y;
    addHit({sourceLine_.x, whole.y, sourceLine_.width, middle - whole.y}, above);
    addHit({line_.x, middle, line_.width, whole.bottom() - middle}, below);
  }

  // "412 arcs", or how many of them are drawn.
  std::string note() const {
    std::string text = std::to_string(arcs_.size()) + (arcs_.size() == 1 ? " arc" : " arcs");
    if (found_ > arcs_.size()) text = "the strongest " + text + " of " + std::to_string(found_);
    text += " from " + std::to_string(picture_.settings.leastPercent) + " % on";
    if (const auto all = drawnHeads(picture_.input.workspace, picture_.config); all.size() > planes_.size())
      text +=
          " · the first " + std::to_string(planes_.size()) + " of " + std::to_string(all.size()) + " heads";
    const std::string window = windowText(picture_, part_);
    return window.empty() ? text : text + " · " + window;
  }

 private:
  // A line of tokens.
  struct Line {
    Stream stream;
    int first, count;
    Side side;
  };

  Box lineIn(const Box& area, const Line& line) const {
    const float width = stepOf(line, area.width) * static_cast<float>(line.count);
    return {area.x + (area.width - width) / 2, area.y, width, area.height - 8};
  }
  static float stepOf(const Line& line, float width) {
    return std::min(widestWord, width / static_cast<float>(line.count));
  }
  float depthOf(const Line& line, float width) const {
    return fitsLevel(line, stepOf(line, width)) ? 32 : labelDepth(picture_, {0, 0, width, 0}) + 8;
  }

  // Of millions of cells only some thousands are ever held: what is weaker than the strongest so far is
  // counted, many cells at a time, for that is done in every frame.
  void collect() {
    const float least = std::max(range_.high * static_cast<float>(picture_.settings.leastPercent) / 100,
                                 std::numeric_limits<float>::denorm_min());  // nothing is no arc
    const int endQuery = part_.firstQuery + part_.queries, endKey = part_.firstKey + part_.keys;
    float bar = least;
    for (std::size_t p = 0; p < planes_.size(); ++p) {
      const auto cells = plane(picture_.scene.sources, refOf(planes_[p]));
      if (!cells) continue;
      for (int query = part_.firstQuery; query < endQuery; ++query) {
        const int end = picture_.isCausal() ? std::min(query + 1, endKey) : endKey;
        const std::ptrdiff_t stride = cells->stride[1];
        for (int key = part_.firstKey; key < end; key += cellsAtOnce) {
          const int count = std::min(cellsAtOnce, end - key);
          const float* some = &(*cells)(query, key);
          const std::size_t found = strongCells(least, some, count, stride);
          found_ += found;
          if (found == 0 || (bar > least && strongCells(bar, some, count, stride) == 0)) continue;
          for (int i = 0; i < count; ++i) {
            const float value = some[i * stride];
            if (!(std::abs(value) >= bar)) continue;
            arcs_.push_back({static_cast<int>(p), query, key + i, value});
            if (arcs_.size() == 4 * mostArcs) bar = keepStrongest();
          }
        }
      }
    }
    if (arcs_.size() > mostArcs) keepStrongest();
    for (const Arc& arc : arcs_) farthest_ = std::max(farthest_, std::abs(arc.query - arc.key));
    // The strongest last: on top.
    std::stable_sort(arcs_.begin(), arcs_.end(),
                     [&](const Arc& a, const Arc& b) { return isStronger(b, a); });
  }
  static bool isStronger(const Arc& a, const Arc& b) { return std::abs(a.value) > std::abs(b.value); }
  // As many as are drawn; returns the strength of the weakest of them.
  float keepStrongest() {
    const auto weakest = arcs_.begin() + mostArcs - 1;
    std::nth_element(arcs_.begin(), weakest, arcs_.end(), isStronger);
    arcs_.resize(mostArcs);
    return std::abs(arcs_.back().value);
  }

  // Arcs of several heads between the same tokens stand beside each other.
  float asideOf(int plane) const {
    const auto n = static_cast<float>(planes_.size());
    const float step = line_.width / static_cast<float>(part_.queries);
    const float apart = std::min(5.0f, step * 0.6f / n);
    return (static_cast<float>(plane) - (n - 1) / 2) * apart;
  }

  float placeOfQuery(int i) const { return line_.cell(0, i - part_.firstQuery, 1, part_.queries).center().x; }
  float placeOfKey(int i) const { return sourceLine_.cell(0, i - part_.firstKey, 1, part_.keys).center().x; }

  // Every arc where nothing is pointed at; else those of the token or head.
  bool isLit(const Arc& arc) const {
    const Target& hover = picture_.input.hover;
    const HeadId head = planes_[static_cast<std::size_t>(arc.plane)].heads.front();
    if (hover.layer != Target::none && hover.head != Target::none && planes_.size() > 1 &&
        (hover.layer != head.layer || hover.head != head.head))
      return false;
    const bool token =
        hover.token != Target::none || hover.query != Target::none || hover.key != Target::none;
    return !token || hover.touches(arc.query, picture_.asking) || hover.touches(arc.key, picture_.lookedAt);
  }

  void addArcs() {
    const int most = std::max(part_.queries, part_.keys);
    const float thickness = most > 160 ? 3.0f : most > 48 ? 5.0f : thickest;
    for (const bool lit : {false, true})
      for (const Arc& arc : arcs_)
        if (isLit(arc) == lit) addArc(arc, lit, thickness);
  }

  void addArc(const Arc& arc, bool lit, float thickness) {
    const AttentionPlane& plane = planes_[static_cast<std::size_t>(arc.plane)];
    Ribbon ribbon;
    const float aside = asideOf(arc.plane);
    ribbon.from = {placeOfQuery(arc.query) + aside, line_.bottom()};
    ribbon.to = {placeOfKey(arc.key) + aside, line_.bottom()};
    if (picture_.isAcross())
      ribbon.to.y = sourceLine_.y + 8, ribbon.downwards = true;
    else
      lift(ribbon, arc, thickness);
    ribbon.value = refOf(plane).cell(arc.query, arc.key);
    ribbon.range = range_;
    ribbon.thickness = thickness;
    // In a difference the sign matters more than the head.
    const Rgba color = picture_.input.snapshot.isDifference()
                           ? signColor(arc.value, picture_.theme.dark)
                           : headColor(plane.heads.front().head, picture_.theme.dark);
    ribbon.color = color.faded(lit ? 0.35f + 0.6f * range_.fraction(std::abs(arc.value)) : 0.07f);
    picture_.scene.add(ribbon);
  }

  // A token's look at itself is a small loop; the others rise the higher the further they reach. Where tokens
  // see later ones too, the two directions stand apart.
  void lift(Ribbon& ribbon, const Arc& arc, float thickness) const {
    const float far = static_cast<float>(std::abs(arc.query - arc.key)) / static_cast<float>(farthest_);
    const float room = line_.height - thickness;
    ribbon.lift = (arc.query == arc.key ? std::min(18.0f, room) : std::pow(far, 0.75f) * room) / 0.75f;
    if (arc.query == arc.key) ribbon.from.x += 5, ribbon.to.x -= 5;
    if (picture_.isCausal() || arc.query == arc.key) return;
    const float apart = arc.key > arc.query ? 3.0f : -3.0f;
    ribbon.from.x += apart, ribbon.to.x += apart;
  }

  bool fitsLevel(const Line& line, float step) const {
    for (int i = line.first; i < line.first + line.count; ++i)
      if (picture_.input.metrics.width(picture_.input.label(i, line.stream), FontFace::Mono,
                                       picture_.labelSize) +
              8 >
          step)
        return false;
    return true;
  }

  void addWords(const Box& words, const Line& line, const Box& under) {
    const auto label = [&](int i) { return picture_.input.label(line.first + i, line.stream); };
    const int chosen = picture_.input.query(line.stream);
    const auto isStrong = [&](int i) {
      return line.first + i == chosen || picture_.input.hover.touches(line.first + i, line.stream);
    };
    const bool below = line.side == Side::Bottom;
    const Box strip{under.x, words.y, under.width, 0};
    if (const int mark = chosen - line.first; mark >= 0 && mark < line.count) {
      const float x = under.cell(0, mark, 1, line.count).center().x;
      const float y = below ? under.bottom() + 4 : words.bottom() + 1;
      picture_.scene.add(Rect{{x - 8, y, 16, 3}, picture_.theme.accent, {0, 0, 0, 0}, 1});
    }
    if (!fitsLevel(line, stepOf(line, words.width))) {
      addLabels(picture_.scene, picture_.input,
                {{strip.x, below ? strip.y + 4 : words.bottom(), strip.width, 0},
                 line.side,
                 line.count,
                 words.height,
                 label,
                 isStrong,
                 FontFace::Mono,
                 picture_.labelSize});
      return;
    }
    for (int i = 0; i < line.count; ++i)
      addText(picture_.scene, {strip.cell(0, i, 1, line.count).center().x, words.y + (below ? 18.0f : 14.0f)},
              label(i),
              {FontFace::Mono, picture_.labelSize, isStrong(i) ? picture_.theme.text : picture_.theme.quiet},
              Align::Middle);
  }

  // Of each token of a line the three strongest arcs that leave or reach it.
  std::vector<std::vector<Arc>> strongestOf(const Line& line) const {
    std::vector<std::vector<Arc>> strongest(static_cast<std::size_t>(line.count));
    const auto add = [&](int token, Stream stream, const Arc& arc) {
      if (stream != line.stream) return;
      std::vector<Arc>& own = strongest[static_cast<std::size_t>(token - line.first)];
      if (own.size() < 3) own.push_back(arc);
    };
    for (auto arc = arcs_.rbegin(); arc != arcs_.rend(); ++arc) {
      add(arc->query, picture_.asking, *arc);
      if (picture_.isAcross() || arc->key != arc->query) add(arc->key, picture_.lookedAt, *arc);
    }
    return strongest;
  }

  // Written when the pointer is on a token: there are hundreds.
  std::function<std::string(const Target&)> sayings(const Line& line) const {
    return [strongest = strongestOf(line), planes = planes_, labels = picture_.input.labels(line.stream),
            queries = picture_.input.labels(picture_.asking), keys = picture_.input.labels(picture_.lookedAt),
            first = line.first](const Target& target) {
      const auto quoted = [](const std::vector<std::string>& of, int i) {
        return "“" + of[static_cast<std::size_t>(i)] + "”";
      };
      std::string words;
      for (const Arc& arc : strongest[static_cast<std::size_t>(target.token - first)]) {
        const AttentionPlane& plane = planes[static_cast<std::size_t>(arc.plane)];
        words += (words.empty() ? "" : "\n") +
                 relationOf(plane, quoted(queries, arc.query), quoted(keys, arc.key)) + "  " +
                 formatted(arc.value) + "  " + nameOf(plane.heads.front());
      }
      return words.empty() ? quoted(labels, target.token) + ": no arc" : words;
    };
  }

  void addHit(const Box& box, const Line& line) {
    HitRegion& hit =
        addHitRegion(picture_.scene, box, {}, line.side == Side::Top ? "arcs to the source" : "arcs");
    hit.target.tokens = line.stream;
    hit.columns = line.count, hit.columnAxis = Axis::Token;
    hit.firstColumn = line.first;
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
    hit.say = sayings(line);
    const PositionWindow window = picture_.settings.window;
    const int queries = picture_.queries, keys = picture_.keys;
    hit.zoom = [=](float notches, Point at) {
      return commands::setAttentionWindow(zoomed(window, queries, keys, notches, at.x, at.x));
    };
    hit.reset = [] { return commands::setAttentionWindow({}); };
    if (part_.queries < queries || part_.keys < keys)
      hit.pan = [=](Point by) {
        return commands::setAttentionWindow(panned(window, queries, keys, -by.x, -by.x));
      };
  }

  AttentionPicture& picture_;
  std::vector<AttentionPlane> planes_;
  PlaneWindow part_;
  Range range_;
  std::vector<Arc> arcs_;
  std::size_t found_ = 0;
  int farthest_ = 1;       // between the two ends of an arc
  Box line_, sourceLine_;  // where arcs begin and end
};

// Which colour is which head; pointing at one lights up its arcs, a click takes it out of the set.
void addHeadLegend(AttentionPicture& picture, Box box, const std::vector<AttentionPlane>& planes) {
  constexpr float rowHeight = 24;
  const int columns = box.width >= 140 ? 2 : 1;
  const int fitting = static_cast<int>(box.height / rowHeight) * columns;
  const int shown = std::min(fitting, static_cast<int>(planes.size()));
  for (int i = 0; i < shown; ++i) {
    const int line = i / columns;
    const Box row = Box{box.x, box.y + rowHeight * static_cast<float>(line), box.width, rowHeight}.cell(
        0, i % columns, 1, columns);
    const HeadId head = planes[static_cast<std::size_t>(i)].heads.front();
    const bool pointed = picture.input.hover.layer == head.layer && picture.input.hover.head == head.head;
    picture.scene.add(
        Rect{{row.x, row.center().y - 3, 16, 6}, headColor(head.head, picture.theme.dark), {0, 0, 0, 0}, 2});
    const HeadId inSite{head.layer, head.head};  // which attention it is stands above
    addText(picture.scene, {row.x + 24, row.center().y}, nameOf(inSite),
            {FontFace::Mono, Theme::small, pointed ? picture.theme.text : picture.theme.quiet});
    HitRegion& hit = addHitRegion(picture.scene, row, {}, "legend " + nameOf(head));
    hit.target.layer = head.layer, hit.target.head = head.head;
    hit.target.text = "arcs of " + nameOf(head);
    hit.click = [head](const Target&) { return commands::toggleHead(head); };
  }
}

std::vector<Choice> thresholdChoices(const AttentionPicture& picture) {
  static constexpr std::pair<int, const char*> steps[] = {{1, "1 %"},   {2, "2 %"},   {5, "5 %"},
                                                          {10, "10 %"}, {20, "20 %"}, {40, "40 %"}};
  std::vector<Choice> choices;
  for (const auto& [percent, label] : steps)
    choices.push_back(settingChoice(label,
                                    "the weakest arc that is drawn, against the strongest there could be",
                                    picture.settings.leastPercent == percent,
                                    [percent = percent](AttentionSettings& s) { s.leastPercent = percent; }));
  return choices;
}

}  // namespace

namespace {

// Of an encoder's sentence what the decoder makes of it, as far as it was decoded; in up to two lines, taken
// off the bottom of the area.
void addTranslation(AttentionPicture& picture, Box& area) {
  constexpr float lineHeight = 22;
  const Snapshot& snapshot = picture.input.snapshot;
  if (snapshot.isDifference() || !snapshot.isDecoded()) return;
  const std::string written = snapshot.pass->text + snapshot.model->bytesOf(snapshot.decoded->continuation);
  if (written.empty()) return;
  const TextStyle style = picture.theme.strong();
  const auto lines =
      wrapped(picture.input.metrics, "→ “" + written + "”", style.face, style.size, area.width, 2);
  Box rest = area.takeBottom(lineHeight * static_cast<float>(lines.size()) + 8);
  rest.takeTop(8);
  for (const std::string& line : lines) {
    const Box row = rest.takeTop(lineHeight);
    addText(picture.scene, {row.x, row.center().y}, line, style).maxWidth = row.width;
  }
}

}  // namespace

void drawArcsPicture(AttentionPicture& picture, Box area) {
  waitForNothing(picture);
  const auto planes = arcPlanes(picture.input.workspace, picture.config);
  const std::string title =
      planes.size() == 1 ? titleOf(picture, planes.front()) : std::to_string(planes.size()) + " heads";
  addHeader(picture, area, planes.front(), title,
            {stageChoices(stageElsewhere(picture.settings)), thresholdChoices(picture)});
  area.takeTop(16);
  if (picture.site == AttentionSite::Encoder) addTranslation(picture, area);
  Box column = takeColumn(picture, area);
  area.takeRight(24);
  const Box noteLine = area.takeTop(20);
  ArcsBuilder arcs(picture, planes);
  arcs.draw(area);
  addText(picture.scene, {noteLine.x, noteLine.center().y}, arcs.note(), picture.theme.note()).maxWidth =
      noteLine.width;
  if (column.width <= 0) return;
  addHeadGrid(picture, column, HeadUse::Together);
  column.takeTop(16);
  addHeadLegend(picture, column, planes);
}

}  // namespace glassformer
