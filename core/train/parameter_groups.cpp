#include "core/train/parameter_groups.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace glassformer {
namespace {

// In passing order: what comes first, and inside that the number of the block.
struct Place {
  enum Part { Embedding, Encoder, Block, Unembedding } part = Embedding;
  int block = 0;
  auto operator<=>(const Place&) const = default;
};

Place placeOf(std::string_view name) {
  constexpr std::string_view encoder = "encoder.", block = "h.";
  const bool encodes = name.starts_with(encoder);
  if (encodes) name.remove_prefix(encoder.size());
  if (name.starts_with(block)) {
    name.remove_prefix(block.size());
    Place place{encodes ? Place::Encoder : Place::Block};
    std::from_chars(name.data(), name.data() + name.size(), place.block);
    return place;
  }
  const bool isBehind = name.starts_with("ln_f") || name.starts_with("head.") ||
                        name.starts_with("lm_head.") || name.starts_with("score.");
  return {isBehind ? Place::Unembedding : Place::Embedding};
}

std::string groupName(const Place& place, bool encodes) {
  switch (place.part) {
    case Place::Embedding:
      return "embedding";
    case Place::Encoder:
      return "encoder " + std::to_string(place.block);
    case Place::Block:
      return (encodes ? "decoder " : "block ") + std::to_string(place.block);
    case Place::Unembedding:
      return "unembedding";
  }
  return "";
}

}  // namespace

ParameterGroups parameterGroups(const Parameters& parameters) {
  std::map<Place, std::vector<int>> places;
  for (int i = 0; i < parameters.count(); ++i) places[placeOf(parameters.spec(i).name)].push_back(i);
  const bool encodes =
      std::ranges::any_of(places, [](const auto& entry) { return entry.first.part == Place::Encoder; });
  ParameterGroups groups;
  groups.of.resize(static_cast<std::size_t>(parameters.count()));
  for (const auto& [place, members] : places) {
    for (const int i : members) groups.of[static_cast<std::size_t>(i)] = groups.count();
    groups.names.push_back(groupName(place, encodes));
  }
  return groups;
}

}  // namespace glassformer
