#include "core/model/catalogue.h"

#include <algorithm>
#include <cassert>

#include "core/model/head.h"
#include "core/model/positional/positional_encoding.h"
#include "core/model/transformer.h"

namespace glassformer {
namespace {

// What a trace point is called in equations, and what it is.
struct Words {
  std::string symbol, meaning;
};

std::string primes(int count) { return std::string(static_cast<std::size_t>(count), '\''); }

// The words of one block, whose sublayers number `sublayers`: sublayer i turns the stream x with i primes
// into the one with i + 1; n is a stream that a norm has gone over.
class BlockWords {
 public:
  BlockWords(const ModelConfig& config, bool crosses)
      : config_(config),
        crosses_(crosses),
        sublayers_(config.hasSingleResidualAdd() ? 1 + (crosses ? 1 : 0) : 2 + (crosses ? 1 : 0)) {}

  Words of(const std::string& part) const {
    if (config_.hasSandwichNorm() && part.ends_with("_out")) return behindNorm(part);
    if (part == "hook_resid_pre") return {"x", "the residual stream as the block finds it"};
    if (part == "hook_resid_mid") return {"x'", "the residual stream after " + mixing()};
    if (part == "hook_resid_mid_cross") return {"x''", "the residual stream after attention to the source"};
    if (part == "hook_resid_post")
      return {"x" + primes(sublayers_), "the residual stream as the block leaves it"};
    if (part.starts_with("ln")) return norm(part);
    if (part.starts_with("attn.") || part.starts_with("cross_attn."))
      return attention(part.substr(part.find('.') + 1), part.starts_with("cross"));
    return sublayer(part);
  }

 private:
  // With a norm behind a sublayer: what goes into it, and what it hands on.
  Words behindNorm(const std::string& part) const {
    const std::string name = sublayerOf(part);
    const Words added = sublayer("hook_" + name + "_out");
    if (part.starts_with("hook_")) return {added.symbol + "_n", added.meaning + ", normalized"};
    return {added.symbol, "what " + spoken(name) + " makes, before its norm"};
  }
  // "attn" of "hook_attn_out" and of "attn.hook_out".
  static std::string sublayerOf(const std::string& part) {
    return part.starts_with("hook_") ? part.substr(5, part.size() - 9) : part.substr(0, part.find('.'));
  }
  static std::string spoken(const std::string& sublayer) {
    if (sublayer == "attn") return "attention";
    if (sublayer == "cross_attn") return "attention to the source";
    return sublayer == "mlp" ? "the MLP" : sublayer;
  }
  std::string mixing() const {
    return config_.mixing == Mixing::Recurrence    ? "recurrence"
           : config_.mixing == Mixing::Convolution ? "convolution"
                                                   : "attention";
  }

  // Of "ln2.hook_scale": the norm in front of the second sublayer, or behind it.
  Words norm(const std::string& part) const {
    const int i = part[2] - '1';
    if (part.find("_post.") != std::string::npos) return scaleBehind(i);
    const bool after = config_.normPlacement == NormPlacement::Post;
    const std::string own = primes(after ? i + 1 : i);
    const std::string reader = i == 0 ? mixing() : i == 1 && crosses_ ? "attention to the source" : "the MLP";
    const bool rms = config_.norm == NormKind::Rms;
    const std::string read = config_.oneResidual ? "output of the convolution" : "the residual stream";
    if (part.ends_with("hook_scale"))
      return {(rms ? "ρ" : "σ") + own,
              std::string(rms ? "root mean square" : "standard deviation") + " of " +
                  (config_.oneResidual ? read + " of each token" : "each token's residual")};
    return {"n" + own, read + ", normalized" + (after ? "" : " for " + reader)};
  }

  // Of the norm behind the i-th sublayer, which reads what that makes.
  Words scaleBehind(int i) const {
    const std::string name = i == 0               ? sublayerOf(mixedOut(config_.mixing))
                             : i == 1 && crosses_ ? "cross_attn"
                                                  : "mlp";
    const bool rms = config_.norm == NormKind::Rms;
    return {(rms ? "ρ_" : "σ_") + sublayer("hook_" + name + "_out").symbol,
            std::string(rms ? "root mean square" : "standard deviation") + " of what " + spoken(name) +
                " makes of each token"};
  }

