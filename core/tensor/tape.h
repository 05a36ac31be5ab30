#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/aligned_vector.h"
#include "core/tensor/derivation.h"
#include "core/tensor/tensor.h"
#include "core/tensor/thread_pool.h"
#include "core/tensor/weight.h"

namespace glassformer {

/// Which tokens a row belongs to: the text that a model reads or writes, or, in an encoder-decoder, the
/// source that its encoder reads.
enum class Stream { Text, Source };

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
  Stream stream = Stream::Text;
  Stream keys = Stream::Text;  ///< squares: whose rows the columns stand for
  /// Squares: row t holds keys 0..t and the rest is known (-inf before the softmax, 0 after), unless the
  /// operation computes whole rows.
  bool triangular = false;
  /// Tables: row t was made from row t - 1 of the same table, so that whoever changes a row does so before
  /// the next one is computed. Its gradient is added to until the first row is done.
  bool recurrent = false;
};

/// Number j in row r of a table.
inline Cell cellOf(const Value& table, std::ptrdiff_t r, int j) { return table.data + r * table.stride + j; }

/// How many rows a stream has, and where they lie. Row (b, t) of a table is b · capacity + t.
struct Extent {
  int sequences = 1;  ///< B
  int capacity = 0;   ///< rows per sequence that have memory
  int positions = 0;  ///< T, rows per sequence in use
  /// Of each sequence, the tokens before the padding; empty: there is no padding.
  std::vector<int> lengths;

  int length(int sequence) const {
    return lengths.empty() ? positions : lengths[static_cast<std::size_t>(sequence)];
  }
  int rows() const { return sequences * capacity; }
};

/// What one worker computes of an operation.
struct Work {
  int rowBegin = 0,
      rowEnd = 0;              ///< Domain::Rows: rows of the table; else positions of the sequence
  int sequence = 0, head = 0;  ///< Domain::Heads only
  int part = 0, parts = 1;     ///< which share of the columns, for operations that split them
};

/// The gradient of the loss with respect to a value, while the tape runs backward.
struct Gradient {
  Value value;
  float* data = nullptr;    ///< same layout as value.data; null when nobody asks for it
  bool accumulate = false;  ///< inputs: another operation has already written its share
  /// Squares: only of the head that runs backward, [T, S], which stays in the cache from operation to
  /// operation.
  bool ofOneHead = false;
};

/// How an equation calls its operands.
struct OperandNames {
  std::function<std::string(Cell)> of;  ///< the operand that this number belongs to: "q", "W_Q"
  std::function<std::string()> before;  ///< what an operation in place writes over: "q · kᵀ / √K"
};

/// One step of the computation. It knows four things: what it computes (forward), its derivative (backward),
/// which numbers made one of its numbers (derive), and how that reads (equation).
class Operation {
 public:
  /// Rows: each row of the result needs only the same row of the operands. Heads: each (sequence, head, row)
  /// needs all rows of the operands, so everybody has to be done with those. Time: each row needs earlier
  /// rows of the operands or of what is computed beside it, so positions follow one another, and operations
  /// of the same run alternate at each; a position is computed for all sequences at once.
  enum class Domain { Rows, Heads, Time };

