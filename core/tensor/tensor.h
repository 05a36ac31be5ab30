#pragma once
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace glassformer {

/// Dimension letters, used in every name, comment and trace point:
///   B batch, T query positions, S key positions, D model width, H heads, K head width, F feed-forward width,
///   V vocabulary, L layers, C context (the most positions a model can take). Measurements also count P
///   places of the residual stream, M parts that add up to it, O
///   those who wrote it before a block and the biases, R ranks (the likeliest token is 0), N nodes of
///   a tree, G stages of sampling, X distances between two tokens, U and W steps along the second and the
///   first axis of a surface.

inline constexpr int maxRank = 4;

/// A strided look at float32 values somebody else owns, rank 0 to 4. Head h of the queries, for instance, is
/// a view into the fused [T, 3D] product. Cheap to copy; `Scalar` is `const float` (TensorView) or `float`.
template <typename Scalar>
struct BasicTensorView {
  Scalar* data = nullptr;
  int rank = 0;
  std::array<int, maxRank> extent{};             ///< sizes, outermost first
  std::array<std::ptrdiff_t, maxRank> stride{};  ///< in floats

  BasicTensorView() = default;
  BasicTensorView(Scalar* values, std::span<const int> extents) : data(values) {
    for (int e : extents) extent[rank++] = e;
    std::ptrdiff_t step = 1;
    for (int i = rank - 1; i >= 0; --i) stride[i] = step, step *= extent[i];
  }
  BasicTensorView(Scalar* values, std::initializer_list<int> extents)
      : BasicTensorView(values, std::span(extents.begin(), extents.size())) {}
  BasicTensorView(Scalar* values, std::initializer_list<int> extents,
                  std::initializer_list<std::ptrdiff_t> strides)
      : data(values) {
    assert(extents.size() == strides.size());
    for (int e : extents) extent[rank++] = e;
    int i = 0;
    for (std::ptrdiff_t s : strides) stride[i++] = s;
  }

  /// Every view can be looked at read-only.
  operator BasicTensorView<const float>() const requires(!std::is_const_v<Scalar>) {
    BasicTensorView<const float> view;
    view.data = data, view.rank = rank, view.extent = extent, view.stride = stride;
    return view;
  }

  template <typename... Index>
  Scalar& operator()(Index... index) const {
    assert(static_cast<int>(sizeof...(index)) == rank);
    int i = 0;
    std::ptrdiff_t offset = 0;
    ((assert(index >= 0 && index < extent[i]), offset += index * stride[i++]), ...);
    return data[offset];
  }
  /// Element by an index array; entries past the rank are ignored.
  Scalar& at(const std::array<int, maxRank>& index) const {
    std::ptrdiff_t offset = 0;
    for (int i = 0; i < rank; ++i) {
      assert(index[i] >= 0 && index[i] < extent[i]);
      offset += index[i] * stride[i];
    }
    return data[offset];
  }
  /// Which element lies there; nothing for what is none of the view's.
  std::optional<std::array<int, maxRank>> indexOf(const float* element) const {
    std::array<int, maxRank> index{};
    std::ptrdiff_t offset = element - data;
    if (offset < 0) return std::nullopt;
    for (int d = 0; d < rank; ++d) {
      const std::ptrdiff_t i = offset / stride[d];
      if (i >= extent[d]) return std::nullopt;
      index[d] = static_cast<int>(i), offset -= i * stride[d];
    }
    return offset == 0 ? std::optional(index) : std::nullopt;
  }
  /// Slice `i` of the outermost dimension.
  BasicTensorView operator[](int i) const {
    assert(rank > 0 && i >= 0 && i < extent[0]);
    BasicTensorView slice;
    slice.data = data + i * stride[0];
    slice.rank = rank - 1;
    for (int d = 0; d + 1 < rank; ++d) slice.extent[d] = extent[d + 1], slice.stride[d] = stride[d + 1];
    return slice;
  }
  std::int64_t size() const {
    std::int64_t n = 1;
    for (int d = 0; d < rank; ++d) n *= extent[d];
    return n;
  }
  bool contiguous() const {
    std::ptrdiff_t step = 1;
    for (int d = rank - 1; d >= 0; --d) {
      if (extent[d] != 1 && stride[d] != step) return false;
      step *= extent[d];
    }
    return true;
  }
  /// Calls visit(index, value) for every element in row-major order.
  template <typename Visit>
  void forEach(Visit visit) const {
    std::array<int, maxRank> index{};
    for (std::int64_t n = size(), i = 0; i < n; ++i) {
      visit(index, at(index));
      for (int d = rank - 1; d >= 0 && ++index[d] == extent[d]; --d) index[d] = 0;
    }
  }
  /// The values copied into one contiguous row-major block.
  std::vector<float> copy() const {
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(size()));
    appendTo(values);
    return values;
  }

 private:
  // What lies side by side at once: rows of a pattern, as a rule.
  void appendTo(std::vector<float>& values) const {
    if (contiguous()) {
      values.insert(values.end(), data, data + size());
    } else if (rank == 1) {
      for (int i = 0; i < extent[0]; ++i) values.push_back(data[i * stride[0]]);
    } else {
      for (int i = 0; i < extent[0]; ++i) (*this)[i].appendTo(values);
    }
  }
};

using TensorView = BasicTensorView<const float>;
using MutableTensorView = BasicTensorView<float>;

/// Contiguous row-major float32 values with a shape, owned. All zero when made.
class Tensor {
 public:
  Tensor() = default;
  Tensor(std::initializer_list<int> extents) : view_(nullptr, extents) {
    values_.resize(static_cast<std::size_t>(view_.size()));
  }
  Tensor(std::initializer_list<int> extents, std::vector<float> values)
      : values_(std::move(values)), view_(nullptr, extents) {
    assert(static_cast<std::int64_t>(values_.size()) == view_.size());
  }

  Tensor(std::span<const int> extents, std::vector<float> values)
      : values_(std::move(values)), view_(nullptr, extents) {
    assert(static_cast<std::int64_t>(values_.size()) == view_.size());
  }

  TensorView view() const {
    TensorView v = view_;
    v.data = values_.data();
    return v;
  }
  MutableTensorView view() {
    MutableTensorView v = view_;
    v.data = values_.data();
    return v;
  }
  template <typename... Index>
  float operator()(Index... index) const {
    return view()(index...);
  }
  template <typename... Index>
  float& operator()(Index... index) {
    return view()(index...);
  }
  const std::vector<float>& values() const { return values_; }
  std::vector<float>& values() { return values_; }

 private:
  std::vector<float> values_;
  MutableTensorView view_;
};

}  // namespace glassformer
