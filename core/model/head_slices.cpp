#include "core/model/head_slices.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace glassformer {
namespace {

// Numbers of one parameter that belong to heads side by side: `count` heads, `size` numbers apart from each
// other inside a line of `stride`, of which there are `lines`.
struct Slices {
  std::size_t begin = 0;
  int heads = 0, size = 0, lines = 0;
  std::size_t stride = 0;

  std::size_t at(int head, int line, int i) const {
    return begin + static_cast<std::size_t>(line) * stride + static_cast<std::size_t>(head * size + i);
  }
};

using Visit = std::function<void(const Slices&)>;

// Columns of a fused projection that `heads` heads share evenly.
void visitColumns(const ParameterSpec& spec, int first, int columns, int heads, const Visit& visit) {
  if (columns == 0) return;
  const bool isMatrix = spec.extent.size() == 2;
  const int width = spec.extent.back();
  visit({static_cast<std::size_t>(first), heads, columns / heads, isMatrix ? spec.extent[0] : 1,
         static_cast<std::size_t>(width)});
}

// All that belongs to heads in a parameter, counted from its first number.
void visitSlices(const ModelConfig& config, const ParameterSpec& spec, const Visit& visit) {
  const std::string& name = spec.name;
  const auto is = [&](const char* part) { return name.find(part) != std::string::npos; };
  const bool across = is(".crossattention.");
  if (!config.hasAttention() || (!across && !is(".attn."))) return;
  const AttentionColumns columns = across ? crossAttentionColumns(config) : selfAttentionColumns(config);
  const int heads = config.heads, shared = config.valueHeads();
  if (is("q_attn.")) return visitColumns(spec, 0, columns.query, heads, visit);
  if (is("c_attn.")) {
    const int query = across ? 0 : columns.query;
    visitColumns(spec, 0, query, heads, visit);
    visitColumns(spec, query, columns.key, shared, visit);
    return visitColumns(spec, query + columns.key, columns.value, shared, visit);
  }
  const bool isOutput = is("c_proj.weight") && config.readout == Readout::ValuesAndOutput;
  const bool isOfScores = name.ends_with(".buckets") || name.ends_with(".distance");  // a row for every head
  if (!isOutput && !isOfScores) return;
  const int size = spec.extent[0] / heads * spec.extent[1];
  visit({0, heads, size, 1, static_cast<std::size_t>(heads) * static_cast<std::size_t>(size)});
}

}  // namespace

double headsApart(const ModelConfig& config, const Parameters& parameters) {
  double most = 0;
  for (int i = 0; i < parameters.count(); ++i) {
    const TensorView view = parameters.view(i);
    visitSlices(config, parameters.spec(i), [&](const Slices& slices) {
      for (int line = 0; line < slices.lines; ++line)
        for (int head = 1; head < slices.heads; ++head)
          for (int at = 0; at < slices.size; ++at) {
            const double apart = static_cast<double>(view.data[slices.at(head, line, at)]) -
                                 static_cast<double>(view.data[slices.at(0, line, at)]);
            if (!(std::abs(apart) <= most)) most = std::abs(apart);
          }
    });
  }
  return most;
}

void makeHeadsAlike(const ModelConfig& config, Parameters& parameters, float alike) {
  if (alike <= 0) return;
  const float own = std::sqrt(std::max(0.0f, 1 - alike * alike));
  for (int i = 0; i < parameters.count(); ++i) {
    float* values = parameters.values().data() + parameters.offset(i);
    visitSlices(config, parameters.spec(i), [&](const Slices& slices) {
      for (int line = 0; line < slices.lines; ++line)
        for (int head = 1; head < slices.heads; ++head)
          for (int at = 0; at < slices.size; ++at) {
            float& value = values[slices.at(head, line, at)];
            value = alike * values[slices.at(0, line, at)] + own * value;
          }
    });
  }
}

}  // namespace glassformer
