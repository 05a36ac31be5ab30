#pragma once
#include <memory>
#include <vector>

#include "core/tensor/aligned_vector.h"
#include "core/tensor/team.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// A tensor on a tape: either a table of rows, one per token ([B·T, width]), or square, one matrix per
/// sequence and head
/// ([B, H, T, S]). Columns of a table (the queries inside the fused q, k, v) are values too.
struct Value {
  float* data = nullptr;
  int width = 0;              ///< rows: columns; square: heads
  std::ptrdiff_t stride = 0;  ///< floats from row to row
  bool square = false;
  int id = -1;                ///< which gradient
  int root = -1;              ///< the value whose memory this is
  std::ptrdiff_t column = 0;  ///< first column in the root
};

/// How many rows there are, and where the squares lie. Row (b, t) of a table is b · capacity + t.
struct Extent {
  int sequences = 1;  ///< B
  int capacity = 0;   ///< rows per sequence that have memory
  int positions = 0;  ///< T, rows per sequence in use
  /// Normally row t of a square holds keys 0..t and the rest is known: -inf before the softmax, 0 after. True
  /// when an intervention may have put something else there: then whole rows are computed.
  bool wholeRows = false;

  int rows() const { return sequences * capacity; }
};

/// What one worker computes of an operation.
struct Work {
  int rowBegin = 0,
      rowEnd = 0;              ///< Domain::Rows: rows of the table; Domain::Heads: positions of the sequence
  int sequence = 0, head = 0;  ///< Domain::Heads only
  int part = 0, parts = 1;     ///< which share of the columns, for operations that split them
};

/// The gradient of the loss with respect to a value, while the tape runs backward.
struct Gradient {
  Value value;
  float* data = nullptr;    ///< same layout as value.data; null when nobody asks for it
  bool accumulate = false;  ///< inputs: another operation has already written its share
};

/// One step of the computation, with its derivative beside it.
class Operation {
 public:
  /// Rows: each row of the result needs only the same row of the operands. Heads: each (sequence, head, row)
  /// needs all rows of the operands, so everybody has to be done with those.
  enum class Domain { Rows, Heads };

  virtual ~Operation() = default;
  virtual Domain domain() const { return Domain::Rows; }
  virtual bool splitsColumns() const { return false; }
  virtual void forward(const Work& work) = 0;
  /// Adds this operation's share to the gradients of its operands, from the gradient of its result, for all
  /// rows.
  virtual void backward() {}
  virtual std::vector<Gradient*> operands() { return {}; }
  virtual Gradient* result() { return nullptr; }
};

/// A recorded computation: operations in order, and the memory of every value. The model writes its forward
/// pass onto a tape once; running it forward again with other tokens, or from a later row on, costs no
/// allocation. Read backward it gives gradients.
class Tape {
 public:
  Tape(int sequences, int capacity);
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Recording.
  Value rows(int width);
  Value squares(int heads, float fill);
  Value columns(const Value& table, int begin, int width);
  template <typename T>
  T& add(std::unique_ptr<T> operation) {
    operations_.push_back(std::move(operation));
    return static_cast<T&>(*operations_.back());
  }
  int operationCount() const { return static_cast<int>(operations_.size()); }

  /// Tokens of the rows; operations read them while the tape runs.
  std::vector<int>& tokens() { return tokens_; }
  const Extent& extent() const { return extent_; }
  void setPositions(int positions) { extent_.positions = positions; }
  void setWholeRows(bool wholeRows) { extent_.wholeRows = wholeRows; }
  /// Writes every square's fill value again.
  void refillSquares();

  /// Runs the operations for positions [first, positions) of every sequence. Bits do not depend on the team's
  /// size.
  void forward(Team& team, int first = 0);
  /// Runs all rows on the calling thread.
  void forward();
  /// Runs the operations in reverse, on the calling thread. Needs planBackward() once before.
  void backward();
  /// Gives every value that needs one a gradient, sharing memory between those that do not live at the same
  /// time.
  void planBackward();

 private:
  struct Square {
    float* data;
    std::size_t size;
    float fill;
  };
  struct Group {  // operations of one domain in a row
    Operation::Domain domain;
    std::size_t begin, end;
  };
  float* allocate(std::size_t floats, float fill);
  void runTogether(Team& team, int worker, int first);
  void runFewRows(Team& team, int worker, int first);
  void runRows(const Group& group, int begin, int end);
  void runHeads(const Group& group, int first, int worker, int workers);
  void group();

  Extent extent_;
  std::vector<int> tokens_;
  std::vector<std::unique_ptr<Operation>> operations_;
  std::vector<Group> groups_;
  std::vector<AlignedVector> memory_;
  std::vector<Square> squares_;
  std::vector<std::size_t> sizes_;  // of each root value, in floats; 0 for columns
  std::vector<int> heads_;          // of each Heads group's squares
};

/// The memory of one weight: its values, and where its gradient is summed (null when it is not trained).
struct Weight {
  const float* value = nullptr;
  float* gradient = nullptr;
  int rows = 0, columns = 0;  ///< a vector has one row
};

}  // namespace glassformer
