#include "core/train/tasks/piece_table.h"

#include "core/text/pre_tokenizer.h"

namespace glassformer {

PieceTable::PieceTable(const Tokenizer& tokenizer, std::string_view sample)
    : tokenizer_(tokenizer), sample_(sample) {
  for (std::string_view piece : splitIntoPieces(sample_))
    if (const auto [entry, isNew] = tokens_.try_emplace(piece); isNew)
      entry->second = tokenizer.encodeIds(piece);
}

std::vector<int> PieceTable::encodeIds(std::string_view text) const {
  std::vector<int> ids;
  for (std::string_view piece : splitIntoPieces(text)) {
    const auto known = tokens_.find(piece);
    const auto& tokens = known != tokens_.end() ? known->second : tokenizer_.encodeIds(piece);
    ids.insert(ids.end(), tokens.begin(), tokens.end());
  }
  return ids;
}

}  // namespace glassformer
