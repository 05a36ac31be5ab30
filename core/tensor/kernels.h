#pragma once
#include <cstddef>
#include <vector>

#include "core/result.h"

namespace glassformer {

/// One matrix product C = scale · A · B, C = bias + A · B or C += A · B, over float32. All three are strided,
/// so that a head of the fused queries, a transposed weight or the causal part of a score matrix is used
/// where it lies.
struct MatrixProduct {
  int rows = 0, columns = 0, depth = 0;  ///< C [rows, columns], A [rows, depth], B [depth, columns]
  const float* a = nullptr;
  std::ptrdiff_t aRow = 0, aColumn = 1;  ///< A(i, k) = a[i · aRow + k · aColumn]
  const float* b = nullptr;
  std::ptrdiff_t bRow = 0, bColumn = 1;  ///< B(k, j) = b[k · bRow + j · bColumn]; one of the two is 1
  float* c = nullptr;
  std::ptrdiff_t cRow = 0;  ///< C(i, j) = c[i · cRow + j]
  float scale = 1;          ///< only without accumulate
  bool accumulate = false;
  const float* bias = nullptr;  ///< added to every row; only without accumulate and scale
  /// The sum of each column of B is added to these, row by row; only where B's rows lie side by side.
  float* columnSums = nullptr;
};

/// AdamW's constants for one step (Loshchilov & Hutter 2019, algorithm 2).
struct AdamWStep {
  float learningRate, beta1, beta2, epsilon, weightDecay;
  float correction1, correction2;  ///< 1 / (1 - beta^step)
  float gradientScale;             ///< clipping, applied to every gradient
};

/// The hot loops, compiled once per CPU level and chosen at run time, so that one binary is fast everywhere.
///
/// Every element of a product is summed in the order k = 0, 1, 2, ..., whatever the block it is computed in;
/// every row function looks at one row. So a row's bits depend neither on how rows are split among threads
/// nor on which rows are recomputed after an edit.
struct Kernels {
  const char* level;  ///< "x86_64_v4", ...

  void (*multiply)(const MatrixProduct&);
  /// For how many rows of C that copies B once, as it reads it; 0: of so few rows it reads B where it lies.
  int (*rowsPerCopy)(const MatrixProduct&);
  /// y = γ ⊙ (x - mean) / σ + β with the population σ = √(var + ε); returns σ. (Ba, Kiros & Hinton 2016)
  float (*layerNorm)(const float* x, const float* gamma, const float* beta, float epsilon, float* y, int n);
  /// dx (+)= ∂y/∂xᵀ dy, dγ += dy ⊙ x̂, dβ += dy for the row above; dγ and dβ may be null.
  void (*layerNormBackward)(const float* x, const float* gamma, float sigma, const float* dy, float* dx,
                            bool accumulate, float* dGamma, float* dBeta, int n);
  /// y = γ ⊙ x / ρ with ρ = √(mean(x²) + ε); returns ρ. (Zhang & Sennrich 2019)
  float (*rmsNorm)(const float* x, const float* gamma, float epsilon, float* y, int n);
  /// dx (+)= ∂y/∂xᵀ dy, dγ += dy ⊙ x / ρ for the row above; dγ may be null.
  void (*rmsNormBackward)(const float* x, const float* gamma, float rho, const float* dy, float* dx,
                          bool accumulate, float* dGamma, int n);
  /// y = exp(x - max) / Σ exp(x - max); where x is nothing but -inf, y is 0. In place allowed.
  void (*softmax)(const float* x, float* y, int n);
  /// dx (+)= y ⊙ (dy - ⟨dy, y⟩).
  void (*softmaxBackward)(const float* y, const float* dy, float* dx, bool accumulate, int n);
  /// Replaces logits by their gradient scale · (softmax(x) - onehot(target)); returns -log
  /// softmax(x)[target].
  float (*crossEntropy)(const float* x, int target, float scale, float* dx, int n);
  /// y = ½ x (1 + tanh(√(2/π) (x + 0.044715 x³))) (Hendrycks & Gimpel 2016).
  void (*geluTanh)(const float* x, float* y, int n);
  void (*geluTanhBackward)(const float* x, const float* dy, float* dx, bool accumulate, int n);
  /// y = x Φ(x), the exact GELU.
  void (*gelu)(const float* x, float* y, int n);
  void (*geluBackward)(const float* x, const float* dy, float* dx, bool accumulate, int n);
  void (*relu)(const float* x, float* y, int n);
  void (*reluBackward)(const float* x, const float* dy, float* dx, bool accumulate, int n);
  void (*tanh)(const float* x, float* y, int n);
  /// dx = (1 - y²) ⊙ dy, from the result y. In place allowed.
  void (*tanhBackward)(const float* y, const float* dy, float* dx, int n);
  /// y = silu(x) ⊙ u with silu(x) = x / (1 + e⁻ˣ) (Shazeer 2020, SwiGLU).
  void (*siluGate)(const float* x, const float* u, float* y, int n);
  void (*siluGateBackward)(const float* x, const float* u, const float* dy, float* dx, float* du,
                           bool accumulateX, bool accumulateU, int n);
  /// y = a + b.
  void (*add)(const float* a, const float* b, float* y, int n);
  /// y += x.
  void (*accumulate)(const float* x, float* y, int n);
  double (*sumOfSquares)(const float* x, int n);
  /// One AdamW step on n parameters with moments m and v.
  void (*adamW)(const AdamWStep&, const float* gradient, float* parameter, float* m, float* v, int n);
};

/// The levels that this processor can run, slowest first: "baseline", then "x86_64_v3" (AVX2) and "x86_64_v4"
/// (AVX-512) where they exist.
std::vector<const Kernels*> runnableKernels();

/// Environment variable that names the level to compute with, so that one machine can show what another
/// computes.
inline constexpr const char* levelVariable = "GLASSFORMER_LEVEL";

/// The level of that name, or the fastest where there is no name. Error: the name, and the levels there are.
Result<const Kernels*> kernelsNamed(const char* name);

/// The level that GLASSFORMER_LEVEL names, else the fastest. Thread-safe; decided once. Throws
/// std::runtime_error with kernelsNamed's error; the command line asks for it first.
const Kernels& kernels();

}  // namespace glassformer
