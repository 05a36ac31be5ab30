// What a run does not keep of a tape, and makes anew where it is looked at: which values these are, how they
// come again, and when they go. See Retained.
#include <algorithm>
#include <cmath>

#include "core/tensor/huge_pages.h"
#include "core/tensor/tape.h"

namespace glassformer {

// Scores are what starts as -inf.
bool Tape::isKept(const Value& square, float fill) const {
  return !square.triangular ||
         kept_ < (std::isinf(fill) ? RetentionPolicy::Patterns : RetentionPolicy::Tables);
}

Tape::Evicted* Tape::evictedAt(Cell cell) const {
  for (const auto& evicted : evicted_)
    if (cell >= evicted->value.data && cell < evicted->value.data + evicted->size) return evicted.get();
  return nullptr;
}

bool Tape::isMade(Cell cell) const {
  const Evicted* evicted = evictedAt(cell);
  return !evicted || evicted->isThere.load(std::memory_order_acquire);
}

void Tape::materialize(Cell cell) const {
  if (isMade(cell)) return;
  Evicted* evicted = evictedAt(cell);
  const std::lock_guard lock(making_);
  if (evicted->isThere) return;
  make(*evicted);
  evicted->isThere.store(true, std::memory_order_release);
}

void Tape::makeFor(Cell cell, const std::function<void()>& look) const {
  Evicted* evicted = evictedAt(cell);
  if (!evicted || evicted->isThere.load(std::memory_order_acquire)) return look();
  const std::lock_guard lock(making_);
  const bool wasThere = evicted->isThere;
  if (!wasThere) make(*evicted);
  look();
  if (!wasThere) giveBack(*evicted);
}

// Whole, after what it is made of, which is there no longer than that.
void Tape::make(Evicted& evicted) const {
  if (evicted.value.square) std::fill_n(evicted.value.data, evicted.size, evicted.fill);
  for (const auto& operation : operations_) {
    if (!isWrittenBy(evicted.value, *operation)) continue;
    std::vector<Evicted*> before;
    for (const Gradient* operand : operation->operands())
      if (Evicted* each = evictedAt(operand->value.data); each && each != &evicted && !each->isThere)
        make(*before.emplace_back(each));
    makeRows(evicted, *operation);
    for (Evicted* each : before) giveBack(*each);
  }
}

void Tape::makeRows(const Evicted& evicted, Operation& operation) const {
  const int positions = extent(evicted.value).positions, block = evicted.value.square ? queryBlock : rowBlock;
  for (int h = 0; h < (evicted.value.square ? evicted.value.width : 1); ++h)
    for (int t = 0; t < positions; t += block)
      operation.forwardAgain({t, std::min(t + block, positions), 0, h});
}

void Tape::giveBack(Evicted& evicted) const {
  giveBackPages(evicted.value.data, evicted.size * sizeof(float));
  evicted.isThere = false;
}

void Tape::evictRecomputed() {
  for (const auto& evicted : evicted_)
    if (evicted->isThere) giveBack(*evicted);
}

double Tape::madeBytes() const {
  double bytes = 0;
  for (const auto& evicted : evicted_)
    if (evicted->isThere) bytes += sizeof(float) * static_cast<double>(evicted->size);
  return bytes;
}

// What the run that is about to start makes anew.
void Tape::giveBackOutdated() {
  for (const Group& group : run_)
    for (const auto& evicted : evicted_)
      if (evicted->isThere && evicted->maker >= group.begin && evicted->maker < group.end) giveBack(*evicted);
}

bool Tape::evictsAnyOf(const Group& group) const {
  return std::ranges::any_of(evicted_, [&](const auto& evicted) {
    return evicted->maker >= group.begin && evicted->maker < group.end;
  });
}

void Tape::giveBackSquares(const Group& group) {
  for (const auto& evicted : evicted_)
    if (evicted->value.square && evicted->maker >= group.begin && evicted->maker < group.end)
      giveBack(*evicted);
}

// Only pages that nobody else is writing on.
void Tape::giveBackRows(const Group& group, int begin, int end) {
  for (const auto& evicted : evicted_)
    if (const Value& table = evicted->value;
        !table.square && evicted->maker >= group.begin && evicted->maker < group.end)
      giveBackPages(table.data + begin * table.stride,
                    static_cast<std::size_t>((end - begin) * table.stride) * sizeof(float));
}

// Above the diagonal, what whole rows are made of is what stands there in squares that are kept.
void Tape::fillRows(const Group& group, int head, int begin, int end) {
  for (const auto& evicted : evicted_)
    if (const Value& square = evicted->value;
        square.square && evicted->maker >= group.begin && evicted->maker < group.end)
      std::fill_n(
          square.data + (static_cast<std::ptrdiff_t>(head) * group.extent->capacity + begin) * square.stride,
          (end - begin) * square.stride, evicted->fill);
}

// What operations from the first one on read, of what is not kept and made before. There is some only in the
// group that a run starts in the middle of.
std::vector<Tape::Evicted*> Tape::makeReadFrom(std::size_t first) {
  std::vector<Evicted*> made;
  for (const auto& evicted : evicted_) {
    if (evicted->maker >= first || evicted->isThere) continue;
    const bool isRead =
        std::any_of(operations_.begin() + static_cast<std::ptrdiff_t>(first), operations_.end(),
                    [&](const auto& each) { return isReadBy(evicted->value, *each); });
    if (!isRead) continue;
    make(*made.emplace_back(evicted.get()));
    evicted->isThere = true;
  }
  return made;
}

void Tape::forgetRows() {
  group();
  for (const Root& root : roots_)
    if (!root.isLater) giveBackPages(root.value.data, root.size * sizeof(float));
}

bool Tape::isWrittenBy(const Value& value, Operation& operation) const {
  const Value* changed = operation.changed();
  const Gradient* result = operation.result();
  return operation.makes(value.data) || (changed && changed->root == value.root) ||
         (result && result->value.root == value.root);
}

bool Tape::isReadBy(const Value& value, Operation& operation) const {
  return std::ranges::any_of(operation.operands(),
                             [&](const Gradient* operand) { return operand->value.root == value.root; });
}

// Whether only operations of one group, on rows, make, change and read the table, and nobody changes
// afterwards what it was made of.
bool Tape::staysInGroup(const Value& table) const {
  const std::size_t maker = firstMakerOf(table);
  const auto home = std::ranges::find_if(groups_, [&](const Group& group) { return maker < group.end; });
  if (home == groups_.end() || home->domain != Operation::Domain::Rows) return false;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const bool isAtHome = i >= home->begin && i < home->end;
    if (!isAtHome && (isWrittenBy(table, *operations_[i]) || isReadBy(table, *operations_[i]))) return false;
    if (i <= maker) continue;
    for (const Gradient* operand : operations_[maker]->operands())
      if (isWrittenBy(operand->value, *operations_[i])) return false;
  }
  return true;
}

