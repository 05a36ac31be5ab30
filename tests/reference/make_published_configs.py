#!/usr/bin/env python3
"""The fields that config.json of published models have, for tests/core/io/formats/published_configs_test.cpp: one model of each
family as transformers 2 to 4 wrote it, and as transformers 5 writes it. The values are those of the models; nothing is fetched.

Usage: python3 tests/reference/make_published_configs.py
"""
import json
import pathlib

GPT2 = {"activation_function": "gelu_new", "attn_pdrop": 0.1, "bos_token_id": 50256, "embd_pdrop": 0.1, "eos_token_id": 50256,
        "initializer_range": 0.02, "layer_norm_epsilon": 1e-05, "model_type": "gpt2", "n_ctx": 1024, "n_embd": 768, "n_head": 12,
        "n_positions": 1024, "resid_pdrop": 0.1, "summary_activation": None, "summary_first_dropout": 0.1,
        "summary_proj_to_labels": True, "summary_type": "cls_index", "summary_use_proj": True, "vocab_size": 50257,
        "architectures": ["GPT2LMHeadModel"], "task_specific_params": {"text-generation": {"do_sample": True, "max_length": 50}}}
LLAMA = {"attention_bias": False, "attention_dropout": 0.0, "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu",
         "initializer_range": 0.02, "max_position_embeddings": 4096, "model_type": "llama", "pretraining_tp": 1,
         "rms_norm_eps": 1e-05, "rope_scaling": None, "tie_word_embeddings": False, "torch_dtype": "float16", "use_cache": True,
         "vocab_size": 32000, "architectures": ["LlamaForCausalLM"], "transformers_version": "4.31.0.dev0"}
LLAMA3 = {"rope_scaling": {"factor": 32.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0,
                           "original_max_position_embeddings": 8192, "rope_type": "llama3"}, "rope_theta": 500000.0}
QWEN = {"architectures": ["Qwen2ForCausalLM"], "attention_dropout": 0.0, "bos_token_id": 151643, "eos_token_id": 151643,
        "hidden_act": "silu", "initializer_range": 0.02, "max_position_embeddings": 32768, "model_type": "qwen2",
        "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "sliding_window": 32768, "torch_dtype": "bfloat16",
        "transformers_version": "4.40.1", "use_cache": True, "use_sliding_window": False, "vocab_size": 151936}
BERT = {"architectures": ["BertForMaskedLM"], "attention_probs_dropout_prob": 0.1, "gradient_checkpointing": False, "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1, "hidden_size": 768, "initializer_range": 0.02, "intermediate_size": 3072, "layer_norm_eps": 1e-12,
        "max_position_embeddings": 512, "model_type": "bert", "num_attention_heads": 12, "num_hidden_layers": 12, "pad_token_id": 0,
        "position_embedding_type": "absolute", "transformers_version": "4.6.0.dev0", "type_vocab_size": 2, "use_cache": True,
        "vocab_size": 30522}
GEMMA = {"attention_bias": False, "attention_dropout": 0.0, "bos_token_id": 2, "eos_token_id": 1, "head_dim": 256,
         "hidden_act": "gelu_pytorch_tanh", "hidden_activation": "gelu_pytorch_tanh", "initializer_range": 0.02, "pad_token_id": 0,
         "rms_norm_eps": 1e-06, "rope_theta": 10000.0, "torch_dtype": "bfloat16", "use_cache": True, "vocab_size": 256000,
         "max_position_embeddings": 8192}
T5 = {"architectures": ["T5ForConditionalGeneration"], "d_kv": 64, "decoder_start_token_id": 0, "dropout_rate": 0.1, "eos_token_id": 1,
      "feed_forward_proj": "relu", "initializer_factor": 1.0, "is_encoder_decoder": True, "layer_norm_epsilon": 1e-06, "model_type": "t5",
      "n_positions": 512, "output_past": True, "pad_token_id": 0, "relative_attention_num_buckets": 32, "use_cache": True,
      "vocab_size": 32128, "task_specific_params": {"summarization": {"num_beams": 4, "prefix": "summarize: "}}}
