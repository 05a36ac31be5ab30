#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/text/tokenizer.h"

namespace glassformer {

/// The tokenizer of a toy model that has words alone, `words[id]`: a text is cut at spaces. Of what is no
/// word
/// `<unk>` or `[UNK]` stands, where one is among them, else nothing. Refuses a repeated word; `where` names
/// the file.
Result<std::shared_ptr<const Tokenizer>> wordListTokenizer(const std::vector<std::string>& words,
                                                           const std::string& where);

/// "0", "1", …: texts are written as ids, for a model that comes without a tokenizer.
std::vector<std::string> idsAsWords(int vocabulary);

}  // namespace glassformer
