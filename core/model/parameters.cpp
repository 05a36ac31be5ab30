#include "core/model/parameters.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/model/positional/positional_encoding.h"
#include "core/tensor/huge_pages.h"

namespace glassformer {

namespace {

// Collects what one part of the model needs.
class Specs {
 public:
  explicit Specs(const ModelConfig& config) : config_(config) {}

  void add(std::string name, std::vector<int> extent) {
    specs_.push_back({std::move(name), std::move(extent)});
  }
  void linear(const std::string& name, int in, int out, bool biased) {
    add(name + ".weight", {in, out});
    bias(name, out, biased);
  }
  void bias(const std::string& name, int out, bool biased) {
    if (biased) add(name + ".bias", {out});
  }
  void norm(const std::string& name) {
    if (!config_.hasNorms()) return;
    add(name + ".weight", {config_.width});
    if (config_.norm == NormKind::Layer) add(name + ".bias", {config_.width});
  }
  // A norm of a sublayer, and where there is one the other behind it.
  void sublayerNorm(const std::string& name) {
    norm(name);
    if (config_.hasSandwichNorm()) norm(name + "_post");
  }
  // attn.c_proj; where the readout is one matrix per head, the bias alone, and where there is none, nothing.
  void output(const std::string& attention) {
    const int D = config_.width;
    if (config_.readout == Readout::Rows) return;
    if (config_.readout == Readout::OneMatrix)
      bias(attention + "c_proj", D, config_.biasesOutput());
    else
      linear(attention + "c_proj", config_.heads * config_.headWidth(), D, config_.biasesOutput());
  }
  void selfAttention(const std::string& attention) {
    if (const int columns = selfAttentionColumns(config_).all(); columns > 0)
      linear(attention + "c_attn", config_.width, columns, config_.biasesQueries());
    if (config_.kernel == AttentionKernel::Distance)
      add(attention + "distance", {config_.heads, 2 * config_.context - 1});
    if (hasNormedQueries(config_)) {
      add(attention + "q_norm.weight", {config_.headWidth()});
      add(attention + "k_norm.weight", {config_.headWidth()});
    }
    for (ParameterSpec spec : config_.positions->attentionParameters(config_))
      add(attention + spec.name, std::move(spec.extent));
    output(attention);
  }
  void recurrence(const std::string& recurrence) {
    const int D = config_.width;
    linear(recurrence + "c_input", D, D, config_.biasesOutput());
    add(recurrence + "c_state.weight", {D, D});
    linear(recurrence + "c_proj", D, D, config_.biasesOutput());
  }
  void convolution(const std::string& convolution) {
    const int D = config_.width, J = config_.kernelWidth;
    const bool biased = config_.biasesOutput();
    if (config_.filters == Filters::Depthwise) return linear(convolution + "c_depthwise", J, D, biased);
    const bool narrows = config_.filters == Filters::Bottleneck;
    const int B = narrows ? config_.bottleneckWidth() : D;
    if (narrows) linear(convolution + "c_reduce", D, B, biased);
    add(convolution + "c_taps.weight", {B, J * B});
    bias(convolution + "c_taps", B, biased);
    if (narrows) linear(convolution + "c_proj", B, D, biased);
  }
  void mixing(const std::string& block) {
    switch (config_.mixing) {
      case Mixing::Attention:
        return selfAttention(block + "attn.");
      case Mixing::Recurrence:
        return recurrence(block + "recurrence.");
      case Mixing::Convolution:
        return convolution(block + "convolution.");
    }
  }
  void crossAttention(const std::string& attention) {
    const AttentionColumns columns = crossAttentionColumns(config_);
    linear(attention + "q_attn", config_.width, columns.query, config_.biasesQueries());
    linear(attention + "c_attn", config_.width, columns.key + columns.value, config_.biasesQueries());
    output(attention);
  }
  void feedForward(const std::string& mlp) {
    const int D = config_.width, F = config_.feedForward;
    linear(mlp + "c_fc", D, config_.hasGatedMlp() ? 2 * F : F, config_.biasesFeedForward());
    linear(mlp + "c_proj", F, D, config_.biasesFeedForward());
  }
  void stack(const std::string& prefix, int layers, bool crosses) {
    if (config_.positions->learnsTable()) add(prefix + "wpe.weight", {config_.context, config_.width});
    if (config_.tokenTypes > 0) add(prefix + "wtt.weight", {config_.tokenTypes, config_.width});
    if (config_.normedEmbedding) norm(prefix + "ln_embed");
    for (int layer = 0; layer < layers; ++layer) {
      const std::string block = prefix + "h." + std::to_string(layer) + ".";
      if (!config_.oneResidual) sublayerNorm(block + "ln_1");
      mixing(block);
      if (crosses) {
        sublayerNorm(block + "ln_cross_attn");
        crossAttention(block + "crossattention.");
      }
      if (!config_.hasFeedForward()) continue;
      sublayerNorm(block + "ln_2");
      feedForward(block + "mlp.");
    }
    if (config_.finalNorm) norm(prefix + "ln_f");
  }
  void head() {
    if (config_.headTransform) {
      linear("head.c_fc", config_.width, config_.width, config_.biasesFeedForward());
      norm("head.ln_head");
    }
    if (!config_.tiedUnembedding) add("lm_head.weight", {config_.vocabulary, config_.width});
    if (config_.unembeddingBias) add("lm_head.bias", {config_.vocabulary});
    if (config_.hasClassHead()) add("score.weight", {config_.classes, config_.width});
  }
  std::vector<ParameterSpec> take() { return std::move(specs_); }

