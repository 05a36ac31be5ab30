#pragma once
#include "core/result.h"

namespace glassformer {

enum class PositionalEncoding { Learned, Sinusoidal };
enum class Activation { GeluTanh, Gelu, Relu };

/// The shape of a decoder-only transformer (Radford et al. 2019; pre-norm blocks).
struct ModelConfig {
  int layers = 4;         ///< L
  int heads = 4;          ///< H
  int width = 128;        ///< D, divisible by H
  int feedForward = 512;  ///< F
  int vocabulary = 1024;  ///< V
  int context = 128;      ///< C, the most positions one pass can take
  PositionalEncoding positions = PositionalEncoding::Learned;
  Activation activation = Activation::GeluTanh;
  bool tiedUnembedding = true;  ///< logits = x · W_Eᵀ instead of x · W_U
  float normEpsilon = 1e-5f;

  int headWidth() const { return width / heads; }  ///< K
  bool operator==(const ModelConfig&) const = default;
};

/// Refuses what no transformer can be, naming the field: heads that do not divide the width, zero layers, ...
Status validate(const ModelConfig& config);

}  // namespace glassformer
