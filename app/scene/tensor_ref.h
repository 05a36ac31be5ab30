#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/geometry.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Points at numbers instead of copying them: one cell, one row or one plane of a named tensor. `index` is
/// the cell, or the first cell of what is spanned; `rowDimension` and `columnDimension` say which dimensions
/// a shape's rows and columns run along (-1: none, so there is one). Head 2 of a pattern [H, T, S] is
/// {"...hook_pattern", {2, 0, 0}, 1, 2}.
struct TensorRef {
  std::string tensor;
  std::array<int, maxRank> index{};
  int rowDimension = -1, columnDimension = -1;
  int rowCount = -1, columnCount = -1;  ///< how many are spanned; -1: to the end

  bool empty() const { return tensor.empty(); }
  /// The reference to one cell of what this one spans.
  TensorRef cell(int row, int column) const;
  bool operator==(const TensorRef&) const = default;
};

/// The sets a picture draws from, looked through in order. Holds them, so that what a Scene points at stays
/// alive.
class TensorSources {
 public:
  TensorSources() = default;
  TensorSources(std::initializer_list<std::shared_ptr<const TensorSet>> sets) : sets_(sets) {}

  void add(std::shared_ptr<const TensorSet> set) { sets_.push_back(std::move(set)); }
  /// From now on what would have to be made anew (Tape::retain()) is missing: a window waits for nothing.
  void makeNothing() { makes_ = false; }
  /// Ranges span what others have of the same tensors, too: those of the picture beside this one.
  void shareRangesWith(const TensorSources& others) { beside_ = others.sets_; }
  /// These others.
  TensorSources beside() const;
  bool contains(const std::string& name) const { return point(name) != nullptr; }
  /// nullptr when no set has that name.
  const TracePoint* point(const std::string& name) const;
  std::optional<TensorView> find(const std::string& name) const;
  /// What made a number; nothing where nobody knows.
  std::optional<Derivation> derive(const TensorRef& cell) const;
  /// What runs the passes again that a number compares; empty where it compares none.
  OpenPasses across(const TensorRef& cell) const;
  /// Where a number stands; empty where it belongs to none of the tensors.
  TensorRef locate(Cell cell) const;
  bool operator==(const TensorSources&) const = default;

 private:
  // Where the tensor of a name stands; nothing where no set has it.
  std::optional<std::pair<const TensorSet*, int>> standing(const std::string& name) const;

  std::vector<std::shared_ptr<const TensorSet>> sets_, beside_;
  bool makes_ = true;
};

/// What a reference spans, as a view [rows, columns]; empty when the tensor is missing or too small for the
/// index.
std::optional<TensorView> plane(const TensorSources& sources, const TensorRef& ref);
/// The value of one cell; empty as above.
std::optional<float> valueOf(const TensorSources& sources, const TensorRef& ref);
/// Least and greatest finite value of what a reference spans, here and beside; {0, 1} when there is none.
Range rangeOf(const TensorSources& sources, const TensorRef& ref);

}  // namespace glassformer
