#include "app/drawing/parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/drawing/wording.h"
#include "app/engine/shown_run.h"
#include "app/scene/format.h"
#include "app/scene/text_metrics.h"

namespace glassformer {

float marginOf(const SceneInput& input, float width) {
  return input.isPresented() ? 10 : width < 800 ? 16 : 24;
}

Box contentOf(const SceneInput& input, Point size) {
  return Box{0, 0, size.x, size.y}.inset(marginOf(input, size.x));
}

// Such as 1.625, which three decimals say and two do not.
static bool hasThreeDecimals(float value) {
  const float thousandths = std::round(value * 1000);
  const bool isExact = std::isfinite(value) && std::abs(value * 1000 - thousandths) < 1e-3f;
  return isExact && std::fmod(thousandths, 10.0f) != 0;
}
// Of the longest number, where one has three decimals, in ems; else 0.
static float lengthWithThree(const TensorView& cells) {
  bool any = false;
  std::size_t signs = 0;
  cells.forEach([&](const auto&, float value) {
    constexpr std::size_t bytesOfMinus = 3;
    any = any || hasThreeDecimals(value);
    signs = std::max(signs, formattedFixed(value, 3).size() - (value < 0 ? bytesOfMinus - 1 : 0));
  });
  return any ? 0.6f * static_cast<float>(signs) : 0;
}

void addCellNumbers(Scene& scene, const SceneInput& input, const Matrix& matrix, float size, float least) {
  const auto cells = plane(scene.sources, matrix.values);
  if (!cells) return;
  const int rows = cells->extent[0], columns = cells->extent[1];
  const float most = std::max(std::abs(matrix.range.low), std::abs(matrix.range.high));
  const float digits = most < 10 ? 0 : std::floor(std::log10(most)),  // more than one before the point
      tight = matrix.map == ColorMap::Sequential && most <= 1 ? 1.8f  // ".97"
                                                              : 2.4f + 0.6f * std::max(digits - 2, 0.0f),
              each = matrix.box.width / static_cast<float>(columns);
  float letters = (matrix.map == ColorMap::Sequential && most < 10 ? 2.4f : 3.0f) + 0.6f * digits;
  const float three = each >= Theme::small * 3 ? lengthWithThree(*cells) : 0;
  const bool hasMore = three > 0 && each >= Theme::small * three + 8;
  if (hasMore) letters = three;
  if (input.isPresented()) least = std::max(least, Theme::small);
  if (size > Theme::small)  // larger than it need be: as large as there is room
    size = std::clamp((each - 8) / letters, Theme::small, size);
  const float high = matrix.box.height / static_cast<float>(rows);
  const bool isTight = each < size * letters + 8;
  for (const float smaller : {Theme::small, least})
    if (isTight && (each < size * tight + 2 || high < size + 4)) size = std::min(size, smaller);
  if ((isTight && each < size * tight + 2) || high < size + 4) return;
  cells->forEach([&](const auto& index, float value) {
    const int row = index[0], column = index[1];
    const bool isUnseen = value == -std::numeric_limits<float>::infinity();
    if (!isUnseen && (!std::isfinite(value) || isMasked(matrix, row, column, value))) return;
    const Rgba ink = isUnseen ? input.theme.quiet : inkOn(cellColor(matrix, value, input.theme.dark));
    addText(scene, matrix.box.cell(row, column, rows, columns).center(),
            isTight                              ? formattedTight(value)
            : hasMore && hasThreeDecimals(value) ? formattedFixed(value, 3)
                                                 : formattedCell(value),
            {FontFace::Mono, size, ink}, Align::Middle)
        .value = matrix.values.cell(row, column);
  });
}

void addOutline(Scene& scene, Box box, Rgba color, float width) {
  scene.add(Rect{box.inset(-width / 2), {0, 0, 0, 0}, color, 0, width});
}

Range symmetric(Range range) {
  const float size = std::max({std::abs(range.low), std::abs(range.high), 1e-6f});
  return {-size, size};
}

namespace {
float fifthOfPower(float value) { return std::pow(10.0f, std::floor(std::log10(value))) / 5; }
}  // namespace

float roundedUp(float value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  return std::ceil(value / fifthOfPower(value) - 1e-3f) * fifthOfPower(value);
}

float roundedDown(float value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  return std::floor(value / fifthOfPower(value) + 1e-3f) * fifthOfPower(value);
}

Range unionOf(Range a, Range b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.logarithmic && b.logarithmic};
}

