#include "core/io/formats/idle_fields.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace glassformer {
namespace {

using IdleNames = std::initializer_list<const char*>;

void addIdle(std::vector<IdleField>& all, const char* why, IdleNames names, const char* only = nullptr) {
  for (const char* name : names) all.push_back({name, only, why});
}

// What published files of transformers 2 to 5 hold beside the shape of the model.
std::vector<IdleField> listIdleFields() {
  std::vector<IdleField> all;
  addIdle(all, "transformers' own bookkeeping",
          {"_name_or_path",
           "name_or_path",
           "_commit_hash",
           "transformers_version",
           "architectures",
           "auto_map",
           "custom_pipelines",
           "model_type",
           "tokenizer_class",
           "unsloth_version",
           "unsloth_fixed",
           "is_llama_config",
           "transformers.js_config",
           "language",
           "name",
           "cell",
           "structure",
           "pre_trained",
           "training",
           "emb_size"});
  addIdle(all, "speed, memory and number format of a program; here it is float32",
          {"torch_dtype", "dtype", "use_bfloat16", "use_cache", "cache_implementation", "torchscript",
           "attn_implementation", "_attn_implementation", "_attn_implementation_autoset",
           "_flash_attn_2_enabled", "_experts_implementation", "chunk_size_feed_forward", "pretraining_tp",
           "gradient_checkpointing", "reorder_and_upcast_attn", "xla_device", "n_ctx", "tf_legacy_loss"});
  addIdle(all, "values returned with the logits",
          {"return_dict", "use_return_dict", "output_hidden_states", "output_attentions", "output_past"});
  addIdle(all, "training only",
          {"initializer_range",
           "initializer_factor",
           "init_std",
           "attn_pdrop",
           "embd_pdrop",
           "resid_pdrop",
           "attention_dropout",
           "attention_probs_dropout_prob",
           "hidden_dropout_prob",
           "hidden_dropout",
           "dropout",
           "dropout_rate",
           "activation_dropout",
           "resid_dropout",
           "embed_dropout",
           "embd_dropout",
           "classifier_dropout",
           "classif_dropout",
           "qa_dropout",
           "seq_classif_dropout",
           "summary_first_dropout",
           "layerdrop",
           "encoder_layerdrop",
           "decoder_layerdrop",
           "save_step",
           "student_encoder_layers",
           "student_decoder_layers",
           "replacing_rate",
           "vocab_parallel_embedding",
           "make_vocab_size_divisible_by"});
  addIdle(all, "heads for tasks other than predicting tokens",
          {"id2label", "label2id", "num_labels", "_num_labels", "problem_type", "finetuning_task",
           "task_specific_params", "summary_type", "summary_use_proj", "summary_activation",
           "summary_proj_to_labels", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers",
           "pooler_size_per_head", "pooler_type"});
  addIdle(all, "default decoding of transformers; here it is chosen",
          {"max_length",
           "min_length",
           "max_new_tokens",
           "min_new_tokens",
           "do_sample",
           "early_stopping",
           "num_beams",
           "num_beam_groups",
           "diversity_penalty",
           "temperature",
           "top_k",
           "top_p",
           "min_p",
           "typical_p",
           "epsilon_cutoff",
           "eta_cutoff",
           "penalty_alpha",
           "repetition_penalty",
           "length_penalty",
           "no_repeat_ngram_size",
           "encoder_no_repeat_ngram_size",
           "num_return_sequences",
           "output_scores",
           "return_dict_in_generate",
           "remove_invalid_values",
           "renormalize_logits",
           "exponential_decay_length_penalty",
           "suppress_tokens",
           "begin_suppress_tokens",
           "bad_words_ids",
           "forced_bos_token_id",
           "forced_eos_token_id",
           "decoder_start_token_id",
           "prefix",
           "max_time"});
  addIdle(all, "the tokenizer says it",
          {"bos_token_id", "pad_token_id", "sep_token_id", "cls_token_id", "mask_token_id", "unk_token_id"});
  addIdle(all, "attention heads that were pruned are not computed here", {"pruned_heads"}, "{}");
  addIdle(all, "quantized weights are not read; open the model that they were made from",
          {"quantization_config", "compression_config"}, "null");
  addIdle(all, "all blocks have one shape here", {"per_layer_config"}, "{}");
  addIdle(all, "encoder–decoders need an encoder of their own",
          {"add_cross_attention", "tie_encoder_decoder"}, "false");
  addIdle(all, "encoder–decoders need an encoder of their own", {"cross_attention_hidden_size"}, "null");
  addIdle(all, "pairs of rotary positions are as the family has them", {"rope_interleaved", "use_mrope"},
          "false");
  addIdle(all, "the family has norms of queries and keys, or it has none", {"qk_layernorm", "use_qk_norm"},
          "false");
  addIdle(all, "encoders see both directions here", {"directionality"}, "\"bidi\"");
  return all;
}

}  // namespace

std::span<const IdleField> idleFields() {
  static const std::vector<IdleField> all = listIdleFields();
  return all;
}

void passOverIdle(ConfigFields& fields) {
  fields.passOverNulls();
  for (const auto& [name, only, why] : idleFields()) {
    if (!fields.isSet(name) || fields.took(name)) continue;
    const nlohmann::json& value = fields.any(name);
    if (only && canonicalJson(value) != only)
      fields.refuse(name, "is " + shownJson(value) + "; read here is " + std::string(only) + " alone", why);
  }
}

}  // namespace glassformer
