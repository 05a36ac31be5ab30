#include "app/views/attention/softmax_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/document/lookup_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/surface_room.h"
#include "app/drawing/turning.h"
#include "app/drawing/wording.h"
#include "app/engine/measurements.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "app/views/attention/strongest_keys.h"
#include "core/lens/attention_stages.h"
#include "core/lens/softmax_pair.h"

namespace glassformer {

namespace {

// What ViewSettings::choices calls the second key, by how much the two scores were moved, and how the surface
// is turned. The first key is the selected one.
constexpr const char *secondKeyChoice = "attention.second_key", *movedChoice = "attention.softmax_moved";
constexpr Turning softmaxTurning{"attention.softmax_angle"};

using TwoScores = std::array<float, 2>;

TwoScores movedScores(const ViewSettings& settings) {
  TwoScores by{};
  std::sscanf(std::string(settings.chosen(movedChoice)).c_str(), "%f %f", by.data(), by.data() + 1);
  return std::isfinite(by[0]) && std::isfinite(by[1]) ? by : TwoScores{};
}

Command moveScores(TwoScores by) {
  const std::string words = std::to_string(by[0]) + " " + std::to_string(by[1]);
  return commands::choose(movedChoice, by == TwoScores{} ? "" : words);
}

// The point of the two scores, where the head has it, and how far the axes go.
struct MovablePoint {
  TwoScores point{}, own{};
  float low = 0, high = 1;

  TwoScores moved() const { return {point[0] - own[0], point[1] - own[1]}; }
  Command by(TwoScores more) const {
    for (const std::size_t i : {0u, 1u}) more[i] = std::clamp(point[i] + more[i], low, high) - own[i];
    return moveScores(more);
  }
  // As far as both can go: along the flat.
  Command bothBy(float more) const {
    const auto [least, most] = std::minmax(point[0], point[1]);
    more = std::clamp(more, std::min(0.0f, low - least), std::max(0.0f, high - most));
    return by({more, more});
  }
};

int secondKey(const ViewSettings& settings) {
  const std::string chosen(settings.chosen(secondKeyChoice));
  return chosen.empty() ? -1 : std::atoi(chosen.c_str());
}

Command chooseSecondKey(int key) { return commands::choose(secondKeyChoice, std::to_string(key)); }

void measureSurface(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  const ModelConfig& config = pass.config();
  if (!config.hasAttention() || !hasSoftmax(config)) return;
  const HeadId head = selectedHead(pass.workspace, config);
  const int query = askedPosition(pass, queriesOf(head.site));
  const TensorView weights =
      pass.trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head][query];
  const auto keys =
      pairOfKeys(weights, pass.workspace.selection.keyAt(head.site), secondKey(pass.workspace.settings));
  measureSoftmaxPair(pass.trace, head, query, keys,
                     chosenTemperature(pass.workspace.settings, surfaceTemperatureChoice), set,
                     movedScores(pass.workspace.settings));
}

std::optional<std::vector<std::string>> scoresAndShares(const Workspace& workspace,
                                                        const ModelConfig& config) {
  if (!config.hasAttention()) return std::nullopt;
  const HeadId head = selectedHead(workspace, config);
  return std::vector{attentionPoint(head.layer, head.site, "hook_attn_scores"),
                     attentionPoint(head.layer, head.site, "hook_pattern")};
}

class SoftmaxSurface {
 public:
  explicit SoftmaxSurface(AttentionPicture& picture)
      : picture_(picture), scene_(picture.scene), theme_(picture.theme) {
    isPair_ = scene_.sources.contains(softmaxPair::keys);
    if (!isPair_) return;
    query_ = whole(softmaxPair::keys, 0);
    keys_ = {whole(softmaxPair::keys, 1), whole(softmaxPair::keys, 2)};
    at_.low = number(softmaxPair::first, 0), at_.high = number(softmaxPair::first, softmaxSteps - 1);
    for (const std::size_t i : {0u, 1u}) {
      at_.point[i] = number(softmaxPair::point, static_cast<int>(i));
      at_.own[i] = valueOf(scene_.sources, scoreOf(static_cast<int>(i))).value_or(0);
    }
  }

