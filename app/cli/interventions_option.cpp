#include "app/cli/interventions_option.h"

#include <functional>

#include "app/engine/causal_map.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

std::vector<ModelPart> everyPart(const ModelConfig& config) {
  std::vector<ModelPart> parts;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < causalColumns(config); ++column)
      if (const auto part = causalPart(config, row, column)) parts.push_back(*part);
  return parts;
}

// The one that is called so: "L2H3" is the head L2H3, too.
Result<ModelPart> partCalled(const std::vector<ModelPart>& parts, const std::string& name,
                             const char* option) {
  std::string known;
  for (const ModelPart& part : parts) {
    const std::string own = nameOf(part);
    if (own == name || own == "head " + name) return part;
    known += (known.empty() ? "" : ", ") + own;
  }
  return Error{"the model has no " + inQuotes(name), option, "one of " + excerpt(known, 160)};
}

}  // namespace

Result<Interventions> parseInterventions(const ModelConfig& config, const std::vector<std::string>& off,
                                         const std::vector<std::string>& argmax) {
  Interventions all;
  std::vector<ModelPart> parts = everyPart(config);
  for (const std::string& name : off) {
    const auto part = partCalled(parts, name, "--off");
    if (!part) return part.error();
    all.push_back(switchedOff(*part));
  }
  std::erase_if(parts, [](const ModelPart& part) { return part.kind != ModelPart::Kind::Head; });
  for (const std::string& name : argmax) {
    const auto head = partCalled(parts, name, "--argmax");
    if (!head) return head.error();
    all.push_back(hardened({head->layer, head->head, head->site}));
  }
  return all;
}

}  // namespace glassformer
