#include "core/io/formats/model_format.h"

#include <algorithm>

namespace glassformer {
namespace {

const StoredNames* called(const std::vector<StoredNames>& names, std::string_view ours) {
  const auto found = std::ranges::find(names, ours, &StoredNames::ours);
  return found == names.end() ? nullptr : &*found;
}

// Where the name of a parameter is looked up: "h.3.attn.c_attn.weight" is "attn.c_attn.weight" in a block.
struct NamePlace {
  const std::vector<StoredNames>& table;
  std::string before, name;  // what stands before the name in the file: "model.layers.3."
};
NamePlace placeOfName(const ModelFormat& format, const std::string& whole) {
  const bool ofEncoder = !format.encoderLayers.empty() && whole.starts_with("encoder.h.");
  const std::size_t number = ofEncoder ? 10 : 2;
  if (!ofEncoder && !whole.starts_with("h.")) return {format.outside, "", whole};
  const std::size_t inside = whole.find('.', number) + 1;
  return {ofEncoder ? format.inEncoder : format.inBlock,
          (ofEncoder ? format.encoderLayers : format.layers) + whole.substr(number, inside - number),
          whole.substr(inside)};
}

}  // namespace

std::vector<StoredPiece> piecesOf(const ModelFormat& format, const ModelConfig& config,
                                  const ParameterSpec& parameter) {
  const auto [table, before, name] = placeOfName(format, parameter.name);
  const std::size_t ending = name.rfind('.');
  const std::string ours = name.substr(0, ending);
  if (const StoredNames* one = called(table, name))
    return {{(one->once ? "" : before) + one->theirs.front(), parameter.extent.back()}};
  const StoredNames* names = called(table, ours);
  if (!names) return {{parameter.name, parameter.extent.back()}};

  const bool isPlain = !config.hasGatedMlp() && !names->ungated.empty();
  const std::vector<std::string>& all = isPlain ? names->ungated : names->theirs;
  const auto count = static_cast<int>(all.size());
  std::vector<StoredPiece> pieces;
  for (const std::string& theirs : all)
    pieces.push_back({before + theirs + name.substr(ending), parameter.extent.back() / count});
  if (ours == "attn.c_attn" && count == 3) {
    const AttentionColumns columns = selfAttentionColumns(config);
    pieces[0].columns = columns.query, pieces[1].columns = columns.key, pieces[2].columns = columns.value;
  }
  return pieces;
}

}  // namespace glassformer