  void draw(Box area) {
    addTitle(area);
    area.takeTop(4);
    Box column = area.takeRight(std::clamp(area.width * 0.38f, 220.0f, 380.0f));
    area.takeRight(16);
    addSurface(area);
    addColumn(column);
  }

 private:
  static constexpr float sideways = 36;  // of the surface, for what is written around it

  float number(const char* tensor, int i) const {
    return valueOf(scene_.sources, {tensor, {i}}).value_or(NAN);
  }
  int whole(const char* tensor, int i) const { return static_cast<int>(number(tensor, i)); }
  TensorRef scoreOf(int i) const {
    return {attentionPoint(picture_.selected.layer, picture_.site, "hook_attn_scores"),
            {picture_.selected.head, query_, keys_[static_cast<std::size_t>(i)]}};
  }
  TensorRef weightOf(int i) const {
    return {attentionPoint(picture_.selected.layer, picture_.site, "hook_pattern"),
            {picture_.selected.head, query_, keys_[static_cast<std::size_t>(i)]}};
  }
  TensorRef along(const char* tensor) const { return {tensor, {}, -1, 0}; }
  bool isMoved() const { return at_.moved() != TwoScores{}; }
  Rgba aloneColor() const { return theme_.feedForward; }
  Rgba bothColor() const { return theme_.text; }

  void addTitle(Box& area) {
    std::vector<std::vector<Choice>> choices;
    if (isPair_)
      choices = {{{"Swap x₁ and x₂",
                   "Swap the two keys",
                   false,
                   {[keys = keys_, query = query_, site = picture_.site](Workspace& w) {
                      commands::selectCell(query, keys[1], site).apply(w);
                      chooseSecondKey(keys[0]).apply(w);
                      const TwoScores by = movedScores(w.settings);
                      moveScores({by[1], by[0]}).apply(w);
                    },
                    "", ""}}},
                 {{"Both − 1", "Both scores lower by 1: the softmax stays", false, at_.bothBy(-1)},
                  {"Both + 1", "Both scores higher by 1: the softmax stays", false, at_.bothBy(1)}}};
    if (isPair_ && isMoved())
      choices.back().push_back({"As computed", "Scores of this head", false, moveScores({})});
    const float temperature = chosenTemperature(picture_.input.workspace.settings, surfaceTemperatureChoice);
    addHeader(picture_, area,
              temperature == 0   ? "τ → 0: 1 where x₁ is larger, else 0"
              : temperature == 1 ? "σ(x)₁ = exp x₁ / (exp x₁ + exp x₂)"
                                 : "σ(x / " + formattedShort(temperature) + ")₁, flatter the larger τ is",
              "Softmax · " + nameOf(picture_.selected), choices);
  }

  void addSurface(Box area) {
    constexpr float widest = 1.5f;  // of its height
    area = area.inset(std::max(0.0f, (area.width - widest * area.height) / 2), 0);
    Box scale = area.takeRight(44);
    area.takeTop(24), area.takeBottom(32);
    area = area.inset(sideways, 0);
    const SurfaceAngle angle = softmaxTurning.of(picture_.input.workspace.settings);
    const SurfacePlot surface{
        area,        {softmaxPair::surface, {}, 0, 1}, ColorMap::Sequential, {0, 1}, angle.yaw,
        angle.pitch, theme_.text.faded(0.16f)};
    SurfaceRoom room(scene_, picture_.input, surface);
    room.addEdges();
    room.addLine(room.at(-1, -1, SurfaceRoom::floor), room.at(1, 1, SurfaceRoom::floor), theme_.quiet);
    scene_.add(surface);
    if (isPair_) addCuts(room);
    const float outside = sideways + 0.14f * area.width - 16;  // beside the middle of an edge
    room.addAxes(axis(softmaxPair::first, 0, softmaxSteps - 1, axisName("x₁", 0, outside)),
                 axis(softmaxPair::second, softmaxSteps - 1, 0, axisName("x₂", 1, outside)));
    addColorScale(scene_, picture_.input,
                  {scale.x + 4, scale.y + 24, scale.width, std::min(area.height, 180.0f)},
                  ColorMap::Sequential, {0, 1});
    addSurfaceHit(room, angle);
    if (isPair_) addHandle(room);
  }
  // With the token, where it is short enough to stand beside the surface.
  std::string axisName(const std::string& score, int i, float most) const {
    if (!isPair_) return score;
    const std::string name = score + ", " + quoted(i);
    return picture_.input.metrics.width(name, FontFace::Ui, Theme::small) <= most ? name : score;
  }
  std::string quoted(int i) const { return picture_.quotedKey(keys_[static_cast<std::size_t>(i)]); }

