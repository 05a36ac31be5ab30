// DistilBERT: BERT with half of the layers, no types of tokens, and names of its own (Sanh et al. 2019).
#include "core/io/formats/bert_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
namespace {

Result<ModelConfig> distilbertConfig(ConfigFields& fields) {
  ModelConfig config;
  config.layers = fields.size("n_layers");
  config.heads = fields.size("n_heads");
  config.width = fields.size("dim");
  config.feedForward = fields.size("hidden_dim");
  config.vocabulary = fields.size("vocab_size");
  config.context = fields.size("max_position_embeddings", 512);
  config.activation = fields.activation("activation", "gelu");
  config.normEpsilon = 1e-12f;
  config.tiedUnembedding = fields.flag("tie_word_embeddings", true);
  // The table of positions is stored in either case; whether weights are tied, tie_word_embeddings says.
  fields.changeNothing({"sinusoidal_pos_embds", "tie_weights_"});
  return fields.finish(asBert(config));
}

}  // namespace

const ModelFormat& distilbertFormat() {
  static const ModelFormat format{
      .name = "DistilBERT",
      .types = {"distilbert"},
      .config = distilbertConfig,
      .prefixes = {"", "distilbert."},
      .layers = "transformer.layer.",
      .inBlock = {{"attn.c_attn", {"attention.q_lin", "attention.k_lin", "attention.v_lin"}},
                  {"attn.c_proj", {"attention.out_lin"}},
                  {"ln_1", {"sa_layer_norm"}},
                  {"mlp.c_fc", {"ffn.lin1"}},
                  {"mlp.c_proj", {"ffn.lin2"}},
                  {"ln_2", {"output_layer_norm"}}},
      .outside = behindBertEmbeddings({{"head.c_fc", {"vocab_transform"}},
                                       {"head.ln_head", {"vocab_layer_norm"}},
                                       {"lm_head", {"vocab_projector"}}}),
      .head = "vocab_transform.weight",
  };
  return format;
}

}  // namespace glassformer
