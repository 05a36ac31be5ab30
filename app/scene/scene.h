#pragma once
#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/scene/choice.h"
#include "app/scene/colour.h"
#include "app/scene/target.h"
#include "app/scene/tensor_ref.h"
#include "app/scene/theme.h"
#include "core/tensor/operations/attention_mask.h"

namespace glassformer {

/// A picture as data: what to draw, in drawing order, and what the pointer can do where. The window, exported
/// figures and tests all read the same Scene. A shape that shows a number holds a TensorRef to it, never a
/// copy; how a value becomes a colour or a length is defined here once (cellColor, barBox, curvePoint), so
/// every output agrees.

enum class Align { Start, Middle, End };

/// One line of text. Longer than `maxWidth` (0: no limit), it ends in an ellipsis and is shown in full on
/// hover.
struct Text {
  Point at;
  std::string text;
  TextStyle style;
  Align horizontal = Align::Start, vertical = Align::Middle;
  float maxWidth = 0;
  bool upright = false;  ///< turned by 90°, reading upwards
  TensorRef value;       ///< the number this text spells, where it does
};

/// A heatmap: the cells of `values` as equal rectangles. Masked cells (isMasked) have a colour of their own.
struct Matrix {
  Box box;
  TensorRef values;
  ColorMap map = ColorMap::Sequential;
  Range range;
  float opacity = 1;
  /// Queries down, keys across: zeros where it forbids a key are masked.
  std::optional<AttentionMask> mask;
  bool gaps = false;  ///< of a difference: NaN is where one text has nothing to compare, and masked
};

/// The legend of a colour map: its gradient, from `range.low` at the bottom (or left) to `range.high`.
struct ColorScale {
  Box box;
  ColorMap map = ColorMap::Sequential;
  bool vertical = true;
};

/// A line through the columns of `values` (one row); point i sits in the middle of column i, so that it lines
/// up with the columns of a Matrix of the same width.
struct Curve {
  Box box;
  TensorRef values;
  Range range;
  Rgba color;
  float width = 1.5f;
};

/// The length of one value along `track`, from where zero (or the nearer end of the range) lies.
struct Bar {
  Box track;
  TensorRef value;
  Range range;
  Rgba color;
  bool vertical = false;  ///< grows upwards instead of to the right
  float radius = 2;
};

/// A band between two places, as thick as `value` is large on a scale where range.high is `thickness`: a flat
/// S, with `downwards` an upright one, or with `lift` an arc that rises ¾ of it.
struct Ribbon {
  Point from, to;
  TensorRef value;
  Range range;
  float thickness = 8;
  Rgba color;
  float lift = 0;
  bool downwards = false;
};

/// An arrow of `length` from `center` in the direction of a pair of values (sine, cosine): the angle of a
/// rotating pair of dimensions. `pair` spans the columns from the one to the other.
struct Phasor {
  Point center;
  float length = 16;
  TensorRef pair;
  Rgba color;
  float width = 1.5f;
};

/// A mark of a plane: where a pair of values lies in `box`, the first across, the second upwards. `pair`
/// spans the columns from the one to the other.
struct Dot {
  Box box;
  TensorRef pair;
  Range across, up;
  float radius = 4;
  Rgba color;
  bool square = false;
};

/// A space of three directions seen from aside in parallel projection: before it is turned the first goes
/// across, the second upwards, the third towards us.
struct Space {
  std::array<float, 3> center{};  ///< what it is turned around, and ...
  Point middle;                   ///< ... where in the picture that is
  float scale = 1;                ///< pixels for a unit, the same in all directions
  float yaw = 0, pitch = 0;       ///< degrees: turned around the second direction; seen from how far above