  // The number at each end of an axis, the one at the edge's low end first.
  SurfaceRoom::FloorAxis axis(const char* tensor, int low, int high, std::string name) const {
    const auto end = [&](int i) {
      Text text;
      text.value = {tensor, {i}};
      text.text = formattedFixed(number(tensor, i), 0);
      text.style = theme_.quietMono();
      return text;
    };
    Text words;
    words.text = std::move(name), words.style = theme_.note();
    return {end(low), end(high), words};
  }

  // A place on the surface, or above it, by the two scores.
  Point placeOf(const SurfaceRoom& room, float x1, float x2, float share) const {
    const float low = number(softmaxPair::first, 0), high = number(softmaxPair::first, softmaxSteps - 1);
    const auto u = [&](float x) { return 2 * (x - low) / (high - low) - 1; };
    return room.at(u(x1), u(x2), share);
  }

  // Through the point of the two scores: x₁ alone, and both by the same.
  void addCuts(SurfaceRoom& room) {
    const auto [s1, s2] = at_.point;
    Line alone{{}, aloneColor(), 2}, both{{}, bothColor(), 2, false};
    const float low = number(softmaxPair::second, softmaxSteps - 1), high = number(softmaxPair::second, 0);
    for (int i = 0; i < softmaxSteps; ++i) {
      const float x1 = number(softmaxPair::first, i), x2 = number(softmaxPair::shifted, i);
      alone.points.push_back(placeOf(room, x1, s2, number(softmaxPair::alone, i)));
      if (x2 >= low && x2 <= high) both.points.push_back(placeOf(room, x1, x2, number(softmaxPair::both, i)));
    }
    scene_.add(alone), scene_.add(both);
    if (isMoved()) {
      const Point own = placeOf(room, at_.own[0], at_.own[1], number(softmaxPair::own, 0));
      room.addLine(placeOf(room, at_.own[0], at_.own[1], SurfaceRoom::floor), own, theme_.quiet);
      scene_.add(Rect{{own.x - 5, own.y - 5, 10, 10}, {0, 0, 0, 0}, theme_.text, 5, 2});
    }
    const Point foot = placeOf(room, s1, s2, SurfaceRoom::floor), point = pointOf(room);
    room.addLine(foot, point, theme_.accent);
    room.addNeedle(point, placeOf(room, s1, s2, 1.08f), isMoved() ? "moved; ○ this head" : "this head");
    for (const Point& at : {foot, point})
      scene_.add(Rect{{at.x - 5, at.y - 5, 10, 10}, theme_.accent, theme_.ground, 5, 1.5f});
  }
  Point pointOf(const SurfaceRoom& room) const {
    return placeOf(room, at_.point[0], at_.point[1], number(softmaxPair::share, 0));
  }

