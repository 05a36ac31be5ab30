#include "app/views/residual/geometry_picture.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/head_choices.h"
#include "app/drawing/place_names.h"
#include "app/scene/format.h"
#include "app/views/residual/geometry_plane.h"
#include "app/views/residual/geometry_space.h"
#include "app/views/residual/geometry_vectors.h"
#include "core/lens/principal_components.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

// A row of tokens' vectors: how its dots look, and which tokens stand out.
struct DotKind {
  std::string tensor;
  const char* name;
  Stream stream;
  Rgba color;
  bool square, isOther = false;  // of the text that is compared with
  int place = -1;                // of a path, whose place is shown
};
struct PlacedDot {
  const DotKind* kind;
  int token;
  std::array<float, 3> z;
  SeenPlace place;
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
        part_(chosenPart(picture.input.workspace, picture.input.config())),
        isSpace_(showsSpace(picture.input.workspace.settings)) {
    if (isHead_)
      kinds_ = {{geometry::queries, "query", queriesOf(head_.site), theme_.attention, false},
                {geometry::keys, "key", keysOf(head_.site), theme_.feedForward, true}};
    else if (showsPath(picture.input.workspace, picture.input.config()))
      kinds_ = {{geometry::path, "dot", picture.stream, theme_.quiet, false, false, place_}};
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
    if (isSpace_ && isLow(area)) {
      addCoordinateColumn(area, std::clamp(widest + 40, 136.0f, 240.0f));
      area.takeTop(4), area.takeBottom(4);
    } else {
      addCoordinateLines(area, widest);
      if (isSpace_)
        addSpaceNote(area.takeBottom(24));
      else
        area.takeLeft(88), area.takeBottom(48);
    }
    frame_ = area;
    room_ = roomIn(area);
    room_->addAxes();
    scene_.hits.push_back(room_->hit());
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
  static constexpr float faint = 0.45f;  // what is of the other text
  static constexpr float apart = 110;    // a coordinate from the next
  static constexpr float beside = 48;    // the words before them
  static constexpr float row = 20;       // where they stand in a column

  int dimensions() const { return isSpace_ ? 3 : 2; }
  float number(const TensorRef& cell) const { return valueOf(scene_.sources, cell).value_or(NAN); }
  int shownOf(const DotKind& kind) const { return picture_.input.query(kind.stream); }
  // Not where only one of two texts has a token.
  bool isThere(const DotKind& kind, int token) const { return !std::isnan(number(cellOf(kind, token, 0))); }
  bool isPath() const { return kinds_.front().place >= 0; }
  static TensorRef cellOf(const DotKind& kind, int token, int component) {
    if (kind.place < 0) return {kind.tensor, {token, component}};
    return {kind.tensor, {kind.place, token, component}};
  }
  static TensorRef rowOf(const DotKind& kind, int token) {
    TensorRef row = cellOf(kind, token, 0);
    row.columnDimension = kind.place < 0 ? 1 : 2;
    return row;
  }
  std::array<float, 3> coordinatesOf(const DotKind& kind, int token) const {
    return {number(cellOf(kind, token, 0)), number(cellOf(kind, token, 1)), number(cellOf(kind, token, 2))};
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
    if (!isHead_ && part_.empty())
      choices.push_back({{"Path", "every token's way through all places, along the components of all of them",
                          isPath(), commands::choose(pathChoice, isPath() ? "" : "all places")}});
    choices.push_back(
        {{"2D", "along the first two components", !isSpace_, commands::choose(dimensionsChoice, "")},
         {"3D", "along the first three, to be turned", isSpace_,
          commands::choose(dimensionsChoice, threeDimensions)}});
    if (!picture_.input.still && !isSeenAsUsual())
      choices.push_back(
          {{"Whole",
            isSpace_ ? "turned as at first, and all of it   double click" : "all tokens again   double click",
            false, seenAsUsual()}});
    addResidualHeader(picture_, area,
                      "z = (x − x̄) · v, " + what() + (isBoth_ ? "; the other text is fainter" : ""), choices);
  }
  std::string what() const {
    if (isHead_) return "queries and keys of head " + nameOf(head_);
    if (part_.empty())
      return placeName(picture_.config, place_) + (isPath() ? ", on the way through all" : "");
    return part_.ends_with("hook_embed") ? "embeddings of the tokens" : "encodings of the positions";
  }

  bool isSeenAsUsual() const {
    const ViewSettings& settings = picture_.input.workspace.settings;
    return closeupOf(settings).isWhole() && (!isSpace_ || spaceTurning.of(settings) == spaceTurning.usual);
  }

  // What the percents at the axes are of, and for people at the window how the space is turned.
  std::vector<std::string> spaceNotes() const {
    std::vector<std::string> notes{"percent: of the variance"};
    if (!picture_.input.still) notes.push_back("dragging and the arrow keys turn it");
    return notes;
  }
  void addSpaceNote(const Box& line) {
    std::string words;
    for (const std::string& note : spaceNotes()) words += (words.empty() ? "" : "   ") + note;
    addText(scene_, {line.x, line.center().y + 4}, words, theme_.note()).maxWidth = line.width;
  }

  void addHeadChoices(Box& area) {
    const Box row = area.takeBottom(36);
    addChoices(scene_, picture_.input, {row.right(), row.y + 4},
               neighbouringHeads(picture_.input.config(), head_));
  }

  // All places along the stream, to choose from; before them what is added up first.
  void addPlaceStrip(Box& area) {
    constexpr float partWidth = 76, gap = 12;
    const bool hasPositions = picture_.input.config().positions->isAdded() && area.width > 500;
    const float parts = hasPositions ? 2 * partWidth + gap : 0,
                height = axisHeight(picture_, area.width - parts);
    Box names = area.takeBottom(height), cells = area.takeBottom(12);
    area.takeBottom(8);
    if (hasPositions) {
      addPart(names.takeLeft(partWidth), cells.takeLeft(partWidth), ofTokens, "hook_embed");
      addPart(names.takeLeft(partWidth), cells.takeLeft(partWidth), ofPositions, "hook_pos_embed");
      names.takeLeft(gap), cells.takeLeft(gap);
    }
    addPlaces(picture_, names);
    for (int place = 0; place < picture_.places; ++place) {
      const Box cell = cells.cell(0, place, 1, picture_.places).inset(1, 0);
      HitRegion& hit = addStripCell(cell, height, part_.empty() && place == place_, std::to_string(place));
      hit.target.layer = blockOfPlace(picture_.config, place);
      hit.target.text = placeName(picture_.config, place);
      hit.name = "place " + std::to_string(place);
    }
  }
  void addPart(const Box& name, const Box& cell, const char* part, std::string_view point) {
    HitRegion& hit = addStripCell(cell.inset(1, 0), name.height, part_.ends_with(point), part);
    hit.target.text = point == "hook_embed" ? "the embedding of each token" : "the encoding of each position";
    hit.name = std::string("place ") + part;
    addText(scene_, {name.center().x, name.y + 20}, part, theme_.note(), Align::Middle);
  }
  HitRegion& addStripCell(const Box& cell, float namesBelow, bool isOn, const std::string& choice) {
    scene_.add(Rect{cell, isOn ? theme_.accent : theme_.raised, {0, 0, 0, 0}, cell.width > 8 ? 2.f : 0, 1});
    HitRegion hit;
    hit.box = {cell.x, cell.y, cell.width, cell.height + namesBelow};
    hit.click = [choice](const Target&) { return commands::choose(placeChoice, choice); };
    scene_.hits.push_back(std::move(hit));
    return scene_.hits.back();
  }

  // The kinds of which the selected token has a dot, this text's first.
  std::vector<const DotKind*> shownKinds() const {
    std::vector<const DotKind*> shown;
    for (const bool isOther : {false, true})
      for (const DotKind& kind : kinds_)
        if (kind.isOther == isOther && isThere(kind, shownOf(kind))) shown.push_back(&kind);
    return shown;
  }
  // Whether a space finds more room with the coordinates beside it than below them.
  bool isLow(const Box& area) const {
    const std::size_t rows = shownKinds().size() * 5;
    return area.width > 1.4f * area.height && row * static_cast<float>(rows) <= area.height;
  }

  // Of the selected token, and so what its dots look like: above the picture, a line for each.
  void addCoordinateLines(Box& area, float widest) {
    widest = std::min({widest, 240.0f, area.width - beside - apart * static_cast<float>(dimensions())});
    for (const DotKind* kind : shownKinds()) {
      const Box line = area.takeTop(26);
      addKindName(line, *kind, widest);
      addCoordinates({line.x + beside + widest, line.y, 104, line.height}, {apart, 0}, *kind);
    }
    area.takeTop(6);
  }
  // The same beside it, number below number.
  void addCoordinateColumn(Box& area, float width) {
    constexpr float noteRows = 4;
    Box column = area.takeLeft(width);
    column.takeRight(16);
    const float words = column.width - 16;
    for (const DotKind* kind : shownKinds()) {
      addKindName(column.takeTop(row + 4), *kind, words);
      addCoordinates({column.x + 16, column.y, words, row}, {0, row}, *kind);
      column.takeTop(row * static_cast<float>(dimensions()) + 12);
    }
    if (column.height >= noteRows * row)
      addSpaceNotes(column);
    else
      addSpaceNote(area.takeBottom(24));
  }
  void addSpaceNotes(Box column) {
    std::vector<std::string> lines;
    for (const std::string& note : spaceNotes())
      for (std::string& line :
           wrapped(picture_.input.metrics, note, FontFace::Ui, Theme::small, column.width))
        lines.push_back(std::move(line));
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
      addText(scene_, {column.x, column.takeBottom(row).center().y}, *line, theme_.note());
  }
  void addKindName(const Box& line, const DotKind& kind, float widest) {
    const float y = line.center().y;
    const Rgba color = isHead_ ? kind.color : theme_.accent.faded(kind.isOther ? faint : 1);
    scene_.add(Rect{{line.x, y - 4, 8, 8}, color, {0, 0, 0, 0}, kind.square ? 0.f : 4.f, 1});
    addText(scene_, {line.x + 16, y}, wordsOf(kind, shownOf(kind)), theme_.plain()).maxWidth = widest + 1;
  }
  void addCoordinates(Box box, Point toNext, const DotKind& kind) {
    const int token = shownOf(kind);
    for (int c = 0; c < dimensions(); ++c, box.x += toNext.x, box.y += toNext.y) {
      constexpr const char* names[] = {"z₁ = ", "z₂ = ", "z₃ = "};
      const TensorRef cell = cellOf(kind, token, c);
      addText(scene_, {box.x, box.center().y}, names[c] + formattedFixed(number(cell), 2), theme_.mono())
          .value = cell;
      HitRegion hit;
      hit.box = box, hit.target.cell = cell, hit.tabStop = false;
      hit.target.token = token, hit.target.tokens = kind.stream;
      scene_.hits.push_back(std::move(hit));
    }
  }

  Range rangeAlong(int component) const {
    const auto along = [&](const DotKind& kind) {
      return rangeOf(scene_.sources, isPath() ? TensorRef{kind.tensor, {0, 0, component}, 0, 1}
                                              : TensorRef{kind.tensor, {0, component}, 0, -1});
    };
    Range all = along(kinds_.front());
    for (const DotKind& kind : kinds_) all = unionOf(all, along(kind));
    return all;
  }

  std::unique_ptr<GeometryRoom> roomIn(const Box& area) const {
    GeometryFrame frame{area, {}, {}};
    for (int c = 0; c < 3; ++c) {
      const auto at = static_cast<std::size_t>(c);
      frame.ranges[at] = rangeAlong(c);
      frame.shares[at] = {isBoth_ ? geometry::ofBoth(geometry::shares) : geometry::shares, {c}};
    }
    if (isSpace_) return std::make_unique<GeometrySpace>(picture_, frame);
    return std::make_unique<GeometryPlane>(picture_, frame);
  }

  // Those nearer lie over those further away, and over both those that stand out: the pointed ones, then the
  // selected ones.
  void placeDots() {
    for (const DotKind& kind : kinds_)
      for (int token = 0; token < picture_.input.countOf(kind.stream); ++token) {
        const std::array<float, 3> z = coordinatesOf(kind, token);
        if (const auto place = room_->placeOf(z)) dots_.push_back({&kind, token, z, *place});
      }
    std::ranges::stable_sort(dots_, {},
                             [&](const PlacedDot& dot) { return std::pair(rank(dot), dot.place.nearness); });
  }
  // Of many, only those that stand out have one: the others' would be a fog.
  void addFeet() {
    constexpr std::size_t few = 64;
    for (const PlacedDot& dot : dots_)
      if (dots_.size() <= few || rank(dot) > 0) room_->addFootOf(dot.z);
  }
  // From where a token is in the other text to where it is in this one.
  void addMoves() {
    if (!isBoth_) return;
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
                      stands ? 2.0f : 1.2f,
                      false});
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
      addPath(*dot.kind, dot.token, color.faded(dot.kind->isOther ? faint : 1), stands > 0);
    }
  }
  void addPath(DotKind kind, int token, Rgba color, bool stands) {
    std::optional<SeenPlace> before;
    for (kind.place = 0; kind.place < picture_.places; ++kind.place) {
      const auto place = room_->placeOf(coordinatesOf(kind, token));
      if (before && place) scene_.add(Line{{before->at, place->at}, color, stands ? 1.5f : 1.0f, false});
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
        if (place == place_) continue;
        DotKind& kind = *pathKinds_.emplace_back(std::make_unique<DotKind>(own));
        kind.place = place;
        for (const PlacedDot& dot : dots_) {
          if (rank(dot) == 0 || dot.kind != &own) continue;
          const std::array<float, 3> z = coordinatesOf(kind, dot.token);
          if (const auto seen = room_->placeOf(z)) pathMarks_.push_back({&kind, dot.token, z, *seen});
        }
      }
  }
  // A click shows the place that it stands for.
  void addPathMark(const PlacedDot& mark, Rgba color) {
    const auto& [kind, token, z, place] = mark;
    room_->addMark({rowOf(*kind, token), 2.5f, color, false, true}, place);
    HitRegion hit;
    hit.box = hitBox(mark);
    hit.target.cell = cellOf(*kind, token, 0);
    hit.target.token = token, hit.target.tokens = kind->stream;
    hit.target.layer = blockOfPlace(picture_.config, kind->place);
    hit.target.text = wordsOf(*kind, token) + " " + placeName(picture_.config, kind->place) + ": z = (" +
                      coordinates(z) + ")";
    hit.click = [place = kind->place](const Target&) {
      return commands::choose(placeChoice, std::to_string(place));
    };
    hit.name = (kind->isOther ? "other path " : "path ") + std::to_string(token) + " at " +
               std::to_string(kind->place);
    hit.tabStop = false;
    scene_.hits.push_back(std::move(hit));
  }

  int rank(const PlacedDot& dot) const {
    if (dot.token == shownOf(*dot.kind)) return 2;
    return isPointed(*dot.kind, dot.token) ? 1 : 0;
  }

  void addDots() {
    for (const PlacedDot& dot : dots_) {
      const int stands = rank(dot);
      VectorMark mark{rowOf(*dot.kind, dot.token), stands > 0 ? 5.0f : 4.0f, dot.kind->color,
                      dot.kind->square, stands > 0};
      if (stands > 0 && !isHead_)
        mark.color = (stands == 2 ? theme_.accent : theme_.text).faded(dot.kind->isOther ? faint : 1);
      const float ring = room_->addMark(mark, dot.place) + 3;
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
    HitRegion hit;
    hit.box = hitBox(dot);
    hit.target.cell = cellOf(*dot.kind, dot.token, 0);
    hit.target.token = dot.token, hit.target.tokens = dot.kind->stream;
    hit.target.text = wordsOf(*dot.kind, dot.token) + ": z = (" + coordinates(dot.z) + ")\nz = (x − x̄) · v";
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
    hit.name =
        (dot.kind->isOther ? "other " : "") + std::string(dot.kind->name) + " " + std::to_string(dot.token);
    scene_.hits.push_back(std::move(hit));
  }

  std::string coordinates(const std::array<float, 3>& z) const {
    std::string words = formattedFixed(z[0], 2) + ", " + formattedFixed(z[1], 2);
    return isSpace_ ? words + ", " + formattedFixed(z[2], 2) : words;
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
      if (inside && room_->isFree(box) && std::ranges::none_of(near, meets) &&
          std::ranges::none_of(taken, meets))
        return box;
    }
    return std::nullopt;
  }

  ResidualPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  bool isHead_, isBoth_;
  HeadId head_;
  int place_;
  std::string part_;  // the trace point of what is no place of the stream
  bool isSpace_;
  std::vector<DotKind> kinds_;
  std::vector<std::unique_ptr<DotKind>> pathKinds_;  // of the paths' places that are not shown
  std::vector<PlacedDot> dots_, pathMarks_;
  std::vector<const PlacedDot*> fromLeft_;  // all of these
  Box frame_;
  std::unique_ptr<GeometryRoom> room_;
};

}  // namespace

void drawGeometryPicture(ResidualPicture& picture, Box area) { GeometryPicture(picture).draw(area); }

}  // namespace glassformer
