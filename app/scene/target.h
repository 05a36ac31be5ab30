#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/document/command.h"
#include "app/scene/tensor_ref.h"
#include "core/model/point_names.h"

namespace glassformer {

/// What the pointer is on, in terms of the model; empty fields are not meant. All views light up what agrees
/// with it.
struct Target {
  static constexpr int none = -1;

  /// Whose numbers: those of the open text, of the one it is compared with, or their difference.
  enum class Source { This, Other, Difference };

  TensorRef cell;  ///< the number under the pointer
  Source source = Source::This;
  int layer = none;
  int head = none;
  int query = none;  ///< position that looks
  int key = none;    ///< position that is looked at
  int token = none;  ///< position, where a view knows only one kind
  // Whose positions these are: of the text, or of the source that is read beside it.
  Stream queries = Stream::Text, keys = Stream::Text, tokens = Stream::Text;
  int dimension = none;  ///< of the model width, a head or the feed-forward layer
  int entry = none;      ///< vocabulary id
  int step = none;       ///< of the layer stepper
  int node = none;       ///< of the beam tree
  int blockPart = none;  ///< of one of the blocks beside each other
  std::string text;      ///< said on hover in place of, or above, the number

  bool empty() const { return *this == Target{}; }
  /// True where this position of a stream is meant as query, key or token.
  bool touches(int position, Stream stream = Stream::Text) const {
    const auto means = [&](int own, Stream of) { return own == position && of == stream; };
    return position != none && (means(query, queries) || means(key, keys) || means(token, tokens));
  }
  /// The same without positions of the other stream.
  Target in(Stream stream) const {
    Target own = *this;
    if (queries != stream) own.query = none, own.queries = stream;
    if (keys != stream) own.key = none, own.keys = stream;
    if (tokens != stream) own.token = none, own.tokens = stream;
    return own;
  }
  bool operator==(const Target&) const = default;
};

/// What rows or columns of a hit region count.
enum class Axis { None, Query, Key, Token, Dimension, Entry, Layer, Head, Step };

/// Carries a stroke on from one target to the next.
using Stroke = std::function<Command(const Target& from, const Target& to)>;

/// A rectangle, or a grid of equal cells, that answers to the pointer.
struct HitRegion {
  Box box;
  Target target;  ///< what all of it has in common; `cell` spans the grid
  int rows = 1, columns = 1;
  Axis rowAxis = Axis::None, columnAxis = Axis::None;
  /// What the first row and column stand for; `target.cell` counts from 0 all the same.
  int firstRow = 0, firstColumn = 0;
  std::vector<int> rowOrder;  ///< what each row stands for, where rows are not in order; else empty
  /// Where cells are no rectangles: row and column of the one that is seen at a place, or next to it.
  std::function<std::array<int, 2>(Point at)> cellAt;
  std::function<Command(const Target&)> click;   ///< what a click does; empty: nothing
  std::function<Command(const Target&)> extend;  ///< a click with Ctrl or Shift; empty: as any other click
  /// Drawing on it with the button down: begins a stroke, the `number`th, at a target.
  std::function<Stroke(const Target& first, int number)> draw;
  std::string name;                               ///< what tests and the keyboard call it; may be empty
  bool tabStop = true;                            ///< whether the keyboard can get there
  std::function<std::string(const Target&)> say;  ///< the words on hover, where they depend on row and column

  // Zooming and panning: the region says how what it shows changes. Places and distances are fractions of its
  // box.
  std::function<Command(float notches, Point at)> zoom;  ///< the wheel turned, the pointer at this place
  std::function<Command(Point by)> pan;                  ///< dragged this far since the button went down
  std::function<Command()> reset;                        ///< a double click
  /// What the arrow keys do while the pointer or the keyboard's mark is on it: steps to the right and down.
  std::function<Command(int right, int down)> arrows;

  /// The token `target.token` of the open text: it has a menu, and can be dragged to another place among
  /// those of the picture.
  bool isToken = false;
  /// The token `target.entry` that may come next, as `target.cell` has it: a click opens its menu.
  bool isCandidate = false;
};

}  // namespace glassformer
