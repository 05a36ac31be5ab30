#include "app/views/influence/attributed_text.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/drawing/token_flow.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"

namespace glassformer {

namespace {

constexpr float influenceSentenceHeadingHeight = 28, influenceBlockGap = 24, widestBar = 72;

class AttributedTextBuilder {
 public:
  AttributedTextBuilder(InfluencePicture& picture, const AttributedText& text)
      : picture_(picture), theme_(picture.theme), text_(text), scale_(text.scale) {}

  void draw(Box area) {
    const float words = addWords({area.x, area.y, area.width, area.height * 0.56f});
    const float rest =
        area.height - words - influenceBlockGap;  // a long text leaves none: then the picture grows
    area = {area.x, area.y + words + influenceBlockGap, area.width, std::clamp(rest, 160.0f, 480.0f)};
    picture_.scene.size.y = std::max(picture_.scene.size.y, area.bottom() + 16);
    addBars(area);
  }

 private:
  bool hasHeadings() const { return picture_.streams.size() > 1; }

  // In the largest type that fits; a text too long for any makes the picture taller. Returns the height.
  float addWords(Box area) {
    std::vector<TokenFlow> flows;
    float height = 0;
    for (const float size : flowSizes) {
      size_ = size, height = 0;
      flows.clear();
      for (const Stream stream : picture_.streams) {
        flows.push_back(tokenFlow(picture_.input, stream, area.width, size));
        height += flows.back().height + (hasHeadings() ? influenceSentenceHeadingHeight + 8 : 0);
      }
      if (height <= area.height) break;
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (hasHeadings()) addHeading(area.takeTop(influenceSentenceHeadingHeight), picture_.streams[i]);
      for (std::size_t token = 0; token < flows[i].boxes.size(); ++token) {
        Box box = flows[i].boxes[token];
        box.x += area.x, box.y += area.y;
        addWord(box, static_cast<int>(token), i);
      }
      area.y += flows[i].height + 8;
    }
    return height;
  }

  void addHeading(const Box& box, Stream stream) {
    addText(picture_.scene, {box.x, box.y + 10}, stream == Stream::Source ? "Source" : "Target",
            theme_.strong());
  }

  bool isAsked(int token, Stream stream) const {
    return stream == Stream::Text && token == picture_.position;
  }

  void addWord(const Box& box, int token, std::size_t i) {
    const Stream stream = picture_.streams[i];
    const TensorRef cell{text_.numbers[i].tensor, {token}};
    const auto value = valueOf(picture_.scene.sources, cell);
    if (!value) return;
    Matrix matrix;
    matrix.box = box, matrix.values = cell;
    matrix.map = scale_.map, matrix.range = scale_.range;
    picture_.scene.add(matrix);
    const Rgba ink = std::isfinite(*value) ? inkOn(cellColor(matrix, *value, theme_.dark)) : theme_.text;
    const Rgba word = *value == 0 ? ink.faded(0.72f) : ink;  // nothing of it gets there
    Box rest = box;
    addText(picture_.scene, rest.takeTop(flowWordHeight(size_)).center(), picture_.input.label(token, stream),
            {FontFace::Mono, size_, word}, Align::Middle)
        .maxWidth = box.width;
    if (flowHasNumbers(size_) && std::isfinite(*value))
      addText(picture_.scene, {box.center().x, rest.y + 8}, *value == 0 ? "0" : formattedFixed(*value, 2),
              {FontFace::Mono, Theme::small, word}, Align::Middle)
          .value = cell;
    if (isAsked(token, stream)) addOutline(picture_.scene, box, theme_.accent, 2);
    if (!isAsked(token, stream) && picture_.isPointed(token, stream))
      addOutline(picture_.scene, box, theme_.text, 1);
    addHit(box, token, i, stream == Stream::Source ? "source word " : "word ",
           picture_.count(stream) <= 64);  // of a long text there would be too many stops
  }

  void addHit(const Box& box, int token, std::size_t i, const char* name, bool tabStop) {
    const Stream stream = picture_.streams[i];
    HitRegion& hit =
        addHitRegion(picture_.scene, box, {text_.numbers[i].tensor, {token}}, name + std::to_string(token));
    hit.target.token = token, hit.target.tokens = stream;
    hit.target.text = "position " + std::to_string(token) + "\n" +
                      text_.say(token, stream, valueOf(picture_.scene.sources, hit.target.cell).value_or(0));
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
    hit.extend = text_.extend;
    hit.tabStop = tabStop;
  }

  float labelDepth() const {
    return std::clamp(std::ceil((picture_.widestLabel() + 16) / 8) * 8, 40.0f, 88.0f);
  }

  // The tokens of both streams on one axis, the source first.
  void addBars(Box area) {
    area.takeLeft(scaleLabelWidth(picture_, scale_.range) + 16);
    const float depth = labelDepth();
    area.takeBottom(depth);
    const float gap = hasHeadings() ? 32.0f : 0.0f;
    int tokens = 0;
    for (const Stream stream : picture_.streams) tokens += picture_.count(stream);
    const float each = std::min(widestBar, (area.width - gap) / static_cast<float>(tokens));
    addValueAxis(picture_.scene, picture_.input,
                 {area.x, area.y, each * static_cast<float>(tokens) + gap, area.height}, scale_.range);
    for (std::size_t i = 0; i < picture_.streams.size(); ++i) {
      const int count = picture_.count(picture_.streams[i]);
      addStreamBars(area.takeLeft(each * static_cast<float>(count)), i, count, depth);
      area.takeLeft(gap);
    }
  }

  // The colours that such words have.
  Rgba colorOf(float value) const {
    if (scale_.map == ColorMap::Sequential) return theme_.attention;
    return signColor(value, theme_.dark);
  }

  void addStreamBars(const Box& box, std::size_t i, int count, float depth) {
    const Stream stream = picture_.streams[i];
    const bool thin = box.width < 3 * static_cast<float>(count);
    if (thin) picture_.scene.add(Curve{box, text_.numbers[i], scale_.range, theme_.attention});
    for (int token = 0; token < count; ++token) {
      const Box column = box.cell(0, token, 1, count);
      const TensorRef cell{text_.numbers[i].tensor, {token}};
      const auto value = valueOf(picture_.scene.sources, cell);
      if (!value || !std::isfinite(*value)) continue;
      const bool strong = isAsked(token, stream) || picture_.isPointed(token, stream);
      if (strong) picture_.scene.add(Rect{column, theme_.raised});
      if (!thin) {
        const float inset = std::min(6.0f, column.width * 0.15f);
        picture_.scene.add(Bar{column.inset(inset, 0), cell, scale_.range, colorOf(*value), true});
      }
      addHit({column.x, column.y, column.width, column.height + depth}, token, i,
             stream == Stream::Source ? "source bar " : "bar ", false);
    }
    AxisLabels labels{box, Side::Bottom, count, depth};
    labels.label = [&](int token) { return picture_.input.label(token, stream); };
    labels.strong = [&](int token) { return isAsked(token, stream) || picture_.isPointed(token, stream); };
    addLabels(picture_.scene, picture_.input, labels);
  }

  InfluencePicture& picture_;
  const Theme& theme_;
  const AttributedText& text_;
  const Coloring& scale_;
  float size_ = Theme::small;
};

}  // namespace

void addAttributedText(InfluencePicture& picture, Box area, const AttributedText& text) {
  AttributedTextBuilder(picture, text).draw(area);
}

}  // namespace glassformer
