#include "app/explain/leaf_reasons.h"

#include <algorithm>
#include <array>

namespace glassformer {

namespace {

// Tensors that begin so.
struct Ground {
  std::string_view begins, words;
};
constexpr std::string_view clock = "Measured by this machine's clock: another run takes another time.",
                           size =
                               "A size that is counted: of the model's config, or chosen above the picture.",
                           counted = "A count from the text or the model's config.",
                           seed = "A random number from the seed.", chosen = "Chosen above the picture.",
                           alike = "A count of samples, each with its own seed; single samples are not kept.",
                           judged = "Accuracy on new texts, which are not kept.";
constexpr std::array grounds{
    Ground{"cost.seconds", clock},
    Ground{"cache.seconds", clock},
    Ground{"cost.size_", size},
    Ground{"cost.width", size},
    Ground{"cost.head_width", size},
    Ground{"cost.tokens", size},
    Ground{"cache.multiply_adds_", counted},
    Ground{"cache.numbers", counted},
    Ground{"cache.rows", counted},
    Ground{"cache.reused", counted},
    Ground{"drafting.round", counted},
    Ground{"lens.sampling_draw", seed},
    Ground{"drafting.u", seed},
    Ground{"samples.count", alike},
    Ground{"positions.shift_distance", chosen},
    Ground{"positions.bench", judged},
};

}  // namespace

std::string groundWords(std::string_view tensor) {
  const auto found =
      std::ranges::find_if(grounds, [&](const Ground& ground) { return tensor.starts_with(ground.begins); });
  return found == grounds.end() ? "" : std::string(found->words);
}

}  // namespace glassformer