  /// `extent`: of the stream whose rows the result has.
  explicit Operation(const Extent& extent) : extent_(extent) {}
  virtual ~Operation() = default;
  const Extent& extent() const { return extent_; }
  virtual Domain domain() const { return Domain::Rows; }
  virtual bool splitsColumns() const { return false; }
  /// Whether workers had better split the columns of so many rows than take rows of their own.
  virtual bool sharesColumns(int /*rows*/, int /*workers*/) const { return false; }
  virtual void forward(const Work& work) = 0;
  /// The value that it writes over where it lies, by intervening; null: none.
  virtual const Value* changed() const { return nullptr; }
  /// True where an intervention may have put something above the diagonal of triangular squares: then whole
  /// rows of them are computed.
  void setWholeRows(bool wholeRows) { wholeRows_ = wholeRows; }
  /// Adds this operation's share to the gradients of its operands, from the gradient of its result, for all
  /// rows.
  virtual void backward() {}
  /// Domain::Heads: the same for one head of one sequence.
  virtual void backwardOf(int /*sequence*/, int /*head*/) {}
  /// Whether that heeds Gradient::ofOneHead.
  virtual bool takesOneHead() const { return false; }
  /// Domain::Time: the same for one position of every sequence, from the last to the first.
  virtual void backwardAt(int /*position*/) {}
  /// Multiply-adds of its matrix product, for the positions in use; 0 for what works number by number.
  virtual double multiplyAdds() const { return 0; }
  virtual std::vector<Gradient*> operands() { return {}; }
  virtual Gradient* result() { return nullptr; }
  /// The weight whose gradient it adds to in every number, if it can write over them as well.
  virtual Weight* weightOfAll() { return nullptr; }

  /// Whether `cell` is a number that this operation writes, other than by intervening.
  virtual bool makes(Cell /*cell*/) const { return false; }
  /// What made it; `before` says what made the number that an operation in place writes over.
  using Before = std::function<Derivation()>;
  virtual Derivation derive(Cell /*cell*/, const Before& before) const { return before(); }
  /// How the column of `cell` comes about, without the left side: "softmax(s)".
  virtual std::string equation(Cell /*cell*/, const OperandNames& names) const { return names.before(); }

 protected:
  /// Where a number stands: row of a table, or of one head's square.
  struct Place {
    int head = 0, row = 0, column = 0;
  };
  bool holds(const Value& value, Cell cell) const {
    const std::ptrdiff_t floats = (value.square ? value.width : 1) * extent_.rows() * value.stride;
    return cell >= value.data && cell < value.data + floats &&
           (value.square || (cell - value.data) % value.stride < value.width);
  }
  /// Of a number that the value holds; in a square of the first sequence.
  Place placeOf(const Value& value, Cell cell) const {
    const std::ptrdiff_t row = (cell - value.data) / value.stride;
    const int column = static_cast<int>((cell - value.data) % value.stride);
    if (!value.square) return {0, static_cast<int>(row), column};
    return {static_cast<int>(row / extent_.capacity), static_cast<int>(row % extent_.capacity), column};
  }

  const Extent& extent_;
  bool wholeRows_ = false;
};

/// Where a run of a tape starts.
struct TapeStart {
  std::array<int, 2> position{};  ///< the first one of each stream
  std::size_t operation = 0;      ///< what those before it gave is there already
};

/// A recorded computation: operations in order, and the memory of every value. The model writes its forward
/// pass onto a tape once; running it forward again with other tokens, or from a later row on, costs no
/// allocation. Read backward it gives gradients.
class Tape {
 public:
  /// `sourceCapacity`: rows per sequence of the source; 0 where there is none.
  Tape(int sequences, int capacity, int sourceCapacity = 0);
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  /// Before recording: a run drops the squares of each attention as soon as its result is there. They are
  /// what grows with the square of the text. Where one is asked for, the operations that made and changed it
  /// make it again, the same to the bit; it then stays until the next run.
  void dropSquares() { dropsSquares_ = true; }
  bool dropsSquares() const { return dropsSquares_; }
  /// How many bytes were made again since the last run.
  double madeBytes() const;
  /// Whether the square around the cell is there, so that materialize() takes no time. From any thread.
  bool isMade(Cell cell) const;
  /// Makes the square around the cell, if it was dropped. From any thread, while the tape does not run.
  void materialize(Cell cell) const;
  /// The same for as long as `look` takes, which asks for nothing else: what was not there is dropped again.
  void makeFor(Cell cell, const std::function<void()>& look) const;