  /// z · R, of z less the centre: how far across, upwards and towards us it lies, in units.
  std::array<float, 3> turned(const std::array<float, 3>& z) const;
  /// Where in the picture that is.
  Point at(const std::array<float, 3>& z) const;
};

/// A mark in a space: where three values lie. `triple` spans their columns.
struct SpaceDot {
  Space space;
  TensorRef triple;
  float radius = 4;
  Rgba color;
  bool square = false;
};

/// The cells of `values` as points above a square floor, seen from aside in parallel projection: columns
/// along one edge, rows along the other, as high as `range` says. Around each point lies a patch in the
/// colour of its value; see surface_plot.h. Minus infinity is a hole, what is no number or infinite stands at
/// the top.
struct SurfacePlot {
  Box box;
  TensorRef values;
  ColorMap map = ColorMap::Sequential;
  Range range;
  float yaw = 0, pitch = 45;  ///< degrees: turned around the upright axis; seen from how far above
  Rgba mesh{0, 0, 0, 0};      ///< of the lines from point to point
};

// Decoration: carries no numbers.
struct Rect {
  Box box;
  Rgba fill{0, 0, 0, 0}, stroke{0, 0, 0, 0};
  float radius = 0, strokeWidth = 1;
};
struct Line {
  std::vector<Point> points;
  Rgba color;
  float width = 1;
  bool arrow = false;  ///< a head at the last point
};
/// Shapes up to the matching PopClip are cut off at `box`.
struct PushClip {
  Box box;
};
struct PopClip {};

using AnyShape = std::variant<Rect, Line, Matrix, ColorScale, Curve, Bar, Ribbon, Phasor, Dot, SpaceDot,
                              SurfacePlot, Text, PushClip, PopClip>;

/// One of them. It and the scene are copied, moved and destroyed in scene.cpp alone: every file that draws
/// does so, and compiling that anew in each takes a noticeable part of a build.
struct Shape : AnyShape {
  using AnyShape::AnyShape;
  Shape(const Shape& other);
  Shape(Shape&& other) noexcept;
  Shape& operator=(const Shape& other);
  Shape& operator=(Shape&& other) noexcept;
  ~Shape();
};

struct Scene {
  Point size;  ///< of the whole picture; may exceed the window, which then scrolls
  std::vector<Shape> shapes;
  std::vector<HitRegion> hits;
  TensorSources sources;
  std::string title, about;  ///< its heading, in words: what captions say
  PictureChoices choices;    ///< where the room shows them apart from the picture

  Scene();
  Scene(const Scene& other);
  Scene(Scene&& other) noexcept;
  Scene& operator=(const Scene& other);
  Scene& operator=(Scene&& other) noexcept;
  ~Scene();

  template <typename T>
  T& add(T shape) {
    return *std::get_if<T>(&shapes.emplace_back(std::in_place_type<T>, std::move(shape)));
  }
};

/// A line of text with the common defaults.
Text& addText(Scene& scene, Point at, std::string text, TextStyle style, Align horizontal = Align::Start);

/// A region above those before it; it stays where it is until the next one is added.
HitRegion& addHitRegion(Scene& scene, const Box& box, const TensorRef& cell = {}, std::string name = "");

/// Whether the matrix has no mask that forbids this cell.
bool isAllowed(const Matrix& matrix, int row, int column);
/// What the mask took away: minus infinity, and in a masked matrix the zeros that softmax makes of it.
bool isMasked(const Matrix& matrix, int row, int column, float value);
/// Colour of a value; NaN, +infinity and -infinity have the theme's colours and are not asked for here.
Rgba cellColor(const Matrix& matrix, float value, bool dark);
/// The filled part of a bar for a value.
Box barBox(const Bar& bar, float value);
/// Where column `i` of `count` with this value lies.
Point curvePoint(const Curve& curve, int i, int count, float value);
/// The tip of the arrow for its two values.
Point phasorTip(const Phasor& phasor, float sine, float cosine);
/// The middle of the mark of its two values.
Point dotCenter(const Dot& dot, float across, float up);
/// The middle of the mark in space; nothing where its three values are not there, or no numbers.
std::optional<Point> dotCenter(const SpaceDot& dot, const TensorSources& sources);
float ribbonWidth(const Ribbon& ribbon, float value);
/// The two control points of its Bézier curve.
std::array<Point, 2> ribbonControls(const Ribbon& ribbon);

/// The topmost region under a point: what is there. nullptr when nothing is.
const HitRegion* hitAt(const Scene& scene, Point at);
/// What exactly the point of a region refers to: the region's target with row and column filled in.
Target targetAt(const HitRegion& region, Point at);

}  // namespace glassformer
