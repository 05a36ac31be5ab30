#include "app/cli/head_option.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "app/drawing/place_names.h"
#include "core/text/utf8.h"

namespace glassformer {

Status chooseHead(Selection& selection, const std::string& head) {
  std::string_view numbers = head;
  for (const auto& [name, site] : {std::pair{"dec.", AttentionSite::Decoder},
                                   {"enc.", AttentionSite::Encoder},
                                   {"cross.", AttentionSite::Cross}})
    if (numbers.starts_with(name))
      selection.site = site, numbers.remove_prefix(std::string_view(name).size());
  int layer = 0, number = 0;
  char rest = 0;
  const std::string written(numbers);
  const bool isHead = std::sscanf(written.c_str(), "%d.%d%c", &layer, &number, &rest) == 2 ||
                      std::sscanf(written.c_str(), "L%dH%d%c", &layer, &number, &rest) == 2;
  if (!isHead || layer < 0 || number < 0)
    return Error{inQuotes(head) + " is not a head", "--head",
                 "BLOCK.HEAD, counted from 0, such as 2.0, or cross.2.0 in an encoder-decoder"};
  selection.layer = layer, selection.head = number;
  return success();
}

Status checkHead(const Selection& selection, const ModelConfig& config) {
  const std::vector<AttentionSite> sites = sitesOf(config);
  const bool isThere = selection.site == AttentionSite::Self || std::ranges::count(sites, selection.site) > 0;
  const bool has = config.hasAttention() && isThere && selection.layer < blocksAt(config, selection.site) &&
                   selection.head < config.heads;
  if (has) return success();
  return Error{"the model has no such head", "--head", blocksWords(config)};
}

}  // namespace glassformer