  // Recording.
  Value rows(int width, Stream stream = Stream::Text);
  Value squares(int heads, float fill, bool triangular, Stream queries = Stream::Text,
                Stream keys = Stream::Text);
  Value columns(const Value& table, int begin, int width);
  /// Another value that is written where this one lies, whose numbers nobody reads any more then.
  Value over(const Value& value);
  template <typename T>
  T& add(std::unique_ptr<T> operation) {
    operations_.push_back(std::move(operation));
    return static_cast<T&>(*operations_.back());
  }
  /// What a tape of the same computation takes for rows of `capacity` tokens, of the source
  /// `sourceCapacity`, of each sequence: its tables, and its squares, which grow with the square of these.
  struct Bytes {
    double tables = 0, squares = 0;
    double all() const { return tables + squares; }
  };
  Bytes bytesFor(int sequences, int capacity, int sourceCapacity = 0) const;
  /// Takes over the rows of each stream from `begin` to before `end` from another tape of the same
  /// computation, both of one sequence.
  void copyRows(const Tape& other, std::array<int, 2> begin, std::array<int, 2> end);
  /// Multiply-adds of all operations of a domain.
  double multiplyAdds(Operation::Domain domain) const;
  int operationCount() const { return static_cast<int>(operations_.size()); }
  /// The first operation that writes where the value lies.
  std::size_t firstMakerOf(const Value& value) const;

  /// Tokens of the rows; operations read them while the tape runs.
  std::vector<int>& tokens(Stream stream = Stream::Text) { return tokens_[index(stream)]; }
  const Extent& extent(Stream stream = Stream::Text) const { return extents_[index(stream)]; }
  const Extent& extent(const Value& value) const { return extent(value.stream); }
  void setPositions(int positions, Stream stream = Stream::Text) {
    extents_[index(stream)].positions = positions;
  }
  void setLengths(std::span<const int> lengths, Stream stream) {
    extents_[index(stream)].lengths.assign(lengths.begin(), lengths.end());
  }
  /// Operations from this one on compute whole rows of triangular squares, those before it do not.
  void setWholeRows(std::size_t from);
  /// Writes the fill value again into every square that is made by this operation or a later one.
  void refillSquares(std::size_t from);

  /// Runs the operations from there on. Bits do not depend on the team's size.
  void forward(ThreadPool& team, const TapeStart& start = {});
  /// Runs all rows on the calling thread.
  void forward();
  /// Runs the operations in reverse, on the calling thread. Needs planBackward() once before. `adds`: to the
  /// gradients of all weights; else only to those that it does not start.
  void backward(bool adds = true);
  /// Gives every value that needs one a gradient, sharing memory between those that do not live at the same
  /// time. What no loss is made of needs none, and is passed over.
  void planBackward();
  /// How many bytes these take, on a tape of the same computation with room for so much (bytesFor()).
  double gradientBytesFor(int sequences, int capacity, int sourceCapacity = 0);
  /// Whether a run backward that does not add writes every number of this gradient of a weight anew, so that
  /// it need not be 0 before.
  bool startsGradient(const float* gradient) const;

  /// What made a number that lies in one of the tape's values; nothing for tokens' own and weights' numbers.
  std::optional<Derivation> derive(Cell cell) const { return deriveBefore(cell, operations_.size()); }
  /// How the values' columns come about: "q · kᵀ / √K". `name` says how a value or weight is called, by one
  /// of its numbers; what has no name stands there with its own equation.
  std::string equation(Cell cell, const std::function<std::optional<std::string>(Cell)>& name) const {
    return equationBefore(cell, operations_.size(), name);
  }

