#include "app/views/residual/geometry_dots.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/place_names.h"
#include "app/scene/format.h"
#include "app/views/residual/geometry_vectors.h"

namespace glassformer {

namespace {

struct PlacedDot {
  const DotKind* kind;
  int token;
  std::array<float, 3> z;
  SeenPlace place;
};

std::string dotLabel(const ResidualPicture& picture, const DotKind& kind, int token) {
  if (!picture.input.snapshot.isDifference()) return picture.input.label(token, kind.stream);
  const Snapshot::Sides& sides = *picture.input.snapshot.sides;
  const Alignment::Column& column = sides.alignments.of(kind.stream)[token];
  const int own = kind.isOther ? column.b : column.a;
  if (own < 0) return "";
  return (kind.isOther ? sides.b : sides.a)->pass->tokensOf(kind.stream)[static_cast<std::size_t>(own)].label;
}

class GeometryDots {
 public:
  GeometryDots(ResidualPicture& picture, const std::vector<DotKind>& kinds, GeometryRoom& room,
               const Box& frame)
      : picture_(picture),
        scene_(picture.scene),
        theme_(picture.theme),
        kinds_(kinds),
        room_(room),
        frame_(frame) {}

  void draw() {
    placeDots();
    placePathMarks();
    orderFromLeft();
    addFeet();
    addMoves();
    addPaths();
    addDots();
    addTokenLabels();
  }

 private:
  float number(const TensorRef& cell) const { return valueOf(scene_.sources, cell).value_or(NAN); }
  std::array<float, 3> coordinatesOf(const DotKind& kind, int token) const {
    return {number(kind.cell(token, 0)), number(kind.cell(token, 1)), number(kind.cell(token, 2))};
  }
  bool isPath() const { return kinds_.front().place >= 0; }

  // Those nearer lie over those further away, and over both those that stand out: the pointed ones, then the
  // selected ones.
  void placeDots() {
    for (const DotKind& kind : kinds_)
      for (int token = 0; token < picture_.input.countOf(kind.stream); ++token) {
        const std::array<float, 3> z = coordinatesOf(kind, token);
        if (const auto place = room_.placeOf(z)) dots_.push_back({&kind, token, z, *place});
      }
    std::ranges::stable_sort(dots_, {},
                             [&](const PlacedDot& dot) { return std::pair(rank(dot), dot.place.nearness); });
  }
  // Of many, only those that stand out have one: the others' would be a fog.
  void addFeet() {
    constexpr std::size_t few = 64;
    for (const PlacedDot& dot : dots_)
      if (dots_.size() <= few || rank(dot) > 0) room_.addFootOf(dot.z);
  }
  // From where a token is in the other text to where it is in this one.
  void addMoves() {
    if (!picture_.input.snapshot.isDifference()) return;
    for (const PlacedDot& to : dots_) {
      if (to.kind->isOther) continue;
      const auto from = std::ranges::find_if(dots_, [&](const PlacedDot& dot) {
        return dot.token == to.token && dot.kind->isOther &&
               std::string_view(dot.kind->name) == to.kind->name;
      });
      if (from == dots_.end()) continue;
      const bool stands = rank(to) > 0;
      scene_.add(Line{{from->place.at, to.place.at},
                      stands ? theme_.accent : theme_.quiet.faded(0.7f),
                      stands ? 2.0f : 1.2f});
    }
  }

