#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/lens/gradient_pass.h"
#include "core/lens/prediction.h"
#include "core/model/transformer.h"
#include "core/trace/interventions.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What every token's embedding is taken away to: the vector x′ that the path begins at.
struct Baseline {
  enum class Kind { Zero, Mean, Token };
  Kind kind = Kind::Zero;
  int token = -1;  ///< of Kind::Token
  bool operator==(const Baseline&) const = default;
};

/// Attribution of a logit to every token of a text, and of the source beside it, by integrated gradients
/// (Sundararajan, Taly & Yan 2017): along the straight path x(α) = x′ + α (x − x′) of all embeddings at once
///   IG_s = (x_s − x′_s) · ∫₀¹ ∂z/∂x_s (x(α)) dα,   Σ_s IG_s = z(x) − z(x′).
/// z is known at both ends of every piece of the path, so the error of each piece's sum is known exactly: the
/// piece whose sum errs most is halved, where norms or an attention switch over. Each piece is integrated by
/// the Gauss-Legendre rule of four points.
class IntegratedGradients {
 public:
  /// Gradients of the first division of the path, and of each further one.
  static constexpr int pointsOfPiece = 4, firstPieces = 4, leastSteps = pointsOfPiece * firstPieces,
                       stepsOfDivision = 2 * pointsOfPiece;
  /// As far as all pieces' sums together may be off, in logits, to be called exact: less is rounding.
  static constexpr double enough = 1e-4;

  /// `model` outlives it, and the trace what is measured; `interventions` are those that the trace went
  /// through, part of the function.
  IntegratedGradients(const Transformer& model, const Trace& trace, const Interventions& interventions,
                      AnswerMetric of, const Baseline& from);

  /// How many gradients the numbers come from so far.
  int steps() const { return steps_; }
  bool isExact() const;
  /// Whether that is so, or another division would take more than so many gradients.
  bool isFinished(int mostSteps) const;
  /// Divides the path, at first, and then its worst piece.
  void refine();
  /// Adds what is known so far; see `integrated`.
  void addTo(TensorSet& set) const;

 private:
  // The embeddings of one stream on their way, [S, D].
  struct Walk {
    Stream stream;
    std::string point;
    TensorView x;  // of the trace
    Tensor input;
    std::vector<float> baseline;  // [D], the same for every token
    std::shared_ptr<Tensor> now;
  };
  struct Piece {
    double from = 0, to = 1, zFrom = 0, zTo = 0;
    std::vector<double> gradients;  // ∫ ∂z/∂x dα along it, [S, D] of all streams, one behind the other
    double sum = 0;                 // what all tokens get of it
    double error() const;
  };

  static std::vector<Walk> walksOf(const Transformer& model, const Trace& trace, const Baseline& from);
  static Interventions walking(Interventions interventions, const std::vector<Walk>& walks);
  static std::vector<std::string> pointsOf(const std::vector<Walk>& walks);
  void goTo(double alpha);
  double logitAt(double alpha);
  Piece pieceBetween(double from, double zFrom, double to, double zTo);
  void addGradients(double weight, std::vector<double>& gradients);
  double sumOver(const std::vector<double>& gradients) const;

  AnswerMetric of_;
  TensorView logits_;  // of the trace
  std::vector<Walk> walks_;
  GradientPass pass_;
  std::vector<Piece> pieces_;  // in the order of the path
  int steps_ = 0;
};

/// What is measured.
namespace integrated {
inline constexpr const char *tokens = "lens.integrated",  ///< [S]: IG of the text's tokens
    *source = "lens.source_integrated",                   ///< [S]: and of the source's
        *gradient = "lens.integrated_gradient",  ///< [S, D]: ∫₀¹ ∂z/∂x_s dα of the text's tokens
            *sourceGradient = "lens.source_integrated_gradient",  ///< [S, D]: and of the source's
                *total = "lens.integrated_total",                 ///< [Z], see Total
                    *path = "lens.integrated_path";  ///< [Y, Z]: α, and z(x(α)), where the path is divided
enum Total { atInput, atBaseline, difference, sum, error, steps };
}  // namespace integrated

/// The embedding that a baseline stands for, [D], as the model reads it.
std::vector<float> baselineVector(const Transformer& model, const Baseline& baseline);

}  // namespace glassformer
