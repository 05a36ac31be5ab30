// The squares of attention that a run drops: when they go, and how they come again where somebody looks at
// them. See Tape::dropSquares().
#include <algorithm>

#include "core/tensor/huge_pages.h"
#include "core/tensor/tape.h"

namespace glassformer {

Tape::Dropped* Tape::droppedAt(Cell cell) const {
  for (const auto& square : dropped_)
    if (cell >= square->value.data && cell < square->value.data + square->size) return square.get();
  return nullptr;
}

bool Tape::isMade(Cell cell) const {
  const Dropped* square = droppedAt(cell);
  return !square || square->isThere.load(std::memory_order_acquire);
}

void Tape::materialize(Cell cell) const {
  if (isMade(cell)) return;
  Dropped* square = droppedAt(cell);
  const std::lock_guard lock(making_);
  if (square->isThere) return;
  make(*square);
  square->isThere.store(true, std::memory_order_release);
}

void Tape::makeFor(Cell cell, const std::function<void()>& look) const {
  if (isMade(cell)) return look();
  Dropped* square = droppedAt(cell);
  const std::lock_guard lock(making_);
  if (square->isThere) return look();
  make(*square);
  look();
  drop(*square);
}

// Whole, from what it is made of; other squares among that are there no longer than this takes.
void Tape::make(Dropped& square) const {
  std::fill_n(square.value.data, square.size, square.fill);
  const int positions = extent(square.value).positions;
  for (const auto& operation : operations_) {
    if (!isWrittenBy(square.value, *operation)) continue;
    std::vector<Dropped*> before;
    for (const Gradient* operand : operation->operands())
      if (Dropped* each = droppedAt(operand->value.data); each && each != &square && !each->isThere)
        make(*before.emplace_back(each));
    for (int h = 0; h < square.value.width; ++h)
      for (int t = 0; t < positions; t += queryBlock)
        operation->forward({t, std::min(t + queryBlock, positions), 0, h});
    drop(before);
  }
}

// Its addresses stay: they say which operation makes a number.
void Tape::drop(Dropped& square) const {
  square.isThere = false;
  giveBackPages(square.value.data, square.size * sizeof(float));
}

void Tape::drop(std::span<Dropped* const> squares) const {
  for (Dropped* square : squares) drop(*square);
}

double Tape::madeBytes() const {
  double bytes = 0;
  for (const auto& square : dropped_)
    if (square->isThere) bytes += sizeof(float) * static_cast<double>(square->size);
  return bytes;
}

// Those that these operations make first.
std::vector<Tape::Dropped*> Tape::squaresOf(std::size_t begin, std::size_t end) const {
  std::vector<Dropped*> squares;
  for (const auto& square : dropped_)
    if (square->maker >= begin && square->maker < end) squares.push_back(square.get());
  return squares;
}

// What operations read of an earlier run, for as long as they need it.
std::vector<Tape::Dropped*> Tape::makeSquaresOf(std::size_t begin, std::size_t end) const {
  std::vector<Dropped*> made;
  for (Dropped* square : squaresOf(begin, end))
    if (!square->isThere) make(*made.emplace_back(square)), square->isThere = true;
  return made;
}

// Above the diagonal, what whole rows are made of is what stands there in squares that are kept.
void Tape::fillRows(const Group& group, int head, int begin, int end) {
  for (const Dropped* each : squaresOf(group.begin, group.end)) {
    const Value& square = each->value;
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(head) * group.extent->capacity + begin;
    std::fill_n(square.data + row * square.stride, (end - begin) * square.stride, each->fill);
  }
}

bool Tape::isWrittenBy(const Value& value, Operation& operation) const {
  const Value* changed = operation.changed();
  const Gradient* result = operation.result();
  return operation.makes(value.data) || (changed && changed->root == value.root) ||
         (result && result->value.root == value.root);
}

}  // namespace glassformer
