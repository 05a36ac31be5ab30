#include "app/document/steps.h"

#include <algorithm>
#include <charconv>

#include "app/document/attention_planes.h"
#include "core/lens/attention_stages.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

// A trace point as a step.
struct PointStep {
  std::string_view part;  // of its name
  StepPart belongsTo;
  const char* title;
  bool perHead = false;
};

constexpr PointStep pointSteps[] = {
    {"hook_embed", StepPart::Embedding, "Token embedding"},
    {"hook_pos_embed", StepPart::Positions, "Positions"},
    {"hook_token_type_embed", StepPart::Types, "Token types"},
    {"embed.ln.hook_normalized", StepPart::Norm, "Embedding norm"},
    {"ln1.hook_normalized", StepPart::Norm, "Norm"},
    {"ln2.hook_normalized", StepPart::Norm, "Norm"},
    {"ln3.hook_normalized", StepPart::Norm, "Norm"},
    {"hook_q", StepPart::Attention, "Queries", true},
    {"hook_k", StepPart::Attention, "Keys", true},
    {"q_norm.hook_normalized", StepPart::Attention, "Normalized queries", true},
    {"k_norm.hook_normalized", StepPart::Attention, "Normalized keys", true},
    {"hook_rot_q", StepPart::Attention, "Rotated queries", true},
    {"hook_rot_k", StepPart::Attention, "Rotated keys", true},
    {"hook_q_features", StepPart::Attention, "Query features", true},
    {"hook_k_features", StepPart::Attention, "Key features", true},
    {"hook_v", StepPart::Attention, "Values", true},
    {"hook_attn_scores", StepPart::Attention, "Scores", true},
    {"hook_unmasked_pattern", StepPart::Attention, "Softmax", true},
    {"hook_pattern", StepPart::Attention, "Softmax", true},
    {"hook_z", StepPart::Attention, "Weighted values", true},
    {"hook_out", StepPart::Attention, "Attention output"},
    {"hook_attn_out", StepPart::Attention, "Attention output"},
    {"hook_cross_attn_out", StepPart::Attention, "Attention output"},
    {"recurrence.hook_input", StepPart::Recurrence, "Input"},
    {"recurrence.hook_carried", StepPart::Recurrence, "Recurrent term"},
    {"recurrence.hook_state", StepPart::Recurrence, "State"},
    {"recurrence.hook_out", StepPart::Recurrence, "Recurrence output"},
    {"hook_recurrence_out", StepPart::Recurrence, "Recurrence output"},
    {"convolution.hook_reduced_pre", StepPart::Convolution, "Bottleneck"},
    {"convolution.hook_reduced", StepPart::Convolution, "ReLU"},
    {"convolution.hook_taps", StepPart::Convolution, "Taps"},
    {"convolution.hook_mixed_pre", StepPart::Convolution, "Sum of taps"},
    {"convolution.hook_mixed", StepPart::Convolution, "ReLU after taps"},
    {"convolution.hook_out", StepPart::Convolution, "Convolution output"},
    {"hook_convolution_out", StepPart::Convolution, "Convolution output"},
    {"hook_resid_mid", StepPart::Add, "Residual add"},
    {"hook_resid_mid_cross", StepPart::Add, "Residual add"},
    {"hook_resid_post", StepPart::Add, "Residual add"},
    {"mlp.hook_pre", StepPart::Mlp, "MLP pre-activation"},
    {"mlp.hook_pre_linear", StepPart::Mlp, "Linear branch"},
    {"mlp.hook_post", StepPart::Mlp, "Activation"},
    {"mlp.hook_out", StepPart::Mlp, "MLP output"},
    {"hook_mlp_out", StepPart::Mlp, "MLP output"},
    {"ln_final.hook_normalized", StepPart::Norm, "Final norm"},
    {"mlm_head.hook_pre", StepPart::Head, "MLM head"},
    {"mlm_head.hook_post", StepPart::Head, "Head activation"},
    {"mlm_head.ln.hook_normalized", StepPart::Norm, "Head norm"},
    {"unembed.hook_in", StepPart::Unembedding, "Scaled stream"},
    {"unembed.hook_out", StepPart::Unembedding, "Logits"},
    {"logits", StepPart::Unembedding, "Logits"},
    {"class_head.hook_pooled", StepPart::Classes, "Mean over tokens"},
    {"class_head.hook_logits", StepPart::Classes, "Classes"},
};

