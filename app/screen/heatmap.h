#pragma once
#include <map>
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
  /// Ends a run of matrices; call before anything else goes into the list.
  void finish(ImDrawList* list);

 private:
  static constexpr int pageSize = 2048;
  static constexpr int gap = 8;  // at least what the shader may look at beyond an edge

  struct Tile {
    int page, x, y, width, height;
    int drawn = 0;  // in which frame last
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

  void wipeAround(const Tile& tile);
  const Tile& tileOf(const TensorView& cells, const Matrix& matrix, const TensorSources& sources);
  Tile windowTile(const TensorView& cells, const Matrix& matrix, const TensorSources& sources);
  bool fits(Page& page, int width, int height, Tile& tile) const;
  static void useProgram(const ImDrawList* list, const ImDrawCmd* command);
  void uploadColors();

  Program program_;
  Texture colors_;
  std::vector<Page> pages_;
  std::map<Key, Tile> tiles_;
  std::vector<TensorSources>
      owners_;  // keeps the tiles' tensors alive, so that an address means what it meant
  Theme theme_;
  int frame_ = 0;
  bool open_ = false;
  Style style_{};
};

}  // namespace glassformer
