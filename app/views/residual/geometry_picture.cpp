#include "app/views/residual/geometry_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/head_choices.h"
#include "app/drawing/place_names.h"
#include "app/scene/format.h"
#include "app/views/residual/closeup.h"
#include "app/views/residual/geometry_vectors.h"
#include "core/lens/principal_components.h"

namespace glassformer {

namespace {

// The next of 1, 2, 5, 10, ... times a power of ten.
float niceStep(float least) {
  const float power = std::pow(10.0f, std::floor(std::log10(least)));
  for (const float step : {1.0f, 2.0f, 5.0f})
    if (step * power >= least) return step * power;
  return 10 * power;
}

// A row of tokens' vectors: how its dots look, and which tokens stand out.
struct DotKind {
  std::string tensor;
  const char* name;
  Stream stream;
  Rgba color;
  bool square, isOther = false;  // of the text that is compared with
};
struct PlacedDot {
  const DotKind* kind;
  int token;
  Point at;
};

class GeometryPicture {
 public:
  explicit GeometryPicture(ResidualPicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        theme_(picture.theme),
        isHead_(showsHead(picture.input.workspace, picture.input.config())),
        isBoth_(picture.input.snapshot.isDifference()),
        head_(selectedHead(picture.input.workspace, picture.input.config())),
        place_(chosenPlace(picture.input.workspace.settings, picture.places)),
        closeup_(closeupOf(picture.input.workspace.settings)) {
    if (isHead_)
      kinds_ = {{geometry::queries, "query", queriesOf(head_.site), theme_.attention, false},
                {geometry::keys, "key", keysOf(head_.site), theme_.feedForward, true}};
    else
      kinds_ = {{geometry::tokens, "dot", picture.stream, theme_.quiet, false}};
    if (isBoth_) addOtherKinds();
  }

  void draw(Box area) {
    addTitle(area);
    if (!picture_.isThere(kinds_.front().tensor)) return say(area, waitingWords(picture_.input));
    if (!picture_.input.still) isHead_ ? addHeadChoices(area) : addPlaceStrip(area);
    float widest = 0;
    for (const DotKind& kind : kinds_)
      widest = std::max(
          widest, picture_.input.metrics.width(wordsOf(kind, shownOf(kind)), FontFace::Ui, Theme::small));
    for (const bool isOther : {false, true})
      for (const DotKind& kind : kinds_)
        if (kind.isOther == isOther && isThere(kind, shownOf(kind)))
          addCoordinates(area.takeTop(26), kind, std::min(widest, 240.0f));
    area.takeTop(6), area.takeLeft(88), area.takeBottom(48);
    fit(area);
    addFrame();
    addPlaneHit();
    placeDots();
    addMoves();
    addDots();
    addTokenLabels();
  }

 private:
  static constexpr float margin = 24;    // of the frame, around all dots
  static constexpr float faint = 0.45f;  // what is of the other text

  float number(const TensorRef& cell) const { return valueOf(scene_.sources, cell).value_or(NAN); }
  int shownOf(const DotKind& kind) const { return picture_.input.query(kind.stream); }
  // Not where only one of two texts has a token.
  bool isThere(const DotKind& kind, int token) const {
    return !std::isnan(number({kind.tensor, {token, 0}}));
  }
  bool isPointed(const DotKind& kind, int token) const {
    return picture_.input.hover.touches(token, kind.stream);
  }
  // Of each row of this text's vectors, those of the other text: fainter, and first, so that they lie below.
  void addOtherKinds() {
    std::vector<DotKind> both;
    for (DotKind kind : kinds_) {
      const std::string tensor = kind.tensor;
      kind.tensor = geometry::ofBoth(tensor.c_str());
      both.push_back(kind);
      kind.tensor = geometry::ofOther(tensor.c_str()), kind.isOther = true;
      kind.color = kind.color.faded(faint);
      both.insert(both.begin(), kind);
    }
    kinds_ = std::move(both);
  }

  // "“it”", "key of “it”"; of two texts each calls it what it says: "tired|wide" is "tired" here.
  std::string wordsOf(const DotKind& kind, int token) const {
    return (isHead_ ? std::string(kind.name) + " of " : "") + "“" + labelOf(kind, token) + "”" +
           (kind.isOther ? " in the other text" : "");
  }
  std::string labelOf(const DotKind& kind, int token) const {
    if (!isBoth_) return picture_.input.label(token, kind.stream);
    const Snapshot::Sides& sides = *picture_.input.snapshot.sides;
    const Alignment::Column& column = sides.alignments.of(kind.stream)[token];
    const int own = kind.isOther ? column.b : column.a;
    if (own < 0) return "";
    return (kind.isOther ? sides.b : sides.a)
        ->pass->tokensOf(kind.stream)[static_cast<std::size_t>(own)]
        .label;
  }

  void say(const Box& area, const std::string& words) {
    addText(scene_, area.center(), words, theme_.note(), Align::Middle).maxWidth = area.width;
  }

  void addTitle(Box& area) {
    std::vector<std::vector<Choice>> choices;
    if (picture_.config.attends())
      choices.push_back(
          {{"Stream", "the residual stream at a place", !isHead_, commands::choose(vectorsChoice, "")},
           {"Queries and keys", "of the selected head, as they are compared", isHead_,
            commands::choose(vectorsChoice, ofHead)}});
    if (!closeup_.isWhole() && !picture_.input.still)
      choices.push_back({{"Whole", "all tokens again   double click", false, setCloseup({})}});
    const std::string what =
        isHead_ ? "queries and keys of head " + nameOf(head_) : placeName(picture_.config, place_);
    addResidualHeader(picture_, area,
                      "z = (x − x̄) · v, " + what + (isBoth_ ? "; the other text is fainter" : ""), choices);
  }

  void addHeadChoices(Box& area) {
    const Box row = area.takeBottom(36);
    addChoices(scene_, picture_.input, {row.right(), row.y + 4},
               neighbouringHeads(picture_.input.config(), head_));
  }

  // All places along the stream, to choose from.
  void addPlaceStrip(Box& area) {
    const float height = axisHeight(picture_, area.width);
    const Box names = area.takeBottom(height), cells = area.takeBottom(12);
    area.takeBottom(8);
    addPlaces(picture_, names);
    for (int place = 0; place < picture_.places; ++place) {
      const Box cell = cells.cell(0, place, 1, picture_.places).inset(1, 0);
      scene_.add(Rect{
          cell, place == place_ ? theme_.accent : theme_.raised, {0, 0, 0, 0}, cell.width > 8 ? 2.f : 0, 1});
      HitRegion hit;
      hit.box = {cell.x, cell.y, cell.width, cell.height + height};
      hit.target.layer = blockOfPlace(picture_.config, place);
      hit.target.text = placeName(picture_.config, place);
      hit.click = [place](const Target&) { return commands::choose(placeChoice, std::to_string(place)); };
      hit.name = "place " + std::to_string(place);
      scene_.hits.push_back(std::move(hit));
    }
  }

  // Of the selected token, and so what its dots look like.
  void addCoordinates(const Box& line, const DotKind& kind, float widest) {
    const int token = shownOf(kind);
    const float y = line.center().y, numbers = line.x + 16 + widest + 32;
    const Rgba color = isHead_ ? kind.color : theme_.accent.faded(kind.isOther ? faint : 1);
    scene_.add(Rect{{line.x, y - 4, 8, 8}, color, {0, 0, 0, 0}, kind.square ? 0.f : 4.f, 1});
    addText(scene_, {line.x + 16, y}, wordsOf(kind, token), theme_.plain()).maxWidth = widest + 1;
    for (int c = 0; c < 2; ++c) {
      const TensorRef cell{kind.tensor, {token, c}};
      const Box box{numbers + 110 * static_cast<float>(c), line.y, 104, line.height};
      addText(scene_, {box.x, y}, (c == 0 ? "z₁ = " : "z₂ = ") + formattedFixed(number(cell), 2),
              theme_.mono())
          .value = cell;
      HitRegion hit;
      hit.box = box, hit.target.cell = cell, hit.tabStop = false;
      hit.target.token = token, hit.target.tokens = kind.stream;
      scene_.hits.push_back(std::move(hit));
    }
  }

  Range rangeAlong(int component) const {
    Range all = rangeOf(scene_.sources, {kinds_.front().tensor, {0, component}, 0, -1});
    for (const DotKind& kind : kinds_)
      all = unionOf(all, rangeOf(scene_.sources, {kind.tensor, {0, component}, 0, -1}));
    return all;
  }

  // As large as all dots find room, with as many pixels for a unit in both directions.
  void fit(const Box& area) {
    frame_ = area;
    const Range across = rangeAlong(0), up = rangeAlong(1);
    unit_ = std::max((across.high - across.low) / std::max(1.0f, area.width - 2 * margin),
                     (up.high - up.low) / std::max(1.0f, area.height - 2 * margin));
    if (!(unit_ > 0)) unit_ = 2 / area.width;
    const auto around = [&](const Range& range, float pixels) {
      const float middle = (range.low + range.high) / 2, half = unit_ * pixels / 2;
      return Range{middle - half, middle + half};
    };
    across_ = seen(around(across, area.width), closeup_.x), up_ = seen(around(up, area.height), closeup_.y);
    unit_ /= closeup_.zoom;
  }
  Range seen(Range whole, float middle) const {
    const float extent = whole.high - whole.low, at = whole.low + middle * extent,
                half = extent / 2 / closeup_.zoom;
    return {at - half, at + half};
  }

  // The wheel brings the plane closer, dragging moves it, a double click shows all of it again.
  void addPlaneHit() {
    HitRegion hit;
    hit.box = frame_;
    hit.name = "geometry plane";
    hit.zoom = [part = closeup_](float notches, Point at) { return setCloseup(closer(part, notches, at)); };
    hit.reset = [] { return setCloseup({}); };
    if (!closeup_.isWhole())
      hit.pan = [part = closeup_](Point by) {
        return setCloseup({part.zoom, part.x - by.x / part.zoom, part.y + by.y / part.zoom});
      };
    scene_.hits.push_back(std::move(hit));
  }

  void addFrame() {
    scene_.add(Rect{frame_, theme_.panel, theme_.line, 0, 1});
    const float step = niceStep(72 * unit_);
    const TextStyle mono = theme_.quietMono();
    eachTick(across_, step, frame_.width, [&](float value, float along) {
      const float x = frame_.x + along;
      scene_.add(Line{{{x, frame_.y}, {x, frame_.bottom()}}, gridColor(value), 1, false});
      addText(scene_, {x, frame_.bottom() + 12}, formattedShort(value), mono, Align::Middle);
    });
    eachTick(up_, step, frame_.height, [&](float value, float along) {
      const float y = frame_.bottom() - along;
      scene_.add(Line{{{frame_.x, y}, {frame_.right(), y}}, gridColor(value), 1, false});
      addText(scene_, {frame_.x - 8, y}, formattedShort(value), mono, Align::End);
    });
    addAxisName(0, "first component, ", {frame_.center().x, frame_.bottom() + 34});
    addAxisName(1, "second component, ", {frame_.x - 78, frame_.center().y});
  }
  // Multiples of the step, those too near to a corner left out.
  template <typename Add>
  static void eachTick(Range range, float step, float pixels, const Add& add) {
    constexpr float corner = 20;
    const int first = static_cast<int>(std::ceil(range.low / step)),
              last = static_cast<int>(std::floor(range.high / step));
    for (int i = first; i <= last; ++i) {
      const float value = static_cast<float>(i) * step, along = range.fraction(value) * pixels;
      if (along > corner && along < pixels - corner) add(value, along);
    }
  }
  Rgba gridColor(float value) const {
    return value == 0 ? theme_.quiet.faded(0.4f) : theme_.line.faded(0.6f);
  }

  void addAxisName(int component, const std::string& name, Point at) {
    const TensorRef share{isBoth_ ? geometry::ofBoth(geometry::shares) : geometry::shares, {component}};
    Text& text = addText(scene_, at, name + formattedPercent(number(share)) + " of the variance",
                         theme_.note(), Align::Middle);
    text.value = share;
    if (component == 0) return;
    const float width = picture_.input.metrics.width(text.text, FontFace::Ui, Theme::small);
    text.upright = true, text.vertical = Align::Middle;
    if (width > frame_.height) text.text = "second, " + formattedPercent(number(share));
  }

  TensorRef pairOf(const DotKind& kind, int token) const { return {kind.tensor, {token, 0}, -1, 1}; }
  Dot dotOf(const DotKind& kind, int token, float radius) const {
    return {frame_, pairOf(kind, token), across_, up_, radius, kind.color, kind.square};
  }

  // Those that stand out come last, and so lie on top: the pointed ones, then the selected ones.
  void placeDots() {
    for (const DotKind& kind : kinds_)
      for (int token = 0; token < picture_.input.countOf(kind.stream); ++token) {
        const float across = number({kind.tensor, {token, 0}}), up = number({kind.tensor, {token, 1}});
        if (across_.low <= across && across <= across_.high && up_.low <= up && up <= up_.high)
          dots_.push_back({&kind, token, dotCenter(dotOf(kind, token, 0), across, up)});
      }
    std::ranges::stable_sort(dots_, {}, [&](const PlacedDot& dot) { return rank(dot); });
  }
  // From where a token is in the other text to where it is in this one.
  void addMoves() {
    for (const PlacedDot& to : dots_) {
      if (to.kind->isOther) continue;
      const auto from = std::ranges::find_if(dots_, [&](const PlacedDot& dot) {
        return dot.token == to.token && dot.kind->isOther &&
               std::string_view(dot.kind->name) == to.kind->name;
      });
      if (!isBoth_ || from == dots_.end()) continue;
      const bool stands = rank(to) > 0;
      scene_.add(Line{
          {from->at, to.at}, stands ? theme_.accent : theme_.quiet.faded(0.7f), stands ? 2.0f : 1.2f, false});
    }
  }

  int rank(const PlacedDot& dot) const {
    if (dot.token == shownOf(*dot.kind)) return 2;
    return isPointed(*dot.kind, dot.token) ? 1 : 0;
  }

  void addDots() {
    for (const PlacedDot& dot : dots_) {
      const int stands = rank(dot);
      const float radius = stands > 0 ? 5.0f : 4.0f, ring = radius + 3;
      Dot drawn = dotOf(*dot.kind, dot.token, radius);
      if (stands > 0 && !isHead_)
        drawn.color = (stands == 2 ? theme_.accent : theme_.text).faded(dot.kind->isOther ? faint : 1);
      scene_.add(drawn);
      if (stands > 0)
        addRing({dot.at.x - ring, dot.at.y - ring, 2 * ring, 2 * ring}, dot.kind->square ? 0 : ring,
                stands == 2 ? theme_.accent : theme_.text);
      addDotHit(dot);
    }
  }
  void addRing(const Box& box, float radius, Rgba color) {
    scene_.add(Rect{box, {0, 0, 0, 0}, color, radius, 1.5f});
  }

  // How far it answers to the pointer: halfway to the next one, so that each has a place of its own.
  float reachOf(const PlacedDot& dot) const {
    constexpr float least = 0.5f, most = 7;
    float reach = most;
    for (const PlacedDot& other : dots_)
      if (&other != &dot)
        reach =
            std::min(reach, std::max(std::abs(other.at.x - dot.at.x), std::abs(other.at.y - dot.at.y)) / 2);
    return std::max(reach, least);
  }

  void addDotHit(const PlacedDot& dot) {
    const float reach = reachOf(dot);
    HitRegion hit;
    const Point low{std::max(dot.at.x - reach, frame_.x), std::max(dot.at.y - reach, frame_.y)},
        high{std::min(dot.at.x + reach, frame_.right()), std::min(dot.at.y + reach, frame_.bottom())};
    hit.box = {low.x, low.y, high.x - low.x, high.y - low.y};
    hit.target.cell = {dot.kind->tensor, {dot.token, 0}};
    hit.target.token = dot.token, hit.target.tokens = dot.kind->stream;
    hit.target.text = wordsOf(*dot.kind, dot.token) + ": z = (" +
                      formattedFixed(number({dot.kind->tensor, {dot.token, 0}}), 2) + ", " +
                      formattedFixed(number({dot.kind->tensor, {dot.token, 1}}), 2) + ")\nz = (x − x̄) · v";
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
    hit.name =
        (dot.kind->isOther ? "other " : "") + std::string(dot.kind->name) + " " + std::to_string(dot.token);
    scene_.hits.push_back(std::move(hit));
  }

  static constexpr float markSize = 10;
  // Beside its dot, wherever no other dot or label is; those that stand out first, whatever dots they cover.
  void addTokenLabels() {
    std::vector<Box> taken, marks;
    for (const PlacedDot& dot : dots_)
      marks.push_back({dot.at.x - markSize / 2, dot.at.y - markSize / 2, markSize, markSize});
    std::ranges::sort(marks, {}, &Box::x);
    std::vector<const PlacedDot*> order;
    for (const PlacedDot& dot : dots_)
      if (!isNamedByOwn(dot)) order.push_back(&dot);
    std::ranges::stable_sort(order, std::greater(), [&](const PlacedDot* dot) { return rank(*dot); });
    for (const PlacedDot* dot : order) {
      auto box = roomBeside(*dot, taken, marks);
      if (!box && rank(*dot) > 0) box = roomBeside(*dot, taken, {});
      if (!box) continue;
      taken.push_back(*box);
      addText(scene_, {box->x, box->center().y}, labelOf(*dot->kind, dot->token),
              {FontFace::Mono, Theme::small, rank(*dot) > 0 ? theme_.text : theme_.quiet})
          .maxWidth = box->width;
    }
  }

  // A dot of the other text whose token is the same as this text's, which has its name beside it.
  bool isNamedByOwn(const PlacedDot& dot) const {
    DotKind own = *dot.kind;
    own.isOther = false;
    return dot.kind->isOther && labelOf(own, dot.token) == labelOf(*dot.kind, dot.token);
  }

  // `marks` from left to right.
  std::optional<Box> roomBeside(const PlacedDot& dot, const std::vector<Box>& taken,
                                const std::vector<Box>& marks) const {
    constexpr float widest = 120, height = 16, away = 10;
    const std::string label = labelOf(*dot.kind, dot.token);
    const float width =
        std::min(widest, picture_.input.metrics.width(label, FontFace::Mono, Theme::small) + 1);
    const auto [x, y] = dot.at;
    for (const Box& box :
         {Box{x + away, y - height / 2, width, height}, Box{x - away - width, y - height / 2, width, height},
          Box{x - width / 2, y - away - height, width, height},
          Box{x - width / 2, y + away, width, height}}) {
      const auto meets = [&](const Box& other) {
        return box.x < other.right() && other.x < box.right() && box.y < other.bottom() &&
               other.y < box.bottom();
      };
      const bool inside = box.x >= frame_.x && box.y >= frame_.y && box.right() <= frame_.right() &&
                          box.bottom() <= frame_.bottom();
      const auto near = std::ranges::subrange(std::ranges::lower_bound(marks, box.x - markSize, {}, &Box::x),
                                              std::ranges::upper_bound(marks, box.right(), {}, &Box::x));
      if (inside && std::ranges::none_of(taken, meets) && std::ranges::none_of(near, meets)) return box;
    }
    return std::nullopt;
  }

  ResidualPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  bool isHead_, isBoth_;
  HeadId head_;
  int place_;
  Closeup closeup_;
  std::vector<DotKind> kinds_;
  std::vector<PlacedDot> dots_;
  Box frame_;
  Range across_, up_;
  float unit_ = 1;  // per pixel
};

}  // namespace

void drawGeometryPicture(ResidualPicture& picture, Box area) { GeometryPicture(picture).draw(area); }

}  // namespace glassformer
