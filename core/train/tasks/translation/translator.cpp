#include "core/train/tasks/translation/translator.h"

#include "core/decode/beam_search.h"
#include "core/model/point_names.h"

namespace glassformer {

std::vector<int> Translator::translate(std::span<const int> source, int width) {
  const int end = tokenizer_.endOfText(), context = model().config().context;
  BeamSettings settings{.width = width, .depth = context - 1};
  settings.candidates = width, settings.endOfText = end, settings.context = context;
  const BeamTree tree = beamSearch(nextTokenLogits(pass_, {}, source), std::vector{end}, settings);
  std::vector<int> tokens = tree.best >= 0 ? tree.path(tree.best) : std::vector<int>();
  if (!tokens.empty() && tokens.back() == end) tokens.pop_back();
  return tokens;
}

Tensor Translator::attention(int layer, std::span<const int> source, std::span<const int> tokens) {
  const auto trace = pass_.run(tokens, {}, source);
  const TensorView pattern =
      (*trace)[attentionPoint(layer, AttentionSite::Cross, "hook_pattern")];  // [H, T, S]
  Tensor mean({pattern.extent[1], pattern.extent[2]});
  pattern.forEach([&](const auto& index, float share) {
    mean(index[1], index[2]) += share / static_cast<float>(pattern.extent[0]);
  });
  return mean;
}

std::vector<Tensor> Translator::encoderAttention(std::span<const int> source) {
  const auto trace = pass_.run(std::vector{tokenizer_.endOfText()}, {}, source);
  std::vector<Tensor> layers;
  for (int layer = 0; layer < model().config().encoderBlocks(); ++layer) {
    const TensorView pattern = (*trace)[attentionPoint(layer, AttentionSite::Encoder, "hook_pattern")];
    layers.emplace_back(std::span(pattern.extent).first(3), pattern.copy());
  }
  return layers;
}

}  // namespace glassformer