BART = {"activation_dropout": 0.1, "activation_function": "gelu", "add_bias_logits": False, "add_final_layer_norm": False,
        "architectures": ["BartModel"], "attention_dropout": 0.1, "bos_token_id": 0, "classif_dropout": 0.1, "classifier_dropout": 0.0,
        "d_model": 768, "decoder_attention_heads": 12, "decoder_ffn_dim": 3072, "decoder_layerdrop": 0.0, "decoder_layers": 6,
        "decoder_start_token_id": 2, "dropout": 0.1, "early_stopping": True, "encoder_attention_heads": 12, "encoder_ffn_dim": 3072,
        "encoder_layerdrop": 0.0, "encoder_layers": 6, "eos_token_id": 2, "forced_eos_token_id": 2, "forced_bos_token_id": 0,
        "gradient_checkpointing": False, "id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, "init_std": 0.02,
        "is_encoder_decoder": True, "label2id": {"LABEL_0": 0, "LABEL_1": 1, "LABEL_2": 2}, "max_position_embeddings": 1024,
        "model_type": "bart", "no_repeat_ngram_size": 3, "normalize_before": False, "normalize_embedding": True, "num_beams": 4,
        "num_hidden_layers": 6, "pad_token_id": 1, "scale_embedding": False, "torch_dtype": "float32", "use_cache": True,
        "vocab_size": 50265}
NEO = {"activation_function": "gelu_new", "architectures": ["GPTNeoForCausalLM"], "attention_dropout": 0, "bos_token_id": 50256,
       "embed_dropout": 0, "eos_token_id": 50256, "gradient_checkpointing": False, "initializer_range": 0.02, "intermediate_size": None,
       "layer_norm_epsilon": 1e-05, "max_position_embeddings": 2048, "model_type": "gpt_neo", "resid_dropout": 0,
       "summary_activation": None, "summary_first_dropout": 0.1, "summary_proj_to_labels": True, "summary_type": "cls_index",
       "summary_use_proj": True, "use_cache": True, "vocab_size": 50257, "window_size": 256}
OPT = {"_name_or_path": "facebook/opt-125m", "_remove_final_layer_norm": False, "activation_dropout": 0.0, "activation_function": "relu",
       "architectures": ["OPTForCausalLM"], "attention_dropout": 0.0, "bos_token_id": 2, "do_layer_norm_before": True, "dropout": 0.1,
       "eos_token_id": 2, "ffn_dim": 3072, "hidden_size": 768, "init_std": 0.02, "layerdrop": 0.0, "max_position_embeddings": 2048,
       "model_type": "opt", "num_attention_heads": 12, "num_hidden_layers": 12, "pad_token_id": 1, "prefix": "</s>",
       "torch_dtype": "float16", "transformers_version": "4.21.0.dev0", "use_cache": True, "vocab_size": 50272, "word_embed_proj_dim": 768}
PHI = {"architectures": ["PhiForCausalLM"], "attention_dropout": 0.0, "bos_token_id": 50256, "embd_pdrop": 0.0, "eos_token_id": 50256,
       "hidden_act": "gelu_new", "hidden_size": 2048, "initializer_range": 0.02, "intermediate_size": 8192, "layer_norm_eps": 1e-05,
       "max_position_embeddings": 2048, "model_type": "phi", "num_attention_heads": 32, "num_hidden_layers": 24,
       "num_key_value_heads": None, "partial_rotary_factor": 0.5, "qk_layernorm": False, "resid_pdrop": 0.0, "rope_scaling": None,
       "rope_theta": 10000.0, "tie_word_embeddings": False, "torch_dtype": "float16", "transformers_version": "4.37.0", "use_cache": True,
       "vocab_size": 51200}
