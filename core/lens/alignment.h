#pragma once
#include <span>
#include <vector>

namespace glassformer {

/// Which token of one text stands for which of another. A column is a pair of positions; a text that has
/// nothing there has -1. Columns follow the order of both texts.
struct Alignment {
  struct Column {
    int a = -1, b = -1;
    bool operator==(const Column&) const = default;
  };
  std::vector<Column> columns;

  int count() const { return static_cast<int>(columns.size()); }
  const Column& operator[](int column) const { return columns[static_cast<std::size_t>(column)]; }
  /// The column of a position of text a (or b); -1 for none.
  int columnOfA(int position) const;
  int columnOfB(int position) const;
};

/// Keeps a longest common subsequence together (Wagner and Fischer 1974, with insertions and deletions only);
/// what differs between two kept tokens is paired in order, as far as both texts have some: a replaced word
/// stands beside the word that it replaces.
Alignment align(std::span<const int> a, std::span<const int> b);

}  // namespace glassformer
