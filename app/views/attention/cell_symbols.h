#pragma once
#include <string>

#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// "₁₂"
std::string subscript(int number);

/// An equation of scores for one query and key, as it is written on a board: of "q · kᵀ / √K − m |t − s|",
/// "q₂·k₁/√K − m |2 − 1|". Positions are counted from 0, as everywhere.
std::string ofCell(const std::string& equation, int query, int key);

/// Whether cells of the matrix say what they are instead of how much, and the choice of that; none where the
/// text has too many tokens for it, or where rows are not one head's own.
bool showsSymbols(const AttentionPicture& picture, const AttentionPlane& plane);
std::vector<Choice> symbolChoice(const AttentionPicture& picture, const AttentionPlane& plane);

/// In every cell what it is: "q₂·k₁/√K" in one line or two, without room for it "s₂₁"; "A₂₁"; "−∞" and 0
/// where the mask forbids.
void addCellSymbols(AttentionPicture& picture, const AttentionPlane& plane, const Matrix& matrix);

}  // namespace glassformer
