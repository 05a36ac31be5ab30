#include "app/scene/attention/arcs_layout.h"

#include <algorithm>
#include <cmath>

#include "app/scene/attention/head_grid.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr std::size_t mostArcs = 1500;
constexpr float widestWord = 104, thickest = 7;

struct Arc {
  int plane, query, key;
  float value;
};

class ArcsBuilder {
 public:
  ArcsBuilder(AttentionView& view, std::vector<AttentionPlane> planes)
      : view_(view), planes_(std::move(planes)), window_(clamped(view.settings.window, view.count)) {
    range_ = {0, 0};
    for (const AttentionPlane& plane : planes_)
      range_ = unionOf(range_, {0, scaleOf(view, plane).range.high});
    collect();
  }

  void draw(Box area) {
    const float step = std::min(widestWord, area.width / static_cast<float>(window_.count));
    const bool level = fitsLevel(step);
    const Box words = area.takeBottom(level ? 32 : labelDepth(view_, area) + 8);
    line_ = {area.x + (area.width - step * static_cast<float>(window_.count)) / 2, area.y,
             step * static_cast<float>(window_.count), area.height - 8};
    addArcs();
    addWords(words, level);
    addHit({line_.x, area.y, line_.width, words.bottom() - area.y});
  }

  // "412 arcs", or how many of them are drawn.
  std::string note() const {
    std::string text = std::to_string(arcs_.size()) + (arcs_.size() == 1 ? " arc" : " arcs");
    if (found_ > arcs_.size()) text = "the strongest " + text + " of " + std::to_string(found_);
    text += " from " + std::to_string(view_.settings.leastPercent) + " % on";
    if (const auto all = drawnHeads(view_.input.workspace, view_.config); all.size() > planes_.size())
      text +=
          " · the first " + std::to_string(planes_.size()) + " of " + std::to_string(all.size()) + " heads";
    const std::string window = windowText(view_, window_.firstKey, window_.count);
    return window.empty() ? text : text + " · " + window;
  }

 private:
  void collect() {
    const float least = range_.high * static_cast<float>(view_.settings.leastPercent) / 100;
    const int first = window_.firstKey, end = first + window_.count;
    for (std::size_t p = 0; p < planes_.size(); ++p) {
      const auto cells = plane(view_.scene.sources, refOf(planes_[p]));
      if (!cells) continue;
      for (int query = first; query < end; ++query) {
        const float* row = &(*cells)(query, 0);
        for (int key = first; key <= query; ++key)
          if (const float value = row[key * cells->stride[1]]; std::abs(value) >= least && value != 0)
            arcs_.push_back({static_cast<int>(p), query, key, value});
      }
    }
    found_ = arcs_.size();
    const auto stronger = [](const Arc& a, const Arc& b) { return std::abs(a.value) > std::abs(b.value); };
    if (arcs_.size() > mostArcs) {
      std::nth_element(arcs_.begin(), arcs_.begin() + mostArcs, arcs_.end(), stronger);
      arcs_.resize(mostArcs);
    }
    for (const Arc& arc : arcs_) farthest_ = std::max(farthest_, arc.query - arc.key);
    // The strongest last: on top.
    std::stable_sort(arcs_.begin(), arcs_.end(), [&](const Arc& a, const Arc& b) { return stronger(b, a); });
  }

  // Arcs of several heads between the same tokens stand beside each other.
  float asideOf(int plane) const {
    const auto n = static_cast<float>(planes_.size());
    const float apart = std::min(5.0f, line_.width / static_cast<float>(window_.count) * 0.6f / n);
    return (static_cast<float>(plane) - (n - 1) / 2) * apart;
  }

  float place(int position) const {
    return line_.cell(0, position - window_.firstKey, 1, window_.count).center().x;
  }

  // Every arc where nothing is pointed at; else those of the token or head.
  bool isLit(const Arc& arc) const {
    const Target& hover = view_.input.hover;
    const HeadId head = planes_[static_cast<std::size_t>(arc.plane)].heads.front();
    if (hover.layer != Target::none && hover.head != Target::none && planes_.size() > 1 &&
        (hover.layer != head.layer || hover.head != head.head))
      return false;
    const bool token =
        hover.token != Target::none || hover.query != Target::none || hover.key != Target::none;
    return !token || hover.touches(arc.query) || hover.touches(arc.key);
  }

