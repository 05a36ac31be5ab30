#include "core/lens/equation_words.h"

#include "core/shortest_text.h"

namespace glassformer {
namespace {

bool normsAtTheEnd(const ModelConfig& config) { return config.hasNorms() && config.finalNorm; }

std::string unembedded(const ModelConfig& config, const std::string& x) {
  return x + (config.scaledUnembedding ? " / √D" : "") + " · W_U";
}

}  // namespace

std::string scaledWords(const ModelConfig& config, int layer) {
  std::string words;
  if (config.scaledScores)
    words = config.scoreWidth > 0 && config.scoreWidth != config.headWidth()
                ? " / √" + std::to_string(config.scoreWidth)
                : " / √K";
  return config.scoresByLayer ? words + " / " + std::to_string(layer + 1) : words;
}

std::string normWords(const ModelConfig& config, const std::string& x) {
  return config.norm == NormKind::Layer ? "γ ⊙ (" + x + " − mean(" + x + ")) / σ" : "γ ⊙ " + x + " / rms";
}

std::string throughNormsWords(const ModelConfig& config, const std::string& x, int norms) {
  return norms == 0 ? x : norms == 1 ? normWords(config, x) : "norms(" + x + ")";
}

std::string severalNormsWords(const ModelConfig& config, int norms) {
  return norms > 1 ? ", each norm being " + normWords(config, "x") : "";
}

std::string readByBlocks(const ModelConfig& config, const std::string& x) {
  const bool readsNormed = config.normalizesInputs() || config.normPlacement == NormPlacement::Residual;
  if (readsNormed && config.normsEmbedding())
    return normWords(config, x + "_0") + ", " + x + "_0 = " + normWords(config, x);
  return readsNormed || config.normsEmbedding() ? normWords(config, x) : x;
}

std::string logitWords(const ModelConfig& config, const std::string& x) {
  std::string words = normsAtTheEnd(config) ? "norm(" + x + ")" : x;
  if (config.headTransform) {
    words = "f(" + words + " · W + b)";
    if (config.hasNorms()) words = "norm(" + words + ")";
  }
  words = unembedded(config, words) + (config.unembeddingBias ? " + b_U" : "");
  if (config.logitCap <= 0) return words;
  const std::string c = shortestText(config.logitCap);
  return c + " tanh((" + words + ") / " + c + ")";
}

std::string logitShareWords(const ModelConfig& config, const std::string& x) {
  return unembedded(config, normsAtTheEnd(config) ? normWords(config, x) : x);
}

}  // namespace glassformer