WINDOWS = lambda n, every: ["full_attention" if (i + 1) % every == 0 else "sliding_attention" for i in range(n)]
GLOBAL_LOCAL = lambda n: ["global", "local"] * (n // 2)

PUBLISHED = {
    "gpt2": GPT2 | {"n_layer": 12},
    "distilgpt2": GPT2 | {"n_layer": 6, "_num_labels": 1, "id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}},
    "Llama-2-7b-hf": LLAMA | {"_name_or_path": "meta-llama/Llama-2-7b-hf", "hidden_size": 4096, "intermediate_size": 11008,
                              "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32},
    "llama-7b": {"architectures": ["LlamaForCausalLM"], "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu", "hidden_size": 4096,
                 "intermediate_size": 11008, "initializer_range": 0.02, "max_position_embeddings": 2048, "model_type": "llama",
                 "num_attention_heads": 32, "num_hidden_layers": 32, "pad_token_id": -1, "rms_norm_eps": 1e-06,
                 "torch_dtype": "float16", "transformers_version": "4.27.0.dev0", "use_cache": True, "vocab_size": 32000},
    "Llama-3.2-1B-Instruct": LLAMA | LLAMA3 | {
        "bos_token_id": 128000, "eos_token_id": [128001, 128008, 128009], "head_dim": 64, "hidden_size": 2048, "intermediate_size": 8192,
        "max_position_embeddings": 131072, "mlp_bias": False, "num_attention_heads": 32, "num_hidden_layers": 16,
        "num_key_value_heads": 8, "tie_word_embeddings": True, "torch_dtype": "bfloat16", "vocab_size": 128256},
    "TinyLlama-1.1B-Chat": LLAMA | {"hidden_size": 2048, "intermediate_size": 5632, "max_position_embeddings": 2048,
                                    "num_attention_heads": 32, "num_hidden_layers": 22, "num_key_value_heads": 4, "rope_theta": 10000.0},
    "SmolLM2-135M-Instruct": LLAMA | {
        "bos_token_id": 1, "pad_token_id": 2, "hidden_size": 576, "initializer_range": 0.041666666666666664, "intermediate_size": 1536,
        "is_llama_config": True, "max_position_embeddings": 8192, "mlp_bias": False, "num_attention_heads": 9, "num_hidden_layers": 30,
        "num_key_value_heads": 3, "rope_interleaved": False, "rope_theta": 100000, "tie_word_embeddings": True,
        "transformers.js_config": {"kv_cache_dtype": {"q4f16": "float16", "fp16": "float16"}}, "vocab_size": 49152},
    "Mistral-7B-v0.1": {"architectures": ["MistralForCausalLM"], "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu",
                        "hidden_size": 4096, "initializer_range": 0.02, "intermediate_size": 14336, "max_position_embeddings": 32768,
                        "model_type": "mistral", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
                        "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "sliding_window": 4096, "tie_word_embeddings": False,
                        "torch_dtype": "bfloat16", "transformers_version": "4.34.0.dev0", "use_cache": True, "vocab_size": 32000},
    "Qwen2-0.5B": QWEN | {"hidden_size": 896, "intermediate_size": 4864, "max_window_layers": 24, "num_attention_heads": 14,
                          "num_hidden_layers": 24, "num_key_value_heads": 2, "tie_word_embeddings": True},
    "Qwen2.5-1.5B": QWEN | {"hidden_size": 1536, "intermediate_size": 8960, "max_window_layers": 28, "num_attention_heads": 12,
                            "num_hidden_layers": 28, "num_key_value_heads": 2, "tie_word_embeddings": True, "use_mrope": False},
    "Qwen3-0.6B": QWEN | {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "attention_bias": False, "head_dim": 128,
                          "hidden_size": 1024, "intermediate_size": 3072, "max_position_embeddings": 40960, "max_window_layers": 28,
                          "num_attention_heads": 16, "num_hidden_layers": 28, "num_key_value_heads": 8, "rope_scaling": None,
                          "sliding_window": None, "tie_word_embeddings": True},
    "gemma-2b": GEMMA | {"architectures": ["GemmaForCausalLM"], "hidden_act": "gelu", "hidden_activation": None, "hidden_size": 2048,
                         "intermediate_size": 16384, "model_type": "gemma", "num_attention_heads": 8, "num_hidden_layers": 18,
                         "num_key_value_heads": 1, "rope_scaling": None, "transformers_version": "4.38.0.dev0"},
    "gemma-2-2b": GEMMA | {"architectures": ["Gemma2ForCausalLM"], "attn_logit_softcapping": 50.0, "cache_implementation": "hybrid",
                           "final_logit_softcapping": 30.0, "hidden_size": 2304, "intermediate_size": 9216, "model_type": "gemma2",
                           "num_attention_heads": 8, "num_hidden_layers": 26, "num_key_value_heads": 4, "query_pre_attn_scalar": 256,
                           "sliding_window": 4096},
    "gemma-3-1b-it": {"architectures": ["Gemma3ForCausalLM"], "attention_bias": False, "attention_dropout": 0.0,
                      "attn_logit_softcapping": None, "bos_token_id": 2, "cache_implementation": "hybrid", "eos_token_id": [1, 106],
                      "final_logit_softcapping": None, "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh", "hidden_size": 1152,
                      "initializer_range": 0.02, "intermediate_size": 6912, "max_position_embeddings": 32768, "model_type": "gemma3_text",
                      "num_attention_heads": 4, "num_hidden_layers": 26, "num_key_value_heads": 1, "pad_token_id": 0,
                      "query_pre_attn_scalar": 256, "rms_norm_eps": 1e-06, "rope_local_base_freq": 10000, "rope_scaling": None,
                      "rope_theta": 1000000, "sliding_window": 512, "sliding_window_pattern": 6, "torch_dtype": "bfloat16",
                      "transformers_version": "4.50.0.dev0", "use_cache": True, "vocab_size": 262144},
    "gemma-3-270m": {"_sliding_window_pattern": 6, "architectures": ["Gemma3ForCausalLM"], "attention_bias": False,
                     "attention_dropout": 0.0, "attn_logit_softcapping": None, "bos_token_id": 2, "eos_token_id": 1,
                     "final_logit_softcapping": None, "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh", "hidden_size": 640,
                     "initializer_range": 0.02, "intermediate_size": 2048, "layer_types": WINDOWS(18, 6),
                     "max_position_embeddings": 32768, "model_type": "gemma3_text", "num_attention_heads": 4, "num_hidden_layers": 18,
                     "num_key_value_heads": 1, "pad_token_id": 0, "query_pre_attn_scalar": 256, "rms_norm_eps": 1e-06,
                     "rope_local_base_freq": 10000.0, "rope_scaling": None, "rope_theta": 1000000.0, "sliding_window": 512,
                     "torch_dtype": "bfloat16", "transformers_version": "4.55.0.dev0", "use_bidirectional_attention": False,
                     "use_cache": True, "vocab_size": 262144},
    "pythia-70m": {"architectures": ["GPTNeoXForCausalLM"], "bos_token_id": 0, "eos_token_id": 0, "hidden_act": "gelu",
                   "hidden_size": 512, "initializer_range": 0.02, "intermediate_size": 2048, "layer_norm_eps": 1e-05,
                   "max_position_embeddings": 2048, "model_type": "gpt_neox", "num_attention_heads": 8, "num_hidden_layers": 6,
                   "rotary_emb_base": 10000, "rotary_pct": 0.25, "tie_word_embeddings": False, "torch_dtype": "float16",
                   "transformers_version": "4.24.0", "use_cache": True, "use_parallel_residual": True, "vocab_size": 50304},
    "pythia saved by transformers 4.45": {
        "architectures": ["GPTNeoXForCausalLM"], "attention_bias": True, "attention_dropout": 0.0, "bos_token_id": 0,
        "classifier_dropout": 0.1, "eos_token_id": 0, "hidden_act": "gelu", "hidden_dropout": 0.0, "hidden_size": 512,
        "initializer_range": 0.02, "intermediate_size": 2048, "layer_norm_eps": 1e-05, "max_position_embeddings": 2048,
        "model_type": "gpt_neox", "num_attention_heads": 8, "num_hidden_layers": 6, "partial_rotary_factor": 0.25, "rope_scaling": None,
        "rope_theta": 10000, "rotary_emb_base": 10000, "rotary_pct": 0.25, "tie_word_embeddings": False, "torch_dtype": "float16",
        "use_cache": True, "use_parallel_residual": True, "vocab_size": 50304},
    "bert-base-uncased": BERT,
    "bert-base-multilingual-cased": BERT | {
        "directionality": "bidi", "pooler_fc_size": 768, "pooler_num_attention_heads": 12, "pooler_num_fc_layers": 3,
        "pooler_size_per_head": 128, "pooler_type": "first_token_transform", "vocab_size": 119547},
    "TinyBERT_General_4L_312D": {
        "attention_probs_dropout_prob": 0.1, "cell": {}, "model_type": "bert", "emb_size": 312, "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1, "hidden_size": 312, "initializer_range": 0.02, "intermediate_size": 1200,
        "max_position_embeddings": 512, "num_attention_heads": 12, "num_hidden_layers": 4, "pre_trained": "", "structure": [],
        "training": "", "type_vocab_size": 2, "vocab_size": 30522},
    "distilbert-base-uncased": {
        "activation": "gelu", "architectures": ["DistilBertForMaskedLM"], "attention_dropout": 0.1, "dim": 768, "dropout": 0.1,
        "hidden_dim": 3072, "initializer_range": 0.02, "max_position_embeddings": 512, "model_type": "distilbert", "n_heads": 12,
        "n_layers": 6, "pad_token_id": 0, "qa_dropout": 0.1, "seq_classif_dropout": 0.2, "sinusoidal_pos_embds": False,
        "tie_weights_": True, "transformers_version": "4.10.0.dev0", "vocab_size": 30522},
    "roberta-base": {k: v for k, v in BERT.items() if k not in ("gradient_checkpointing", "position_embedding_type")} | {
        "architectures": ["RobertaForMaskedLM"], "bos_token_id": 0, "eos_token_id": 2, "layer_norm_eps": 1e-05,
        "max_position_embeddings": 514, "model_type": "roberta", "pad_token_id": 1, "type_vocab_size": 1, "vocab_size": 50265},
    "t5-small": T5 | {"d_ff": 2048, "d_model": 512, "num_heads": 8, "num_layers": 6},
    "flan-t5-small": T5 | {"d_ff": 1024, "d_model": 512, "feed_forward_proj": "gated-gelu", "dense_act_fn": "gelu_new",
                           "is_gated_act": True, "num_decoder_layers": 8, "num_heads": 6, "num_layers": 8,
                           "relative_attention_max_distance": 128, "tie_word_embeddings": False, "transformers_version": "4.23.1"},
    "mt5-small": {k: v for k, v in T5.items() if k not in ("task_specific_params", "n_positions")} | {
        "architectures": ["MT5ForConditionalGeneration"], "d_ff": 1024, "d_model": 512, "feed_forward_proj": "gated-gelu",
        "model_type": "mt5", "num_decoder_layers": 8, "num_heads": 6, "num_layers": 8, "tie_word_embeddings": False,
        "tokenizer_class": "T5Tokenizer", "vocab_size": 250112},
    "bart-base": BART,
    "bart-large-cnn": {k: v for k, v in BART.items() if k != "forced_bos_token_id"} | {
        "_num_labels": 3, "d_model": 1024, "decoder_layers": 12, "encoder_layers": 12, "num_hidden_layers": 12,
        "encoder_attention_heads": 16, "decoder_attention_heads": 16, "encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096,
        "force_bos_token_to_be_generated": True, "length_penalty": 2.0, "max_length": 142, "min_length": 56, "output_past": True,
        "prefix": " ", "extra_pos_embeddings": 2, "do_blenderbot_90_layernorm": False, "static_position_embeddings": False,
        "vocab_size": 50264, "task_specific_params": {"summarization": {"early_stopping": True, "length_penalty": 2.0}}},
    "distilbart-cnn-12-6": BART | {"d_model": 1024, "decoder_layers": 6, "encoder_layers": 12, "encoder_attention_heads": 16,
                                   "decoder_attention_heads": 16, "encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096,
                                   "save_step": 58, "student_decoder_layers": None, "student_encoder_layers": None,
                                   "replacing_rate": 0, "vocab_size": 50264, "num_hidden_layers": 12},
    "opus-mt-en-de": {k: v for k, v in BART.items() if k not in ("forced_bos_token_id", "no_repeat_ngram_size", "early_stopping")} | {
        "_num_labels": 3, "activation_function": "swish", "architectures": ["MarianMTModel"], "bad_words_ids": [[58100]],
        "classif_dropout": 0.0, "d_model": 512, "decoder_attention_heads": 8, "decoder_ffn_dim": 2048, "decoder_start_token_id": 58100,
        "decoder_vocab_size": 58101, "encoder_attention_heads": 8, "encoder_ffn_dim": 2048, "eos_token_id": 0, "forced_eos_token_id": 0,
        "max_length": 512, "max_position_embeddings": 512, "model_type": "marian", "normalize_embedding": False, "pad_token_id": 58100,
        "scale_embedding": True, "share_encoder_decoder_embeddings": True, "static_position_embeddings": True, "vocab_size": 58101},
    "TinyStories-33M": NEO | {"attention_layers": GLOBAL_LOCAL(4), "attention_types": [[["global", "local"], 2]], "hidden_size": 768,
                              "num_heads": 16, "num_layers": 4, "torch_dtype": "float32", "transformers_version": "4.28.1"},
    "gpt-neo-125m": NEO | {"attention_layers": GLOBAL_LOCAL(12), "attention_types": [[["global", "local"], 6]], "hidden_size": 768,
                           "num_heads": 12, "num_layers": 12, "tokenizer_class": "GPT2Tokenizer",
                           "task_specific_params": {"text-generation": {"do_sample": True, "max_length": 50, "temperature": 0.9}}},
    "opt-125m": OPT,
    "opt-350m": OPT | {"_name_or_path": "opt-350m", "do_layer_norm_before": False, "ffn_dim": 4096, "hidden_size": 1024,
                       "num_attention_heads": 16, "num_hidden_layers": 24, "word_embed_proj_dim": 512},
    "opt-13b": OPT | {"ffn_dim": 20480, "hidden_size": 5120, "num_attention_heads": 40, "num_hidden_layers": 40,
                      "output_projection": True, "word_embed_proj_dim": 5120},
    "phi-1_5": PHI,
    "phi-2": PHI | {"hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 32, "num_key_value_heads": 32,
                    "partial_rotary_factor": 0.4, "resid_pdrop": 0.1},
    "gpt-j-6B": GPT2 | {"architectures": ["GPTJForCausalLM"], "attn_pdrop": 0.0, "embd_pdrop": 0.0, "gradient_checkpointing": False,
                        "model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_layer": 28, "n_positions": 2048, "resid_pdrop": 0.0,
                        "rotary": True, "rotary_dim": 64, "scale_attn_weights": True, "tie_word_embeddings": False,
                        "tokenizer_class": "GPT2Tokenizer", "transformers_version": "4.18.0.dev0", "use_cache": True, "vocab_size": 50400},
}


def newer(config):
    """As transformers 5 writes it: one group for rotary positions, dtype, and without defaults of decoding."""
    c = dict(config)
    if "torch_dtype" in c:
        c["dtype"] = c.pop("torch_dtype")
    c |= {"transformers_version": "5.0.0", "chunk_size_feed_forward": 0, "output_hidden_states": False, "return_dict": True,
          "is_encoder_decoder": c["model_type"] in ("t5", "mt5", "bart", "marian"), "problem_type": None}
    for gone in ("num_beams", "no_repeat_ngram_size", "early_stopping", "max_length", "min_length", "length_penalty", "bad_words_ids"):
        if c["model_type"] != "marian":
            c.pop(gone, None)
    base = c.pop("rotary_emb_base", c.pop("rope_theta", None))
    slower, share = c.pop("rope_scaling", None), c.pop("rotary_pct", c.pop("partial_rotary_factor", None))
    rotates = c["model_type"] in ("llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3_text", "gpt_neox", "phi")
    if rotates:
        group = {"rope_theta": base or 10000.0, "rope_type": "default"} | (slower or {}) | (
            {"partial_rotary_factor": share} if share else {})
        local = c.pop("rope_local_base_freq", None)
        c["rope_parameters"] = {"full_attention": group, "sliding_attention": {"rope_theta": local, "rope_type": "default"}} \
            if local else group
    if c["model_type"].startswith("gemma3") or c["model_type"] == "gemma2":
        every = c.pop("sliding_window_pattern", c.pop("_sliding_window_pattern", 2))
        c["layer_types"], c["use_bidirectional_attention"] = WINDOWS(c["num_hidden_layers"], every), False
    if c["model_type"].startswith("qwen"):
        c["layer_types"] = ["full_attention"] * c["num_hidden_layers"]
    return c


if __name__ == "__main__":
    lines = [f" {json.dumps(name)}: [\n  {json.dumps(config)},\n  {json.dumps(newer(config))}]" for name, config in PUBLISHED.items()]
    path = pathlib.Path(__file__).parent / "published_configs.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
