#include "core/model/suspects.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "core/model/choices.h"
#include "core/model/folded_weights.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {
namespace {

class Suspects {
 public:
  explicit Suspects(std::shared_ptr<const Transformer> model)
      : model_(std::move(model)), config_(model_->config()) {}

  std::vector<Suspect> list() {
    for (const ConfigChoice& choice : configChoices()) addOthers(choice);
    addEpsilons();
    addRotary();
    addLatePositions();
    addOneType();
    for (const char* matrix :
         {"attn.c_proj.weight", "attn.c_attn.weight", "mlp.c_fc.weight", "mlp.c_proj.weight"})
      addTransposed(matrix);
    addFolded();
    return std::move(suspects_);
  }

 private:
  // The same weights, as far as the config asks for them; nothing where it asks for others.
  void add(std::string words, const ModelConfig& config) {
    if (config == config_ || config.isEncoderDecoder() != config_.isEncoderDecoder() || !validate(config))
      return;
    std::vector<ParameterSpec> specs = parameterSpecs(config);
    std::vector<TensorView> views;
    const Parameters& own = model_->parameters();
    for (const ParameterSpec& spec : specs) {
      const int i = own.find(spec.name);
      if (i < 0 || own.spec(i).extent != spec.extent) return;
      views.push_back(own.view(i));
    }
    suspects_.push_back(
        {std::move(words), std::make_shared<const Transformer>(
                               config, Parameters(std::move(specs), std::move(views), model_))});
  }
  void add(std::string words, Parameters changed) {
    suspects_.push_back({std::move(words), std::make_shared<const Transformer>(config_, std::move(changed))});
  }

  void addOthers(const ConfigChoice& choice) {
    if (!choice.matters(config_)) return;
    for (int option = 0; option < static_cast<int>(choice.options.size()); ++option) {
      ModelConfig other = config_;
      const float number = config_.positionParameter;
      choice.set(other, option);
      const bool keepsNumber = other.positions->number(other) && config_.positions->rotates();
      if (keepsNumber && other.positions->rotates()) other.positionParameter = number;
      add(choice.name + ": " + choice.options[static_cast<std::size_t>(option)].name, other);
    }
  }
  void addEpsilons() {
    if (!config_.hasNorms()) return;
    for (const float epsilon : {1e-12f, 1e-8f, 1e-6f, 1e-5f, 1e-3f}) {
      ModelConfig other = config_;
      other.normEpsilon = epsilon;
      char words[48];
      std::snprintf(words, sizeof words, "norm's ε of %g", static_cast<double>(epsilon));
      add(words, other);
    }
  }
  void addRotary() {
    if (!config_.positions->rotates()) return;
    for (const int turned : {0, config_.headWidth() / 2, config_.headWidth() / 4}) {
      ModelConfig other = config_;
      other.rotaryDim = turned;
      add(turned == 0 ? "all of each head turned" : std::to_string(turned) + " columns of each head turned",
          other);
    }
    for (const float base : {10000.0f, 500000.0f, 1000000.0f}) {
      ModelConfig other = config_;
      other.positionParameter = base;
      add("rotary base of " + std::to_string(static_cast<int>(base)), other);
    }
  }
  // As where counting begins at 1.
  void addLatePositions() {
    if (!config_.positions->learnsTable() || config_.isEncoderDecoder()) return;
    Parameters changed = model_->parameters().copy();
    const int i = changed.find("wpe.weight"), D = config_.width;
    const auto first = changed.values().begin() + static_cast<std::ptrdiff_t>(changed.offset(i));
    std::copy(first + D, first + static_cast<std::ptrdiff_t>(config_.context) * D, first);
    add("positions counted from 1", std::move(changed));
  }
  void addOneType() {
    ModelConfig other = config_;
    other.separator = -1;
    if (config_.tokenTypes > 1) add("all tokens of the first type", other);
  }
  // In every block, where it is square.
  void addTransposed(const char* matrix) {
    Parameters changed = model_->parameters().copy();
    bool any = false;
    for (int i = 0; i < changed.count(); ++i) {
      const ParameterSpec& spec = changed.spec(i);
      if (!spec.name.ends_with(matrix) || spec.extent[0] != spec.extent[1]) continue;
      any = true;
      const int n = spec.extent[0];
      float* values = changed.values().data() + changed.offset(i);
      for (int row = 0; row < n; ++row)
        for (int column = 0; column < row; ++column)
          std::swap(values[static_cast<std::ptrdiff_t>(row) * n + column],
                    values[static_cast<std::ptrdiff_t>(column) * n + row]);
    }
    if (any) add(std::string(matrix) + " transposed", std::move(changed));
  }

  // As programs hold it that rewrite the weights they load.
  void addFolded() {
    for (const auto& [how, words] :
         {std::pair{Folding::Norms, "norms folded into the weights"},
          std::pair{Folding::All, "norms and value biases folded into the weights, weights centered"}})
      if (auto other = folded(*model_, how))
        suspects_.push_back({words, std::make_shared<const Transformer>(*std::move(other))});
  }

  std::shared_ptr<const Transformer> model_;
  const ModelConfig& config_;
  std::vector<Suspect> suspects_;
};

}  // namespace

std::vector<Suspect> suspectsOf(const std::shared_ptr<const Transformer>& model) {
  return Suspects(model).list();
}

}  // namespace glassformer
