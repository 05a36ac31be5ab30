// OPT: a decoder with ReLU in its MLPs and learned positions that are counted from 2 (Zhang et al. 2022). The
// one of 350 M parameters has norms behind the sums, and embeddings that are narrower than the stream: one
// matrix widens them, another narrows the last stream before it is compared with them.
#include <Eigen/Core>
#include <memory>

#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"
#include "core/io/parameter_reader.h"

namespace glassformer {
namespace {

constexpr int rowsBeforeOpt = 2;
constexpr const char *optEmbedding = "decoder.embed_tokens.weight", *optHead = "lm_head.weight",
                     *optWidening = "decoder.project_in.weight", *optNarrowing = "decoder.project_out.weight";

Result<ModelConfig> optConfig(ConfigFields& fields) {
  ModelConfig config;
  config.layers = fields.size("num_hidden_layers"), config.heads = fields.size("num_attention_heads");
  config.width = fields.size("hidden_size"), config.feedForward = fields.size("ffn_dim");
  config.vocabulary = fields.size("vocab_size");
  config.context = fields.size("max_position_embeddings", 2048);
  config.activation = fields.activation("activation_function", "relu");
  const bool before = fields.flag("do_layer_norm_before", true);
  config.normPlacement = before ? NormPlacement::Pre : NormPlacement::Post;
  config.finalNorm = !fields.flag("_remove_final_layer_norm", false) && before;
  config.biases = fields.flag("enable_bias", true) ? Biases::All : Biases::None;
  fields.mustBe("layer_norm_elementwise_affine", true);
  config.tiedUnembedding = fields.flag("tie_word_embeddings", true);
  if (fields.size("word_embed_proj_dim", config.width) != config.width) config.tiedUnembedding = false;
  fields.changeNothing({"output_projection"});  // a note of the program that trained them
  return fields.finish(config);
}

using OptMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A matrix of [rows, columns]; 0: of any size.
Result<OptMatrix> optMatrix(const StoredModel& stored, const char* name, std::int64_t rows,
                            std::int64_t columns) {
  const auto [tensor, file] = findStored(stored, optFormat(), name);
  if (!tensor) return Error{"the tensor " + std::string(name) + " is missing", file, ""};
  const auto& shape = tensor->shape;
  if (!tensor->isFloat() || shape.size() != 2 || shape[0] != rows || (columns > 0 && shape[1] != columns))
    return Error{"is not a matrix of numbers that fits config.json", file + ", tensor " + tensor->name,
                 "config.json and the weights belong to different models"};
  const auto values = tensor->converted();
  if (!values) return values.error();
  return OptMatrix(Eigen::Map<const OptMatrix>(values->data(), shape[0], shape[1]));
}

// (E · W_in) · x and x · W_out · Eᵀ are two tables as wide as the stream, E · W_in and E · W_outᵀ.
Status widenTables(const FamilyConfig& family, StoredModel& stored) {
  if (!findStored(stored, optFormat(), optWidening).tensor) return success();
  const int V = family.config.vocabulary, D = family.config.width;
  const auto narrow = optMatrix(stored, optEmbedding, V, 0);
  if (!narrow) return narrow.error();
  const auto P = narrow->cols();
  const auto in = optMatrix(stored, optWidening, D, P), out = optMatrix(stored, optNarrowing, P, D);
  if (!in) return in.error();
  if (!out) return out.error();
  const bool hasHead = findStored(stored, optFormat(), optHead).tensor != nullptr;
  const auto head = hasHead ? optMatrix(stored, optHead, V, P) : narrow;
  if (!head) return head.error();
  std::vector<StoredTensor> tensors;
  const auto add = [&](const std::string& name, const OptMatrix& table) {
    tensors.push_back(
        StoredTensor::of(name, {V, D}, std::span(table.data(), static_cast<std::size_t>(table.size()))));
  };
  add(findStored(stored, optFormat(), optEmbedding).tensor->name, *narrow * in->transpose());
  add(optHead, *head * *out);
  stored.replace(stored.file(), StoredTensors::of(std::move(tensors), {}));
  return success();
}

}  // namespace

const ModelFormat& optFormat() {
  static const ModelFormat format{
      .name = "OPT",
      .types = {"opt"},
      .config = optConfig,
      .prefixes = {"", "model."},
      .layers = "decoder.layers.",
      .inBlock = {{"ln_1", {"self_attn_layer_norm"}},
                  {"attn.c_attn", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
                  {"attn.c_proj", {"self_attn.out_proj"}},
                  {"ln_2", {"final_layer_norm"}},
                  {"mlp.c_fc", {"fc1"}},
                  {"mlp.c_proj", {"fc2"}}},
      .outside = {{"wte", {"decoder.embed_tokens"}},
                  {"wpe", {"decoder.embed_positions"}},
                  {"ln_f", {"decoder.final_layer_norm"}}},
      .tiedEndings = {{optEmbedding, optHead}},
      .rowsBefore = [](ConfigFields&) { return rowsBeforeOpt; },
      .prepare = widenTables,
      .signs = {{"</s>"}, {}},
      .special = {"<s>", "<pad>", "</s>", "<unk>"},
  };
  return format;
}

}  // namespace glassformer
