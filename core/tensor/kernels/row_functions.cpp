// Functions of one row, on Eigen's vectorised arrays. Compiled per CPU level, as products are.
#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "core/tensor/kernels/levels.h"

namespace glassformer::GLASSFORMER_LEVEL {
namespace {

using Row = Eigen::Map<Eigen::ArrayXf>;
using ConstRow = Eigen::Map<const Eigen::ArrayXf>;

template <typename Expression>
void store(const Expression& values, float* y, bool accumulate, int n) {
  if (accumulate)
    Row(y, n) += values;
  else
    Row(y, n) = values;
}

float layerNorm(const float* x, const float* gamma, const float* beta, float epsilon, float* y, int n) {
  const ConstRow X(x, n);
  const float mean = X.mean();
  const float sigma = std::sqrt((X - mean).square().mean() + epsilon);
  Row(y, n) = (X - mean) * (1 / sigma) * ConstRow(gamma, n) + ConstRow(beta, n);
  return sigma;
}

void layerNormBackward(const float* x, const float* gamma, float sigma, const float* dy, float* dx,
                       bool accumulate, float* dGamma, float* dBeta, int n) {
  const ConstRow X(x, n), Gamma(gamma, n), dY(dy, n);
  const float mean = X.mean(), inverse = 1 / sigma;
  const auto xHat = (X - mean) * inverse;
  if (dGamma) Row(dGamma, n) += dY * xHat;
  if (dBeta) Row(dBeta, n) += dY;
  const float a = (dY * Gamma).mean(), b = (dY * Gamma * xHat).mean();
  store((dY * Gamma - a - xHat * b) * inverse, dx, accumulate, n);
}

float rmsNorm(const float* x, const float* gamma, float epsilon, float* y, int n) {
  const ConstRow X(x, n);
  const float rho = std::sqrt(X.square().mean() + epsilon);
  Row(y, n) = X * (1 / rho) * ConstRow(gamma, n);
  return rho;
}

void rmsNormBackward(const float* x, const float* gamma, float rho, const float* dy, float* dx,
                     bool accumulate, float* dGamma, int n) {
  const ConstRow X(x, n), Gamma(gamma, n), dY(dy, n);
  const float inverse = 1 / rho;
  const auto xHat = X * inverse;
  if (dGamma) Row(dGamma, n) += dY * xHat;
  const float b = (dY * Gamma * xHat).mean();
  store((dY * Gamma - xHat * b) * inverse, dx, accumulate, n);
}

void softmax(const float* x, float* y, int n) {
  const ConstRow X(x, n);
  Row Y(y, n);
  const float max = X.maxCoeff();
  if (max == -std::numeric_limits<float>::infinity()) {
    Y.setZero();
    return;
  }
  Y = (X - max).exp();
  Y *= 1 / Y.sum();
}

void softmaxBackward(const float* y, const float* dy, float* dx, bool accumulate, int n) {
  const ConstRow Y(y, n), dY(dy, n);
  const float inner = (Y * dY).sum();
  store(Y * (dY - inner), dx, accumulate, n);
}

float crossEntropy(const float* x, int target, float scale, float* dx, int n) {
  const ConstRow X(x, n);
  Row dX(dx, n);
  const float max = X.maxCoeff(), atTarget = x[target] - max;
  dX = (X - max).exp();
  const float sum = dX.sum();
  dX *= scale / sum;
  dX[target] -= scale;
  return std::log(sum) - atTarget;
}

constexpr float rootTwoOverPi = 0.7978845608028654f, cubic = 0.044715f;

void geluTanh(const float* x, float* y, int n) {
  const ConstRow X(x, n);
  Row(y, n) = 0.5f * X * (1 + (rootTwoOverPi * (X + cubic * X.cube())).tanh());
}

void geluTanhBackward(const float* x, const float* dy, float* dx, bool accumulate, int n) {
  constexpr int chunk = 512;  // keeps tanh in the first-level cache, where it is used three times
  alignas(64) float tanhs[chunk];
  for (int i = 0; i < n; i += chunk) {
    const int m = std::min(chunk, n - i);
    const ConstRow X(x + i, m), dY(dy + i, m);
    Row t(tanhs, m);
    t = (rootTwoOverPi * (X + cubic * X.cube())).tanh();
    store(dY * (0.5f * (1 + t) + 0.5f * X * (1 - t.square()) * rootTwoOverPi * (1 + 3 * cubic * X.square())),
          dx + i, accumulate, m);
  }
}

constexpr float inverseRootTwo = 0.7071067811865476f, inverseRootTwoPi = 0.3989422804014327f;

float normalCdf(float x) { return 0.5f * std::erfc(-x * inverseRootTwo); }

void gelu(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] * normalCdf(x[i]);
}

void geluBackward(const float* x, const float* dy, float* dx, bool accumulate, int n) {
  for (int i = 0; i < n; ++i) {
    const float slope = normalCdf(x[i]) + x[i] * inverseRootTwoPi * std::exp(-0.5f * x[i] * x[i]);
    dx[i] = (accumulate ? dx[i] : 0) + dy[i] * slope;
  }
}

void relu(const float* x, float* y, int n) { Row(y, n) = ConstRow(x, n).max(0.f); }

void reluBackward(const float* x, const float* dy, float* dx, bool accumulate, int n) {
  for (int i = 0; i < n; ++i) dx[i] = (accumulate ? dx[i] : 0) + (x[i] > 0 ? dy[i] : 0);
}

void tanh(const float* x, float* y, int n) { Row(y, n) = ConstRow(x, n).tanh(); }

void tanhBackward(const float* y, const float* dy, float* dx, int n) {
  const ConstRow Y(y, n);
  Row(dx, n) = (1 - Y.square()) * ConstRow(dy, n);
}

void siluGate(const float* x, const float* u, float* y, int n) {
  const ConstRow X(x, n);
  Row(y, n) = X / (1 + (-X).exp()) * ConstRow(u, n);
}

// With σ = 1 / (1 + e⁻ˣ): silu'(x) = σ (1 + x (1 - σ)).
void siluGateBackward(const float* x, const float* u, const float* dy, float* dx, float* du, bool accumulateX,
                      bool accumulateU, int n) {
  const ConstRow X(x, n), U(u, n), dY(dy, n);
  const auto sigma = 1 / (1 + (-X).exp());
  store(dY * U * sigma * (1 + X * (1 - sigma)), dx, accumulateX, n);
  store(dY * X * sigma, du, accumulateU, n);
}

void add(const float* a, const float* b, float* y, int n) { Row(y, n) = ConstRow(a, n) + ConstRow(b, n); }
void accumulate(const float* x, float* y, int n) { Row(y, n) += ConstRow(x, n); }

double sumOfSquares(const float* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i += 1024) sum += ConstRow(x + i, std::min(1024, n - i)).square().sum();
  return sum;
}

