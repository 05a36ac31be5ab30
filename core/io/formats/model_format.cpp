#include "core/io/formats/model_format.h"

#include <algorithm>

namespace glassformer {
namespace {

const StoredNames* called(const std::vector<StoredNames>& names, std::string_view ours) {
  const auto found = std::ranges::find(names, ours, &StoredNames::ours);
  return found == names.end() ? nullptr : &*found;
}

}  // namespace

std::vector<StoredPiece> piecesOf(const ModelFormat& format, const ModelConfig& config,
                                  const ParameterSpec& parameter) {
  // "h.3.attn.c_attn.weight": the layer's place, the name there, and which of its two tensors.
  const std::string& whole = parameter.name;
  const std::size_t inside = whole.starts_with("h.") ? whole.find('.', 2) + 1 : 0;
  const std::size_t ending = whole.rfind('.');
  const std::string ours = whole.substr(inside, ending - inside);
  const auto& table = inside > 0 ? format.inBlock : format.outside;
  if (const StoredNames* one = called(table, whole)) return {{one->theirs.front(), parameter.extent.back()}};
  const StoredNames* names = called(table, ours);
  if (!names) return {{whole, parameter.extent.back()}};

  const std::string place = inside > 0 ? format.layers + whole.substr(2, inside - 2) : "";
  const auto count = static_cast<int>(names->theirs.size());
  std::vector<StoredPiece> pieces;
  for (const std::string& theirs : names->theirs)
    pieces.push_back({place + theirs + whole.substr(ending), parameter.extent.back() / count});
  if (ours == "attn.c_attn" && count == 3) {
    const AttentionColumns columns = selfAttentionColumns(config);
    pieces[0].columns = columns.query, pieces[1].columns = columns.key, pieces[2].columns = columns.value;
  }
  return pieces;
}

}  // namespace glassformer
