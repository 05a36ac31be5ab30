#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/model/choices.h"
#include "core/model/positional/bucketed.h"

namespace glassformer {
namespace {

bool attends(const ModelConfig& config) { return config.hasAttention(); }

template <typename Field>
ConfigNumber number(Field ModelConfig::*field, ConfigNumber made) {
  made.get = [field](const ModelConfig& config) { return static_cast<double>(config.*field); };
  made.set = [field](ModelConfig& config, double value) { config.*field = static_cast<Field>(value); };
  return made;
}

ConfigNumber maskSize() {
  ConfigNumber made{"mask_size", "Window size", "", "Number of tokens of the prefix or the sliding window.",
                    0};
  made.optional = true;
  made.section = ConfigSection::Attention;
  made.get = [](const ModelConfig& config) { return static_cast<double>(config.mask.size); };
  made.set = [](ModelConfig& config, double value) { config.mask.size = static_cast<int>(value); };
  made.matters = [](const ModelConfig& config) {
    return attends(config) && (config.mask.kind == MaskKind::Prefix || config.mask.kind == MaskKind::Window);
  };
  return made;
}

ConfigNumber tokenTypes() {
  ConfigNumber made =
      number(&ModelConfig::tokenTypes, {"type_vocab_size", "Token types", "Z",
                                        "Segments distinguished by a learned vector; 0: none.", 0, 4096});
  made.optional = true;
  made.section = ConfigSection::Ends;
  made.matters = [](const ModelConfig& config) { return !config.isEncoderDecoder(); };
  return made;
}

ConfigNumber separator() {
  ConfigNumber made =
      number(&ModelConfig::separator, {"sep_token_id", "Separator token", "",
                                       "Token after which the next segment begins; -1: one segment.", -1});
  made.optional = true;
  made.section = ConfigSection::Ends;
  made.matters = [](const ModelConfig& config) { return config.tokenTypes > 1; };
  return made;
}

ConfigNumber classes() {
  ConfigNumber made =
      number(&ModelConfig::classes,
             {"num_labels", "Labels", "", "Number of classes of the classification head; 0: no head.", 0});
  made.optional = true;
  made.section = ConfigSection::Ends;
  return made;
}

ConfigNumber firstClass() {
  ConfigNumber made = number(&ModelConfig::firstClass,
                             {"first_label_token", "First label token", "",
                              "Token that names the first class; the next ids name the others.", 0});
  made.optional = true;
  made.section = ConfigSection::Ends;
  made.matters = [](const ModelConfig& config) { return config.hasClassHead(); };
  return made;
}

// A token with a place in texts that stand beside a source.
ConfigNumber besideSource(int ModelConfig::*field, const char* id, const char* name, const char* meaning) {
  ConfigNumber made = number(field, {id, name, "", meaning, -1});
  made.optional = true;
  made.section = ConfigSection::Ends;
  made.matters = [](const ModelConfig& config) { return config.isEncoderDecoder(); };
  return made;
}

ConfigNumber encoderLayers() {
  ConfigNumber made =
      number(&ModelConfig::encoderLayers, {"encoder_layers", "Encoder layers", "",
                                           "Blocks of the encoder; 0: as many as the decoder has.", 0, 4096});
  made.optional = true;
  made.matters = [](const ModelConfig& config) { return config.isEncoderDecoder(); };
  return made;
}

ConfigNumber longer() {
  ConfigNumber made;
  made.id = "rope_attention_factor", made.name = "Attention factor", made.least = 0, made.most = 100;
  made.meaning = "Scale of rotated queries and keys; 0: 0.1 ln s + 1 for factor s.";
  made.optional = true, made.whole = false;
  made.section = ConfigSection::Positions;
  made.get = [](const ModelConfig& config) {
    return static_cast<double>(config.rotaryScaling.attentionFactor);
  };
  made.set = [](ModelConfig& config, double value) {
    config.rotaryScaling.attentionFactor = static_cast<float>(value);
  };
  made.matters = [](const ModelConfig& config) {
    return attends(config) && config.positions->rotates() &&
           config.rotaryScaling.slowing == RopeScaling::Yarn;
  };
  return made;
}

ConfigNumber kernelWidth() {
  ConfigNumber made =
      number(&ModelConfig::kernelWidth, {"kernel_width", "Kernel size", "J", "Taps of the convolution."});
  made.optional = true;
  made.section = ConfigSection::Block;
  made.matters = [](const ModelConfig& config) { return config.hasConvolution(); };
  return made;
}

ConfigNumber feedForwardWidth() {
  ConfigNumber made =
      number(&ModelConfig::feedForward, {"n_inner", "MLP dim", "F", "Neurons of the MLP (d_ff)."});
  made.optional = true;
  made.matters = [](const ModelConfig& config) { return config.hasFeedForward(); };
  return made;
}

// One of the numbers by which rotary positions turn more slowly.
template <typename Field>
ConfigNumber scaling(Field RotaryScaling::*field, bool byWavelength, ConfigNumber made) {
  made.optional = true;
  made.whole = std::is_integral_v<Field>;
  made.section = ConfigSection::Positions;
  made.get = [field](const ModelConfig& config) { return static_cast<double>(config.rotaryScaling.*field); };
  made.set = [field](ModelConfig& config, double value) {
    config.rotaryScaling.*field = static_cast<Field>(value);
  };
  made.matters = [byWavelength](const ModelConfig& config) {
    const RopeScaling slowing = config.rotaryScaling.slowing;
    return attends(config) && config.positions->rotates() && slowing != RopeScaling::None &&
           (!byWavelength || slowing != RopeScaling::Linear);
  };
  return made;
}

bool compares(const ModelConfig& config) {
  return attends(config) && config.kernel != AttentionKernel::Distance &&
         config.kernel != AttentionKernel::Linear;
}

ConfigNumber scoreWidth() {
  ConfigNumber made = number(
      &ModelConfig::scoreWidth,
      {"query_pre_attn_scalar", "Query scale", "", "Scores are divided by the root of this; 0: by √K.", 0});
  made.optional = true;
  made.section = ConfigSection::Attention;
  made.matters = [](const ModelConfig& config) { return compares(config) && config.scaledScores; };
  return made;
}

// The c of c tanh(x / c).
ConfigNumber cap(float ModelConfig::*field, ConfigSection section, ConfigNumber made) {
  made = number(field, std::move(made));
  made.optional = true, made.whole = false;
  made.section = section;
  return made;
}

ConfigNumber scoreCap() {
  ConfigNumber made = cap(&ModelConfig::scoreCap, ConfigSection::Attention,
                          {"attn_logit_softcapping", "Score soft-cap", "",
                           "c of c tanh(s / c), the largest score (Gemma 2); 0: no cap.", 0, 1e6});
  made.matters = [](const ModelConfig& config) {
    return attends(config) && config.kernel != AttentionKernel::Linear;
  };
  return made;
}

ConfigNumber logitCap() {
  return cap(&ModelConfig::logitCap, ConfigSection::Ends,
             {"final_logit_softcapping", "Logit soft-cap", "",
              "c of c tanh(u / c), the largest logit (Gemma 2); 0: no cap.", 0, 1e6});
}

bool hasWindow(const ModelConfig& config) { return attends(config) && config.mask.kind == MaskKind::Window; }

// n where of every n blocks the last sees all; -1 where they stand in another order.
int fullEveryOf(const ModelConfig& config) {
  const std::vector<bool>& full = config.fullBlocks;
  if (full.empty()) return 0;
  const bool isLast = full.back() && std::ranges::count(full, true) == 1;
  return isLast ? static_cast<int>(full.size()) : -1;
}

ConfigNumber fullAttentionEvery() {
  ConfigNumber made{"full_attention_every",
                    "Full attention every",
                    "",
                    "Every n-th block has full attention instead of the window; 0: no block; -1: the "
                    "order of the file.",
                    -1,
                    4096};
  made.get = [](const ModelConfig& config) { return static_cast<double>(fullEveryOf(config)); };
  made.set = [](ModelConfig& config, double value) {
    if (value < 0) return;
    config.fullBlocks.assign(static_cast<std::size_t>(value), false);
    if (value > 0) config.fullBlocks.back() = true;
  };
  made.optional = true;
  made.section = ConfigSection::Attention;
  made.matters = hasWindow;
  return made;
}

ConfigNumber localBase() {
  ConfigNumber made = number(&ModelConfig::localBase,
                             {"rope_local_base_freq", "Local RoPE base", "",
                              "RoPE base in blocks with a sliding window; 0: as in the others.", 0, 1e7});
  made.optional = true, made.whole = false;
  made.section = ConfigSection::Positions;
  made.matters = [](const ModelConfig& config) { return hasWindow(config) && config.positions->rotates(); };
  return made;
}

ConfigNumber rotaryDim() {
  ConfigNumber made =
      number(&ModelConfig::rotaryDim,
             {"rotary_dim", "Rotary dim", "", "Dimensions of each head that RoPE rotates; 0: all.", 0});
  made.optional = true;
  made.section = ConfigSection::Positions;
  made.matters = [](const ModelConfig& config) { return attends(config) && config.positions->rotates(); };
  return made;
}

ConfigNumber distanceBuckets() {
  ConfigNumber made =
      number(&ModelConfig::distanceBuckets,
             {"relative_attention_num_buckets", "Distance buckets", "",
              "Number of distance buckets; each has a learned bias per head.", leastBuckets, mostBuckets});
  made.optional = true;
  made.section = ConfigSection::Positions;
  made.matters = [](const ModelConfig& config) {
    return attends(config) && config.positions == &bucketedPositions();
  };
  return made;
}

}  // namespace

const std::vector<ConfigNumber>& configNumbers() {
  const auto optional = [](ConfigNumber field) {
    field.optional = true;
    return field;
  };
  const auto fraction = [&](ConfigNumber field) {
    field.whole = false;
    return optional(std::move(field));
  };
  const auto about = [](ConfigSection section, ConfigNumber field) {
    field.section = section;
    return field;
  };
  const auto whereAttending = [](ConfigNumber field) {
    field.matters = attends;
    return field;
  };
  static const std::vector<ConfigNumber> all{
      number(&ModelConfig::layers, {"n_layer", "Layers", "L", "Number of blocks (n_layer).", 1, 4096}),
      encoderLayers(),
      whereAttending(
          number(&ModelConfig::heads, {"n_head", "Heads", "H", "Attention heads per block (n_head)."})),
      whereAttending(optional(number(&ModelConfig::headSize,
                                     {"head_dim", "Head dim", "K",
                                      "Dimension of queries and keys; 0: model dim divided by heads.", 0}))),
      about(ConfigSection::Attention,
            whereAttending(optional(number(
                &ModelConfig::keyValueHeads,
                {"n_head_kv", "KV heads", "", "Heads of keys and values (GQA); 0: as many as heads.", 0})))),
      kernelWidth(),
      number(&ModelConfig::width,
             {"n_embd", "Model dim", "D", "Dimension of the residual stream (d_model)."}),
      feedForwardWidth(),
      number(&ModelConfig::context,
             {"n_positions", "Context length", "C", "Longest text in tokens (n_positions)."}),
      number(&ModelConfig::vocabulary,
             {"vocab_size", "Vocabulary size", "V", "Number of tokens (vocab_size)."}),
      classes(),
      firstClass(),
      tokenTypes(),
      separator(),
      besideSource(&ModelConfig::decoderStartToken, "decoder_start_token_id", "Decoder start",
                   "Token that begins every target; -1: the token that ends texts."),
      besideSource(&ModelConfig::forcedBosToken, "forced_bos_token_id", "Forced BOS",
                   "Token forced after the first in every target; -1: none."),
      besideSource(&ModelConfig::forcedEosToken, "forced_eos_token_id", "Forced EOS",
                   "Token forced at the end of the context; -1: none."),
      besideSource(&ModelConfig::bannedToken, "bad_token_id", "Banned token",
                   "Token that generation never chooses; -1: none."),
      maskSize(),
      fullAttentionEvery(),
      scoreWidth(),
      scoreCap(),
      logitCap(),
      about(ConfigSection::Positions,
            fraction(number(&ModelConfig::positionParameter,
                            {"position_parameter", "RoPE base", "",
                             "Base of the frequencies, or the largest distance; 0: the default.", 0, 1e7}))),
      distanceBuckets(),
      rotaryDim(),
      localBase(),
      scaling(&RotaryScaling::factor, false,
              {"rope_factor", "Factor", "", "Factor s that divides the frequencies of RoPE.", 1, 1024}),
      scaling(&RotaryScaling::lowFreqFactor, true,
              {"rope_low_freq_factor", "Low-freq factor", "",
               "Rotations per training text; pairs below it are scaled.", 0, 1024}),
      scaling(&RotaryScaling::highFreqFactor, true,
              {"rope_high_freq_factor", "High-freq factor", "",
               "Rotations per training text; pairs above it are unchanged.", 0, 1024}),
      scaling(
          &RotaryScaling::originalContext, true,
          {"rope_original_positions", "Original context", "", "Context length in training, in tokens.", 1}),
      longer(),
      about(ConfigSection::Block,
            fraction(number(&ModelConfig::normEpsilon, {"layer_norm_epsilon", "Norm ε", "",
                                                        "Avoids division by 0 in the norm.", 0, 1}))),
      about(ConfigSection::Block,
            fraction(number(&ModelConfig::dropout,
                            {"resid_pdrop", "Dropout", "",
                             "Share of sublayer outputs set to 0 during training.", 0, 1}))),
  };
  return all;
}

}  // namespace glassformer