void adamW(const AdamWStep& s, const float* gradient, float* parameter, float* m, float* v, int n) {
  constexpr int chunk = 4096;
  for (int i = 0; i < n; i += chunk) {
    const int size = std::min(chunk, n - i);
    const ConstRow G(gradient + i, size);
    Row P(parameter + i, size), M(m + i, size), V(v + i, size);
    M = s.beta1 * M + ((1 - s.beta1) * s.gradientScale) * G;
    V = s.beta2 * V + (1 - s.beta2) * (s.gradientScale * G).square();
    P -=
        s.learningRate * (s.weightDecay * P + (s.correction1 * M) / ((s.correction2 * V).sqrt() + s.epsilon));
  }
}

}  // namespace

#define GLASSFORMER_NAME_(level) #level
#define GLASSFORMER_NAME(level) GLASSFORMER_NAME_(level)
const Kernels table{GLASSFORMER_NAME(GLASSFORMER_LEVEL),
                    multiply,
                    rowsPerCopy,
                    layerNorm,
                    layerNormBackward,
                    rmsNorm,
                    rmsNormBackward,
                    softmax,
                    softmaxBackward,
                    crossEntropy,
                    geluTanh,
                    geluTanhBackward,
                    gelu,
                    geluBackward,
                    relu,
                    reluBackward,
                    tanh,
                    tanhBackward,
                    siluGate,
                    siluGateBackward,
                    add,
                    accumulate,
                    sumOfSquares,
                    adamW};

}  // namespace glassformer::GLASSFORMER_LEVEL