  Words attention(const std::string& part, bool across) const {
    const bool later = !across && config_.mask.kind == MaskKind::Causal && config_.causal();
    if (part == "hook_q") return {"q", "query: property that each token searches for"};
    if (part == "hook_k") return {"k", "key: property by which each token is found"};
    if (part == "hook_v") return {"v", "value: each token's contribution to the output"};
    if (part == "q_norm.hook_normalized") return {"q_n", "query, normalized in its head"};
    if (part == "k_norm.hook_normalized") return {"k_n", "key, normalized in its head"};
    if (part == "hook_rot_q") return {"q_R", "query, turned by its position"};
    if (part == "hook_rot_k") return {"k_R", "key, turned by its position"};
    if (part == "hook_q_features") return {"q_φ", "query, all of it positive: φ = elu + 1"};
    if (part == "hook_k_features") return {"k_φ", "key, all of it positive: φ = elu + 1"};
    if (part == "hook_attn_scores")
      return {"s",
              std::string("match of each query with each key") + (later ? "; later keys are masked" : "")};
    if (part == "hook_unmasked_pattern")
      return {"A₀", "attention weight of each query and key without the mask"};
    if (part == "hook_pattern") return {"A", "attention weight of each query and key"};
    assert(part == "hook_z");
    return {config_.headsOutputFullWidth() ? "z_h" : "z", "values, weighted by attention"};
  }

  Words sublayer(const std::string& part) const {
    const bool gated = config_.hasGatedMlp();
    // What sublayers do with what they compute.
    const std::string adds =
        config_.residual ? ", added to the residual stream" : ", replaces the residual stream";
    if (part == "hook_attn_out") return {"a", "output of attention" + adds};
    if (part == "hook_cross_attn_out") return {"a'", "output of cross-attention" + adds};
    if (part == "recurrence.hook_input") return {"u", "each token's contribution to the state"};
    if (part == "recurrence.hook_carried") return {"r", "contribution of the state before"};
    if (part == "recurrence.hook_state") return {"h", "the state: summary of the text so far"};
    if (part == "hook_recurrence_out") return {"o", "output of the recurrence" + adds};
    if (part == "convolution.hook_taps") return {"w_j", "each tap's product with the token that it reads"};
    if (part == "convolution.hook_reduced_pre") return {"u_r", "a quarter of the channels, before the ReLU"};
    if (part == "convolution.hook_reduced") return {"r", "the channels that the taps read"};
    if (part == "convolution.hook_mixed_pre") return {"u_c", "sum of all taps, before the ReLU"};
    if (part == "convolution.hook_mixed")
      return {"g_c", "sum of all taps, before the projection to all channels"};
    if (part == "hook_convolution_out")
      return {"c", "output of the convolution" + (config_.oneResidual ? ", read by the MLP" : adds)};
    if (part == "mlp.hook_pre")
      return {"u",
              gated ? "the neurons' gates before their nonlinearity" : "neurons before their nonlinearity"};
    if (part == "mlp.hook_pre_linear") return {"w", "output of each neuron, times its gate"};
    if (part == "mlp.hook_post") return {"g", "neurons: how active each one is"};
    assert(part == "hook_mlp_out");
    return {"m", "output of the MLP" + adds};
  }