Coloring coloring(const SceneInput& input, const std::vector<TensorRef>& planes, const Coloring& plain) {
  if (!input.snapshot.isDifference() || planes.empty()) return plain;
  Range range = rangeOf(input.sources(), planes.front());
  for (const TensorRef& plane : planes) range = unionOf(range, rangeOf(input.sources(), plane));
  if (std::max(-range.low, range.high) < 1e-6f) range = {-1, 1};  // no difference anywhere
  return {ColorMap::Diverging, symmetric(range)};
}

Rgba inkOn(Rgba cell) {
  const auto linear = [](std::uint8_t v) {
    const float s = static_cast<float>(v) / 255;
    return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
  };
  const float luminance = 0.2126f * linear(cell.r) + 0.7152f * linear(cell.g) + 0.0722f * linear(cell.b);
  // Where black and white have the same contrast (WCAG 2): 4.58, so that neither is ever below 4.5.
  return luminance > 0.179f ? rgb(0x000000) : rgb(0xFFFFFF);
}

namespace {

// Distance between labels, in steps, so that they keep `needed` pixels apart.
int stride(const AxisLabels& labels, float step, float needed) {
  const int least = std::max(1, static_cast<int>(std::ceil(needed / std::max(step, 0.01f))));
  int every = 1;
  while (labels.numbers && every < least) every *= 2;
  return labels.numbers ? every : least;
}

float roomPerLabel(const SceneInput& input, const AxisLabels& labels) {
  if (!labels.numbers || labels.side == Side::Left) return labels.size;
  return input.metrics.width(labels.label(labels.count - 1), labels.face, labels.size) + 12;
}

Text labelText(const SceneInput& input, const AxisLabels& labels, int i, bool strong) {
  const Box& box = labels.box;
  Text text;
  text.text = labels.label(i);
  text.style = {labels.face, labels.size, strong ? input.theme.text : input.theme.quiet};
  text.maxWidth = labels.depth - 8;
  if (labels.side == Side::Left) {
    text.at = {box.x - 8, box.cell(i, 0, labels.count, 1).center().y};
    text.horizontal = Align::End;
    return text;
  }
  const bool top = labels.side == Side::Top;
  // A single sign is not turned: a "?" that lies looks like half of one.
  text.upright = !labels.numbers && input.metrics.width(text.text, labels.face, labels.size) > labels.size;
  text.horizontal = Align::Middle;
  text.at = {box.cell(0, i, 1, labels.count).center().x, top ? box.y - 6 : box.bottom() + 6};
  // Upright text starts at its place and rises; level text hangs from it or stands on it.
  text.vertical = top == text.upright ? Align::Start : Align::End;
  return text;
}

}  // namespace

void addLabels(Scene& scene, const SceneInput& input, const AxisLabels& labels) {
  if (labels.count <= 0) return;
  const float extent = labels.side == Side::Left ? labels.box.height : labels.box.width;
  const float step = extent / static_cast<float>(labels.count), room = roomPerLabel(input, labels);
  const int every = stride(labels, step, room);
  const int apart = std::max(1, static_cast<int>(std::ceil(room / std::max(step, 0.01f))));
  const auto isStrong = [&](int i) { return labels.strong && labels.strong(i); };
  const auto nearStrong = [&](int i) {
    for (int other = std::max(0, i - apart + 1); other < std::min(labels.count, i + apart); ++other)
      if (other != i && isStrong(other)) return true;
    return false;
  };
  int lastStrong = -apart;
  for (int i = 0; i < labels.count; ++i) {
    const bool strong = isStrong(i) && i - lastStrong >= apart;
    if (!strong && (i % every != 0 || (apart > 1 && nearStrong(i)))) continue;
    if (strong) lastStrong = i;
    scene.add(labelText(input, labels, i, strong));
  }
}