const PointStep* pointStep(std::string part) {
  for (const char* attention : {"attn.", "cross_attn."})
    if (part.starts_with(attention)) part.erase(0, std::string_view(attention).size());
  const auto* found = std::ranges::find(pointSteps, part, &PointStep::part);
  return found == std::end(pointSteps) ? nullptr : found;
}

// Whether hook_attn_scores are what a mask has made of the scores.
bool showsMask(const ModelConfig& config, AttentionSite site) {
  const bool isLinear = config.kernel == AttentionKernel::Linear;
  return isMaskedBefore(config, site) || (isLinear && isMaskedAfter(config, site));
}
// Whether hook_pattern is what a mask has made of shares.
bool showsMaskedShares(const ModelConfig& config, AttentionSite site) {
  return isMaskedAfter(config, site) && config.kernel != AttentionKernel::Linear;
}
bool addsToEmbedding(const ModelConfig& config) {
  return config.positions->isAdded() || config.tokenTypes > 0;
}

const char* sumTitle(const ModelConfig& config) {
  if (config.tokenTypes == 0) return "Embedding + positions";
  return config.positions->isAdded() ? "Sum of embeddings" : "Embedding + types";
}

// Whether it is what a norm behind a sublayer hands on.
bool isNormBehind(const PointStep& step, const ModelConfig& config) {
  const std::string_view part = step.part;
  return config.hasSandwichNorm() && part.starts_with("hook_") && part.ends_with("_out") &&
         part != "hook_out";
}

// How it is called in this model.
std::string titleOf(const PointStep& step, const ModelConfig& config, AttentionSite site) {
  const std::string_view part = step.part;
  if (isNormBehind(step, config)) return "Post-sublayer norm";
  if (part == "logits" && config.logitCap > 0) return "Soft-capped logits";
  if (part == "hook_attn_scores" && showsMask(config, site)) return "Mask";
  if (part == "hook_attn_scores" && hasCap(config, site)) return "Soft-capped scores";
  if (part == "hook_pattern" && showsMaskedShares(config, site)) return "Renormalize";
  const bool isPattern = part == "hook_pattern" || part == "hook_unmasked_pattern";
  if (isPattern && config.kernel == AttentionKernel::HardArgmax) return "Hard attention";
  if (part == "hook_pattern" && config.kernel == AttentionKernel::Linear) return "Attention weights";
  if (part == "hook_pattern" && config.kernel == AttentionKernel::Distance && config.zeroPadded &&
      site != AttentionSite::Cross)
    return "Distance kernel";
  if (step.belongsTo == StepPart::Add && config.parallel && config.hasFeedForward()) return "Parallel add";
  if (step.belongsTo == StepPart::Add && !config.residual) return "No residual";
  if (part == "mlp.hook_pre" && config.hasGatedMlp()) return "Gate";
  return step.title;
}

// The steps that the recorded points are, and those between them that are measured.
class RecordedSteps {
 public:
  explicit RecordedSteps(const Transformer& model) : config_(model.config()), measures_(model.hasWeights()) {
    for (const std::string& point : model.points()) add(point);
  }

  std::vector<Step> steps;