  // The point and its place on the floor: dragged along the floor, by the arrow keys, and back by a double
  // click.
  void addHandle(const SurfaceRoom& room) {
    constexpr float size = 24, step = 0.25f;
    const Point zero = room.at(0, 0, 0), u = room.at(1, 0, 0), v = room.at(0, 1, 0);
    const Point alongU{u.x - zero.x, u.y - zero.y}, alongV{v.x - zero.x, v.y - zero.y};
    const float area = alongU.x * alongV.y - alongU.y * alongV.x, each = (at_.high - at_.low) / 2;
    HitRegion hit;
    hit.target = picture_.target();
    hit.target.cell = {softmaxPair::share, {0}};
    hit.target.text = "drag it or use the arrow keys: x₁ and x₂; double-click to restore";
    hit.pan = [movable = at_, alongU, alongV, area, each](Point by) {
      const Point pixels{by.x * size, by.y * size};
      return movable.by({each * (pixels.x * alongV.y - pixels.y * alongV.x) / area,
                         each * (alongU.x * pixels.y - alongU.y * pixels.x) / area});
    };
    hit.arrows = [movable = at_](int right, int down) {
      return movable.by({step * static_cast<float>(right), -step * static_cast<float>(down)});
    };
    hit.reset = [] { return moveScores({}); };
    const std::array<std::pair<const char*, Point>, 2> handles{
        std::pair{"foot of the two scores", placeOf(room, at_.point[0], at_.point[1], SurfaceRoom::floor)},
        {"point of the two scores", pointOf(room)}};
    for (const auto& [name, at] : handles) {
      hit.name = name, hit.box = {at.x - size / 2, at.y - size / 2, size, size};
      hit.tabStop = at.y == handles.back().second.y;
      scene_.hits.push_back(hit);
    }
  }

  void addSurfaceHit(const SurfaceRoom& room, SurfaceAngle angle) {
    HitRegion hit = room.hit(angle, [](SurfaceAngle to) { return softmaxTurning.turn(to); });
    hit.say = [sources = scene_.sources](const Target& target) {
      const auto score = [&](const char* tensor, int i) {
        return formatted(valueOf(sources, {tensor, {i}}).value_or(NAN));
      };
      return "x₁ = " + score(softmaxPair::first, target.cell.index[1]) +
             ", x₂ = " + score(softmaxPair::second, target.cell.index[0]);
    };
    hit.name = "softmax surface";
    scene_.hits.push_back(std::move(hit));
  }

  void addColumn(Box column) {
    if (!isPair_) {
      const std::string token = picture_.quotedQuery(picture_.query());
      for (const std::string& words :
           wrapped(picture_.input.metrics, token + " sees a single key, with weight 1.", FontFace::Ui,
                   Theme::small, column.width)) {
        const Box line = column.takeTop(20);
        addText(scene_, {line.x, line.center().y}, words, theme_.note());
      }
      return;
    }
    addNumbers(column);
    addLegend(scene_, picture_.input, column.takeTop(2 * legendLine), ways());
    // The surface shows the two ways as well: where there is little room, keys to choose from come first.
    const float most = std::min(column.height - 140, 170.0f);
    if (most >= 90) addCurves(column.takeTop(most));
    column.takeTop(8);
    addKeys(column);
  }

  // The two scores, what softmax makes of them, and what the row itself gives the two.
  void addNumbers(Box& column) {
    const TextStyle mono = theme_.mono(), quiet = theme_.note();
    const Box head = column.takeTop(20);
    const float number1 = head.right() - 84, number2 = head.right();
    addText(scene_, {number1, head.center().y}, "score", quiet, Align::End);
    addText(scene_, {number2, head.center().y}, isMoved() ? "moved to" : "in this row", quiet, Align::End);
    for (int i = 0; i < 2; ++i) {
      const Box row = column.takeTop(22);
      addText(scene_, {row.x, row.center().y}, (i == 0 ? "x₁ " : "x₂ ") + quoted(i), mono).maxWidth =
          number1 - row.x - 44;
      addNumber({number1, row.center().y}, scoreOf(i), mono, 2);
      if (isMoved())
        addNumber({number2, row.center().y}, {softmaxPair::point, {i}}, mono, 2);
      else
        addNumber({number2, row.center().y}, weightOf(i), mono, 3);
    }
    column.takeTop(4);
    addShare(column.takeTop(28), {"σ₁ of these two scores"}, {softmaxPair::share, {0}},
             {FontFace::Mono, Theme::title, theme_.text});
    if (isMoved())
      addShare(column.takeTop(24), {"σ₁ as computed"}, {softmaxPair::own, {0}}, mono);
    else
      addShare(column.takeTop(24), {"a₁ / (a₁ + a₂) of the row", "a₁ / (a₁ + a₂)"}, {softmaxPair::ofRow, {0}},
               mono);
    column.takeTop(8);
  }

