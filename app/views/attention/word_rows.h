#pragma once
#include <string>
#include <vector>

#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// What a row of the picture of one word holds.
enum class WordRowKind {
  Query,   ///< one vector, of the query
  Keys,    ///< a vector for every key
  Scores,  ///< a number for every key
  Output,  ///< one vector as wide as the stream
};

/// A step of attention for one query: what stands left of it, where its numbers are, and which rows above
/// they are made of.
struct WordRow {
  WordRowKind kind = WordRowKind::Scores;
  std::string name;       ///< "products": of its hit region
  std::string label;      ///< "q · k"
  std::string beside;     ///< quietly behind the label: "= 8"; with `number`, what stands before that
  TensorRef values;       ///< one row of numbers, or with Keys a plane [S, K]
  TensorRef number = {};  ///< of the whole row: its sum
  std::string rest = {};  ///< [Z] or [Z, K]: of keys that find no room, see core/lens/one_query.h; else empty
  Rgba color = {};        ///< of vectors, and of their label
  bool isShare = false;
  bool isOfValues = false;  ///< values, weighted or summed
  /// The rows that each number is made of: of the same key, or of all keys.
  struct Operand {
    std::size_t row = 0;
    bool ofAllKeys = false;
  };
  std::vector<Operand> madeOf = {};

  bool isVector() const { return kind != WordRowKind::Scores; }
};

/// The rows of the selected head for a query, in the order in which this model computes them: what it has
/// neither of, such as a scale, a mask or a W_O, has no row.
std::vector<WordRow> wordRows(const AttentionPicture& picture, int query);

}  // namespace glassformer
