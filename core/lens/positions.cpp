#include "core/lens/positions.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "core/model/positional/alibi.h"
#include "core/model/positional/sinusoidal.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

Tensor dotProducts(const TensorView& table) {
  const int C = table.extent[0], D = table.extent[1];
  Tensor products({C, C});
  kernels().multiply(
      {C, C, D, table.data, table.stride[0], 1, table.data, 1, table.stride[0], products.values().data(), C});
  return products;
}

Tensor cosines(Tensor products) {
  const int C = products.view().extent[0];
  std::vector<float> norm(static_cast<std::size_t>(C));
  for (int t = 0; t < C; ++t) norm[static_cast<std::size_t>(t)] = std::sqrt(products(t, t));
  for (int t = 0; t < C; ++t)
    for (int u = 0; u < C; ++u) {
      const float both = norm[static_cast<std::size_t>(t)] * norm[static_cast<std::size_t>(u)];
      products(t, u) = both > 0 ? products(t, u) / both : 0;
    }
  return products;
}

Tensor firstRows(const TensorView& table, int rows) {
  TensorView first = table;
  first.extent[0] = rows;
  return {{rows, table.extent[1]}, first.copy()};
}

struct TableWords {
  std::string name, whose;  // "positions.model", "the model's"
};

void addSimilarities(const TableWords& words, const TensorView& table, TensorSet& measurements) {
  Tensor products = dotProducts(table);
  measurements.add({words.name + "_similarity", "CC",
                    "cosine of " + words.whose + " encodings of two positions", "p_t · p_u / (‖p_t‖ ‖p_u‖)"},
                   cosines(products),
                   [table](const Index& at) { return derivedCosine(table[at[0]], table[at[1]]); });
  measurements.add({words.name + "_dot", "CC",
                    "dot product of " + words.whose + " encodings of two positions", "p_t · p_u"},
                   std::move(products),
                   [table](const Index& at) { return derivedDot(table[at[0]], table[at[1]]); });
}

// The sine or cosine that stands in a column, of its angle at that position less whole turns, so that 32 bits
// hold it.
Derivation derivedWave(const SinusoidPairs& hands, int t, int column) {
  const int k = (column - hands.first) / 2;
  const bool isSine = hands.sine(k) == column;
  return {.form = Form::Function,
          .terms = {{nullptr, nullptr,
                     static_cast<float>(std::remainder(hands.angle(t, k), 2 * std::numbers::pi))}},
          .function = isSine ? +[](double angle) { return std::sin(angle); }
                             : +[](double angle) { return std::cos(angle); },
          .functionName = isSine ? "sin" : "cos"};
}

void addDifferences(const TableWords& words, const TensorView& table, int distance, TensorSet& measurements) {
  const int rows = table.extent[0] - distance, D = table.extent[1];
  Tensor difference({rows, D}), norm({rows});
  for (int t = 0; t < rows; ++t) {
    for (int d = 0; d < D; ++d) difference(t, d) = table(t + distance, d) - table(t, d);
    norm(t) = static_cast<float>(std::sqrt(kernels().sumOfSquares(&difference(t, 0), D)));
  }
  const std::string by = std::to_string(distance), step = "p(t + " + by + ") − p(t)";
  measurements.add({words.name + "_difference." + by, "CD",
                    "change of " + words.whose + " encoding in " + by + " positions", step},
                   std::move(difference), [table, distance](const Index& at) {
                     return derivedDifference(&table(at[0] + distance, at[1]), &table(at[0], at[1]));
                   });
  measurements.add(
      {words.name + "_difference_norm." + by, "C",
       "norm of the change of " + words.whose + " encoding in " + by + " positions", "‖" + step + "‖"},
      std::move(norm), [moves = measurements[words.name + "_difference." + by]](const Index& at) {
        return derivedLength(moves[at[0]]);
      });
}

const TableWords ofModel{"positions.model", "the model's"},
    ofSinusoids{"positions.sinusoidal", "the sinusoidal"};

}  // namespace

int measuredPositions(const ModelConfig& config) { return std::min(config.context, 1024); }

void measurePositions(const Transformer& model, TensorSet& measurements) {
  if (const auto used = model.positionTable()) {
    measurements.add({"positions.model", "CD", "the model's position encoding", "p = P[t]"},
                     firstRows(*used, measuredPositions(model.config())), [table = *used](const Index& at) {
                       return Derivation{.terms = {{&table(at[0], at[1])}}};
                     });
    addSimilarities(ofModel, measurements["positions.model"], measurements);
  }
}

void measureSinusoids(const ModelConfig& config, double base, TensorSet& measurements) {
  const SinusoidPairs hands{.width = config.width, .base = base};
  Tensor table = sinusoids(measuredPositions(config), hands);
  char equation[100];
  std::snprintf(equation, sizeof equation, "p[t, 2i] = sin(t / %.7g^(2i/D)), p[t, 2i+1] = cos(...)", base);
  measurements.add({"positions.sinusoidal", "CD", "the sinusoidal position encoding", equation},
                   std::move(table), [hands](const Index& at) { return derivedWave(hands, at[0], at[1]); });
  addSimilarities(ofSinusoids, measurements["positions.sinusoidal"], measurements);
}

void measureAlibiSlopes(const ModelConfig& config, TensorSet& measurements) {
  if (config.positions != &alibiPositions()) return;
  Tensor slopes({config.heads});
  for (int head = 0; head < config.heads; ++head) slopes(head) = alibiSlope(head, config.heads);
  measurements.add({"positions.alibi_slopes", "H", "fall of a head's scores per token of distance",
                    "m = 2^(−8 (h+1) / H)"},
                   std::move(slopes));
}

void measurePositionDifferences(const TensorSet& positions, int distance, TensorSet& measurements) {
  for (const TableWords& words : {ofModel, ofSinusoids})
    if (positions.contains(words.name)) addDifferences(words, positions[words.name], distance, measurements);
}

}  // namespace glassformer
