#pragma once
#include <initializer_list>
#include <vector>

#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_format.h"

namespace glassformer {

/// What makes an encoder out of sizes as BERT is one (Devlin et al. 2018): every token sees all others, norms
/// come after the sums and after that of the embeddings, and a layer stands before the unembedding, which has
/// a bias.
ModelConfig asBert(ModelConfig config);

/// A config.json with BERT's fields. Refuses what reads from left to right or from a source, and positions
/// that are not absolute.
Result<ModelConfig> bertLikeConfig(ConfigFields& fields);

/// What BERT and RoBERTa call what is in a block.
std::vector<StoredNames> bertBlockNames();
/// The names of its embeddings, and behind them those of a head.
std::vector<StoredNames> behindBertEmbeddings(std::initializer_list<StoredNames> head);

}  // namespace glassformer
