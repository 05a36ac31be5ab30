#pragma once
#include <filesystem>
#include <span>
#include <string>

#include "app/document/figure_recipe.h"
#include "app/drawing/number_tables.h"
#include "app/engine/question.h"
#include "core/result.h"

namespace glassformer {

/// The tables of a figure as files of numbers. Each file but an NPY carries the question that its numbers
/// answer, and in it what made them, so that `glassformer render FILE` makes them again.
struct AskedNumbers {
  Question question;
  std::string recipe;  ///< one line of JSON, see toJsonLine()
};

/// Comma-separated values: the question in lines that begin with #, then what the columns count, then of each
/// row what it counts and its values.
std::string csvTable(const NumberTable& table, const AskedNumbers& asked);

/// One JSON object: the tensor's name and meaning, what rows and columns count by their letters, their
/// labels, the values row by row, null for NaN and infinities, and the question.
std::string jsonTable(const NumberTable& table, const AskedNumbers& asked);

/// The values alone, for numpy.load.
std::string npyTable(const NumberTable& table, const AskedNumbers& asked);

/// NumPy's archive: every table under its name, and the bytes of question.json.
Status writeNpz(const std::filesystem::path& file, std::span<const NumberTable> tables,
                const AskedNumbers& asked);

/// What made the numbers of a CSV, JSON or NPZ file, or a picture. Fails where the file does not say.
Result<FigureRecipe> recipeOfFile(const std::filesystem::path& file);

}  // namespace glassformer
