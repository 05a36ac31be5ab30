#include "app/document/watched_weight.h"

#include <algorithm>
#include <array>

#include "core/model/parameters.h"

namespace glassformer {

namespace {

struct Label {
  std::string_view ending;
  const char* label;
};

// What the field calls them; the file's names are GPT-2's.
constexpr std::array labels{
    Label{"wte.weight", "Embedding"},
    Label{"wpe.weight", "Positions"},
    Label{"wtt.weight", "Token types"},
    Label{"crossattention.q_attn.weight", "Cross Q"},
    Label{"crossattention.c_attn.weight", "Cross K V"},
    Label{"crossattention.c_proj.weight", "Cross out"},
    Label{"attn.c_attn.weight", "Q K V"},
    Label{"attn.c_proj.weight", "Out"},
    Label{"mlp.c_fc.weight", "MLP in"},
    Label{"mlp.c_proj.weight", "MLP out"},
    Label{"head.c_fc.weight", "MLM head"},
    Label{"lm_head.weight", "Unembedding"},
};

// The part of a name behind its block: "attn.c_attn.weight".
std::string_view insideBlock(std::string_view name) {
  const auto block = name.find("h.");
  if (block == std::string_view::npos || (block > 0 && name[block - 1] != '.')) return name;
  const auto dot = name.find('.', block + 2);
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

}  // namespace

std::vector<WeightName> weightsToWatch(const Workspace& workspace, const ModelConfig& config) {
  const int layer = std::clamp(workspace.selection.layer, 0, config.layers - 1);
  const std::string block = "h." + std::to_string(layer) + ".";
  std::vector<WeightName> weights;
  for (const ParameterSpec& spec : parameterSpecs(config)) {
    const bool inside = spec.name.starts_with("h."), ours = !inside || spec.name.starts_with(block);
    if (spec.extent.size() != 2 || !ours || spec.name.starts_with("encoder.")) continue;
    for (const Label& label : labels)
      if (spec.name.ends_with(label.ending)) {
        weights.push_back({label.label, spec.name});
        break;
      }
  }
  return weights;
}

std::string watchedWeight(const Workspace& workspace, const ModelConfig& config) {
  const std::vector<WeightName> weights = weightsToWatch(workspace, config);
  const std::string_view chosen = insideBlock(workspace.settings.training.weight);
  for (const WeightName& each : weights)
    if (!chosen.empty() && insideBlock(each.weight) == chosen) return each.weight;
  for (const WeightName& each : weights)
    if (each.weight.starts_with("h.")) return each.weight;
  return weights.empty() ? "" : weights.front().weight;
}

}  // namespace glassformer
