#include "app/document/steps.h"

#include "core/lens/head_id.h"

namespace glassformer {

namespace {
constexpr const char* scores = "lens.scores";
}

std::vector<Step> stepsOf(const ModelConfig& config) {
  std::vector<Step> steps{{"Token embedding", "hook_embed", -1, false},
                          {"Positions", "hook_pos_embed", -1, false},
                          {"Embedding + positions", "blocks.0.hook_resid_pre", -1, false}};
  for (int layer = 0; layer < config.layers; ++layer) {
    const std::string block = "blocks." + std::to_string(layer) + ".";
    const auto add = [&](const char* title, const char* point, bool perHead = false) {
      steps.push_back({title, block + point, layer, perHead});
    };
    add("Norm", "ln1.hook_normalized");
    add("Queries", "attn.hook_q", true);
    add("Keys", "attn.hook_k", true);
    add("Values", "attn.hook_v", true);
    steps.push_back({"Scores", scores, layer, true});
    add("Mask", "attn.hook_attn_scores", true);
    add("Softmax", "attn.hook_pattern", true);
    add("Weighted values", "attn.hook_z", true);
    add("Attention output", "hook_attn_out");
    add("Add", "hook_resid_mid");
    add("Norm", "ln2.hook_normalized");
    add("Hidden layer", "mlp.hook_post");
    add("MLP", "hook_mlp_out");
    add("Add", "hook_resid_post");
  }
  steps.push_back({"Final norm", "ln_final.hook_normalized", -1, false});
  steps.push_back({"Logits", "logits", -1, false});
  return steps;
}

std::string tensorOf(const Step& step, int head) {
  return step.tensor == scores ? step.tensor + "." + nameOf(HeadId{step.layer, head}) : step.tensor;
}

std::string fullTitle(const Step& step) {
  return step.layer < 0 ? step.title : "Block " + std::to_string(step.layer) + " · " + step.title;
}

}  // namespace glassformer
