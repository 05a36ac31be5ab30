// T5 and mT5: an encoder and a decoder with RMS norms before their sublayers, no biases, scores that are not
// scaled, and a number for each bucket of distances, which the first block has for all (Raffel et al. 2020;
// Xue et al. 2021). Later versions have gated MLPs and an unembedding of their own.
#include <algorithm>

#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"
#include "core/model/positional/bucketed.h"

namespace glassformer {
namespace {

Activation activationOfT5(ConfigFields& fields) {
  const std::string kind = fields.text("feed_forward_proj", "relu");
  const auto as = [&](Activation activation, bool gates, std::initializer_list<const char*> names) {
    // transformers writes what it has made of feed_forward_proj beside it.
    const std::string name = fields.text("dense_act_fn", *names.begin());
    if (std::ranges::find(names, name) == names.end() || fields.flag("is_gated_act", gates) != gates)
      fields.refuse(fields.isSet("dense_act_fn") ? "dense_act_fn" : "is_gated_act",
                    "contradicts feed_forward_proj \"" + kind + "\"");
    return activation;
  };
  if (kind == "relu") return as(Activation::Relu, false, {"relu"});
  if (kind == "gated-gelu") return as(Activation::GeGlu, true, {"gelu_new", "gelu"});
  if (kind == "gated-silu") return as(Activation::SwiGlu, true, {"silu"});
  fields.refuse("feed_forward_proj", "is \"" + kind + "\"; known are relu, gated-gelu and gated-silu");
  return Activation::Relu;
}

void readBuckets(ConfigFields& fields, ModelConfig& config) {
  const int count = fields.size("relative_attention_num_buckets", 32),
            farthest = fields.size("relative_attention_max_distance", 128);
  if (count < leastBuckets || count > mostBuckets)
    fields.refuse("relative_attention_num_buckets", "is " + std::to_string(count) + "; T5 needs " +
                                                        std::to_string(leastBuckets) + " to " +
                                                        std::to_string(mostBuckets) + " buckets");
  else if (farthest <= count / 2)
    fields.refuse("relative_attention_max_distance",
                  "is " + std::to_string(farthest) + "; with " + std::to_string(count) +
                      " buckets T5 needs at least " + std::to_string(count / 2 + 1));
  config.distanceBuckets = count, config.positionParameter = static_cast<float>(farthest);
}

Result<ModelConfig> t5Config(ConfigFields& fields) {
  ModelConfig config;
  config.stack = Stack::EncoderDecoder;
  const int encoder = fields.size("num_layers");
  config.layers = fields.size("num_decoder_layers", encoder);
  config.encoderLayers = encoder == config.layers ? 0 : encoder;
  config.heads = fields.size("num_heads"), config.width = fields.size("d_model");
  const int head = fields.size("d_kv");
  config.headSize = head * config.heads == config.width ? 0 : head;
  config.feedForward = fields.size("d_ff"), config.vocabulary = fields.size("vocab_size");
  config.context = fields.size("n_positions", 512);
  config.norm = NormKind::Rms;
  config.normEpsilon = static_cast<float>(fields.number("layer_norm_epsilon", 1e-6));
  config.biases = Biases::None, config.scaledScores = false;
  config.activation = activationOfT5(fields);
  config.positions = &bucketedPositions();
  readBuckets(fields, config);
  config.tiedUnembedding = fields.flag("tie_word_embeddings", true);
  config.scaledUnembedding = fields.flag("scale_decoder_outputs", config.tiedUnembedding);
  fields.tokensOfTexts(config);
  if (config.decoderStartToken < 0) config.decoderStartToken = fields.token("pad_token_id", 0);
  return fields.finish(config);
}

StoredNames queriesKeysValues(const std::string& ours, const std::string& sublayer,
                              std::vector<std::string> which) {
  for (std::string& each : which) each = sublayer + each;
  return {ours, std::move(which)};
}

std::vector<StoredNames> blockNamesOfT5(const std::string& stack, bool crosses) {
  const std::string mlp = crosses ? "layer.2." : "layer.1.", own = "layer.0.SelfAttention.";
  std::vector<StoredNames> names{
      {"ln_1", {"layer.0.layer_norm"}},
      queriesKeysValues("attn.c_attn", own, {"q", "k", "v"}),
      {"attn.c_proj", {own + "o"}},
      {"attn.buckets", {stack + ".block.0." + own + "relative_attention_bias.weight"}, true},
      {"ln_2", {mlp + "layer_norm"}},
      {"mlp.c_fc",
       {mlp + "DenseReluDense.wi_0", mlp + "DenseReluDense.wi_1"},
       false,
       {mlp + "DenseReluDense.wi"}},
      {"mlp.c_proj", {mlp + "DenseReluDense.wo"}}};
  if (!crosses) return names;
  const std::string across = "layer.1.EncDecAttention.";
  names.push_back({"ln_cross_attn", {"layer.1.layer_norm"}});
  names.push_back({"crossattention.q_attn", {across + "q"}});
  names.push_back(queriesKeysValues("crossattention.c_attn", across, {"k", "v"}));
  names.push_back({"crossattention.c_proj", {across + "o"}});
  return names;
}

}  // namespace

const ModelFormat& t5Format() {
  static const ModelFormat format{
      .name = "T5",
      .types = {"t5", "mt5"},
      .config = t5Config,
      .layers = "decoder.block.",
      .inBlock = blockNamesOfT5("decoder", true),
      .outside = {{"wte", {"shared"}},
                  {"ln_f", {"decoder.final_layer_norm"}},
                  {"encoder.ln_f", {"encoder.final_layer_norm"}}},
      .encoderLayers = "encoder.block.",
      .inEncoder = blockNamesOfT5("encoder", false),
      .otherEndings = {{"shared.weight", "encoder.embed_tokens.weight"},
                       {"shared.weight", "decoder.embed_tokens.weight"}},
      .tiedEndings = {{"shared.weight", "lm_head.weight"}},
      .headUnties = true,
      // Across there are no distances; older files have numbers for them all the same.
      .skipped = {".EncDecAttention.relative_attention_bias.weight"},
      .pieceSigns = {{}, {"</s>"}},
  };
  return format;
}

}  // namespace glassformer
