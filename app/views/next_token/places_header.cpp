#include "app/views/next_token/places_header.h"

#include "app/drawing/place_names.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_picture.h"
#include "app/views/next_token/next_token_scene.h"

namespace glassformer {

namespace {

constexpr float mostUpright = 74;

// What the model would say there, of all the vocabulary.
int favourite(const SceneInput& input, int place) { return likeliestTokens(input, 1, place).front(); }

class HeaderBuilder {
 public:
  HeaderBuilder(Scene& scene, const SceneInput& input, const PlacesHeaderOptions& options)
      : scene_(scene), input_(input), theme_(input.theme), options_(options) {}

  void build() {
    if (options_.header == PlacesHeader::Thinned) return addThinned();
    for (int place = 0; place < options_.places; ++place) {
      const Box column = columnOf(place);
      addPlace(place, column);
      addFavourite(place, column);
    }
  }

 private:
  Box columnOf(int place) const { return options_.box.cell(0, place, 1, options_.places); }

  void addPlace(int place, const Box& column) {
    const TextStyle style{FontFace::Ui, Theme::small - 1, theme_.quiet};
    const ModelConfig& config = input_.config();
    const std::string name = place > 0            ? sublayerName(config, place, true)
                             : column.width >= 72 ? "embedding"
                             : column.width >= 44 ? "embed"
                                                  : "emb.";
    addText(scene_, {column.center().x, column.y + 22}, name, style, Align::Middle);
    const int perBlock = placesPerBlock(config);
    if (place == 0 || (place - 1) % perBlock != 0) return;
    const float width = column.width * static_cast<float>(perBlock);
    const std::string block = "Block " + std::to_string(blockOfPlace(config, place));
    addText(scene_, {column.x + width / 2, column.y + 6}, block, style, Align::Middle).maxWidth = width - 4;
    scene_.add(Line{{{column.x, column.y}, {column.x, column.y + 28}}, theme_.line});
  }

  void addFavourite(int place, const Box& column) {
    const int token = favourite(input_, place);
    const TensorRef ref = nextTokenRef(place, token);
    const std::string label = input_.entryLabel(token);
    const TextStyle name{FontFace::Mono, Theme::small, token == options_.answer ? theme_.text : theme_.quiet};
    const TextStyle share{FontFace::Mono, Theme::small - 2, theme_.quiet};
    const std::string percent = formattedPercent(valueOf(scene_.sources, ref).value_or(0));
    if (options_.header == PlacesHeader::Wide) {
      addText(scene_, {column.center().x, column.y + 42}, label, name, Align::Middle).maxWidth =
          column.width - 6;
      addText(scene_, {column.center().x, column.y + 58}, percent, share, Align::Middle).value = ref;
    } else {
      addUpright({column.center().x - 7.5f, column.bottom() - 6}, label, name);
      addUpright({column.center().x + 8, column.bottom() - 6}, percent, share).value = ref;
    }
    addHit({column.x, column.y + 30, column.width, column.height - 32}, place, token);
  }

  Text& addUpright(Point at, std::string label, const TextStyle& style) {
    Text& text = addText(scene_, at, std::move(label), style, Align::Middle);
    text.upright = true;
    text.vertical = Align::Start;
    text.maxWidth = mostUpright;
    return text;
  }

  void addThinned() {
    addLabels(scene_, input_,
              {options_.columns, Side::Top, options_.places, options_.box.height,
               [&](int place) { return input_.entryLabel(favourite(input_, place)); },
               [&](int place) { return place == options_.places - 1; }});
    for (int place = 0; place < options_.places; ++place)
      addHit(columnOf(place), place, favourite(input_, place));
  }

  void addHit(const Box& box, int place, int token) {
    const bool changes = input_.snapshot.isDifference();
    HitRegion& hit = addHitRegion(scene_, box, nextTokenRef(place, token));
    hit.target.text = "“" + input_.entryLabel(token) +
                      (changes ? "” changes most after " : "” is most probable after ") +
                      placeWords(input_.config(), place);
    hit.target.token = input_.query();
    hit.target.entry = token;
  }

  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const PlacesHeaderOptions& options_;
};

// Of the longest favourite, or a share like "100.0 %".
float uprightDepth(const SceneInput& input, int places) {
  float width = 48;
  for (int place = 0; place < places; ++place)
    width = std::max(
        width, input.metrics.width(input.entryLabel(favourite(input, place)), FontFace::Mono, Theme::small));
  return std::min(width, mostUpright);
}

}  // namespace

PlacesHeader placesHeaderFor(float columnWidth) {
  return columnWidth >= 52   ? PlacesHeader::Wide
         : columnWidth >= 32 ? PlacesHeader::Upright
                             : PlacesHeader::Thinned;
}

float placesHeaderHeight(const SceneInput& input, PlacesHeader header, int places) {
  return header == PlacesHeader::Wide      ? 68.0f
         : header == PlacesHeader::Upright ? 42 + uprightDepth(input, places)
                                           : 96.0f;
}

void addPlacesHeader(Scene& scene, const SceneInput& input, const PlacesHeaderOptions& options) {
  HeaderBuilder(scene, input, options).build();
}

}  // namespace glassformer