  const ModelConfig& config_;
  bool crosses_;
  int sublayers_;
};

// Of what is outside the blocks.
Words wordsOutside(const std::string& part, const ModelConfig& config) {
  const bool rms = config.norm == NormKind::Rms;
  if (part == "hook_embed") return {"e", "the embedding of each token"};
  if (part == "hook_pos_embed") return {"p", "the encoding of each position"};
  if (part == "hook_token_type_embed") return {"τ", "segment of each token"};
  if (part == "hook_embed_sum") return {"x_0", "the residual stream before the first block"};
  if (part == "embed.ln.hook_normalized") return {"n_0", "the sum of embeddings, normalized"};
  if (part == "ln_final.hook_normalized") return {"n", "the final residual stream, normalized"};
  if (part == "mlm_head.hook_pre") return {"u_h", "the head's layer before its nonlinearity"};
  if (part == "mlm_head.hook_post") return {"g_h", "output of the MLM head's layer"};
  if (part == "mlm_head.ln.hook_normalized") return {"n_h", "input of the unembedding, normalized"};
  if (part.ends_with("hook_scale")) {
    const char* of = part.starts_with("embed.")      ? "sum of embeddings"
                     : part.starts_with("mlm_head.") ? "head's layer"
                                                     : "final residual";
    return {rms ? "ρ" : "σ",
            std::string(rms ? "root mean square" : "standard deviation") + " of each token's " + of};
  }
  if (part == "unembed.hook_in") return {"n_s", "input of the unembedding, divided by the root of the width"};
  if (part == pooledForClasses) return {"n_m", "the final residual stream, its mean over tokens"};
  if (part == classLogits) return {"u_C", "the head for classes: one score per class"};
  if (part == "unembed.hook_out") return {"u", "the unembedding, before it is capped"};
  assert(part == "logits" && "not a trace point");
  return {"logits", std::string("the unembedding") + (config.logitCap > 0 ? ", capped" : "") +
                        ": one score per token of the vocabulary"};
}

Words wordsOf(const PointPlace& place, const ModelConfig& config) {
  if (!place.inBlock()) return wordsOutside(place.part, config);
  ModelConfig own = config;
  if (place.inEncoder()) own.mask = {MaskKind::None, 0, {}};
  return BlockWords(own, config.isEncoderDecoder() && !place.inEncoder()).of(place.part);
}

// What a column of the fused projections of an attention belongs to: "Q", "K", "V".
std::string projected(const std::string& letter, const std::string& name, int column,
                      const ModelConfig& config) {
  const bool across = name.find("crossattention") != std::string::npos;
  AttentionColumns columns = across ? crossAttentionColumns(config) : selfAttentionColumns(config);
  if (across) columns.query = 0;  // they have a matrix of their own
  const bool isWeight = letter == "W";
  if (column < columns.query) return columns.key == 0 ? (isWeight ? "U" : "b") : letter + "_Q";
  if (column < columns.query + columns.key) return letter + "_K";
  if (config.readout == Readout::OneMatrix) return isWeight ? "(W_V W_O)" : "b";
  return letter + "_V";
}

std::string lettersOf(const NamedValue& point, const std::string& part, const ModelConfig& config) {
  if (point.value.square) return "HTS";
  if (part == "convolution.hook_taps") return config.filters == Filters::Bottleneck ? "TJB" : "TJD";
  if (point.heads > 0) return "THK";
  if (point.value.width == 1) return "T1";
  if (part == "logits" || part == "unembed.hook_out") return "TV";
  if (part == classLogits) return "Tc";
  if (part.starts_with("convolution.hook_r") || part.starts_with("convolution.hook_m")) return "TB";
  return part.starts_with("mlp.hook_p") ? "TF" : "TD";
}

}  // namespace

std::string symbolOfWeight(const std::string& name, int column, const std::string& primes,
                           const ModelConfig& config) {
  const auto ends = [&](const char* what) { return name.find(what) != std::string::npos; };
  const std::string letter = name.ends_with(".bias") ? "b" : "W";
  if (ends("wte.")) return "E";
  if (ends("wpe.") || name == "positions") return "P";
  if (ends("wtt.")) return "S";
  if (ends("score.")) return "W_C";
  if (ends("lm_head.")) return letter == "b" ? "b_U" : "W_Uᵀ";
  if (ends("q_norm.") || ends("k_norm.")) return "γ";
  if (ends("_post.")) return letter == "b" ? "β_post" : "γ_post";
  if (ends("ln_")) return (letter == "b" ? "β" : "γ") + primes;
  if (ends("c_attn.")) return projected(letter, name, column, config);
  if (ends("q_attn.")) return letter + "_Q";
  if (ends("recurrence.c_input.")) return letter == "b" ? "b" : "W_x";
  if (ends("recurrence.c_state.")) return "W_h";
  if (ends("recurrence.c_proj.")) return letter + "_o";
  if (ends("c_taps.")) return letter == "b" ? "b" : "W_j";
  if (ends("c_depthwise.")) return letter == "b" ? "b" : "f_j";
  if (ends("convolution.c_reduce.")) return letter + "_↓";
  if (ends("convolution.c_proj.")) return letter + "_↑";
  if (ends("head.c_fc.")) return letter + "_h";
  if (ends("mlp.c_fc."))
    return letter + (config.hasGatedMlp() && column < config.feedForward ? "_gate" : "_in");
  if (ends("mlp.c_proj.")) return letter + "_out";
  if (ends("c_proj.")) return letter + "_O";
  if (ends("attn.relative")) return "a";
  return "b";  // of each distance, or of each bucket of distances
}

TracePoint Catalogue::describe(const NamedValue& point) const {
  const PointPlace place = placeOfPoint(point.name);
  const Words words = wordsOf(place, config_);
  const std::string computed = repeatsAnother(point) ? "" : equation(point.value, point.name);
  return {point.name,         lettersOf(point, place.part, config_),
          words.meaning,      words.symbol + (computed.empty() ? "" : " = " + computed),
          point.value.stream, point.value.keys};
}

// Written down over a single token, and never run.
std::vector<DescribedPoint> describedPoints(const ModelConfig& config, int tokens, int source) {
  const Transformer model = modelOfShapes(config);
  Tape tape(1, 1, config.isEncoderDecoder() ? 1 : 0);
  Pass pass(tape, model.config(), model.parameters());
  model.forward(pass);
  const auto rows = [&](Stream stream) { return stream == Stream::Source ? source : tokens; };
  std::vector<DescribedPoint> described;
  for (const NamedValue& point : pass.points()) {
    const Value& value = point.value;
    const int heads = point.heads;
    const PointPlace place = placeOfPoint(point.name);
    const Words words = wordsOf(place, config);
    const std::vector<int> extent = value.square
                                        ? std::vector{value.width, rows(value.stream), rows(value.keys)}
                                    : heads > 0 ? std::vector{rows(value.stream), heads, value.width / heads}
                                                : std::vector{rows(value.stream), value.width};
    described.push_back({{point.name, lettersOf(point, place.part, config), words.meaning, words.symbol,
                          value.stream, value.keys},
                         extent});
  }
  return described;
}

std::string Catalogue::equation(const Value& value, const std::string& point) const {
  const PointPlace place = placeOfPoint(point);
  const std::string symbol = wordsOf(place, config_).symbol;
  const std::string primes = symbol.substr(std::min(symbol.size(), symbol.find('\'')));
  return pass_.tape().equation(value.data, [&](Cell cell) { return nameIn(place.scope, primes, cell); });
}

// A block finds what the one before left: one value with two names.
bool Catalogue::repeatsAnother(const NamedValue& point) const {
  return std::ranges::find(pass_.points(), point.value.data, [](const NamedValue& other) {
           return other.value.data;
         })->name != point.name;
}

// The point whose first number this is; of several names the last one in the scope, or else the last one.
const NamedValue* Catalogue::pointAt(Cell cell, const std::string& scope) const {
  const NamedValue* found = nullptr;
  for (const NamedValue& point : pass_.points())
    if (point.value.data == cell) {
      const bool isHere = placeOfPoint(point.name).scope == scope;
      if (!found || isHere || placeOfPoint(found->name).scope != scope) found = &point;
    }
  return found;
}

std::optional<std::string> Catalogue::nameIn(const std::string& scope, const std::string& primes,
                                             Cell cell) const {
  if (const auto weight = weights_.locate(cell)) {
    const auto& [tensor, index] = *weight;
    const int column = index[static_cast<std::size_t>(weights_.tensor(tensor).rank - 1)];
    return symbolOfWeight(weights_.point(tensor).name, column, primes, config_);
  }
  const NamedValue* point = pointAt(cell, scope);
  if (!point) return std::nullopt;
  const PointPlace place = placeOfPoint(point->name);
  const std::string symbol = wordsOf(place, config_).symbol;
  const bool isElsewhere = place.scope != scope && (symbol.starts_with('x') || symbol.starts_with('n'));
  if (!isElsewhere) return symbol;
  const bool isMemory = place.inEncoder() && !scope.starts_with("encoder.");
  return isMemory ? "M" : symbol.substr(0, 1);
}

namespace {

// What a weight's dimensions count: W of y = x · W its inputs and outputs, tables a token, a position or a
// text side by side per row.
std::string lettersOfWeight(const std::string& name, int rank) {
  if (name.ends_with("wte.weight") || name == "lm_head.weight") return "VD";
  if (name == "score.weight") return "cD";
  if (name.ends_with("wpe.weight") || name == "positions") return "CD";
  if (name.ends_with("wtt.weight")) return "ZD";
  return rank == 1 ? "o" : "io";
}

}  // namespace

std::shared_ptr<const TensorSet> namedWeights(const std::shared_ptr<const Transformer>& model) {
  auto weights = std::make_shared<TensorSet>();
  const Parameters& parameters = model->parameters();
  const auto add = [&](std::string name, const TensorView& tensor) {
    std::string letters = lettersOfWeight(name, tensor.rank);
    weights->add({std::move(name), std::move(letters), "", "", Stream::Text, Stream::Text}, tensor, model);
  };
  for (int i = 0; i < parameters.count(); ++i) add(parameters.spec(i).name, parameters.view(i));
  const auto positions = model->positionTable();
  if (positions && !model->config().positions->learnsTable()) add("positions", *positions);
  return weights;
}

}  // namespace glassformer
