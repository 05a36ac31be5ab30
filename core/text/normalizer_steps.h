#pragma once
#include <utf8proc.h>

#include "core/text/normalizer.h"

namespace glassformer {

/// The steps of a Normalizer that Unicode defines, and BERT's.

/// Unicode's normal forms (UAX #15): NFC, NFD, NFKC or NFKD, by utf8proc's options.
Normalizer::Step normalForm(int options);
/// Every character by itself: the end of a word makes no other sigma.
void writeInSmall(AlignedText& text);
/// Removes marks: all (M*), or those that take no space (Mn).
void removeMarks(AlignedText& text);
void removeNonspacingMarks(AlignedText& text);
/// Takes white space off the ends.
Normalizer::Step stripSpace(bool left, bool right);
/// SentencePiece's rules for control characters and spaces of machine translation.
void writeSpacesOfNmt(AlignedText& text);

/// What BERT's tokenizers do (Devlin et al. 2018, their published tokenizer): control characters go, white
/// space becomes a space.
void cleanText(AlignedText& text);
/// Spaces around Chinese characters.
void partChinese(AlignedText& text);

/// Whether a text in Chinese characters is written without spaces at this one: the blocks of ideographs that
/// BERT's tokenizers know.
bool isChinese(char32_t value);

}  // namespace glassformer
