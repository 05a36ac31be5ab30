#include "app/document/steps.h"

#include <algorithm>
#include <charconv>

#include "app/document/attention_planes.h"
#include "core/lens/attention_stages.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

const char* patternTitle(const ModelConfig& config) {
  if (config.kernel == AttentionKernel::HardArgmax) return "Largest score";
  return config.kernel == AttentionKernel::Linear ? "Shares" : "Softmax";
}

// The steps of one stack, in order.
class StackSteps {
 public:
  StackSteps(const ModelConfig& config, AttentionSite own, std::vector<Step>& steps)
      : config_(config), own_(own), steps_(steps) {}

  void addAll() {
    addOutside("Token embedding", "hook_embed", StepPart::Embedding);
    if (config_.positions->isAdded()) addOutside("Positions", "hook_pos_embed", StepPart::Positions);
    if (config_.tokenTypes > 0) addOutside("Token types", "hook_token_type_embed", StepPart::Types);
    if (config_.positions->isAdded() || config_.tokenTypes > 0) addStart();
    if (config_.normsEmbedding()) addOutside("Embedding norm", "embed.ln.hook_normalized", StepPart::Norm);
    for (layer_ = 0; layer_ < config_.layers; ++layer_) addBlock();
    if (config_.finalNorm && config_.hasNorms())
      addOutside("Final norm", "ln_final.hook_normalized", StepPart::Norm);
  }

 private:
  Stream stream() const { return queriesOf(own_); }
  void addOutside(const char* title, const char* point, StepPart part) {
    steps_.push_back({title, stackPoint(config_, point, stream()), -1, false, part, own_});
  }
  // What all of these add up to: as the first block finds it, or its norm.
  void addStart() {
    const bool normed = config_.normsEmbedding();
    const char* title = config_.tokenTypes == 0        ? "Embedding + positions"
                        : config_.positions->isAdded() ? "Sum of embeddings"
                                                       : "Embedding + types";
    steps_.push_back({title,
                      normed ? stackPoint(config_, "hook_embed_sum", stream())
                             : blockPoint(config_, 0, "hook_resid_pre", stream()),
                      -1, false, StepPart::Start, own_});
  }
  void add(StepPart part, const char* title, const std::string& point) {
    steps_.push_back({title, blockPoint(config_, layer_, point, stream()), layer_, false, part, own_});
  }

  void addBlock() {
    const bool crosses = config_.reads() && own_ != AttentionSite::Encoder, fed = config_.hasFeedForward();
    int norm = 0;
    const auto sublayer = [&](const char* sum, auto addLayer) {
      const std::string normalized = "ln" + std::to_string(++norm) + ".hook_normalized";
      const bool before =
          config_.normPlacement == NormPlacement::Pre || config_.normPlacement == NormPlacement::Residual;
      if (before) add(StepPart::Norm, "Norm", normalized);
      addLayer();
      add(StepPart::Add, config_.residual ? "Add" : "Replace", sum);
      if (config_.normPlacement == NormPlacement::Post) add(StepPart::Norm, "Norm", normalized);
    };
    if (config_.parallel) return addParallel(fed);
    sublayer(crosses || fed ? "hook_resid_mid" : "hook_resid_post", [&] { addMixing(); });
    if (crosses)
      sublayer(fed ? "hook_resid_mid_cross" : "hook_resid_post",
               [&] { addAttention(AttentionSite::Across); });
    if (fed) sublayer("hook_resid_post", [&] { addFeedForward(); });
  }

  void addParallel(bool fed) {
    if (config_.hasNorms()) add(StepPart::Norm, "Norm", "ln1.hook_normalized");
    addMixing();
    if (fed && config_.hasNorms()) add(StepPart::Norm, "Norm", "ln2.hook_normalized");
    if (fed) addFeedForward();
    add(StepPart::Add, fed ? "Add both" : "Add", "hook_resid_post");
  }

  void addMixing() {
    switch (config_.mixing) {
      case Mixing::Attention:
        return addAttention(own_);
      case Mixing::Recurrence:
        add(StepPart::Recurrence, "Input", "recurrence.hook_input");
        add(StepPart::Recurrence, "Carried on", "recurrence.hook_carried");
        add(StepPart::Recurrence, "State", "recurrence.hook_state");
        return add(StepPart::Recurrence, "Recurrence output", mixedOut(config_.mixing));
      case Mixing::Convolution:
        add(StepPart::Convolution, "Taps", "convolution.hook_taps");
        return add(StepPart::Convolution, "Convolution output", mixedOut(config_.mixing));
    }
  }

