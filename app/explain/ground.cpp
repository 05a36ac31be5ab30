#include "app/explain/ground.h"

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
                           counted = "Counted: of the text, or of what the model's config says.",
                           seed = "Drawn: a random number of the seed, whatever the model says.",
                           chosen = "Chosen above the picture.",
                           alike =
                               "Counted: how many of the samples are this one, each drawn by a seed of its "
                               "own; they are not kept one by one.",
                           judged =
                               "Counted in texts that no model has seen, which are not kept: "
                               "how often the next one was right.";
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
