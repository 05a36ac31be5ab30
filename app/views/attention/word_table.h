#pragma once
#include <vector>

#include "app/views/attention/word_rows.h"

namespace glassformer {

/// The columns of the picture of one word: the keys that find room, in the order of the text, and at the end
/// one for all others together.
struct WordColumns {
  WordColumns() = default;
  /// As many of the first keys of an order as the area has room for; all where that is enough.
  WordColumns(const std::vector<int>& order, const Box& area, float least);

  std::vector<int> keys;  ///< the shown ones
  int others = 0;         ///< how many find no room
  float left = 0, width = 0;

  int shown() const { return static_cast<int>(keys.size()); }
  int count() const { return shown() + (others > 0 ? 1 : 0); }
  int key(int column) const { return keys[static_cast<std::size_t>(column)]; }
  /// The column of a key; −1: it is among the others.
  int columnOf(int key) const;
  /// What a column takes of a row; column shown() is that of the others.
  Box cell(int column, const Box& row) const {
    return {left + static_cast<float>(column) * width, row.y, width, row.height};
  }
  /// The columns of all shown keys together, and with the others.
  Box ofKeys(const Box& row) const { return {left, row.y, width * static_cast<float>(shown()), row.height}; }
  Box all(const Box& row) const { return {left, row.y, width * static_cast<float>(count()), row.height}; }
};

/// The rows and columns of that picture, and where they stand.
struct WordTable {
  WordTable(AttentionPicture& of, int asking) : picture(of), query(asking), rows(wordRows(of, asking)) {}

  AttentionPicture& picture;
  int query;
  std::vector<WordRow> rows;
  WordColumns columns;
  std::vector<Box> boxes;  ///< of each row
  Box labels;

  /// The query's own column, where its token is a key too.
  int queryColumn() const;
  /// Of one column of a row, or of all of them, column −1; a vector of the query has one place alone.
  Box boxOf(std::size_t row, int column) const;
  /// What stands quietly behind the label of a row, and where.
  std::string besideOf(const WordRow& row) const;
  Box besideBox(std::size_t row) const;
  TextStyle labelStyle(const WordRow& row) const;
  TextStyle besideStyle() const { return picture.theme.quietMono(); }
  /// How wide labels are with what stands behind them.
  float labelsWidth() const;
  /// What the bars and colours of a row of vectors reach to on both sides of zero: values, weighted ones and
  /// their sum have one scale.
  Range rangeOfRow(const WordRow& row) const;
  /// The numbers of a row for the keys without a column; empty where all have one, or nothing is known of
  /// them.
  TensorRef restOf(const WordRow& row) const;
  float widthOf(const std::string& words, const TextStyle& style) const {
    return picture.input.metrics.width(words, style.face, style.size);
  }
};

}  // namespace glassformer