  void addArcs() {
    const float thickness = window_.count > 160 ? 3.0f : window_.count > 48 ? 5.0f : thickest;
    for (const bool lit : {false, true})
      for (const Arc& arc : arcs_)
        if (isLit(arc) == lit) addArc(arc, lit, thickness);
  }

  void addArc(const Arc& arc, bool lit, float thickness) {
    const AttentionPlane& plane = planes_[static_cast<std::size_t>(arc.plane)];
    Ribbon ribbon;
    const float aside = asideOf(arc.plane);
    ribbon.from = {place(arc.query) + aside, line_.bottom()};
    ribbon.to = {place(arc.key) + aside, line_.bottom()};
    // A token's look at itself is a small loop; the others rise the higher the further they reach.
    const float far = static_cast<float>(arc.query - arc.key) / static_cast<float>(farthest_);
    const float room = line_.height - thickness;
    ribbon.lift = (arc.query == arc.key ? std::min(18.0f, room) : std::pow(far, 0.75f) * room) / 0.75f;
    if (arc.query == arc.key) ribbon.from.x += 5, ribbon.to.x -= 5;
    ribbon.value = refOf(plane).cell(arc.query, arc.key);
    ribbon.range = range_;
    ribbon.thickness = thickness;
    // In a difference the sign matters more than the head.
    const Rgba color = view_.input.snapshot.isDifference()
                           ? colorAt(ColorMap::Diverging, arc.value > 0 ? 0.9f : 0.1f, view_.theme.dark)
                           : headColor(plane.heads.front().head, view_.theme.dark);
    ribbon.color = color.faded(lit ? 0.35f + 0.6f * range_.fraction(std::abs(arc.value)) : 0.07f);
    view_.scene.add(ribbon);
  }

  bool fitsLevel(float step) const {
    for (int i = 0; i < window_.count; ++i)
      if (view_.input.metrics.width(view_.input.label(window_.firstKey + i), FontFace::Mono,
                                    view_.labelSize) +
              8 >
          step)
        return false;
    return true;
  }

  void addWords(const Box& words, bool level) {
    const auto position = [&](int i) { return window_.firstKey + i; };
    const auto isStrong = [&](int i) {
      return position(i) == view_.input.query() || view_.input.hover.touches(position(i));
    };
    const Box strip{line_.x, words.y, line_.width, 0};
    if (const int chosen = view_.input.query() - window_.firstKey; chosen >= 0 && chosen < window_.count) {
      const Box cell = line_.cell(0, chosen, 1, window_.count);
      view_.scene.add(
          Rect{{cell.center().x - 8, line_.bottom() + 4, 16, 3}, view_.theme.accent, {0, 0, 0, 0}, 1, 1});
    }
    const auto label = [&](int i) { return view_.input.label(position(i)); };
    if (!level) {
      addLabels(view_.scene, view_.input,
                {{strip.x, strip.y + 4, strip.width, 0},
                 Side::Bottom,
                 window_.count,
                 words.height,
                 label,
                 isStrong,
                 FontFace::Mono,
                 view_.labelSize});
      return;
    }
    for (int i = 0; i < window_.count; ++i)
      addText(view_.scene, {strip.cell(0, i, 1, window_.count).center().x, words.y + 18}, label(i),
              {FontFace::Mono, view_.labelSize, isStrong(i) ? view_.theme.text : view_.theme.quiet},
              Align::Middle);
  }

