#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/model/choices.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {
namespace {

bool attends(const ModelConfig& config) { return config.attends(); }

template <typename Field>
ConfigNumber number(Field ModelConfig::*field, ConfigNumber made) {
  made.get = [field](const ModelConfig& config) { return static_cast<double>(config.*field); };
  made.set = [field](ModelConfig& config, double value) { config.*field = static_cast<Field>(value); };
  return made;
}

ConfigNumber maskSize() {
  ConfigNumber made{"mask_size", "Mask size", "", "How many tokens the prefix or the window has.", 0};
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
      number(&ModelConfig::tokenTypes,
             {"type_vocab_size", "Token types", "Z",
              "Texts side by side that are told apart by a learned vector; 0: none are.", 0, 4096});
  made.optional = true;
  made.section = ConfigSection::Ends;
  made.matters = [](const ModelConfig& config) { return !config.reads(); };
  return made;
}

ConfigNumber separator() {
  ConfigNumber made = number(&ModelConfig::separator,
                             {"sep_token_id", "Separator", "",
                              "The token behind which the next type begins; -1: all are of the first.", -1});
  made.optional = true;
  made.section = ConfigSection::Ends;
  made.matters = [](const ModelConfig& config) { return config.tokenTypes > 1; };
  return made;
}

ConfigNumber classes() {
  ConfigNumber made =
      number(&ModelConfig::classes,
             {"num_labels", "Classes", "",
              "What a head of their own tells apart beside the unembedding; 0: there is none.", 0});
  made.optional = true;
  made.section = ConfigSection::Ends;
  return made;
}

ConfigNumber firstClass() {
  ConfigNumber made = number(&ModelConfig::firstClass,
                             {"first_label_token", "First class", "",
                              "The token that names the first class; those behind it name the others.", 0});
  made.optional = true;
  made.section = ConfigSection::Ends;
  made.matters = [](const ModelConfig& config) { return config.classifies(); };
  return made;
}

// A token with a place in texts that stand beside a source.
ConfigNumber besideSource(int ModelConfig::*field, const char* id, const char* name, const char* meaning) {
  ConfigNumber made = number(field, {id, name, "", meaning, -1});
  made.optional = true;
  made.section = ConfigSection::Ends;
  made.matters = [](const ModelConfig& config) { return config.reads(); };
  return made;
}

ConfigNumber encoderLayers() {
  ConfigNumber made = number(&ModelConfig::encoderLayers,
                             {"encoder_layers", "Encoder's layers", "",
                              "Blocks of the encoder beside a decoder; 0: as many as that has.", 0, 4096});
  made.optional = true;
  made.matters = [](const ModelConfig& config) { return config.reads(); };
  return made;
}

ConfigNumber longer() {
  ConfigNumber made;
  made.id = "rope_attention_factor", made.name = "Longer by", made.least = 0, made.most = 100;
  made.meaning = "What turned queries and keys are multiplied with; 0: 0.1 ln s + 1 of the factor s.";
  made.optional = true, made.whole = false;
  made.section = ConfigSection::Positions;
  made.get = [](const ModelConfig& config) { return static_cast<double>(config.rotaryScaling.longer); };
  made.set = [](ModelConfig& config, double value) {
    config.rotaryScaling.longer = static_cast<float>(value);
  };
  made.matters = [](const ModelConfig& config) {
    return attends(config) && config.positions->rotates() &&
           config.rotaryScaling.slowing == RotarySlowing::Yarn;
  };
  return made;
}

ConfigNumber kernelWidth() {
  ConfigNumber made = number(
      &ModelConfig::kernelWidth,
      {"kernel_width", "Kernel width", "J", "Tokens that a convolution sees, the token itself included."});
  made.optional = true;
  made.section = ConfigSection::Block;
  made.matters = [](const ModelConfig& config) { return config.convolves(); };
  return made;
}

ConfigNumber feedForwardWidth() {
  ConfigNumber made = number(&ModelConfig::feedForward, {"n_inner", "MLP width", "F", "Neurons of the MLP."});
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
    const RotarySlowing slowing = config.rotaryScaling.slowing;
    return attends(config) && config.positions->rotates() && slowing != RotarySlowing::None &&
           (!byWavelength || slowing != RotarySlowing::Linear);
  };
  return made;
}

bool compares(const ModelConfig& config) {
  return attends(config) && config.kernel != AttentionKernel::Distance &&
         config.kernel != AttentionKernel::Linear;
}

ConfigNumber scoreWidth() {
  ConfigNumber made =
      number(&ModelConfig::scoreWidth,
             {"query_pre_attn_scalar", "Scores' width", "",
              "Scores are divided by the root of this; 0: by the root of the head width.", 0});
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
  ConfigNumber made =
      cap(&ModelConfig::scoreCap, ConfigSection::Attention,
          {"attn_logit_softcapping", "Scores' soft cap", "",
           "c of c tanh(s / c), which no score exceeds; 0: they are left as they are.", 0, 1e6});
  made.matters = [](const ModelConfig& config) {
    return attends(config) && config.kernel != AttentionKernel::Linear;
  };
  return made;
}

