#pragma once
#include <string>
#include <vector>

#include "app/document/steps.h"
#include "app/drawing/scene_input.h"

namespace glassformer {

/// What rows or columns of an operand run along: the rows or columns of the result, what is summed over, or
/// the rows of a table, of which each row of the result is one.
enum class Along { Nothing, Row, Column, Inner, Table };

/// A matrix that a step reads, as its equation writes it; or, without a plane, an operation that takes no
/// matrix: "/ √K".
struct StepOperand {
  TensorRef plane;
  Along rows = Along::Nothing, columns = Along::Nothing;
  std::string sign;       ///< before it: "·", "+"
  std::string symbol;     ///< "W_Q"
  bool wholeRow = false;  ///< a number of the result is made of all of its row
  int firstColumn = 0;    ///< of the result, where it stands for a part of its columns
  int rowsAhead = 0;      ///< which row row t of the result is made of: t + rowsAhead, as far as it is there
  std::vector<int> reads = {};  ///< of a table: which of its rows row t of the result is, reads[t]

  /// The row of its plane that row `ofResult` of the result is made of; beside the text where none is.
  int rowFor(int ofResult) const;
};

/// A step as an equation between matrices: result = function(operands).
struct StepEquation {
  std::vector<StepOperand> operands;  ///< empty where the step has no matrices to draw
  std::string function;               ///< "gelu"; mostly empty
  float cap = 0;                      ///< of c tanh(x / c), which is the function then; 0: it is another
  StepOperand result;

  /// Of the result, where a part of very many columns is shown.
  int firstColumn() const {
    return result.plane.index[static_cast<std::size_t>(result.plane.columnDimension)];
  }

  char row = 'T', column = 'D', inner = ' ';  ///< dimension letters of rows, columns and what is summed over
};

/// Of attention its stages (core/lens/attention_stages.h); of all other steps what the operation says that
/// made its numbers. `result`: the plane that the step shows.
StepEquation equationOf(const SceneInput& input, const Step& step, const TensorRef& result);

}  // namespace glassformer