// Lines x + y = k run from the upper right down, cell by cell, and are drawn where cells are forbidden.
void addMaskHatch(Scene& scene, Box box, int count, int firstQuery, int firstKey, const AttentionMask& mask,
                  Rgba color) {
  if (count < 1) return;
  constexpr float spacing = 9;
  const float width = box.width / static_cast<float>(count), height = box.height / static_cast<float>(count);
  const float least = width < 2 ? 1.0f : 0.0f;  // cells as small as pixels are looked at pixel by pixel
  for (int line = 1; spacing * static_cast<float>(line) < box.width + box.height; ++line) {
    const float k = spacing * static_cast<float>(line);
    const float end = std::max(0.0f, k - box.height);
    float from = -1;  // where the forbidden stretch began; below 0: there is none
    for (float x = std::min(k, box.width); x > end;) {
      constexpr float inside = 1e-3f;  // off the edges of cells, so that every turn goes on
      const int key = std::clamp(static_cast<int>((x - inside) / width), 0, count - 1);
      const int query = std::clamp(static_cast<int>((k - x + inside) / height), 0, count - 1);
      const bool allowed = mask.allows(firstQuery + query, firstKey + key);
      if (from < 0 && !allowed) from = x;
      if (from >= 0 && allowed) {
        scene.add(Line{{{box.x + from, box.y + k - from}, {box.x + x, box.y + k - x}}, color});
        from = -1;
      }
      // On to the left edge of this cell or the lower one, whichever comes first.
      const float left = static_cast<float>(key) * width, below = k - static_cast<float>(query + 1) * height;
      x = std::max(std::min(std::max(left, below), x - least), end);
    }
    if (from > end)
      scene.add(Line{{{box.x + from, box.y + k - from}, {box.x + end, box.y + k - end}}, color});
  }
}

void addMaskedLegend(Scene& scene, const SceneInput& input, Point at, const std::string& words) {
  const Box swatch{at.x, at.y, 12, 12};
  scene.add(Rect{swatch, input.theme.masked, input.theme.line});
  scene.add(Line{{{swatch.right(), swatch.y}, {swatch.x, swatch.bottom()}}, input.theme.line});
  addText(scene, {swatch.right() + 6, swatch.center().y}, words, input.theme.note());
}

namespace {
constexpr float choicePadding = 24, leastChoicePadding = 10,  // around a label
    missingStrength = 0.5f;

std::string labelOf(const Choice& choice) { return (choice.isSubtracted ? "− " : "") + choice.label; }
float widthOf(const SceneInput& input, const Choice& choice, float padding) {
  return std::ceil(input.metrics.width(labelOf(choice), FontFace::Strong, Theme::small)) + padding;
}
float widthOf(const SceneInput& input, const std::vector<Choice>& choices, float padding) {
  float width = 0;
  for (const Choice& choice : choices) width += widthOf(input, choice, padding);
  return width;
}
}  // namespace

float widthOf(const SceneInput& input, const std::vector<Choice>& choices) {
  return widthOf(input, choices, choicePadding);
}

float leastWidthOf(const SceneInput& input, const std::vector<Choice>& choices) {
  return widthOf(input, choices, leastChoicePadding);
}

