#include "app/drawing/head_choices.h"

#include "app/document/selection_commands.h"

namespace glassformer {

std::vector<Choice> neighbouringHeads(const ModelConfig& config, HeadId head) {
  const auto beside = [&](int by) {
    const int all = blocksAt(config, head.site) * config.heads,
              next = (head.layer * config.heads + head.head + by + all) % all;
    return commands::selectHead({next / config.heads, next % config.heads, head.site});
  };
  return {{"Head before", "the head before", false, beside(-1)},
          {"Head after", "the next head", false, beside(1)}};
}

}  // namespace glassformer
