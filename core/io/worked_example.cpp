#include "core/io/worked_example.h"

#include <algorithm>
#include <array>

#include "core/model/positional/none.h"
#include "core/text/words.h"

namespace glassformer {

namespace {

constexpr int headWidth = 64;                  // K, so that √K is 8
constexpr std::array keyOnes{13, 24, 20, 12};  // how many numbers of each word's key are 1
constexpr const char* words[] = {"We", "wash", "our", "cats"};
constexpr int wordCount = static_cast<int>(std::size(words));

ModelConfig workedConfig() {
  ModelConfig config;
  config.layers = 1, config.heads = 1, config.width = headWidth, config.feedForward = headWidth;
  config.vocabulary = wordCount + 1, config.context = 16;
  config.positions = &noPositions();
  config.activation = Activation::None;
  config.residual = false, config.normPlacement = NormPlacement::None, config.finalNorm = false;
  config.mask.kind = MaskKind::None;
  config.tiedUnembedding = false;
  return config;
}

// What each word asks for: "We" adds up all of a key, so that a score is the number of its ones; the others
// each count otherwise.
float queryNumber(int word, int k) {
  switch (word) {
    case 0:
      return 1;
    case 1:
      return k < 16 ? 1 : -1;
    case 2:
      return k < 8 ? 0 : 1;
    default:
      return k < 12 ? 2 : 0;
  }
}

}  // namespace

ModelDirectory workedExample() {
  const ModelConfig config = workedConfig();
  Parameters weights(parameterSpecs(config));
  const auto set = [&](const char* name, int row, int column, float value) {
    const int i = weights.find(name);
    const auto at = static_cast<std::size_t>(row * weights.view(i).extent[1] + column);
    weights.values()[weights.offset(i) + at] = value;
  };
  constexpr const char *fused = "h.0.attn.c_attn.weight", *output = "h.0.attn.c_proj.weight";
  for (int word = 0; word < wordCount; ++word) {
    const int id = word + 1;             // 0 is <unk>
    set("wte.weight", id, word, 1);      // a word is a 1 at its own place,
    set("lm_head.weight", id, word, 8);  // and is said the more, the more of it was read out
    for (int k = 0; k < headWidth; ++k) {
      set(fused, word, k, queryNumber(word, k));
      set(fused, word, headWidth + k, k < keyOnes[static_cast<std::size_t>(word)] ? 1.0f : 0.0f);
    }
    set(fused, word, 2 * headWidth + word, 1);  // the value of a word is the word
  }
  for (int d = 0; d < headWidth; ++d) set(output, d, d, 1);
  std::vector<std::string> tokens{std::string(Tokenizer::unknownName)};
  tokens.insert(tokens.end(), std::begin(words), std::end(words));
  return {workedExampleName, config, std::move(weights),
          std::make_shared<const Words>(*Words::create(std::move(tokens))),
          "# worked\n\nThe example that lectures work out by hand: *We wash our cats*, with *We* as the "
          "query.\n\nThe weights are set by hand (`core/io/worked_example.cpp`, written by `glassformer "
          "models --worked FOLDER`): one attention of one head, K = 64, without mask, positions, norms, MLP "
          "and residual connection.\n\nA word is a one-hot vector, and so is its value. The query of *We* is "
          "all ones, and a key has as many ones as its score.\n\n| | We | wash | our | cats "
          "|\n|---|---|---|---|---|\n| q · kᵀ | 13 | 24 | 20 | 12 |\n| / √64 | 1.625 | 3 | 2.5 | 1.5 |\n| "
          "softmax | 0.1214 | 0.4802 | 0.2913 | 0.1071 |\n\nThe lecture prints 0.10 for the last one; 0.1071 "
          "rounds to 0.11, and the printed row sums to 0.99. Without / √64 the softmax is 0.000, 0.982, "
          "0.018, 0.000.\n\nThe query of *our* ignores the first eight numbers of every key: each of its "
          "scores is 1 less, and its row of the softmax is the same. *cats* matches all keys equally, and "
          "outputs their mean.\n\nSince values are the words themselves, the output of *We* is its row of "
          "the pattern; the unembedding multiplies it by 8.\n"};
}

}  // namespace glassformer
