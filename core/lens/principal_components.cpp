#include "core/lens/principal_components.h"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "core/trace/derived.h"

namespace glassformer {
namespace {

// All rows less their mean, [N, D].
struct Centred {
  Eigen::RowVectorXd mean;
  Eigen::MatrixXd rows;
};

Centred centred(std::span<const TensorView> tables) {
  int N = 0;
  const int D = tables.front().extent[1];
  for (const TensorView& table : tables) N += table.extent[0];
  Centred all{Eigen::RowVectorXd::Zero(D), Eigen::MatrixXd(N, D)};
  int row = 0;
  for (const TensorView& table : tables)
    for (int t = 0; t < table.extent[0]; ++t, ++row)
      for (int d = 0; d < D; ++d) all.rows(row, d) = static_cast<double>(table(t, d));
  all.mean = all.rows.colwise().mean();
  all.rows.rowwise() -= all.mean;
  return all;
}

// The axis with its largest component positive, so that a picture does not flip from one text to the next.
void addAxis(Eigen::VectorXd axis, int to, Tensor& axes) {
  Eigen::Index largest = 0;
  axis.cwiseAbs().maxCoeff(&largest);
  if (axis(largest) < 0) axis = -axis;
  for (int d = 0; d < axes.view().extent[1]; ++d) axes(to, d) = static_cast<float>(axis(d));
}

Derivation meanOf(const std::vector<TensorView>& tables, int dimension) {
  Derivation sum;
  for (const TensorView& table : tables)
    for (int t = 0; t < table.extent[0]; ++t) sum.terms.push_back({&table(t, dimension)});
  for (Term& term : sum.terms) term.coefficient = 1 / static_cast<float>(sum.terms.size());
  return sum;
}

// z_c = Σ_d (x_d − x̄_d) v_cd
Derivation projectionOf(TensorView x, int row, TensorView mean, TensorView axes, int component) {
  Derivation z;
  for (int d = 0; d < mean.extent[0]; ++d) {
    z.terms.push_back({&x(row, d), &axes(component, d)});
    z.terms.push_back({&mean(d), &axes(component, d), -1});
  }
  return z;
}

// Σ_n ‖x_n − x̄‖², which is N Σ λ.
double varianceOf(const std::vector<TensorView>& tables, const TensorView& mean) {
  double sum = 0;
  for (const TensorView& table : tables)
    table.forEach([&](const std::array<int, maxRank>& at, float x) {
      const double from = static_cast<double>(x) - static_cast<double>(mean(at[1]));
      sum += from * from;
    });
  return sum;
}

// λ_c / Σ λ = Σ_n z_c² / Σ_n ‖x_n − x̄‖², of where the vectors lie along that axis.
Derivation shareAlong(const std::vector<TensorView>& places, int component, double total) {
  Derivation share;
  for (const TensorView& z : places)
    for (int n = 0; n < z.extent[0]; ++n)
      share.terms.push_back({&z(n, component), &z(n, component), static_cast<float>(1 / total)});
  return share;
}

Derivation nowhere() { return {.form = Form::Masked, .constant = std::numeric_limits<float>::quiet_NaN()}; }

}  // namespace

PrincipalComponents principalComponents(std::span<const TensorView> tables) {
  const auto [mean, rows] = centred(tables);
  // XᵀX and XXᵀ have the same λ: the smaller one is taken apart.
  const bool isWide = rows.rows() < rows.cols();
  const Eigen::MatrixXd products =
      isWide ? Eigen::MatrixXd(rows * rows.transpose()) : Eigen::MatrixXd(rows.transpose() * rows);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
  const int D = static_cast<int>(rows.cols()), count = static_cast<int>(products.rows());
  PrincipalComponents found{Tensor({D}), Tensor({principalAxes, D}),
                            Tensor({std::max(count, principalAxes)})};
  for (int d = 0; d < D; ++d) found.mean(d) = static_cast<float>(mean(d));
  const double total = products.trace();
  for (int c = 0; c < count; ++c) {
    const Eigen::Index from = count - 1 - c;  // the largest come last
    const double share = total > 0 ? std::max(solver.eigenvalues()(from), 0.0) / total : 0;
    found.shares(c) = static_cast<float>(share);
    constexpr double nothing = 1e-12;  // left by rounding
    if (c >= principalAxes || share < nothing) continue;
    const Eigen::VectorXd vector = solver.eigenvectors().col(from);
    addAxis(isWide ? Eigen::VectorXd((rows.transpose() * vector).normalized()) : vector, c, found.axes);
  }
  return found;
}

namespace geometry {
std::string ofBoth(const char* tensor) { return std::string(tensor) + ".both"; }
std::string ofOther(const char* tensor) { return std::string(tensor) + ".other"; }
}  // namespace geometry

namespace {

using GeometryNames = std::string (*)(const char*);

// The axes and the mean of all tables.
void addAxes(const std::vector<TensorView>& tables, PrincipalComponents& found, TensorSet& set,
             GeometryNames named) {
  set.add({named(geometry::axes), "YD", "the directions in which the vectors differ most", "C v = λ v"},
          std::move(found.axes));
  set.add({named(geometry::mean), "D", "the mean of the vectors", "x̄ = Σ x / N"}, std::move(found.mean),
          [tables](const std::array<int, maxRank>& at) { return meanOf(tables, at[0]); });
}

// `places` are where the vectors of all tables lie; none where that is not known of all.
void addShares(const std::vector<TensorView>& tables, const std::vector<TensorView>& places, Tensor shares,
               TensorSet& set, GeometryNames named) {
  set.add(
      {named(geometry::shares), "Y", "each component's share of the variance", "λ / Σ λ"}, std::move(shares),
      [=,
       total = varianceOf(tables, set[named(geometry::mean)])](const auto& at) -> std::optional<Derivation> {
        if (places.empty() || at[0] >= principalAxes || !(total > 0)) return std::nullopt;
        return shareAlong(places, at[0], total);
      });
}

}  // namespace

void measureGeometry(const std::vector<ProjectedVectors>& all, TensorSet& set,
                     std::string (*named)(const char*)) {
  std::vector<TensorView> tables;
  for (const ProjectedVectors& projected : all) tables.push_back(projected.vectors);
  PrincipalComponents found = principalComponents(tables);
  addAxes(tables, found, set, named);
  const TensorView mean = set[named(geometry::mean)], axes = set[named(geometry::axes)];
  for (const ProjectedVectors& projected : all) {
    const TensorView x = projected.vectors;
    const std::vector<int> rows = projected.rows;
    const int T = rows.empty() ? x.extent[0] : static_cast<int>(rows.size());
    addDerived(set, {projected.tensor, "TY", projected.meaning, "z = (x − x̄) · v", projected.stream},
               {T, principalAxes}, [=](const std::array<int, maxRank>& at) {
                 const int row = rows.empty() ? at[0] : rows[static_cast<std::size_t>(at[0])];
                 return row < 0 ? nowhere() : projectionOf(x, row, mean, axes, at[1]);
               });
  }
  std::vector<TensorView> places;
  for (const ProjectedVectors& projected : all)
    if (projected.rows.empty()) places.push_back(set[projected.tensor]);
  if (places.size() != all.size()) places.clear();
  addShares(tables, places, std::move(found.shares), set, named);
}

void measureGeometryPaths(const std::vector<ProjectedPath>& all, TensorSet& set,
                          std::string (*named)(const char*)) {
  std::vector<TensorView> tables;
  for (const ProjectedPath& path : all) tables.insert(tables.end(), path.places.begin(), path.places.end());
  PrincipalComponents found = principalComponents(tables);
  addAxes(tables, found, set, named);
  const TensorView mean = set[named(geometry::mean)], axes = set[named(geometry::axes)];
  std::vector<TensorView> z;
  for (const ProjectedPath& path : all) {
    const int P = static_cast<int>(path.places.size());
    const int T = path.rows.empty() ? path.places.front().extent[0] : static_cast<int>(path.rows.size());
    addDerived(set, {path.tensor, "PTY", path.meaning, "z = (x − x̄) · v", path.stream}, {P, T, principalAxes},
               [mean, axes, places = path.places, rows = path.rows](const std::array<int, maxRank>& at) {
                 const int row = rows.empty() ? at[1] : rows[static_cast<std::size_t>(at[1])];
                 const TensorView& x = places[static_cast<std::size_t>(at[0])];
                 return row < 0 ? nowhere() : projectionOf(x, row, mean, axes, at[2]);
               });
    for (int p = 0; path.rows.empty() && p < P; ++p) z.push_back(set[path.tensor][p]);
  }
  if (z.size() != tables.size()) z.clear();
  addShares(tables, z, std::move(found.shares), set, named);
}

}  // namespace glassformer
