#include "core/io/formats/gguf_names.h"

namespace glassformer {
namespace {

// In a head the pairs of llama.cpp stand side by side; ours are column i of either half.
int rowOfLlama(const ModelConfig& config, int piece, int j) {
  if (piece > 1) return j;  // values are not turned
  const int K = config.headWidth(), half = K / 2, head = j / K, k = j % K;
  return head * K + 2 * (k % half) + k / half;
}

std::vector<StoredNames> blockNames(const ModelConfig& config, bool fused, bool oneNorm) {
  const bool post = config.normPlacement == NormPlacement::Post;
  const char* const beforeMlp = oneNorm ? "attn_norm" : post ? "layer_output_norm" : "ffn_norm";
  const bool gated = config.hasGatedMlp();
  using Names = std::vector<std::string>;
  return {{"ln_1", {post ? "attn_output_norm" : "attn_norm"}},
          {"ln_1_post", {"post_attention_norm"}},
          {"ln_2_post", {"post_ffw_norm"}},
          {"ln_2", {beforeMlp}},
          {"attn.c_attn", fused ? Names{"attn_qkv"} : Names{"attn_q", "attn_k", "attn_v"}},
          {"attn.q_norm", {"attn_q_norm"}},
          {"attn.k_norm", {"attn_k_norm"}},
          {"attn.c_proj", {"attn_output"}},
          {"mlp.c_fc", gated ? Names{"ffn_gate", "ffn_up"} : Names{"ffn_up"}},
          {"mlp.c_proj", {"ffn_down"}}};
}

}  // namespace

ModelFormat ggufNames(const ModelFormat& family, const ModelConfig& config, const StoredModel& stored) {
  const bool fused = stored.find("blk.0.attn_qkv.weight").tensor;
  // Of parallel sublayers both may read one norm, as Phi's do.
  const bool oneNorm = config.parallel && !stored.find("blk.0.ffn_norm.weight").tensor;
  ModelFormat names;
  names.name = family.name;
  names.layers = "blk.";
  names.inBlock = blockNames(config, fused, oneNorm);
  names.outside = {{"wte", {"token_embd"}},           {"wpe", {"position_embd"}}, {"wtt", {"token_types"}},
                   {"ln_embed", {"token_embd_norm"}}, {"ln_f", {"output_norm"}},  {"lm_head", {"output"}}};
  if (stored.architecture() == "llama") names.attentionRow = rowOfLlama;
  return names;
}

}  // namespace glassformer
