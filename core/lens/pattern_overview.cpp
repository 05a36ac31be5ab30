#include "core/lens/pattern_overview.h"

#include <algorithm>
#include <future>
#include <string>
#include <vector>

#include "core/model/point_names.h"

namespace glassformer {
namespace {

// Largest number of each square of `group` x `group` cells, along the queries first, side by side; the
// pattern is zero beyond its diagonal, unless an intervention wrote there.
void poolInto(const TensorView& pattern, int group, const MutableTensorView& pooled) {
  const int T = pattern.extent[0], G = pooled.extent[0];
  std::vector<float> largest(static_cast<std::size_t>(T));
  for (int q = 0; q < G; ++q) {
    std::ranges::fill(largest, 0.f);
    for (int t = q * group; t < std::min(T, (q + 1) * group); ++t) {
      const float* row = &pattern(t, 0);
      for (int s = 0; s < T; ++s) {
        float& known = largest[static_cast<std::size_t>(s)];
        known = std::max(known, row[s]);
      }
    }
    float* to = &pooled(q, 0);
    for (int g = 0; g < G; ++g)
      for (int s = g * group; s < std::min(T, (g + 1) * group); ++s)
        to[g] = std::max(to[g], largest[static_cast<std::size_t>(s)]);
  }
}

}  // namespace

void measurePatternOverview(const Trace& trace, const ModelConfig& config, TensorSet& measurements) {
  const int T = trace.tokenCount(), group = (T + overviewSize - 1) / overviewSize;
  if (group < 2 || !config.hasAttention()) return;
  int layers = 0;
  while (layers < config.layers && trace.contains(blockPoint(config, layers, "attn.hook_pattern"))) ++layers;
  if (layers == 0) return;
  const int G = (T + group - 1) / group;
  Tensor overview({layers, config.heads, G, G});
  // Patterns come from memory, for which two wait half as long as one.
  const auto poolEverySecond = [&](int first) {
    for (int layer = first; layer < layers; layer += 2)
      trace.lookAt(blockPoint(config, layer, "attn.hook_pattern"), [&](const TensorView& patterns) {
        for (int head = 0; head < config.heads; ++head)
          poolInto(patterns[head], group, overview.view()[layer][head]);
      });
  };
  auto others = std::async(std::launch::async, poolEverySecond, 1);
  poolEverySecond(0);
  others.get();
  measurements.add({"lens.pattern_overview", "LHGG",
                    "the largest share of attention among every " + std::to_string(group) + " queries and " +
                        std::to_string(group) + " keys",
                    "max A"},
                   std::move(overview));
}

}  // namespace glassformer
