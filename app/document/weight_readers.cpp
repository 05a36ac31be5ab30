#include "app/document/weight_readers.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/model/point_names.h"

namespace glassformer {
namespace {

// Weights whose names go on so, in their block or their stack, and the points that are computed with them, of
// which the first that there is stands for all.
struct WeightReader {
  std::string_view begins;
  std::vector<const char*> parts;
};
const std::vector<WeightReader>& readersInBlocks() {
  static const std::vector<WeightReader> all{
      {"ln_1_post.", {"hook_attn_out", "hook_recurrence_out", "hook_convolution_out"}},
      {"ln_1.", {"ln1.hook_normalized"}},
      {"ln_cross_attn_post.", {"hook_cross_attn_out"}},
      {"ln_cross_attn.", {"ln2.hook_normalized"}},
      {"ln_2_post.", {"hook_mlp_out"}},
      {"ln_2.", {"ln3.hook_normalized", "ln2.hook_normalized", "ln1.hook_normalized"}},
      {"attn.", {"attn.hook_q", "attn.hook_v", "attn.hook_pattern"}},
      {"crossattention.", {"cross_attn.hook_q"}},
      {"recurrence.", {"recurrence.hook_input"}},
      {"convolution.", {"convolution.hook_taps", "convolution.hook_mixed_pre"}},
      {"mlp.", {"mlp.hook_pre"}}};
  return all;
}
const std::vector<WeightReader>& readersOfStacks() {
  static const std::vector<WeightReader> all{{"wte.", {"hook_embed"}},
                                             {"wpe.", {"hook_pos_embed"}},
                                             {"wtt.", {"hook_token_type_embed"}},
                                             {"ln_embed.", {"embed.ln.hook_normalized"}},
                                             {"ln_f.", {"ln_final.hook_normalized"}}};
  return all;
}
// What is behind all stacks, and has one name in every model.
const std::vector<WeightReader>& readersAtTheEnd() {
  static const std::vector<WeightReader> all{{"head.c_fc.", {"mlm_head.hook_pre"}},
                                             {"head.ln_head.", {"mlm_head.ln.hook_normalized"}},
                                             {"lm_head.", {"logits"}},
                                             {"score.", {"class_head.hook_logits"}}};
  return all;
}

}  // namespace

std::vector<std::string> pointsReading(const Transformer& model, const std::string& weight) {
  const ModelConfig& config = model.config();
  constexpr std::string_view ofEncoder = "encoder.", ofBlock = "h.";
  const Stream stream = weight.starts_with(ofEncoder) ? Stream::Source : Stream::Text;
  std::string_view name = weight;
  if (stream == Stream::Source) name.remove_prefix(ofEncoder.size());
  int layer = -1;
  if (name.starts_with(ofBlock)) {
    name.remove_prefix(ofBlock.size());
    const auto number = std::from_chars(name.data(), name.data() + name.size(), layer);
    name.remove_prefix(static_cast<std::size_t>(number.ptr - name.data()) + 1);  // and its dot
  }
  std::vector<std::string> points;
  const auto addFirst = [&](const std::vector<WeightReader>& readers, const auto& pointOf) {
    const auto reader =
        std::ranges::find_if(readers, [&](const auto& each) { return name.starts_with(each.begins); });
    if (reader == readers.end()) return;
    for (const char* part : reader->parts)
      if (std::string point = pointOf(part); std::ranges::find(model.points(), point) != model.points().end())
        return points.push_back(std::move(point));
  };
  const auto inStack = [&](Stream of) {
    return [&config, of](const char* part) { return stackPoint(config, part, of); };
  };
  if (layer >= 0)
    addFirst(readersInBlocks(), [&](const char* part) { return blockPoint(config, layer, part, stream); });
  else
    addFirst(readersOfStacks(), inStack(stream));
  addFirst(readersAtTheEnd(), [](const char* part) { return std::string(part); });
  if (name != "wte.weight") return points;
  if (config.isEncoderDecoder()) addFirst(readersOfStacks(), inStack(Stream::Source));
  if (config.tiedUnembedding) points.emplace_back("logits");
  return points;
}

}  // namespace glassformer