 private:
  struct Root {  // a value with memory of its own
    Value value;
    std::size_t size;
    float fill;
  };
  struct Dropped {  // a square that a run does not keep
    Value value;
    std::size_t size;
    float fill;
    std::size_t maker = 0;             // the first operation that writes it
    std::atomic<bool> isThere{false};  // all rows in use
  };
  struct Room {  // for sequences of so many rows
    int sequences;
    std::array<int, 2> capacity;  // by Stream
  };
  struct Group {  // operations of one domain and stream in a row
    Operation::Domain domain;
    const Extent* extent;
    std::size_t begin, end;
    int heads = 0;  // Domain::Heads: of the squares
  };
  // Rows that go through a run of operations together, while they are in the cache; and the same for
  // attention, which bounds how much of the masked half is computed.
  static constexpr int rowBlock = 128, queryBlock = 64;
  struct Stretch {  // of each stream, the positions that a run computes
    std::array<int, 2> begin{}, end{};
    int longest() const { return std::max(end[0] - begin[0], end[1] - begin[1]); }
  };
  struct Positions {
    int begin, end;
  };
  enum class Share { Rows, Columns, Heads, Time, Drop };  // what each part of a stage takes
  struct Stage {                                          // of a run of the team
    Share share;
    const Group* group;
    std::size_t begin, end;  // operations
    int parts;
  };
  static std::size_t index(Stream stream) { return static_cast<std::size_t>(stream); }
  Positions of(const Group& group, const Stretch& stretch) const {
    const auto stream = static_cast<std::size_t>(group.extent - extents_.data());
    return {stretch.begin[stream], stretch.end[stream]};
  }
  static double floatsOf(const Value& value, const Room& room);
  float* allocate(std::size_t floats, float fill);
  float* allocateUntouched(std::size_t floats);
  Dropped* droppedAt(Cell cell) const;
  void make(Dropped& square) const;
  void drop(Dropped& square) const;
  void drop(std::span<Dropped* const> squares) const;
  std::vector<Dropped*> squaresOf(std::size_t begin, std::size_t end) const;
  std::vector<Dropped*> makeSquaresOf(std::size_t begin, std::size_t end) const;
  struct GradientPlan;
  std::vector<bool> squaresOfOneHead() const;
  GradientPlan planGradients(const Room& room);
  void backward(const Group& group);
  void fillRows(const Group& group, int head, int begin, int end);
  bool isWrittenBy(const Value& value, Operation& operation) const;
  void copyRows(const Value& to, const Value& from, const Tape& other, int begin, int end);
  const Operation* lastMaker(Cell cell, std::size_t& end) const;
  std::optional<Derivation> deriveBefore(Cell cell, std::size_t end) const;
  std::string equationBefore(Cell cell, std::size_t end,
                             const std::function<std::optional<std::string>(Cell)>& name) const;
  using Groups = std::span<const Group>;
  void run(ThreadPool& team, Groups groups, const Stretch& stretch);
  void plan(Groups groups, const Stretch& stretch, int workers);
  void planRows(const Group& group, int rows, int workers);
  void planColumns(const Group& group, int workers);
  void runPart(const Stage& stage, Positions positions, int part);
  void runOperations(std::size_t first, std::size_t last, int begin, int end);
  void runHeads(const Group& group, Positions positions, int worker, int workers);
  void runTime(const Group& group, Positions positions);
  void runAlone(const Group& group, Positions positions, int rowEnd);
  void group();
  void chooseGroups(std::size_t firstOperation);

  std::array<Extent, 2> extents_;  // by Stream
  std::array<std::vector<int>, 2> tokens_;
  std::vector<std::unique_ptr<Operation>> operations_;
  std::vector<Group> groups_;
  std::vector<Group> run_;     // those of the run that is under way
  std::vector<Stage> stages_;  // of the team's share in it
  std::vector<int> parts_;     // of each of these
  std::vector<AlignedVector> memory_;
  std::vector<std::shared_ptr<float>> untouched_;
  std::vector<Root> roots_;
  std::vector<std::unique_ptr<Dropped>> dropped_;
  bool dropsSquares_ = false;
  std::size_t wholeFrom_ = SIZE_MAX;  // operations from this one on compute whole rows
  mutable std::mutex making_;         // of squares that were dropped
  std::vector<std::size_t> sizes_;    // of each root value, in floats; 0 for columns
  std::vector<Weight*> started_;      // by operations, each the first that runs backward on that weight
  std::array<std::size_t, 2> floatsPerPosition_{};
};

}  // namespace glassformer