  // Of few tokens each one's way through all places; of many, those that stand out.
  void addPaths() {
    constexpr std::size_t few = 24;
    if (!isPath()) return;
    for (const PlacedDot& dot : dots_) {
      const int stands = rank(dot);
      if (stands == 0 && dots_.size() > few * kinds_.size()) continue;
      const Rgba color = stands == 2 ? theme_.accent : stands == 1 ? theme_.text : theme_.quiet.faded(0.3f);
      addPath(*dot.kind, dot.token, color.faded(dot.kind->isOther ? ofOtherText : 1), stands > 0);
    }
  }
  void addPath(DotKind kind, int token, Rgba color, bool stands) {
    std::optional<SeenPlace> before;
    for (kind.place = 0; kind.place < picture_.places; ++kind.place) {
      const auto place = room_.placeOf(coordinatesOf(kind, token));
      if (before && place) scene_.add(Line{{before->at, place->at}, color, stands ? 1.5f : 1.0f});
      before = place;
    }
    for (const PlacedDot& mark : pathMarks_)
      if (mark.token == token && mark.kind->isOther == kind.isOther) addPathMark(mark, color);
  }
  // Where a token that stands out is at the places that are not shown.
  void placePathMarks() {
    if (!isPath()) return;
    for (const DotKind& own : kinds_)
      for (int place = 0; place < picture_.places; ++place) {
        if (place == own.place) continue;
        DotKind& kind = *pathKinds_.emplace_back(std::make_unique<DotKind>(own));
        kind.place = place;
        for (const PlacedDot& dot : dots_) {
          if (rank(dot) == 0 || dot.kind != &own) continue;
          const std::array<float, 3> z = coordinatesOf(kind, dot.token);
          if (const auto seen = room_.placeOf(z)) pathMarks_.push_back({&kind, dot.token, z, *seen});
        }
      }
  }
  // A click shows the place that it stands for.
  void addPathMark(const PlacedDot& mark, Rgba color) {
    const auto& [kind, token, z, place] = mark;
    room_.addMark({kind->row(token), 2.5f, color, false, true}, place);
    HitRegion& hit = addHitRegion(scene_, hitBox(mark), kind->cell(token, 0),
                                  (kind->isOther ? "other path " : "path ") + std::to_string(token) + " at " +
                                      std::to_string(kind->place));
    hit.target.token = token, hit.target.tokens = kind->stream;
    hit.target.layer = blockOfPlace(picture_.config, kind->place);
    hit.target.text = wordsOf(picture_, *kind, token) + " " + placeName(picture_.config, kind->place) +
                      ": z = (" + coordinates(z) + ")";
    hit.click = [place = kind->place](const Target&) {
      return commands::choose(placeChoice, std::to_string(place));
    };
    hit.tabStop = false;
  }

  int rank(const PlacedDot& dot) const {
    if (dot.token == picture_.input.query(dot.kind->stream)) return 2;
    return picture_.input.hover.touches(dot.token, dot.kind->stream) ? 1 : 0;
  }