ConfigNumber logitCap() {
  return cap(&ModelConfig::logitCap, ConfigSection::Ends,
             {"final_logit_softcapping", "Logits' soft cap", "",
              "c of c tanh(u / c), which no logit exceeds; 0: they are left as they are.", 0, 1e6});
}

bool hasWindow(const ModelConfig& config) { return attends(config) && config.mask.kind == MaskKind::Window; }

// n where of every n blocks the last sees all; -1 where they stand in another order.
int fullEveryOf(const ModelConfig& config) {
  const std::vector<bool>& full = config.fullBlocks;
  if (full.empty()) return 0;
  const bool isLast = full.back() && std::ranges::count(full, true) == 1;
  return isLast ? static_cast<int>(full.size()) : -1;
}

ConfigNumber fullEvery() {
  ConfigNumber made{"full_attention_every",
                    "Full attention",
                    "",
                    "Of this many blocks the last has no window; 0: all have one; -1: as the model's file "
                    "lists them.",
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
  ConfigNumber made =
      number(&ModelConfig::localBase,
             {"rope_local_base_freq", "Base in windows", "",
              "The base of rotary positions in blocks with a window; 0: as in the others.", 0, 1e7});
  made.optional = true, made.whole = false;
  made.section = ConfigSection::Positions;
  made.matters = [](const ModelConfig& config) { return hasWindow(config) && config.positions->rotates(); };
  return made;
}

ConfigNumber turnedWidth() {
  ConfigNumber made = number(&ModelConfig::turnedWidth,
                             {"rotary_dim", "Turned width", "",
                              "Columns of each head that rotary positions turn; 0: all of them.", 0});
  made.optional = true;
  made.section = ConfigSection::Positions;
  made.matters = [](const ModelConfig& config) { return attends(config) && config.positions->rotates(); };
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
      number(&ModelConfig::layers, {"n_layer", "Layers", "L", "Blocks, one after the other.", 1, 4096}),
      encoderLayers(),
      whereAttending(number(&ModelConfig::heads,
                            {"n_head", "Heads", "H", "Attention patterns side by side in a block."})),
      whereAttending(optional(number(&ModelConfig::headSize,
                                     {"head_dim", "Head width", "K",
                                      "Numbers in a query or a key; 0: the width shared by all heads.", 0}))),
      about(ConfigSection::Attention,
            whereAttending(optional(number(&ModelConfig::keyValueHeads,
                                           {"n_head_kv", "Key and value heads", "",
                                            "Fewer than heads: several share one; 0: as many.", 0})))),
      kernelWidth(),
      number(&ModelConfig::width, {"n_embd", "Width", "D", "Numbers per token in the residual stream."}),
      feedForwardWidth(),
      number(&ModelConfig::context, {"n_positions", "Context", "C", "The most tokens that can be read."}),
      number(&ModelConfig::vocabulary, {"vocab_size", "Vocabulary", "V", "Tokens that there are."}),
      classes(),
      firstClass(),
      tokenTypes(),
      separator(),
      besideSource(&ModelConfig::firstToken, "decoder_start_token_id", "First token",
                   "The token that a text beside a source begins with; -1: the one that ends texts."),
      besideSource(&ModelConfig::secondToken, "forced_bos_token_id", "Second token",
                   "The token that stands behind the first in every such text; -1: none does."),
      besideSource(&ModelConfig::lastToken, "forced_eos_token_id", "Last token",
                   "The token that decoding ends such a text with where the context ends; -1: none."),
      besideSource(&ModelConfig::neverToken, "bad_token_id", "Never decoded",
                   "The token that decoding never goes on with; -1: there is none."),
      maskSize(),
      fullEvery(),
      scoreWidth(),
      scoreCap(),
      logitCap(),
      about(
          ConfigSection::Positions,
          fraction(number(&ModelConfig::positionParameter,
                          {"position_parameter", "Positions' number", "",
                           "The base of the frequencies or the farthest distance; 0: the usual.", 0, 1e7}))),
      turnedWidth(),
      localBase(),
      scaling(&RotaryScaling::factor, false,
              {"rope_factor", "Slower by", "", "The factor s by which rotary positions turn more slowly.", 1,
               1024}),
      scaling(&RotaryScaling::slow, true,
              {"rope_low_freq_factor", "Slow below", "",
               "Turns in a text of training: what turns less often is slowed down.", 0, 1024}),
      scaling(&RotaryScaling::fast, true,
              {"rope_high_freq_factor", "Fast above", "",
               "Turns in a text of training: what turns more often stays as it is.", 0, 1024}),
      scaling(&RotaryScaling::learned, true,
              {"rope_original_positions", "Texts of training", "", "How many tokens they had.", 1}),
      longer(),
      about(ConfigSection::Block,
            fraction(number(&ModelConfig::normEpsilon, {"layer_norm_epsilon", "Norm's ε", "",
                                                        "Keeps the norm from dividing by 0.", 0, 1}))),
      about(
          ConfigSection::Block,
          fraction(number(&ModelConfig::dropout,
                          {"resid_pdrop", "Dropout", "",
                           "Share of what goes into the residual stream that training leaves out.", 0, 1}))),
  };
  return all;
}

}  // namespace glassformer