  void addShare(const Box& line, std::vector<std::string> wordings, const TensorRef& share, TextStyle style) {
    const float room = line.width - 72;
    addText(scene_, {line.x, line.center().y},
            wordingFor(room, picture_.input, theme_.note(), std::move(wordings)), theme_.note())
        .maxWidth = room;
    addNumber({line.right(), line.center().y}, share, style, 3);
  }

  void addNumber(Point right, const TensorRef& cell, TextStyle style, int decimals) {
    const std::string words = formattedFixed(valueOf(scene_.sources, cell).value_or(NAN), decimals);
    addText(scene_, right, words, style, Align::End).value = cell;
    const float width = picture_.input.metrics.width(words, style.face, style.size);
    HitRegion& hit =
        addHitRegion(scene_, {right.x - width, right.y - style.size * 0.7f, width, style.size * 1.4f});
    hit.target = picture_.target();
    hit.target.cell = cell, hit.tabStop = false;
  }

  // Two ways through the point, over x₁.
  std::vector<PlotLine> ways() const {
    return {{along(softmaxPair::alone), aloneColor(), 2.5f, "x₁ alone changes: a sigmoid"},
            {along(softmaxPair::both), bothColor(), 2, "x₁ and x₂ change alike: flat"}};
  }
  void addCurves(Box box) {
    box.takeTop(6), box.takeLeft(28), box.takeBottom(20);
    addPlot(scene_, picture_.input, {box, {0, 1}, ways()}, "ways through the point",
            [sources = scene_.sources](int i) {
              return "x₁ = " + formatted(valueOf(sources, {softmaxPair::first, {i}}).value_or(NAN));
            });
    const float step = box.width / softmaxSteps;
    const float x = box.x + step / 2 + (box.width - step) * (at_.point[0] - at_.low) / (at_.high - at_.low);
    scene_.add(Line{{{x, box.y}, {x, box.bottom()}}, theme_.quiet});
    addText(scene_, {x, box.bottom() + 11}, "x₁", theme_.note(), Align::Middle);
  }

  void addKeys(Box box) {
    if (box.height < 80) return;
    const Box keys = box.takeTop(std::min(box.height - 22, 28 + 26 * 8.0f)), words = box.takeTop(22);
    StrongestKeysList list{inTextOrder({.heads = {picture_.selected}})};
    list.mark = [keys = keys_](int key) { return key == keys[0] ? "x₁ " : key == keys[1] ? "x₂ " : ""; };
    list.extend = chooseSecondKey;
    addStrongestKeys(picture_, keys, list);
    if (picture_.input.isStill()) return;
    addText(scene_, {words.x, words.center().y},
            wordingFor(words.width, picture_.input, theme_.note(),
                       {"Click a key for x₁, with Ctrl for x₂.", "Click: x₁; with Ctrl: x₂."}),
            theme_.note())
        .maxWidth = words.width;
  }

  AttentionPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  bool isPair_ = false;
  int query_ = 0;
  std::array<int, 2> keys_{-1, -1};
  MovablePoint at_;
};

}  // namespace

namespace needs {
const Need softmaxSurface{.name = "softmax of two scores",
                          .onPass = measureSurface,
                          .reads = readChoices<secondKeyChoice, surfaceTemperatureChoice, movedChoice>,
                          .points = scoresAndShares};
}  // namespace needs

void drawSoftmaxPicture(AttentionPicture& picture, Box area) {
  const auto say = [&](const std::string& reason) {
    addHeader(picture, area, "", "Softmax of two scores", {});
    addText(picture.scene, area.center(), reason, picture.theme.note(), Align::Middle).maxWidth = area.width;
  };
  if (!hasSoftmax(picture.config)) return say("This attention computes weights without a softmax.");
  if (!picture.scene.sources.contains(softmaxPair::surface)) return say(waitingWords(picture.input));
  SoftmaxSurface(picture).draw(area);
}

}  // namespace glassformer