  void addAttention(AttentionSite site) {
    const auto add = [&](const char* title, const char* point, bool perHead = true) {
      const std::string tensor =
          perHead ? attentionPoint(layer_, site, point) : attentionOutPoint(layer_, site);
      steps_.push_back({title, tensor, layer_, perHead, StepPart::Attention, site});
    };
    const bool across = site == AttentionSite::Across;
    if (across || config_.kernel != AttentionKernel::Distance)
      add("Queries", "hook_q"), add("Keys", "hook_k");
    if (!across && hasNormedQueries(config_))
      add("Queries, normed", "q_norm.hook_normalized"), add("Keys, normed", "k_norm.hook_normalized");
    if (!across && config_.kernel != AttentionKernel::Distance && config_.positions->rotates())
      add("Queries, turned", "hook_rot_q"), add("Keys, turned", "hook_rot_k");
    add("Values", "hook_v");
    addScores(site);
    if (isMaskedAfter(config_, site) && hasSoftmax(config_)) {
      addMeasured("Softmax", stages::unmasked, site);
      add("Mask and renormalize", "hook_pattern");
    } else {
      add(patternTitle(config_), "hook_pattern");
    }
    add("Weighted values", "hook_z");
    if (config_.readout != Readout::OneMatrix) addMeasured("Heads side by side", stages::heads, site, false);
    add("Attention output", "", false);
  }

  void addMeasured(const char* title, const char* stage, AttentionSite site, bool perHead = true) {
    steps_.push_back({title, stage, layer_, perHead, StepPart::Attention, site});
  }

  // From the products to what becomes shares; the last one of these is the scores.
  void addScores(AttentionSite site) {
    const bool isScaled = hasProducts(config_, site) && config_.scaledScores,
               isShifted = hasPositionBias(config_, site);
    if (isScaled || isShifted) addMeasured("Query · key", stages::products, site);
    if (isScaled && isShifted) addMeasured("Scaled", stages::scaled, site);
    const bool isLinear = config_.kernel == AttentionKernel::Linear;
    if (isMaskedBefore(config_, site) || (isLinear && isMaskedAfter(config_, site))) {
      addMeasured("Scores", stages::scores, site);
      steps_.push_back({"Mask", attentionPoint(layer_, site, "hook_attn_scores"), layer_, true,
                        StepPart::Attention, site});
    } else {
      steps_.push_back({"Scores", attentionPoint(layer_, site, "hook_attn_scores"), layer_, true,
                        StepPart::Attention, site});
    }
  }

  void addFeedForward() {
    if (config_.activation == Activation::SwiGlu) {
      add(StepPart::Mlp, "Gates", "mlp.hook_pre");
      add(StepPart::Mlp, "Linear half", "mlp.hook_pre_linear");
    } else {
      add(StepPart::Mlp, "MLP in", "mlp.hook_pre");
    }
    add(StepPart::Mlp, "Activation", "mlp.hook_post");
    add(StepPart::Mlp, "MLP out", "hook_mlp_out");
  }

  const ModelConfig& config_;
  AttentionSite own_;
  std::vector<Step>& steps_;
  int layer_ = 0;
};

}  // namespace

std::vector<Step> stepsOf(const ModelConfig& config) {
  std::vector<Step> steps;
  if (config.reads()) StackSteps(config, AttentionSite::Encoder, steps).addAll();
  StackSteps(config, ownSite(config), steps).addAll();
  const auto addBehind = [&](const char* title, const char* tensor, StepPart part) {
    steps.push_back({title, tensor, -1, false, part, ownSite(config)});
  };
  if (config.headTransform) {
    addBehind("Head layer", "mlm_head.hook_pre", StepPart::Head);
    addBehind("Head activation", "mlm_head.hook_post", StepPart::Head);
    if (config.hasNorms()) addBehind("Head norm", "mlm_head.ln.hook_normalized", StepPart::Norm);
  }
  addBehind("Logits", "logits", StepPart::Unembedding);
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
  if (step.site == AttentionSite::Only || step.part == StepPart::Unembedding || isHead) return step.title;
  return (step.site == AttentionSite::Encoder ? "Source · " : "Target · ") + step.title;
}

}  // namespace glassformer
