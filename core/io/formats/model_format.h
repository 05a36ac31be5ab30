#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config.h"
#include "core/model/parameters.h"
#include "core/result.h"
#include "core/text/tokenizer.h"

namespace glassformer {

class ConfigFields;
class StoredModel;
struct FamilyConfig;

/// What a family calls one of our parameters. Several names: their columns stand side by side in ours.
struct StoredNames {
  std::string ours;  ///< without ".weight" or ".bias": "attn.c_attn"; or all of it: "lm_head.bias"
  std::vector<std::string> theirs;        ///< "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"
  bool once = false;                      ///< one tensor for all blocks, by its whole name
  std::vector<std::string> ungated = {};  ///< of an MLP without a gate, where these are called otherwise
};

/// How a family of models writes its directories: an entry of modelFormats(). The fields of its config.json
/// become ours, and the names of its tensors; nothing else in the program knows the family.
struct ModelFormat {
  std::string name;                ///< "Llama"
  std::vector<std::string> types;  ///< what config.json may have as its model_type
  /// Refuses, naming the field: what is missing or absurd, and what the transformer here does not compute.
  Result<ModelConfig> (*config)(ConfigFields& fields) = nullptr;

  std::vector<std::string> prefixes = {""};  ///< that all names may carry
  std::string base;    ///< "model.": that names begin with, unless the model was saved without its head
  std::string layers;  ///< before a layer's number: "model.layers."
  std::vector<StoredNames> inBlock, outside;  ///< what is not listed is called as ours
  std::string encoderLayers;                  ///< the same of an encoder beside a decoder: "encoder.block."
  std::vector<StoredNames> inEncoder;         ///< and of its blocks
  bool transposed = true;                     ///< matrices that are multiplied with are [out, in]
  struct Ending {
    std::string usual, other;
  };
  /// How some files end a name instead: "LayerNorm.gamma" in place of "LayerNorm.weight".
  std::vector<Ending> otherEndings;
  std::vector<Ending> tiedEndings;  ///< the same where the unembedding is tied: "lm_head.weight"
  bool headUnties = false;    ///< an unembedding that is stored counts, whatever tie_word_embeddings says
  bool normsFromOne = false;  ///< weights of norms are stored less 1; in GGUF files they are whole
  std::string head;           ///< the tensor without which a checkpoint has no head; empty: they all have one
  /// Rows of the table of positions that stand before the first token's, by config.json; null: none.
  int (*rowsBefore)(ConfigFields& fields) = nullptr;
  /// Makes of a checkpoint's tensors those that are read; null: they are.
  Status (*prepare)(const FamilyConfig& family, StoredModel& stored) = nullptr;
  bool endsSeparate = false;  ///< the token that ends a text ends its type of tokens, too
  /// Of the tensors that queries, keys and values are read from: in which row of which one column j of it
  /// lies in ours; null: they are in our order.
  int (*attentionRow)(const ModelConfig& config, int piece, int j) = nullptr;
  std::vector<std::string> skipped;  ///< how tensors inside of blocks end that are no weights: ".attn.bias"

  // Of directories with vocab.json and merges.txt alone, which do not say so themselves.
  BosEosTokens signs;                ///< what stands around every text
  std::vector<std::string> special;  ///< what is no part of a text
  /// And of those with a model of SentencePiece: what stands around every text.
  BosEosTokens pieceSigns;
};

/// One of a family's tensors, and how many columns of our parameter it is.
struct StoredPiece {
  std::string tensor;  ///< without one of the prefixes
  int columns = 0;
};
std::vector<StoredPiece> piecesOf(const ModelFormat& format, const ModelConfig& config,
                                  const ParameterSpec& parameter);

}  // namespace glassformer