Box addChoices(Scene& scene, const SceneInput& input, Point topRight, const std::vector<Choice>& choices,
               float most) {
  if (input.isHeadedApart() && !choices.empty()) scene.choices.groups.push_back(choices);
  if (input.room != Room::Window || choices.empty()) return {topRight.x, topRight.y, 0, Theme::control};
  const Theme& theme = input.theme;
  const float over = most > 0 ? std::max(widthOf(input, choices) - most, 0.0f) : 0;
  const float padding =
      std::max(choicePadding - std::ceil(over / static_cast<float>(choices.size())), leastChoicePadding);
  const float width = widthOf(input, choices, padding);
  const Box frame{topRight.x - width, topRight.y, width, Theme::control};
  scene.add(Rect{frame, theme.raised, theme.line, Theme::radius});
  Box rest = frame;
  for (const Choice& choice : choices) {
    const Box box = rest.takeLeft(widthOf(input, choice, padding));
    const bool isMissing = !choice.missing.empty();
    const std::string& tip = isMissing ? choice.missing : choice.tip;
    const bool pointed = !isMissing && input.hover.text == tip;
    if (choice.on || pointed)
      scene.add(Rect{box.inset(2),
                     choice.on ? theme.accent.faded(0.24f) : theme.touched,
                     {0, 0, 0, 0},
                     Theme::radius - 2});
    if (choice.isSubtracted) addOutline(scene, box.inset(2), theme.accent, 1);
    addText(scene, box.center(), labelOf(choice),
            {choice.on ? FontFace::Strong : FontFace::Ui, Theme::small,
             choice.on || pointed ? theme.text
             : isMissing          ? theme.quiet.faded(missingStrength)
                                  : theme.quiet},
            Align::Middle);
    HitRegion& hit = addHitRegion(scene, box, {}, choice.label);
    hit.target.text = tip;
    if (!isMissing) hit.click = [command = choice.command](const Target&) { return command; };
    if (choice.extended.apply) hit.extend = [command = choice.extended](const Target&) { return command; };
  }
  return frame;
}

void addHeading(Scene& scene, const SceneInput& input, Box box, const std::string& title,
                const std::string& about, FontFace aboutFace) {
  scene.title = title, scene.about = about;
  addText(scene, {box.x, box.y + 14}, title, {FontFace::Strong, Theme::title, input.theme.text}).maxWidth =
      box.width;
  addText(scene, {box.x, box.y + 42}, about, {aboutFace, Theme::small, input.theme.quiet}).maxWidth =
      box.width;
}

void addColorScale(Scene& scene, const SceneInput& input, Box box, ColorMap map, Range range) {
  if (!input.shows(BesidePicture::Scale)) return;
  const TextStyle style = input.theme.quietMono();
  const Box strip{box.x, box.y, 10, box.height};
  scene.add(ColorScale{strip, map, true});
  scene.add(Rect{strip, {0, 0, 0, 0}, input.theme.line});
  addText(scene, {strip.right() + 8, strip.y + 6}, formattedShort(range.high), style);
  constexpr float leastForBoth = 28;  // in less one would lie on the other
  if (box.height >= leastForBoth)
    addText(scene, {strip.right() + 8, strip.bottom() - 6}, formattedShort(range.low), style);
  if (map == ColorMap::Diverging && box.height > 64)
    addText(scene, {strip.right() + 8, strip.center().y}, formattedShort((range.low + range.high) / 2),
            style);
}

void addLevelScale(Scene& scene, const SceneInput& input, Box box, const Coloring& coloring) {
  if (!input.shows(BesidePicture::Scale)) return;
  const TextStyle style = input.theme.quietMono();
  const Box strip{box.x, box.y, box.width, 8};
  scene.add(ColorScale{strip, coloring.map, false});
  scene.add(Rect{strip, {0, 0, 0, 0}, input.theme.line});
  addText(scene, {strip.x, strip.bottom() + 12}, formattedShort(coloring.range.low), style);
  addText(scene, {strip.right(), strip.bottom() + 12}, formattedShort(coloring.range.high), style,
          Align::End);
}

std::string waitingWords(const SceneInput& input) {
  if (isMoving(input.workspace, input.snapshot)) return "Measured when the run pauses (Ctrl+Space).";
  return input.snapshot.standing.cancelled.empty() ? "Measuring …" : "Not measured: it was cancelled.";
}

Scene emptyScene(const SceneInput& input, const std::string& title, const std::string& reason) {
  Scene scene;
  scene.size = input.size;
  scene.title = title, scene.about = reason;
  const Point middle{input.size.x / 2, input.size.y / 2};
  addText(scene, {middle.x, middle.y - 16}, title, {FontFace::Strong, Theme::title, input.theme.text},
          Align::Middle);
  addLines(scene, input, {middle.x, middle.y + 16}, std::min(input.size.x - 64, 640.0f), reason,
           input.theme.note());
  return scene;
}

}  // namespace glassformer
