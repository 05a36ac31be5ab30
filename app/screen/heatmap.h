#pragma once
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "app/scene/scene.h"
#include "app/scene/theme.h"
#include "app/screen/gl.h"

struct ImDrawList;
struct ImDrawCmd;

namespace glassformer {

/// Draws matrices as float textures that a shader colours, so the graphics card holds the exact values and a
/// change of range or theme uploads nothing. Planes share large textures ("pages") and stay there as long as
/// their tensors are being drawn; many matrices with the same range cost one draw call.
///
/// Of a plane with more cells than that there are only the pieces that are seen, no finer than the screen is:
/// a texel that stands for 2ᵏ × 2ᵏ cells has the number furthest from zero among them. What one frame has no
/// time for is drawn in the next ones, until then coarser where that is known.
class HeatmapRenderer {
 public:
  HeatmapRenderer() { make(); }
  /// Lets go of all that it has on the graphics card; make() begins anew, in whatever context is current
  /// then.
  void release();
  void make();

  /// Call once before anything is drawn.
  void beginFrame(const Theme& theme);
  /// Adds a matrix to a draw list, its corners in screen pixels.
  void add(ImDrawList* list, const Matrix& matrix, const TensorSources& sources, Point topLeft,
           Point bottomRight);
  /// Whether the last frame had no time for all that it was to draw.
  bool isBehind() const { return isBehind_; }
  /// Ends a run of matrices; call before anything else goes into the list.
  void finish(ImDrawList* list);

 private:
  static constexpr int pageSize = 2048;
  static constexpr int gap = 8;             // at least what the shader may look at beyond an edge
  static constexpr int largestTile = 1024;  // a plane with more rows or columns is drawn in pieces
  static constexpr int pieceSize = 128, pieceEdge = 4, pieceSlot = pieceSize + 2 * pieceEdge;
  static constexpr int slotsAcross = pageSize / pieceSlot, slotsInPage = slotsAcross * slotsAcross;
  static constexpr int mostPieces = 4 * slotsInPage;

  // Whose numbers tiles show: kept alive, so that an address means what it meant.
  struct Owner {
    TensorSources sources;
    int drawn = 0;  // in which frame last
  };
  struct Tile {
    int page, x, y, width, height;
    int drawn = 0;  // in which frame last
    std::shared_ptr<Owner> owner = nullptr;
  };
  struct Page {
    Texture texture{pageSize, pageSize, GL_R32F, GL_RED, GL_FLOAT, false};
    int x = 0, y = 0, shelf = 0;  // where the next tile goes, and how high the current row of tiles is
  };
  struct Style {
    ColorMap map;
    Range range;
    int page;
    bool operator==(const Style&) const = default;
  };
  struct Call;
  using Key = std::tuple<const float*, int, int, std::ptrdiff_t, std::ptrdiff_t, bool, bool>;
  // A part of a plane, and where it stands.
  struct Piece {
    Key plane;
    int level, row, column;  // each texel is 2^level cells high and wide
    auto operator<=>(const Piece&) const = default;
  };
  struct Slot {
    Piece piece;
    int drawn = 0;
    std::shared_ptr<Owner> owner;
  };
  struct Drawn {
    const Matrix& whole;
    TensorView cells;  // of the whole plane
    Box seen;          // which of them are, in cells
    Box on;            // the screen
  };

  static double roomOf(int width, int height) { return static_cast<double>(width + gap) * (height + gap); }
  static Key keyOf(const TensorView& cells, const Matrix& matrix);
  const std::shared_ptr<Owner>& ownerOf(const TensorSources& sources);
  bool hasTimeFor(double cells);
  void forgetUndrawn();
  const Tile* tileOf(const TensorView& cells, const Matrix& matrix, const TensorSources& sources);
  bool fits(Page& page, int width, int height, Tile& tile) const;
  void addPieces(ImDrawList* list, const Drawn& drawn, const TensorSources& sources);
  void addPiece(ImDrawList* list, const Drawn& drawn, const Piece& wanted, const TensorSources& sources);
  const int* slotOf(const Piece& piece, const Drawn& drawn, const TensorSources& sources);
  void addQuad(ImDrawList* list, const Matrix& matrix, const Texture& texture, int page, const Box& texels,
               const Box& on);
  static void useProgram(const ImDrawList* list, const ImDrawCmd* command);
  void uploadColors();

  Program program_;
  Texture colors_;
  std::vector<Page> pages_;
  std::map<Key, Tile> tiles_;
  std::vector<Texture> piecePages_;
  std::vector<Slot> slots_;      // of all of them, in their order
  std::map<Piece, int> pieces_;  // in which slot each stands
  std::vector<std::shared_ptr<Owner>> owners_;
  Theme theme_;
  int frame_ = 0;
  double cellsLeft_ = 0;  // that this frame has time for
  bool isBehind_ = false;
  double placed_ = 0;  // texels of pages that were given to tiles, since they were last emptied
  bool open_ = false;
  Style style_{};
};

}  // namespace glassformer
