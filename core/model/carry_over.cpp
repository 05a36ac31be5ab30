#include "core/model/carry_over.h"

#include <algorithm>

#include "core/model/initialization.h"

namespace glassformer {
namespace {

// A parameter seen as a matrix: a vector is one row.
struct Matrix {
  const float* data;
  int rows, columns;
  float operator()(int i, int j) const { return data[static_cast<std::ptrdiff_t>(i) * columns + j]; }
};

Matrix matrixOf(const TensorView& view) {
  return view.rank == 1 ? Matrix{view.data, 1, view.extent[0]}
                        : Matrix{view.data, view.extent[0], view.extent[1]};
}

// Fills the parameters of the new config one after the other, and counts what it has nothing for.
class Carrier {
 public:
  Carrier(const Transformer& from, const ModelConfig& to, std::uint64_t seed, const ProgressCallback& watch)
      : from_(from), old_(from.parameters()), to_(to), result_{Parameters(parameterSpecs(to)), {}, 0} {
    initialize(to, result_.parameters, {}, seed, watch);
  }

  CarriedOver carry() {
    for (int i = 0; i < result_.parameters.count(); ++i) {
      index_ = i, kept_ = 0;
      const std::string& name = result_.parameters.spec(i).name;
      const Matrix fresh = target();
      if (name.ends_with("c_attn.weight") || name.ends_with("c_attn.bias"))
        carryAttention(name);
      else if (name.ends_with("c_taps.weight"))
        carryTaps(source(name));
      else if (const auto given = source(name); given.data && given.columns == fresh.columns)
        copyRows(given, name);
      const std::int64_t all = static_cast<std::int64_t>(fresh.rows) * fresh.columns;
      if (kept_ == all) continue;
      result_.fresh.push_back(name);
      result_.freshValues += all - kept_;
    }
    return std::move(result_);
  }

 private:
  Matrix target() const { return matrixOf(result_.parameters.view(index_)); }
  void set(int i, int j, float value) {
    const std::size_t at = static_cast<std::size_t>(i) * static_cast<std::size_t>(target().columns) +
                           static_cast<std::size_t>(j);
    result_.parameters.values()[result_.parameters.offset(index_) + at] = value;
    ++kept_;
  }

  // What the old model has for a name, or something as good.
  Matrix source(const std::string& name) const {
    if (const int i = old_.find(name); i >= 0) return matrixOf(old_.view(i));
    if (name == "lm_head.weight") return matrixOf(from_.unembedding());
    if (name == "wpe.weight" && from_.positionTable()) return matrixOf(*from_.positionTable());
    return {nullptr, 0, 0};
  }

  // Tables grow and shrink by rows, and so do the taps of depthwise convolutions; everything else fits or
  // does not.
  void copyRows(const Matrix& given, const std::string& name) {
    const bool grows = isTable(name) || name.ends_with("c_depthwise.weight");
    if (!grows && given.rows != target().rows) return;
    for (int i = 0; i < std::min(given.rows, target().rows); ++i)
      for (int j = 0; j < given.columns; ++j) set(i, j, given(i, j));
  }

  struct Part {
    int column, width;
  };
  // The columns of queries, keys or values (0, 1, 2) in the fused projection of a config.
  static Part part(const ModelConfig& config, bool across, int which) {
    const AttentionColumns c = across ? crossAttentionColumns(config) : selfAttentionColumns(config);
    const int query = across ? 0 : c.query;  // across, queries have a projection of their own
    return which == 0 ? Part{0, query} : which == 1 ? Part{query, c.key} : Part{query + c.key, c.value};
  }

  void carryAttention(const std::string& name) {
    const Matrix given = source(name);
    if (!given.data || given.rows != target().rows || from_.config().width != to_.width) return;
    const bool across = name.find("crossattention") != std::string::npos;
    for (int which = 0; which < 3; ++which) {
      const Part a = part(from_.config(), across, which), b = part(to_, across, which);
      if (a.width == b.width)
        copyColumns(given, a, b);
      else if (which == 2 && from_.config().readout == Readout::Rows)
        handOnRows(b, name.ends_with(".weight"));
      else if (which == 2 && from_.config().readout != to_.readout)
        joinReadout(given, a, b, name.substr(0, name.find("c_attn")));
      else if (which > 0 && b.width > 0 && a.width % b.width == 0)
        poolHeads(given, a, b);
    }
  }
  // The taps that both have, tap after tap.
  void carryTaps(const Matrix& given) {
    if (!given.data || given.rows != target().rows) return;
    const int width = std::min(given.columns, target().columns);
    copyColumns(given, {0, width}, {0, width});
  }
  void copyColumns(const Matrix& given, Part a, Part b) {
    for (int i = 0; i < given.rows; ++i)
      for (int j = 0; j < a.width; ++j) set(i, b.column + j, given(i, a.column + j));
  }
  void poolHeads(const Matrix& given, Part a, Part b) {
    const int K = b.width / to_.valueHeads(), group = a.width / b.width;
    for (int i = 0; i < given.rows; ++i)
      for (int j = 0; j < b.width; ++j) {
        float sum = 0;
        for (int g = 0; g < group; ++g) sum += given(i, a.column + (j / K * group + g) * K + j % K);
        set(i, b.column + j, sum / static_cast<float>(group));
      }
  }
  // (V O)_h = 1, and no bias, hand on the rows as they are; through narrower heads that cannot be said.
  void handOnRows(Part b, bool isWeight) {
    if (to_.readout != Readout::OneMatrix) return;
    for (int i = 0; i < target().rows; ++i)
      for (int j = 0; j < b.width; ++j) set(i, b.column + j, isWeight && j % to_.width == i ? 1.f : 0.f);
  }
  // (V O)_h = V_h · O_h, and the values' bias through O_h; the way back is not unique.
  void joinReadout(const Matrix& given, Part a, Part b, const std::string& attention) {
    if (to_.readout != Readout::OneMatrix || from_.config().valueHeads() != from_.config().heads ||
        to_.valueHeads() != to_.heads || from_.config().heads != to_.heads)
      return;
    const Matrix output = matrixOf(old_[attention + "c_proj.weight"]);
    const int K = a.width / to_.heads, D = b.width / to_.heads;
    for (int i = 0; i < given.rows; ++i)
      for (int j = 0; j < b.width; ++j) {
        double sum = 0;
        for (int k = 0; k < K; ++k) {
          const int row = j / D * K + k;
          sum += static_cast<double>(given(i, a.column + row)) * output(row, j % D);
        }
        set(i, b.column + j, static_cast<float>(sum));
      }
  }

  const Transformer& from_;
  const Parameters& old_;
  const ModelConfig& to_;
  CarriedOver result_;
  int index_ = 0;
  std::int64_t kept_ = 0;
};

}  // namespace

CarriedOver carryOver(const Transformer& from, const ModelConfig& to, std::uint64_t seed,
                      const ProgressCallback& watch) {
  return Carrier(from, to, seed, watch).carry();
}

}  // namespace glassformer