 private:
  void add(const std::string& point) {
    place_ = placeOfPoint(point);
    site_ = place_.stack.empty() ? ownSite(config_) : place_.site();
    const PointStep* step = pointStep(place_.part);
    if (place_.part == "hook_resid_pre" && place_.layer == 0 && !config_.normsEmbedding()) addSum(point);
    if (place_.part == "hook_embed_sum") return addSum(point);
    if (!step) return;
    addMeasuredBefore(step->part);
    steps.push_back({titleOf(*step, config_, site_), point, place_.layer, step->perHead,
                     isNormBehind(*step, config_) ? StepPart::Norm : step->belongsTo, site_});
    if (step->part == std::string_view("hook_z") && !config_.headsOutputFullWidth())
      addMeasured("Concatenated heads", stages::heads, false);
  }

  // What all embeddings add up to, where there are several.
  void addSum(const std::string& point) {
    if (addsToEmbedding(config_))
      steps.push_back({sumTitle(config_), point, -1, false, StepPart::Start, site_});
  }

  void addMeasured(const char* title, const char* stage, bool perHead = true) {
    if (!measures_) return;
    steps.push_back({title, stage, place_.layer, perHead, StepPart::Attention, site_});
  }

  // From the products to the scores, which a mask writes over; and the shares that a mask leaves, before they
  // are divided by their sum.
  void addMeasuredBefore(std::string_view part) {
    if (part == "hook_pattern" && showsMaskedShares(config_, site_))
      addMeasured("Zeroed weights", stages::zeroed);
    if (part != "hook_attn_scores") return;
    const bool isScaled = hasProducts(config_, site_) && config_.scalesScores(),
               isShifted = hasPositionBias(config_, site_), isCapped = hasCap(config_, site_);
    if (hasProducts(config_, site_) && (isScaled || isShifted || isCapped))
      addMeasured("Query · key", stages::products);
    if (isScaled && isShifted) addMeasured("Scaled scores", stages::scaled);
    if (isCapped) addMeasured("Scores", stages::uncapped);
    if (showsMask(config_, site_)) addMeasured(isCapped ? "Soft-capped scores" : "Scores", stages::scores);
  }

  const ModelConfig& config_;
  bool measures_;  // what the pass does not keep; not where there are no weights
  PointPlace place_;
  AttentionSite site_ = AttentionSite::Self;
};

}  // namespace

std::vector<Step> stepsOf(const Transformer& model) {
  std::vector<Step> steps = RecordedSteps(model).steps;
  if (steps.empty())  // of a trace from elsewhere, which has too little
    steps.push_back(
        {model.points().front(), model.points().front(), placeOfPoint(model.points().front()).layer});
  return steps;
}

std::string nameOf(const Step& step) {
  const std::string stage = step.tensor.substr(step.tensor.find('.') + 1);
  return isMeasured(step) ? attentionPoint(step.layer, step.site, stage) : step.tensor;
}

int placeOf(const std::string& name, const std::vector<Step>& steps) {
  const auto last = static_cast<int>(steps.size()) - 1;
  const auto called = std::ranges::find(steps, name, [](const Step& step) { return nameOf(step); });
  if (called != steps.end()) return static_cast<int>(called - steps.begin());
  int place = 0;
  std::from_chars(name.data(), name.data() + name.size(), place);
  return std::clamp(place, 0, last);
}

const Step& stepCalled(const std::string& name, const std::vector<Step>& steps) {
  return steps[static_cast<std::size_t>(placeOf(name, steps))];
}

bool isMeasured(const Step& step) { return step.tensor.starts_with("lens."); }

std::string tensorOf(const Step& step, int head) {
  return isMeasured(step) ? step.tensor + "." + nameOf(HeadId{step.layer, head, step.site}) : step.tensor;
}

std::string fullTitle(const Step& step) {
  if (step.layer >= 0) return blockName(step.layer, step.site) + " · " + step.title;
  const bool isHead = step.part == StepPart::Head || step.tensor.starts_with("mlm_head.");
  if (step.site == AttentionSite::Self || step.part == StepPart::Unembedding ||
      step.part == StepPart::Classes || isHead)
    return step.title;
  return (step.site == AttentionSite::Encoder ? "Source · " : "Target · ") + step.title;
}

}  // namespace glassformer