 private:
  const ModelConfig& config_;
  std::vector<ParameterSpec> specs_;
};

}  // namespace

bool isTable(std::string_view name) {
  return name.ends_with("wte.weight") || name.ends_with("wpe.weight") || name.ends_with("wtt.weight") ||
         name == "lm_head.weight" || name == "score.weight";
}

bool hasNormedQueries(const ModelConfig& config) {
  return config.normedQueries && config.hasAttention() && config.kernel != AttentionKernel::Distance;
}

AttentionColumns selfAttentionColumns(const ModelConfig& config) {
  AttentionColumns columns = crossAttentionColumns(config);
  if (config.similarity != Similarity::QueriesAndKeys || config.kernel == AttentionKernel::Distance)
    columns.key = 0;
  if (config.similarity == Similarity::Plain || config.kernel == AttentionKernel::Distance) columns.query = 0;
  return columns;
}

AttentionColumns crossAttentionColumns(const ModelConfig& config) {
  const int K = config.headWidth(), shared = config.valueHeads();
  const int value = config.readout == Readout::Rows        ? 0
                    : config.readout == Readout::OneMatrix ? config.width
                                                           : K;
  return {config.heads * K, shared * K, shared * value};
}

std::vector<ParameterSpec> parameterSpecs(const ModelConfig& config) {
  Specs specs(config);
  specs.add("wte.weight", {config.vocabulary, config.width});
  specs.stack("", config.layers, config.isEncoderDecoder());
  if (config.isEncoderDecoder()) specs.stack("encoder.", config.encoderBlocks(), false);
  specs.head();
  return specs.take();
}

Parameters shapesOf(const ModelConfig& config) {
  std::vector<ParameterSpec> specs = parameterSpecs(config);
  std::vector<TensorView> views;
  for (const ParameterSpec& spec : specs) views.emplace_back(nullptr, spec.extent);
  return {std::move(specs), std::move(views), nullptr};
}

namespace {
std::size_t valueCountOf(const ParameterSpec& spec) {
  std::size_t n = 1;
  for (int e : spec.extent) n *= static_cast<std::size_t>(e);
  return n;
}
// Each parameter starts on a cache line, so that vector loads never straddle two.
constexpr std::size_t alignment = 16;
}  // namespace

Parameters::Parameters(std::vector<ParameterSpec> specs) : specs_(std::move(specs)) {
  listNames();
  std::size_t total = 0;
  for (const ParameterSpec& spec : specs_) {
    offsets_.push_back(total);
    total += (valueCountOf(spec) + alignment - 1) / alignment * alignment;
  }
  owned_ = std::make_shared<AlignedVector>(inHugePages(total));
  for (std::size_t i = 0; i < specs_.size(); ++i)
    views_.emplace_back(owned_->data() + offsets_[i], specs_[i].extent);
}

Parameters::Parameters(std::vector<ParameterSpec> specs, std::vector<TensorView> views,
                       std::shared_ptr<const void> owner)
    : specs_(std::move(specs)), views_(std::move(views)), owner_(std::move(owner)) {
  assert(specs_.size() == views_.size());
  listNames();
}

// A model of thousands of layers asks for thousands of names, many times.
void Parameters::listNames() {
  byName_.resize(specs_.size());
  std::iota(byName_.begin(), byName_.end(), 0);
  std::ranges::sort(byName_, {}, [this](int i) -> const std::string& { return spec(i).name; });
}

int Parameters::find(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(byName_, name, {}, [this](int i) -> std::string_view { return spec(i).name; });
  return found != byName_.end() && spec(*found).name == name ? *found : -1;
}

TensorView Parameters::operator[](std::string_view name) const {
  const int i = find(name);
  assert(i >= 0 && "no parameter of that name");
  return view(i);
}

std::int64_t Parameters::valueCount() const {
  std::int64_t n = 0;
  for (const TensorView& view : views_) n += view.size();
  return n;
}

Parameters Parameters::copy() const {
  Parameters same(specs_);
  for (int i = 0; i < count(); ++i)
    std::copy_n(view(i).data, view(i).size(),
                same.values().begin() + static_cast<std::ptrdiff_t>(same.offset(i)));
  return same;
}

}  // namespace glassformer
