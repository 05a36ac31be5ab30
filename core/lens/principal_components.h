#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/trace/tensor_set.h"

namespace glassformer {

/// The directions in which N vectors x [N, D] differ most (Pearson 1901):
///   x̄ = Σ_n x_n / N,   Σ_n (x_n − x̄)(x_n − x̄)ᵀ / N = Σ_c λ_c v_c v_cᵀ,   λ_1 ≥ λ_2 ≥ ...
/// Where a vector lies along them is z_c = (x − x̄) · v_c; λ_c is the variance of that. Each v_c is turned so
/// that its largest component is positive; it is 0 where nothing varies any more. Letter Y counts components.
struct PrincipalComponents {
  Tensor mean;  ///< [D]: x̄
  Tensor axes;  ///< [3, D]: v_1, v_2 and v_3
  Tensor
      shares;  ///< [Y]: λ_c / Σ λ of all min(N, D) components, but of three at least; 0 where all are equal
};
inline constexpr int principalAxes = 3;
/// Of the rows of all tables together, each [N, D] of the same D.
PrincipalComponents principalComponents(std::span<const TensorView> tables);

namespace geometry {
inline constexpr const char *tokens = "lens.geometry",  ///< [T, 3]: z of each token's residual stream, or ...
    *path = "lens.geometry_path",                       ///< [P, T, 3]: ... at each place of it, or ...
        *queries = "lens.geometry_queries",             ///< [T, 3]: ... of its query
            *keys = "lens.geometry_keys",               ///< [T, 3]: and of its key
                *mean = "lens.geometry_mean",           ///< [D] or [K]: x̄
                    *axes = "lens.geometry_axes",       ///< [3, D] or [3, K]: v
                        *shares = "lens.geometry_share";  ///< [Y]: of the variance
/// What is measured of two texts together: "lens.geometry_keys.both", and what of that is the other text's.
std::string ofBoth(const char* tensor);
std::string ofOther(const char* tensor);
}  // namespace geometry

/// Vectors of a row of tokens, and what their places are called.
struct ProjectedVectors {
  std::string tensor;   ///< one of geometry::tokens, queries and keys
  std::string meaning;  ///< "where the token's query lies along the axes"
  TensorView vectors;   ///< [T, D]: lives as long as the set
  Stream stream = Stream::Text;
  /// Which of the vectors each token has, where that is not its own; -1: none, and its place is no number.
  std::vector<int> rows = {};
};
/// Adds the components of all of them together, and where each vector lies along the first three. The name
/// that the mean, the axes and the shares get is what `named` makes of it.
void measureGeometry(
    const std::vector<ProjectedVectors>& all, TensorSet& set,
    std::string (*named)(const char*) = [](const char* name) { return std::string(name); });

/// A row of tokens' vectors at every place of their stream.
struct ProjectedPath {
  std::string tensor;              ///< geometry::path, or of two texts what that is called there
  std::string meaning;             ///< "where the token's residual stream lies at each place"
  std::vector<TensorView> places;  ///< each [T, D]: lives as long as the set
  Stream stream = Stream::Text;
  std::vector<int> rows = {};  ///< as in ProjectedVectors
};
/// The same of the vectors of all places of all paths together.
void measureGeometryPaths(
    const std::vector<ProjectedPath>& all, TensorSet& set,
    std::string (*named)(const char*) = [](const char* name) { return std::string(name); });

}  // namespace glassformer