  // Of each token the three strongest arcs that leave or reach it.
  std::vector<std::string> sayings() const {
    std::vector<std::string> lines(static_cast<std::size_t>(window_.count));
    std::vector<int> said(lines.size());
    const auto say = [&](int token, const Arc& arc) {
      const auto i = static_cast<std::size_t>(token - window_.firstKey);
      if (said[i] < 3) lines[i] += (said[i]++ ? "\n" : "") + lineOf(arc);
    };
    for (auto arc = arcs_.rbegin(); arc != arcs_.rend(); ++arc) {
      say(arc->query, *arc);
      if (arc->key != arc->query) say(arc->key, *arc);
    }
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].empty()) lines[i] = quoted(view_, window_.firstKey + static_cast<int>(i)) + ": no arc";
    return lines;
  }

  std::string lineOf(const Arc& arc) const {
    const AttentionPlane& plane = planes_[static_cast<std::size_t>(arc.plane)];
    return relationOf(plane, quoted(view_, arc.query), quoted(view_, arc.key)) + "  " + formatted(arc.value) +
           "  " + nameOf(plane.heads.front());
  }

  void addHit(const Box& box) {
    HitRegion hit;
    hit.box = box;
    hit.columns = window_.count, hit.columnAxis = Axis::Token;
    hit.firstColumn = window_.firstKey;
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    hit.say = [lines = sayings(), first = window_.firstKey](const Target& target) {
      return lines[static_cast<std::size_t>(target.token - first)];
    };
    hit.name = "arcs";
    hit.zoom = [window = window_, total = view_.count](float notches, Point at) {
      return commands::setAttentionWindow(zoomed(window, total, notches, at.x, at.x));
    };
    hit.reset = [] { return commands::setAttentionWindow({}); };
    if (window_.count < view_.count)
      hit.pan = [window = window_, total = view_.count](Point by) {
        return commands::setAttentionWindow(panned(window, total, -by.x, -by.x));
      };
    view_.scene.hits.push_back(std::move(hit));
  }

  AttentionView& view_;
  std::vector<AttentionPlane> planes_;
  PositionWindow window_;
  Range range_;
  std::vector<Arc> arcs_;
  std::size_t found_ = 0;
  int farthest_ = 1;  // between the two ends of an arc
  Box line_;
};

// Which colour is which head; pointing at one lights up its arcs, a click takes it out of the set.
void addHeadLegend(AttentionView& view, Box box, const std::vector<AttentionPlane>& planes) {
  constexpr float rowHeight = 24;
  const int columns = box.width >= 140 ? 2 : 1;
  const int fitting = static_cast<int>(box.height / rowHeight) * columns;
  const int shown = std::min(fitting, static_cast<int>(planes.size()));
  for (int i = 0; i < shown; ++i) {
    const int line = i / columns;
    const Box row = Box{box.x, box.y + rowHeight * static_cast<float>(line), box.width, rowHeight}.cell(
        0, i % columns, 1, columns);
    const HeadId head = planes[static_cast<std::size_t>(i)].heads.front();
    const bool pointed = view.input.hover.layer == head.layer && view.input.hover.head == head.head;
    view.scene.add(
        Rect{{row.x, row.center().y - 3, 16, 6}, headColor(head.head, view.theme.dark), {0, 0, 0, 0}, 2, 1});
    addText(view.scene, {row.x + 24, row.center().y}, nameOf(head),
            {FontFace::Mono, Theme::small, pointed ? view.theme.text : view.theme.quiet});
    HitRegion hit;
    hit.box = row;
    hit.target.layer = head.layer, hit.target.head = head.head;
    hit.target.text = "arcs of " + nameOf(head);
    hit.click = [](const Target& target) { return commands::toggleHead({target.layer, target.head}); };
    hit.name = "legend " + nameOf(head);
    view.scene.hits.push_back(std::move(hit));
  }
}

std::vector<Choice> thresholdChoices(const AttentionView& view) {
  static constexpr std::pair<int, const char*> steps[] = {{1, "1 %"},   {2, "2 %"},   {5, "5 %"},
                                                          {10, "10 %"}, {20, "20 %"}, {40, "40 %"}};
  std::vector<Choice> choices;
  for (const auto& [percent, label] : steps)
    choices.push_back(settingChoice(label,
                                    "the weakest arc that is drawn, against the strongest there could be",
                                    view.settings.leastPercent == percent,
                                    [percent = percent](AttentionSettings& s) { s.leastPercent = percent; }));
  return choices;
}

}  // namespace

void drawArcsLayout(AttentionView& view, Box area) {
  const auto planes = arcPlanes(view.input.workspace, view.config);
  const std::string title =
      planes.size() == 1 ? titleOf(view, planes.front()) : std::to_string(planes.size()) + " heads";
  addHeader(view, area, planes.front(), title, {stageChoices(view), thresholdChoices(view)});
  area.takeTop(16);
  Box column = area.takeRight(columnWidth(view));
  area.takeRight(24);
  const Box noteLine = area.takeTop(20);
  ArcsBuilder arcs(view, planes);
  arcs.draw(area);
  addText(view.scene, {noteLine.x, noteLine.center().y}, arcs.note(),
          {FontFace::Ui, Theme::small, view.theme.quiet})
      .maxWidth = noteLine.width;
  addHeadGrid(view, column, HeadUse::Together);
  column.takeTop(16);
  addHeadLegend(view, column, planes);
}

}  // namespace glassformer