  void addDots() {
    for (const PlacedDot& dot : dots_) {
      const int stands = rank(dot);
      VectorMark mark{dot.kind->row(dot.token), stands > 0 ? 5.0f : 4.0f, dot.kind->color, dot.kind->square,
                      stands > 0};
      if (stands > 0 && !dot.kind->isOfHead)
        mark.color = (stands == 2 ? theme_.accent : theme_.text).faded(dot.kind->isOther ? ofOtherText : 1);
      const float ring = room_.addMark(mark, dot.place) + 3;
      const auto [x, y] = dot.place.at;
      if (stands > 0)
        addRing({x - ring, y - ring, 2 * ring, 2 * ring}, dot.kind->square ? 0 : ring,
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
    const auto [x, y] = dot.place.at;
    const auto acrossOf = [](const PlacedDot* each) { return each->place.at.x; };
    float reach = most;
    for (auto other = std::ranges::lower_bound(fromLeft_, x - 2 * most, {}, acrossOf);
         other != fromLeft_.end() && acrossOf(*other) <= x + 2 * most; ++other)
      if (*other != &dot)
        reach =
            std::min(reach, std::max(std::abs(acrossOf(*other) - x), std::abs((*other)->place.at.y - y)) / 2);
    return std::max(reach, least);
  }
  void orderFromLeft() {
    for (const std::vector<PlacedDot>* marks : {&dots_, &pathMarks_})
      for (const PlacedDot& each : *marks) fromLeft_.push_back(&each);
    std::ranges::sort(fromLeft_, {}, [](const PlacedDot* each) { return each->place.at.x; });
  }
  Box hitBox(const PlacedDot& dot) const {
    const float reach = reachOf(dot);
    const auto [x, y] = dot.place.at;
    const Point low{std::max(x - reach, frame_.x), std::max(y - reach, frame_.y)},
        high{std::min(x + reach, frame_.right()), std::min(y + reach, frame_.bottom())};
    return {low.x, low.y, high.x - low.x, high.y - low.y};
  }

  void addDotHit(const PlacedDot& dot) {
    HitRegion& hit = addHitRegion(scene_, hitBox(dot), dot.kind->cell(dot.token, 0));
    hit.target.token = dot.token, hit.target.tokens = dot.kind->stream;
    hit.target.text =
        wordsOf(picture_, *dot.kind, dot.token) + ": z = (" + coordinates(dot.z) + ")\nz = (x − x̄) · v";
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
    hit.name =
        (dot.kind->isOther ? "other " : "") + std::string(dot.kind->name) + " " + std::to_string(dot.token);
  }

  std::string coordinates(const std::array<float, 3>& z) const {
    std::string words = formattedFixed(z[0], 2) + ", " + formattedFixed(z[1], 2);
    return showsSpace(picture_.input.workspace.settings) ? words + ", " + formattedFixed(z[2], 2) : words;
  }

  static constexpr float markSize = 10;
  // Beside its dot, wherever no other dot or label is; those that stand out first, whatever dots they cover.
  void addTokenLabels() {
    std::vector<Box> taken, marks;
    for (const PlacedDot& dot : dots_)
      marks.push_back({dot.place.at.x - markSize / 2, dot.place.at.y - markSize / 2, markSize, markSize});
    std::ranges::sort(marks, {}, &Box::x);
    std::vector<const PlacedDot*> order;
    for (const PlacedDot& dot : dots_)
      if (!isNamedByOwn(dot)) order.push_back(&dot);
    std::ranges::stable_sort(order, std::greater(), [&](const PlacedDot* dot) {
      return std::pair(rank(*dot), dot->place.nearness);
    });
    for (const PlacedDot* dot : order) {
      auto box = roomBeside(*dot, taken, marks);
      if (!box && rank(*dot) > 0) box = roomBeside(*dot, taken, {});
      if (!box) continue;
      taken.push_back(*box);
      addText(scene_, {box->x, box->center().y}, dotLabel(picture_, *dot->kind, dot->token),
              {FontFace::Mono, Theme::small, rank(*dot) > 0 ? theme_.text : theme_.quiet})
          .maxWidth = box->width;
    }
  }

  // A dot of the other text whose token is the same as this text's, which has its name beside it.
  bool isNamedByOwn(const PlacedDot& dot) const {
    DotKind own = *dot.kind;
    own.isOther = false;
    return dot.kind->isOther &&
           dotLabel(picture_, own, dot.token) == dotLabel(picture_, *dot.kind, dot.token);
  }

  // `marks` from left to right.
  std::optional<Box> roomBeside(const PlacedDot& dot, const std::vector<Box>& taken,
                                const std::vector<Box>& marks) const {
    constexpr float widest = 120, height = 16, away = 10;
    const std::string label = dotLabel(picture_, *dot.kind, dot.token);
    const float width =
        std::min(widest, picture_.input.metrics.width(label, FontFace::Mono, Theme::small) + 1);
    const auto [x, y] = dot.place.at;
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
      if (inside && room_.isFree(box) && std::ranges::none_of(near, meets) &&
          std::ranges::none_of(taken, meets))
        return box;
    }
    return std::nullopt;
  }

  ResidualPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  const std::vector<DotKind>& kinds_;
  GeometryRoom& room_;
  Box frame_;
  std::vector<std::unique_ptr<DotKind>> pathKinds_;  // of the paths' places that are not shown
  std::vector<PlacedDot> dots_, pathMarks_;
  std::vector<const PlacedDot*> fromLeft_;  // all of these
};

}  // namespace

TensorRef DotKind::cell(int token, int component) const {
  if (place < 0) return {tensor, {token, component}};
  return {tensor, {place, token, component}};
}

TensorRef DotKind::row(int token) const {
  TensorRef row = cell(token, 0);
  row.columnDimension = place < 0 ? 1 : 2;
  return row;
}

std::string wordsOf(const ResidualPicture& picture, const DotKind& kind, int token) {
  return (kind.isOfHead ? std::string(kind.name) + " of " : "") + "“" + dotLabel(picture, kind, token) + "”" +
         (kind.isOther ? " in the other text" : "");
}

void addGeometryDots(ResidualPicture& picture, const std::vector<DotKind>& kinds, GeometryRoom& room,
                     const Box& frame) {
  GeometryDots(picture, kinds, room, frame).draw();
}

}  // namespace glassformer