void Tape::findCheapRows() {
  for (Root& root : roots_) {
    root.isCheap = root.isCheap && staysInGroup(root.value);
    if (!root.isCheap || (kept_ != RetentionPolicy::Patterns && kept_ != RetentionPolicy::Tables)) continue;
    Evicted& table = *evicted_.emplace_back(std::make_unique<Evicted>());
    table.value = root.value, table.size = root.size, table.fill = root.fill;
  }
}

// An operation on rows needs no other row than that which it writes; all others may.
void Tape::findLaterRows() {
  for (Root& root : roots_) root.isLater = root.value.square || root.value.recurrent;
  const auto note = [&](const Value& value) {
    for (Root& root : roots_)
      if (root.value.root == value.root) root.isLater = true;
  };
  for (const auto& operation : operations_) {
    if (operation->domain() == Operation::Domain::Rows) continue;
    for (const Gradient* operand : operation->operands()) note(operand->value);
    if (const Gradient* result = operation->result();
        result && operation->domain() == Operation::Domain::Time)
      note(result->value);
  }
}

// What operations of a group read of their forward pass that is not kept, for as long as they run backward.
std::vector<Tape::Evicted*> Tape::makeIn(const Group& group) {
  std::vector<Evicted*> made;
  for (const auto& evicted : evicted_) {
    if (evicted->maker < group.begin || evicted->maker >= group.end || evicted->isThere) continue;
    make(*made.emplace_back(evicted.get()));
    evicted->isThere = true;
  }
  return made;
}

}  // namespace glassformer
