#pragma once
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace glassformer {

struct Snapshot;

/// Numbers of a view with what its rows and columns count: what goes into a CSV or NPY file.
struct NumberTable {
  std::string tensor;  ///< name of the tensor, "blocks.0.attn.hook_pattern"
  std::string part;    ///< which of its planes, as letters with indices from 0: "H2"; empty: no choice
  std::string meaning;
  Tensor values;       ///< [rows, columns]
  std::string corner;  ///< what rows and columns count, by the tensor's letters: "T\S"
  std::vector<std::string> rows, columns;

  std::string side;  ///< "other" or "difference", where two texts are compared

  /// "blocks.0.attn.hook_pattern.H2": distinct for each table of a figure, and fit for a file's name.
  std::string name() const {
    return (side.empty() ? "" : side + ".") + tensor + (part.empty() ? "" : "." + part);
  }
};

/// Every tensor plane that the scene's shapes draw, once, the one drawn largest first. Rows of one tensor
/// that stand below each other as pictures of their own come as one table, and so do the cells of a plane
/// that is drawn cell by cell, in the order in which it is; marks of a plane or space in the tensor's order;
/// single cells (bars, ribbons) that no plane holds come as a table of one column. Rows and columns over
/// positions are labelled with the snapshot's tokens, those over the vocabulary with its entries, others with
/// their index.
std::vector<NumberTable> numberTables(const Scene& scene, const Snapshot& snapshot);

}  // namespace glassformer
