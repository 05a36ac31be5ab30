#include "app/views/residual/geometry_picture.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/document/attention_planes.h"
#include "app/document/view_commands.h"
#include "app/drawing/head_choices.h"
#include "app/drawing/place_names.h"
#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "app/views/residual/geometry_dots.h"
#include "app/views/residual/geometry_plane.h"
#include "app/views/residual/geometry_space.h"
#include "app/views/residual/geometry_vectors.h"
#include "core/lens/principal_components.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

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
      kinds_ = {{geometry::queries, "query", queriesOf(head_.site), theme_.attention, false, true},
                {geometry::keys, "key", keysOf(head_.site), theme_.feedForward, true, true}};
    else if (showsPath(picture.input.workspace, picture.input.config()))
      kinds_ = {{geometry::path, "dot", picture.stream, theme_.quiet, false, false, false, place_}};
    else
      kinds_ = {{geometry::tokens, "dot", picture.stream, theme_.quiet, false, false}};
    if (isBoth_) addOtherKinds();
  }

  void draw(Box area) {
    addTitle(area);
    if (!picture_.isThere(kinds_.front().tensor)) return say(area, waitingWords(picture_.input));
    if (!picture_.input.isStill()) isHead_ ? addHeadChoices(area) : addPlaceStrip(area);
    float widest = 0;
    for (const DotKind& kind : kinds_)
      widest = std::max(widest, picture_.input.metrics.width(wordsOf(picture_, kind, shownOf(kind)),
                                                             FontFace::Ui, Theme::small));
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
    const std::unique_ptr<GeometryRoom> room = roomIn(area);
    room->addAxes();
    scene_.hits.push_back(room->hit());
    addGeometryDots(picture_, kinds_, *room, area);
  }

 private:
  static constexpr float apart = 110;  // a coordinate from the next
  static constexpr float beside = 48;  // the words before them
  static constexpr float row = 20;     // where they stand in a column

  int dimensions() const { return isSpace_ ? 3 : 2; }
  float number(const TensorRef& cell) const { return valueOf(scene_.sources, cell).value_or(NAN); }
  int shownOf(const DotKind& kind) const { return picture_.input.query(kind.stream); }
  // Not where only one of two texts has a token.
  bool isThere(const DotKind& kind, int token) const { return !std::isnan(number(kind.cell(token, 0))); }
  bool isPath() const { return kinds_.front().place >= 0; }
  // Of each row of this text's vectors, those of the other text: fainter, and first, so that they lie below.
  void addOtherKinds() {
    std::vector<DotKind> both;
    for (DotKind kind : kinds_) {
      const std::string tensor = kind.tensor;
      kind.tensor = geometry::ofBoth(tensor.c_str());
      both.push_back(kind);
      kind.tensor = geometry::ofOther(tensor.c_str()), kind.isOther = true;
      kind.color = kind.color.faded(ofOtherText);
      both.insert(both.begin(), kind);
    }
    kinds_ = std::move(both);
  }

  void say(const Box& area, const std::string& words) {
    addText(scene_, area.center(), words, theme_.note(), Align::Middle).maxWidth = area.width;
  }

  void addTitle(Box& area) {
    std::vector<std::vector<Choice>> choices;
    if (picture_.config.hasAttention())
      choices.push_back(
          {{"Residual stream", "Residual stream at one layer", !isHead_, commands::choose(vectorsChoice, "")},
           {"Queries and keys", "Queries and keys of the selected head", isHead_,
            commands::choose(vectorsChoice, ofHead)}});
    if (!isHead_ && part_.empty())
      choices.push_back({{"Trajectory", "Path of every token through all layers, on common components",
                          isPath(), commands::choose(pathChoice, isPath() ? "" : "all places")}});
    choices.push_back({{"2D", "First two components", !isSpace_, commands::choose(dimensionsChoice, "")},
                       {"3D", "First three components; drag to rotate", isSpace_,
                        commands::choose(dimensionsChoice, threeDimensions)}});
    if (!picture_.input.isStill() && !isSeenAsUsual())
      choices.push_back(
          {{"Reset view",
            isSpace_ ? "Initial angle and zoom   double-click" : "Show all tokens   double-click", false,
            seenAsUsual()}});
    addResidualHeader(picture_, area,
                      "z = (x − x̄) · v, " + what() + (isBoth_ ? "; the other text is fainter" : ""), choices);
  }
  std::string what() const {
    if (isHead_) return "queries and keys of head " + nameOf(head_);
    if (part_.empty()) return placeName(picture_.config, place_) + (isPath() ? ", through all blocks" : "");
    return part_.ends_with("hook_embed") ? "embeddings of the tokens" : "encodings of the positions";
  }

  bool isSeenAsUsual() const {
    const ViewSettings& settings = picture_.input.workspace.settings;
    return closeupOf(settings).isWhole() && (!isSpace_ || spaceTurning.of(settings) == spaceTurning.usual);
  }

  // What the percents at the axes are of, and for people at the window how the space is turned.
  std::vector<std::string> spaceNotes() const {
    std::vector<std::string> notes{"percent: of the variance"};
    if (!picture_.input.isStill()) notes.push_back("dragging and the arrow keys turn it");
    return notes;
  }
  void addSpaceNote(const Box& line) {
    const std::vector<std::string> notes = spaceNotes();
    std::string all;
    for (const std::string& note : notes) all += (all.empty() ? "" : "   ") + note;
    addText(scene_, {line.x, line.center().y + 4},
            wordingFor(line.width, picture_.input, theme_.note(), {all, notes.front()}), theme_.note())
        .maxWidth = line.width;
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
    scene_.add(Rect{cell, isOn ? theme_.accent : theme_.raised, {0, 0, 0, 0}, cell.width > 8 ? 2.f : 0});
    HitRegion& hit = addHitRegion(scene_, {cell.x, cell.y, cell.width, cell.height + namesBelow});
    hit.click = [choice](const Target&) { return commands::choose(placeChoice, choice); };
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
    const Rgba color = isHead_ ? kind.color : theme_.accent.faded(kind.isOther ? ofOtherText : 1);
    scene_.add(Rect{{line.x, y - 4, 8, 8}, color, {0, 0, 0, 0}, kind.square ? 0.f : 4.f});
    addText(scene_, {line.x + 16, y}, wordsOf(picture_, kind, shownOf(kind)), theme_.plain()).maxWidth =
        widest + 1;
  }
  void addCoordinates(Box box, Point toNext, const DotKind& kind) {
    const int token = shownOf(kind);
    for (int c = 0; c < dimensions(); ++c, box.x += toNext.x, box.y += toNext.y) {
      constexpr const char* names[] = {"z₁ = ", "z₂ = ", "z₃ = "};
      const TensorRef cell = kind.cell(token, c);
      addText(scene_, {box.x, box.center().y}, names[c] + formattedFixed(number(cell), 2), theme_.mono())
          .value = cell;
      HitRegion& hit = addHitRegion(scene_, box, cell);
      hit.tabStop = false;
      hit.target.token = token, hit.target.tokens = kind.stream;
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

  ResidualPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  bool isHead_, isBoth_;
  HeadId head_;
  int place_;
  std::string part_;  // the trace point of what is no place of the stream
  bool isSpace_;
  std::vector<DotKind> kinds_;
};

}  // namespace

void drawGeometryPicture(ResidualPicture& picture, Box area) { GeometryPicture(picture).draw(area); }

}  // namespace glassformer
