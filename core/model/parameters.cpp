#include "core/model/parameters.h"

#include <cassert>

namespace glassformer {

std::vector<ParameterSpec> parameterSpecs(const ModelConfig& config) {
  const int D = config.width, F = config.feedForward, V = config.vocabulary, C = config.context;
  std::vector<ParameterSpec> specs;
  const auto norm = [&](const std::string& name) {
    specs.push_back({name + ".weight", {D}});
    specs.push_back({name + ".bias", {D}});
  };
  const auto linear = [&](const std::string& name, int in, int out) {
    specs.push_back({name + ".weight", {in, out}});
    specs.push_back({name + ".bias", {out}});
  };
  specs.push_back({"wte.weight", {V, D}});
  if (config.positions == PositionalEncoding::Learned) specs.push_back({"wpe.weight", {C, D}});
  for (int layer = 0; layer < config.layers; ++layer) {
    const std::string block = "h." + std::to_string(layer) + ".";
    norm(block + "ln_1");
    linear(block + "attn.c_attn", D, 3 * D);
    linear(block + "attn.c_proj", D, D);
    norm(block + "ln_2");
    linear(block + "mlp.c_fc", D, F);
    linear(block + "mlp.c_proj", F, D);
  }
  norm("ln_f");
  if (!config.tiedUnembedding) specs.push_back({"lm_head.weight", {V, D}});
  return specs;
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
  std::size_t total = 0;
  for (const ParameterSpec& spec : specs_) {
    offsets_.push_back(total);
    total += (valueCountOf(spec) + alignment - 1) / alignment * alignment;
  }
  owned_ = std::make_shared<AlignedVector>(total);
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const float* data = owned_->data() + offsets_[i];
    const auto& e = specs_[i].extent;
    views_.push_back(e.size() == 1 ? TensorView(data, {e[0]}) : TensorView(data, {e[0], e[1]}));
  }
}

Parameters::Parameters(std::vector<ParameterSpec> specs, std::vector<TensorView> views,
                       std::shared_ptr<const void> owner)
    : specs_(std::move(specs)), views_(std::move(views)), owner_(std::move(owner)) {
  assert(specs_.size() == views_.size());
}

int Parameters::find(std::string_view name) const {
  for (int i = 0; i < count(); ++i)
    if (spec(i).name == name) return i;
  return -1;
}

TensorView Parameters::operator[](std::string_view name) const {
  const int i = find(name);
  assert(i >= 0 && "no parameter of that name");
  return view(i);
}

std::int64_t Parameters::valueCount() const {
  std::int64_t n = 0;
  for (const TensorView& v : views_) n += v.size();
  return n;
}

}  // namespace glassformer
