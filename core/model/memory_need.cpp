#include "core/model/memory_need.h"

#include <algorithm>
#include <cstdio>

#include "core/model/parameters.h"
#include "core/model/pass.h"
#include "core/model/positional/positional_encoding.h"
#include "core/model/transformer.h"

namespace glassformer {

std::string tokenCountWords(int tokens, int source) {
  std::string words = std::to_string(tokens) + " tokens";
  if (source > 0) words += " and " + std::to_string(source) + " of the source";
  return words;
}

Status refuseBeyond(double needed, double available, const std::string& what, const std::string& hint) {
  if (needed <= available) return success();
  return Error{what + "; this machine has " + byteWords(available) + " to spare", "memory", hint};
}

std::string byteWords(double bytes) {
  const bool large = bytes >= 1e9;
  const double number = bytes / (large ? 1e9 : 1e6);
  char text[64];
  std::snprintf(text, sizeof text, number < 10 ? "%.1f %s" : "%.0f %s", number, large ? "GB" : "MB");
  return text;
}

double weightBytes(const ModelConfig& config) {
  double values = 0;
  for (const ParameterSpec& spec : parameterSpecs(config)) {
    double product = 1;
    for (const int extent : spec.extent) product *= extent;
    values += product;
  }
  const bool given = config.positions->isAdded() && !config.positions->learnsTable();
  if (given) values += static_cast<double>(config.context) * config.width;
  return values * sizeof(float);
}

Status checkWeightMemory(const ModelConfig& config, double available) {
  const double needed = weightBytes(config);
  return refuseBeyond(needed, available, "the weights of this model need " + byteWords(needed),
                      "choose smaller sizes");
}

Tape::Bytes passBytes(const ModelConfig& config, int sequences, int tokens, int source) {
  const Transformer model = modelOfShapes(config);
  Tape tape(1, 1, config.isEncoderDecoder() ? 1 : 0);
  Pass pass(tape, model.config(), model.parameters());
  model.forward(pass);
  return tape.bytesFor(sequences, tokens, source);
}

Status checkPassMemory(const ModelConfig& config, int tokens, int source, double limit, double available) {
  const Tape::Bytes pass = passBytes(config, 1, tokens, source);
  const bool drops = dropsSquares(pass, limit);
  const double needed = drops ? pass.tables + pass.squares / config.layers : pass.all();
  const std::string what =
      "room for " + tokenCountWords(tokens, source) + " needs " + byteWords(needed) +
      (drops ? ", without scores and patterns, which are recomputed"
             : ", " + byteWords(pass.squares) + " of them for attention from every token to every other");
  if (needed > limit)
    return Error{what + "; the memory limit is " + byteWords(limit), "memory",
                 "shorten the text or raise the limit"};
  return refuseBeyond(needed, available, what, "shorten the text");
}

Status checkReadMemory(double needed, const std::string& file, double available) {
  if (needed <= available) return success();
  return Error{"takes " + byteWords(needed) + "; this machine has " + byteWords(available) + " to spare",
               file, "every number is held as float32, in 4 bytes"};
}

}  // namespace glassformer
