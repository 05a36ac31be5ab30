#include "core/tensor/operations/normalization.h"

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

class LayerNorm final : public Operation {
 public:
  LayerNorm(const Extent& extent, Value x, const Weight& gamma, const Weight& beta, float epsilon,
            Value sigma, Value y)
      : Operation(extent), gamma_(gamma), beta_(beta), epsilon_(epsilon), sigma_(sigma), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      sigma_.data[r] = kernels().layerNorm(x.data + r * x.stride, gamma_.value, beta_.value, epsilon_,
                                           y.data + r * y.stride, x.width);
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r)
      kernels().layerNormBackward(x.data + r * x.stride, gamma_.value, sigma_.data[r],
                                  dy_.data + r * y.stride, dx_.data + r * x.stride, dx_.accumulate,
                                  gamma_.gradient, beta_.gradient, x.width);
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

 private:
  Weight gamma_, beta_;
  float epsilon_;
  Value sigma_;
  Gradient dx_, dy_;
};

class RmsNorm final : public Operation {
 public:
  RmsNorm(const Extent& extent, Value x, const Weight& gamma, float epsilon, Value rho, Value y)
      : Operation(extent), gamma_(gamma), epsilon_(epsilon), rho_(rho), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      rho_.data[r] =
          kernels().rmsNorm(x.data + r * x.stride, gamma_.value, epsilon_, y.data + r * y.stride, x.width);
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r)
      kernels().rmsNormBackward(x.data + r * x.stride, gamma_.value, rho_.data[r], dy_.data + r * y.stride,
                                dx_.data + r * x.stride, dx_.accumulate, gamma_.gradient, x.width);
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

 private:
  Weight gamma_;
  float epsilon_;
  Value rho_;
  Gradient dx_, dy_;
};

}  // namespace

Normalized layerNorm(Tape& tape, const Value& x, const Weight& gamma, const Weight& beta, float epsilon) {
  const Value sigma = tape.rows(1, x.stream), y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<LayerNorm>(tape.extent(x), x, gamma, beta, epsilon, sigma, y));
  return {sigma, y};
}

Normalized rmsNorm(Tape& tape, const Value& x, const Weight& gamma, float epsilon) {
  const Value rho = tape.rows(1, x.stream), y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<RmsNorm>(tape.extent(x), x, gamma, epsilon, rho, y));
  return {rho, y};
}

}  // namespace glassformer
